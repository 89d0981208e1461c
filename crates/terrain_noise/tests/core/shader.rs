//! What shaders are given has the numbers of the core.

use terrain_noise::prelude::*;
use terrain_noise::shader::PlaneLattice;

#[test]
fn its_numbers_are_those_of_value_noise_everywhere() {
    // Near, at the ends of windows, and far out.
    for base in [0, -1, (1 << 23) - 1, (1 << 23) - 2, -(1 << 23), 1 << 24, 123_456_789_012, -(1 << 40)] {
        for seed in [0, 1, u64::MAX] {
            let noise = value().feature_size(1.0).build(seed).unwrap();
            let lattice = PlaneLattice::new(seed, [base, -base]);
            assert_eq!(PlaneLattice::from_words(lattice.words()), lattice);
            for step in [[0, 0], [1, 0], [2, -3], [-5, 900_000], [(1 << 23) - 1, 1 - (1 << 23)], [-(1 << 22), 1 << 22]]
            {
                let [x, z] = [base + i64::from(step[0]), i64::from(step[1]) - base];
                let corners = [[x, z], [x + 1, z], [x, z + 1], [x + 1, z + 1]];
                let expected = corners.map(|[x, z]| noise.sample([x as f64, z as f64]));
                assert_eq!(lattice.corners(step), expected, "{base} {seed} {step:?}");
            }
        }
    }
}
