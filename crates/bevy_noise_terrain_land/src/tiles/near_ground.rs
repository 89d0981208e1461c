//! The ground close to a body, kept so that a body that moves on need not look into its tile every time: that memory is far
//! away.

use crate::chunk::{CHUNK_QUADS, ChunkKey};
use crate::mesh::ChunkHeights;
use crate::query::{Place, Triangle};

/// Vertices along one side.
const SIDE: usize = 4;

/// Heights of the finest land around a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearGround {
    /// The cell of its first quad.
    first: [f64; 2],
    /// Row by row, x fastest.
    heights: [[f32; SIDE]; SIDE],
}

impl NearGround {
    /// The ground around an absolute position within chunk `key` of level 0; `None` if it is not within.
    pub fn around(heights: &ChunkHeights, key: ChunkKey, spacing: f64, position: [f64; 2]) -> Option<Self> {
        let Place { quad, .. } = Place::new(position, spacing);
        let corner = [key.x, key.z].map(|cell| (cell * CHUNK_QUADS as i64) as f64);
        // A tile knows one vertex more on each side.
        let last = (CHUNK_QUADS + 2 - SIDE) as i32;
        let [x, z] = [0, 1].map(|axis| ((quad[axis] - corner[axis]) as i32 - 1).clamp(-1, last));
        let mut near =
            Self { first: [corner[0] + f64::from(x), corner[1] + f64::from(z)], heights: [[0.0; SIDE]; SIDE] };
        for (row, j) in near.heights.iter_mut().zip(z..) {
            for (height, i) in row.iter_mut().zip(x..) {
                *height = heights.vertex(i, j)?;
            }
        }
        near.triangle(spacing, position).is_some().then_some(near)
    }

    /// The triangle of the ground at an absolute position, as [`Surface`](crate::Surface) has it; `None` if it is too far away.
    pub fn triangle(&self, spacing: f64, position: [f64; 2]) -> Option<Triangle> {
        let place = Place::new(position, spacing);
        let [i, j] = [0, 1].map(|axis| place.quad[axis] - self.first[axis]);
        let quads = 0.0..(SIDE - 1) as f64;
        if !quads.contains(&i) || !quads.contains(&j) {
            return None;
        }
        let (i, j) = (i as usize, j as usize);
        let heights = place.corners().map(|[di, dj]| f64::from(self.heights[j + usize::from(dj)][i + usize::from(di)]));
        Some(Triangle::new(place, heights))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoiseTerrain;

    #[test]
    fn it_is_the_finest_land() {
        let surface = NoiseTerrain::default().surface().unwrap();
        for key in [ChunkKey::new(0, -3, 12), ChunkKey::new(0, 1_000_000, -70_000)] {
            let heights = ChunkHeights::sample(surface.source(), key, 1.0, &mut Default::default());
            let [x, z] = key.first_quad().map(|quad| quad as f64);
            for (u, v) in [(0.0, 0.0), (63.9, 0.3), (17.25, 40.75), (63.999, 63.999), (1.0, 62.5)] {
                let near = NearGround::around(&heights, key, 1.0, [x + u, z + v]).unwrap();
                // Wherever it knows a height, it is that of the land.
                let mut known = 0;
                for step in 0..36 {
                    let at = [x + u + f64::from(step % 6) * 0.7 - 2.0, z + v + f64::from(step / 6) * 0.7 - 2.0];
                    if let Some(triangle) = near.triangle(1.0, at) {
                        assert_eq!(triangle.height(), surface.height(at[0], at[1]), "{at:?}");
                        known += 1;
                    }
                }
                assert!(known >= 9, "{known}");
            }
            assert!(NearGround::around(&heights, key, 1.0, [x + 70.0, z]).is_none());
        }
    }
}
