//! A server: the same land, bit for bit, without a window and without a GPU. It prints figures for five seconds.
//!
//! ```sh
//! cargo run --all-features --example server
//! ```
//!
//! Here it is built together with the other examples. Your own server depends on `bevy_noise_terrain` with
//! `default-features = false`, and no renderer is even compiled.

use std::time::Duration;

use bevy::app::ScheduleRunnerPlugin;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::time::common_conditions::on_timer;
use bevy_noise_terrain::prelude::*;

/// Frames a second, and seconds until the end.
const RATE: f64 = 30.0;
const SECONDS: f32 = 5.0;

/// A rider, and its velocity in metres a second.
#[derive(Component)]
struct Rider(Vec3);

/// Metres of a rider's eyes above the ground.
const EYES: f64 = 2.4;

fn main() {
    let rate = ScheduleRunnerPlugin::run_loop(Duration::from_secs_f64(1.0 / RATE));
    App::new()
        .add_plugins((MinimalPlugins.set(rate), TransformPlugin, NoiseTerrainPlugin))
        .add_systems(Startup, setup)
        .add_systems(Update, (ride, report.run_if(on_timer(Duration::from_secs(1))), end).chain())
        .run();
}

fn setup(mut commands: Commands) {
    commands.spawn(NoiseTerrain::default());
    // A server has no cameras: `TerrainViewer` says where chunks are needed.
    for (x, speed) in [(-150.0, 14.0), (150.0, -11.0)] {
        commands.spawn((TerrainViewer, Rider(Vec3::new(speed, 0.0, 0.4 * speed)), Transform::from_xyz(x, 0.0, 0.0)));
    }
}

/// Riders stay on the ground. Heights are known everywhere, whether a chunk is loaded there or not.
fn ride(time: Res<Time>, terrain: TerrainQuery, mut riders: Query<(&Rider, &mut Transform)>) {
    let Some(surface) = terrain.surface() else { return };
    for (rider, mut transform) in &mut riders {
        transform.translation += time.delta_secs() * rider.0;
        let [x, z] = [transform.translation.x, transform.translation.z].map(f64::from);
        transform.translation.y = surface.height(x, z) as f32;
    }
}

/// Where the riders are, whether they see each other, and what the land costs.
fn report(
    time: Res<Time>,
    terrain: TerrainQuery,
    stats: Single<&TerrainStats>,
    riders: Query<&Transform, With<Rider>>,
) {
    let Some(surface) = terrain.surface() else { return };
    let eyes: Vec<DVec3> = riders.iter().map(|rider| rider.translation.as_dvec3() + EYES * DVec3::Y).collect();
    let [a, b] = eyes[..] else { return };
    let sight = match surface.raycast(a, b - a, a.distance(b)) {
        None => "in sight of each other".into(),
        Some(hit) => format!("with land in the way after {:.0} m", hit.distance),
    };
    println!(
        "{:.0} s: riders at heights of {:.1} m and {:.1} m, {:.0} m apart, {sight}; \
         {} chunks loaded, {} missing, {:.2} ms of the main thread a frame",
        time.elapsed_secs(),
        a.y - EYES,
        b.y - EYES,
        a.distance(b),
        stats.loaded,
        stats.missing,
        stats.main_ms,
    );
}

fn end(time: Res<Time>, mut exit: MessageWriter<AppExit>) {
    if time.elapsed_secs() > SECONDS + 0.5 {
        exit.write(AppExit::Success);
    }
}
