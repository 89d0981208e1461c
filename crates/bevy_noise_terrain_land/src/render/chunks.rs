//! Render components of chunk entities.

use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::NoAutoAabb;
use bevy::mesh::MeshTag;
use bevy::prelude::*;

use super::material::{OwnMaterial, TerrainMaterial};
use super::pool::VertexPool;
use super::render_layers::DrawnPart;
use crate::chunk::TerrainChunk;
use crate::quality::QualityInUse;
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
            Mesh3d(pool.grid(chunk.key.level, state.half_meshes()).clone()),
            MeshTag::new(chunk.slot),
            Aabb::from_min_max(Vec3::new(0.0, chunk.min_height, 0.0), Vec3::new(width, chunk.max_height, width)),
            // Bevy would compute the bounds of the flat grid mesh.
            NoAutoAabb,
            Visibility::Hidden,
        ));
        if !own_material {
            commands.entity(entity).insert(MeshMaterial3d(material(pool, chunk).clone()));
        }
    }
}

/// Takes the material of chunks away when their terrain gets an [`OwnMaterial`], and gives it back when that goes.
pub(super) fn follow_own_material(
    mut commands: Commands,
    added: Query<Entity, Added<OwnMaterial>>,
    mut removed: RemovedComponents<OwnMaterial>,
    terrains: Query<(&VertexPool, &Children, Has<OwnMaterial>)>,
    chunks: Query<&TerrainChunk>,
) {
    for terrain in added.iter().chain(removed.read()) {
        let Ok((pool, children, has_own_material)) = terrains.get(terrain) else { continue };
        for entity in children {
            let Ok(chunk) = chunks.get(*entity) else { continue };
            let mut entity = commands.entity(*entity);
            if has_own_material {
                entity.try_remove::<MeshMaterial3d<TerrainMaterial>>();
            } else {
                entity.try_insert(MeshMaterial3d(material(pool, chunk).clone()));
            }
        }
    }
}

/// The material of a chunk. Until pipelines for holes are ready, none is seen.
fn material<'a>(pool: &'a VertexPool, chunk: &TerrainChunk) -> &'a Handle<TerrainMaterial> {
    if chunk.has_holes && pool.draws_holes { &pool.holed_material } else { &pool.material }
}

/// Changes the material of chunks whose first hole has come, or whose last one has gone.
pub(super) fn update_materials(
    changed: Query<Entity, Changed<TerrainChunk>>,
    terrains: Query<(Ref<VertexPool>, &Children), Without<OwnMaterial>>,
    pools: Query<&VertexPool, Without<OwnMaterial>>,
    mut chunks: Query<(&TerrainChunk, &ChildOf, &mut MeshMaterial3d<TerrainMaterial>)>,
) {
    if !pools.iter().any(|pool| pool.draws_holes) {
        // What has changed is looked at once they can be drawn.
        return;
    }
    let of_changed_pools =
        terrains.iter().filter(|(pool, _)| pool.is_changed()).flat_map(|(_, children)| children.iter());
    for entity in changed.iter().chain(of_changed_pools) {
        let Ok((chunk, parent, mut own)) = chunks.get_mut(entity) else { continue };
        let Ok(pool) = pools.get(parent.parent()) else { continue };
        let wanted = material(pool, chunk);
        if own.0 != *wanted {
            own.0 = wanted.clone();
        }
    }
}

/// Changes the meshes of chunks when half meshes are drawn from now on, or no longer.
pub(super) fn update_meshes(
    terrains: Query<(&VertexPool, &TerrainState, &Children)>,
    mut chunks: Query<(&TerrainChunk, &mut Mesh3d)>,
    quality: Res<QualityInUse>,
) {
    if !quality.is_changed() {
        return;
    }
    for (pool, state, children) in &terrains {
        for child in children {
            if let Ok((chunk, mut mesh)) = chunks.get_mut(*child) {
                mesh.set_if_neq(Mesh3d(pool.grid(chunk.key.level, state.half_meshes()).clone()));
            }
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

/// Shows the chunks of the drawn set, and hides all others.
pub(super) fn update_visibility(
    terrains: Query<&DrawnChunks, Changed<DrawnChunks>>,
    mut chunks: Query<(Entity, &TerrainChunk, &ChildOf, &mut Visibility)>,
    states: Query<&TerrainState>,
) {
    // The app may have hidden or shown some. (It has the visibility of the terrain for that.)
    for (entity, chunk, parent, mut visibility) in chunks.iter_mut().filter(|(.., visibility)| visibility.is_changed())
    {
        if let Ok(state) = states.get(parent.parent()) {
            let is_drawn = state.draws(chunk.key, entity);
            visibility.set_if_neq(if is_drawn { Visibility::Inherited } else { Visibility::Hidden });
        }
    }
    for drawn in &terrains {
        for (list, wanted) in [(drawn.vanishing(), Visibility::Hidden), (drawn.appearing(), Visibility::Inherited)] {
            for &entity in list {
                if let Ok((.., mut visibility)) = chunks.get_mut(entity) {
                    *visibility = wanted;
                }
            }
        }
    }
}
