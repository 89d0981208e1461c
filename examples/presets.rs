//! Worlds from files: a flight over one of those in `assets/presets`, and keys that change the world.
//!
//! ```sh
//! cargo run --all-features --example presets
//! ```
//!
//! The keys 0 to 9 choose the world; the window's title names it. Edit its file meanwhile, and the land follows.

use bevy::prelude::*;
use bevy_noise_terrain::BoundPreset;
use bevy_noise_terrain::prelude::*;

const WORLDS: [(KeyCode, &str); 10] = [
    (KeyCode::Digit1, "islands"),
    (KeyCode::Digit2, "alps"),
    (KeyCode::Digit3, "canyon"),
    (KeyCode::Digit4, "dunes"),
    (KeyCode::Digit5, "hills"),
    (KeyCode::Digit6, "badlands"),
    (KeyCode::Digit7, "continents"),
    (KeyCode::Digit8, "tundra"),
    (KeyCode::Digit9, "alien"),
    (KeyCode::Digit0, "biomes"),
];

/// The direction of the flight, its speed in metres a second, and its height above ground or water in metres.
const HEADING: Vec3 = Vec3::new(0.6, 0.0, -0.8);
const SPEED: f32 = 40.0;
const HEIGHT: f32 = 120.0;

fn main() {
    App::new()
        // In your own app, `DefaultPlugins` alone finds your folder `assets`.
        .add_plugins((DefaultPlugins.set(examples_common::assets()), NoiseTerrainPlugin))
        .add_systems(Startup, setup)
        .add_systems(Update, (choose_world, fly))
        .run();
}

fn setup(mut commands: Commands, server: Res<AssetServer>, mut window: Single<&mut Window>) {
    // Until the file is read, and if it is refused, the terrain is what it is without.
    commands.spawn((NoiseTerrain::default(), world(WORLDS[0].1, &server, &mut window)));
    commands.spawn(TerrainSun::default());
    let eye = Transform::default().looking_to(HEADING - 0.15 * Vec3::Y, Vec3::Y);
    commands.spawn((TerrainSkyView::default(), eye));
}

/// Begins to load a world. Its terrain follows the file from then on.
fn world(name: &str, server: &AssetServer, window: &mut Window) -> BoundPreset {
    window.title = format!("{name} (0 to 9: another world)");
    BoundPreset(server.load(format!("presets/{name}.terrain.ron")))
}

fn choose_world(
    keys: Res<ButtonInput<KeyCode>>,
    server: Res<AssetServer>,
    mut preset: Single<&mut BoundPreset>,
    mut window: Single<&mut Window>,
) {
    for (key, name) in WORLDS {
        if keys.just_pressed(key) {
            **preset = world(name, &server, &mut window);
        }
    }
}

/// Flies straight on, at the same height above whatever land is there.
fn fly(
    time: Res<Time>,
    terrain: TerrainQuery,
    water: Query<&TerrainWater>,
    mut eye: Single<&mut Transform, With<Camera3d>>,
) {
    let Some(surface) = terrain.surface() else { return };
    eye.translation += SPEED * time.delta_secs() * HEADING;
    let ground = surface.height(f64::from(eye.translation.x), f64::from(eye.translation.z)) as f32;
    let level = water.iter().map(|water| water.level).fold(ground, f32::max);
    eye.translation.y.smooth_nudge(&(level + HEIGHT), 2.0, time.delta_secs());
}
