//! The density of a volume over its land.

use terrain_noise::{Sampler, Scratch};

use super::prepared::{Effect, Field, Form, Prepared, from_line};
use super::volume::TerrainVolume;
use crate::edits::Rect;

/// Within how many times the distance of samples a shape may still move the surface of what was there before it.
const NEAR: f64 = 4.0;
/// Where noises meet other surfaces, edges are rounded over as many times the distance of samples: rock that is thinner than
/// they are apart would be shown as crumbs.
const ROUNDING: f64 = 2.0;

/// A volume on land with vertices some distance apart, as samples some distance apart can show it.
#[derive(Clone, Copy)]
pub(crate) struct Density<'a> {
    volume: &'a Prepared,
    rect: Rect,
    footprint: f64,
}

/// A point, and the land over or under it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LandPoint {
    /// Absolute position.
    pub at: [f64; 3],
    /// Height of the land there.
    pub height: f64,
    /// How the land rises along x and z.
    pub slope: [f64; 2],
}

/// How much of its shapes a volume has at a place, from 0 to 1, and how that changes along x, y and z.
#[derive(Clone, Copy)]
struct Window {
    share: f64,
    gradient: [f64; 3],
}

impl<'a> Density<'a> {
    /// Of samples `footprint` metres apart, on land with vertices `spacing` metres apart.
    pub fn new(volume: &'a Prepared, spacing: f64, footprint: f64) -> Self {
        Self { volume, rect: volume.rect(spacing), footprint }
    }

    /// The box, seen from above.
    pub fn rect(&self) -> &Rect {
        &self.rect
    }

    /// Where the surface may be, above and below land at a height.
    pub fn span(&self, height: f64) -> [f64; 2] {
        let is_raised = self.volume.fields.iter().any(|field| field.effect != Effect::Carve);
        let is_lowered = self.volume.fields.iter().any(|field| field.effect != Effect::Fill);
        let below = if is_lowered { self.volume.volume.depth } else { 0.0 };
        let above = if is_raised { self.volume.volume.height } else { 0.0 };
        [height - below, height + above]
    }

    /// Metres of rock over or under points: above 0 in rock.
    pub fn values(&self, sites: &[LandPoint], scratch: &mut Scratch) -> Vec<f64> {
        let windows: Vec<_> = sites.iter().map(|site| self.window(site)).collect();
        let mut values: Vec<_> = sites.iter().zip(&windows).map(|(site, window)| land(site, window.share).0).collect();
        for field in self.volume.fields.iter() {
            let rounding = self.rounding(field);
            let near: Vec<usize> =
                (0..sites.len()).filter(|&i| windows[i].share > 0.0 && self.is_near(field.effect, values[i])).collect();
            let points: Vec<_> = near.iter().map(|&i| sites[i].at).collect();
            for (&i, value) in near.iter().zip(field.values(&points, self.footprint, scratch)) {
                let share = windows[i].share;
                let faded = || faded(value, share, field.greatest);
                values[i] = match field.effect {
                    Effect::Displace => values[i] + share * value,
                    Effect::Fill => -rounded_min(-values[i], -faded(), rounding).0,
                    Effect::Carve => rounded_min(values[i], -faded(), rounding).0,
                };
            }
        }
        values
    }

    /// Unit normals out of the rock at points near the surface.
    pub fn normals(&self, sites: &[LandPoint], scratch: &mut Scratch) -> Vec<[f32; 3]> {
        let points: Vec<_> = sites.iter().map(|site| site.at).collect();
        let windows: Vec<_> = sites.iter().map(|site| self.window(site)).collect();
        let land = sites.iter().zip(&windows).map(|(site, window)| land(site, window.share));
        let (mut values, mut gradients): (Vec<_>, Vec<_>) = land.unzip();
        for field in self.volume.fields.iter() {
            let rounding = self.rounding(field);
            let jets = field.jets(&points, self.footprint, scratch);
            for (i, (value, gradient)) in jets.into_iter().enumerate() {
                let Window { share, gradient: fades } = windows[i];
                if share <= 0.0 {
                    continue;
                }
                if field.effect == Effect::Displace {
                    values[i] += share * value;
                    gradients[i] = each(|axis| gradients[i][axis] + share * gradient[axis] + value * fades[axis]);
                    continue;
                }
                let deep = faded(value, share, field.greatest);
                let steep = depth_of_fade(field.greatest) / (share * share);
                // How it changes the rock, and its part of the surface.
                let sign = if field.effect == Effect::Fill { -1.0 } else { 1.0 };
                let (value, part) = rounded_min(sign * values[i], -deep, rounding);
                values[i] = sign * value;
                let own = each(|axis| -sign * (gradient[axis] + steep * fades[axis]));
                gradients[i] = each(|axis| gradients[i][axis] + part * (own[axis] - gradients[i][axis]));
            }
        }
        let unit = |[x, y, z]: [f64; 3]| {
            let length = (x * x + y * y + z * z).sqrt();
            if length.is_finite() && length > 0.0 {
                [x, y, z].map(|part| (-part / length) as f32)
            } else {
                [0.0, 1.0, 0.0]
            }
        };
        gradients.into_iter().map(unit).collect()
    }

    /// Metres over which edges are rounded where a shape meets others. What hands dig and build is as large as they want it.
    fn rounding(&self, field: &Field) -> f64 {
        match field.form {
            Form::Noise(_) => ROUNDING * self.footprint,
            Form::Capsule { .. } => 0.0,
        }
    }

    /// Whether a shape may matter where there are `value` metres of rock, or of air.
    fn is_near(&self, effect: Effect, value: f64) -> bool {
        match effect {
            Effect::Displace => true,
            Effect::Carve => value > -NEAR * self.footprint,
            Effect::Fill => value < NEAR * self.footprint,
        }
    }

    fn window(&self, site: &LandPoint) -> Window {
        let TerrainVolume { depth, height, falloff, .. } = *self.volume.volume;
        let [x, y, z] = site.at;
        let [dx, dz] = site.slope;
        let sides = [
            (x - self.rect.min[0], [1.0, 0.0, 0.0]),
            (self.rect.max[0] - x, [-1.0, 0.0, 0.0]),
            (z - self.rect.min[1], [0.0, 0.0, 1.0]),
            (self.rect.max[1] - z, [0.0, 0.0, -1.0]),
            (y - site.height + depth, [-dx, 1.0, -dz]),
            (site.height + height - y, [dx, -1.0, dz]),
        ];
        let (within, way) = sides.into_iter().fold((f64::INFINITY, [0.0; 3]), |a, b| if b.0 < a.0 { b } else { a });
        let part = (within / falloff).clamp(0.0, 1.0);
        let rise = 6.0 * part * (1.0 - part) / falloff;
        Window { share: part * part * (3.0 - 2.0 * part), gradient: way.map(|way| rise * way) }
    }
}

/// The density of the land, and how it changes along x, y and z. At the sides of the box it is the height over the point, and
/// within the distance to the slope, so that it is as steep as shapes are.
fn land(site: &LandPoint, share: f64) -> (f64, [f64; 3]) {
    let [dx, dz] = site.slope;
    let part = 1.0 + share * (1.0 / (1.0 + dx * dx + dz * dz).sqrt() - 1.0);
    (part * (site.height - site.at[1]), [part * dx, -part, part * dz])
}

/// The lesser of two numbers, and less where they differ by less than `rounding`: a smooth minimum (Quilez, "smooth minimum",
/// 2013). Also the part of the second, from 0 to 1.
fn rounded_min(a: f64, b: f64, rounding: f64) -> (f64, f64) {
    let near = if rounding > 0.0 { (1.0 - (a - b).abs() / rounding).max(0.0) } else { 0.0 };
    let part = if a < b { 0.5 * near } else { 1.0 - 0.5 * near };
    (a.min(b) - 0.25 * rounding * near * near, part)
}

fn each(part: impl FnMut(usize) -> f64) -> [f64; 3] {
    [0, 1, 2].map(part)
}

/// How much a shape has lost where half of it is left.
fn depth_of_fade(greatest: f64) -> f64 {
    greatest.max(1.0)
}

/// What is left of a shape: nothing where the share is 0.
fn faded(value: f64, share: f64, greatest: f64) -> f64 {
    value - depth_of_fade(greatest) * (1.0 - share) / share
}

impl Field {
    fn values(&self, points: &[[f64; 3]], footprint: f64, scratch: &mut Scratch) -> Vec<f64> {
        match &self.form {
            Form::Noise(noise) => {
                let mut values = vec![0.0; points.len()];
                noise.fill_points_3d(points, footprint, scratch, &mut values);
                values.into_iter().map(f64::from).collect()
            }
            Form::Capsule { from, to, radius } => {
                points.iter().map(|&at| radius - from_line(at, *from, *to).0).collect()
            }
        }
    }

    /// Values and their slopes along x, y and z.
    fn jets(&self, points: &[[f64; 3]], footprint: f64, scratch: &mut Scratch) -> Vec<(f64, [f64; 3])> {
        match &self.form {
            Form::Noise(noise) => noise_jets(noise, points, footprint, scratch),
            Form::Capsule { from, to, radius } => {
                let jet = |&at: &[f64; 3]| {
                    let (distance, way) = from_line(at, *from, *to);
                    (radius - distance, way.map(|way| if distance > 0.0 { -way / distance } else { 0.0 }))
                };
                points.iter().map(jet).collect()
            }
        }
    }
}

fn noise_jets(noise: &Sampler, points: &[[f64; 3]], footprint: f64, scratch: &mut Scratch) -> Vec<(f64, [f64; 3])> {
    let slots = || vec![0.0; points.len()];
    let (mut values, mut dx, mut dy, mut dz) = (slots(), slots(), slots(), slots());
    noise.fill_points_3d_with_gradient(points, footprint, scratch, &mut values, &mut dx, &mut dy, &mut dz);
    (0..points.len()).map(|i| (f64::from(values[i]), [dx[i], dy[i], dz[i]].map(f64::from))).collect()
}

#[cfg(test)]
mod tests {
    use terrain_noise::prelude::*;

    use super::super::volume::VolumeShape;
    use super::*;

    fn prepared(shapes: Vec<VolumeShape>) -> Prepared {
        Prepared::new(TerrainVolume { shapes, ..TerrainVolume::default() }).unwrap()
    }

    fn all_shapes() -> Vec<VolumeShape> {
        let noise = |size: f64, most: f64| perlin().fbm().octaves(2).feature_size(size).range(-most, most);
        vec![
            VolumeShape::Displace { noise: noise(20.0, 6.0) },
            VolumeShape::Fill { noise: noise(15.0, 8.0) },
            VolumeShape::Carve { noise: noise(25.0, 9.0) },
            VolumeShape::Dig { from: [3.0, 8.0, 2.0], to: [9.0, -3.0, 4.0], radius: 3.0 },
        ]
    }

    /// Land that rises along x.
    fn site(at: [f64; 3]) -> LandPoint {
        LandPoint { at, height: 5.0 + 0.25 * at[0], slope: [0.25, 0.0] }
    }

    #[test]
    fn the_sides_are_the_land() {
        let volume = prepared(all_shapes());
        let density = Density::new(&volume, 1.0, 1.0);
        assert_eq!((density.rect().min, density.rect().max), ([-32.0; 2], [32.0; 2]));
        let sides = [[-32.0, 0.0], [32.0, 7.0], [5.0, -32.0], [31.9, 32.0]];
        let sites: Vec<_> =
            sides.iter().flat_map(|&[x, z]| (-60..60).map(move |y| site([x, f64::from(y), z]))).collect();
        for (site, value) in sites.iter().zip(density.values(&sites, &mut Scratch::default())) {
            assert_eq!(value, site.height - site.at[1], "{site:?}");
        }
        // So is what lies deeper and higher than it reaches.
        let sites = [site([0.0, -36.0, 0.0]), site([0.0, 26.0, 0.0])];
        assert_eq!(density.values(&sites, &mut Scratch::default()), [41.0, -21.0]);
    }

    #[test]
    fn normals_are_those_of_differences() {
        for shape in all_shapes() {
            let volume = prepared(vec![shape]);
            let density = Density::new(&volume, 1.0, 0.5);
            let mut scratch = Scratch::default();
            let places = (0..3_000).map(|k| {
                let part = |prime: i64, width: f64| (f64::from((k * prime % 1_009) as i32) / 1_009.0 - 0.5) * width;
                [part(577, 62.0), part(331, 50.0), part(757, 62.0)]
            });
            let (mut compared, mut off) = (0, 0);
            for at in places {
                let value = |at: [f64; 3], scratch: &mut Scratch| density.values(&[site(at)], scratch)[0];
                if value(at, &mut scratch).abs() > 1.5 {
                    continue;
                }
                let slope = |axis: usize, scratch: &mut Scratch| {
                    let (mut low, mut high) = (at, at);
                    low[axis] -= 0.01;
                    high[axis] += 0.01;
                    value(high, scratch) - value(low, scratch)
                };
                let slopes = [0, 1, 2].map(|axis| slope(axis, &mut scratch));
                let length = slopes.iter().map(|slope| slope * slope).sum::<f64>().sqrt();
                let normal = density.normals(&[site(at)], &mut scratch)[0];
                let along: f64 = (0..3).map(|axis| -slopes[axis] / length * f64::from(normal[axis])).sum();
                compared += 1;
                // Where two surfaces meet there is an edge.
                off += usize::from(along < 0.999);
            }
            assert!(compared > 100 && off * 20 < compared, "{off} of {compared}: {:?}", volume.volume.shapes);
        }
    }
}
