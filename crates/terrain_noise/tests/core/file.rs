//! Files: what is written can be read, what cannot be read says why and where.
#![cfg(feature = "file")]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests may stop too")]

use terrain_noise::{NoiseFile, ParamMut, prelude::*};

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
    let written = to_ron(&read).unwrap();
    assert!(written.contains("octaves: 5") && written.contains("basis: Perlin("), "{written}");
}

#[test]
fn a_number_of_the_wrong_kind_is_told_with_path_and_range() {
    for (text, words) in [
        ("Fractal(octaves: -8)", "found -8, allowed is a whole number from 1 to 32"),
        ("Fractal(octaves: 8.5)", "found 8.5, allowed is a whole number from 1 to 32"),
        ("Fractal(octaves: 1e300)", "found 1e300, allowed is a whole number from 1 to 32"),
        ("Fractal(octaves: 5000000000)", "found 5000000000, allowed is a whole number from 1 to 32"),
        ("Fractal(octaves: NaN)", "found NaN, allowed is a whole number from 1 to 32"),
        ("Fractal(octaves: eight)", "Expected integer, at `eight`, allowed is 1 to 32"),
        ("Fractal(lacunarity: two)", "Expected float, at `two`, allowed is 1.01 to 16"),
        ("Fractal(feature_size: \"9\")", "allowed is 0.001 to 1000000000 m"),
        ("Single(basis: Cellular(jitter: much))", "allowed is 0 to 1"),
        ("Abs(source: Gullies(octaves: -1, source: Constant()))", "found -1, allowed is a whole number from 1 to 16"),
    ] {
        let error = refused(&noise(text));
        let field = text.rsplit(['(', ' ']).find_map(|word| word.strip_suffix(':')).unwrap();
        let path = error.split(',').next().unwrap();
        assert!(error.ends_with(words) || text.contains("Gullies"), "{text}: {error}");
        assert!(error.contains(words), "{text}: {error}");
        assert!(path.starts_with("noise") && (path.ends_with(field) || text.contains("Gullies")), "{text}: {error}");
    }
    assert_eq!(from_ron(&noise("Fractal(octaves: 8.0)")).unwrap(), perlin().fbm().into());
}

#[test]
fn every_whole_number_says_what_is_allowed() {
    for kind in Noise::kinds() {
        let mut node = kind.over(constant(0.0));
        let text = to_ron(&node).unwrap();
        node.edit_params(|info, param| {
            if let ParamMut::Integer(number) = param {
                let field = format!("{}: ", info.name);
                let error = refused(&text.replace(&format!("{field}{number}"), &format!("{field}8.5")));
                assert!(error.contains("found 8.5, allowed is a whole number from"), "{kind:?}: {error}");
            }
        });
    }
}

#[test]
fn the_root_is_named_once() {
    let mut costly: Noise = perlin().fbm().octaves(32).into();
    for _ in 0..6 {
        costly = perlin().warp(costly, 1.0);
    }
    let error = refused(&to_ron(&costly).unwrap());
    assert!(error.starts_with("noise: found "), "{error}");
    assert_eq!(
        refused(&noise("Abs(source: Fractal(octaves: 0))")),
        "noise.source.octaves: found 0, allowed is 1 to 32"
    );
}

#[test]
fn errors_are_short_whatever_they_are_about() {
    let long = "A".repeat(100_000);
    let words = "many words ".repeat(10_000);
    for text in [
        noise(&format!("{long}()")),
        noise(&format!("Fractal({long}: 8)")),
        noise(&format!("Fractal(kind: {long})")),
        noise(&format!("Fractal(octaves: \"{long}\")")),
        noise(&format!("Fractal(octaves: {})", "9".repeat(100_000))),
        noise(&format!("Fractal(lacunarity: {})", "9".repeat(100_000))),
        noise(&format!("\"{words}\"")),
        noise(&format!("Fractal(kind: r#\"{words}\"#)")),
        format!("({long}: 8)"),
        format!("(version: \"{words}\")"),
        format!("#![enable({long})]"),
        long.clone(),
    ] {
        let error = refused(&text);
        assert!(error.len() < 1800, "{} bytes: {}…", error.len(), &error[..80]);
    }
    // Still long enough to name all that is allowed.
    assert!(refused(&noise(&format!("{long}()"))).contains("`Blend`"));
    let error = refused(&noise("Fractal(lacunarity: 1e308)"));
    assert_eq!(error, "noise.lacunarity: found 1e308, allowed is 1.01 to 16");
    assert!(refused(&noise("Fractal(lacunarity: 1e-308)")).contains("found 1e-308,"));
}

#[test]
fn what_cannot_be_written_says_so() {
    let mut deep = constant(1.0);
    for _ in 0..300 {
        deep = deep.abs();
    }
    let error = to_ron(&deep).unwrap_err().to_string();
    assert!(error.starts_with("noise.source") && error.contains("at most 32 nodes deep"), "{error}");
    assert_eq!(from_ron(&to_ron(&constant(1.0)).unwrap()).unwrap(), constant(1.0));
}

/// Processor time of this thread in seconds, where the system reports it: other tests run beside this one.
fn now(start: std::time::Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|told| told.split_whitespace().next()?.parse::<f64>().ok());
    told.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds * 1e-9)
}

#[test]
fn nested_options_in_a_field_that_nobody_reads_are_refused_at_once() {
    #[derive(serde::Deserialize)]
    struct World {
        #[serde(rename = "looks")]
        _looks: serde::de::IgnoredAny,
    }
    let start = std::time::Instant::now();
    let begun = now(start);
    for (open, close, depth) in
        [("Some(", ")", 100_000), ("Some (", ")", 1000), ("[", "]", 100_000), ("{1:", "}", 5000)]
    {
        let text = format!("(looks: {}1{})", open.repeat(depth), close.repeat(depth));
        let error = terrain_noise::read_ron::<World>(&text).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("recursion") && error.starts_with("file, line 1, column "), "{error}");
    }
    // As deep as is allowed, around much text.
    let much = "(a: 1.5, b: \"text\"), ".repeat(20_000);
    let text = format!("(looks: {}[{much}]{})", "Some(".repeat(8), ")".repeat(8));
    assert!(terrain_noise::read_ron::<World>(&text).is_ok());
    let spent = now(start) - begun;
    assert!(spent < 2.0, "{spent} s");
}

#[test]
fn json_keeps_every_bit() {
    // As serde_json does with its feature `float_roundtrip`, and only with it.
    for bits in (0..4000u64).map(|i| 0x3FB9_9999_9999_0000 + i * 7919) {
        let value = f64::from_bits(bits);
        let text = serde_json::to_string(&NoiseFile::new(constant(value))).unwrap();
        assert_eq!(serde_json::from_str::<NoiseFile>(&text).unwrap().noise, constant(value), "{value}");
    }
    let read: Noise = serde_json::from_str("{\"Fractal\":{\"octaves\":5}}").unwrap();
    assert_eq!(read, perlin().fbm().octaves(5).into());
    for wrong in ["-8", "8.5", "5000000000", "\"8\""] {
        let error = serde_json::from_str::<Noise>(&format!("{{\"Fractal\":{{\"octaves\":{wrong}}}}}")).unwrap_err();
        assert!(error.to_string().contains("whole number"), "{error}");
    }
}
