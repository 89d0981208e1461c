//! Render components of chunk entities.

use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::NoAutoAabb;
use bevy::mesh::MeshTag;
use bevy::prelude::*;

use super::material::OwnMaterial;
use super::pool::VertexPool;
use super::render_layers::DrawnPart;
use crate::chunk::TerrainChunk;
use crate::streaming::{DrawnChunks, TerrainState};

/// Inserts render components into new chunks; they stay hidden until they enter the drawn set.
pub(super) fn add_render_components(
    mut commands: Commands,
    chunks: Query<(Entity, &TerrainChunk, &ChildOf), Added<TerrainChunk>>,
    terrains: Query<(&VertexPool, &TerrainState, Has<OwnMaterial>)>,
) {
    for (entity, chunk, parent) in &chunks {
        let Ok((pool, state, own_material)) = terrains.get(parent.parent()) else { continue };
        let Some(spacing) = state.spacing_of(entity, chunk.key) else { continue };
        let width = chunk.key.width(spacing) as f32;
        commands.entity(entity).insert((
            DrawnPart,
            Mesh3d(pool.grid.clone()),
            MeshTag(chunk.slot),
            Aabb::from_min_max(Vec3::new(0.0, chunk.min_height, 0.0), Vec3::new(width, chunk.max_height, width)),
            // Bevy would compute the bounds of the flat grid mesh.
            NoAutoAabb,
            Visibility::Hidden,
        ));
        if !own_material {
            commands.entity(entity).insert(MeshMaterial3d(pool.material.clone()));
        }
    }
}

/// Fits the bounds of chunks that edits have changed.
pub(super) fn update_bounds(mut chunks: Query<(&TerrainChunk, &mut Aabb), Changed<TerrainChunk>>) {
    for (chunk, mut bounds) in &mut chunks {
        let (low, high) = (chunk.min_height, chunk.max_height);
        bounds.center.y = 0.5 * (low + high);
        bounds.half_extents.y = 0.5 * (high - low);
    }
}

/// Shows and hides chunks as they enter and leave the drawn set.
pub(super) fn update_visibility(
    terrains: Query<&DrawnChunks, Changed<DrawnChunks>>,
    mut chunks: Query<&mut Visibility, With<TerrainChunk>>,
) {
    for drawn in &terrains {
        for (list, visibility) in [(drawn.vanishing(), Visibility::Hidden), (drawn.appearing(), Visibility::Inherited)]
        {
            for &entity in list {
                if let Ok(mut of_chunk) = chunks.get_mut(entity) {
                    *of_chunk = visibility;
                }
            }
        }
    }
}
