//! Milliseconds of a tile over its heights, and of a tick beside the engine's own time.

use std::hint::black_box;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::ScatterMap;
use bevy_noise_terrain::terrain_noise::{Grid, Scratch};
use bevy_noise_terrain::tiles::{TerrainTile, TerrainTileSystems, TileAnchor};
use bevy_noise_terrain::{CHUNK_QUADS, CHUNK_VERTICES, ChunkKey};
use cpu_time::ThreadTime;

use crate::engine::{Ball, Engine};
use crate::world::{Random, app};

const BODIES: usize = 1_000;
const TICKS: usize = 1_500;
const SIDE: f64 = 2_000.0;

/// The time that the terrain's systems took in each tick.
#[derive(Resource)]
struct Clock {
    epoch: Instant,
    began: Option<[Duration; 2]>,
    now: [Duration; 2],
    /// Of each tick: by the wall, and the main thread's own, which leaves out what other threads do to it.
    ticks: Vec<[Duration; 2]>,
}

/// The main thread's own time so far.
fn own_time() -> Duration {
    ThreadTime::now().as_duration()
}

/// Adds the clock around what happens before the engine's step and around what happens after it. Other systems do not run
/// at the same time, as every schedule here has one thread.
fn time<E: Engine>(app: &mut App) {
    use TerrainTileSystems::{Gather, GatherMoved, Lift, Update};
    // Each is a system of its own, as each has its own place.
    let (start, stop) = (Clock::start, Clock::stop);
    app.insert_resource(Clock { epoch: Instant::now(), began: None, now: default(), ticks: Vec::new() });
    E::before_step(app, (move |mut clock: ResMut<Clock>| start(&mut clock)).before(Gather));
    E::before_step(app, (move |mut clock: ResMut<Clock>| stop(&mut clock)).after(Update));
    E::after_step(app, (move |mut clock: ResMut<Clock>| start(&mut clock)).before(GatherMoved));
    E::after_step(
        app,
        (move |mut clock: ResMut<Clock>| {
            stop(&mut clock);
            let now = std::mem::take(&mut clock.now);
            clock.ticks.push(now);
        })
        .after(Lift),
    );
}

impl Clock {
    fn start(&mut self) {
        self.began = Some([self.epoch.elapsed(), own_time()]);
    }

    fn stop(&mut self) {
        let Some(began) = self.began.take() else { return };
        let now = [self.epoch.elapsed(), own_time()];
        self.now = [0, 1].map(|clock| self.now[clock] + now[clock] - began[clock]);
    }
}

/// Milliseconds of a tile, without those of its heights.
pub fn tile_ms<E: Engine>() -> f64 {
    const ROUNDS: usize = 5;
    /// A tile has one more sample on every side.
    const SIDE_WITH_BORDER: usize = CHUNK_VERTICES + 2;
    let settings = NoiseTerrain::default();
    let Ok(surface) = settings.surface() else { return f64::NAN };
    let mut app = app::<E>(settings);
    time::<E>(&mut app);
    let mut least = f64::INFINITY;
    for round in 0..ROUNDS {
        let place = Vec3::X * 20_000.0 * (round + 1) as f32;
        let anchor = TileAnchor { position: place, radius: 300.0, velocity: Vec3::ZERO };
        let anchor = app.world_mut().spawn(anchor).id();
        app.world_mut().resource_mut::<Clock>().ticks.clear();
        app.update();
        let spent = app.world().resource::<Clock>().ticks.iter().map(|[wall, _]| *wall).sum::<Duration>();
        let keys: Vec<ChunkKey> =
            app.world_mut().query::<&TerrainTile>().iter(app.world()).map(TerrainTile::key).collect();
        let near = |key: &ChunkKey| (key.x as f64 * 64.0 - f64::from(place.x)).abs() < 1_000.0;
        let keys: Vec<ChunkKey> = keys.into_iter().filter(near).collect();
        let mut heights = vec![0.0; SIDE_WITH_BORDER * SIDE_WITH_BORDER];
        let mut scratch = Scratch::default();
        let began = Instant::now();
        for key in &keys {
            let first = [key.x, key.z].map(|cell| cell * CHUNK_QUADS as i64 - 1);
            let grid = Grid::new(first, surface.spacing(), [SIDE_WITH_BORDER; 2]);
            surface.source().fill(&grid, &mut scratch, black_box(&mut heights));
        }
        least = least.min((spent.as_secs_f64() - began.elapsed().as_secs_f64()) * 1e3 / keys.len() as f64);
        app.world_mut().despawn(anchor);
        app.update();
    }
    least
}

/// Milliseconds for the trunks and rocks of a tile of the default world with its plants, on one core, and for its grass.
pub fn objects_ms() -> [f64; 2] {
    const TILES: i64 = 64;
    let scatter = TerrainScatter::temperate();
    let map = NoiseTerrain::default().surface().and_then(|land| ScatterMap::new(&scatter, &land));
    let Ok(map) = map else { return [f64::NAN; 2] };
    let time = |is_wanted: fn(&ScatterKind) -> bool| {
        let began = Instant::now();
        for tile in 0..TILES {
            let min = [(tile % 8) as f64 * 64.0, (tile / 8) as f64 * 64.0];
            black_box(map.objects(min, min.map(|metres| metres + 64.0), is_wanted).count());
        }
        began.elapsed().as_secs_f64() * 1e3 / TILES as f64
    };
    let is_grass = |kind: &ScatterKind| kind.shape == ScatterShape::Grass;
    [time(|kind| kind.shape != ScatterShape::Grass), time(is_grass)]
}

/// Milliseconds of the main thread's own time in a tick of moving bodies: the half, 99 of 100, the most.
pub fn tick_ms<E: Engine>() -> [f64; 3] {
    let settings = NoiseTerrain::default();
    let Ok(surface) = settings.surface() else { return [f64::NAN; 3] };
    let mut app = app::<E>(settings);
    let mut random = Random::new(3);
    for _ in 0..BODIES {
        let [x, z] = [0, 1].map(|_| random.between(-0.5 * SIDE, 0.5 * SIDE));
        let position = Vec3::new(x as f32, surface.height(x, z) as f32 + 1.0, z as f32);
        let speed = random.between(5.0, 40.0);
        E::spawn(
            app.world_mut(),
            Ball { position, velocity: random.on_plane(speed), radius: 0.5, has_friction: false },
        );
    }
    time::<E>(&mut app);
    for _ in 0..64 {
        app.update();
    }
    app.world_mut().resource_mut::<Clock>().ticks.clear();
    for _ in 0..TICKS {
        // A game's frame leaves the task pools time to work.
        std::thread::sleep(Duration::from_millis(3));
        app.update();
    }
    let ticks = std::mem::take(&mut app.world_mut().resource_mut::<Clock>().ticks);
    let mut ticks: Vec<Duration> = ticks.into_iter().map(|[_, own]| own).collect();
    ticks.sort_unstable();
    let at = |share: f64| ticks[((ticks.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    [at(0.5), at(0.99), at(1.0)]
}
