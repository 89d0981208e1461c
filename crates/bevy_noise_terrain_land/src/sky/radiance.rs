//! The sky's radiance by direction for one position of the sun, and what derives from it: sunlight, ambient light, the
//! colours of the horizon.

use std::f32::consts::{FRAC_PI_2, PI};

use bevy::math::Vec3;

use super::scattering::{Medium, mie_phase};
use crate::gpu::{AZIMUTHS, ELEVATIONS};

/// Height of the observer, in kilometres.
const EYE: f32 = 0.5;
/// Radiance of a moonless night sky, in cd/m²; brighter than in nature, so that ridges still show.
const NIGHT: Vec3 = Vec3::new(0.000_9, 0.001_3, 0.002_4);
/// Elevation at which far land meets the sky: fog takes its colour here.
const HORIZON: f32 = 0.02;

/// The horizon's colour by direction, as Bevy's fog draws it: `base + glow · max(cos γ, 0)^exponent`, γ being
/// the angle from the sun.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Horizon {
    /// Away from the sun, in cd/m².
    pub base: Vec3,
    /// Added towards the sun, in cd/m².
    pub glow: Vec3,
    /// How narrow the glow is.
    pub exponent: f32,
}

/// The sky for one position of the sun.
#[derive(Clone, Debug)]
pub struct SkyRadiance {
    /// Unit vector towards the sun.
    pub sun: Vec3,
    /// Sunlight on a surface that faces the sun, near the ground, in lux.
    pub sunlight: Vec3,
    /// Sunlight at the height of clouds, in lux.
    pub high_sunlight: Vec3,
    /// Mean radiance of the clear upper hemisphere, weighted as level ground receives it, in cd/m².
    pub ambient: Vec3,
    /// The colour of distant land.
    pub horizon: Horizon,
    /// Radiance by azimuth and elevation without single scattering by haze, in cd/m².
    pub smooth: Vec<Vec3>,
    /// Single scattering by haze, before its phase function, in cd/m².
    pub mie: Vec<Vec3>,
}

/// Elevation of a row, in radians.
fn elevation(row: usize) -> f32 {
    FRAC_PI_2 * (row as f32 / (ELEVATIONS - 1) as f32).powi(2)
}

impl SkyRadiance {
    /// Computes the sky for a sun in the direction `sun`, in about a millisecond. `illuminance` is the sunlight above
    /// the atmosphere in lux, `cloud_height` the height of the clouds in metres.
    pub fn new(medium: &Medium, sun: Vec3, illuminance: f32, cloud_height: f32) -> Self {
        let (mut smooth, mut mie) = (Vec::new(), Vec::new());
        for row in 0..ELEVATIONS {
            let up = elevation(row).sin();
            for column in 0..AZIMUTHS {
                let turn = PI * column as f32 / (AZIMUTHS - 1) as f32;
                let scattered = medium.scattered(EYE, up, turn, sun.y);
                smooth.push(scattered.smooth * illuminance + NIGHT * (2.0 - up));
                mie.push(scattered.mie * illuminance);
            }
        }
        let mut sky = Self {
            sun,
            sunlight: medium.sunlight(EYE, sun.y) * illuminance,
            high_sunlight: medium.sunlight(cloud_height / 1_000.0, sun.y) * illuminance,
            ambient: Vec3::ZERO,
            horizon: Horizon { base: Vec3::ZERO, glow: Vec3::ZERO, exponent: 1.0 },
            smooth,
            mie,
        };
        sky.ambient = sky.mean();
        sky.horizon = sky.fit_horizon();
        sky
    }

    /// Radiance in a direction, in cd/m²; below the horizon, that at the horizon.
    pub fn radiance(&self, direction: Vec3) -> Vec3 {
        let up = direction.y.clamp(0.0, 1.0);
        let flat = |v: Vec3| Vec3::new(v.x, 0.0, v.z).normalize_or(Vec3::X);
        let turn = flat(direction).dot(flat(self.sun)).clamp(-1.0, 1.0).acos();
        let row = (up.asin() / FRAC_PI_2).sqrt() * (ELEVATIONS - 1) as f32;
        let column = turn / PI * (AZIMUTHS - 1) as f32;
        let (y, x) = ((row as usize).min(ELEVATIONS - 2), (column as usize).min(AZIMUTHS - 2));
        let (fy, fx) = (row - y as f32, column - x as f32);
        let read = |table: &[Vec3]| {
            let line = |y: usize| table[y * AZIMUTHS + x].lerp(table[y * AZIMUTHS + x + 1], fx);
            line(y).lerp(line(y + 1), fy)
        };
        read(&self.smooth) + read(&self.mie) * mie_phase(direction.dot(self.sun))
    }

    /// Light on level ground in lux, from sun and clear sky.
    pub fn illuminance(&self) -> f32 {
        luminance(self.on_the_ground())
    }

    fn on_the_ground(&self) -> Vec3 {
        self.sunlight * self.sun.y.max(0.0) + self.ambient * PI
    }

    /// [`ambient`](Self::ambient) where clouds cover a share of the sky, from 0 to 1: a closed cover lets a quarter of all light
    /// through, after Kasten and Czeplak, "Solar and terrestrial radiation dependent on the amount and type of cloud", 1980. What
    /// the lit sides of single clouds add is left out.
    pub fn ambient_under(&self, cover: f32) -> Vec3 {
        const THROUGH: f32 = 0.25;
        self.ambient.lerp(self.on_the_ground() * (THROUGH / PI), cover)
    }

    /// A unit vector `turn` radians from the sun's azimuth.
    fn towards(&self, turn: f32, up: f32) -> Vec3 {
        let ahead = Vec3::new(self.sun.x, 0.0, self.sun.z).normalize_or(Vec3::X);
        let side = Vec3::new(-ahead.z, 0.0, ahead.x);
        (ahead * turn.cos() + side * turn.sin()) * (1.0 - up * up).sqrt() + Vec3::Y * up
    }

    /// Mean radiance of the upper hemisphere, weighted by the cosine from the zenith.
    fn mean(&self) -> Vec3 {
        const ROWS: usize = 12;
        const TURNS: usize = 12;
        let mut sum = Vec3::ZERO;
        for index in 0..ROWS * TURNS {
            // Rows of equal weight sin(e)·cos(e)·de.
            let up = (((index / TURNS) as f32 + 0.5) / ROWS as f32).sqrt();
            sum += self.radiance(self.towards(PI * ((index % TURNS) as f32 + 0.5) / TURNS as f32, up));
        }
        sum / (ROWS * TURNS) as f32
    }

    /// Fits the formula of Bevy's fog to the ring just above the horizon.
    fn fit_horizon(&self) -> Horizon {
        const TURNS: usize = 24;
        let ring: Vec<(f32, Vec3)> = (0..TURNS)
            .map(|index| {
                let direction = self.towards(PI * (index as f32 + 0.5) / TURNS as f32, HORIZON);
                (direction.dot(self.sun).max(0.0), self.radiance(direction))
            })
            .collect();
        let away = &ring[TURNS / 2..];
        let base = away.iter().map(|(_, color)| *color).sum::<Vec3>() / away.len() as f32;
        let mut best = (f32::INFINITY, Horizon { base, glow: Vec3::ZERO, exponent: 1.0 });
        for exponent in [1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0] {
            // Least squares of the relative error: the glow spans two orders of magnitude.
            let (mut product, mut square) = (Vec3::ZERO, Vec3::splat(1e-9));
            for (cosine, color) in &ring {
                let weight = Vec3::splat(cosine.powf(exponent)) / *color;
                product += weight * (*color - base) / *color;
                square += weight * weight;
            }
            let glow = (product / square).max(Vec3::ZERO);
            let off = ring.iter().map(|(cosine, color)| (base + glow * cosine.powf(exponent) - *color) / *color);
            let error = off.map(Vec3::length_squared).sum::<f32>();
            if error < best.0 {
                best = (error, Horizon { base, glow, exponent });
            }
        }
        best.1
    }
}

/// Brightness of a linear colour.
pub fn luminance(color: Vec3) -> f32 {
    color.dot(Vec3::new(0.2126, 0.7152, 0.0722))
}

impl Horizon {
    /// The colour in a direction.
    pub fn color(&self, direction: Vec3, sun: Vec3) -> Vec3 {
        self.base + self.glow * direction.dot(sun).max(0.0).powf(self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sky::{TerrainSky, sun_direction};
    use bevy::prelude::default;

    fn sky(time: f32) -> SkyRadiance {
        let settings = TerrainSky { time, latitude: 45.0, declination: 0.0, ..default() };
        SkyRadiance::new(
            &Medium::new(settings.visibility),
            sun_direction(&settings),
            settings.illuminance,
            settings.cloud_height,
        )
    }

    #[test]
    fn the_zenith_is_blue_at_noon() {
        let zenith = sky(12.0).radiance(Vec3::Y);
        assert!(zenith.z > 2.0 * zenith.x && zenith.z > 1.4 * zenith.y, "{zenith}");
        // Clear skies have about 2 000 to 8 000 cd/m².
        assert!((1_000.0..10_000.0).contains(&luminance(zenith)), "{zenith}");
    }

    #[test]
    fn noon_has_the_light_of_noon() {
        let sky = sky(12.0);
        assert!((60_000.0..110_000.0).contains(&sky.illuminance()), "{}", sky.illuminance());
        let shade = luminance(sky.ambient) * PI / sky.illuminance();
        assert!((0.08..0.4).contains(&shade), "{shade} of the light is the sky's");
    }

    #[test]
    fn clouds_lighten_the_shade_and_make_it_grey() {
        let sky = sky(12.0);
        let [clear, broken, closed] = [0.0, 0.5, 1.0].map(|cover| sky.ambient_under(cover));
        assert_eq!(clear, sky.ambient);
        assert!(
            luminance(clear) < luminance(broken) && luminance(broken) < luminance(closed),
            "{clear} {broken} {closed}"
        );
        assert!((luminance(closed) * PI / sky.illuminance() - 0.25).abs() < 1e-3, "{closed}");
        let blue = |color: Vec3| color.z / color.x;
        assert!(blue(clear) > 1.2 * blue(broken) && blue(broken) > 1.1 * blue(closed), "{clear} {broken} {closed}");
    }

    #[test]
    fn the_horizon_is_red_towards_the_low_sun_and_not_away_from_it() {
        let sky = sky(18.0);
        let [towards, away] = [0.0, PI].map(|turn| sky.radiance(sky.towards(turn, 0.03)));
        assert!(towards.x > 1.5 * towards.y && towards.y > towards.z, "{towards}");
        assert!(luminance(towards) > 4.0 * luminance(away), "{towards} {away}");
        assert!(towards.x / towards.z > 3.0 * away.x / away.z, "{towards} {away}");
        assert!(sky.sunlight.x > 2.0 * sky.sunlight.z, "{}", sky.sunlight);
    }

    #[test]
    fn night_is_dark_and_dusk_lies_between() {
        let [noon, dusk, night] = [12.0, 18.5, 0.0].map(|time| sky(time).illuminance());
        assert!(noon > 100.0 * dusk && dusk > 100.0 * night, "{noon} {dusk} {night}");
        assert!(night > 0.0);
        assert_eq!(sky(0.0).sunlight, Vec3::ZERO);
    }

    #[test]
    fn fog_has_the_horizons_colour_in_every_direction() {
        for time in [6.2, 7.0, 9.0, 12.0, 18.3] {
            let sky = sky(time);
            for turn in 0..12 {
                let direction = sky.towards(PI * turn as f32 / 12.0, HORIZON);
                let (expected, fog) = (sky.radiance(direction), sky.horizon.color(direction, sky.sun));
                let error = luminance((expected - fog).abs()) / luminance(expected);
                // Only next to a low sun may the sky be brighter than the fog.
                let dazzled = direction.dot(sky.sun) > 0.93 && luminance(fog) < luminance(expected);
                assert!(error < 0.45 || dazzled, "{time} h, {turn}: {expected} against {fog}");
            }
        }
    }

    #[test]
    fn the_same_hour_gives_the_same_bits() {
        let [a, b] = [sky(17.3), sky(17.3)];
        assert_eq!(a.smooth, b.smooth);
        assert_eq!(a.horizon, b.horizon);
    }
}
