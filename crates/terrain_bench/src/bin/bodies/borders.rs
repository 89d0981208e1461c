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

/// The greatest difference in height over the land between the two ways, in millimetres.
pub fn bump_mm<E: Engine>() -> f64 {
    let on_tiles = glide::<E>(app::<E>((NoiseTerrain::default(), TerrainSource::new(Waves))));
    let mut single = empty_app::<E>();
    let (rows, columns) = (CHUNK_QUADS + 1, (TILES + 4) * CHUNK_QUADS + 1);
    let x = |column: usize| column as f64 - (columns / 2) as f64;
    let heights = (0..columns).flat_map(|column| vec![Waves.height([x(column), 0.0], 1.0); rows]).collect();
    let extent = Vec3::new((columns - 1) as f32, 1.0, (rows - 1) as f32);
    E::spawn_ground(single.world_mut(), heights, [rows, columns], extent);
    let on_one = glide::<E>(single);
    let over = |at: &Vec3| f64::from(at.y) - f64::from(Waves.height([f64::from(at.x), 0.0], 1.0));
    let differences = on_tiles.iter().zip(&on_one).map(|(a, b)| 1e3 * (over(a) - over(b)).abs());
    differences.fold(0.0, f64::max)
}

/// Where the ball is in every tick, from the first border to the last.
fn glide<E: Engine>(mut app: App) -> Vec<Vec3> {
    let half = (TILES * CHUNK_QUADS / 2) as f32;
    let ground = Waves.height([f64::from(-half), 0.0], 1.0);
    let position = Vec3::new(-half, ground + RADIUS, 17.3);
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
