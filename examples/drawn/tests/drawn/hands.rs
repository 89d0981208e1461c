//! What a game takes away or hides of a terrain comes back, whatever draws it.

use bevy::camera::RenderTarget;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::edits::{Hole, TerrainHoles};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::render::OwnMaterial;
use bevy_noise_terrain::volumes::{TerrainVolume, TerrainVolumes, VolumeShape};
use examples_common::{offscreen, settle};
use image::RgbImage;

use crate::views::difference;

/// A coast with plants, a cave and a hole, and a sky above.
fn coast() -> (App, Handle<Image>) {
    let (mut app, canvas) = offscreen::app(160, 90);
    app.add_plugins((NoiseTerrainPlugin, TerrainSkyPlugin))
        // Neither wind nor waves move.
        .insert_resource(TimeUpdateStrategy::ManualDuration(std::time::Duration::ZERO));
    let land = NoiseTerrain { lod: TerrainLod { view_distance: 2_000.0, ..default() }, ..default() };
    let surface = land.surface().unwrap();
    let ground = surface.height(0.0, 0.0);
    let water = TerrainWater { level: ground as f32 - 20.0, ..default() };
    let plants = TerrainScatter::temperate();
    let near = |kind: ScatterKind| ScatterKind { distance: 0.2 * kind.distance, ..kind };
    let plants = TerrainScatter { kinds: plants.kinds.into_iter().map(near).collect(), ..plants };
    let mut holes = TerrainHoles::default();
    holes.apply(Hole::disc(DVec3::new(20.0, ground, -30.0), 4.0)).unwrap();
    let at = |up: f64| DVec3::new(30.0, surface.height(30.0, -60.0) + up, -60.0);
    let mut volumes = TerrainVolumes::default();
    volumes.apply(TerrainVolume { shapes: vec![VolumeShape::dig(at(8.0), at(-12.0), 6.0)], ..default() }).unwrap();
    app.world_mut().spawn((land, water, plants, holes, volumes));
    app.world_mut().spawn(TerrainSun::default());
    let eye = Transform::from_xyz(0.0, ground as f32 + 40.0, 0.0).looking_to(Vec3::new(0.5, -0.35, -0.8), Vec3::Y);
    let target = RenderTarget::Image(canvas.clone().into());
    app.world_mut().spawn((TerrainSkyView::default(), Msaa::Off, target, TerrainViewer, eye));
    offscreen::finish(&mut app);
    (app, canvas)
}

fn meshes(app: &mut App) -> Vec<Entity> {
    app.world_mut().query_filtered::<Entity, With<Mesh3d>>().iter(app.world()).collect()
}

fn picture(app: &mut App, canvas: &Handle<Image>) -> RgbImage {
    settle(app).unwrap();
    offscreen::picture(app, canvas, offscreen::update).expect("a picture")
}

#[test]
fn all_that_is_drawn_comes_back_after_a_clean_up() {
    let (mut app, canvas) = coast();
    let before = picture(&mut app, &canvas);
    let colours: std::collections::HashSet<_> = before.pixels().map(|pixel| pixel.0.map(|byte| byte / 8)).collect();
    assert!(colours.len() > 40, "{} colours", colours.len());
    let all = meshes(&mut app);
    assert!(all.len() > 200, "{} meshes", all.len());
    for &entity in &all {
        // Children go with their parents.
        let _ = app.world_mut().try_despawn(entity);
    }
    offscreen::update(&mut app);
    let after = picture(&mut app, &canvas);
    let back = meshes(&mut app);
    assert_eq!(back.len(), all.len(), "meshes after a clean-up");
    assert!(back.iter().all(|entity| !all.contains(entity)));
    let changed = difference(&before, &after);
    assert!(changed < 0.3, "a clean-up changes the picture by {changed} of 255");

    // A few at a time, as the land is drawn.
    let third: Vec<Entity> = back.into_iter().step_by(3).collect();
    for some in third.chunks(20) {
        for &entity in some {
            let _ = app.world_mut().try_despawn(entity);
        }
        offscreen::update(&mut app);
    }
    let changed = difference(&before, &picture(&mut app, &canvas));
    assert!(changed < 0.3, "a third, a few in each frame, changes it by {changed} of 255");
    assert_eq!(meshes(&mut app).len(), all.len());

    // A material of the app's own that comes and goes.
    let terrain = app.world_mut().query_filtered::<Entity, With<NoiseTerrain>>().single(app.world()).unwrap();
    app.world_mut().entity_mut(terrain).insert(OwnMaterial);
    offscreen::update(&mut app);
    let without = offscreen::picture(&mut app, &canvas, offscreen::update).expect("a picture");
    assert!(difference(&before, &without) > 5.0, "land without a material is not drawn");
    app.world_mut().entity_mut(terrain).remove::<OwnMaterial>();
    let changed = difference(&before, &picture(&mut app, &canvas));
    assert!(changed < 0.3, "a material that came and went changes it by {changed} of 255");

    // A game that hides all, and shows all, does not show what is not to be seen.
    for visibility in [Visibility::Hidden, Visibility::Visible] {
        for entity in meshes(&mut app) {
            app.world_mut().entity_mut(entity).insert(visibility);
        }
        offscreen::update(&mut app);
    }
    let changed = difference(&before, &picture(&mut app, &canvas));
    assert!(changed < 0.3, "hidden and shown, it changes by {changed} of 255");
}
