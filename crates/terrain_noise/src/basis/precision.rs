//! Far from the origin every basis agrees with its own formula in exact integers and 64 bits.
//!
//! Positions are whole metres, so that the cell and the fraction in it are an integer quotient and
//! remainder, exact at any distance. What remains is the rounding of 32-bit numbers, as at the
//! origin, and that of the one product that converts metres to cells.

use super::cellular::CellOutput;
use super::directions::Directions;
use super::value::INSIDE;
use super::{Basis, Octave, perlin};
use crate::interpolation::{Cubic, Fade};
use crate::lattice::plane::{PlaneKey, scattered, sixteenth};
use crate::lattice::{Key, Lattice, Permutation, Source, mix, unit};

const SEED: u64 = 5;

type Cells = [i64; 2];
type Fraction = [f64; 2];

fn quintic(t: f64) -> f64 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

/// The sum over the corners of a cell, each weighted by the product of its faded distances.
fn over_corners(fraction: Fraction, corner: impl Fn(Cells, Fraction) -> f64) -> f64 {
    let mut sum = 0.0;
    for step in [[0, 0], [1, 0], [0, 1], [1, 1]] {
        let weight = |axis: usize| {
            let far = quintic(fraction[axis]);
            if step[axis] == 1 { far } else { 1.0 - far }
        };
        let offset = [fraction[0] - step[0] as f64, fraction[1] - step[1] as f64];
        sum += weight(0) * weight(1) * corner(step, offset);
    }
    sum
}

fn moved(cells: Cells, step: Cells) -> Cells {
    [cells[0] + step[0], cells[1] + step[1]]
}

fn plane_value(key: &PlaneKey, cells: Cells, step: Cells) -> f64 {
    f64::from(unit(scattered(key.parts(moved(cells, step))))) * f64::from(INSIDE)
}

fn value(key: &Key, cells: Cells, step: Cells) -> f64 {
    f64::from(unit(key.hash([cells[0] + step[0], cells[1] + step[1]]))) * f64::from(INSIDE)
}

fn smoothed(key: &Key, cells: Cells, step: Cells) -> f64 {
    let mut sum = 0.0;
    for i in -1..=1 {
        for j in -1..=1 {
            let part = |step: i64| if step == 0 { 0.5 } else { 0.25 };
            sum += part(i) * part(j) * value(key, cells, [step[0] + i, step[1] + j]);
        }
    }
    sum
}

fn slope(all: &Directions, key: &PlaneKey, cells: Cells, step: Cells, offset: Fraction) -> f64 {
    let [x, z] = all.get(sixteenth(key.parts(moved(cells, step))));
    f64::from(x) * offset[0] + f64::from(z) * offset[1]
}

fn catmull_rom(key: &Key, cells: Cells, fraction: Fraction) -> f64 {
    let through = |y: [f64; 4], t: f64| {
        let a3 = (-y[0] + 3.0 * y[1] - 3.0 * y[2] + y[3]) / 2.0;
        let a2 = y[0] - 2.5 * y[1] + 2.0 * y[2] - y[3] / 2.0;
        ((a3 * t + a2) * t + (y[2] - y[0]) / 2.0) * t + y[1]
    };
    let row = |j: i64| through([-1, 0, 1, 2].map(|i| value(key, cells, [i, j])), fraction[0]);
    through([-1, 0, 1, 2].map(row), fraction[1]) / (1.25 * 1.25)
}

fn classic(table: &Permutation, cells: Cells, fraction: Fraction) -> f64 {
    over_corners(fraction, |step, offset| {
        let hash = table.look_up(&[(cells[0] + step[0]).rem_euclid(256), (cells[1] + step[1]).rem_euclid(256)]);
        (0..2).map(|axis| if hash >> axis & 1 == 1 { -offset[axis] } else { offset[axis] }).sum()
    })
}

/// Simplex noise from whole metres: the irrational skew as a whole number of 2^-60.
fn simplex(key: &PlaneKey, metres: Cells, size: i64) -> f64 {
    const ONE: i128 = 1 << 60;
    let skew = ((3u128 << 120).isqrt() as i128 - ONE) / 2;
    let unit_length = i128::from(size) * ONE;
    let skewed = metres.map(|m| i128::from(m) * ONE + i128::from(metres[0] + metres[1]) * skew);
    let cells = skewed.map(|place| place.div_euclid(unit_length) as i64);
    let f = skewed.map(|place| place.rem_euclid(unit_length) as f64 / unit_length as f64);
    let unskew = (3.0 - 3.0f64.sqrt()) / 6.0;
    let middle = if f[1] > f[0] { [0, 1] } else { [1, 0] };
    let mut sum = 0.0;
    for step in [[0, 0], middle, [1, 1]] {
        let d = [f[0] - step[0] as f64, f[1] - step[1] as f64];
        let back = (d[0] + d[1]) * unskew;
        let offset = [d[0] - back, d[1] - back];
        let t = (0.5 - offset[0] * offset[0] - offset[1] * offset[1]).max(0.0);
        sum += t.powi(4) * slope(&super::simplex::DIRECTIONS, key, cells, step, offset);
    }
    sum
}

/// The distances to the nearest two points, and by how much the value of the cell could be in doubt.
fn distances(key: &Key, cells: Cells, fraction: Fraction) -> ([f64; 2], u32) {
    let mut all = Vec::new();
    for i in -3..=3 {
        for j in -3..=3 {
            let hash = key.hash([cells[0] + i, cells[1] + j]);
            let place = mix(u64::from(hash) | 1 << 40);
            let point = [0, 21].map(|shift| (place >> shift & 0x1F_FFFF) as f64 / 2_097_152.0);
            let offset = [fraction[0] - i as f64 - point[0], fraction[1] - j as f64 - point[1]];
            all.push((offset[0].hypot(offset[1]), hash));
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    ([all[0].0, all[1].0], all[0].1)
}

/// What a basis gives at whole metres, or nothing where rounding decides.
fn precise(basis: Basis, metres: Cells, size: i64) -> Option<f64> {
    let (key, plane) = (Key::new(SEED), PlaneKey::new(SEED));
    let cells = metres.map(|m| m.div_euclid(size));
    let fraction = metres.map(|m| m.rem_euclid(size) as f64 / size as f64);
    Some(match basis {
        Basis::Value { .. } => over_corners(fraction, |step, _| plane_value(&plane, cells, step)),
        Basis::SmoothedValue { .. } => over_corners(fraction, |step, _| smoothed(&key, cells, step)),
        Basis::CubicValue { .. } => catmull_rom(&key, cells, fraction),
        Basis::Perlin { .. } => {
            over_corners(fraction, |step, offset| slope(&perlin::DIRECTIONS, &plane, cells, step, offset))
        }
        Basis::ClassicPerlin => classic(&Permutation::classic(SEED), cells, fraction),
        Basis::Simplex => simplex(&plane, metres, size),
        Basis::Cellular { output, .. } => {
            let ([first, second], hash) = distances(&key, cells, fraction);
            match output {
                CellOutput::F1 => first / 2.0f64.sqrt() * 2.0 - 1.0,
                CellOutput::F2 => second / 2.5f64.sqrt() * 2.0 - 1.0,
                CellOutput::F2MinusF1 => (second - first) / 2.5f64.sqrt() * 2.0 - 1.0,
                CellOutput::CellValue if second - first < 1e-4 => return None,
                CellOutput::CellValue => f64::from(unit(hash)),
            }
        }
    })
}

#[test]
fn every_basis_agrees_with_exact_arithmetic_however_far_out() {
    let (fade, lattice) = (Fade::Quintic, Lattice::Hashed);
    let mut bases = vec![
        Basis::Value { fade, lattice },
        Basis::SmoothedValue { fade, lattice },
        Basis::CubicValue { cubic: Cubic::CatmullRom, lattice },
        Basis::Perlin { fade, lattice },
        Basis::ClassicPerlin,
        Basis::Simplex,
    ];
    for output in [CellOutput::F1, CellOutput::F2, CellOutput::F2MinusF1, CellOutput::CellValue] {
        bases.push(Basis::Cellular { output, jitter: 1.0 });
    }
    for basis in bases {
        for size in [1800, 47] {
            let octave = Octave::new(basis, SEED, 1.0 / size as f64, 1.0, [0; 3]);
            for origin in [0, 1_000_000_000, -1_000_000_000, 1_000_000_000_000, -1_000_000_000_000i64] {
                let mut worst = 0.0f64;
                let mut compared = 0;
                for i in 0..3000 {
                    let metres = [origin + i * 7, i * 13 - origin / 3];
                    let Some(expected) = precise(basis, metres, size) else { continue };
                    let found = octave.at(basis, metres.map(|m| m as f64)).value;
                    worst = worst.max((f64::from(found) - expected).abs());
                    compared += 1;
                }
                // A dozen roundings of 32-bit numbers, and some of the coordinate's last place.
                let allowed = 4e-6 + 8.0 * f64::EPSILON * (origin / size).abs() as f64;
                assert!(compared > 2900 && worst < allowed, "{basis:?}, {size} m, {origin}: {worst} {allowed}");
            }
        }
    }
}
