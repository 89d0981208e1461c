//! How random the hash of the plane is: of sixteen directions, and of whole numbers.

use super::*;
use crate::lattice::derive;

/// How far the share of ones in each of `N` bits is from a half, at most.
fn worst<const N: usize>(counts: &[u32; N], of: u32) -> f64 {
    counts.iter().map(|&ones| (f64::from(ones) / f64::from(of) - 0.5).abs()).fold(0.0, f64::max)
}

fn count<const N: usize>(counts: &mut [u32; N], bits: u32) {
    for (bit, ones) in counts.iter_mut().enumerate() {
        *ones += bits >> bit & 1;
    }
}

/// Four bits for a direction, and above them the 28 highest that a value uses.
fn bits(parts: u32) -> u32 {
    sixteenth(parts) | scattered(parts) & !15
}

/// Repeatable lattice points near the origin and far out.
fn cells(i: u64) -> [i64; 2] {
    let wide = |axis| (derive(i, axis) as i64) >> (14 + 20 * (i % 3));
    [wide(0), wide(1)]
}

#[test]
fn every_input_bit_changes_every_output_bit_half_the_time() {
    const SAMPLES: u32 = 20_000;
    for axis in 0..2 {
        for bit in 0..50 {
            let mut flips = [0; 32];
            for i in 0..SAMPLES {
                let key = PlaneKey::new(derive(i.into(), 99));
                let here = cells(i.into());
                let mut there = here;
                there[axis] ^= 1 << bit;
                count(&mut flips, bits(key.parts(here)) ^ bits(key.parts(there)));
            }
            // Five standard deviations of 20 000 coin flips.
            assert!(worst(&flips, SAMPLES) < 0.018, "axis {axis}, bit {bit}: {}", worst(&flips, SAMPLES));
        }
    }
}

#[test]
fn every_seed_bit_changes_every_output_bit_half_the_time() {
    const SAMPLES: u32 = 20_000;
    for bit in 0..64 {
        let mut flips = [0; 32];
        for i in 0..SAMPLES {
            let seed = mix(i.into());
            let (here, there) = (PlaneKey::new(seed), PlaneKey::new(seed ^ 1 << bit));
            let cells = cells(i.into());
            count(&mut flips, bits(here.parts(cells)) ^ bits(there.parts(cells)));
        }
        assert!(worst(&flips, SAMPLES) < 0.018, "{bit}: {}", worst(&flips, SAMPLES));
    }
}

#[test]
fn one_world_has_no_plaid() {
    // In one fixed world: single points, neighbours, and the four corners of rectangles, whose exclusive or
    // would be constant if the axes were combined by exclusive or alone.
    let side = 250i64;
    for (seed, origin) in [(1, [-100, 0]), (2, [123_456, 7]), (3, [1 << 40, -(1 << 33)])] {
        let key = PlaneKey::new(seed);
        for step in [1, 2, 16, 255, 4096] {
            let [mut plain, mut along, mut across, mut corners] = [[0; 32]; 4];
            for z in 0..side {
                for x in 0..side {
                    let at = |dx: i64, dz: i64| bits(key.parts([origin[0] + x + dx * step, origin[1] + z + dz * step]));
                    count(&mut plain, at(0, 0));
                    count(&mut along, at(0, 0) ^ at(1, 0));
                    count(&mut across, at(0, 0) ^ at(0, 1));
                    count(&mut corners, at(0, 0) ^ at(1, 0) ^ at(0, 1) ^ at(1, 1));
                }
            }
            for counts in [plain, along, across, corners] {
                // Five standard deviations of 62 500 coin flips.
                assert!(worst(&counts, (side * side) as u32) < 0.01, "{step} {seed} {}", worst(&counts, 62_500));
            }
        }
    }
}

/// Directions over a square of lattice points.
struct Field {
    side: usize,
    key: PlaneKey,
    origin: [i64; 2],
    all: Vec<u32>,
}

impl Field {
    fn new(world: u64, side: usize) -> Self {
        let origin = [[-250, -250], [123_456, 7], [0x8123_4567, -0x0100_0000]][world as usize % 3];
        let key = PlaneKey::new(world * 977 + 5);
        let mut field = Self { side, key, origin, all: Vec::new() };
        field.all = field.moved([0, 0]);
        field
    }

    fn moved(&self, by: [i64; 2]) -> Vec<u32> {
        let side = self.side as i64;
        let at = |i: i64| [self.origin[0] + by[0] + i % side, self.origin[1] + by[1] + i / side];
        (0..side * side).map(|i| sixteenth(self.key.parts(at(i)))).collect()
    }
}

/// By how many standard deviations counts that should be equal are not.
fn deviations(counts: &[u32]) -> f64 {
    let mean = counts.iter().map(|&count| f64::from(count)).sum::<f64>() / counts.len() as f64;
    let square: f64 = counts.iter().map(|&count| (f64::from(count) - mean).powi(2) / mean).sum();
    let degrees = (counts.len() - 1) as f64;
    (square - degrees) / (2.0 * degrees).sqrt()
}

fn direction(which: u32) -> [f64; 2] {
    let (z, x) = (11.25 + 22.5 * f64::from(which)).to_radians().sin_cos();
    [x, z]
}

/// Distances between lattice points: all small ones, and powers of two beyond.
fn lags() -> Vec<[i64; 2]> {
    let mut lags: Vec<_> = (0..=8).flat_map(|z| (-8..=8).map(move |x| [x, z])).collect();
    lags.retain(|&[x, z]| z > 0 || x > 0);
    for bit in 4..31 {
        let far = 1 << bit;
        lags.extend([[far, 0], [0, far], [far, far], [far, -far], [far + 1, 0], [1, far]]);
    }
    lags
}

#[test]
fn directions_are_evenly_spread_and_so_are_pairs_of_them() {
    for world in 0..3 {
        let field = Field::new(world, 256);
        let mut counts = [0; 16];
        field.all.iter().for_each(|&which| counts[which as usize] += 1);
        assert!(deviations(&counts) < 6.0, "{world}: {counts:?}");
        for lag in lags() {
            let mut pairs = [0; 256];
            let mut along = 0.0;
            for (&a, b) in field.all.iter().zip(field.moved(lag)) {
                pairs[(a * 16 + b) as usize] += 1;
                let [p, q] = [direction(a), direction(b)];
                along += p[0] * q[0] + p[1] * q[1];
            }
            // The product of two random directions has a variance of a half.
            let correlation = along / (field.all.len() as f64 / 2.0).sqrt();
            assert!(correlation.abs() < 5.5, "{world} {lag:?}: {correlation}");
            assert!(deviations(&pairs) < 6.0, "{world} {lag:?}: {}", deviations(&pairs));
        }
    }
}

#[test]
fn rectangles_have_no_pattern() {
    for world in 0..3 {
        let field = Field::new(world, 256);
        for x in [1, 2, 3, 16, 255, 4096] {
            for z in [1, 2, 5, 16, 255, 4096] {
                let [right, far, last] = [field.moved([x, 0]), field.moved([0, z]), field.moved([x, z])];
                let [mut sums, mut bits] = [[0; 16]; 2];
                for (i, &here) in field.all.iter().enumerate() {
                    sums[(here.wrapping_sub(right[i]).wrapping_sub(far[i]).wrapping_add(last[i]) & 15) as usize] += 1;
                    bits[(here ^ right[i] ^ far[i] ^ last[i]) as usize] += 1;
                }
                for counts in [sums, bits] {
                    assert!(deviations(&counts) < 6.5, "{world} {x} {z}: {}", deviations(&counts));
                }
            }
        }
    }
}

#[test]
fn lines_of_directions_add_up_as_random_ones_do() {
    for world in 0..3 {
        let field = Field::new(world, 512);
        let side = field.side;
        let mut sums = vec![[[0.0; 2]; 4]; side];
        for (i, &which) in field.all.iter().enumerate() {
            let (x, z, [dx, dz]) = (i % side, i / side, direction(which));
            for (line, at) in [x, z, (x + z) % side, (x + side - z) % side].into_iter().enumerate() {
                sums[at][line][0] += dx;
                sums[at][line][1] += dz;
            }
        }
        for line in 0..4 {
            let square: f64 = sums.iter().map(|sum| sum[line][0].powi(2) + sum[line][1].powi(2)).sum();
            let mean = square / (side * side) as f64;
            assert!((mean - 1.0).abs() * (side as f64).sqrt() < 5.0, "{world} {line}: {mean}");
        }
    }
}

#[test]
fn octaves_of_a_world_have_nothing_in_common() {
    let side = 256;
    let field = |octave: u64| {
        let key = PlaneKey::new(derive(7, octave));
        (0..side * side).map(move |i| sixteenth(key.parts([i % side, i / side]))).collect::<Vec<_>>()
    };
    let all: Vec<_> = (0..8).map(field).collect();
    for a in 0..8 {
        for b in 0..a {
            let mut pairs = [0; 256];
            for (&p, &q) in all[a].iter().zip(&all[b]) {
                pairs[(p * 16 + q) as usize] += 1;
            }
            assert!(deviations(&pairs) < 6.0, "{a} {b}: {}", deviations(&pairs));
        }
    }
}

#[test]
fn windows_have_nothing_in_common() {
    let side = 256i64;
    let key = PlaneKey::new(9);
    let field = |window: [i64; 2]| -> Vec<u32> {
        let at = |i: i64| [i % side + (window[0] << WINDOW), i / side + (window[1] << WINDOW)];
        (0..side * side).map(|i| sixteenth(key.parts(at(i)))).collect()
    };
    let here = field([0, 0]);
    for lag in [[1, 0], [0, 1], [-1, 0], [1, 1], [1, -1], [256, 0], [0, 1 << 20], [1 << 25, 1 << 25]] {
        let mut pairs = [0; 256];
        for (&a, b) in here.iter().zip(field(lag)) {
            pairs[(a * 16 + b) as usize] += 1;
        }
        assert!(deviations(&pairs) < 6.0, "{lag:?}: {}", deviations(&pairs));
    }
}

#[test]
fn corners_on_both_sides_of_a_border_have_their_own_windows() {
    let key = PlaneKey::new(4);
    for border in [1 << (WINDOW - 1), -(1 << (WINDOW - 1)), (5 << WINDOW) + (1 << (WINDOW - 1))] {
        for cell in [[border - 1, 3], [3, border - 1], [border - 1; 2], [border, border - 1]] {
            let [x, z] = cell;
            let expected = [[x, z], [x + 1, z], [x, z + 1], [x + 1, z + 1]].map(|cell| key.parts(cell));
            assert_eq!(key.corners(cell), expected, "{cell:?}");
        }
    }
}
