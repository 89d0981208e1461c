//! Detail normals: the normals that the next finer level would have.
//!
//! A chunk of level *l* has a map of 129² normals, two per quad along each axis, from the heights of
//! level *l* − 1. Where the chunk is not morphed it is shaded with them; as it morphs towards its
//! parent they fade to its own vertex normals, which are the detail normals of its parent. So shading is as
//! continuous across levels as the surface, and distant slopes keep ridges that their mesh has lost.
//!
//! The map stores the difference to the chunk's own interpolated normals, in steps of 1/170.

use super::heights::{ChunkHeights, SampleScratch};
use super::instructions::{self, Kernel};
use super::rows::{ROW, Samples};
use super::shade::{horizontal_normal, signed};
use super::vec_pool::PooledVec;
use crate::chunk::{CHUNK_QUADS, CHUNK_VERTICES, ChunkKey};
use crate::source::HeightSource;

/// Texels along a side of a chunk's map of detail normals.
pub const DETAIL_NORMAL_TEXELS: usize = 2 * CHUNK_QUADS + 1;
/// Texels of a slot; one is padding, for a size that is a multiple of four bytes.
pub const SLOT_TEXELS: usize = DETAIL_NORMAL_TEXELS * DETAIL_NORMAL_TEXELS + 1;
/// The greatest difference that can be stored, in components of a unit normal.
pub const DETAIL_NORMAL_SCALE: f32 = 0.75;

/// x and z of a detail normal minus those of the mesh's normal, in units of [`DETAIL_NORMAL_SCALE`] / 127.
pub type Texel = [i8; 2];

/// Steps of a component on either side of zero.
const STEPS: f32 = 127.0;
/// The length of rows of texels: two for each vertex of a [`ROW`], without those that only pad it.
const TEXEL_ROW: usize = 136;

/// The detail normals of chunk `key` with heights `own`, row-major with x fastest: [`SLOT_TEXELS`], of which the last is
/// padding. Heights of its children are sampled unless they are given.
///
/// Level 0 has none: no finer level exists.
pub fn detail_normals(
    source: &dyn HeightSource,
    key: ChunkKey,
    spacing: f64,
    own: &ChunkHeights,
    children: Option<&[ChunkHeights; 4]>,
    scratch: &mut SampleScratch,
) -> PooledVec<Texel> {
    let buffer = scratch.texels.take();
    let fine = match children {
        Some(children) => scratch.join_children(children, key, spacing),
        None => scratch.sample_fine(source, key, spacing),
    };
    instructions::run(Texels { own: &own.samples(key, spacing), fine: &fine, buffer })
}

/// The detail normals of a chunk with heights `own`; `fine` are those of its children.
pub(super) struct Texels<'a> {
    pub own: &'a Samples<'a>,
    pub fine: &'a Samples<'a>,
    /// For the texels; empty.
    pub buffer: PooledVec<Texel>,
}

impl Kernel for Texels<'_> {
    type Output = PooledVec<Texel>;

    #[inline(always)]
    fn run(self) -> PooledVec<Texel> {
        let Self { own, fine, buffer: mut texels } = self;
        texels.reserve(SLOT_TEXELS);
        // Normals of the chunk's rows before and after the current row of texels; both are the one that it lies on.
        let mut high = normals(own.gradients::<CHUNK_VERTICES, ROW>(0));
        let mut low = high;
        for j in 0..DETAIL_NORMAL_TEXELS {
            if j % 2 == 1 {
                high = normals(own.gradients::<CHUNK_VERTICES, ROW>(j / 2 + 1));
            } else {
                low = high;
            }
            let fine = normals(fine.gradients::<DETAIL_NORMAL_TEXELS, TEXEL_ROW>(j));
            let x = differences(&fine[0], &low[0], &high[0]);
            let z = differences(&fine[1], &low[1], &high[1]);
            let mut row = [0u16; TEXEL_ROW];
            for i in 0..TEXEL_ROW {
                row[i] = (x[i] as u16 & 0xFF | (z[i] as u16) << 8).to_le();
            }
            texels.extend_from_slice(bytemuck::cast_slice(&row[..DETAIL_NORMAL_TEXELS]));
        }
        texels.push(Texel::default());
        texels
    }
}

/// x and z of unit normals.
#[inline(always)]
fn normals<const N: usize>([dx, dz]: [[f32; N]; 2]) -> [[f32; N]; 2] {
    let [mut x, mut z] = [[0.0; N]; 2];
    for i in 0..N {
        [x[i], z[i]] = horizontal_normal([dx[i], dz[i]]);
    }
    [x, z]
}

/// A component of the fine normals minus that of the mesh, in steps. The mesh has one texel on each vertex and one
/// between; `low` and `high` are its rows before and after.
#[inline(always)]
fn differences(fine: &[f32; TEXEL_ROW], low: &[f32; ROW], high: &[f32; ROW]) -> [u32; TEXEL_ROW] {
    let mut mesh = [0.0; TEXEL_ROW];
    for i in 0..TEXEL_ROW / 2 {
        mesh[2 * i] = 0.25 * (low[i] + low[i] + high[i] + high[i]);
        mesh[2 * i + 1] = 0.25 * (low[i] + low[i + 1] + high[i] + high[i + 1]);
    }
    let mut steps = [0; TEXEL_ROW];
    for i in 0..TEXEL_ROW {
        steps[i] = signed((fine[i] - mesh[i]) / DETAIL_NORMAL_SCALE, STEPS);
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::build;
    use crate::source::NoiseSource;
    use crate::terrain::NoiseTerrain;

    fn source() -> NoiseSource {
        let terrain = NoiseTerrain::default();
        NoiseSource(terrain.noise.build(terrain.seed).unwrap())
    }

    fn texels_of(key: ChunkKey) -> PooledVec<Texel> {
        let mut scratch = SampleScratch::default();
        let own = ChunkHeights::sample(&source(), key, 1.0, &mut scratch);
        detail_normals(&source(), key, 1.0, &own, None, &mut scratch)
    }

    #[test]
    fn mesh_and_detail_normals_make_the_normals_of_the_finer_level() {
        let key = ChunkKey::new(3, 4, -7);
        let texels = texels_of(key);
        let mesh = |key| build(&source(), key, 1.0, 7, None, &mut SampleScratch::default()).0;
        let coarse = mesh(key);
        let [child, ..] = key.children().unwrap();
        let fine = mesh(child);
        let (mut off, mut coarse_off) = (0.0f32, 0.0f32);
        for j in 0..=CHUNK_QUADS {
            for i in 0..=CHUNK_QUADS {
                let side = CHUNK_QUADS + 1;
                let mesh = |i: usize, j: usize| coarse.vertices[j * side + i].shade.horizontal();
                let corners = [
                    mesh(i / 2, j / 2),
                    mesh(i.div_ceil(2), j / 2),
                    mesh(i / 2, j.div_ceil(2)),
                    mesh(i.div_ceil(2), j.div_ceil(2)),
                ];
                let wanted = fine.vertices[j * side + i].shade.horizontal();
                for axis in 0..2 {
                    let smooth = 0.25 * corners.iter().map(|corner| corner[axis]).sum::<f32>();
                    let detail = f32::from(texels[j * DETAIL_NORMAL_TEXELS + i][axis]) / 127.0 * DETAIL_NORMAL_SCALE;
                    off = off.max((smooth + detail - wanted[axis]).abs());
                    coarse_off = coarse_off.max((smooth - wanted[axis]).abs());
                }
            }
        }
        assert!(off < 0.005 && coarse_off > 0.05, "off by {off}, without detail normals by {coarse_off}");
    }

    #[test]
    fn heights_of_the_children_give_the_same_bits_as_sampling_them() {
        let mut scratch = SampleScratch::default();
        for key in [ChunkKey::new(1, 4, -6), ChunkKey::new(4, -1, 0)] {
            let own = ChunkHeights::sample(&source(), key, 1.0, &mut scratch);
            let child = |key| ChunkHeights::sample(&source(), key, 1.0, &mut scratch);
            let children = key.children().unwrap().map(child);
            let joined = detail_normals(&source(), key, 1.0, &own, Some(&children), &mut scratch);
            assert!(joined == texels_of(key), "{key:?}");
        }
    }

    #[test]
    fn neighbours_share_their_edge() {
        let (left, right) = (texels_of(ChunkKey::new(2, -1, 9)), texels_of(ChunkKey::new(2, 0, 9)));
        for j in 0..DETAIL_NORMAL_TEXELS {
            assert_eq!(left[j * DETAIL_NORMAL_TEXELS + DETAIL_NORMAL_TEXELS - 1], right[j * DETAIL_NORMAL_TEXELS]);
        }
    }
}
