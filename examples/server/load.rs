//! What the server has to do: times, memory and the crowd's state, once a second and at the end.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use avian3d::prelude::*;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::time::common_conditions::on_timer;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain_avian::{BodyLifted, TerrainTile, TerrainTileSystems};
use serde::Serialize;

use crate::crowd::Wanderer;

/// When the server ends, and the file that it writes then.
#[derive(Resource, Clone, Debug)]
pub struct Plan {
    pub seconds: u32,
    pub json: Option<PathBuf>,
}

/// Metres of a body's eyes above its middle.
const EYES: f64 = 0.7;

/// Times of the ticks since the start, and what else was counted.
#[derive(Resource, Default)]
pub struct Load {
    began: Option<Instant>,
    tick: Duration,
    physics: Vec<Duration>,
    terrain: Vec<Duration>,
    /// Ticks told of already.
    told: usize,
    lifted: usize,
    /// Sum over all seconds of the bodies below the ground.
    below: usize,
    figures: Option<Figures>,
}

/// The load of a run; milliseconds of a tick.
#[derive(Clone, Serialize)]
struct Figures {
    bodies: usize,
    ticks: usize,
    below_ground: usize,
    lifted: usize,
    tiles: usize,
    /// The engine's own time and that of the tiles beside it: the half of the ticks, 99 of 100, the most.
    physics_ms: [f64; 3],
    terrain_ms: [f64; 3],
    chunks: u32,
    streaming_ms: f32,
    memory_mb: Option<f64>,
}

/// Adds the clocks, and tells what they say.
pub fn measure(app: &mut App) {
    use TerrainTileSystems::{Gather, GatherMoved, Lift, Update as Tiles};
    app.init_resource::<Load>()
        .add_observer(|_: On<BodyLifted>, mut load: ResMut<Load>| load.lifted += 1)
        .add_systems(
            FixedPostUpdate,
            (
                start.before(Gather).in_set(PhysicsSystems::Prepare),
                pause.after(Tiles).before(PhysicsSystems::StepSimulation),
                physics.after(PhysicsSystems::StepSimulation).before(GatherMoved),
                terrain.after(Lift),
            ),
        )
        .add_systems(Update, (tell.run_if(on_timer(Duration::from_secs(1))), end).chain());
}

fn start(mut load: ResMut<Load>) {
    load.began = Some(Instant::now());
}

/// The tiles are there: what follows is the engine's own time.
fn pause(mut load: ResMut<Load>) {
    let began = load.began.replace(Instant::now());
    load.tick = began.map_or(Duration::ZERO, |began| began.elapsed());
}

fn physics(mut load: ResMut<Load>) {
    if let Some(began) = load.began.replace(Instant::now()) {
        load.physics.push(began.elapsed());
    }
}

fn terrain(mut load: ResMut<Load>) {
    if let Some(began) = load.began.take() {
        let tick = load.tick + began.elapsed();
        load.terrain.push(tick);
    }
}

/// The half, 99 of 100, the most.
fn spread(ticks: &[Duration]) -> [f64; 3] {
    let mut ticks = ticks.to_vec();
    ticks.sort_unstable();
    [0.5, 0.99, 1.0].map(|share| {
        let at = (ticks.len().saturating_sub(1) as f64 * share) as usize;
        ticks.get(at).map_or(0.0, |tick| tick.as_secs_f64() * 1e3)
    })
}

/// Megabytes that the program holds; known on Linux.
fn memory_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().strip_suffix(" kB")?;
    Some(kilobytes.parse::<f64>().ok()? * 1.024e-3)
}

fn tell(
    time: Res<Time>,
    terrain: TerrainQuery,
    stats: Single<&TerrainStats>,
    crowd: Query<&Position, With<Wanderer>>,
    tiles: Query<(), With<TerrainTile>>,
    mut load: ResMut<Load>,
) {
    let Some(surface) = terrain.surface() else { return };
    let bodies: Vec<DVec3> = crowd.iter().map(|position| position.0.as_dvec3()).collect();
    let places: Vec<[f64; 2]> = bodies.iter().map(|body| [body.x, body.z]).collect();
    let grounds = surface.heights(&places);
    load.below += bodies.iter().zip(grounds).filter(|(body, ground)| body.y < *ground).count();
    let figures = |physics: &[Duration], ticks: &[Duration]| Figures {
        bodies: bodies.len(),
        ticks: ticks.len(),
        below_ground: load.below,
        lifted: load.lifted,
        tiles: tiles.iter().count(),
        physics_ms: spread(physics),
        terrain_ms: spread(ticks),
        chunks: stats.loaded,
        streaming_ms: stats.main_ms,
        memory_mb: memory_mb(),
    };
    let now = figures(&load.physics[load.told..], &load.terrain[load.told..]);
    let sight = match bodies[..] {
        [a, b, ..] if surface.sees(a + EYES * DVec3::Y, b + EYES * DVec3::Y) => "see each other",
        _ => "do not see each other",
    };
    println!(
        "{:3.0} s: {} bodies ({} below the ground, {} lifted) on {} tiles; a tick: physics {:.2} ms, terrain {:.2} ms \
         (99 of 100: {:.2}, {:.2}); {} chunks, streaming {:.2} ms; {}; the first two {sight}",
        time.elapsed_secs(),
        now.bodies,
        now.below_ground,
        now.lifted,
        now.tiles,
        now.physics_ms[0],
        now.terrain_ms[0],
        now.physics_ms[1],
        now.terrain_ms[1],
        now.chunks,
        now.streaming_ms,
        now.memory_mb.map_or("memory unknown".into(), |memory| format!("{memory:.0} MB")),
    );
    let whole = figures(&load.physics, &load.terrain);
    load.figures = Some(whole);
    load.told = load.terrain.len().min(load.physics.len());
}

/// Ends the app, and writes the load of the whole run.
fn end(time: Res<Time>, plan: Res<Plan>, load: Res<Load>, mut exit: MessageWriter<AppExit>) {
    if time.elapsed_secs() < plan.seconds as f32 + 0.5 {
        return;
    }
    let written = plan.json.as_ref().map_or(Ok(()), |file| {
        let json = serde_json::to_string_pretty(&load.figures).map_err(|error| error.to_string())?;
        fs::write(file, json).map_err(|error| format!("{}: {error}", file.display()))
    });
    match written {
        Ok(()) => exit.write(AppExit::Success),
        Err(error) => {
            eprintln!("{error}");
            exit.write(AppExit::error())
        }
    };
}
