//! A grid gives the bits that points give, whatever the tree.

use terrain_noise::prelude::*;

fn worlds() -> Vec<(&'static str, Noise)> {
    let ridges = || {
        perlin()
            .ridged_multifractal()
            .octaves(9)
            .feature_size(300.0)
    };
    vec![
        ("perlin", perlin().feature_size(20.0).into()),
        (
            "value",
            value().fade(Fade::Cosine).feature_size(20.0).into(),
        ),
        ("simplex", simplex().feature_size(20.0).into()),
        ("smoothed value", smoothed_value().feature_size(20.0).into()),
        ("cubic value", cubic_value(Cubic::CatmullRom).feature_size(20.0).into()),
        ("elias cubic", cubic_value(Cubic::Elias).feature_size(20.0).into()),
        ("classic perlin", classic_perlin().feature_size(20.0).into()),
        ("F1", cellular(CellOutput::F1).feature_size(20.0).into()),
        ("F2", cellular(CellOutput::F2).feature_size(20.0).into()),
        ("F2-F1", cellular(CellOutput::F2MinusF1).fbm().feature_size(200.0).into()),
        ("integer value", value().lattice(Lattice::IntNoise).fbm().feature_size(200.0).into()),
        ("permuted perlin", perlin().lattice(Lattice::Permutation).fbm().feature_size(200.0).into()),
        ("tiled perlin", perlin().feature_size(16.0).period(4, 3).fbm().octaves(4).into()),
        ("turned", perlin().fbm().octave_rotation(37.0).feature_size(300.0).into()),
        ("turned and stretched", perlin().fbm().octave_rotation(37.0).feature_size(300.0).stretch(2.0, 1.0)),
        ("fbm", perlin().fbm().feature_size(300.0).into()),
        (
            "value fbm",
            value().fbm().feature_size(300.0).lacunarity(1.9).into(),
        ),
        ("billow", perlin().billow().feature_size(300.0).into()),
        ("ridged", simplex().ridged().feature_size(300.0).into()),
        (
            "multifractal",
            perlin().multifractal().feature_size(300.0).into(),
        ),
        ("ridged multifractal", ridges().into()),
        (
            "hybrid",
            perlin().hybrid_multifractal().feature_size(300.0).into(),
        ),
        (
            "warp",
            ridges().warp(perlin().fbm().octaves(3).feature_size(200.0), 40.0),
        ),
        (
            "warp of warp",
            ridges()
                .warp(simplex().feature_size(99.0), 9.0)
                .warp(value().feature_size(77.0), 30.0),
        ),
        (
            "transform",
            ridges().stretch(3.0, 0.5).rotate(30.0).translate(5.0, 6.0),
        ),
        ("stretch", ridges().stretch(3.0, 0.5)),
        (
            "combine",
            ridges()
                .smooth_min(perlin().fbm(), 0.3)
                .mul(value().feature_size(50.0))
                .max(-0.4),
        ),
        (
            "blend",
            ridges().scale(50.0).blend(
                perlin().fbm().terrace(0.1, 0.8),
                simplex().feature_size(80.0),
            ),
        ),
        ("swirl", ridges().swirl(perlin().feature_size(300.0), 40.0)),
        ("curve", ridges().curve([[0.0, 0.0], [0.3, 0.5], [0.5, 0.4], [2.0, 3.0]])),
        ("shore", ridges().shore(0.5, 2.0, 0.1)),
        (
            "shapes",
            ridges()
                .bias(0.3)
                .gain(0.7)
                .power(1.7)
                .range(-5.0, 9.0)
                .clamp(-4.0, 8.0)
                .abs(),
        ),
    ]
}

#[test]
fn grid_equals_points() {
    let mut scratch = Scratch::default();
    for (name, noise) in worlds() {
        let sampler = noise.build(42).expect(name);
        for (start, spacing, size, footprint) in [
            ([-30, -7], 1.0, [65, 65], 1.0),
            ([1_000_000_000, -1_000_000_000], 1.0, [33, 5], 0.0),
            ([0, 0], 40.0, [70, 9], 40.0),
            ([-5, 3], 37.3, [31, 9], 0.0),
            ([3, 3], 0.125, [1, 300], 0.125),
        ] {
            let grid = Grid {
                start,
                spacing,
                size,
                footprint,
            };
            let [mut heights, mut again, mut dx, mut dz] =
                std::array::from_fn(|_| vec![f32::NAN; grid.len()]);
            let bounds = sampler.fill(&grid, &mut scratch, &mut heights);
            let same =
                sampler.fill_with_gradient(&grid, &mut scratch, &mut again, &mut dx, &mut dz);
            assert_eq!(bounds, same, "{name}");
            let mut seen = Bounds::EMPTY;
            for j in 0..size[1] {
                for i in 0..size[0] {
                    let at = [grid.x(i), grid.z(j)];
                    let n = j * size[0] + i;
                    assert_eq!(
                        heights[n].to_bits(),
                        sampler.sample_filtered(at, footprint).to_bits(),
                        "{name} {at:?}"
                    );
                    let jet = sampler.sample_with_gradient(at, footprint);
                    assert_eq!(jet.value.to_bits(), heights[n].to_bits(), "{name} {at:?}");
                    assert_eq!(again[n].to_bits(), heights[n].to_bits(), "{name} {at:?}");
                    assert_eq!(jet.gradient, [dx[n], dz[n]], "{name} {at:?}");
                    assert!(
                        sampler.bounds().contains(heights[n]),
                        "{name} {at:?} {}",
                        heights[n]
                    );
                    seen = seen.union(Bounds {
                        min: heights[n],
                        max: heights[n],
                    });
                }
            }
            assert_eq!(bounds, seen, "{name}");
        }
    }
}

fn slopes_are_derivatives<const D: usize>(name: &str, noise: &Noise) {
    let sampler = noise.build(42).expect(name);
    let size = f64::from(sampler.bounds().max - sampler.bounds().min);
    let (mut bad, mut all) = (0, 0);
    for k in 0..600 {
        let at: [f64; D] = std::array::from_fn(|axis| f64::from(k * [1, 7, 31][axis] % 997) * 0.73 - 300.0);
        let jet = sampler.sample_jet(at, 0.0);
        for axis in 0..D {
            let h = 0.004;
            let ends = [-h, h].map(|h| {
                let mut at = at;
                at[axis] += h;
                f64::from(sampler.sample_jet(at, 0.0).value)
            });
            let slope = (ends[1] - ends[0]) / (2.0 * h);
            let error = (slope - f64::from(jet.gradient[axis])).abs();
            // Creases (ridges, clamps, minima) have no slope: a few points may lie on one.
            all += 1;
            bad += i32::from(error > 0.05 * slope.abs() + 1e-3 * size.max(1.0));
        }
    }
    assert!(bad * 40 < all, "{name} in {D}D: {bad} of {all} slopes are off");
}

#[test]
fn gradient_is_the_derivative() {
    for (name, noise) in worlds() {
        slopes_are_derivatives::<1>(name, &noise);
        slopes_are_derivatives::<2>(name, &noise);
        slopes_are_derivatives::<3>(name, &noise);
    }
}
