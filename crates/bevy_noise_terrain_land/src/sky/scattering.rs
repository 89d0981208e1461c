//! Scattering of sunlight: Rayleigh (molecules), Mie (haze) and absorption by ozone, over a round planet.
//!
//! Single scattering is integrated along each ray; multiple scattering is read from a table over
//! height and sun angle, as if it were isotropic (Hillaire, *A Scalable and Production Ready Sky and Atmosphere
//! Rendering Technique*, 2020). Lengths are kilometres here, coefficients 1/km.

use std::f32::consts::PI;

use bevy::math::Vec3;

/// Radius of the planet.
const GROUND: f32 = 6_360.0;
/// Height at which the atmosphere ends.
const TOP: f32 = 80.0;
const RAYLEIGH: Vec3 = Vec3::new(5.802e-3, 13.558e-3, 33.1e-3);
const RAYLEIGH_HEIGHT: f32 = 8.0;
const OZONE: Vec3 = Vec3::new(0.650e-3, 1.881e-3, 0.085e-3);
/// Absorption of haze relative to its scattering.
const MIE_ABSORPTION: f32 = 0.11;
/// Asymmetry of the haze's phase function: 0 scatters evenly, 1 only forwards.
pub const MIE_FORWARD: f32 = 0.76;
/// Height over which haze thins out to 1/e, in metres.
pub const HAZE_HEIGHT: f32 = 1_200.0;
/// Fraction of light that the ground reflects.
const ALBEDO: f32 = 0.25;
/// Optical depth that leaves 5 % of the contrast (Koschmieder).
pub const OPAQUE: f32 = 3.0;

// Sizes of the tables: height by angle.
const HEIGHTS: usize = 24;
const ANGLES: usize = 64;
const MULTIPLE_HEIGHTS: usize = 8;
const MULTIPLE_ANGLES: usize = 24;

/// Air of a certain visibility, with its tables.
#[derive(Clone, Debug)]
pub struct Medium {
    mie: f32,
    /// Transmittance from a height to the top, by angle above the horizon there.
    transmittance: Vec<Vec3>,
    /// Multiple scattering, per unit of sunlight, by height and sun angle.
    multiple: Vec<Vec3>,
}

/// Scattering and extinction coefficients at a height.
struct Local {
    rayleigh: Vec3,
    mie: f32,
    extinction: Vec3,
}

/// In-scattered radiance per unit of sunlight.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scattered {
    /// By molecules, and all multiple scattering.
    pub smooth: Vec3,
    /// By haze, once, before its phase function.
    pub mie: Vec3,
    /// Transmittance of the whole ray.
    pub through: Vec3,
}

/// Scattering coefficient of haze at the ground, 1/km, for a visibility in metres.
pub fn haze(visibility: f32) -> f32 {
    (OPAQUE / (visibility / 1_000.0) - RAYLEIGH.y).max(1e-3)
}

/// Extinction at the ground relative to that of green: blue fades first, most so with little haze.
pub fn tint(visibility: f32) -> Vec3 {
    let mie = haze(visibility) * (1.0 + MIE_ABSORPTION);
    (RAYLEIGH + mie) / (RAYLEIGH.y + mie)
}

/// Phase function of molecules.
pub fn rayleigh_phase(cosine: f32) -> f32 {
    3.0 / (16.0 * PI) * (1.0 + cosine * cosine)
}

/// Phase function of haze (Cornette and Shanks).
pub fn mie_phase(cosine: f32) -> f32 {
    let g = MIE_FORWARD;
    let base = 1.0 + g * g - 2.0 * g * cosine;
    3.0 / (8.0 * PI) * (1.0 - g * g) * (1.0 + cosine * cosine) / ((2.0 + g * g) * base * base.sqrt())
}

/// Height after `distance` along a ray that starts at `height`; `up` is its cosine from the zenith.
fn height_after(height: f32, up: f32, distance: f32) -> f32 {
    let start = GROUND + height;
    // r² − R², without subtracting large numbers.
    let excess = height * (2.0 * GROUND + height) + distance * (2.0 * start * up + distance);
    excess / ((GROUND * GROUND + excess).max(0.0).sqrt() + GROUND)
}

/// Distance along a ray to the end of the atmosphere.
fn to_top(height: f32, up: f32) -> f32 {
    let along = (GROUND + height) * up;
    let missing = (TOP - height) * (2.0 * GROUND + TOP + height);
    let root = (along * along + missing).max(0.0).sqrt();
    if along > 0.0 { missing / (along + root) } else { root - along }
}

/// Distance along a ray to the ground, if it hits it.
fn to_ground(height: f32, up: f32) -> Option<f32> {
    let along = (GROUND + height) * up;
    let excess = height * (2.0 * GROUND + height);
    let below = along * along - excess;
    (along < 0.0 && below >= 0.0).then(|| excess / (below.sqrt() - along))
}

/// Cosine from the zenith of the horizon, seen from a height.
fn horizon(height: f32) -> f32 {
    -(height * (2.0 * GROUND + height)).sqrt() / (GROUND + height)
}

fn exp(v: Vec3) -> Vec3 {
    Vec3::new(v.x.exp(), v.y.exp(), v.z.exp())
}

/// Samples a table bilinearly at `at`, 0 to 1 along columns and rows.
fn read(table: &[Vec3], columns: usize, rows: usize, at: [f32; 2]) -> Vec3 {
    let place = |share: f32, count: usize| {
        let at = share.clamp(0.0, 1.0) * (count - 1) as f32;
        let low = (at as usize).min(count - 2);
        (low, at - low as f32)
    };
    let ((x, fx), (y, fy)) = (place(at[0], columns), place(at[1], rows));
    let row = |y: usize| table[y * columns + x].lerp(table[y * columns + x + 1], fx);
    row(y).lerp(row(y + 1), fy)
}

impl Medium {
    /// Builds the tables for a visibility in metres: some milliseconds.
    pub fn new(visibility: f32) -> Self {
        let mut medium = Self { mie: haze(visibility), transmittance: Vec::new(), multiple: Vec::new() };
        medium.transmittance = (0..HEIGHTS * ANGLES)
            .map(|index| {
                let height = TOP * ((index / ANGLES) as f32 / (HEIGHTS - 1) as f32).powi(2);
                let above = ((index % ANGLES) as f32 / (ANGLES - 1) as f32).powi(2);
                let low = horizon(height);
                exp(-medium.optical_depth(height, low + above * (1.0 - low)))
            })
            .collect();
        medium.multiple = (0..MULTIPLE_HEIGHTS * MULTIPLE_ANGLES)
            .map(|index| {
                let height =
                    0.05 + (TOP - 1.0) * ((index / MULTIPLE_ANGLES) as f32 / (MULTIPLE_HEIGHTS - 1) as f32).powi(2);
                let sun = Self::multiple_sun((index % MULTIPLE_ANGLES) as f32 / (MULTIPLE_ANGLES - 1) as f32);
                medium.multiple_scattering(height, sun)
            })
            .collect();
        medium
    }

    /// The sun's cosine from the zenith at a position in the table, 0 to 1: finer around the horizon.
    fn multiple_sun(share: f32) -> f32 {
        let centred = 2.0 * share - 1.0;
        centred * centred.abs()
    }

    fn local(&self, height: f32) -> Local {
        let height = height.clamp(0.0, TOP);
        let rayleigh = RAYLEIGH * (-height / RAYLEIGH_HEIGHT).exp();
        let mie = self.mie * (-height / (HAZE_HEIGHT / 1_000.0)).exp();
        let ozone = OZONE * (1.0 - (height - 25.0).abs() / 15.0).max(0.0);
        Local { rayleigh, mie, extinction: rayleigh + mie * (1.0 + MIE_ABSORPTION) + ozone }
    }

    fn optical_depth(&self, height: f32, up: f32) -> Vec3 {
        const STEPS: usize = 32;
        let length = to_top(height, up);
        let mut sum = Vec3::ZERO;
        for step in 0..STEPS {
            // Steps are shorter near the start, where the air is denser.
            let [near, far] = [step, step + 1].map(|edge| length * (edge as f32 / STEPS as f32).powi(2));
            sum += self.local(height_after(height, up, 0.5 * (near + far))).extinction * (far - near);
        }
        sum
    }

    /// Transmittance from the top of the atmosphere down to `height` along `up`; 0 through the ground.
    pub fn transmittance(&self, height: f32, up: f32) -> Vec3 {
        let low = horizon(height.max(0.0));
        if up <= low {
            return Vec3::ZERO;
        }
        let above = ((up - low) / (1.0 - low)).sqrt();
        read(&self.transmittance, ANGLES, HEIGHTS, [above, (height.max(0.0) / TOP).sqrt()])
    }

    /// Fraction of sunlight that arrives at `height`; the sun is a disc of half a degree.
    pub fn sunlight(&self, height: f32, up: f32) -> Vec3 {
        const RADIUS: f32 = 0.004_65;
        let low = horizon(height.max(0.0));
        let risen = ((up - low) / (2.0 * RADIUS) + 0.5).clamp(0.0, 1.0);
        self.transmittance(height, up.max(low + 0.5 * RADIUS)) * risen
    }

    fn multiple(&self, height: f32, sun: f32) -> Vec3 {
        let share = 0.5 * (1.0 + sun.signum() * sun.abs().sqrt());
        read(
            &self.multiple,
            MULTIPLE_ANGLES,
            MULTIPLE_HEIGHTS,
            [share, ((height - 0.05).max(0.0) / (TOP - 1.0)).sqrt()],
        )
    }

    /// Multiple scattering at a height, as isotropic radiance.
    fn multiple_scattering(&self, height: f32, sun: f32) -> Vec3 {
        const STEPS: usize = 12;
        const ROWS: usize = 6;
        const TURNS: usize = 4;
        let (mut second, mut again) = (Vec3::ZERO, Vec3::ZERO);
        for index in 0..ROWS * TURNS {
            let up = 1.0 - 2.0 * ((index / TURNS) as f32 + 0.5) / ROWS as f32;
            let turn = PI * ((index % TURNS) as f32 + 0.5) / TURNS as f32;
            let along = (1.0 - up * up).sqrt() * turn.cos();
            let ground = to_ground(height, up);
            let length = ground.unwrap_or_else(|| to_top(height, up));
            let mut through = Vec3::ONE;
            for step in 0..STEPS {
                let [near, far] = [step, step + 1].map(|edge| length * (edge as f32 / STEPS as f32).powi(2));
                let middle = 0.5 * (near + far);
                let (high, sun_up) = self.along(height, up, along, sun, middle);
                let local = self.local(high);
                let scattering = local.rayleigh + local.mie;
                let passed = exp(-local.extinction * (far - near));
                let share = through * scattering * (Vec3::ONE - passed) / local.extinction.max(Vec3::splat(1e-9));
                second += share * self.sunlight(high, sun_up) / (4.0 * PI);
                again += share;
                through *= passed;
            }
            if ground.is_some() {
                let (_, sun_up) = self.along(height, up, along, sun, length);
                second += through * self.sunlight(0.0, sun_up) * sun_up.max(0.0) * ALBEDO / PI;
            }
        }
        let count = (ROWS * TURNS) as f32;
        (second / count) / (Vec3::ONE - again / count).max(Vec3::splat(0.05))
    }

    /// Height, and the sun's cosine from the zenith there, after `distance` along a ray; `along` is the ray's
    /// component along the sun's azimuth.
    fn along(&self, height: f32, up: f32, along: f32, sun: f32, distance: f32) -> (f32, f32) {
        let sun_along = (1.0 - sun * sun).max(0.0).sqrt();
        let high = height_after(height, up, distance);
        let start = GROUND + height;
        let towards = (start + distance * up) * sun + distance * along * sun_along;
        (high, (towards / (GROUND + high)).clamp(-1.0, 1.0))
    }

    /// Light scattered into a ray from `height` along `up`, `turn` radians from the sun's azimuth; the sun stands at
    /// `sun` (`up` and `sun` are cosines from the zenith). Rays end at the ground, which is black.
    pub fn scattered(&self, height: f32, up: f32, turn: f32, sun: f32) -> Scattered {
        const STEPS: usize = 20;
        let length = to_ground(height, up).unwrap_or_else(|| to_top(height, up));
        let level = (1.0 - up * up).max(0.0).sqrt();
        let along = level * turn.cos();
        let cosine = up * sun + along * (1.0 - sun * sun).max(0.0).sqrt();
        let phase = rayleigh_phase(cosine);
        let mut out = Scattered { through: Vec3::ONE, ..Default::default() };
        for step in 0..STEPS {
            let [near, far] = [step, step + 1].map(|edge| length * (edge as f32 / STEPS as f32).powi(2));
            let (high, sun_up) = self.along(height, up, along, sun, 0.5 * (near + far));
            let local = self.local(high);
            let passed = exp(-local.extinction * (far - near));
            let share = out.through * (Vec3::ONE - passed) / local.extinction.max(Vec3::splat(1e-9));
            let light = self.sunlight(high, sun_up);
            out.smooth += share * local.rayleigh * (light * phase + self.multiple(high, sun_up));
            out.smooth += share * local.mie * self.multiple(high, sun_up);
            out.mie += share * local.mie * light;
            out.through *= passed;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_scatter_all_there_is() {
        for phase in [rayleigh_phase, mie_phase] {
            let steps = 20_000;
            let sum: f32 = (0..steps).map(|step| phase(2.0 * (step as f32 + 0.5) / steps as f32 - 1.0)).sum();
            let whole = sum * 2.0 / steps as f32 * 2.0 * PI;
            assert!((whole - 1.0).abs() < 1e-3, "{whole}");
        }
    }

    #[test]
    fn rays_meet_ground_and_top_where_geometry_says() {
        assert!((to_top(0.0, 1.0) - TOP).abs() < 1e-3);
        assert!((to_ground(2.0, -1.0).unwrap() - 2.0).abs() < 1e-4);
        assert_eq!(to_ground(2.0, 0.0), None);
        let sea_horizon = (2.0f32 * (2.0 * GROUND + 2.0)).sqrt();
        assert!((to_ground(2.0, horizon(2.0) - 1e-6).unwrap() - sea_horizon).abs() < 1.5);
        assert!((height_after(0.0, 0.0, 100.0) - 0.786).abs() < 1e-2);
    }

    #[test]
    fn the_table_of_transmittance_holds_what_the_sum_gives() {
        let medium = Medium::new(40_000.0);
        for height in [0.0f32, 0.7, 5.0, 30.0] {
            for up in [0.01f32, 0.1, 0.5, 1.0] {
                let sum = exp(-medium.optical_depth(height, up));
                let table = medium.transmittance(height, up);
                assert!((sum - table).abs().max_element() < 0.03, "{height} km, {up}: {sum} against {table}");
            }
        }
    }

    #[test]
    fn nothing_shines_through_the_ground() {
        let medium = Medium::new(40_000.0);
        assert_eq!(medium.sunlight(0.5, -0.1), Vec3::ZERO);
        assert!(medium.sunlight(0.5, 0.1).min_element() > 0.0);
    }

    #[test]
    fn thicker_air_lets_less_through() {
        let (clear, hazy) = (Medium::new(100_000.0), Medium::new(10_000.0));
        assert!(hazy.transmittance(0.0, 0.5).y < 0.8 * clear.transmittance(0.0, 0.5).y);
        let tints = (tint(100_000.0), tint(10_000.0));
        assert!(tints.0.z > tints.1.z && tints.1.z > 1.0 && tints.0.x < tints.1.x && tints.1.x < 1.0);
    }
}
