//! The climate's formula, as the shader gets it.

use std::f64::consts::TAU;

use bytemuck::{Pod, Zeroable};

use super::{Climate, Local, Site, TerrainClimate};

/// A climate in the terrain's uniforms: 48 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ClimateRecord {
    temperature: f32,
    /// °C per metre.
    lapse: f32,
    temperature_spread: f32,
    sunny_side: f32,
    moisture: f32,
    moisture_spread: f32,
    shore: f32,
    /// 1 / the height above the shore that it does not moisten.
    shore_falloff: f32,
    /// Half the difference between equator and poles.
    poles: f32,
    /// The origin's distance from the equator in radians: a pole is at π.
    phase: f32,
    /// Radians per metre.
    phase_slope: f32,
    /// Pads the size to a multiple of 16 bytes.
    padding: u32,
}

impl ClimateRecord {
    /// For a terrain whose origin is at this absolute z.
    pub fn new(climate: &TerrainClimate, z: f64) -> Self {
        let turns = 0.5 / climate.pole_distance;
        Self {
            temperature: climate.temperature,
            lapse: climate.lapse * 1e-3,
            temperature_spread: climate.temperature_spread,
            sunny_side: climate.sunny_side,
            moisture: climate.moisture,
            moisture_spread: climate.moisture_spread,
            shore: climate.shore,
            shore_falloff: 1.0 / climate.shore_height,
            poles: 0.5 * climate.poles,
            phase: ((z * turns).rem_euclid(1.0) * TAU) as f32,
            phase_slope: (turns * TAU) as f32,
            padding: 0,
        }
    }

    /// The climate at z metres from the origin, as `climate.wesl` computes it.
    pub fn climate(&self, z: f32, site: Site, local: Local) -> Climate {
        let poles =
            if self.poles > 0.0 { self.poles * (1.0 - libm::cosf(self.phase + z * self.phase_slope)) } else { 0.0 };
        let above_shore = (1.0 - site.height.max(0.0) * self.shore_falloff).max(0.0);
        Climate {
            temperature: self.temperature - self.lapse * site.height - self.temperature_spread * local.warm
                + self.sunny_side * site.facing
                - poles,
            moisture: (self.moisture
                + self.moisture_spread * (0.5 * local.wide + 0.18 * local.rough)
                + self.shore * above_shore * above_shore)
                .clamp(0.0, 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_laid_out_as_the_shader_declares() {
        assert_eq!(size_of::<ClimateRecord>(), 48);
    }
}
