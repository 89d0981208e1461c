//! A split screen: one terrain, detailed around two players who are 20 km apart.
//!
//! ```sh
//! cargo run --all-features --example two_viewers
//! ```

use bevy::camera::Viewport;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;

/// A player, who flies by itself.
#[derive(Component)]
struct Player {
    /// 0 is the left half of the window, 1 the right.
    half: u32,
    heading: Vec3,
}

/// Metres a second, and metres above the ground.
const SPEED: f32 = 60.0;
const HEIGHT: f32 = 60.0;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, NoiseTerrainPlugin))
        .add_systems(Startup, setup)
        .add_systems(Update, (split_window, fly))
        .run();
}

fn setup(mut commands: Commands) {
    // Twice as much is in view: twice the usual memory keeps the usual detail.
    let mut terrain = NoiseTerrain::default();
    terrain.streaming.memory_mb *= 2;
    commands.spawn(terrain);
    commands.spawn(TerrainSun::default());
    for (half, x, heading) in [(0, 0.0, Vec3::new(0.6, 0.0, -0.8)), (1, 20_000.0, Vec3::new(-0.8, 0.0, 0.6))] {
        commands.spawn((
            Player { half, heading },
            // Without any `TerrainViewer`, both cameras would count as well, as would every other that draws to a window.
            TerrainViewer,
            TerrainSkyView::default(),
            Camera { order: half as isize, ..default() },
            Transform::from_xyz(x, 0.0, 0.0).looking_to(heading - 0.1 * Vec3::Y, Vec3::Y),
        ));
    }
}

/// Gives each player one half of the window, whatever its size becomes.
fn split_window(window: Single<&Window, Changed<Window>>, mut players: Query<(&Player, &mut Camera)>) {
    let half = (window.physical_size() / UVec2::new(2, 1)).max(UVec2::ONE);
    for (player, mut camera) in &mut players {
        let physical_position = UVec2::new(player.half * half.x, 0);
        camera.viewport = Some(Viewport { physical_position, physical_size: half, ..default() });
    }
}

/// Follows the land at a constant height. `TerrainQuery` knows it everywhere, loaded or not.
fn fly(time: Res<Time>, terrain: TerrainQuery, mut players: Query<(&Player, &mut Transform)>) {
    let Some(surface) = terrain.surface() else { return };
    for (player, mut transform) in &mut players {
        transform.translation += SPEED * time.delta_secs() * player.heading;
        let [x, z] = [transform.translation.x, transform.translation.z].map(f64::from);
        transform.translation.y = surface.height(x, z) as f32 + HEIGHT;
    }
}
