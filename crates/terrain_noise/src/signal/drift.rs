//! Noise of the ground that moves and changes with time.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use serde::{Deserialize, Serialize};

/// How a noise over the ground moves and changes: gusts that pass over grass, clouds that evolve as they go.
///
/// The third axis of noise in space is the time: [`at`](Self::at) takes a place and a time to a position for
/// [`Sampler::sample_3d`](crate::Sampler::sample_3d), exactly, in 64 bits. With octaves, small features change as
/// many times faster as they are smaller, as gusts and clouds do.
///
/// ```
/// use terrain_noise::{prelude::*, signal::Drift};
/// // Fronts across the wind, four times as wide as they are deep, that pass at 9 m/s along x.
/// let gusts = perlin().fbm().octaves(3).feature_size(20.0).stretch(1.0, 4.0).build(1)?;
/// let wind = Drift::new([9.0, 0.0]).change(1.5);
/// let gust = |place, seconds| gusts.sample_3d(wind.at(place, seconds));
/// // Two seconds later, and 18 m further on, it is nearly the same gust.
/// assert!((gust([3.0, 7.0], 60.0) - gust([21.0, 7.0], 62.0)).abs() < 0.3);
/// # Ok::<(), NoiseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy_reflect", reflect(Clone, Debug, PartialEq, Default, Serialize, Deserialize))]
pub struct Drift {
    /// How fast the whole pattern moves along x and z, in m/s.
    pub velocity: [f64; 2],
    /// How fast it changes as it goes, in metres of the noise per second: a feature of `n` metres lives about
    /// `n / change` seconds. 0 moves a frozen pattern.
    pub change: f64,
}

impl Drift {
    /// A pattern that moves, and does not change.
    #[must_use]
    pub const fn new(velocity: [f64; 2]) -> Self {
        Self { velocity, change: 0.0 }
    }

    /// Sets [`change`](Self::change), in m/s.
    #[must_use]
    pub const fn change(mut self, metres_per_second: f64) -> Self {
        self.change = metres_per_second;
        self
    }

    /// The position in space, x, y and z, of a place x and z on the ground at a time in seconds.
    #[must_use]
    pub fn at(&self, place: [f64; 2], seconds: f64) -> [f64; 3] {
        let [x, z] = [0, 1].map(|axis| place[axis] - self.velocity[axis] * seconds);
        [x, self.change * seconds, z]
    }

    /// How fast a value changes at a place that stays, per second, from its slopes in space
    /// ([`Sampler::sample_jet`](crate::Sampler::sample_jet)). The slopes along x and z are those over the ground.
    #[must_use]
    pub fn rate(&self, [x, y, z]: [f32; 3]) -> f32 {
        let [vx, vz] = self.velocity.map(|metres| metres as f32);
        self.change as f32 * y - (vx * x + vz * z)
    }
}
