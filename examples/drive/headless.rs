//! A drive without a window: pictures if there is any graphics driver, figures in any case.

use std::fs;
use std::time::Duration;

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain_avian::{BodyLifted, TerrainTile};
use examples_common::trip::{self, Error};
use serde::Serialize;

use crate::camera::Chase;
use crate::car::{self, Car, Wheels};
use crate::{Options, driver, game};

/// Frames a second, which are also ticks of the physics.
const RATE: u32 = 64;

/// Pictures of a drive.
const PICTURES: u32 = 3;

/// How the drive went.
#[derive(Resource, Default, Serialize)]
struct Figures {
    seconds: u32,
    metres: f32,
    top_speed: f32,
    /// Share of the ticks with no wheel on the ground.
    airborne: f32,
    /// The least that the middle of the car was above the ground, in metres.
    least_height: f32,
    /// How often the car had to be lifted onto the ground.
    lifted: u32,
    /// Tiles of ground in memory at the end.
    tiles: usize,
}

/// Drives, writes, tells.
pub fn drive(options: &Options) -> Result<(), Error> {
    fs::create_dir_all(&options.out)?;
    let (mut app, canvas) = trip::app((Chase::default(), TerrainSkyView::default()));
    app.world_mut().spawn(TerrainSun::default());
    app.add_plugins(game)
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / f64::from(RATE))))
        .insert_resource(Figures { seconds: options.seconds, least_height: f32::INFINITY, ..default() })
        .add_systems(FixedUpdate, driver::cruise.before(car::drive))
        .add_systems(FixedLast, note)
        .add_observer(|_: On<BodyLifted>, mut figures: ResMut<Figures>| figures.lifted += 1);
    trip::begin(&mut app)?;
    let ticks = options.seconds * RATE;
    for tick in 1..=ticks {
        app.update();
        if let Some(canvas) = &canvas
            && tick % (ticks / PICTURES).max(1) == 0
        {
            let path = options.out.join(format!("drive-{:02}.png", tick / (ticks / PICTURES).max(1) - 1));
            trip::picture(&mut app, canvas)?.save(&path)?;
            println!("{}", path.display());
        }
    }
    let tiles = app.world_mut().query::<&TerrainTile>().iter(app.world()).count();
    let mut figures = app.world_mut().resource_mut::<Figures>();
    figures.tiles = tiles;
    figures.airborne /= ticks as f32;
    let figures = serde_json::to_string_pretty(&*figures)?;
    println!("{figures}");
    fs::write(options.out.join("drive.json"), figures)?;
    Ok(())
}

/// Looks at the car after every tick.
fn note(
    terrain: TerrainQuery,
    car: Single<(&Position, &LinearVelocity, &Wheels), With<Car>>,
    time: Res<Time>,
    mut figures: ResMut<Figures>,
) {
    let Some(surface) = terrain.surface() else { return };
    let (position, velocity, wheels) = *car;
    let ground = surface.height(f64::from(position.x), f64::from(position.z));
    figures.least_height = figures.least_height.min(position.y - ground as f32);
    figures.metres += velocity.length() * time.delta_secs();
    figures.top_speed = figures.top_speed.max(velocity.length());
    figures.airborne += f32::from(u8::from(wheels.0.iter().all(Option::is_none)));
}
