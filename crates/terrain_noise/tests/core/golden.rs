//! The same tree and seed give the same bits on every machine and in every version.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests may stop too")]

use std::fmt::Write;

use crate::common::worlds;
use terrain_noise::signal::{Flicker, Shake, Signal};
use terrain_noise::{DiamondSquare, prelude::*};

/// Written by `UPDATE_GOLDEN=1 cargo test -p terrain_noise --test core golden`.
const GOLDEN: &str = include_str!("golden.txt");

/// FNV-1a over the bits.
fn fingerprint(values: impl IntoIterator<Item = f32>) -> u64 {
    let bytes = values.into_iter().flat_map(|value| value.to_bits().to_le_bytes());
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

fn fingerprints() -> String {
    let mut text = String::new();
    let mut line = |name: &str, kind: &str, hash: u64| writeln!(text, "{name}, {kind}: {hash:016x}").unwrap();
    let mut scratch = Scratch::default();
    for (name, noise) in worlds() {
        let sampler = noise.build(20).expect(name);
        let grids = [Grid::new([-30, 1 << 40], 0.75, [65, 9]), Grid::new([7, -9], 12.0, [40, 13])];
        let mut all = Vec::new();
        for grid in grids {
            let mut heights = vec![0.0; grid.len()];
            sampler.fill(&grid, &mut scratch, &mut heights);
            all.extend(heights);
        }
        line(name, "plane", fingerprint(all));
        line(name, "line", fingerprint((0..500).map(|i| sampler.sample_1d(f64::from(i) * 1.7 - 300.0))));
        let space = |i: i32| [1.7, -0.9, 2.3].map(|step| f64::from(i) * step);
        line(name, "space", fingerprint((0..500).map(|i| sampler.sample_3d(space(i)))));
        let slopes = (0..500).flat_map(|i| sampler.sample_jet([f64::from(i) * 1.7, f64::from(-i)], 3.0).gradient);
        line(name, "slopes", fingerprint(slopes));
    }
    let land = DiamondSquare::new(20, 6, 1.9).unwrap();
    line("diamond-square", "finite", fingerprint(land.finite()));
    line("diamond-square", "endless", fingerprint(land.patch([-5, 1 << 40])));
    let signal = Signal::new(20).frequency(3.0).octaves(5).persistence(0.6);
    let times = || (0..500).map(|i| f64::from(i) * 1.7e6 - 300.3);
    line("signal", "values", fingerprint(times().map(|t| signal.channel(2).at(t))));
    line("signal", "rates", fingerprint(times().map(|t| signal.at_with_rate(t).gradient[0])));
    line("signal", "flame", fingerprint(times().map(|t| Flicker::flame(20).at(t))));
    line("signal", "lamp", fingerprint(times().map(|t| Flicker::lamp(20).at(t))));
    let shaken = times().flat_map(|t| [Shake::new(20).at(t, 0.7)]).flat_map(|shaken| [shaken.offset, shaken.angles]);
    line("signal", "shake", fingerprint(shaken.flatten()));
    let noise = simplex().fbm().octaves(9).octave_rotation(20.0).stretch(2.0, 1.0).build(20).unwrap();
    let noise = noise.for_shader().unwrap();
    let words = |words: &[u32]| fingerprint(words.iter().map(|&word| f32::from_bits(word)));
    line("shader", "plane", words(&noise.plane([1e9, -7e5])));
    line("shader", "space", words(&noise.space([1e9, 33.0, -7e5])));
    text
}

#[test]
fn bits_do_not_change() {
    let found = fingerprints();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/core/golden.txt");
        std::fs::write(path, &found).unwrap();
        return;
    }
    let changed: Vec<_> = found.lines().filter(|line| !GOLDEN.lines().any(|golden| golden == *line)).collect();
    assert!(
        changed.is_empty() && found.lines().count() == GOLDEN.lines().count(),
        "These worlds have changed, and with them every world that users have made from such nodes:\n{}\n\
         If that is meant, say so in the changelog, run `UPDATE_GOLDEN=1 cargo test -p terrain_noise --test \
         core golden` and commit tests/core/golden.txt. If only this machine disagrees, the arithmetic is not portable.",
        changed.join("\n")
    );
}
