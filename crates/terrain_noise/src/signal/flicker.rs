//! Light that flickers.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use serde::{Deserialize, Serialize};

use super::{Signal, check, nearest_f32};
use crate::error::NoiseError;
use crate::real::Jet;

/// The brightness of a flickering light: a flame, or a lamp that fails.
///
/// A signal between two levels becomes a brightness between `low` and 1, along a smooth step. Levels far apart make a
/// light that is never at rest; levels close together one that is steady, and then goes out for a moment.
///
/// ```
/// use terrain_noise::signal::Flicker;
/// let torch = Flicker::flame(3);
/// let brightness = 800.0 * torch.at(7.25);
/// assert!((400.0..=800.0).contains(&brightness));
/// ```
///
/// Give every torch a seed of its own, or a channel of one signal, as they would flicker in step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_reflect", reflect(Clone, Debug, PartialEq, Default, Serialize, Deserialize))]
pub struct Flicker {
    /// What it follows.
    pub signal: Signal,
    /// The least brightness, [0 ..= 1].
    pub low: f32,
    /// Level of the signal up to which the light has its least brightness, [-2 ..= 2].
    pub dark: f32,
    /// Level of the signal from which on it has its full brightness, [-2 ..= 2]. Below `dark` it counts as `dark`.
    pub bright: f32,
}

impl Default for Flicker {
    fn default() -> Self {
        Self::flame(0)
    }
}

impl Flicker {
    const LOW: [f64; 2] = [0.0, 1.0];
    const LEVEL: [f64; 2] = [-2.0, 2.0];

    /// A torch, a candle, a camp fire: between a half and full, never at rest.
    #[must_use]
    pub const fn flame(seed: u64) -> Self {
        Self { signal: Signal::new(seed).frequency(4.0).octaves(3), low: 0.5, dark: -0.9, bright: 0.6 }
    }

    /// A lamp that fails: steady, and dark for moments, a tenth of the time.
    #[must_use]
    pub const fn lamp(seed: u64) -> Self {
        let signal = Signal::new(seed).frequency(1.5).octaves(5).persistence(0.7);
        Self { signal, low: 0.0, dark: -0.17, bright: -0.1 }
    }

    /// Sets [`low`](Self::low).
    #[must_use]
    pub const fn low(mut self, low: f32) -> Self {
        self.low = low;
        self
    }

    /// Sets the signal's [`frequency`](Signal::frequency), in Hz.
    #[must_use]
    pub const fn frequency(mut self, hertz: f64) -> Self {
        self.signal.frequency = hertz;
        self
    }

    /// Sets the levels [`dark`](Self::dark) and [`bright`](Self::bright).
    #[must_use]
    pub const fn levels(mut self, dark: f32, bright: f32) -> Self {
        (self.dark, self.bright) = (dark, bright);
        self
    }

    /// The brightness at a time in seconds, `low ..= 1`.
    #[must_use]
    pub fn at(&self, seconds: f64) -> f32 {
        self.at_with_rate(seconds).value
    }

    /// The brightness, and its rate of change per second as the gradient.
    #[must_use]
    pub fn at_with_rate(&self, seconds: f64) -> Jet<1> {
        let low = nearest_f32(self.low, Self::LOW);
        let [dark, bright] = [self.dark, self.bright].map(|level| nearest_f32(level, Self::LEVEL));
        let width = (bright - dark).max(1e-6);
        let Jet { value, gradient } = self.signal.at_with_rate(seconds);
        let t = ((value - dark) / width).clamp(0.0, 1.0);
        let slope = (1.0 - low) * 6.0 * t * (1.0 - t) / width;
        // No more than 1, whatever rounding does.
        let value = (low + (1.0 - low) * (t * t * (3.0 - 2.0 * t))).min(1.0);
        Jet { value, gradient: [slope * gradient[0]] }
    }

    /// Checks the fields.
    ///
    /// # Errors
    /// The first field that is out of range, by its path.
    pub fn validate(&self) -> Result<(), NoiseError> {
        self.signal.validate().map_err(|error| error.below("signal"))?;
        check("", "low", self.low.into(), Self::LOW, "")?;
        check("", "dark", self.dark.into(), Self::LEVEL, "")?;
        check("", "bright", self.bright.into(), Self::LEVEL, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(flicker: Flicker) -> Vec<f32> {
        (0..30_000).map(|i| flicker.at(f64::from(i) / 60.0)).collect()
    }

    fn share(values: &[f32], of: impl Fn(f32) -> bool) -> f64 {
        values.iter().filter(|&&value| of(value)).count() as f64 / values.len() as f64
    }

    #[test]
    fn a_flame_is_never_at_rest_and_a_lamp_mostly_is() {
        let flame = series(Flicker::flame(1));
        assert!(flame.iter().all(|value| (0.5..=1.0).contains(value)));
        assert!(share(&flame, |value| value > 0.6 && value < 0.99) > 0.9);
        let lamp = series(Flicker::lamp(1));
        let (on, off) = (share(&lamp, |value| value == 1.0), share(&lamp, |value| value == 0.0));
        assert!((0.7..0.9).contains(&on) && (0.05..0.2).contains(&off), "{on} {off}");
    }

    #[test]
    fn rates_are_those_of_differences() {
        for flicker in [Flicker::flame(2), Flicker::lamp(2)] {
            let mut close = 0;
            for i in 0..4_000 {
                let t = f64::from(i) * 0.0137;
                let rate = f64::from(flicker.at_with_rate(t).gradient[0]);
                let [a, b] = [t - 1e-5, t + 1e-5].map(|t| f64::from(flicker.at(t)));
                close += i32::from((rate - (b - a) / 2e-5).abs() < 0.02 + 0.01 * rate.abs());
            }
            // Not where the step begins or ends in between.
            assert!(close > 3_960, "{flicker:?}: {close}");
        }
    }

    #[test]
    fn anything_is_answered_and_what_is_wrong_is_named() {
        let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 3.0, -3.0];
        for value in odd {
            for flicker in [
                Flicker { low: value, ..Flicker::flame(1) },
                Flicker { dark: value, ..Flicker::flame(1) },
                Flicker::lamp(1).levels(0.5, value),
            ] {
                assert!(flicker.validate().is_err());
                for t in [0.0, 0.3, f64::NAN, 1e300] {
                    let Jet { value, gradient } = flicker.at_with_rate(t);
                    assert!((0.0..=1.0).contains(&value) && gradient[0].is_finite(), "{flicker:?} {t}");
                }
            }
        }
        let error = Flicker::flame(1).frequency(-1.0).validate().unwrap_err();
        assert_eq!(error.to_string(), "signal.frequency: found -1, allowed is 0.000001 to 1000000 Hz");
        assert!(Flicker::lamp(0).levels(0.2, 0.1).validate().is_ok());
    }
}
