//! Builds the vertices of a chunk from heights. Pure functions with caller-owned buffers.
//!
//! A chunk samples its own grid and the part of its parent's grid under it: each vertex has the height and normal
//! of both surfaces; the second is the morph target. Both grids have a border of one sample, so that normals come
//! from central differences and agree across chunk borders bit for bit.

mod detail_normals;
mod shade;

pub use detail_normals::{DetailNormalsScratch, SLOT_TEXELS, Texel, detail_normals};
pub use shade::Shade;

use bytemuck::{Pod, Zeroable};
use terrain_noise::{Grid, Scratch};

use crate::chunk::{CHUNK_QUADS, CHUNK_VERTICES, ChunkKey};
use crate::source::HeightSource;

/// Samples along one side of a chunk's own grid, with its border.
const OWN: usize = CHUNK_VERTICES + 2;
/// Samples along one side of the parent's grid under the chunk, with its border.
const PARENT: usize = CHUNK_QUADS / 2 + 3;

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

/// The vertices of one chunk, row-major with x fastest, [`CHUNK_VERTICES`]² of them.
#[derive(Clone, Debug, PartialEq)]
pub struct ChunkMesh {
    /// The vertices.
    pub vertices: Vec<Vertex>,
    /// Lowest of all heights, own and parent's.
    pub min_height: f32,
    /// Highest of all heights, own and parent's.
    pub max_height: f32,
}

impl ChunkMesh {
    /// Whether every height is finite.
    pub fn is_finite(&self) -> bool {
        // Infinities and NaN times zero are NaN, and so is the sum.
        self.vertices.iter().map(|vertex| 0.0 * vertex.height + 0.0 * vertex.parent_height).sum::<f32>() == 0.0
    }
}

/// Buffers for [`build`]. Reuse them to avoid allocations.
#[derive(Default)]
pub struct MeshScratch {
    /// The buffers of `terrain_noise`.
    pub noise: Scratch,
    own: Vec<f32>,
    parent: Vec<f32>,
}

/// Builds the chunk `key` of a terrain whose finest vertices are `spacing` metres apart.
///
/// `top` is the coarsest level: its chunks are their own morph targets.
pub fn build(source: &dyn HeightSource, key: ChunkKey, spacing: f64, top: u8, scratch: &mut MeshScratch) -> ChunkMesh {
    let own_spacing = key.vertex_spacing(spacing);
    fill(
        source,
        apron_grid(key.x * CHUNK_QUADS as i64, key.z * CHUNK_QUADS as i64, own_spacing, OWN),
        &mut scratch.own,
        &mut scratch.noise,
    );
    let mut vertices = vec![Vertex::default(); CHUNK_VERTICES * CHUNK_VERTICES];
    for (j, row) in vertices.chunks_exact_mut(CHUNK_VERTICES).enumerate() {
        for (i, vertex) in row.iter_mut().enumerate() {
            vertex.height = scratch.own[(j + 1) * OWN + i + 1];
            let own = &scratch.own;
            vertex.shade =
                Shade::new(slope::<OWN>(own, i, j, own_spacing), curvature_at::<OWN>(own, i, j, own_spacing));
        }
    }
    if key.level >= top {
        for vertex in &mut vertices {
            vertex.parent_height = vertex.height;
            vertex.parent_shade = vertex.shade;
        }
    } else {
        let half = (CHUNK_QUADS / 2) as i64;
        fill(
            source,
            apron_grid(key.x * half, key.z * half, 2.0 * own_spacing, PARENT),
            &mut scratch.parent,
            &mut scratch.noise,
        );
        morph_targets(&scratch.parent, 2.0 * own_spacing, &mut vertices);
    }
    let (min_height, max_height) = vertices.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(min, max), vertex| {
        (min.min(vertex.height).min(vertex.parent_height), max.max(vertex.height).max(vertex.parent_height))
    });
    ChunkMesh { vertices, min_height, max_height }
}

/// `side`² samples that begin one sample before vertex (`x`, `z`).
fn apron_grid(x: i64, z: i64, spacing: f64, side: usize) -> Grid {
    Grid::new([x - 1, z - 1], spacing, [side, side])
}

fn fill(source: &dyn HeightSource, grid: Grid, heights: &mut Vec<f32>, noise: &mut Scratch) {
    heights.resize(grid.size[0] * grid.size[1], 0.0);
    source.fill(&grid, noise, heights);
}

/// Gradient (∂x, ∂z) at vertex (`i`, `j`) of a grid with a border, by central differences.
fn slope<const SIDE: usize>(heights: &[f32], i: usize, j: usize, spacing: f64) -> [f32; 2] {
    let at = |i: usize, j: usize| heights[j * SIDE + i];
    let scale = (0.5 / spacing) as f32;
    [(at(i + 2, j + 1) - at(i, j + 1)) * scale, (at(i + 1, j + 2) - at(i + 1, j)) * scale]
}

/// Curvature at vertex (`i`, `j`): the sum of the four slopes away from it, positive in hollows.
fn curvature_at<const SIDE: usize>(heights: &[f32], i: usize, j: usize, spacing: f64) -> f32 {
    let at = |i: usize, j: usize| heights[j * SIDE + i];
    let around = (at(i + 2, j + 1) + at(i, j + 1)) + (at(i + 1, j + 2) + at(i + 1, j));
    (around - 4.0 * at(i + 1, j + 1)) / spacing as f32
}

/// Sets the parent's surface at every vertex. Odd vertices lie in the middle of an edge, or of the diagonal from
/// lesser to greater x and z along which [`grid_indices`] splits each quad.
fn morph_targets(parent: &[f32], spacing: f64, vertices: &mut [Vertex]) {
    for j in 0..CHUNK_VERTICES {
        for i in 0..CHUNK_VERTICES {
            let (low_i, low_j, high_i, high_j) = (i / 2, j / 2, i.div_ceil(2), j.div_ceil(2));
            let height = |i: usize, j: usize| parent[(j + 1) * PARENT + i + 1];
            let gradient = |i: usize, j: usize| slope::<PARENT>(parent, i, j, spacing);
            let curvature = |i: usize, j: usize| curvature_at::<PARENT>(parent, i, j, spacing);
            let (low, high) = (gradient(low_i, low_j), gradient(high_i, high_j));
            let vertex = &mut vertices[j * CHUNK_VERTICES + i];
            vertex.parent_height = 0.5 * (height(low_i, low_j) + height(high_i, high_j));
            vertex.parent_shade = Shade::new(
                [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])],
                0.5 * (curvature(low_i, low_j) + curvature(high_i, high_j)),
            );
        }
    }
}

/// Indices of a chunk's triangles, counter-clockwise from above. At every level every quad is split along the
/// diagonal from lesser to greater x and z, so that the surface of the parent is known.
#[cfg(any(test, feature = "render"))]
pub fn grid_indices() -> Vec<u16> {
    let index = |i: usize, j: usize| (j * CHUNK_VERTICES + i) as u16;
    let quad = |i, j| {
        let (a, b, c, d) = (index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1));
        [a, d, c, a, c, b]
    };
    (0..CHUNK_QUADS).flat_map(|j| (0..CHUNK_QUADS).flat_map(move |i| quad(i, j))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::NoiseSource;
    use crate::terrain::NoiseTerrain;

    fn chunk(key: ChunkKey) -> ChunkMesh {
        let terrain = NoiseTerrain::default();
        let source = NoiseSource(terrain.noise.build(terrain.seed).unwrap());
        build(&source, key, 1.0, 7, &mut MeshScratch::default())
    }

    #[test]
    fn neighbours_share_their_edge_bit_for_bit() {
        let (left, right) = (chunk(ChunkKey::new(2, -1, 40)), chunk(ChunkKey::new(2, 0, 40)));
        for j in 0..CHUNK_VERTICES {
            assert_eq!(left.vertices[j * CHUNK_VERTICES + CHUNK_QUADS], right.vertices[j * CHUNK_VERTICES]);
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
        let indices = grid_indices();
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
        let mesh = build(&Plane, ChunkKey::new(0, 0, 0), 2.0, 3, &mut MeshScratch::default());
        let length = (1.0f32 + 0.75 * 0.75 + 1.0).sqrt();
        for vertex in mesh.vertices {
            for shade in [vertex.shade, vertex.parent_shade] {
                let [x, z] = shade.horizontal();
                assert!((x + 0.75 / length).abs() < 3e-4);
                assert!((z - 1.0 / length).abs() < 3e-4);
                assert_eq!(shade.curvature(), 0.0);
            }
        }
    }
}
