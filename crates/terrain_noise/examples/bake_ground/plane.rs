//! A square of numbers that repeats in both directions, and what can be done with one.

use terrain_noise::Single;
use terrain_noise::prelude::*;

/// Points along the side of a plane. Files have half as many: every pixel is the mean of four.
pub const SIDE: usize = 1024;

/// `SIDE` × `SIDE` numbers, row by row. Beyond an edge the opposite edge follows.
#[derive(Clone)]
pub struct Plane(pub Vec<f32>);

/// A noise that repeats after one tile, whose side is 1: `shape` gets a basis with `[columns, rows]`
/// cells to the tile.
pub fn tile(basis: Single, [columns, rows]: [u32; 2], shape: impl FnOnce(Single) -> Noise) -> Noise {
    shape(basis.feature_size(1.0).period(columns, rows)).stretch(1.0 / f64::from(columns), 1.0 / f64::from(rows))
}

/// `octaves` of fractal Brownian motion with so many cells to the tile.
pub fn fbm(cells: u32, octaves: u32) -> Noise {
    tile(perlin(), [cells; 2], |basis| basis.fbm().octaves(octaves).into())
}

impl Plane {
    /// The same everywhere.
    pub fn of(value: f32) -> Self {
        Self(vec![value; SIDE * SIDE])
    }

    /// Asks for every point, in tiles.
    pub fn ask(mut value: impl FnMut([f64; 2]) -> f32) -> Self {
        let at = |k: usize| k as f64 / SIDE as f64;
        Self((0..SIDE * SIDE).map(|i| value([at(i % SIDE), at(i / SIDE)])).collect())
    }

    /// A noise that repeats after one tile.
    pub fn noise(noise: &Noise, seed: u64) -> Result<Self, NoiseError> {
        let grid = Grid::new([0, 0], 1.0 / SIDE as f64, [SIDE; 2]);
        let mut plane = Self::of(0.0);
        noise.build(seed)?.fill(&grid, &mut Scratch::default(), &mut plane.0);
        Ok(plane)
    }

    pub fn map(&self, f: impl FnMut(f32) -> f32) -> Self {
        Self(self.0.iter().copied().map(f).collect())
    }

    pub fn zip(&self, other: &Self, mut f: impl FnMut(f32, f32) -> f32) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(&a, &b)| f(a, b)).collect())
    }

    /// The number at a column and a row.
    pub fn at(&self, x: i32, z: i32) -> f32 {
        let wrapped = |k: i32| k.rem_euclid(SIDE as i32) as usize;
        self.0[wrapped(z) * SIDE + wrapped(x)]
    }

    /// The number between points, in tiles.
    pub fn look_up(&self, x: f32, z: f32) -> f32 {
        let [x, z] = [x, z].map(|k| k * SIDE as f32);
        let [x0, z0] = [x.floor(), z.floor()];
        let ([fx, fz], [x0, z0]) = ([x - x0, z - z0], [x0 as i32, z0 as i32]);
        let row = |z| mix(self.at(x0, z), self.at(x0 + 1, z), fx);
        mix(row(z0), row(z0 + 1), fz)
    }

    /// Every point looked up elsewhere: displaced by two planes, in tiles.
    pub fn warped(&self, dx: &Self, dz: &Self, amount: f32) -> Self {
        let at = |k: usize| k as f32 / SIDE as f32;
        let value = |i: usize| self.look_up(at(i % SIDE) + amount * dx.0[i], at(i / SIDE) + amount * dz.0[i]);
        Self((0..SIDE * SIDE).map(value).collect())
    }

    /// Drawn out along a direction, `length` tiles to either side: what was round becomes long.
    pub fn drawn_out(&self, [dx, dz]: [f32; 2], length: f32) -> Self {
        const STEPS: i32 = 24;
        let at = |k: usize| k as f32 / SIDE as f32;
        let value = |i: usize| {
            let (mut sum, mut weights) = (0.0, 0.0);
            for step in -STEPS..=STEPS {
                let t = step as f32 / (STEPS + 1) as f32;
                let weight = (1.0 - t * t) * (1.0 - t * t);
                sum += weight * self.look_up(at(i % SIDE) + t * length * dx, at(i / SIDE) + t * length * dz);
                weights += weight;
            }
            sum / weights
        };
        Self((0..SIDE * SIDE).map(value).collect())
    }

    /// Blurred as by a Gaussian of the standard deviation `radius`, in points: three means in turn.
    pub fn blurred(&self, radius: f32) -> Self {
        self.blurred_along(radius, radius)
    }

    /// Blurred by so much along x and so much along z.
    pub fn blurred_along(&self, x: f32, z: f32) -> Self {
        let mut plane = self.clone();
        for (radius, step, line) in [(x, 1, SIDE), (z, SIDE, 1)] {
            // Three boxes of width w have the variance (w² − 1) / 4.
            let half = ((4.0 * radius * radius + 1.0).sqrt() * 0.5 - 0.5).round() as i32;
            if half < 1 {
                continue;
            }
            for start in 0..SIDE {
                for _ in 0..3 {
                    plane.mean_line(start * line, step, half);
                }
            }
        }
        plane
    }

    /// One line of points, each replaced by the mean of the points up to `half` away.
    fn mean_line(&mut self, start: usize, step: usize, half: i32) {
        let line: Vec<f64> = (0..SIDE).map(|i| f64::from(self.0[start + i * step])).collect();
        let at = |i: i32| line[i.rem_euclid(SIDE as i32) as usize];
        let mut sum: f64 = (-half..=half).map(at).sum();
        for i in 0..SIDE as i32 {
            self.0[start + i as usize * step] = (sum / f64::from(2 * half + 1)) as f32;
            sum += at(i + half + 1) - at(i - half);
        }
    }

    /// What stands out of the surroundings: without whatever is wider than `radius` points.
    pub fn levelled(&self, radius: f32) -> Self {
        self.zip(&self.blurred(radius), |a, wide| a - wide)
    }

    /// Levelled, and then as rough here as there.
    pub fn evened(&self, radius: f32) -> Self {
        let level = self.levelled(radius);
        let power = level.map(|a| a * a).blurred(radius);
        let mean = power.mean();
        level.zip(&power, |a, p| a * (mean / p.max(0.1 * mean)).sqrt())
    }

    pub fn mean(&self) -> f32 {
        (self.0.iter().map(|&a| f64::from(a)).sum::<f64>() / self.0.len() as f64) as f32
    }

    /// Stretched so that all but the outermost `cut` on either side lie in 0 ..= 1; these are cut.
    /// And what was 0 and 1.
    pub fn stretched(&self, cut: f32) -> (Self, [f32; 2]) {
        let mut sorted = self.0.clone();
        sorted.sort_unstable_by(f32::total_cmp);
        let skip = (cut * sorted.len() as f32) as usize;
        let (low, high) = (sorted[skip], sorted[sorted.len() - 1 - skip]);
        let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
        (self.map(|a| ((a - low) * scale).clamp(0.0, 1.0)), [low, high])
    }

    /// Each number's place among all numbers, 0 to 1: any histogram becomes flat.
    pub fn ranked(&self) -> Self {
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        order.sort_by(|&a, &b| self.0[a].total_cmp(&self.0[b]));
        let mut plane = Self::of(0.0);
        for (rank, i) in order.into_iter().enumerate() {
            plane.0[i] = rank as f32 / (SIDE * SIDE - 1) as f32;
        }
        plane
    }
}

/// `a` at 0, `b` at 1.
pub fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

/// 0 below `low`, 1 above `high`, smooth between.
pub fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
