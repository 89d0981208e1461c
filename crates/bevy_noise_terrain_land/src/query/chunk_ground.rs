//! The finest land of a chunk whose heights are known, without asking its source.

use super::surface::{SurfaceShade, shade_of};
use super::triangle::{Place, Triangle};
use crate::chunk::{CHUNK_QUADS, ChunkKey};
use crate::mesh::ChunkHeights;

/// The land of a chunk of level 0: what [`Surface`](crate::Surface) answers there, to the same bits.
#[derive(Clone, Copy)]
pub(crate) struct ChunkGround<'a> {
    pub key: ChunkKey,
    pub heights: &'a ChunkHeights,
    /// Metres between vertices.
    pub spacing: f64,
}

impl ChunkGround<'_> {
    /// Height at an absolute position; `None` if it is not in the chunk.
    pub fn height(&self, position: [f64; 2]) -> Option<f64> {
        let place = Place::new(position, self.spacing);
        let [x, z] = self.quad(&place)?;
        let mut heights = [0.0; 3];
        for (height, [i, j]) in heights.iter_mut().zip(place.corners()) {
            *height = f64::from(self.heights.vertex(x + i32::from(i), z + i32::from(j))?);
        }
        Some(Triangle::new(place, heights).height())
    }

    /// Normal and curvature at an absolute position; `None` if it is not in the chunk.
    pub fn shade(&self, position: [f64; 2]) -> Option<SurfaceShade> {
        let place = Place::new(position, self.spacing);
        let [x, z] = self.quad(&place)?;
        // A chunk knows one vertex around it.
        let at = |i: usize, j: usize| self.heights.vertex(x + i as i32 - 1, z + j as i32 - 1).unwrap_or_default();
        Some(shade_of(&place, self.spacing, at))
    }

    /// The quad of the chunk that a place lies in.
    fn quad(&self, place: &Place) -> Option<[i32; 2]> {
        let first = [self.key.x, self.key.z].map(|cell| (cell * CHUNK_QUADS as i64) as f64);
        let quad = [0, 1].map(|axis| place.quad[axis] - first[axis]);
        let within = 0.0..CHUNK_QUADS as f64;
        quad.iter().all(|quad| within.contains(quad)).then(|| quad.map(|quad| quad as i32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoiseTerrain;

    #[test]
    fn it_answers_as_the_surface_does() {
        let surface = NoiseTerrain::default().surface().unwrap();
        for key in [ChunkKey::new(0, -3, 12), ChunkKey::new(0, 1_000_000, -70_000)] {
            let heights = ChunkHeights::sample(surface.source(), key, 1.0, &mut Default::default());
            let ground = ChunkGround { key, heights: &heights, spacing: 1.0 };
            let [x, z] = key.first_quad().map(|quad| quad as f64);
            for step in 0..200 {
                let [u, v] = [0.754_877_666, 0.569_840_291].map(|share| 64.0 * (f64::from(step) * share).fract());
                let at = [x + u, z + v];
                assert_eq!(ground.height(at), Some(surface.height(at[0], at[1])), "{at:?}");
                let (own, other) = (ground.shade(at).unwrap(), surface.shade(at[0], at[1]));
                assert_eq!((own.horizontal, own.curvature), (other.horizontal, other.curvature), "{at:?}");
            }
            for [u, v] in [[0.0, 0.0], [63.999, 63.999]] {
                assert!(ground.shade([x + u, z + v]).is_some());
            }
            for [u, v] in [[-0.1, 5.0], [64.0, 5.0], [5.0, 64.5], [f64::NAN, 0.0]] {
                assert!(ground.height([x + u, z + v]).is_none() && ground.shade([x + u, z + v]).is_none());
            }
        }
    }
}
