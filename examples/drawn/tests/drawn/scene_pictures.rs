//! Every world looks as it did: the scenes of the README, drawn small, match approved reference pictures, with their ground, plants,
//! volumes, water, sky, clouds and shadows; and the land at one random place of each world neither becomes flat nor loses contrast.
//!
//! After an intended visible change run `UPDATE_SCENES=1 cargo xtask check --only scenes`, review the changed pictures, and commit
//! them with the change. It also measures the land anew.

use std::path::PathBuf;

use bevy::prelude::*;
use examples_common::alike::difference;
use examples_common::variety::variety;

use crate::places::{self, View, WORLDS};
use crate::scenes::SCENES;
use crate::sight::Sights;
use crate::stage::{Outlook, Stage, preset};

const WIDTH: u32 = 320;
const HEIGHT: u32 = 180;
/// Of the random views of a world, that from so many metres up.
const LOOKOUT: f32 = 60.0;
/// Which random views.
const VIEWS: u64 = 1;
/// The world that no scene shows: its plants are measured with its land.
const UNSEEN: &str = "biomes";
/// How much of its contrast and colours land may lose unseen, and how much larger its largest even patch may become.
const LOST: f32 = 0.2;
const EVENER: f32 = 0.1;

fn reference(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/drawn/scenes")).join(format!("{name}.png"))
}

#[test]
#[ignore = "long: cargo xtask check --only scenes"]
fn every_scene_looks_as_it_did() {
    let update = std::env::var_os("UPDATE_SCENES").is_some();
    let mut stage = Stage::new(WIDTH, HEIGHT);
    let mut complaints = Vec::new();
    for scene in &SCENES {
        let picture = stage.draw(scene).unwrap();
        let path = reference(scene.name);
        if update {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            picture.save(&path).unwrap();
            continue;
        }
        let expected = image::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).to_rgb8();
        if let Some(words) = difference(&picture, &expected) {
            let file = std::env::temp_dir().join(format!("scene-{}.png", scene.name));
            picture.save(&file).unwrap();
            complaints.push(format!("{}: {words}; see {} and {}", scene.name, file.display(), path.display()));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The largest even patch, the contrast at four scales and the number of colours of each world's view: those of the land alone,
/// without plants, volumes and shadows, which the scenes show.
fn measures() -> Vec<(&'static str, [f32; 6])> {
    let mut stage = Stage::with(WIDTH, HEIGHT, |app| {
        let cast_no_shadows = |mut suns: Query<&mut DirectionalLight>| {
            suns.iter_mut().for_each(|mut sun| sun.shadow_maps_enabled = false);
        };
        app.add_systems(PostStartup, cast_no_shadows);
    });
    stage.set_volumes(false);
    let mut measure = |world: &'static str| {
        let views = places::views(world, VIEWS).unwrap();
        let View { scene, title } = views.into_iter().find(|view| view.scene.height == LOOKOUT).unwrap();
        let preset = preset(world).unwrap();
        stage.set_plants(world == UNSEEN);
        let outlook = Outlook::new(&scene, &preset).unwrap();
        let sights = Sights::new(&scene, &outlook, preset.terrain.lod.view_distance, [WIDTH, HEIGHT]);
        let found = variety(&stage.draw(&scene).unwrap(), |x, y| sights.is_land(x, y));
        assert!(found.share > 0.05, "{title}: there is no land in the picture");
        let [a, b, c, d, _] = found.contrast;
        (world, [found.even, a, b, c, d, found.colours])
    };
    WORLDS.map(&mut measure).to_vec()
}

/// What became flatter than it was.
fn flatter(now: &[f32; 6], before: &[f32; 6]) -> bool {
    now[0] > before[0] + EVENER || now.iter().zip(before).skip(1).any(|(now, before)| *now < (1.0 - LOST) * before)
}

#[test]
#[ignore = "long: cargo xtask check --only scenes"]
fn no_world_becomes_flat() {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/drawn/scenes/variety.txt"));
    let measures = measures();
    if std::env::var_os("UPDATE_SCENES").is_some() {
        let line = |(world, of): &(&str, [f32; 6])| format!("{world} {}\n", of.map(|of| format!("{of:.2}")).join(" "));
        std::fs::write(&path, measures.iter().map(line).collect::<String>()).unwrap();
        return;
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let mut complaints = Vec::new();
    for (world, now) in measures {
        let line = text.lines().find_map(|line| line.strip_prefix(world)).unwrap_or_else(|| panic!("{world} is new"));
        let before: Vec<f32> = line.split_whitespace().map(|word| word.parse().unwrap()).collect();
        if flatter(&now, &before.try_into().unwrap()) {
            complaints.push(format!("{world} has become flat: {now:.2?}, it was {line}"));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn even_land_without_contrast_is_flatter() {
    let before = [0.1, 5.0, 8.0, 10.0, 12.0, 30.0];
    assert!(!flatter(&before, &before));
    assert!(flatter(&[0.3, 5.0, 8.0, 10.0, 12.0, 30.0], &before));
    assert!(flatter(&[0.1, 5.0, 6.0, 10.0, 12.0, 30.0], &before));
    assert!(flatter(&[0.1, 5.0, 8.0, 10.0, 12.0, 20.0], &before));
}
