//! What the water's shader reads, as bytes. `water.wgsl` declares the same.

use bevy::math::DVec2;
use bytemuck::{Pod, Zeroable};

use super::Sea;
use super::waves::CRESTS;
use crate::terrain::TerrainOrigin;

/// Layers of waves: each smaller and turned against the one before, so that no tile is seen.
pub const LAYERS: usize = 3;
/// Each layer's size against the longest, its turn in radians and its share of the slope.
const SHAPES: [(f64, f64, f32); LAYERS] = [(1.0, 0.0, 0.60), (0.437, 0.83, 0.62), (0.149, -1.37, 0.50)];

/// The sea as the shader sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct SeaFrame {
    /// Colour of shallow water; the level.
    pub shallow: [f32; 4],
    /// Colour of deep water; extinction per metre.
    pub deep: [f32; 4],
    /// Foam's width, roughness, seconds within the foam's period, nothing.
    pub shore: [f32; 4],
    /// Per layer: the first column of the turn from local metres to tiles (its second follows from it), and where the
    /// local origin lies in the tile.
    pub layers: [[f32; 4]; LAYERS],
    /// Root of the mean square slope of each layer.
    pub slopes: [f32; 4],
}

/// Seconds after which the foam begins anew, unseen.
pub const FOAM_PERIOD: f64 = 64.0;

impl SeaFrame {
    /// `seconds` since the waves set off. Far from zero nothing jitters: places in the tiles are wrapped in 64 bits.
    pub fn new(sea: &Sea, origin: &TerrainOrigin, seconds: f64) -> Self {
        let with = |color: bevy::color::LinearRgba, w: f32| [color.red, color.green, color.blue, w];
        let heading = f64::from(sea.wave_heading).to_radians();
        let way = DVec2::new(heading.sin(), -heading.cos());
        let mut out = Self {
            shallow: with(sea.shallow, sea.level),
            deep: with(sea.deep, 1.1 / sea.clarity),
            shore: [sea.foam_width, sea.roughness, seconds.rem_euclid(FOAM_PERIOD) as f32, 0.0],
            ..Self::default()
        };
        for (index, (size, turn, share)) in SHAPES.into_iter().enumerate() {
            let length = f64::from(sea.wave_length) * size;
            let tiles = 1.0 / (length * f64::from(CRESTS));
            // Deep water: the speed of a wave is √(g·length / 2π).
            let speed = f64::from(sea.wave_speed) * (9.81 * length / std::f64::consts::TAU).sqrt();
            let (sin, cos) = turn.sin_cos();
            // Layers cross: each runs a little off the wind.
            let course = DVec2::from_angle(0.35 * turn).rotate(way);
            let place = (DVec2::new(origin.x, origin.z) - course * speed * seconds) * tiles;
            let turned = DVec2::new(cos * place.x - sin * place.y, sin * place.x + cos * place.y);
            out.layers[index] = [
                (cos * tiles) as f32,
                (sin * tiles) as f32,
                turned.x.rem_euclid(1.0) as f32,
                turned.y.rem_euclid(1.0) as f32,
            ];
            // Height over length is the slope; small waves are as steep as large ones.
            out.slopes[index] = share * 3.4 * sea.wave_height / sea.wave_length;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::prelude::default;

    fn uv(frame: &SeaFrame, layer: usize, place: DVec2, origin: DVec2) -> DVec2 {
        let [a, b, x, y] = frame.layers[layer].map(f64::from);
        let local = place - origin;
        let uv = DVec2::new(a * local.x - b * local.y + x, b * local.x + a * local.y + y);
        DVec2::new(uv.x.rem_euclid(1.0), uv.y.rem_euclid(1.0))
    }

    #[test]
    fn waves_stay_when_the_origin_moves_even_far_out() {
        let sea = Sea::default();
        let place = DVec2::new(1_000_123.0, -2_000_456.0);
        for layer in 0..LAYERS {
            let seen = [DVec2::new(1e6, -2e6), DVec2::new(1e6 + 512.0, -2e6 - 256.0)].map(|origin| {
                let frame = SeaFrame::new(&sea, &TerrainOrigin { x: origin.x, z: origin.y }, 12_345.6);
                uv(&frame, layer, place, origin)
            });
            let off = (seen[0] - seen[1]).abs();
            // 32-bit steps over some hundred metres: far below a texel.
            assert!(off.x.min(1.0 - off.x) < 2e-5 && off.y.min(1.0 - off.y) < 2e-5, "{seen:?}");
        }
    }

    #[test]
    fn waves_run_with_the_wind() {
        let sea = Sea { wave_heading: 90.0, ..default() };
        let still = SeaFrame::new(&sea, &TerrainOrigin::default(), 0.0);
        let later = SeaFrame::new(&sea, &TerrainOrigin::default(), 1.0);
        // What was at the origin has moved to +x, as fast as a wave of this length does.
        let speed = (9.81 * f64::from(sea.wave_length) / std::f64::consts::TAU).sqrt();
        let (a, b) = (uv(&still, 0, DVec2::ZERO, DVec2::ZERO), uv(&later, 0, DVec2::new(speed, 0.0), DVec2::ZERO));
        let off = (a - b).abs();
        assert!(off.x.min(1.0 - off.x) < 1e-4 && off.y.min(1.0 - off.y) < 1e-4, "{a} {b}");
        let frozen = Sea { wave_speed: 0.0, ..sea };
        let at = |seconds| SeaFrame::new(&frozen, &TerrainOrigin::default(), seconds).layers;
        assert_eq!(at(0.0), at(9.0));
    }

    #[test]
    fn the_frame_is_laid_out_as_the_shader_declares() {
        assert_eq!(size_of::<SeaFrame>(), 7 * 16);
        assert!(include_str!("water.wgsl").contains(&format!("layers: array<vec4<f32>, {LAYERS}>")));
    }
}
