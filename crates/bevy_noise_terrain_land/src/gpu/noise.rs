//! The noise of `terrain_noise` in shaders: `import bevy_noise_terrain::noise;`.

use bevy::prelude::*;
use bevy::render::render_resource::ShaderType;
use bevy::shader::Shader;
use terrain_noise::shader::{PLANE_WORDS, SPACE_WORDS, ShaderNoise};

/// The shader library `bevy_noise_terrain::noise` as plain WGSL, for those who compose shaders themselves: put
/// it before your own code.
///
/// It hashes the same lattice points as [`terrain_noise`] to the same bits; values are within 1e-5 of it, slopes come
/// with them. A noise is a uniform or a storage buffer of the struct `Noise`, made from a
/// [`ShaderNoise`] by [`NoiseUniform`]. Octaves are taken one by one:
///
/// ```wesl
/// import bevy_noise_terrain::noise;
///
/// @group(constants::MATERIAL_BIND_GROUP) @binding(100) var<uniform> rust: noise::Noise;
///
/// // Value, and slopes along x and z, at a position in metres from the origin that the uniform was made for.
/// fn rust_at(position: vec2<f32>, footprint: f32) -> vec3<f32> {
///     var walk = noise::start(noise::place_at(position), footprint);
///     for (var octave = 0u; octave < rust.settings.octaves; octave += 1u) {
///         walk = noise::next(rust.settings, rust.octaves[octave], walk);
///     }
///     return noise::total(rust.settings, walk);
/// }
/// ```
///
/// `space_start`, `space_next` and `space_total` do the same in space, with a `SpaceNoise`. Where the basis is known,
/// `perlin_noise`, `simplex_noise` and the others save the choice. What [`ShaderNoise`] cannot take apart is told at
/// [`terrain_noise::shader`].
pub const NOISE_WGSL: &str = concat!(
    include_str!("noise/integer.wgsl"),
    include_str!("noise/lattice.wgsl"),
    include_str!("noise/place.wgsl"),
    include_str!("noise/plane.wgsl"),
    include_str!("noise/cellular.wgsl"),
    include_str!("noise/space.wgsl"),
    include_str!("noise/fractal.wgsl"),
);

/// A noise on the plane for a material: the struct `Noise` of [`NOISE_WGSL`].
///
/// ```
/// # use bevy_noise_terrain_land as bevy_noise_terrain;
/// # use bevy::prelude::*;
/// # use bevy::render::render_resource::AsBindGroup;
/// use bevy_noise_terrain::render::NoiseUniform;
/// use bevy_noise_terrain::terrain_noise::prelude::*;
///
/// #[derive(Asset, AsBindGroup, TypePath, Clone)]
/// struct Rusty {
///     #[uniform(100)]
///     rust: NoiseUniform,
/// }
///
/// let rust = simplex().fbm().octaves(6).feature_size(0.7).build(1)?.for_shader()?;
/// let material = Rusty { rust: NoiseUniform::new(&rust, [0.0, 0.0]) };
/// # let _ = material;
/// # Ok::<(), bevy_noise_terrain::terrain_noise::NoiseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, ShaderType)]
pub struct NoiseUniform {
    words: [UVec4; PLANE_WORDS / 4],
}

impl NoiseUniform {
    /// The noise around an origin in metres, x and z, as a [`TerrainOrigin`](crate::TerrainOrigin) has it. Make it anew
    /// when the origin moves.
    #[must_use]
    pub fn new(noise: &ShaderNoise, origin: [f64; 2]) -> Self {
        let words = noise.plane(origin);
        Self { words: std::array::from_fn(|i| UVec4::from_slice(&words[4 * i..])) }
    }
}

/// A noise in space for a material: the struct `SpaceNoise` of [`NOISE_WGSL`].
#[derive(Clone, Copy, Debug, PartialEq, ShaderType)]
pub struct SpaceNoiseUniform {
    words: [UVec4; SPACE_WORDS / 4],
}

impl SpaceNoiseUniform {
    /// The noise around an origin in metres, x, y and z.
    #[must_use]
    pub fn new(noise: &ShaderNoise, origin: [f64; 3]) -> Self {
        let words = noise.space(origin);
        Self { words: std::array::from_fn(|i| UVec4::from_slice(&words[4 * i..])) }
    }
}

/// Makes the library known to all shaders.
pub(super) fn add(world: &mut World) {
    let Some(mut shaders) = world.get_resource_mut::<Assets<Shader>>() else { return };
    let handle = shaders.add(Shader::from_wesl(NOISE_WGSL, "embedded://bevy_noise_terrain/noise.wesl"));
    // Its asset lives as long as the app, like those of `load_shader_library`.
    std::mem::forget(handle);
}
