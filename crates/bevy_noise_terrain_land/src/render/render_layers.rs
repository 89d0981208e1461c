//! Propagates the render layers of a terrain to everything that is drawn for it.

use bevy::camera::visibility::RenderLayers;
use bevy::pbr::wireframe::NoWireframe;
use bevy::prelude::*;

use crate::streaming::TerrainState;

/// Marks what is drawn for a terrain: its children and grandchildren. Bevy's wireframes would show the flat grids that vertex
/// shaders start from.
#[derive(Component, Default)]
#[require(NoWireframe)]
pub(crate) struct DrawnPart;

/// Copies the [`RenderLayers`] of terrains to their chunks, water and plants. (Visibility is inherited anyway.)
pub(super) fn propagate_render_layers(
    mut commands: Commands,
    terrains: Query<(Entity, Option<Ref<RenderLayers>>), With<TerrainState>>,
    mut removed: RemovedComponents<RenderLayers>,
    parents: Query<&ChildOf>,
    parts: Query<Entity, With<DrawnPart>>,
    added: Query<Entity, Added<DrawnPart>>,
) {
    let terrain_of = |part: Entity| parents.iter_ancestors(part).take(2).find_map(|parent| terrains.get(parent).ok());
    let cleared: Vec<Entity> = removed.read().filter(|&entity| terrains.contains(entity)).collect();
    let has_changed = |layers: &Option<Ref<RenderLayers>>| layers.as_ref().is_some_and(DetectChanges::is_changed);
    if cleared.is_empty() && !terrains.iter().any(|(_, layers)| has_changed(&layers)) {
        for part in &added {
            if let Some((_, Some(layers))) = terrain_of(part) {
                commands.entity(part).try_insert(RenderLayers::clone(&layers));
            }
        }
        return;
    }
    for part in &parts {
        match terrain_of(part) {
            Some((_, Some(layers))) => {
                commands.entity(part).try_insert(RenderLayers::clone(&layers));
            }
            Some((terrain, None)) if cleared.contains(&terrain) => {
                commands.entity(part).try_remove::<RenderLayers>();
            }
            _ => {}
        }
    }
}
