//! Detail normals: the normals that the next finer level would have.
//!
//! A chunk of level *l* has a map of 129² normals, two per quad along each axis, from the heights of
//! level *l* − 1. Where the chunk is not morphed it is shaded with them; as it morphs towards its
//! parent they fade to its own vertex normals, which are the detail normals of its parent. So shading is as
//! continuous across levels as the surface, and distant slopes keep ridges that their mesh has lost.
//!
//! The map stores the difference to the chunk's own interpolated normals, in steps of 1/170.

use terrain_noise::Scratch;

use super::shade::horizontal_normal;
use super::{OWN, apron_grid, fill, slope};
use crate::chunk::{CHUNK_QUADS, ChunkKey};
use crate::source::HeightSource;

/// Texels along a side of a chunk's map of detail normals.
pub const DETAIL_NORMAL_TEXELS: usize = 2 * CHUNK_QUADS + 1;
/// Texels of a slot; one is padding, for a size that is a multiple of four bytes.
pub const SLOT_TEXELS: usize = DETAIL_NORMAL_TEXELS * DETAIL_NORMAL_TEXELS + 1;
/// Samples along a side of the finer grid with its border.
const FINE: usize = DETAIL_NORMAL_TEXELS + 2;
/// The greatest difference that can be stored, in components of a unit normal.
pub const DETAIL_NORMAL_SCALE: f32 = 0.75;

/// x and z of a detail normal minus those of the mesh's normal, in units of [`DETAIL_NORMAL_SCALE`] / 127.
pub type Texel = [i8; 2];

/// Buffers for [`detail_normals`].
#[derive(Default)]
pub struct DetailNormalsScratch {
    own: Vec<f32>,
    fine: Vec<f32>,
}

/// The detail normals of chunk `key`, row-major with x fastest: [`SLOT_TEXELS`], of which the last is padding.
///
/// Level 0 has none: no finer level exists.
pub fn detail_normals(
    source: &dyn HeightSource,
    key: ChunkKey,
    spacing: f64,
    noise: &mut Scratch,
    scratch: &mut DetailNormalsScratch,
) -> Vec<Texel> {
    let own_spacing = key.vertex_spacing(spacing);
    let fine_spacing = 0.5 * own_spacing;
    let quads = CHUNK_QUADS as i64;
    fill(source, apron_grid(key.x * quads, key.z * quads, own_spacing, OWN), &mut scratch.own, noise);
    fill(source, apron_grid(2 * key.x * quads, 2 * key.z * quads, fine_spacing, FINE), &mut scratch.fine, noise);
    let own = |i: usize, j: usize| horizontal_normal(slope::<OWN>(&scratch.own, i, j, own_spacing));
    let mut texels = vec![Texel::default(); SLOT_TEXELS];
    for (j, row) in texels.chunks_exact_mut(DETAIL_NORMAL_TEXELS).enumerate() {
        for (i, texel) in row.iter_mut().enumerate() {
            let fine = horizontal_normal(slope::<FINE>(&scratch.fine, i, j, fine_spacing));
            let corners =
                [(i / 2, j / 2), (i.div_ceil(2), j / 2), (i / 2, j.div_ceil(2)), (i.div_ceil(2), j.div_ceil(2))];
            let corners = corners.map(|(i, j)| own(i, j));
            *texel = [0, 1].map(|axis| {
                let mesh = 0.25 * corners.iter().map(|corner| corner[axis]).sum::<f32>();
                ((fine[axis] - mesh) / DETAIL_NORMAL_SCALE * 127.0).round_ties_even().clamp(-127.0, 127.0) as i8
            });
        }
    }
    texels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{MeshScratch, build};
    use crate::source::NoiseSource;
    use crate::terrain::NoiseTerrain;

    #[test]
    fn mesh_and_detail_normals_make_the_normals_of_the_finer_level() {
        let terrain = NoiseTerrain::default();
        let source = NoiseSource(terrain.noise.build(terrain.seed).unwrap());
        let key = ChunkKey::new(3, 4, -7);
        let texels = detail_normals(&source, key, 1.0, &mut Scratch::default(), &mut DetailNormalsScratch::default());
        let coarse = build(&source, key, 1.0, 7, &mut MeshScratch::default());
        let [child, ..] = key.children().unwrap();
        let fine = build(&source, child, 1.0, 7, &mut MeshScratch::default());
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
    fn neighbours_share_their_edge() {
        let terrain = NoiseTerrain::default();
        let source = NoiseSource(terrain.noise.build(terrain.seed).unwrap());
        let of = |x| {
            detail_normals(
                &source,
                ChunkKey::new(2, x, 9),
                1.0,
                &mut Scratch::default(),
                &mut DetailNormalsScratch::default(),
            )
        };
        let (left, right) = (of(-1), of(0));
        for j in 0..DETAIL_NORMAL_TEXELS {
            assert_eq!(left[j * DETAIL_NORMAL_TEXELS + DETAIL_NORMAL_TEXELS - 1], right[j * DETAIL_NORMAL_TEXELS]);
        }
    }
}
