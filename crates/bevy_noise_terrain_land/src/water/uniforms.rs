//! The water's uniforms. `water.wesl` declares the same layout.

use std::f64::consts::TAU;

use bevy::math::DVec2;
use bytemuck::{Pod, Zeroable};

use super::TerrainWater;
use super::motion::Motion;
use super::waves::{WAVES, mean_square_slope, waves};
use crate::terrain::TerrainOrigin;
use crate::wind::{Wind, WindRecord};

/// Layers of the pattern: two of gusts, two of foam.
pub const LAYERS: usize = 4;
/// Each layer's tile in metres, its rotation in radians, and its speed: the gusts' relative to the wind, the foam's in
/// metres per second with the waves.
pub const SHAPES: [(f64, f64, f64); LAYERS] =
    [(2_900.0, 0.4, 1.0), (11_300.0, -1.1, 1.75), (23.0, 0.0, 0.15), (8.7, 1.9, 0.1)];

/// The water's uniforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct WaterUniforms {
    /// Albedo of shallow water; the level.
    pub shallow: [f32; 4],
    /// Albedo of deep water; extinction per metre.
    pub deep: [f32; 4],
    /// Width of the foam; roughness; seconds within the foam's period; height of the waves.
    pub shore: [f32; 4],
    /// Mean square slope of all waves; three unused.
    pub rough: [f32; 4],
    /// First quad of the ring beyond the chunks, from the origin along x and z; two unused.
    pub ring: [i32; 4],
    /// Per layer of the pattern: the first column of the rotation from local metres to tiles (the second follows from
    /// it), and the position of the local origin in the tile.
    pub layers: [[f32; 4]; LAYERS],
    /// The gusts that roughen the water.
    pub wind: WindRecord,
    /// Per wave: radians per metre along x and z, slope, phase at the local origin.
    pub waves: [[f32; 4]; WAVES],
}

/// Seconds after which the foam repeats, without a visible jump.
pub const FOAM_PERIOD: f64 = 64.0;

impl WaterUniforms {
    /// Phases and positions in tiles are wrapped in 64 bits, so that nothing jitters far from zero.
    pub fn new(settings: &TerrainWater, origin: &TerrainOrigin, ring: [i32; 2], motion: &Motion, wind: &Wind) -> Self {
        let with = |color: bevy::color::LinearRgba, w: f32| [color.red, color.green, color.blue, w];
        let origin = DVec2::new(origin.x, origin.z);
        let waves = waves(settings);
        Self {
            shallow: with(settings.shallow, settings.level),
            deep: with(settings.deep, 1.1 / settings.clarity),
            shore: [settings.foam_width, settings.roughness, motion.foam as f32, settings.wave_height],
            rough: [mean_square_slope(&waves) as f32, 0.0, 0.0, 0.0],
            ring: [ring[0], ring[1], 0, 0],
            layers: std::array::from_fn(|index| {
                let (size, turn, _) = SHAPES[index];
                let (sin, cos) = turn.sin_cos();
                let place = origin / size;
                let turned = DVec2::new(cos * place.x - sin * place.y, sin * place.x + cos * place.y);
                let turned = turned - motion.layers[index];
                let wrapped = [turned.x, turned.y].map(|v| v.rem_euclid(1.0) as f32);
                [(cos / size) as f32, (sin / size) as f32, wrapped[0], wrapped[1]]
            }),
            wind: WindRecord::new(wind, origin.to_array()),
            waves: std::array::from_fn(|index| {
                let wave = &waves[index];
                let phase = wave.k.dot(origin) - motion.phases[index] + wave.phase;
                [wave.k.x as f32, wave.k.y as f32, wave.slope as f32, phase.rem_euclid(TAU) as f32]
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::prelude::default;

    /// The motion after `seconds`.
    fn after(settings: &TerrainWater, seconds: f64) -> Motion {
        let mut motion = Motion::default();
        motion.advance(settings, DVec2::new(3.0, -2.0), seconds);
        motion
    }

    /// The position in a layer's tile and the phase of a wave, each as a fraction of its period.
    fn periodic(uniforms: &WaterUniforms, index: usize, place: DVec2, origin: DVec2) -> [f64; 3] {
        let local = place - origin;
        let [a, b, x, y] = uniforms.layers[index % LAYERS].map(f64::from);
        let [kx, kz, _, phase] = uniforms.waves[index].map(f64::from);
        let uv = [a * local.x - b * local.y + x, b * local.x + a * local.y + y];
        [uv[0], uv[1], (kx * local.x + kz * local.y + phase) / TAU].map(|v| v.rem_euclid(1.0))
    }

    fn apart(a: f64, b: f64) -> f64 {
        let off = (a - b).abs();
        off.min(1.0 - off)
    }

    #[test]
    fn waves_stay_when_the_origin_moves_even_far_out() {
        let settings = TerrainWater::default();
        let place = DVec2::new(1_000_123.0, -2_000_456.0);
        for index in 0..WAVES {
            let [a, b] = [DVec2::new(1e6, -2e6), DVec2::new(1e6 + 512.0, -2e6 - 256.0)].map(|origin| {
                let uniforms = WaterUniforms::new(
                    &settings,
                    &TerrainOrigin { x: origin.x, z: origin.y },
                    [0; 2],
                    &after(&settings, 12_345.6),
                    &Wind::default(),
                );
                periodic(&uniforms, index, place, origin)
            });
            // The rounding of 32-bit numbers over some hundred metres.
            assert!(a.iter().zip(&b).all(|(a, b)| apart(*a, *b) < 5e-4), "{index}: {a:?} {b:?}");
        }
    }

    #[test]
    fn waves_run_at_the_speed_of_real_ones() {
        let settings = TerrainWater { wave_heading: 90.0, ..default() };
        let at = |settings: &TerrainWater, seconds| {
            WaterUniforms::new(settings, &TerrainOrigin::default(), [0; 2], &after(settings, seconds), &Wind::default())
        };
        let (still, later) = (at(&settings, 0.0), at(&settings, 1.0));
        for index in 0..WAVES {
            // The phase at the origin has moved at the phase speed of a wave of this length.
            let k = DVec2::new(f64::from(still.waves[index][0]), f64::from(still.waves[index][1]));
            let way = k.normalize() * (9.81 / k.length()).sqrt();
            let [a, b] = [(&still, DVec2::ZERO), (&later, way)].map(|(f, at)| periodic(f, index, at, DVec2::ZERO)[2]);
            assert!(apart(a, b) < 1e-4, "{index}: {a} {b}");
            assert!(index > 8 || k.x > 0.0, "long waves run to +x: {k}");
        }
        let frozen = TerrainWater { wave_speed: 0.0, ..settings };
        assert_eq!(at(&frozen, 0.0).waves, at(&frozen, 9.0).waves);
    }

    #[test]
    fn uniforms_are_laid_out_as_the_shader_declares() {
        assert_eq!(size_of::<WaterUniforms>(), (5 + LAYERS + 14 + WAVES) * 16);
        let shader = include_str!("water.wesl");
        assert!(shader.contains(&format!("layers: array<vec4<f32>, {LAYERS}>")));
        assert!(shader.contains(&format!("waves: array<vec4<f32>, {WAVES}>")));
        assert!(shader.contains(&format!("WAVES: u32 = {WAVES}u")));
        assert!(shader.contains(&format!("FOAM_PERIOD: f32 = {FOAM_PERIOD}.0")));
        assert!(shader.contains(&format!("RING: u32 = {:#x}u", super::super::ring::RING_TAG)));
    }

    #[test]
    fn waves_stay_where_they_are_when_they_grow_faster_after_a_day() {
        let mut motion = after(&TerrainWater::default(), 86_400.0);
        let faster = TerrainWater { wave_speed: 1.2, ..default() };
        let at = |settings: &TerrainWater, motion: &Motion| {
            WaterUniforms::new(settings, &TerrainOrigin::default(), [0; 2], motion, &Wind::default())
        };
        let [before, after] = [&TerrainWater::default(), &faster].map(|settings| at(settings, &motion));
        assert_eq!((before.waves, before.layers), (after.waves, after.layers));
        // From there they run faster: as far in five seconds as they did in six.
        let mut usual = motion.clone();
        usual.advance(&TerrainWater::default(), DVec2::ZERO, 6.0);
        motion.advance(&faster, DVec2::ZERO, 5.0);
        for (a, b) in motion.phases.iter().zip(usual.phases) {
            assert!(apart(a / TAU, b / TAU) < 1e-6, "{a} {b}");
        }
    }
}
