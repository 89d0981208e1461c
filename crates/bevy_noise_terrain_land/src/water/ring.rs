//! The water beyond the chunks, to the horizon.
//!
//! Where no land is loaded there are no chunks whose grid could be used. A mesh fills the bounding box of the coarsest
//! drawn chunks, and strips extend from its sides to vertices at infinity: the water ends at the true horizon, whatever
//! the camera's far plane. Along the chunks it uses exactly their vertices, so there are no cracks.

use bevy::asset::RenderAssetUsages;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::light::NotShadowCaster;
use bevy::mesh::{Indices, MeshTag, PrimitiveTopology};
use bevy::prelude::*;

use super::surface::{WaterExtent, WaterSurface};
use crate::chunk::{CHUNK_QUADS, ChunkKey};
use crate::streaming::DrawnChunks;

/// The mesh tag of the ring, which has no slot; must match `water.wesl`.
pub const RING_TAG: u32 = 0xffff_ffff;

/// On a terrain with water: the mesh around its chunks.
#[derive(Component)]
pub struct Ring {
    /// The coarsest chunks that are covered, sorted.
    covered: Vec<ChunkKey>,
    /// The corner from which its vertices are counted.
    pub corner: ChunkKey,
    /// Used from the next frame on: a new mesh takes one frame to reach the renderer.
    next: Option<(Vec<ChunkKey>, ChunkKey, Handle<Mesh>)>,
    entity: Entity,
    material: Handle<super::material::WaterMaterial>,
}

/// Keeps a ring around the chunks of each terrain with water.
pub(super) fn update_horizon_ring(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut waters: Query<(Entity, &DrawnChunks, &WaterExtent, Option<&mut Ring>)>,
    dry: Query<(Entity, &Ring), Without<WaterExtent>>,
    surfaces: Query<(), With<WaterSurface>>,
) {
    for (terrain, ring) in &dry {
        commands.entity(ring.entity).try_despawn();
        commands.entity(terrain).remove::<Ring>();
    }
    for (terrain, drawn, extent, ring) in &mut waters {
        let covered = covered(drawn.keys());
        let Some(corner) = corner(&covered) else { continue };
        // One that the app has despawned is spawned again.
        if let Some(mut ring) = ring.filter(|ring| surfaces.contains(ring.entity)) {
            if ring.material != extent.material {
                ring.material = extent.material.clone();
                commands.entity(ring.entity).try_insert(MeshMaterial3d(extent.material.clone()));
            }
            if ring.next.is_some()
                && let Some((covered, corner, mesh)) = ring.next.take()
            {
                commands.entity(ring.entity).try_insert(Mesh3d(mesh));
                (ring.covered, ring.corner) = (covered, corner);
            }
            if ring.covered != covered {
                // A new mesh, so that the old one is drawn with its own corner until this one is there.
                let mesh = meshes.add(mesh(&covered, corner));
                ring.next = Some((covered, corner, mesh));
            }
            continue;
        }
        let mesh = Mesh3d(meshes.add(mesh(&covered, corner)));
        let material = extent.material.clone();
        let parts = (Name::new("Horizon water"), mesh, MeshMaterial3d(material.clone()), MeshTag::new(RING_TAG));
        let entity = commands.spawn((WaterSurface, parts, NoFrustumCulling, NotShadowCaster, ChildOf(terrain))).id();
        commands.entity(terrain).insert(Ring { covered, corner, next: None, entity, material });
    }
}

/// The ancestors of all drawn chunks at the coarsest drawn level, sorted. Each is drawn completely or not at all.
fn covered(drawn: &[ChunkKey]) -> Vec<ChunkKey> {
    let top = drawn.iter().map(|key| key.level).max().unwrap_or_default();
    let mut covered: Vec<ChunkKey> =
        drawn.iter().map(|key| ChunkKey::new(top, key.x >> (top - key.level), key.z >> (top - key.level))).collect();
    covered.sort_unstable();
    covered.dedup();
    covered
}

/// The cell with the least x and z.
fn corner(covered: &[ChunkKey]) -> Option<ChunkKey> {
    let first = covered.first()?;
    let z = covered.iter().map(|key| key.z).min()?;
    Some(ChunkKey::new(first.level, first.x, z))
}

/// Vertices are (x, 0, z) in quads of level 0 from the corner, or (x, 1, z) at infinity in the direction (x, z).
fn mesh(covered: &[ChunkKey], corner: ChunkKey) -> Mesh {
    let (positions, indices) = shape(covered, corner);
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_indices(Indices::U32(indices))
}

fn shape(covered: &[ChunkKey], corner: ChunkKey) -> (Vec<[f32; 3]>, Vec<u32>) {
    let quads = CHUNK_QUADS as i64;
    let step = (1u64 << corner.level) as f32;
    let [width, depth] = [
        covered.iter().map(|key| key.x - corner.x + 1).max().unwrap_or(1),
        covered.iter().map(|key| key.z - corner.z + 1).max().unwrap_or(1),
    ];
    let mut positions = Vec::new();
    let mut indices = Vec::new();
    let mut triangle = |corners: [[f32; 3]; 3]| {
        for position in corners {
            indices.push(positions.len() as u32);
            positions.push(position);
        }
    };
    let place = |x: i64, z: i64| [x as f32 * step, 0.0, z as f32 * step];
    // Cells of the box without a chunk: fans whose rims have the vertices of a chunk's edges.
    for (x, z) in (0..width).flat_map(|x| (0..depth).map(move |z| (x, z))) {
        if covered.binary_search(&ChunkKey::new(corner.level, corner.x + x, corner.z + z)).is_ok() {
            continue;
        }
        let (left, top) = (x * quads, z * quads);
        let middle = place(left + quads / 2, top + quads / 2);
        for i in 0..quads {
            let edges = [
                ((left + i, top), (left + i + 1, top)),
                ((left + i, top + quads), (left + i + 1, top + quads)),
                ((left, top + i), (left, top + i + 1)),
                ((left + quads, top + i), (left + quads, top + i + 1)),
            ];
            for (a, b) in edges {
                triangle([middle, place(a.0, a.1), place(b.0, b.1)]);
            }
        }
    }
    // Strips from the sides of the box, and the corners between them.
    let (right, bottom) = (width * quads, depth * quads);
    let far = |x: f32, z: f32| [x, 1.0, z];
    for i in 0..right {
        triangle([place(i, 0), place(i + 1, 0), far(0.0, -1.0)]);
        triangle([place(i, bottom), place(i + 1, bottom), far(0.0, 1.0)]);
    }
    for i in 0..bottom {
        triangle([place(0, i), place(0, i + 1), far(-1.0, 0.0)]);
        triangle([place(right, i), place(right, i + 1), far(1.0, 0.0)]);
    }
    for (x, z, at) in
        [(-1.0, -1.0, (0, 0)), (1.0, -1.0, (right, 0)), (-1.0, 1.0, (0, bottom)), (1.0, 1.0, (right, bottom))]
    {
        triangle([place(at.0, at.1), far(x, 0.0), far(0.0, z)]);
    }
    (positions, indices)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many triangles cover a point, in quads from the corner.
    fn covers(positions: &[[f32; 3]], point: [f32; 2]) -> usize {
        let inside = |triangle: &[[f32; 3]]| {
            // In homogeneous coordinates a vertex at infinity is a direction: w = 0.
            let [a, b, c] = [0, 1, 2].map(|i| Vec3::new(triangle[i][0], triangle[i][2], 1.0 - triangle[i][1]));
            let point = Vec3::new(point[0], point[1], 1.0);
            let whole = a.dot(b.cross(c)).signum();
            [(a, b), (b, c), (c, a)].iter().all(|(a, b)| point.dot(a.cross(*b)) * whole > 0.0)
        };
        positions.chunks(3).filter(|triangle| inside(triangle)).count()
    }

    #[test]
    fn every_place_without_a_chunk_is_covered_once_and_no_other() {
        // A cross of five: the corners of the box are empty.
        let cells = [(4, 8), (3, 9), (4, 9), (5, 9), (4, 10)];
        let drawn: Vec<ChunkKey> = cells.iter().map(|&(x, z)| ChunkKey::new(2, x, z)).collect();
        let covered = covered(&drawn);
        let corner = corner(&covered).unwrap();
        assert_eq!(corner, ChunkKey::new(2, 3, 8));
        let (positions, indices) = shape(&covered, corner);
        assert_eq!(indices.len(), positions.len());
        let cell = (CHUNK_QUADS as f32) * 4.0;
        for (x, z) in (-3i64..6).flat_map(|x| (-3i64..6).map(move |z| (x, z))) {
            let has_chunk = cells.contains(&(x + 3, z + 8));
            for [u, v] in [[0.31, 0.17], [0.77, 0.43], [0.501, 0.93]] {
                let point = [(x as f32 + u) * cell, (z as f32 + v) * cell];
                assert_eq!(covers(&positions, point), usize::from(!has_chunk), "{x}, {z}: {point:?}");
            }
        }
        assert_eq!(covers(&positions, [3.3e7, -1.7e7]), 1);
    }

    #[test]
    fn finer_chunks_count_for_the_coarsest_that_hold_them() {
        let children = ChunkKey::new(3, -1, 0).children().unwrap();
        let mut drawn = vec![ChunkKey::new(3, 0, 0), ChunkKey::new(3, 0, -1)];
        drawn.extend(children);
        drawn.extend(children[1].children().unwrap());
        assert_eq!(covered(&drawn), [(-1, 0), (0, -1), (0, 0)].map(|(x, z)| ChunkKey::new(3, x, z)));
        assert_eq!(covered(&[]), []);
        assert_eq!(corner(&[]), None);
    }
}
