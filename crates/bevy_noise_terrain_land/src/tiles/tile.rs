//! A tile: a square of the finest land.

use std::sync::Arc;

use bevy::prelude::*;

use crate::chunk::{CHUNK_VERTICES, ChunkKey};
use crate::edits::Outline;
use crate::mesh::ChunkHeights;
use crate::query::ChunkGround;
use crate::source::HeightSource;

/// A square of the finest land near bodies: an entity, child of its terrain. Its transform is at its middle, at height 0.
///
/// It never changes. Where the land does, it is despawned and another one spawned in the same tick. Add what belongs to
/// it, such as colliders, with an observer for `On<Add<TerrainTile>>`.
#[derive(Component, Clone)]
#[component(immutable)]
pub struct TerrainTile {
    terrain: Entity,
    key: ChunkKey,
    spacing: f64,
    heights: ChunkHeights,
    holes: Arc<[Arc<Outline>]>,
    /// The land, for volumes.
    source: Arc<dyn HeightSource>,
}

impl TerrainTile {
    pub(super) fn new(
        terrain: Entity,
        key: ChunkKey,
        spacing: f64,
        heights: ChunkHeights,
        holes: Vec<Arc<Outline>>,
        source: Arc<dyn HeightSource>,
    ) -> Self {
        Self { terrain, key, spacing, heights, holes: holes.into(), source }
    }

    /// The terrain it is of.
    pub fn terrain(&self) -> Entity {
        self.terrain
    }

    /// The chunk of level 0 that it covers.
    pub fn key(&self) -> ChunkKey {
        self.key
    }

    /// Metres between neighbouring vertices.
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// Its width in metres.
    pub fn width(&self) -> f64 {
        self.key.width(self.spacing)
    }

    /// Metres by which a collider of the tile must reach beyond its borders, where it stands in the scene with this transform.
    /// The positions of neighbours are rounded, and a ray along their common border must not pass between them: 0.1 mm near the
    /// scene's origin, 2 mm at 8 km.
    pub fn overlap(&self, transform: &GlobalTransform) -> f32 {
        let (translation, scale) = (transform.translation(), transform.scale().abs());
        let width = self.width() as f32;
        let farthest = translation.x.abs().max(translation.z.abs()) + width * scale.max_element();
        // Half a unit in the last place for each neighbour and for the ray, and one to spare.
        2.0 * f32::EPSILON * farthest / scale.x.min(scale.z) + 1e-6 * width
    }

    /// Whether some of its land is not there: [`mesh`](Self::mesh) has what is left, while heights go on through holes.
    pub fn has_holes(&self) -> bool {
        !self.holes.is_empty()
    }

    pub(super) fn holes(&self) -> &[Arc<Outline>] {
        &self.holes
    }

    /// The land that it covers.
    pub(super) fn ground(&self) -> ChunkGround<'_> {
        ChunkGround { key: self.key, heights: &self.heights, spacing: self.spacing }
    }

    /// The land without volumes.
    pub(super) fn source(&self) -> &dyn HeightSource {
        self.source.as_ref()
    }

    /// Heights in metres of its [`CHUNK_VERTICES`](crate::CHUNK_VERTICES) rows, in the order of z; each has as many, in the
    /// order of x.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.heights.rows()
    }

    /// Heights in metres of its [`CHUNK_VERTICES`](crate::CHUNK_VERTICES)² vertices, z fastest: the order in which the height
    /// fields of parry, the library of shapes below Avian and Rapier, have them.
    pub fn columns(&self) -> Vec<f32> {
        let mut columns = vec![0.0; CHUNK_VERTICES * CHUNK_VERTICES];
        for (z, row) in self.rows().enumerate() {
            for (column, &height) in columns.chunks_exact_mut(CHUNK_VERTICES).zip(row) {
                column[z] = height;
            }
        }
        columns
    }

    /// Height in metres of vertex (`x`, `z`), each from −1 to [`CHUNK_QUADS`](crate::CHUNK_QUADS) + 1: a tile knows the next
    /// vertices of its neighbours.
    pub fn vertex(&self, x: i32, z: i32) -> Option<f32> {
        self.heights.vertex(x, z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoiseTerrain;

    #[test]
    fn tiles_overlap_by_more_than_rounding() {
        let heights = ChunkHeights::flat(0.0);
        let source = NoiseTerrain::default().heights().unwrap();
        let tile = TerrainTile::new(Entity::PLACEHOLDER, ChunkKey::new(0, 0, 0), 0.7, heights, Vec::new(), source);
        for (x, scale) in [(0.0, 1.0), (-5_000.3, 1.0), (5_000.3, 0.01), (90_000.7, 30.0)] {
            let place = Transform::from_xyz(x, -300.0, 0.0).with_scale(Vec3::splat(scale));
            let overlap = tile.overlap(&place.into()) * scale;
            let unit = (x.abs().next_up() - x.abs()).max(1e-6 * scale);
            assert!(overlap > 1.5 * unit && overlap < 6.0 * unit + 2e-4 * scale, "{overlap} at {x}, a unit is {unit}");
        }
    }

    #[test]
    fn a_tile_is_the_finest_land() {
        let surface = NoiseTerrain::default().surface().unwrap();
        let key = ChunkKey::new(0, -3, 12);
        let heights = ChunkHeights::sample(surface.source(), key, 1.0, &mut Default::default());
        let [x, z] = key.first_quad().map(|quad| quad as f64);
        let tile = TerrainTile::new(
            Entity::PLACEHOLDER,
            key,
            1.0,
            heights,
            Vec::new(),
            crate::NoiseTerrain::default().heights().unwrap(),
        );
        let rows: Vec<&[f32]> = tile.rows().collect();
        assert_eq!((rows.len(), rows[64].len()), (CHUNK_VERTICES, CHUNK_VERTICES));
        for (i, j) in [(0, 0), (64, 3), (12, 64)] {
            assert_eq!(f64::from(rows[j][i]), surface.height(x + i as f64, z + j as f64));
            assert_eq!(tile.vertex(i as i32, j as i32), Some(rows[j][i]));
            assert_eq!(tile.columns()[i * CHUNK_VERTICES + j], rows[j][i]);
        }
        assert_eq!(tile.vertex(-1, 65).map(f64::from), Some(surface.height(x - 1.0, z + 65.0)));
        assert_eq!((tile.vertex(-2, 0), tile.vertex(0, 66)), (None, None));
    }
}
