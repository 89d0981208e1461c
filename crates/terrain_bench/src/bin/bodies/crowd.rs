//! Balls dropped over the land, some of which jump, while the land changes: nobody may be below it, in any tick.

use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::tiles::{BodyLifted, TerrainTileSystems};

use crate::engine::{Ball, Engine};
use crate::world::{Random, app};

/// Side of the square over which balls are dropped, in metres.
const SIDE: f64 = 2_000.0;
const TICKS: usize = 640;
const JUMPS: usize = 1_000;
const JUMP: f64 = 100_000.0;
/// Ticks in which the land changes.
const RETUNES: [usize; 3] = [160, 320, 480];

#[derive(Resource, Default)]
struct Balls(Vec<Entity>);

/// What happened to the crowd.
#[derive(Resource, Default)]
pub struct Outcome {
    pub bodies: usize,
    /// Sum over all ticks of the bodies whose centre was below the ground.
    pub fell_through: usize,
    /// Bodies lifted onto the ground: by changed land, after a jump into a mountain, or because the engine let them through.
    pub lifted: usize,
    /// Those among them that had not jumped and whose ground had not changed.
    pub caught: usize,
    ticks: usize,
    is_quiet: bool,
}

pub fn measure<E: Engine>(bodies: usize) -> Outcome {
    let settings = NoiseTerrain::default();
    let Ok(surface) = settings.surface() else { return Outcome::default() };
    let mut app = app::<E>(settings);
    app.init_resource::<Balls>().init_resource::<Outcome>();
    app.add_observer(|_: On<BodyLifted>, mut outcome: ResMut<Outcome>| {
        outcome.lifted += 1;
        outcome.caught += usize::from(outcome.is_quiet);
    });
    E::after_step(&mut app, look::<E>.after(TerrainTileSystems::Lift));
    let mut random = Random::new(1);
    for _ in 0..bodies {
        let [x, z] = [0, 1].map(|_| random.between(-0.5 * SIDE, 0.5 * SIDE));
        let speed = random.between(0.0, 100.0);
        let position = Vec3::new(x as f32, (surface.height(x, z) + random.between(1.0, 50.0)) as f32, z as f32);
        let velocity = random.on_plane(speed) - Vec3::Y * random.between(0.0, 100.0) as f32;
        let ball = Ball { position, velocity, radius: random.between(0.1, 1.0) as f32, has_friction: true };
        let ball = E::spawn(app.world_mut(), ball);
        app.world_mut().resource_mut::<Balls>().0.push(ball);
    }
    for tick in 0..TICKS {
        let since = RETUNES.iter().filter_map(|&retune| tick.checked_sub(retune)).min();
        if since == Some(0)
            && let Ok(mut terrain) = app.world_mut().query::<&mut NoiseTerrain>().single_mut(app.world_mut())
        {
            terrain.seed += 1;
        }
        let is_jump = tick % 8 == 0;
        if is_jump {
            let done = |tick: usize| JUMPS * tick / TICKS;
            jump::<E>(&mut app, &mut random, done(tick + 8) - done(tick));
        }
        // A retune takes a few frames to reach the screen.
        app.world_mut().resource_mut::<Outcome>().is_quiet = !is_jump && since.is_none_or(|since| since > 100);
        app.update();
        if tick % 64 == 63 {
            eprintln!("{} s", (tick + 1) / 64);
        }
    }
    app.world_mut().remove_resource::<Outcome>().unwrap_or_default()
}

/// Sends some bodies far away, to about the height they were at: into a mountain, or high above a valley.
fn jump<E: Engine>(app: &mut App, random: &mut Random, count: usize) {
    for _ in 0..count {
        let balls = &app.world().resource::<Balls>().0;
        let ball = balls[(random.next() * balls.len() as f64) as usize];
        let position = E::position(app.world(), ball) + random.on_plane(JUMP);
        E::place(app.world_mut(), ball, position, random.on_plane(50.0));
    }
}

/// Counts the bodies below the ground.
fn look<E: Engine>(world: &mut World) {
    let mut terrain = world.query_filtered::<&bevy_noise_terrain::TerrainState, With<NoiseTerrain>>();
    let Some(surface) = terrain.single(world).ok().and_then(bevy_noise_terrain::TerrainState::surface) else { return };
    let positions: Vec<Vec3> = world.resource::<Balls>().0.iter().map(|&ball| E::position(world, ball)).collect();
    let places: Vec<[f64; 2]> = positions.iter().map(|at| [f64::from(at.x), f64::from(at.z)]).collect();
    let grounds = surface.heights(&places);
    // A position that is no number counts as below.
    let is_above = |(at, ground): &(&Vec3, f64)| f64::from(at.y) >= ground - 1e-3;
    let below = positions.len() - positions.iter().zip(grounds).filter(is_above).count();
    let mut outcome = world.resource_mut::<Outcome>();
    outcome.bodies = positions.len();
    outcome.ticks += 1;
    outcome.fell_through += below;
}
