//! The render layers of a terrain, handed on to all that is drawn for it.

use bevy::camera::visibility::RenderLayers;
use bevy::prelude::*;

use crate::streaming::TerrainState;

/// Something that is drawn for a terrain: its child, or a child of one.
#[derive(Component, Default)]
pub(crate) struct DrawnPart;

/// Gives chunks, water and plants the [`RenderLayers`] of their terrain. (What hides the terrain hides them anyway: they
/// inherit its visibility.)
pub(super) fn propagate_render_layers(
    mut commands: Commands,
    terrains: Query<(Entity, Option<Ref<RenderLayers>>), With<TerrainState>>,
    mut removed: RemovedComponents<RenderLayers>,
    parents: Query<&ChildOf>,
    parts: Query<Entity, With<DrawnPart>>,
    fresh: Query<Entity, Added<DrawnPart>>,
) {
    let terrain_of = |part: Entity| parents.iter_ancestors(part).take(2).find_map(|parent| terrains.get(parent).ok());
    let bared: Vec<Entity> = removed.read().filter(|&entity| terrains.contains(entity)).collect();
    let has_changed = |layers: &Option<Ref<RenderLayers>>| layers.as_ref().is_some_and(DetectChanges::is_changed);
    if bared.is_empty() && !terrains.iter().any(|(_, layers)| has_changed(&layers)) {
        for part in &fresh {
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
            Some((terrain, None)) if bared.contains(&terrain) => {
                commands.entity(part).try_remove::<RenderLayers>();
            }
            _ => {}
        }
    }
}
