//! A piece of ground seen from above, on which things are laid.

use terrain_noise::ParkMiller;

use crate::colour::Colour;
use crate::plane::{Plane, SIDE, mix};

/// What is seen at a point.
#[derive(Clone, Copy)]
pub struct Texel {
    /// In metres.
    pub height: f32,
    /// Linear.
    pub albedo: Colour,
    /// Perceptual, 0 to 1.
    pub rough: f32,
}

/// A tile of ground.
pub struct Ground {
    /// Side of the tile.
    pub metres: f32,
    pub height: Plane,
    pub albedo: Vec<Colour>,
    pub rough: Plane,
}

impl Ground {
    /// Asks for every point by its index.
    pub fn new(metres: f32, texel: impl Fn(usize) -> Texel) -> Self {
        let texels: Vec<_> = (0..SIDE * SIDE).map(texel).collect();
        Self {
            metres,
            height: Plane(texels.iter().map(|texel| texel.height).collect()),
            albedo: texels.iter().map(|texel| texel.albedo).collect(),
            rough: Plane(texels.iter().map(|texel| texel.rough).collect()),
        }
    }

    /// Metres between points.
    pub fn spacing(&self) -> f32 {
        self.metres / SIDE as f32
    }

    /// The height at a place in metres.
    pub fn height_at(&self, [x, z]: [f32; 2]) -> f32 {
        self.height.look_up(x / self.metres, z / self.metres)
    }

    /// Lays something on the ground: `texel` is asked for every point up to `reach` from `centre`,
    /// by the index of the point and its offset from the centre in metres. The higher one is seen.
    pub fn lay(&mut self, centre: [f32; 2], reach: f32, texel: impl Fn(usize, [f32; 2]) -> Option<Texel>) {
        let spacing = self.spacing();
        let [from, to] = [-reach, reach].map(|reach| centre.map(|c| (c + reach) / spacing));
        for z in from[1].ceil() as i32..=to[1].floor() as i32 {
            for x in from[0].ceil() as i32..=to[0].floor() as i32 {
                let [column, row] = [x, z].map(|k| k.rem_euclid(SIDE as i32) as usize);
                let i = row * SIDE + column;
                let offset = [x as f32 * spacing - centre[0], z as f32 * spacing - centre[1]];
                if let Some(texel) = texel(i, offset).filter(|texel| texel.height > self.height.0[i]) {
                    self.height.0[i] = texel.height;
                    self.albedo[i] = texel.albedo;
                    self.rough.0[i] = texel.rough;
                }
            }
        }
    }

    /// Lays a thin thing along a line: `part` gives place, radius and look of each of `parts + 1`
    /// points of it, by the fraction of the way.
    pub fn draw(&mut self, parts: usize, part: impl Fn(f32) -> ([f32; 2], f32, Texel)) {
        for k in 0..=parts {
            let (centre, radius, texel) = part(k as f32 / parts as f32);
            // Thinner than the points are apart: still seen.
            let reach = radius.max(0.5 * self.spacing());
            self.lay(centre, reach, |_, [x, z]| {
                let across = (x * x + z * z) / (reach * reach);
                let round = radius * (1.0 - across.min(1.0)).sqrt();
                (across <= 1.0).then_some(Texel { height: texel.height + round, ..texel })
            });
        }
    }

    /// Makes the mean brightness of wide parts (more than `radius` points) the same everywhere, and
    /// the mean height too.
    pub fn even(&mut self, radius: f32) {
        self.height = self.height.levelled(radius);
        let bright = Plane(self.albedo.iter().map(|[r, g, b]| 0.3 * r + 0.6 * g + 0.1 * b).collect());
        let mean = bright.mean();
        for (colour, wide) in self.albedo.iter_mut().zip(bright.blurred(radius).0) {
            *colour = colour.map(|c| c * mean / wide.max(1e-3));
        }
    }

    /// Scales the colours so that their mean is this.
    pub fn tint(&mut self, mean: Colour) {
        let present = self.mean();
        for colour in &mut self.albedo {
            *colour = std::array::from_fn(|c| colour[c] * mean[c] / present[c]);
        }
    }

    /// The mean colour.
    pub fn mean(&self) -> Colour {
        let sum = |c| self.albedo.iter().map(|colour| f64::from(colour[c])).sum::<f64>();
        std::array::from_fn(|c| (sum(c) / self.albedo.len() as f64) as f32)
    }
}

/// Random numbers: the core's minimal standard generator.
pub struct Dice(ParkMiller);

impl Dice {
    pub fn new(seed: u64) -> Self {
        let mut generator = ParkMiller::new(seed);
        // The first number of a small seed is small.
        generator.next_number();
        Self(generator)
    }

    /// Between two numbers.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        mix(low, high, self.0.next_number() as f32)
    }

    /// -1 to 1, mostly in the middle.
    pub fn bell(&mut self) -> f32 {
        (self.between(-1.0, 1.0) + self.between(-1.0, 1.0) + self.between(-1.0, 1.0)) / 3.0
    }

    /// A direction: its cosine and sine.
    pub fn direction(&mut self) -> [f32; 2] {
        direction(self.between(0.0, std::f32::consts::TAU))
    }

    /// `count²` places on a tile, one in each square of a grid: random, but nowhere crowded.
    pub fn places(&mut self, count: usize, metres: f32) -> Vec<[f32; 2]> {
        let step = metres / count as f32;
        let mut places: Vec<_> = (0..count * count)
            .map(|i| [i % count, i / count].map(|k| (k as f32 + self.between(0.0, 1.0)) * step))
            .collect();
        for last in (1..places.len()).rev() {
            places.swap(last, (self.between(0.0, last as f32 + 1.0) as usize).min(last));
        }
        places
    }
}

/// Cosine and sine.
pub fn direction(radians: f32) -> [f32; 2] {
    [libm::cosf(radians), libm::sinf(radians)]
}
