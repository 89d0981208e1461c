//! A walk without a window: pictures if there is any graphics driver, figures in any case.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain_avian::{BodyLifted, TileObject};
use examples_common::trip::{self, Error};
use serde::Serialize;

use crate::camera::{self, Follow};
use crate::footsteps::Footstep;
use crate::person::{self, MIDDLE, Person};
use crate::{Options, game, walker};

/// Frames a second, which are also ticks of the physics.
const RATE: u32 = 64;

/// Pictures of a walk.
const PICTURES: u32 = 4;

/// How the walk went.
#[derive(Resource, Default, Serialize)]
struct Figures {
    seconds: u32,
    metres: f32,
    /// Metres climbed up to the highest place.
    climbed: f32,
    /// Steps by the layer that there was most of.
    steps: BTreeMap<String, u32>,
    /// Steps in the water.
    wet_steps: u32,
    /// The least and the most that the feet were above the ground, in metres.
    feet: [f32; 2],
    /// Share of the ticks off the ground.
    airborne: f32,
    /// How often the person had to be lifted onto the ground.
    lifted: u32,
    /// Trunks and rocks with colliders at the end.
    obstacles: usize,
    /// Milliseconds of a frame without its picture: the half, 99 of 100.
    frame_ms: [f64; 2],
    #[serde(skip)]
    last: Option<Vec3>,
    #[serde(skip)]
    start: f32,
}

/// Walks, writes, tells.
pub fn walk(options: &Options) -> Result<(), Error> {
    fs::create_dir_all(&options.out)?;
    let (mut app, canvas) = trip::app((Follow::default(), TerrainSkyView::default()));
    app.world_mut().spawn(TerrainSun::default());
    app.add_plugins(game)
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / f64::from(RATE))))
        .insert_resource(Figures { seconds: options.seconds, feet: [f32::INFINITY, f32::NEG_INFINITY], ..default() })
        .add_systems(FixedUpdate, walker::climb.before(person::walk))
        .add_systems(Update, camera::stay_behind.before(camera::follow))
        .add_systems(FixedLast, note)
        .add_observer(count)
        .add_observer(|_: On<BodyLifted>, mut figures: ResMut<Figures>| figures.lifted += 1);
    trip::begin(&mut app)?;
    let ticks = options.seconds * RATE;
    let mut frames = Vec::with_capacity(ticks as usize);
    for tick in 1..=ticks {
        let began = Instant::now();
        app.update();
        frames.push(began.elapsed());
        if let Some(canvas) = &canvas
            && tick % (ticks / PICTURES).max(1) == 0
        {
            let path = options.out.join(format!("walk-{:02}.png", tick / (ticks / PICTURES).max(1) - 1));
            trip::picture(&mut app, canvas)?.save(&path)?;
            println!("{}", path.display());
        }
    }
    frames.sort_unstable();
    let obstacles = app.world_mut().query::<&TileObject>().iter(app.world()).count();
    let mut figures = app.world_mut().resource_mut::<Figures>();
    figures.obstacles = obstacles;
    figures.airborne /= ticks as f32;
    figures.frame_ms =
        [0.5, 0.99].map(|share| frames[((frames.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3);
    let figures = serde_json::to_string_pretty(&*figures)?;
    println!("{figures}");
    fs::write(options.out.join("walk.json"), figures)?;
    Ok(())
}

fn count(step: On<Footstep>, mut figures: ResMut<Figures>) {
    *figures.steps.entry(step.layer.clone()).or_default() += 1;
    figures.wet_steps += u32::from(step.depth > 0.0);
}

/// Looks at the person after every tick.
fn note(terrain: TerrainQuery, person: Single<(&Person, &Transform)>, mut figures: ResMut<Figures>) {
    let Some(surface) = terrain.surface() else { return };
    let (person, transform) = *person;
    if !person.is_released {
        return;
    }
    let at = transform.translation;
    let feet = at.y - MIDDLE - surface.height(f64::from(at.x), f64::from(at.z)) as f32;
    figures.feet = [figures.feet[0].min(feet), figures.feet[1].max(feet)];
    match figures.last.replace(at) {
        Some(last) => figures.metres += last.distance(at),
        None => figures.start = at.y,
    }
    figures.climbed = figures.climbed.max(at.y - figures.start);
    figures.airborne += f32::from(u8::from(!person.is_grounded));
}
