//! Builds the vertices of a chunk from heights. Pure functions with caller-owned buffers.
//!
//! A chunk has its own grid of heights and the part of its parent's grid under it: each vertex has the height and normal
//! of both surfaces; the second is the morph target. Both grids have a border of one sample, so that normals come
//! from central differences and agree across chunk borders bit for bit.

mod detail_normals;
mod heights;
mod instructions;
mod morph_targets;
#[cfg(test)]
mod reference;
mod rows;
mod shade;
mod vec_pool;
mod vertices;

pub use detail_normals::{SLOT_TEXELS, Texel, detail_normals};
pub use heights::{ChunkHeights, SampleScratch};
pub use shade::Shade;
pub use vec_pool::PooledVec;

use bytemuck::{Pod, Zeroable};

use crate::chunk::ChunkKey;
#[cfg(test)]
use crate::chunk::{CHUNK_QUADS, CHUNK_VERTICES};
use crate::source::HeightSource;
use vertices::Vertices;

/// A vertex with its morph target: 16 bytes, as the shader reads them. Its x and z follow from its index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Vertex {
    /// Height in metres.
    pub height: f32,
    /// Height of the parent's surface here: on its vertices, edges or diagonals.
    pub parent_height: f32,
    /// Unit normal and curvature.
    pub shade: Shade,
    /// Unit normal and curvature of the parent's surface here.
    pub parent_shade: Shade,
}

/// What a chunk is drawn from.
#[derive(Debug, PartialEq)]
pub struct ChunkMesh {
    /// The vertices, row-major with x fastest, [`CHUNK_VERTICES`](crate::CHUNK_VERTICES)² of them.
    pub vertices: PooledVec<Vertex>,
    /// Lowest of all heights, own and parent's.
    pub min_height: f32,
    /// Highest of all heights, own and parent's.
    pub max_height: f32,
    /// Whether every height is finite.
    pub is_finite: bool,
}

/// Builds the chunk `key` of a terrain whose finest vertices are `spacing` metres apart; with its heights, which other
/// chunks need as well.
///
/// `top` is the coarsest level: its chunks are their own morph targets. The parent is sampled unless its heights are
/// given.
pub fn build(
    source: &dyn HeightSource,
    key: ChunkKey,
    spacing: f64,
    top: u8,
    parent: Option<&ChunkHeights>,
    scratch: &mut SampleScratch,
) -> (ChunkMesh, ChunkHeights) {
    let buffer = scratch.vertices.take();
    let heights = ChunkHeights::sample(source, key, spacing, scratch);
    let parent = (key.level < top).then(|| match parent {
        Some(parent) => parent.under_child(key, spacing),
        None => scratch.sample_parent(source, key, spacing),
    });
    let vertices = Vertices { own: &heights.samples(key, spacing), parent: parent.as_ref(), buffer };
    (instructions::run(vertices), heights)
}

/// How many quads of a level lie along a side of one that is drawn. Half meshes draw every second vertex, except at the finest level,
/// whose surface is that of colliders and queries.
pub fn step(level: u8, half_meshes: bool) -> usize {
    if half_meshes && level > 0 { 2 } else { 1 }
}

/// Whether a quad of a half mesh is split between its second and fourth corner instead of its first and third, counter-clockwise
/// from that with the least x and z: along its higher diagonal, so that crests stay unbroken. As a quad morphs, it turns where it is
/// flat, which is not to be seen; and those of a chunk that has morphed turn as their parent's do.
pub fn is_turned([a, b, c, d]: [f32; 4]) -> bool {
    b + d > a + c
}

/// Indices of a grid of triangles with so many quads along a side, counter-clockwise from above. Every quad is split along the
/// diagonal from lesser to greater x and z, so that the surface of the parent is known.
#[cfg(any(test, feature = "render"))]
pub fn grid_indices(quads: usize) -> Vec<u16> {
    let index = |i: usize, j: usize| (j * (quads + 1) + i) as u16;
    let quad = |i, j| {
        let (a, b, c, d) = (index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1));
        [a, d, c, a, c, b]
    };
    (0..quads).flat_map(|j| (0..quads).flat_map(move |i| quad(i, j))).collect()
}

#[cfg(test)]
mod tests {
    use terrain_noise::{Grid, Scratch};

    use super::*;
    use crate::source::NoiseSource;
    use crate::terrain::NoiseTerrain;

    fn chunk(key: ChunkKey) -> ChunkMesh {
        let terrain = NoiseTerrain::default();
        let source = NoiseSource(terrain.noise.build(terrain.seed).unwrap());
        build(&source, key, 1.0, 7, None, &mut SampleScratch::default()).0
    }

    #[test]
    fn neighbours_share_their_edge_bit_for_bit() {
        let (left, right) = (chunk(ChunkKey::new(2, -1, 40)), chunk(ChunkKey::new(2, 0, 40)));
        for j in 0..CHUNK_VERTICES {
            assert_eq!(left.vertices[j * CHUNK_VERTICES + CHUNK_QUADS], right.vertices[j * CHUNK_VERTICES]);
        }
    }

    #[test]
    fn heights_of_the_parent_give_the_same_bits_as_sampling_it() {
        let terrain = NoiseTerrain::default();
        let source = NoiseSource(terrain.noise.build(terrain.seed).unwrap());
        let mut scratch = SampleScratch::default();
        for (x, z) in [(4, -6), (5, -6), (4, -7), (-5, 7)] {
            let key = ChunkKey::new(1, x, z);
            let parent = ChunkHeights::sample(&source, key.parent(), 1.0, &mut scratch);
            let alone = build(&source, key, 1.0, 7, None, &mut scratch).0;
            assert_eq!(build(&source, key, 1.0, 7, Some(&parent), &mut scratch).0, alone, "{key:?}");
        }
    }

    #[test]
    fn the_morph_target_is_the_parent_itself() {
        let key = ChunkKey::new(1, 5, -9);
        let (fine, coarse) = (chunk(key), chunk(key.parent()));
        // The chunk is the quarter of its parent with greater x and z, as both cells are odd.
        let (offset_i, offset_j) = (CHUNK_QUADS / 2, CHUNK_QUADS / 2);
        for j in (0..CHUNK_VERTICES).step_by(2) {
            for i in (0..CHUNK_VERTICES).step_by(2) {
                let fine = fine.vertices[j * CHUNK_VERTICES + i];
                let coarse = coarse.vertices[(offset_j + j / 2) * CHUNK_VERTICES + offset_i + i / 2];
                assert_eq!((fine.parent_height, fine.parent_shade), (coarse.height, coarse.shade));
            }
        }
    }

    #[test]
    fn odd_targets_lie_on_edges_and_diagonals() {
        let mesh = chunk(ChunkKey::new(0, 3, 3));
        let target = |i: usize, j: usize| mesh.vertices[j * CHUNK_VERTICES + i].parent_height;
        for (i, j) in [(1, 2), (31, 40), (63, 0)] {
            assert_eq!(target(i, j), 0.5 * (target(i - 1, j) + target(i + 1, j)));
            assert_eq!(target(j, i), 0.5 * (target(j, i - 1) + target(j, i + 1)));
        }
        assert_eq!(target(7, 9), 0.5 * (target(6, 8) + target(8, 10)));
    }

    #[test]
    fn a_vertex_is_sixteen_bytes_and_indices_fit() {
        assert_eq!(size_of::<Vertex>(), 16);
        let indices = grid_indices(CHUNK_QUADS);
        assert_eq!(indices.len(), CHUNK_QUADS * CHUNK_QUADS * 6);
        assert_eq!(usize::from(*indices.iter().max().unwrap()), CHUNK_VERTICES * CHUNK_VERTICES - 1);
    }

    #[test]
    fn normals_are_those_of_a_plane() {
        struct Plane;
        impl HeightSource for Plane {
            fn fill(&self, grid: &Grid, _: &mut Scratch, heights: &mut [f32]) {
                for (index, height) in heights.iter_mut().enumerate() {
                    *height = self.height([grid.x(index % grid.size[0]), grid.z(index / grid.size[0])], 0.0);
                }
            }
            fn height(&self, [x, z]: [f64; 2], _: f64) -> f32 {
                (0.75 * x - z) as f32
            }
        }
        let mesh = build(&Plane, ChunkKey::new(0, 0, 0), 2.0, 3, None, &mut SampleScratch::default()).0;
        let length = (1.0f32 + 0.75 * 0.75 + 1.0).sqrt();
        for &vertex in mesh.vertices.iter() {
            for shade in [vertex.shade, vertex.parent_shade] {
                let [x, z] = shade.horizontal();
                assert!((x + 0.75 / length).abs() < 3e-4);
                assert!((z - 1.0 / length).abs() < 3e-4);
                assert_eq!(shade.curvature(), 0.0);
            }
        }
    }
}
