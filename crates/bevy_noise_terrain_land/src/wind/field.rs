//! The wind at a place and time.

use bevy::math::DVec2;
use bevy::prelude::*;

use super::TerrainWind;
use super::record::WindRecord;

/// Layers of noise: broad gusts, fine gusts, the direction.
pub const LAYERS: usize = 3;
/// How fast each layer moves, relative to the mean wind. Gusts are faster than the wind at the ground: they come from
/// above (Raupach, Finnigan and Brunet, "Coherent eddies and turbulence in vegetation canopies", 1996: 1.8 times).
const PACE: [f64; LAYERS] = [1.8, 1.2, 1.5];
/// Width of each layer's cells, relative to the broad gusts.
const SIZE: [f64; LAYERS] = [1.0, 0.21, 3.1];

/// The wind as it blows now, moved on in [`PreUpdate`] by [`TerrainWindPlugin`](super::TerrainWindPlugin).
#[derive(Resource, Clone, Debug)]
pub struct Wind {
    settings: TerrainWind,
    /// When the settings changed, in seconds, and how far each layer had moved by then, in metres.
    changed: (f64, [DVec2; LAYERS]),
    /// How far each layer has moved.
    moved: [DVec2; LAYERS],
    /// How far the air has moved, in metres: [`moved`](Self::moved) of a layer with a pace of 1.
    air: (DVec2, DVec2),
}

impl Default for Wind {
    fn default() -> Self {
        let still = [DVec2::ZERO; LAYERS];
        Self { settings: default(), changed: (0.0, still), moved: still, air: (DVec2::ZERO, DVec2::ZERO) }
    }
}

impl Wind {
    /// The wind of valid settings, at the beginning of time.
    pub fn new(settings: &TerrainWind) -> Self {
        Self { settings: settings.clone(), ..default() }
    }

    /// Other settings from now on, in seconds.
    pub(super) fn set(&mut self, settings: &TerrainWind, now: f64) {
        self.advance(now);
        self.changed = (now, self.moved);
        self.air.0 = self.air.1;
        self.settings = settings.clone();
    }

    /// Moves on to `seconds` after the beginning of time, with the same settings.
    pub fn advance(&mut self, seconds: f64) {
        let (since, from) = self.changed;
        let way = self.mean().as_dvec2() * (seconds - since);
        self.moved = std::array::from_fn(|layer| from[layer] + way * PACE[layer]);
        self.air.1 = self.air.0 + way;
    }

    /// The last valid settings.
    pub fn settings(&self) -> &TerrainWind {
        &self.settings
    }

    /// Mean velocity along x and z, in metres per second: what clouds drift with.
    pub fn mean(&self) -> Vec2 {
        let heading = f64::from(self.settings.heading).to_radians();
        let way = DVec2::new(libm::sin(heading), -libm::cos(heading));
        (way * f64::from(self.settings.speed)).as_vec2()
    }

    /// Velocity near the ground along x and z, in metres per second, at an absolute position in metres.
    ///
    /// Its speed is at most [`TerrainWind::speed`] · (1 + [`TerrainWind::gusts`]).
    pub fn at(&self, x: f64, z: f64) -> Vec2 {
        WindRecord::new(self, [x, z]).velocity([0.0; 2])
    }

    /// The record `Wind` of the shader library `bevy_noise_terrain::gpu::wind`, around an absolute position x and z in metres:
    /// for a storage buffer or a uniform that a shader of yours hands to `wind_at`. Renew it every frame.
    pub fn for_shader(&self, origin: [f64; 2]) -> [u32; 56] {
        let record = [WindRecord::new(self, origin)];
        let words: &[u32] = bytemuck::cast_slice(&record);
        std::array::from_fn(|word| words[word])
    }

    /// How far air that blows with the mean wind has come since the beginning of time, in metres along x and z. It never
    /// jumps, so that things may drift by it.
    pub fn run(&self) -> DVec2 {
        self.air.1
    }

    /// Position of a point within the noise of a layer, and the width of its cells, in metres.
    pub(super) fn layer(&self, layer: usize, [x, z]: [f64; 2]) -> ([f64; 2], f64) {
        let moved = self.moved[layer];
        ([x - moved.x, z - moved.y], f64::from(self.settings.gust_size) * SIZE[layer])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blowing(settings: TerrainWind, seconds: f64) -> Wind {
        let mut wind = Wind::new(&settings);
        wind.advance(seconds);
        wind
    }

    /// Places all over the plane.
    fn places() -> impl Iterator<Item = (f64, f64)> {
        (0..2_000).map(|i| (f64::from(i) * 13.7 - 9_000.0, f64::from(i % 83) * 61.3 + 1e6))
    }

    #[test]
    fn gusts_stay_within_what_is_set_and_use_it() {
        let settings = TerrainWind { speed: 10.0, gusts: 0.5, veer: 30.0, heading: 90.0, ..default() };
        let wind = blowing(settings, 1e5);
        let (mut least, mut most, mut sum, mut turned) = (f32::MAX, 0.0_f32, Vec2::ZERO, 0.0_f32);
        for (x, z) in places() {
            let here = wind.at(x, z);
            (least, most) = (least.min(here.length()), most.max(here.length()));
            sum += here;
            turned = turned.max(here.angle_to(Vec2::X).abs().to_degrees());
        }
        assert!(least >= 5.0 - 1e-3 && most <= 15.0 + 1e-3, "{least} to {most} m/s");
        assert!(least < 6.5 && most > 13.5, "{least} to {most} m/s");
        let mean = sum / 2_000.0;
        assert!((mean.length() - 10.0).abs() < 1.0 && mean.angle_to(Vec2::X).abs() < 0.15, "{mean}");
        assert!((15.0..=30.1).contains(&turned), "{turned}°");
    }

    #[test]
    fn a_gust_arrives_downwind() {
        let settings = TerrainWind { speed: 5.0, heading: 90.0, gust_size: 80.0, veer: 0.0, ..default() };
        let [now, later] = [0.0, 4.0].map(|seconds| blowing(settings.clone(), seconds));
        // How alike the wind is to that four seconds earlier, so many metres upwind.
        let unlike = |metres: f64| -> f32 {
            places().map(|(x, z)| (later.at(x + metres, z) - now.at(x, z)).length_squared()).sum::<f32>()
        };
        let carried = unlike(5.0 * 4.0 * 1.8);
        assert!(carried < 0.4 * unlike(0.0) && carried < 0.4 * unlike(-36.0), "{carried} {}", unlike(0.0));
    }

    #[test]
    fn nothing_jumps_when_the_settings_change_after_a_week() {
        let mut wind = blowing(default(), 604_800.0);
        let before: Vec<_> = places().map(|(x, z)| wind.at(x, z)).collect();
        let run = wind.run();
        wind.set(&TerrainWind { speed: 4.0, heading: 115.01, ..default() }, 604_800.0);
        for ((x, z), before) in places().zip(before) {
            assert!((wind.at(x, z) - before).length() < 5e-3, "{x} {z}");
        }
        assert_eq!(wind.run(), run);
        wind.advance(604_801.0);
        assert!((wind.run() - run).length() < 4.001);
    }

    #[test]
    fn the_wind_is_the_same_however_time_is_cut() {
        let mut wind = Wind::default();
        for step in 0..1_000 {
            wind.advance(f64::from(step) * 0.016);
        }
        assert_eq!(wind.at(3.0, 4.0), blowing(default(), 999.0 * 0.016).at(3.0, 4.0));
    }

    #[test]
    fn still_air_is_still() {
        let wind = blowing(TerrainWind { speed: 0.0, ..default() }, 50.0);
        assert!(places().all(|(x, z)| wind.at(x, z) == Vec2::ZERO));
    }
}
