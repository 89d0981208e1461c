//! Noise over time: camera shake, flickering light, anything that moves by itself.
//!
//! A [`Signal`] is smooth noise of one number, the time in seconds. [`Shake`] and [`Flicker`] are the two uses that
//! nearly every game has, and [`Drift`] takes noise in space to a place and a time: gusts that pass over grass,
//! clouds that change as they go.
//!
//! ```
//! use terrain_noise::signal::Signal;
//! let sway = Signal::new(7).frequency(0.5).octaves(3);
//! let angle = 0.1 * sway.at(12.5);
//! assert!(angle.abs() <= 0.1);
//! ```
//!
//! A signal is a few numbers, and needs no building: copy it, keep it in a component, write it to a file. The same
//! signal gives the same bits on every machine, so that server and clients see the same flicker.

mod drift;
mod flicker;
mod shake;

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
pub use drift::Drift;
pub use flicker::Flicker;
use serde::{Deserialize, Serialize};
pub use shake::{Shake, Shaken};

use crate::basis::Quintic;
use crate::basis::perlin::perlin;
use crate::error::{NoiseError, join, number};
use crate::lattice::{Key, derive};
use crate::real::Jet;

/// Keeps the seeds of channels apart from those of octaves.
const CHANNEL: u64 = 0x1_0000_0000;

/// Smooth noise over time: octaves of Perlin noise on a line, each twice as fast as the one before.
///
/// Values lie in -1 ..= 1 and average 0. Each octave starts at a time of its own, so a signal has no moment at which
/// it is certainly 0. Nothing repeats. The fields may hold anything: what is out of range counts as the nearest value
/// that is allowed, and [`validate`](Self::validate) names it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_reflect", reflect(Clone, Debug, PartialEq, Default, Serialize, Deserialize))]
pub struct Signal {
    /// Selects this signal among others: any two seeds give signals that move independently.
    pub seed: u64,
    /// Cells of the first octave per second, in Hz, [1e-6 ..= 1e6]: about as many swings to either side. Default: 1.
    pub frequency: f64,
    /// Number of octaves, [1 ..= 16]. Default: 1.
    pub octaves: u32,
    /// Factor of the amplitude from one octave to the next, [0 ..= 1]. Default: 0.5.
    pub persistence: f64,
}

impl Default for Signal {
    fn default() -> Self {
        Self::new(0)
    }
}

impl Signal {
    const FREQUENCY: [f64; 2] = [1e-6, 1e6];
    const OCTAVES: [u32; 2] = [1, 16];
    const PERSISTENCE: [f64; 2] = [0.0, 1.0];

    /// One octave at 1 Hz.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed, frequency: 1.0, octaves: 1, persistence: 0.5 }
    }

    /// Sets [`frequency`](Self::frequency), in Hz.
    #[must_use]
    pub const fn frequency(mut self, hertz: f64) -> Self {
        self.frequency = hertz;
        self
    }

    /// Sets the number of [`octaves`](Self::octaves): more of them make it nervous.
    #[must_use]
    pub const fn octaves(mut self, octaves: u32) -> Self {
        self.octaves = octaves;
        self
    }

    /// Sets [`persistence`](Self::persistence).
    #[must_use]
    pub const fn persistence(mut self, persistence: f64) -> Self {
        self.persistence = persistence;
        self
    }

    /// The same signal with other random numbers, for things that move alike but not together: the axes of a shake,
    /// the lamps of a street. Channels of channels are as different.
    ///
    /// ```
    /// use terrain_noise::signal::Signal;
    /// let sway = Signal::new(1).frequency(0.3);
    /// let [x, z] = [0, 1].map(|axis| sway.channel(axis).at(4.0));
    /// assert_ne!(x, z);
    /// ```
    #[must_use]
    pub const fn channel(mut self, channel: u64) -> Self {
        self.seed = derive(self.seed, CHANNEL.wrapping_add(channel));
        self
    }

    /// The value at a time in seconds, in -1 ..= 1.
    ///
    /// Exact for any time: the cell is found in 64 bits, and after thirty years at 60 frames a second the signal is as
    /// smooth as in the first. Beyond 2^50 cells, and where time is not a number, it stands still.
    #[must_use]
    pub fn at(&self, seconds: f64) -> f32 {
        self.at_with_rate(seconds).value
    }

    /// The value, with the bits of [`at`](Self::at), and its rate of change per second as the gradient.
    ///
    /// ```
    /// use terrain_noise::signal::Signal;
    /// let sway = Signal::new(1).frequency(2.0).octaves(3);
    /// let [before, after] = [4.999, 5.001].map(|t| f64::from(sway.at(t)));
    /// let rate = f64::from(sway.at_with_rate(5.0).gradient[0]);
    /// assert!((rate - (after - before) / 0.002).abs() < 1e-2);
    /// ```
    #[must_use]
    pub fn at_with_rate(&self, seconds: f64) -> Jet<1> {
        let Self { frequency, octaves, persistence, seed } = self.allowed();
        let (mut sum, mut rate, mut most) = (0.0f64, 0.0f64, 0.0f64);
        let (mut frequency, mut amplitude) = (frequency, 1.0);
        for k in 0..octaves {
            let seed = derive(seed, 1 + u64::from(k));
            // Where the lattice begins, so that octaves are not all 0 at once.
            let offset = (seed >> 12) as f64 / (1u64 << 52) as f64;
            let Jet { value, gradient } = perlin(&Key::new(seed), Quintic, [seconds * frequency + offset]);
            sum += amplitude * f64::from(value);
            rate += amplitude * frequency * f64::from(gradient[0]);
            most += amplitude;
            frequency *= 2.0;
            amplitude *= persistence;
        }
        Jet { value: (sum / most).clamp(-1.0, 1.0) as f32, gradient: [(rate / most) as f32] }
    }

    /// Checks the fields.
    ///
    /// # Errors
    /// The first field that is out of range, by name.
    ///
    /// ```
    /// use terrain_noise::signal::Signal;
    /// let error = Signal::new(1).octaves(40).validate().unwrap_err();
    /// assert_eq!(error.to_string(), "octaves: found 40, allowed is 1 to 16");
    /// ```
    pub fn validate(&self) -> Result<(), NoiseError> {
        check("", "frequency", self.frequency, Self::FREQUENCY, " Hz")?;
        check("", "octaves", self.octaves.into(), Self::OCTAVES.map(f64::from), "")?;
        check("", "persistence", self.persistence, Self::PERSISTENCE, "")
    }

    fn allowed(self) -> Self {
        let [least, most] = Self::OCTAVES;
        Self {
            frequency: nearest(self.frequency, Self::FREQUENCY),
            octaves: self.octaves.clamp(least, most),
            persistence: nearest(self.persistence, Self::PERSISTENCE),
            ..self
        }
    }
}

/// The nearest number in a range; the least one for what is not a number, which `clamp` would keep.
fn nearest(value: f64, [least, most]: [f64; 2]) -> f64 {
    value.max(least).min(most)
}

/// As [`nearest`], of 32 bits.
fn nearest_f32(value: f32, range: [f64; 2]) -> f32 {
    nearest(value.into(), range) as f32
}

fn check(path: &str, name: &str, found: f64, [least, most]: [f64; 2], unit: &str) -> Result<(), NoiseError> {
    if found >= least && found <= most {
        return Ok(());
    }
    let allowed = format!("{} to {}{unit}", number(least), number(most));
    Err(NoiseError::new(&join(path, name), number(found), allowed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::{Source, mix};

    /// Repeatable times, near and years away.
    fn times() -> impl Iterator<Item = f64> {
        (0..40_000u64).map(|i| (mix(i) as i64 as f64) / (1u64 << (28 + i % 30)) as f64)
    }

    #[test]
    fn values_stay_in_range_and_come_close_to_it() {
        for signal in [Signal::new(3), Signal::new(4).octaves(4), Signal::new(5).octaves(16).persistence(1.0)] {
            let most = times().map(|t| signal.at(t).abs()).fold(0.0, f32::max);
            assert!(most <= 1.0, "{signal:?}: {most}");
            // Many octaves hardly ever agree.
            let expected = if signal.octaves == 1 { 0.95 } else { 0.3 };
            assert!(most > expected, "{signal:?}: {most}");
            let mean = times().map(|t| f64::from(signal.at(t))).sum::<f64>() / 40_000.0;
            assert!(mean.abs() < 0.02, "{signal:?}: {mean}");
        }
    }

    #[test]
    fn after_thirty_years_it_agrees_with_exact_arithmetic() {
        let signal = Signal::new(9).frequency(60.0);
        let seed = derive(9, 1);
        let (key, offset) = (Key::new(seed), (seed >> 12) as f64 / (1u64 << 52) as f64);
        // Cells of 1/60 s: whole seconds and 1/256 s are exact.
        for (i, start) in (0..3_000i64).zip([0, 1_000_000_000, -1_000_000_000i64].into_iter().cycle()) {
            let part = (i * 7 % 256) as f64 / 256.0;
            let (whole, rest) = (start * 60, part * 60.0 + offset);
            let (cell, f) = (whole + rest.floor() as i64, rest - rest.floor());
            let slope = |cell: i64| 2.0 * key.value([cell]) as f64;
            let u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
            let (near, far) = (slope(cell) * f, slope(cell + 1) * (f - 1.0));
            let expected = near + u * (far - near);
            let found = f64::from(signal.at(start as f64 + part));
            // The last place of 6e10 cells is 7.6e-6 cells.
            let allowed = if start == 0 { 2e-6 } else { 4e-5 };
            assert!((found - expected).abs() < allowed, "{start} {part}: {found} {expected}");
        }
    }

    #[test]
    fn rates_are_those_of_differences() {
        let signal = Signal::new(2).frequency(3.0).octaves(4).persistence(0.7);
        let mut worst = 0.0f64;
        for i in 0..5_000 {
            let t = f64::from(i) * 0.0371 - 90.0;
            let rate = f64::from(signal.at_with_rate(t).gradient[0]);
            let [a, b] = [t - 1e-4, t + 1e-4].map(|t| f64::from(signal.at(t)));
            worst = worst.max((rate - (b - a) / 2e-4).abs());
            assert_eq!(signal.at(t), signal.at_with_rate(t).value);
        }
        assert!(worst < 1e-2, "{worst}");
    }

    #[test]
    fn channels_and_seeds_move_independently() {
        let signal = Signal::new(1).octaves(3);
        let all: Vec<Signal> = (0..4)
            .map(|channel| signal.channel(channel))
            .chain([signal, Signal::new(2).octaves(3), signal.channel(0).channel(0)])
            .collect();
        let series =
            |signal: &Signal| (0..8_000).map(|i| f64::from(signal.at(f64::from(i) * 0.31))).collect::<Vec<_>>();
        let all: Vec<_> = all.iter().map(series).collect();
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        for i in 0..all.len() {
            for j in 0..i {
                let together =
                    product(&all[i], &all[j]) / (product(&all[i], &all[i]) * product(&all[j], &all[j])).sqrt();
                assert!(together.abs() < 0.08, "{i} {j}: {together}");
            }
        }
    }

    #[test]
    fn anything_is_answered_and_what_is_wrong_is_named() {
        for (signal, field) in [
            (Signal::new(1).frequency(f64::NAN), "frequency: found NaN, allowed is 0.000001 to 1000000 Hz"),
            (Signal::new(1).frequency(0.0), "frequency: found 0, "),
            (Signal::new(1).frequency(f64::INFINITY), "frequency: found inf, "),
            (Signal::new(1).octaves(0), "octaves: found 0, "),
            (Signal::new(1).octaves(u32::MAX), "octaves: found 4294967295, "),
            (Signal::new(1).persistence(-1.0), "persistence: found -1, allowed is 0 to 1"),
            (Signal::new(1).persistence(f64::NAN), "persistence: found NaN, "),
        ] {
            let error = signal.validate().unwrap_err().to_string();
            assert!(error.starts_with(field), "{error}");
            for t in [0.0, 1.5, -1e300, 1e300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                let Jet { value, gradient } = signal.at_with_rate(t);
                assert!(value.abs() <= 1.0 && gradient[0].is_finite(), "{signal:?} {t}");
            }
        }
        assert!(Signal::default().validate().is_ok());
    }
}
