//! Patterns that drift: their rates, and what stays of them.

use terrain_noise::prelude::*;
use terrain_noise::signal::Drift;

#[test]
fn rates_are_those_of_differences() {
    let noise = simplex().fbm().octaves(3).feature_size(30.0).build(4).unwrap();
    let drift = Drift::new([7.0, -3.0]).change(2.0);
    for i in 0..2_000 {
        let (place, t) = ([f64::from(i) * 1.3, f64::from(i % 97)], 5e8 + f64::from(i) * 0.25);
        let rate = f64::from(drift.rate(noise.sample_jet(drift.at(place, t), 0.0).gradient));
        let [a, b] = [t - 1e-3, t + 1e-3].map(|t| f64::from(noise.sample_3d(drift.at(place, t))));
        assert!((rate - (b - a) / 2e-3).abs() < 5e-3, "{i}: {rate} {}", (b - a) / 2e-3);
    }
}

#[test]
fn without_change_the_pattern_is_frozen() {
    let noise = perlin().feature_size(10.0).build(4).unwrap();
    let drift = Drift::new([8.0, 2.0]);
    let at = |place, t| noise.sample_3d(drift.at(place, t));
    for i in 0..100 {
        let (x, t) = (f64::from(i) * 0.75, f64::from(i) * 4.0);
        assert_eq!(at([x, 5.0], t), at([x + 16.0, 9.0], t + 2.0));
    }
}
