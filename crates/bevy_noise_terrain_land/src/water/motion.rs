//! How far the waves have moved.

use std::f64::consts::TAU;

use bevy::math::DVec2;

use super::TerrainWater;
use super::uniforms::{FOAM_PERIOD, LAYERS, SHAPES};
use super::waves::{WAVES, waves};

/// How far waves, gusts and foam have moved. Accumulated frame by frame, so that a new speed or heading does not make
/// them jump. Everything is wrapped to its period, to stay precise after days.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// Phase of each wave in radians.
    pub phases: [f64; WAVES],
    /// Displacement of each layer of the pattern in tiles, along its own axes.
    pub layers: [DVec2; LAYERS],
    /// Time within the foam's period, in seconds.
    pub foam: f64,
}

impl Default for Motion {
    fn default() -> Self {
        Self { phases: [0.0; WAVES], layers: [DVec2::ZERO; LAYERS], foam: 0.0 }
    }
}

impl Motion {
    /// Adds the motion of `seconds` in this wind, metres per second along x and z. Waves keep their own heading: swell
    /// comes from afar.
    pub fn advance(&mut self, settings: &TerrainWater, wind: DVec2, seconds: f64) {
        for (phase, wave) in self.phases.iter_mut().zip(waves(settings)) {
            *phase = (*phase + wave.speed * seconds).rem_euclid(TAU);
        }
        let heading = f64::from(settings.wave_heading).to_radians();
        let way = DVec2::new(heading.sin(), -heading.cos());
        let foam = way * f64::from(settings.wave_speed);
        for (layer, ((size, turn, speed), velocity)) in
            self.layers.iter_mut().zip(SHAPES.into_iter().zip([wind, wind, foam, foam]))
        {
            let moved = velocity * (speed * seconds / size);
            *layer = (*layer + DVec2::from_angle(turn).rotate(moved)).rem_euclid(DVec2::ONE);
        }
        self.foam = (self.foam + seconds).rem_euclid(FOAM_PERIOD);
    }
}
