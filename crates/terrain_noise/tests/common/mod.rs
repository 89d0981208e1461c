//! Trees that the tests share: every node at least once.

use terrain_noise::{Damped, prelude::*};

/// Trees and their names.
pub fn worlds() -> Vec<(&'static str, Noise)> {
    let ridges = || perlin().ridged_multifractal().octaves(9).feature_size(300.0);
    let hills = || value().fbm().octaves(3).feature_size(600.0).scale(150.0);
    vec![
        ("perlin", perlin().feature_size(20.0).into()),
        ("value", value().fade(Fade::Cosine).feature_size(20.0).into()),
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
        ("tiled simplex", simplex().feature_size(16.0).period_3d([4, 1, 3]).fbm().octaves(4).into()),
        ("tiled perlin", perlin().feature_size(16.0).period(4, 3).fbm().octaves(4).into()),
        ("turned", perlin().fbm().octave_rotation(37.0).feature_size(300.0).into()),
        ("turned and stretched", perlin().fbm().octave_rotation(37.0).feature_size(300.0).stretch(2.0, 1.0)),
        ("fbm", perlin().fbm().feature_size(300.0).into()),
        ("value fbm", value().fbm().feature_size(300.0).lacunarity(1.9).into()),
        ("billow", perlin().billow().feature_size(300.0).into()),
        ("ridged", simplex().ridged().feature_size(300.0).into()),
        ("multifractal", perlin().multifractal().feature_size(300.0).into()),
        ("ridged multifractal", ridges().into()),
        ("hybrid", perlin().hybrid_multifractal().feature_size(300.0).into()),
        ("warp", ridges().warp(perlin().fbm().octaves(3).feature_size(200.0), 40.0)),
        ("warp of warp", ridges().warp(simplex().feature_size(99.0), 9.0).warp(value().feature_size(77.0), 30.0)),
        ("transform", ridges().stretch(3.0, 0.5).rotate(30.0).translate(5.0, 6.0)),
        ("stretch", ridges().stretch(3.0, 0.5)),
        ("combine", ridges().smooth_min(perlin().fbm(), 0.3).mul(value().feature_size(50.0)).max(-0.4)),
        ("blend", ridges().scale(50.0).blend(perlin().fbm().terrace(0.1, 0.8), simplex().feature_size(80.0))),
        ("swirl", ridges().swirl(perlin().feature_size(300.0), 40.0)),
        ("curve", ridges().curve([[0.0, 0.0], [0.3, 0.5], [0.5, 0.4], [2.0, 3.0]])),
        ("shore", ridges().shore(0.5, 2.0, 0.1)),
        ("damped", perlin().feature_size(300.0).damped().into()),
        ("swiss", Damped { ridges: 0.7, warp: 0.05, octaves: 4, ..simplex().feature_size(300.0).damped() }.into()),
        ("dunes", dunes(120.0).into()),
        ("warped dunes", dunes(120.0).warp(perlin().feature_size(400.0), 60.0).scale(20.0)),
        ("gullies", perlin().fbm().octaves(3).feature_size(900.0).scale(200.0).gullies(20.0, 150.0).into()),
        ("gullies, warped", hills().warp(perlin().feature_size(700.0), 90.0).gullies(30.0, 200.0).stretch(2.0, 1.5)),
        ("gullies under a warp", hills().gullies(12.0, 150.0).warp(perlin().feature_size(700.0), 90.0)),
        ("strata", ridges().scale(90.0).strata(20.0, 0.9, perlin().feature_size(600.0).scale(30.0)).into()),
        ("add above", perlin().feature_size(900.0).scale(90.0).add_above(ridges().scale(60.0), -20.0, 50.0)),
        ("rounded ridges", ridges().rounding(2.0).into()),
        ("rounded billow, turned", perlin().billow().octave_rotation(37.0).feature_size(300.0).rounding(1.0).into()),
        ("rounded gullies", hills().gullies(30.0, 90.0).rounded(1.5)),
        ("rounded swiss", Damped { ridges: 0.7, octaves: 4, ..perlin().feature_size(90.0).damped() }.rounded(2.0)),
        ("straight curve", ridges().scale(9.0).through([[0.0, 0.0], [3.0, 5.0], [5.0, 4.0]])),
        ("shapes", ridges().bias(0.3).gain(0.7).power(1.7).range(-5.0, 9.0).clamp(-4.0, 8.0).abs()),
    ]
}
