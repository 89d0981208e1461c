//! Sources of heights. The noise is one; anything else that returns heights can replace it.

use std::any::Any;
use std::sync::Arc;

use terrain_noise::{Grid, Sampler, Scratch};

/// Returns heights in metres over the infinite plane.
///
/// Must be a pure function of position and `footprint`: a chunk and its neighbour sample their shared
/// edge separately, and there are cracks unless they get the same bits. Called from many threads at once.
/// If it panics or returns a height that is not finite, that one chunk fails:
/// see [`ChunkFailed`](crate::ChunkFailed).
pub trait HeightSource: Any + Send + Sync {
    /// Fills `heights`, row-major with x fastest, at the positions of `grid`.
    ///
    /// Leave out detail finer than `grid.footprint`, or distant land will shimmer.
    fn fill(&self, grid: &Grid, scratch: &mut Scratch, heights: &mut [f32]);

    /// The height at one absolute position, as `fill` returns it for the same `footprint`.
    fn height(&self, position: [f64; 2], footprint: f64) -> f32;

    /// Fills `heights` at any absolute positions, as many as there are, as `height` returns them.
    ///
    /// Calls `height` for each unless a source knows better.
    fn fill_points(&self, positions: &[[f64; 2]], footprint: f64, scratch: &mut Scratch, heights: &mut [f32]) {
        let _ = scratch;
        for (height, &position) in heights.iter_mut().zip(positions) {
            *height = self.height(position, footprint);
        }
    }
}

/// Replaces [`NoiseTerrain::noise`](crate::NoiseTerrain::noise) on the same entity.
///
/// ```
/// # use bevy_noise_terrain_land as bevy_noise_terrain;
/// # use bevy_noise_terrain::{prelude::*, terrain_noise::{Grid, Scratch}};
/// struct Waves;
///
/// impl HeightSource for Waves {
///     fn fill(&self, grid: &Grid, _: &mut Scratch, heights: &mut [f32]) {
///         for (index, height) in heights.iter_mut().enumerate() {
///             let position = [grid.x(index % grid.size[0]), grid.z(index / grid.size[0])];
///             *height = self.height(position, grid.footprint);
///         }
///     }
///
///     fn height(&self, [x, z]: [f64; 2], _: f64) -> f32 {
///         // `sin` and `cos` of the standard library differ between systems.
///         (20.0 * libm::sin(x / 100.0) + 20.0 * libm::cos(z / 70.0)) as f32
///     }
/// }
///
/// let bundle = (NoiseTerrain::default(), TerrainSource::new(Waves));
/// ```
#[derive(bevy::prelude::Component, Clone)]
pub struct TerrainSource(pub Arc<dyn HeightSource>);

impl TerrainSource {
    /// Wraps a source.
    pub fn new(source: impl HeightSource) -> Self {
        Self(Arc::new(source))
    }
}

/// A noise as a source.
pub(crate) struct NoiseSource(pub Sampler);

impl HeightSource for NoiseSource {
    fn fill(&self, grid: &Grid, scratch: &mut Scratch, heights: &mut [f32]) {
        self.0.fill(grid, scratch, heights);
    }

    fn height(&self, position: [f64; 2], footprint: f64) -> f32 {
        self.0.sample_filtered(position, footprint)
    }

    fn fill_points(&self, positions: &[[f64; 2]], footprint: f64, scratch: &mut Scratch, heights: &mut [f32]) {
        self.0.fill_points(positions, footprint, scratch, heights);
    }
}
