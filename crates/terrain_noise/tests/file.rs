//! Files: what is written can be read, what cannot be read says why and where.
#![cfg(feature = "file")]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests may stop too")]

use terrain_noise::{NoiseFile, prelude::*};

fn refused(text: &str) -> String {
    from_ron(text).expect_err(text).to_string()
}

fn noise(inner: &str) -> String {
    format!("(version: 1, noise: {inner})")
}

#[test]
fn the_way_to_a_mistake_is_told() {
    for (text, path, words) in [
        ("", "file", "line 1"),
        ("(version: 2, noise: Nonsense())", "version", "found version 2, allowed is 1"),
        (&noise("Fractal(octaves: \"8\")"), "noise.octaves", "Expected integer, at `\"8\"`"),
        (&noise("Fractal(octave: 8)"), "noise.octave", "octaves"),
        (&noise("Fractals()"), "noise", "Fractal"),
        (&noise("Fractal(basis: Perlin(fade: Sharp))"), "noise.basis.fade", "Quintic"),
        (&noise("Fractal(octaves: 100)"), "noise.octaves", "found 100, allowed is 1 to 32"),
        (&noise("Fractal(octaves: -1)"), "noise.octaves", ""),
        (&noise("Fractal(lacunarity: NaN)"), "noise.lacunarity", "found NaN"),
        (&noise("Abs(source: Fractal(feature_size: inf))"), "noise.source.feature_size", "found inf"),
        (&noise("Abs()"), "noise", "source"),
        (&noise("Range(min: 2, max: 1, source: Single())"), "noise.max", "more than min"),
        (&noise("Single(basis: Cellular(jitter: 2))"), "noise.basis.jitter", "0 to 1"),
        (&noise("Single(basis: ClassicPerlin, period_z: 3)"), "noise.period_z", "multiple of 256"),
        (&noise("Fractal(period_x: 3, lacunarity: 2.5)"), "noise.lacunarity", "whole"),
    ] {
        let error = refused(text);
        assert!(error.starts_with(path) && error.contains(words), "{text}\n{error}");
    }
}

#[test]
fn depth_is_limited_by_words_not_by_the_stack() {
    let nested = |depth: usize| noise(&("Abs(source: ".repeat(depth) + "Constant()" + &")".repeat(depth)));
    assert!(from_ron(&nested(31)).is_ok());
    assert!(refused(&nested(32)).contains("32 nodes deep"));
    for depth in [1000, 100_000] {
        assert!(refused(&nested(depth)).contains("ecursion"), "{depth}");
    }
}

#[test]
fn json_reads_the_same() {
    let noise = cellular(CellOutput::F2).fbm().blend(constant(3.0), simplex().feature_size(9.0));
    let text = serde_json::to_string_pretty(&NoiseFile::new(noise.clone())).unwrap();
    assert_eq!(serde_json::from_str::<NoiseFile>(&text).unwrap().noise, noise);
    let wrong = text.replace("\"octaves\"", "\"octives\"");
    assert!(serde_json::from_str::<NoiseFile>(&wrong).unwrap_err().to_string().contains("octives"));
}

#[test]
fn a_short_file_means_the_defaults() {
    let read = from_ron(&noise("Fractal(octaves: 5)")).unwrap();
    assert_eq!(read, perlin().fbm().octaves(5).into());
    let written = to_ron(&read);
    assert!(written.contains("octaves: 5") && written.contains("basis: Perlin("), "{written}");
}
