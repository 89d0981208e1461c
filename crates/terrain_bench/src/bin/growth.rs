//! What it costs to add one more of what players add without end, by how many there are: edits, holes, volumes, felled trees,
//! bodies, viewers. Each spread over the land, and all in one place.

use std::time::{Duration, Instant};

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::SettingsError;
use bevy_noise_terrain::edits::{Edit, Hole, TerrainEdits, TerrainHoles};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::{RemovedScatter, ScatterId};
use bevy_noise_terrain::tiles::{TerrainBody, TerrainTiles, TerrainTilesPlugin, TileAnchor};
use bevy_noise_terrain::volumes::{TerrainVolume, TerrainVolumes, VolumeShape};

/// Frames that are timed, with one more item in each.
const FRAMES: usize = 120;

/// Half of the width of the land over which items are spread, and of one place, in metres.
const PLACES: [(&str, f64); 2] = [("spread over 20 km", 10_000.0), ("in one place", 20.0)];

/// What is added.
#[derive(Clone, Copy)]
enum Kind {
    Edits,
    Holes,
    Volumes,
    FelledTrees,
    Bodies,
    Viewers,
}

const KINDS: [(&str, Kind, u32); 6] = [
    ("edits", Kind::Edits, 10_000),
    ("holes", Kind::Holes, 10_000),
    ("volumes", Kind::Volumes, 1_000),
    ("felled trees", Kind::FelledTrees, 10_000),
    ("bodies", Kind::Bodies, 10_000),
    ("viewers", Kind::Viewers, 1_000),
];

/// Milliseconds.
struct Figures {
    /// Of all items at once, until the frame is over.
    fill: f64,
    /// Of frames with one more, half of them and the longest.
    median: f64,
    longest: f64,
    /// Of a frame in which nothing comes.
    rest: f64,
}

fn main() -> Result<(), SettingsError> {
    // One kind alone, if it is named.
    let only = std::env::args().nth(1);
    println!("{:<13} {:<18} {:>6} {:>9} {:>11} {:>12} {:>8}", "", "", "", "all, ms", "one more", "the longest", "none");
    for (name, kind, most) in KINDS.into_iter().filter(|(name, ..)| only.as_ref().is_none_or(|only| only == name)) {
        for (place, half) in PLACES {
            for count in [0, most / 10, most] {
                let Figures { fill, median, longest, rest } = measure(kind, half, count)?;
                println!("{name:<13} {place:<18} {count:>6} {fill:>9.1} {median:>11.2} {longest:>12.2} {rest:>8.2}");
            }
        }
    }
    Ok(())
}

fn measure(kind: Kind, half: f64, count: u32) -> Result<Figures, SettingsError> {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin, TerrainTilesPlugin::new(Update)))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_micros(16_667)));
    let settings = NoiseTerrain { lod: TerrainLod { view_distance: 3_000.0, ..default() }, ..default() };
    let surface = settings.surface()?;
    let parts = (TerrainEdits::default(), TerrainHoles::default(), TerrainVolumes::default());
    let scatter = TerrainScatter { kinds: vec![ScatterKind::conifer()], ..default() };
    let tiles = TerrainTiles { objects: true, ..default() };
    let terrain = app.world_mut().spawn((settings, parts, scatter, tiles)).id();
    let eye = Transform::from_xyz(0.0, surface.height(0.0, 0.0) as f32 + 30.0, 0.0);
    app.world_mut().spawn((TerrainViewer, eye));
    app.world_mut()
        .spawn((TileAnchor { position: eye.translation, radius: 30.0, ..default() }, TerrainBody::default()));
    app.finish();
    app.cleanup();
    settle(&mut app, terrain);
    let began = Instant::now();
    for index in 0..count {
        add(&mut app, terrain, kind, index, half)?;
    }
    app.update();
    let fill = milliseconds(began);
    settle(&mut app, terrain);
    let mut times = Vec::with_capacity(FRAMES);
    for index in 0..FRAMES as u32 {
        add(&mut app, terrain, kind, count + index, half)?;
        times.push(frame(&mut app));
    }
    times.sort_by(f64::total_cmp);
    settle(&mut app, terrain);
    let mut rest: Vec<f64> = (0..FRAMES).map(|_| frame(&mut app)).collect();
    rest.sort_by(f64::total_cmp);
    Ok(Figures { fill, median: times[FRAMES / 2], longest: times[FRAMES - 1], rest: rest[FRAMES / 2] })
}

fn add(app: &mut App, terrain: Entity, kind: Kind, index: u32, half: f64) -> Result<(), SettingsError> {
    let share = |step: f64| 2.0 * (f64::from(index + 1) * step).fract() - 1.0;
    let [x, z] = [0.754_877_666, 0.569_840_291].map(|step| half * share(step));
    let at = DVec3::new(x, 300.0, z);
    let mut entity = app.world_mut().entity_mut(terrain);
    match kind {
        Kind::Edits => {
            if let Some(mut edits) = entity.get_mut::<TerrainEdits>() {
                edits.apply(Edit::raise(at, 6.0, 0.1))?;
            }
        }
        Kind::Holes => {
            if let Some(mut holes) = entity.get_mut::<TerrainHoles>() {
                holes.apply(Hole::disc(at, 0.3))?;
            }
        }
        Kind::Volumes => {
            if let Some(mut volumes) = entity.get_mut::<TerrainVolumes>() {
                let shapes = vec![VolumeShape::dig(at + 2.0 * DVec3::Y, at - 2.0 * DVec3::Y, 1.0)];
                volumes.apply(TerrainVolume { center: [x, z], size: [16.0; 2], shapes, ..default() })?;
            }
        }
        Kind::FelledTrees => {
            if let Some(mut removed) = entity.get_mut::<RemovedScatter>() {
                // Their cells are 64 m wide.
                let cell = [x, z].map(|metres| (metres / 64.0).floor() as i64);
                removed.remove(ScatterId { kind: 0, cell, candidate: index });
            }
        }
        Kind::Bodies => {
            let anchor = TileAnchor { position: at.as_vec3(), radius: 0.5, ..default() };
            app.world_mut().spawn((anchor, TerrainBody::default()));
        }
        Kind::Viewers => drop(app.world_mut().spawn((TerrainViewer, Transform::from_translation(at.as_vec3())))),
    }
    Ok(())
}

/// Milliseconds of a frame; sleeps until the next one is due.
fn frame(app: &mut App) -> f64 {
    let began = Instant::now();
    app.update();
    let took = milliseconds(began);
    std::thread::sleep(Duration::from_micros(16_667).saturating_sub(began.elapsed()));
    took
}

fn settle(app: &mut App, terrain: Entity) {
    let mut calm = 0;
    while calm < 30 {
        app.update();
        let stats = app.world().get::<TerrainStats>(terrain);
        calm = if stats.is_some_and(|stats| stats.missing == 0 && !stats.retuning) { calm + 1 } else { 0 };
        std::thread::sleep(Duration::from_micros(500));
    }
}

fn milliseconds(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}
