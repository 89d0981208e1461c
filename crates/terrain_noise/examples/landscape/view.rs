//! A view over the land: rays marched over the height field, with shadows, haze and sea.

use terrain_noise::prelude::*;

use crate::Options;
use crate::paint::{Colour, SUN, ground, lit, mix, pixel, sky};

/// Half of the view's height, as a tangent.
const ZOOM: f32 = 0.36;
/// The range of view, in metres.
const FAR: f32 = 60_000.0;

/// Square height maps about the eye, each twice as wide as the one before.
struct Rings<'a> {
    land: &'a Sampler,
    middle: [f64; 2],
    rings: Vec<Vec<f32>>,
}

const SIDE: usize = 641;
/// Spacing of the innermost ring, in metres.
const FINEST: f64 = 1.0;

impl<'a> Rings<'a> {
    fn new(land: &'a Sampler, middle: [f64; 2]) -> Self {
        let mut scratch = Scratch::default();
        let rings = (0..8)
            .map(|level| {
                let spacing = FINEST * f64::from(1 << level);
                let start = middle.map(|metres| (metres / spacing).round() as i64 - SIDE as i64 / 2);
                let mut heights = vec![0.0; SIDE * SIDE];
                land.fill(&Grid::new(start, spacing, [SIDE, SIDE]), &mut scratch, &mut heights);
                heights
            })
            .collect();
        Self { land, middle, rings }
    }

    /// The height beside the eye, from the finest ring whose samples are apart by `size` or that holds it.
    fn height(&self, x: f32, z: f32, size: f32) -> f32 {
        let reach = x.abs().max(z.abs());
        let mut level = (size / FINEST as f32).max(1.0).log2() as usize;
        while level + 1 < self.rings.len() && reach > (SIDE / 2 - 2) as f32 * FINEST as f32 * (1 << level) as f32 {
            level += 1;
        }
        let level = level.min(self.rings.len() - 1);
        let spacing = FINEST * f64::from(1 << level);
        let place = |offset: f32, middle: f64| {
            let start = (middle / spacing).round() - (SIDE / 2) as f64;
            (((f64::from(offset) + middle) / spacing) - start).clamp(0.0, (SIDE - 2) as f64)
        };
        let (u, v) = (place(x, self.middle[0]), place(z, self.middle[1]));
        let (i, j) = (u as usize, v as usize);
        let (fu, fv) = ((u - i as f64) as f32, (v - j as f64) as f32);
        let ring = &self.rings[level];
        let at = |i: usize, j: usize| ring[j * SIDE + i];
        let near = at(i, j) + (at(i + 1, j) - at(i, j)) * fu;
        let far = at(i, j + 1) + (at(i + 1, j + 1) - at(i, j + 1)) * fu;
        near + (far - near) * fv
    }

    fn normal(&self, x: f32, z: f32, size: f32) -> [f32; 3] {
        let h = size.max(FINEST as f32);
        let at = |dx: f32, dz: f32| self.height(x + dx, z + dz, size);
        let slope = [(at(h, 0.0) - at(-h, 0.0)) / (2.0 * h), (at(0.0, h) - at(0.0, -h)) / (2.0 * h)];
        let length = (1.0 + slope[0] * slope[0] + slope[1] * slope[1]).sqrt();
        [-slope[0] / length, 1.0 / length, -slope[1] / length]
    }

    /// The visible part of the sun, 0 to 1.
    fn sun(&self, x: f32, y: f32, z: f32, size: f32, top: f32) -> f32 {
        let (mut t, mut seen) = (3.0 * size + 1.0, 1.0f32);
        while t < 12_000.0 && y + SUN[1] * t < top {
            let over = y + SUN[1] * t - self.height(x + SUN[0] * t, z + SUN[2] * t, (t * 0.01).max(size));
            seen = seen.min(0.5 + over / (0.03 * t));
            if seen <= 0.0 {
                return 0.0;
            }
            t *= 1.06;
            t += size * 0.5;
        }
        seen.clamp(0.0, 1.0)
    }
}

pub fn paint(land: &Sampler, options: &Options, [width, height]: [usize; 2]) -> Vec<[u8; 3]> {
    let [ex, ez, above] = options.eye;
    let rings = Rings::new(land, [ex, ez]);
    let widest = &rings.rings[rings.rings.len() - 1];
    let (low, top) = widest.iter().fold((f32::MAX, f32::MIN), |(low, top), &h| (low.min(h), top.max(h)));
    let eye = rings.land.sample([ex, ez]).max(0.0) + above as f32;
    let scene = Scene { rings, eye, coast: low < -1.0, top, tint: options.tint };
    let (yaw, pitch) = ((options.yaw as f32).to_radians(), (options.pitch as f32).to_radians());
    let mut pixels = vec![[0; 3]; width * height];
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for (band, rows) in pixels.chunks_mut(width * height.div_ceil(threads)).enumerate() {
            let scene = &scene;
            scope.spawn(move || {
                for (i, out) in rows.iter_mut().enumerate() {
                    let (px, py) = (i % width, i / width + band * height.div_ceil(threads));
                    let u = (px as f32 + 0.5 - 0.5 * width as f32) / (0.5 * height as f32) * ZOOM;
                    let v = (0.5 * height as f32 - py as f32 - 0.5) / (0.5 * height as f32) * ZOOM;
                    let (y, forward) = (v * pitch.cos() + pitch.sin(), pitch.cos() - v * pitch.sin());
                    let (x, z) = (forward * yaw.cos() - u * yaw.sin(), forward * yaw.sin() + u * yaw.cos());
                    let length = (x * x + y * y + z * z).sqrt();
                    *out = pixel(scene.colour([x / length, y / length, z / length], ZOOM / height as f32 * 2.0));
                }
            });
        }
    });
    pixels
}

struct Scene<'a> {
    rings: Rings<'a>,
    eye: f32,
    coast: bool,
    top: f32,
    tint: Option<Colour>,
}

impl Scene<'_> {
    /// The colour that a ray meets; a pixel is `angle` wide.
    fn colour(&self, direction: [f32; 3], angle: f32) -> Colour {
        let [dx, dy, dz] = direction;
        let (mut t, mut before) = (0.5f32, 0.0f32);
        let mut gap_before = f32::MAX;
        while t < FAR {
            let y = self.eye + dy * t;
            if dy > 0.0 && y > self.top {
                break;
            }
            let size = t * angle;
            let ground = self.rings.height(dx * t, dz * t, size).max(0.0);
            let gap = y - ground;
            if gap < 0.0 {
                // Between the last two steps, as on a line.
                let hit =
                    if gap_before < f32::MAX { before + (t - before) * gap_before / (gap_before - gap) } else { t };
                return self.surface(direction, hit, hit * angle);
            }
            (before, gap_before) = (t, gap);
            t += (gap * 0.3).max(size * 0.8).max(0.1);
        }
        sky(direction)
    }

    fn surface(&self, direction: [f32; 3], t: f32, size: f32) -> Colour {
        let [dx, dy, dz] = direction;
        let (x, z) = (dx * t, dz * t);
        let height = self.rings.height(x, z, size);
        let here = if height < 0.0 {
            let shine = (1.0 + dy).clamp(0.0, 1.0).powi(5);
            let mirrored = sky([dx, -dy, dz]);
            let water = lit(ground(height, self.coast, 1.0, true, None), [0.0, 1.0, 0.0], 1.0);
            mix(water, mirrored, 0.05 + 0.75 * shine)
        } else {
            let normal = self.rings.normal(x, z, size);
            // From a little off the ground, as far rings are coarse.
            let off = normal.map(|n| 3.0 * size * n);
            let sun = self.rings.sun(x + off[0], height + off[1] + size, z + off[2], size, self.top);
            lit(ground(height, self.coast, normal[1], false, self.tint), normal, sun)
        };
        // Haze thins out with height.
        let mean = 0.5 * (height.max(0.0) + self.eye);
        let air = 1.0 - (-t / 26_000.0 * (-mean / 2500.0).exp()).exp();
        mix(here, sky([dx, 0.04, dz]), air)
    }
}
