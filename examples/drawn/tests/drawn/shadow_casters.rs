//! What casts no shadow in sight is in no shadow map, and nobody sees a difference.

use bevy::camera::visibility::CascadesVisibleEntities;
use bevy::light::check_dir_light_mesh_visibility;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use image::RgbImage;

use crate::scenes::{SCENES, Scene};
use crate::stage::Stage;

const WIDTH: u32 = 160;
const HEIGHT: u32 = 90;
/// Among trees and mountains.
const SCENE: &str = "valley";
/// Pixels whose shadow lies on a triangle's edge may change with the order of triangles.
const CHANGED: usize = 10;

/// The shadow maps of a frame.
#[derive(Resource, Default)]
struct Maps {
    /// Whether all that Bevy finds in the boxes of cascades is drawn.
    draw_all: bool,
    /// How many meshes are drawn into all of them; frames without any, in which the camera sleeps, do not count.
    casters: usize,
}

fn count(mut maps: ResMut<Maps>, lights: Query<&CascadesVisibleEntities>) {
    let lists = lights.iter().flat_map(|visible| visible.entities.values().flatten());
    let casters: usize = lists.map(|list| list.entities.len()).sum();
    if casters > 0 {
        maps.casters = casters;
    }
}

/// Pixels that are plainly not the same.
fn changed(a: &RgbImage, b: &RgbImage) -> usize {
    let is_changed = |(a, b): &(&image::Rgb<u8>, &image::Rgb<u8>)| (0..3).any(|c| a.0[c].abs_diff(b.0[c]) > 8);
    a.pixels().zip(b.pixels()).filter(is_changed).count()
}

#[test]
fn a_fraction_of_the_casters_draws_the_same_shadows() {
    let mut stage = Stage::with(WIDTH, HEIGHT, |app| {
        let again = check_dir_light_mesh_visibility.run_if(|maps: Res<Maps>| maps.draw_all);
        app.init_resource::<Maps>().add_systems(Last, (again, count).chain());
    });
    let scene = SCENES.iter().find(|scene| scene.name == SCENE).unwrap();
    // At noon, and with long shadows from behind the camera.
    for (time, turn) in [(12.0, 0.0), (17.5, 180.0)] {
        stage.set(&Scene { time, heading: scene.heading + turn, clouds: 0.0, ..*scene }).unwrap();
        let world = stage.world();
        world.query::<&mut TerrainScatter>().single_mut(world).unwrap().wind = 0.0;
        let mut draw = |draw_all: bool, has_shadows: bool| {
            let world = stage.world();
            *world.resource_mut() = Maps { draw_all, casters: 0 };
            world.query::<&mut DirectionalLight>().single_mut(world).unwrap().shadow_maps_enabled = has_shadows;
            let picture = stage.picture().unwrap();
            (picture, stage.world().resource::<Maps>().casters)
        };
        let (bare, none) = draw(false, false);
        let (every, of) = draw(true, true);
        let (seen, count) = draw(false, true);
        assert_eq!(none, 0);
        let [changes, shaded] = [&seen, &bare].map(|picture| changed(&every, picture));
        println!("at {time} h: {count} casters of {of}; {changes} pixels change, without shadows {shaded}");
        assert!(of > 1_000 && 2 * count < of, "{count} meshes of {of} are drawn into shadow maps at {time} h");
        assert!(shaded > 20 * CHANGED, "{shaded} pixels are in shadows at {time} h");
        assert!(changes <= CHANGED, "{changes} pixels change at {time} h");
    }
}
