//! No two parts of a tree look alike, and none changes because another comes.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests may stop too")]

use crate::common::worlds;
use terrain_noise::prelude::*;

fn hills() -> Noise {
    perlin().fbm().octaves(3).feature_size(50.0).into()
}

/// Heights over a stretch of ground.
fn heights(noise: &Noise) -> Vec<f64> {
    let sampler = noise.build(7).unwrap();
    let grid = Grid { footprint: 0.0, ..Grid::new([-300, 41], 13.7, [60, 60]) };
    let mut heights = vec![0.0; grid.len()];
    sampler.fill(&grid, &mut Scratch::default(), &mut heights);
    heights.into_iter().map(f64::from).collect()
}

/// Pearson's correlation.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let centred = |all: &[f64]| {
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        all.iter().map(|x| x - mean).collect::<Vec<_>>()
    };
    let (a, b) = (centred(a), centred(b));
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt().max(1e-300)
}

/// Every part of a sum of `parts` by itself: the others are scaled to nothing, which changes no seed.
fn alone(parts: usize, tree: impl Fn(&dyn Fn(usize) -> Noise) -> Noise) -> Vec<Vec<f64>> {
    let only = |part: usize| tree(&move |which| hills().scale(if which == part { 1.0 } else { 0.0 }));
    (0..parts).map(|part| heights(&only(part))).collect()
}

#[test]
fn the_terms_of_a_sum_do_not_look_alike() {
    let sums: [(&str, Vec<Vec<f64>>); 4] = [
        ("a + b + c + d", alone(4, |part| part(0).add(part(1)).add(part(2)).add(part(3)))),
        ("a + (b + (c + d))", alone(4, |part| part(0).add(part(1).add(part(2).add(part(3)))))),
        ("(a + b) + (c + d)", alone(4, |part| part(0).add(part(1)).add(part(2).add(part(3))))),
        (
            "(a + b) scaled, stepped, + c, above d",
            alone(4, |part| part(3).add_above(part(0).add(part(1)).scale(2.0).add(part(2)), -1e9, -1e8)),
        ),
    ];
    for (name, parts) in sums {
        for (i, a) in parts.iter().enumerate() {
            for (j, b) in parts.iter().enumerate().skip(i + 1) {
                let alike = correlation(a, b);
                assert!(alike.abs() < 0.15, "{name}: parts {i} and {j} correlate at {alike:.3}");
            }
        }
    }
}

#[test]
fn a_second_warp_displaces_by_a_noise_of_its_own() {
    // Two warps by the same noise, there and back, would nearly cancel out.
    let land = perlin().feature_size(900.0);
    let by = || perlin().feature_size(400.0);
    let plain = heights(&land.clone().into());
    let once = heights(&land.clone().warp(by(), 20.0));
    let twice = heights(&land.warp(by(), 20.0).warp(by(), -20.0));
    let moved = |warped: &[f64]| warped.iter().zip(&plain).map(|(a, b)| (a - b).abs()).sum::<f64>();
    let share = moved(&twice) / moved(&once);
    assert!(share > 0.7, "{share:.3} of what one warp moves");
}

#[test]
fn a_warp_moves_both_axes_apart() {
    // Along a ridge that runs with one axis only the other's displacement shows.
    let along = |axis: usize| {
        let stretched = if axis == 0 { [1e6, 1.0] } else { [1.0, 1e6] };
        let land = perlin().feature_size(900.0).stretch(stretched[0], stretched[1]);
        let moved = heights(&land.clone().warp(perlin().feature_size(100.0).add(perlin().feature_size(100.0)), 20.0));
        moved.iter().zip(heights(&land)).map(|(a, b)| (a - b).signum()).collect::<Vec<_>>()
    };
    assert!(correlation(&along(0), &along(1)).abs() < 0.15);
}

#[test]
fn wrapping_a_noise_does_not_change_it() {
    let at = [12.3, 45.6];
    let value = |noise: &Noise| noise.build(1).unwrap().sample(at);
    // Parts that share a seed, too.
    let inner = hills().add(hills()).warp(hills(), 30.0).blend(hills(), hills().add(hills()));
    let nothing = || hills().scale(0.0);
    for (name, wrapped) in [
        ("scale", inner.clone().scale(1.0)),
        ("add", inner.clone().add(nothing())),
        ("add twice", inner.clone().add(nothing()).add(nothing())),
        ("warp", inner.clone().warp(hills(), 0.0)),
        ("warp twice", inner.clone().warp(hills(), 0.0).warp(hills(), 0.0)),
        ("swirl", inner.clone().swirl(hills(), 0.0)),
        ("blend", inner.clone().blend(hills(), nothing())),
        ("gullies", inner.clone().gullies(0.0, 90.0).into()),
        ("add above", inner.clone().add_above(hills(), 1e8, 1e9)),
    ] {
        assert_eq!(value(&wrapped), value(&inner), "{name}");
    }
}

#[test]
fn a_part_with_a_seed_of_its_own_stays_when_others_come() {
    let own = |seed: u64| perlin().fbm().octaves(3).feature_size(50.0).seed(seed);
    let shown = |others: Noise| heights(&others.scale(0.0).add(own(9)));
    let before = shown(hills());
    assert_eq!(shown(hills().add(hills()).add(hills())), before);
    assert_eq!(shown(hills().warp(hills(), 5.0).warp(hills(), 7.0)), before);
}

#[test]
fn grids_points_and_slopes_see_the_same_parts() {
    let many = hills().add(hills()).add(hills()).warp(hills(), 9.0).warp(hills(), 9.0).gullies(5.0, 60.0);
    let trees = worlds().into_iter().map(|(_, noise)| noise.add(hills()).add(hills())).chain([many.into()]);
    for noise in trees {
        let sampler = noise.build(3).unwrap();
        let grid = Grid::new([-9, 5], 3.1, [20, 4]);
        let [mut heights, mut again, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; grid.len()]);
        let mut scratch = Scratch::default();
        sampler.fill(&grid, &mut scratch, &mut heights);
        sampler.fill_with_gradient(&grid, &mut scratch, &mut again, &mut dx, &mut dz);
        for (i, height) in heights.iter().enumerate() {
            let at = [grid.x(i % 20), grid.z(i / 20)];
            let jet = sampler.sample_with_gradient(at, 3.1);
            assert_eq!([*height, again[i], dx[i], dz[i]].map(f32::to_bits), {
                [sampler.sample_filtered(at, 3.1), jet.value, jet.gradient[0], jet.gradient[1]].map(f32::to_bits)
            });
            assert!(sampler.bounds().contains(*height));
        }
    }
}

#[test]
fn a_fixed_seed_is_that_of_another_world_and_of_no_place() {
    let part = || perlin().fbm().octaves(3).warp(perlin(), 100.0);
    let alone = part().build(9).unwrap();
    let fixed = || part().fixed_seed(9);
    for (name, noise) in
        [("root", fixed()), ("again", part().scale(0.0).add(fixed())), ("twice", fixed().fixed_seed(4))]
    {
        let noise = noise.build(5).unwrap();
        for place in [[0.5, 0.0], [-900.0, 77.7], [1e6, -3e5]] {
            assert_eq!(noise.sample(place), alone.sample(place), "{name} at {place:?}");
        }
    }
    let difference = fixed().add(fixed().scale(-1.0)).build(1).unwrap();
    assert_eq!(difference.sample([123.0, 45.0]), 0.0);
}
