//! Woods are as dark from afar, where no tree is in a shadow map, as from near by; and far trees have no black pixels.

use bevy::camera::RenderTarget;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy::render::view::ColorGrading;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::ScatterStats;
use bevy_noise_terrain::terrain_noise::prelude::*;

use examples_common::{offscreen, settle};
use image::RgbImage;

const SIDE: u32 = 64;
const PATIENCE: u32 = 5_000;

struct Stage {
    app: App,
    canvas: Handle<Image>,
    terrain: Entity,
    camera: Entity,
}

impl Stage {
    /// A wood on a plain at some hour.
    fn new(trees: ScatterKind, time: f32) -> Self {
        let (mut app, canvas) = offscreen::app(SIDE, SIDE);
        app.add_plugins((NoiseTerrainPlugin, TerrainSkyPlugin));
        app.insert_resource(TerrainSky { time, cloud_cover: 0.0, cirrus: 0.0, ..default() });
        let mut terrain = NoiseTerrain { noise: perlin().scale(0.1).offset(100.0), ..default() };
        terrain.lod.view_distance = 4_000.0;
        let ground = TerrainGround { layers: vec![GroundLayer::default()], detail_normals: 0.0, ..default() };
        let trees = ScatterKind { density: 0.015, distance: 4_000.0, patches: None, ..trees };
        let scatter = TerrainScatter { kinds: vec![trees], ..default() };
        let terrain = app.world_mut().spawn((terrain, ground, scatter)).id();
        app.world_mut().spawn(TerrainSun::default());
        let camera = app.world_mut().spawn((
            Camera3d::default(),
            Transform::default(),
            Projection::Perspective(PerspectiveProjection { fov: 0.35, ..default() }),
            TerrainSkyView { fog: false, ..default() },
            Msaa::Off,
            Tonemapping::Linear,
            ColorGrading::default(),
            RenderTarget::Image(canvas.clone().into()),
            TerrainViewer,
        ));
        let camera = camera.id();
        offscreen::finish(&mut app);
        Self { app, canvas, terrain, camera }
    }

    /// Mean linear light from so many metres away in a direction, 0 to 1.
    fn light(&mut self, away: Vec3, shadows: bool) -> f32 {
        let picture = self.picture(away, shadows);
        let light = picture.pixels().map(|pixel| (f32::from(pixel.0[1]) / 255.0).powf(2.2));
        light.sum::<f32>() / (SIDE * SIDE) as f32
    }

    fn picture(&mut self, away: Vec3, shadows: bool) -> RgbImage {
        let world = self.app.world_mut();
        *world.get_mut::<Transform>(self.camera).unwrap() =
            Transform::from_translation(Vec3::new(0.0, 100.0, 0.0) + away).looking_to(-away, Vec3::NEG_Z + Vec3::Y);
        world.get_mut::<TerrainScatter>(self.terrain).unwrap().kinds[0].shadows = shadows;
        settle(&mut self.app).unwrap();
        let is_planted = (0..PATIENCE).any(|_| {
            offscreen::update(&mut self.app);
            let stats = self.app.world().get::<ScatterStats>(self.terrain).unwrap();
            stats.objects > 0 && stats.missing == 0 && !stats.preparing
        });
        assert!(is_planted, "the wood never became complete");
        offscreen::picture(&mut self.app, &self.canvas, offscreen::update).expect("no picture came")
    }
}

#[test]
fn far_woods_are_as_dark_as_near_ones() {
    for (name, kind) in [("conifers", ScatterKind::conifer()), ("broadleaves", ScatterKind::broadleaf())] {
        let mut stage = Stage::new(kind, 16.5);
        // From the south, and from the east with the sun ahead.
        for direction in [Vec3::new(0.0, 1.0, 1.2), Vec3::new(1.2, 1.0, 0.0)] {
            // Nearer than the far band of trees, and in the midst of it.
            let [near, far] = [750.0, 1_500.0].map(|distance| {
                let away = distance * direction.normalize();
                let [bright, dark] = [false, true].map(|shadows| stage.light(away, shadows));
                assert!(bright > 0.02, "nothing is lit from {distance} m");
                [bright, dark / bright]
            });
            println!("{name} from {direction}: without shadows {near:?}, then left by them {far:?}");
            assert!(near[1] < 0.7, "shadow maps take hardly any light from {name}: {near:?}");
            let change = far[1] / near[1];
            assert!((0.75..1.3).contains(&change), "{name} change with the distance: {near:?} near by, {far:?} afar");
        }
    }
}

#[test]
fn far_trees_have_no_black_pixels_with_multisampling() {
    // Where a sample lies in a triangle and the middle of its pixel does not, the vertices' values are extrapolated, and may be
    // negative: a fractional power of them is NaN, which HDR cameras show as black.
    let mut stage = Stage::new(ScatterKind::conifer(), 10.0);
    stage.app.world_mut().entity_mut(stage.camera).insert(Msaa::Sample4);
    for away in [Vec3::new(0.0, 90.0, 1_400.0), Vec3::new(900.0, 200.0, 1_500.0)] {
        let picture = stage.picture(away, true);
        // The ground is grey.
        let trees = picture.pixels().filter(|pixel| pixel.0[1] > pixel.0[2].saturating_add(5)).count();
        assert!(trees > 100, "{trees} pixels are green enough to be trees");
        let black = picture.pixels().filter(|pixel| pixel.0 == [0; 3]).count();
        assert_eq!(black, 0, "pixels without light from {away}");
    }
}
