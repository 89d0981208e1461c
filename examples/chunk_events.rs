//! Things that come and go with chunks: a beacon stands in the middle of every chunk of the finest level.
//!
//! ```sh
//! cargo run --all-features --example chunk_events
//! ```
//!
//! W, A, S, D, E and Q fly; the right mouse button looks around. The window's title counts the beacons. Colliders,
//! navigation meshes or creatures are attached in the same way.

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::{ChunkReady, ChunkRemoved};

/// Height of a beacon in metres.
const TALL: f32 = 12.0;

/// What every beacon looks like.
#[derive(Resource)]
struct Look {
    mesh: Handle<Mesh>,
    material: Handle<StandardMaterial>,
}

/// How many beacons there are.
#[derive(Resource, Default)]
struct Beacons(u32);

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, FreeCameraPlugin, NoiseTerrainPlugin))
        .init_resource::<Beacons>()
        .add_systems(Startup, setup)
        .add_systems(Update, show_count.run_if(resource_changed::<Beacons>))
        .add_observer(place_beacon)
        .add_observer(forget_beacon)
        .run();
}

fn setup(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    commands.insert_resource(Look {
        mesh: meshes.add(Cuboid::new(1.0, TALL, 1.0)),
        material: materials.add(Color::srgb(1.0, 0.4, 0.0)),
    });
    let terrain = NoiseTerrain::default();
    let ground = terrain.surface()?.height(0.0, 0.0) as f32;
    let eye = Transform::from_xyz(0.0, ground + 60.0, 0.0).looking_to(Vec3::new(0.6, -0.25, -0.8), Vec3::Y);
    commands.spawn(terrain);
    commands.spawn(TerrainSun::default());
    commands.spawn((TerrainSkyView::default(), eye, FreeCamera { walk_speed: 60.0, run_speed: 400.0, ..default() }));
    Ok(())
}

/// A chunk is loaded. All levels are told of; the finest is there around viewers alone.
fn place_beacon(
    ready: On<ChunkReady>,
    mut commands: Commands,
    look: Res<Look>,
    terrain: TerrainQuery,
    settings: Single<&NoiseTerrain>,
    mut beacons: ResMut<Beacons>,
) {
    if ready.key.level > 0 {
        return;
    }
    let Some(surface) = terrain.surface() else { return };
    let square = ready.key.square(settings.lod.spacing);
    let middle = 0.5 * square.width;
    let height = surface.height(square.min[0] + middle, square.min[1] + middle) as f32;
    // A chunk's own origin is its corner of least x and z, at height 0. As its child, the beacon moves with the chunk, is
    // seen only while the chunk is, and is despawned with it.
    commands.spawn((
        ChildOf(ready.entity),
        Mesh3d(look.mesh.clone()),
        MeshMaterial3d(look.material.clone()),
        Transform::from_xyz(middle as f32, height + 0.5 * TALL, middle as f32),
    ));
    beacons.0 += 1;
}

/// A chunk is about to leave: the moment to give back what is not its child.
fn forget_beacon(removed: On<ChunkRemoved>, mut beacons: ResMut<Beacons>) {
    if removed.key.level == 0 {
        beacons.0 -= 1;
    }
}

fn show_count(beacons: Res<Beacons>, mut window: Single<&mut Window>) {
    window.title = format!("{} beacons", beacons.0);
}
