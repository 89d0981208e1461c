//! Bevy's own tools, used on land: wireframes leave it alone, forward decals lie on it, mirrors show it the other way round, and a
//! camera that sleeps and wakes sees it again.

use bevy::camera::RenderTarget;
use bevy::core_pipeline::prepass::DepthPrepass;
use bevy::pbr::decal::{ForwardDecal, ForwardDecalMaterial, ForwardDecalMaterialExt};
use bevy::pbr::wireframe::{WireframeConfig, WireframePlugin};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::prelude::*;
use examples_common::{offscreen, settle};
use image::RgbImage;

use crate::views::difference;

struct Stage {
    app: App,
    canvas: Handle<Image>,
    camera: Entity,
    ground: f32,
}

impl Stage {
    /// Land with plants and water below a sky.
    fn new() -> Self {
        let (mut app, canvas) = offscreen::app(160, 90);
        app.add_plugins((NoiseTerrainPlugin, TerrainSkyPlugin, WireframePlugin::default()))
            .insert_resource(TimeUpdateStrategy::ManualDuration(std::time::Duration::ZERO));
        let land = NoiseTerrain { lod: TerrainLod { view_distance: 1_500.0, ..default() }, ..default() };
        let ground = land.surface().unwrap().height(0.0, 0.0) as f32;
        let trees = TerrainScatter { kinds: vec![ScatterKind::conifer()], ..default() };
        app.world_mut().spawn((land, trees, TerrainWater { level: ground - 20.0, ..default() }));
        app.world_mut().spawn(TerrainSun::default());
        let eye = Transform::from_xyz(0.0, ground + 25.0, 0.0).looking_at(Vec3::new(15.0, ground, -30.0), Vec3::Y);
        let target = RenderTarget::Image(canvas.clone().into());
        let camera = (TerrainSkyView::default(), DepthPrepass, Msaa::Off, target, TerrainViewer, eye);
        let camera = app.world_mut().spawn(camera).id();
        offscreen::finish(&mut app);
        settle(&mut app).unwrap();
        Self { app, canvas, camera, ground }
    }

    fn picture(&mut self) -> RgbImage {
        (0..3).for_each(|_| offscreen::update(&mut self.app));
        offscreen::picture(&mut self.app, &self.canvas, offscreen::update).expect("a picture")
    }
}

fn wireframes_leave_it_alone(stage: &mut Stage, plain: &RgbImage) {
    let cube = stage.app.world_mut().resource_mut::<Assets<Mesh>>().add(Cuboid::from_length(6.0));
    let place = Transform::from_xyz(10.0, stage.ground + 8.0, -20.0);
    let cube = stage.app.world_mut().spawn((Mesh3d(cube), place)).id();
    stage.app.world_mut().resource_mut::<WireframeConfig>().global = true;
    let drawn = stage.picture();
    stage.app.world_mut().resource_mut::<WireframeConfig>().global = false;
    stage.app.world_mut().despawn(cube);
    let changed =
        plain.pixels().zip(drawn.pixels()).filter(|(a, b)| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 40));
    let changed = changed.count();
    // The lines of the cube, and no others.
    assert!((10..800).contains(&changed), "wireframes change {changed} pixels");
}

fn forward_decals_lie_on_it(stage: &mut Stage, plain: &RgbImage) {
    let red = StandardMaterial {
        base_color: Color::srgb(1.0, 0.0, 0.0),
        unlit: true,
        alpha_mode: AlphaMode::Blend,
        ..default()
    };
    let material = ForwardDecalMaterial { base: red, extension: ForwardDecalMaterialExt { depth_fade_factor: 8.0 } };
    let world = stage.app.world_mut();
    let material = world.resource_mut::<Assets<ForwardDecalMaterial<StandardMaterial>>>().add(material);
    let place = Transform::from_xyz(15.0, stage.ground, -30.0).with_scale(Vec3::splat(10.0));
    let decal = world.spawn((ForwardDecal, MeshMaterial3d(material), place)).id();
    let drawn = stage.picture();
    stage.app.world_mut().despawn(decal);
    let is_redder = |a: &image::Rgb<u8>, b: &image::Rgb<u8>| i32::from(b[0]) - i32::from(a[0]) > 40;
    let red = plain.pixels().zip(drawn.pixels()).filter(|(a, b)| is_redder(a, b)).count();
    assert!(red > 40, "a decal on the land colours {red} pixels");
}

fn mirrors_show_it_the_other_way_round(stage: &mut Stage, plain: &RgbImage) {
    let mut camera = stage.app.world_mut().entity_mut(stage.camera);
    camera.get_mut::<Camera>().unwrap().invert_culling = true;
    camera.get_mut::<Transform>().unwrap().scale.x = -1.0;
    let drawn = image::imageops::flip_horizontal(&stage.picture());
    let mut camera = stage.app.world_mut().entity_mut(stage.camera);
    camera.get_mut::<Camera>().unwrap().invert_culling = false;
    camera.get_mut::<Transform>().unwrap().scale.x = 1.0;
    let found = difference(plain, &drawn);
    println!("a mirror {found:.2}");
    assert!(found < 3.0, "a mirror's picture differs by {found} of 255");
}

fn a_camera_that_slept_sees_it_again(stage: &mut Stage, plain: &RgbImage) {
    for is_active in [false, true] {
        stage.app.world_mut().get_mut::<Camera>(stage.camera).unwrap().is_active = is_active;
        (0..5).for_each(|_| offscreen::update(&mut stage.app));
    }
    let found = difference(plain, &stage.picture());
    assert!(found < 0.1, "{found} of 255");
}

#[test]
fn bevys_own_tools_work_on_land_or_leave_it_alone() {
    let mut stage = Stage::new();
    let plain = stage.picture();
    let colours: std::collections::HashSet<_> = plain.pixels().map(|pixel| pixel.0.map(|byte| byte / 8)).collect();
    assert!(colours.len() > 20, "{} colours", colours.len());
    wireframes_leave_it_alone(&mut stage, &plain);
    forward_decals_lie_on_it(&mut stage, &plain);
    mirrors_show_it_the_other_way_round(&mut stage, &plain);
    a_camera_that_slept_sees_it_again(&mut stage, &plain);
}
