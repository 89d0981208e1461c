//! A ball without friction that glides over the borders of a hundred tiles, against the same on a single one.

use bevy::prelude::*;
use bevy_noise_terrain::CHUNK_QUADS;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::{Grid, Scratch};

use crate::engine::{Ball, Engine};
use crate::world::{TICK, app, empty_app};

const TILES: usize = 100;
const SPEED: f32 = 25.0;
const RADIUS: f32 = 0.5;

/// Long, low waves along x, each of eight tiles.
struct Waves;

impl HeightSource for Waves {
    fn fill(&self, grid: &Grid, _: &mut Scratch, heights: &mut [f32]) {
        for (index, height) in heights.iter_mut().enumerate() {
            let position = [grid.x(index % grid.size[0]), grid.z(index / grid.size[0])];
            *height = self.height(position, grid.footprint);
        }
    }

    fn height(&self, [x, _]: [f64; 2], _: f64) -> f32 {
        (2.0 * (x * std::f64::consts::TAU / (8.0 * CHUNK_QUADS as f64)).sin()) as f32
    }
}

/// Nearer to a border than this, in metres, a ball of that radius and speed may still feel it.
const NEAR: f64 = 2.0;
/// How much further the ball of the control begins, in metres: on the same ground it meets other triangles a moment later.
const FURTHER: f32 = 0.007;

/// The greatest differences in height over the land, in millimetres.
#[derive(Default)]
pub struct Bumps {
    /// Between the tiles and the single ground.
    pub anywhere: f64,
    /// The same, near the borders only.
    pub at_borders: f64,
    /// Between two ways over the single ground, one of which begins a little further: what the engine itself varies by.
    pub control: f64,
}

pub fn measure<E: Engine>() -> Bumps {
    let on_tiles = glide::<E>(app::<E>((NoiseTerrain::default(), TerrainSource::new(Waves))), 0.0);
    let [on_one, further] = [0.0, FURTHER].map(|ahead| glide::<E>(single::<E>(), ahead));
    let over = |at: &Vec3| f64::from(at.y) - f64::from(Waves.height([f64::from(at.x), 0.0], 1.0));
    let mut bumps = Bumps::default();
    for ((a, b), c) in on_tiles.iter().zip(&on_one).zip(&further) {
        let bump = 1e3 * (over(a) - over(b)).abs();
        bumps.anywhere = bumps.anywhere.max(bump);
        let tiles = f64::from(a.x) / CHUNK_QUADS as f64;
        if (tiles - tiles.round()).abs() * CHUNK_QUADS as f64 <= NEAR {
            bumps.at_borders = bumps.at_borders.max(bump);
        }
        bumps.control = bumps.control.max(1e3 * (over(b) - over(c)).abs());
    }
    bumps
}

/// The same ground in one piece.
fn single<E: Engine>() -> App {
    let mut single = empty_app::<E>();
    let (rows, columns) = (CHUNK_QUADS + 1, (TILES + 4) * CHUNK_QUADS + 1);
    let x = |column: usize| column as f64 - (columns / 2) as f64;
    let heights = (0..columns).flat_map(|column| vec![Waves.height([x(column), 0.0], 1.0); rows]).collect();
    let extent = Vec3::new((columns - 1) as f32, 1.0, (rows - 1) as f32);
    E::spawn_ground(single.world_mut(), heights, [rows, columns], extent);
    single
}

/// Where the ball is in every tick, from the first border, or so much further, to the last.
fn glide<E: Engine>(mut app: App, further: f32) -> Vec<Vec3> {
    let half = (TILES * CHUNK_QUADS / 2) as f32;
    let start = further - half;
    let ground = Waves.height([f64::from(start), 0.0], 1.0);
    let position = Vec3::new(start, ground + RADIUS, 17.3);
    let velocity = Vec3::new(SPEED, 0.05 * SPEED * 0.5, 0.0);
    let ball = Ball { position, velocity, radius: RADIUS, has_friction: false };
    let ball = E::spawn(app.world_mut(), ball);
    let ticks = (2.0 * half / SPEED / TICK) as usize;
    let mut way = Vec::with_capacity(ticks);
    for _ in 0..ticks {
        app.update();
        way.push(E::position(app.world(), ball));
    }
    way
}
