//! Things that come and go with chunks: a beacon stands in the middle of every chunk of the finest level.
//!
//! ```sh
//! cargo run --all-features --example chunk_events
//! ```
//!
//! The camera flies by itself, and the window's title counts the beacons. Colliders, navigation meshes or creatures are
//! attached in the same way.

use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::{ChunkKey, ChunkReady, ChunkRemoved};

/// Height of a beacon in metres.
const TALL: f32 = 12.0;

/// The direction of the flight, its speed in metres a second, and its height above the ground in metres.
const HEADING: Vec3 = Vec3::new(0.6, 0.0, -0.8);
const SPEED: f32 = 60.0;
const HEIGHT: f32 = 60.0;

/// What every beacon looks like.
#[derive(Resource)]
struct Look {
    mesh: Handle<Mesh>,
    material: Handle<StandardMaterial>,
}

/// The chunks that have a beacon.
#[derive(Resource, Default)]
struct Beacons(HashSet<ChunkKey>);

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, NoiseTerrainPlugin))
        .init_resource::<Beacons>()
        .add_systems(Startup, setup)
        .add_systems(Update, (fly, show_count.run_if(resource_changed::<Beacons>)))
        .add_observer(place_beacon)
        .add_observer(forget_beacon)
        .run();
}

fn setup(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, mut materials: ResMut<Assets<StandardMaterial>>) {
    commands.insert_resource(Look {
        mesh: meshes.add(Cuboid::new(1.0, TALL, 1.0)),
        material: materials.add(Color::srgb(1.0, 0.4, 0.0)),
    });
    commands.spawn(NoiseTerrain::default());
    commands.spawn(TerrainSun::default());
    let eye = Transform::default().looking_to(HEADING - 0.25 * Vec3::Y, Vec3::Y);
    commands.spawn((TerrainSkyView::default(), eye));
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
    beacons.0.insert(ready.key);
}

/// A chunk is about to leave: the moment to give back what is not its child.
fn forget_beacon(removed: On<ChunkRemoved>, mut beacons: ResMut<Beacons>) {
    beacons.0.remove(&removed.key);
}

fn show_count(beacons: Res<Beacons>, mut window: Single<&mut Window>) {
    window.title = format!("{} beacons", beacons.0.len());
}

fn fly(time: Res<Time>, terrain: TerrainQuery, mut eye: Single<&mut Transform, With<Camera3d>>) {
    let Some(surface) = terrain.surface() else { return };
    eye.translation += SPEED * time.delta_secs() * HEADING;
    let ground = surface.height(f64::from(eye.translation.x), f64::from(eye.translation.z)) as f32;
    eye.translation.y.smooth_nudge(&(ground + HEIGHT), 2.0, time.delta_secs());
}
