//! Boxes around the drawn chunks.

use bevy::camera::visibility::Visibility;
use bevy::prelude::*;
use bevy_noise_terrain::{TerrainChunk, TerrainOrigin, TerrainState};

use super::TerrainPanel;

/// Draws the boxes if a panel shows them.
pub fn draw(
    panel: Res<TerrainPanel>,
    terrains: Query<(Entity, &TerrainState, &TerrainOrigin, &GlobalTransform)>,
    chunks: Query<(&TerrainChunk, &ChildOf, &Visibility)>,
    mut gizmos: Gizmos,
) {
    if !panel.shows_bounds() {
        return;
    }
    for (chunk, parent, visibility) in &chunks {
        let Ok((_, state, origin, transform)) = terrains.get(parent.parent()) else { continue };
        let Some(lod) = state.lod().filter(|_| *visibility != Visibility::Hidden) else { continue };
        let square = chunk.key.square(lod.spacing);
        let low = Vec3::new((square.min[0] - origin.x) as f32, chunk.min_height, (square.min[1] - origin.z) as f32);
        let size = Vec3::new(square.width as f32, chunk.max_height - chunk.min_height, square.width as f32);
        let place = Transform::from_translation(low + 0.5 * size).with_scale(size);
        gizmos.cube(*transform * place, color(chunk.key.level));
    }
}

/// A colour per level; neighbouring levels differ clearly.
fn color(level: u8) -> Color {
    Color::hsl((f32::from(level) * 137.5).rem_euclid(360.0), 0.9, 0.6)
}
