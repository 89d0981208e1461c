//! Noise as pictures: clouds, marble, wood, a flow field, tileable textures.
//!
//! These map a value of a noise; where the value comes from is up to the caller.

use crate::Sampler;

/// The opacity of clouds, 0 to 1: clear where the noise stays below the threshold that `cover` sets, then
/// exponentially denser (after the DGL wiki).
///
/// `noise` is in -1 ..= 1, `cover` is the part of the sky that may be clouded, 0 to 1, and
/// `sharpness` how quickly a cloud thickens, about 1 (misty) to 20 (cut out).
///
/// ```
/// use terrain_noise::texture::cloud;
/// assert_eq!(cloud(-0.5, 0.5, 4.0), 0.0);
/// assert!(cloud(0.9, 0.5, 4.0) > cloud(0.2, 0.5, 4.0));
/// ```
#[must_use]
pub fn cloud(noise: f32, cover: f32, sharpness: f32) -> f32 {
    let over = (noise - (1.0 - 2.0 * cover)).max(0.0);
    1.0 - libm::expf(-over * sharpness)
}

/// Veins of marble, 0 to 1: `|sin(π·(along + power·turbulence) + π)|`, where `along` counts veins
/// across the picture and `turbulence` is a billowing noise.
#[must_use]
pub fn marble(along: f32, turbulence: f32, power: f32) -> f32 {
    libm::sinf(std::f32::consts::PI * (along + power * turbulence) + std::f32::consts::PI).abs()
}

/// Year rings of wood, 0 to 1, at a distance from the trunk's middle, in rings, bent by a noise.
#[must_use]
pub fn wood(distance: f32, noise: f32, power: f32) -> f32 {
    let ring = distance + power * noise;
    ring - libm::floorf(ring)
}

/// The direction of a flow at a point, in radians: the noise turned into an angle (Perlin's flow
/// field). `turns` is how many full turns the range of the noise makes.
#[must_use]
pub fn flow_angle(sampler: &Sampler, at: [f64; 2], turns: f32) -> f32 {
    sampler.sample(at) * turns * std::f32::consts::PI
}

/// The velocity of a flow without sources at a point: along the contour lines of the noise, as fast
/// as it is steep (Bridson's curl noise, 2007). Particles that drift in it neither gather nor thin out.
#[must_use]
pub fn curl(sampler: &Sampler, at: [f64; 2]) -> [f32; 2] {
    let [dx, dz] = sampler.sample_with_gradient(at, 0.0).gradient;
    [dz, -dx]
}

/// The point on a sphere at a longitude and a latitude in radians, for [`Sampler::sample_3d`]: a
/// planet without seams or poles.
///
/// ```
/// use terrain_noise::{prelude::*, texture::on_sphere};
/// let planet = simplex().fbm().feature_size(700.0).build(1)?;
/// let height = |longitude| planet.sample_3d(on_sphere(longitude, 0.3, 1000.0));
/// assert!((height(3.141592) - height(-3.141592)).abs() < 1e-3);
/// # Ok::<(), NoiseError>(())
/// ```
#[must_use]
pub fn on_sphere(longitude: f64, latitude: f64, radius: f64) -> [f64; 3] {
    let around = radius * libm::cos(latitude);
    [around * libm::cos(longitude), radius * libm::sin(latitude), around * libm::sin(longitude)]
}
