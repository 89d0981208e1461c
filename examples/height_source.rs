//! Heights of your own instead of the noise: a moon, with craters upon craters.
//!
//! ```sh
//! cargo run --all-features --example height_source
//! ```
//!
//! W, A, S, D, E and Q fly; the right mouse button looks around; the wheel changes the speed.

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::{Grid, Scratch};

/// Craters of several sizes: each of these squares, so many metres wide, holds one.
const SQUARES: [f64; 3] = [2_400.0, 600.0, 150.0];

struct Moon;

/// The height must follow from the position and the footprint alone: chunks are built one by one, in any order and on
/// many threads, and meet at their edges only if they are given the same numbers.
impl HeightSource for Moon {
    fn fill(&self, grid: &Grid, _: &mut Scratch, heights: &mut [f32]) {
        for (index, height) in heights.iter_mut().enumerate() {
            let position = [grid.x(index % grid.size[0]), grid.z(index / grid.size[0])];
            *height = self.height(position, grid.footprint);
        }
    }

    fn height(&self, position: [f64; 2], footprint: f64) -> f32 {
        let mut height = 0.0;
        for width in SQUARES {
            let [x, z] = position.map(|metres| (metres / width).floor() as i64);
            // A crater is never wider than this square and its neighbours.
            for neighbour in 0..9 {
                height += crater(x + neighbour % 3 - 1, z + neighbour / 3 - 1, width, position, footprint);
            }
        }
        height as f32
    }
}

/// What the crater of the square (`x`, `z`) adds to the height at a position.
fn crater(x: i64, z: i64, width: f64, position: [f64; 2], footprint: f64) -> f64 {
    let [right, down, size] = random(x, z, width);
    let radius = width * (0.1 + 0.3 * size * size);
    // Samples are `footprint` metres apart. What they cannot show is left out, or the distance would shimmer.
    let share = (2.0 * radius / footprint - 2.0).clamp(0.0, 1.0);
    let (dx, dz) = (position[0] - width * (x as f64 + right), position[1] - width * (z as f64 + down));
    // A root, unlike a sine or a power, has the same bits on every machine.
    let distance = (dx * dx + dz * dz).sqrt() / radius;
    let rim = 0.08 * radius;
    share
        * match distance {
            ..1.0 => rim + 0.3 * radius * (distance * distance - 1.0),
            ..2.0 => rim * (2.0 - distance) * (2.0 - distance),
            _ => 0.0,
        }
}

/// Three numbers from 0 to 1 that look random, always the same for a square.
fn random(x: i64, z: i64, width: f64) -> [f64; 3] {
    let mut bits = width.to_bits();
    for number in [x as u64, z as u64] {
        bits = (bits ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        bits = (bits ^ bits >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits ^= bits >> 32;
    }
    [0, 21, 42].map(|shift| (bits >> shift & 0x1f_ffff) as f64 / 2_097_152.0)
}

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, FreeCameraPlugin, NoiseTerrainPlugin))
        .insert_resource(TerrainSky { time: 7.0, ..default() })
        .add_systems(Startup, setup)
        .run();
}

fn setup(mut commands: Commands) {
    let dust = GroundLayer::baked("scree", [0.16, 0.155, 0.15], 5.0);
    let rock = GroundLayer { slope: LayerSpan::above(0.5, 0.2), ..GroundLayer::baked("rock", [0.13, 0.13, 0.13], 6.0) };
    let ground = TerrainGround { layers: vec![dust, rock], ..default() };
    // The level of detail and the streaming are still those of `NoiseTerrain`; its noise and its seed rest.
    commands.spawn((NoiseTerrain::default(), TerrainSource::new(Moon), ground));
    commands.spawn(TerrainSun::default());
    let height = Moon.height([0.0, 0.0], 1.0) + 160.0;
    let eye = Transform::from_xyz(0.0, height, 0.0).looking_to(Vec3::new(0.6, -0.3, -0.8), Vec3::Y);
    commands.spawn((TerrainSkyView::default(), eye, FreeCamera { walk_speed: 60.0, run_speed: 400.0, ..default() }));
}
