//! From a tile's heights to a collider.

use bevy::prelude::*;
use bevy_noise_terrain::CHUNK_VERTICES;
use bevy_rapier3d::parry::shape::{HeightField, HeightFieldCellStatus, HeightFieldFlags, SharedShape};
use bevy_rapier3d::parry::utils::Array2;
use bevy_rapier3d::prelude::*;

use crate::{TerrainColliders, TerrainTile};

/// The surface of a tile, around its middle: the triangles that are drawn, cut along the same diagonals.
pub fn tile_shape(tile: &TerrainTile) -> SharedShape {
    let width = tile.width() as f32;
    let heights = Array2::new(CHUNK_VERTICES, CHUNK_VERTICES, tile.columns());
    let scale = Vec3::new(width, 1.0, width);
    let mut field = HeightField::with_flags(heights, scale, HeightFieldFlags::FIX_INTERNAL_EDGES);
    // Parry's own diagonal is the other one.
    let rows_and_columns = CHUNK_VERTICES - 1;
    for column in 0..rows_and_columns {
        for row in 0..rows_and_columns {
            field.set_cell_status(row, column, HeightFieldCellStatus::ZIGZAG_SUBDIVISION);
        }
    }
    SharedShape::new(field)
}

/// Makes a tile a fixed body.
pub(crate) fn add_collider(
    added: On<Add, TerrainTile>,
    tiles: Query<&TerrainTile>,
    settings: Res<TerrainColliders>,
    mut commands: Commands,
) {
    let Ok(tile) = tiles.get(added.entity) else { return };
    let collider = Collider::from(tile_shape(tile));
    commands.entity(added.entity).insert((RigidBody::Fixed, collider, settings.groups));
}
