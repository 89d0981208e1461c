//! Shaking cameras.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use serde::{Deserialize, Serialize};

use super::{Signal, check};
use crate::error::NoiseError;

/// Camera shake: an offset and angles, each moving independently.
///
/// How hard it shakes is a number from 0 to 1 that your game keeps: raise it by what happens, let it fall by so much
/// a second. The shake grows with its square (Eiserloh, "Juicing your cameras with math", GDC 2016), so that little
/// things are felt and great ones are not too much.
///
/// ```
/// use terrain_noise::signal::Shake;
/// let shake = Shake::new(1);
/// // Each frame:
/// let (seconds, trauma) = (20.5, 0.6);
/// let shaken = shake.at(seconds, trauma);
/// assert!(shaken.offset[0].abs() <= 0.1 * 0.36);
/// assert_eq!(shake.at(seconds, 0.0).angles, [0.0; 3]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_reflect", reflect(Clone, Debug, PartialEq, Default, Serialize, Deserialize))]
pub struct Shake {
    /// What it follows: channels 0 to 2 for the offset, 3 to 5 for the angles.
    pub signal: Signal,
    /// The largest offset along x, y and z, in metres, [0 ..= 1000] each. Default: 0.1.
    pub offset: [f32; 3],
    /// The largest angles of pitch, yaw and roll, in radians, [0 ..= 3.2] each. Default: 0.03, 0.03 and 0.05.
    pub angles: [f32; 3],
}

/// How far a shake has moved a camera.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub struct Shaken {
    /// Along x, y and z, in metres, as the camera sees them.
    pub offset: [f32; 3],
    /// Pitch, yaw and roll, in radians.
    pub angles: [f32; 3],
}

impl Default for Shake {
    fn default() -> Self {
        Self::new(0)
    }
}

impl Shake {
    const OFFSET: [f64; 2] = [0.0, 1000.0];
    const ANGLE: [f64; 2] = [0.0, 3.2];

    /// A shake at 10 Hz.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        let signal = Signal::new(seed).frequency(10.0).octaves(2);
        Self { signal, offset: [0.1; 3], angles: [0.03, 0.03, 0.05] }
    }

    /// Sets the signal's [`frequency`](Signal::frequency), in Hz: about 1 for a ship, 20 for a hit.
    #[must_use]
    pub const fn frequency(mut self, hertz: f64) -> Self {
        self.signal.frequency = hertz;
        self
    }

    /// Sets the largest [`offset`](Self::offset), in metres.
    #[must_use]
    pub const fn offset(mut self, metres: [f32; 3]) -> Self {
        self.offset = metres;
        self
    }

    /// Sets the largest [`angles`](Self::angles), in radians.
    #[must_use]
    pub const fn angles(mut self, radians: [f32; 3]) -> Self {
        self.angles = radians;
        self
    }

    /// The shake at a time in seconds. `trauma` is how hard, 0 to 1; what is not a number counts as 0.
    #[must_use]
    pub fn at(&self, seconds: f64, trauma: f32) -> Shaken {
        let trauma = super::nearest_f32(trauma, [0.0, 1.0]);
        let strength = trauma * trauma;
        if strength == 0.0 {
            return Shaken::default();
        }
        let moved = |most: [f32; 3], range: [f64; 2], first: u64| {
            std::array::from_fn(|axis| {
                let signal = self.signal.channel(first + axis as u64);
                strength * super::nearest_f32(most[axis], range) * signal.at(seconds)
            })
        };
        Shaken { offset: moved(self.offset, Self::OFFSET, 0), angles: moved(self.angles, Self::ANGLE, 3) }
    }

    /// Checks the fields.
    ///
    /// # Errors
    /// The first field that is out of range, by its path.
    pub fn validate(&self) -> Result<(), NoiseError> {
        self.signal.validate().map_err(|error| error.below("signal"))?;
        for axis in 0..3 {
            check("offset", &axis.to_string(), self.offset[axis].into(), Self::OFFSET, " m")?;
        }
        for axis in 0..3 {
            check("angles", &axis.to_string(), self.angles[axis].into(), Self::ANGLE, " rad")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_moves_every_axis_on_its_own_and_no_further_than_allowed() {
        let shake = Shake::new(5).offset([0.1, 0.2, 0.0]).angles([0.01, 0.02, 0.03]);
        let mut most = [0.0f32; 6];
        for i in 0..20_000 {
            let Shaken { offset, angles } = shake.at(f64::from(i) / 60.0, 0.5);
            for (most, found) in most.iter_mut().zip(offset.into_iter().chain(angles)) {
                *most = most.max(found.abs());
            }
            assert!(offset[0] == 0.0 || offset[0] * 2.0 != offset[1]);
        }
        for (found, allowed) in most.into_iter().zip([0.1, 0.2, 0.0, 0.01, 0.02, 0.03]) {
            assert!(found <= 0.25 * allowed && found >= 0.6 * 0.25 * allowed, "{found} {allowed}");
        }
    }

    #[test]
    fn it_begins_and_ends_without_a_jump() {
        let shake = Shake::new(5);
        for trauma in [0.0, -1.0, f32::NAN] {
            assert_eq!(shake.at(3.21, trauma), Shaken::default());
        }
        assert_eq!(shake.at(3.21, 7.0), shake.at(3.21, 1.0));
        assert!(shake.at(3.21, 0.01).offset.iter().all(|offset| offset.abs() < 1e-4));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = Shake::new(1).angles([0.0, f32::NAN, 0.0]).validate().unwrap_err();
        assert_eq!(error.to_string(), "angles.1: found NaN, allowed is 0 to 3.2 rad");
        let error = Shake::new(1).offset([0.0, 0.0, -1.0]).validate().unwrap_err();
        assert_eq!(error.to_string(), "offset.2: found -1, allowed is 0 to 1000 m");
        let wild = Shake::new(1).angles([f32::NAN; 3]).offset([f32::INFINITY; 3]).at(1.0, 1.0);
        assert!(wild.offset.iter().chain(&wild.angles).all(|x| x.is_finite()));
        assert!(Shake::default().validate().is_ok());
    }
}
