//! A crowd without a window: pictures if there is any graphics driver, figures in any case.

use std::fs;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_landmass::prelude::*;
use bevy_noise_terrain::prelude::*;
use examples_common::trip::{self, Error};
use serde::Serialize;

use crate::bake::Footing;
use crate::crowd::{Size, Walker};
use crate::tiles::{Areas, Tiles};
use crate::view::{self, ShowMesh};
use crate::{Options, game};

/// Frames a second, which are also ticks of the crowd.
const RATE: u32 = 64;

/// Pictures of a run; the last one shows the navigation mesh.
const PICTURES: u32 = 3;

/// How it went.
#[derive(Resource, Default, Serialize)]
struct Figures {
    people: u32,
    seconds: u32,
    /// Metres that all of them walked.
    metres: f32,
    /// Places reached, and places to which there was no way.
    arrivals: u32,
    refusals: u32,
    /// Share of the time that people were on firm, steep and wet ground, and where one cannot walk.
    share: [f32; 4],
    /// Metres of water in which somebody stood, at most.
    deepest: f64,
    /// Tiles of the navigation mesh, and areas on them, at the end.
    tiles: usize,
    areas: usize,
    /// Milliseconds of a tick without its picture: the half, 99 of 100.
    tick_ms: [f64; 2],
}

/// Walks, writes, tells.
pub fn wander(options: &Options) -> Result<(), Error> {
    fs::create_dir_all(&options.out)?;
    let (mut app, canvas) = trip::app((Camera3d::default(), TerrainSkyView::default()));
    app.world_mut().spawn(TerrainSun::default());
    if canvas.is_some() {
        app.add_plugins(view::draw).add_systems(Update, overlook);
    } else {
        // The islands are assets, as meshes are.
        app.add_plugins(AssetPlugin::default());
    }
    app.add_plugins(game)
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / f64::from(RATE))))
        .insert_resource(Time::<Fixed>::from_hz(f64::from(RATE)))
        .insert_resource(Size(options.people))
        .insert_resource(Figures { people: options.people, seconds: options.seconds, ..default() })
        .add_systems(FixedLast, note);
    trip::begin(&mut app)?;
    let ticks = options.seconds * RATE;
    let every = (ticks / PICTURES).max(1);
    let mut times = Vec::with_capacity(ticks as usize);
    for tick in 1..=ticks {
        let began = Instant::now();
        app.update();
        times.push(began.elapsed());
        if let Some(canvas) = &canvas
            && tick % every == 0
        {
            let number = tick / every - 1;
            if let Some(mut show) = app.world_mut().get_resource_mut::<ShowMesh>() {
                show.0 = number + 1 == PICTURES;
            }
            let path = options.out.join(format!("navigate-{number:02}.png"));
            trip::picture(&mut app, canvas)?.save(&path)?;
            println!("{}", path.display());
        }
    }
    times.sort_unstable();
    let figures = figures(&mut app, &times);
    println!("{figures}");
    fs::write(options.out.join("navigate.json"), figures)?;
    Ok(())
}

/// The figures of the whole run, as JSON.
fn figures(app: &mut App, times: &[Duration]) -> String {
    let world = app.world_mut();
    let areas = world.query::<&Areas>().iter(world).map(|areas| areas.0.len()).sum();
    let tiles = world.resource::<Tiles>().done();
    let (arrivals, refusals) = world
        .query::<&Walker>()
        .iter(world)
        .fold((0, 0), |(arrivals, refusals), walker| (arrivals + walker.arrivals, refusals + walker.refusals));
    let mut figures = world.resource_mut::<Figures>();
    let total: f32 = figures.share.iter().sum::<f32>().max(1.0);
    figures.share = figures.share.map(|count| count / total);
    (figures.areas, figures.tiles, figures.arrivals, figures.refusals) = (areas, tiles, arrivals, refusals);
    figures.tick_ms = [0.5, 0.99].map(|share| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3);
    serde_json::to_string_pretty(&*figures).unwrap_or_default()
}

/// Looks at everybody after every tick.
fn note(
    time: Res<Time>,
    terrain: TerrainQuery,
    water: Query<&TerrainWater>,
    archipelago: Single<&Archipelago3d>,
    walkers: Query<(&Transform, &Velocity3d), With<Walker>>,
    mut figures: ResMut<Figures>,
) {
    let Some(surface) = terrain.surface() else { return };
    let near = archipelago.get_agent_options().point_sample_distance.clone();
    for (transform, velocity) in &walkers {
        figures.metres += velocity.velocity.length() * time.delta_secs();
        let footing = archipelago.sample_point(transform.translation, &near).map_or(3, |place| place.type_index());
        figures.share[footing.min(Footing::ALL.len())] += 1.0;
        let [x, z] = [transform.translation.x, transform.translation.z].map(f64::from);
        let depth = water.iter().map(|water| water.depth(&surface, x, z)).fold(0.0, f64::max);
        figures.deepest = figures.deepest.max(depth);
    }
}

/// A camera that keeps most of the crowd in view.
fn overlook(
    terrain: TerrainQuery,
    walkers: Query<&Transform, With<Walker>>,
    mut cameras: Query<&mut Transform, (With<Camera3d>, Without<Walker>)>,
) {
    let Some(surface) = terrain.surface() else { return };
    let middle = walkers.iter().map(|walker| walker.translation).sum::<Vec3>() / walkers.iter().len().max(1) as f32;
    // The one nearest to the middle is looked at.
    let nearest = |a: &&Transform, b: &&Transform| {
        let distance = |walker: &Transform| walker.translation.distance_squared(middle);
        distance(a).total_cmp(&distance(b))
    };
    let Some(chosen) = walkers.iter().min_by(nearest) else { return };
    for mut camera in &mut cameras {
        let mut eye = chosen.translation + Vec3::new(16.0, 26.0, 24.0);
        eye.y = eye.y.max(surface.height(f64::from(eye.x), f64::from(eye.z)) as f32 + 20.0);
        *camera = Transform::from_translation(eye).looking_at(chosen.translation + Vec3::Y, Vec3::Y);
    }
}
