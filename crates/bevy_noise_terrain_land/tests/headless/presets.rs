//! Presets: bound to a terrain, edited on disk, broken, repaired.

#![cfg(all(feature = "ground", feature = "scatter", feature = "water", feature = "sky", feature = "presets"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bevy::asset::AssetLoadFailedEvent;
use bevy::prelude::*;
use bevy_noise_terrain::BoundPreset;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::Noise;

/// Messages about files that could not be loaded.
#[derive(Resource, Default)]
struct Heard(Vec<String>);

fn record_failures(mut failures: MessageReader<AssetLoadFailedEvent<TerrainPreset>>, mut heard: ResMut<Heard>) {
    heard.0.extend(failures.read().map(|failure| failure.error.to_string()));
}

fn app(folder: &Path) -> App {
    let mut app = App::new();
    let file_path = folder.display().to_string();
    let assets = AssetPlugin { file_path, watch_for_changes_override: Some(true), ..default() };
    app.add_plugins((MinimalPlugins, TransformPlugin, assets, NoiseTerrainPlugin))
        .init_resource::<Heard>()
        .add_systems(Update, record_failures);
    app
}

/// Updates until the condition holds, for a minute at most.
fn update_until(app: &mut App, what: &str, is: impl Fn(&World) -> bool) {
    let begun = Instant::now();
    while !is(app.world()) {
        assert!(begun.elapsed() < Duration::from_secs(60), "never came: {what}");
        std::thread::sleep(Duration::from_millis(10));
        app.update();
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("terrain-presets-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder.canonicalize().unwrap()
}

#[test]
fn the_world_follows_its_file_and_a_broken_file_changes_nothing() {
    let folder = folder("follow");
    let file = folder.join("hills.terrain.ron");
    fs::write(&file, "(terrain: (seed: 3, noise: Fractal(octaves: 4)))").unwrap();
    let mut app = app(&folder);
    let handle = app.world().resource::<AssetServer>().load("hills.terrain.ron");
    let terrain = app.world_mut().spawn((NoiseTerrain::default(), BoundPreset(handle))).id();
    let seed = move |world: &World| world.get::<NoiseTerrain>(terrain).unwrap().seed;
    update_until(&mut app, "the file is loaded", |world| seed(world) == 3);

    // Changes of the component stay until the file changes.
    app.world_mut().get_mut::<NoiseTerrain>(terrain).unwrap().seed = 30;
    (0..5).for_each(|_| app.update());
    assert_eq!(seed(app.world()), 30);

    // The file watcher must have started.
    std::thread::sleep(Duration::from_millis(200));
    fs::write(&file, "(terrain: (seed: 4, noise: Fractal(octaves: 4)))").unwrap();
    update_until(&mut app, "the changed file is applied", |world| seed(world) == 4);

    fs::write(&file, "(\n terrain: (seed: 5, noise: Fractal(octaves: many)),\n)").unwrap();
    update_until(&mut app, "the broken file is reported", |world| !world.resource::<Heard>().0.is_empty());
    let words = app.world().resource::<Heard>().0.join("\n");
    assert!(words.contains("terrain.noise.octaves, line 2, column "), "{words}");
    assert_eq!(seed(app.world()), 4);

    fs::write(&file, "(terrain: (seed: 6))").unwrap();
    update_until(&mut app, "the repaired file is applied", |world| seed(world) == 6);
    drop(app);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn every_preset_of_this_repository_is_a_world() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/presets");
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let preset = TerrainPreset::from_ron(&fs::read_to_string(&path).unwrap());
        let preset = preset.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let surface = preset.terrain.surface().unwrap();
        let heights: Vec<f64> = (0..100).map(|step| surface.height(f64::from(step) * 400.0, 0.0)).collect();
        let [low, high] = [f64::min, f64::max].map(|pick| heights.iter().copied().reduce(pick).unwrap());
        assert!(high - low > 20.0 && low > -12_000.0 && high < 12_000.0, "{}: {low} to {high}", path.display());
        names.push(path);
    }
    assert!(names.len() >= 8, "{names:?}");
}

/// The parts of a tree that have the seed of another world.
fn fixed<'a>(noise: &'a Noise, found: &mut Vec<&'a Noise>) {
    if let Noise::FixedSeed(_) = noise {
        found.push(noise);
    }
    noise.operands().into_iter().for_each(|(_, operand)| fixed(operand, found));
}

#[test]
fn the_land_of_the_world_with_all_climates_follows_its_climate() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/presets/biomes.terrain.ron");
    let preset = TerrainPreset::from_ron(&fs::read_to_string(path).unwrap()).unwrap();
    let moisture = preset.terrain.climate.moisture_noise();
    let (mut regions, mut in_land) = (Vec::new(), Vec::new());
    fixed(&moisture, &mut regions);
    fixed(&preset.terrain.noise, &mut in_land);
    assert_eq!(regions.len(), 3, "wide, fine and finest");
    for region in &regions[..2] {
        assert!(in_land.contains(region), "not in the land: {region:?}");
    }
}
