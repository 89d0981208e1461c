//! A rounded crease is one that samples can show: a mesh through them is near the land between them.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests may stop too")]

use terrain_noise::prelude::*;

const SPACING: f64 = 4.0;

/// How far a mesh of samples lies from the land in the middle of its edges, at one edge of a hundred: the height of
/// teeth. (Gullies turn on summits, at a few edges, rounded or not.)
fn teeth(noise: Noise) -> f64 {
    let land = noise.build(1).unwrap();
    let size = [150, 150];
    let grid = Grid::new([200, -90], SPACING, size);
    let mut heights = vec![0.0; grid.len()];
    land.fill(&grid, &mut Scratch::default(), &mut heights);
    let mut far = Vec::new();
    for j in 0..size[1] {
        for i in 0..size[0] - 1 {
            let mesh = 0.5 * (heights[j * size[0] + i] + heights[j * size[0] + i + 1]);
            let land = land.sample_filtered([grid.x(i) + 0.5 * SPACING, grid.z(j)], SPACING);
            far.push(f64::from((mesh - land).abs()));
        }
    }
    far.sort_by(f64::total_cmp);
    far[far.len() - far.len() / 100]
}

#[test]
fn a_mesh_shows_rounded_creases() {
    let single = || perlin().feature_size(200.0);
    let hills = || perlin().feature_size(1500.0).scale(700.0);
    for (name, share, noise) in [
        ("ridged", 0.45, single().ridged().octaves(2).scale(60.0)),
        ("billow", 0.45, single().billow().octaves(2).scale(60.0)),
        ("ridged multifractal", 0.45, single().ridged_multifractal().octaves(2).scale(60.0)),
        ("damped", 0.48, single().damped().octaves(2).ridges(1.0).scale(60.0)),
        // Most of what a mesh misses of gullies is their bends.
        ("gullies", 0.9, hills().gullies(60.0, 160.0).sharpness(1.0).octaves(2).into()),
    ] {
        let (sharp, round) = (teeth(noise.clone()), teeth(noise.rounded(1.5)));
        assert!(round < share * sharp, "{name}: {round} m, sharp {sharp} m");
    }
}

#[test]
fn gullies_turn_without_steps() {
    // The phase of a wave runs where its direction turns: unchecked, the sides of gullies become walls.
    let range = perlin().ridged().octaves(3).feature_size(5000.0).persistence(0.4).rounding(1.5).scale(1000.0);
    let carved = range.gullies(200.0, 1500.0).rounding(1.5).branching(1.0).octaves(6);
    let teeth = teeth(carved.into());
    assert!(teeth < 0.2 * SPACING, "{teeth} m");
}

#[test]
fn without_samples_beside_them_points_see_sharp_creases() {
    let ridged = perlin().ridged().feature_size(200.0);
    let (sharp, round) = (ridged.clone().build(1).unwrap(), ridged.rounding(1.5).build(1).unwrap());
    assert!((0..200).all(|i| sharp.sample([f64::from(i), 0.5]) == round.sample([f64::from(i), 0.5])));
}
