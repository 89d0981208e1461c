//! The plugin in its smallest use: add it, spawn a camera and a sun, and stand in mountains that never end.

use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, NoiseTerrainPlugin))
        .add_systems(Startup, sun)
        .add_systems(PostStartup, stand)
        .run();
}

fn sun(mut commands: Commands) {
    let slant = Transform::from_xyz(-1.0, 0.8, 0.2).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((DirectionalLight { shadow_maps_enabled: true, ..default() }, slant));
}

fn stand(mut commands: Commands, terrain: TerrainQuery) {
    let ground = terrain.surface().map_or(0.0, |surface| surface.height(0.0, 0.0) as f32);
    let eye = Transform::from_xyz(0.0, ground + 20.0, 0.0).looking_to(Vec3::new(1.0, -0.1, 1.0), Vec3::Y);
    commands.spawn((Camera3d::default(), eye));
}
