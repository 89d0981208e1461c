//! The wind around an origin, as processor and shader compute it: `gpu/wind.wesl` declares the same record.

use bevy::math::Vec2;
use bytemuck::{Pod, Zeroable};

use super::field::Wind;
use crate::climate::{ValueNoise, ValueNoiseRecord};

/// How far the noise of gusts is pushed ahead where it is strong, in widths of its cells: their fronts become steep.
const FRONT: f32 = 0.35;
/// Share of the broad gusts in all.
const BROAD: f32 = 0.7;

/// The wind around an origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct WindRecord {
    /// Mean velocity along x and z.
    mean: [f32; 2],
    /// Departure from the mean speed in gusts, as a fraction.
    gusts: f32,
    /// Greatest departure from the heading in radians.
    veer: f32,
    /// How far the broad gusts are pushed ahead where they are strongest, along x and z.
    front: [f32; 2],
    /// Pads the size to a multiple of 16 bytes.
    padding: [f32; 2],
    broad: ValueNoiseRecord,
    fine: ValueNoiseRecord,
    turn: ValueNoiseRecord,
}

const _: () = assert!(size_of::<WindRecord>() == 224);

impl WindRecord {
    /// The wind around an absolute position.
    pub fn new(wind: &Wind, origin: [f64; 2]) -> Self {
        let settings = wind.settings();
        let mean = wind.mean();
        let front = mean.normalize_or_zero() * (FRONT * settings.gust_size);
        let noise = |layer: usize, is_turned, seed| {
            let (place, scale) = wind.layer(layer, origin);
            ValueNoiseRecord::new(place, scale, is_turned, seed)
        };
        Self {
            mean: mean.to_array(),
            gusts: settings.gusts,
            veer: settings.veer.to_radians(),
            front: front.to_array(),
            padding: [0.0; 2],
            broad: noise(0, true, 1),
            fine: noise(1, false, 2),
            turn: noise(2, false, 3),
        }
    }

    /// Velocity at x and z from the origin, in metres per second.
    pub fn velocity(&self, [x, z]: [f32; 2]) -> Vec2 {
        let noise = |record: ValueNoiseRecord, place| ValueNoise::from(record).at(place);
        let behind = noise(self.broad, [x, z]);
        let broad = noise(self.broad, [x - self.front[0] * behind, z - self.front[1] * behind]);
        let gust = BROAD * broad + (1.0 - BROAD) * noise(self.fine, [x, z]);
        let angle = f64::from(self.veer * noise(self.turn, [x, z]));
        let (sin, cos) = (libm::sin(angle) as f32, libm::cos(angle) as f32);
        let [east, south] = self.mean;
        Vec2::new(cos * east - sin * south, sin * east + cos * south) * (1.0 + self.gusts * gust)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_has_the_same_constants() {
        let shader = include_str!("../gpu/wind.wesl");
        assert!(shader.contains(&format!("const BROAD: f32 = {BROAD};")));
        for name in ["mean: vec2<f32>", "gusts: f32", "veer: f32", "front: vec2<f32>", "broad: ValueNoise"] {
            assert!(shader.contains(name), "{name}");
        }
    }

    #[test]
    fn the_wind_does_not_depend_on_the_origin() {
        let mut wind = Wind::default();
        wind.advance(12_345.6);
        for place in [[12.0, -7.5], [1e6, -2e6], [1e9, 1e9]] {
            let near = WindRecord::new(&wind, place).velocity([0.0; 2]);
            let far = WindRecord::new(&wind, [place[0] - 1_000.0, place[1] + 512.0]).velocity([1_000.0, -512.0]);
            assert!((near - far).length() < 2e-3, "{place:?}: {near} {far}");
        }
    }
}
