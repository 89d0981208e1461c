//! Cameras that sleep while nobody looks at their pictures.

use bevy::prelude::*;
use bevy_noise_terrain::TerrainViewer;

/// Deactivates all cameras that are active, if viewers do not depend on them, and names them.
pub fn put_to_sleep(app: &mut App) -> Vec<Entity> {
    let world = app.world_mut();
    if world.query::<&TerrainViewer>().iter(world).next().is_none() {
        return Vec::new();
    }
    let mut cameras = world.query::<(Entity, &mut Camera)>();
    let mut asleep = Vec::new();
    for (entity, mut camera) in cameras.iter_mut(world).filter(|(_, camera)| camera.is_active) {
        camera.is_active = false;
        asleep.push(entity);
    }
    asleep
}

/// Activates cameras again.
pub fn wake(app: &mut App, asleep: Vec<Entity>) {
    for camera in asleep {
        if let Some(mut camera) = app.world_mut().get_mut::<Camera>(camera) {
            camera.is_active = true;
        }
    }
}
