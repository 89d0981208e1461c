//! Levels of quality draw the same landscape with more and less, and change while it is drawn.

use bevy::camera::{Exposure, RenderTarget};
use bevy::light::GlobalAmbientLight;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::quality::QualityLevers;
use bevy_noise_terrain::scatter::ScatterStats;
use bevy_noise_terrain::terrain_noise::{Grid, Scratch};
use examples_common::{offscreen, settle};
use image::{Rgb, RgbImage};

/// Mountains from above, so that no sky is seen: where anything is missing, it is magenta.
struct Stage {
    app: App,
    canvas: Handle<Image>,
}

impl Stage {
    fn new() -> Self {
        let (mut app, canvas) = offscreen::app(320, 180);
        app.add_plugins(NoiseTerrainPlugin)
            .insert_resource(GlobalAmbientLight { brightness: 4_000.0, ..default() })
            .insert_resource(ClearColor(Color::srgb(1.0, 0.0, 1.0)));
        let land = NoiseTerrain { lod: TerrainLod { view_distance: 6_000.0, ..default() }, ..default() };
        let ground = land.surface().unwrap().height(0.0, 0.0) as f32;
        let trees =
            ScatterKind { density: 0.02, distance: 900.0, patches: None, max_slope: 1.5, ..ScatterKind::conifer() };
        app.world_mut().spawn((land, TerrainScatter { kinds: vec![trees], ..default() }));
        app.world_mut().spawn(DirectionalLight { illuminance: 10_000.0, ..default() });
        let eye = Transform::from_xyz(0.0, ground + 300.0, 0.0).looking_to(Vec3::new(0.3, -0.9, -0.8), Vec3::Y);
        let lens = (Camera3d::default(), Exposure { ev100: 12.0 }, Msaa::Off);
        app.world_mut().spawn((lens, RenderTarget::Image(canvas.clone().into()), TerrainViewer, eye));
        offscreen::finish(&mut app);
        Self { app, canvas }
    }

    /// What is drawn once all is there, the number of plants, and that of the land's triangles.
    fn draw(&mut self, quality: TerrainQuality) -> (RgbImage, u64, u32) {
        self.app.insert_resource(quality);
        settle(&mut self.app).unwrap();
        let picture = self.picture();
        let mut stats = self.app.world_mut().query::<(&ScatterStats, &TerrainStats)>();
        let (plants, land) = stats.single(self.app.world()).unwrap();
        (picture, plants.objects, land.triangles)
    }

    fn picture(&mut self) -> RgbImage {
        let picture = offscreen::picture(&mut self.app, &self.canvas, offscreen::update).expect("a picture");
        let missing = picture.pixels().filter(|Rgb([r, g, b])| *r > 150 && *b > 150 && *g < 100).count();
        assert_eq!(missing, 0, "no sky is seen through the land");
        picture
    }
}

/// The mean difference of two pictures, of 255, and the share of pixels that differ visibly.
fn difference(a: &RgbImage, b: &RgbImage) -> (f64, f64) {
    let sum: u32 = a.as_raw().iter().zip(b.as_raw()).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
    let differs = |(a, b): &(&Rgb<u8>, &Rgb<u8>)| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 24);
    let visible = a.pixels().zip(b.pixels()).filter(differs).count();
    (f64::from(sum) / a.as_raw().len() as f64, visible as f64 / (a.as_raw().len() / 3) as f64)
}

#[test]
fn half_meshes_look_alike_and_plants_come_and_go_with_quality() {
    let mut stage = Stage::new();
    let all_vertices = TerrainQuality::Custom(QualityLevers { half_meshes: false, ..default() });
    let (whole, plants, triangles) = stage.draw(all_vertices);
    assert!(plants > 1_000, "{plants} plants");
    let half = TerrainQuality::High;
    stage.app.insert_resource(half);
    for _ in 0..3 {
        stage.picture();
    }
    let (simple, same, fewer) = stage.draw(half);
    assert!(fewer > 0 && fewer < triangles / 2, "{fewer} of {triangles} triangles");
    assert_eq!(same, plants, "the same plants stand on half meshes");
    let (mean, visible) = difference(&whole, &simple);
    println!("half meshes: {mean:.2} of 255, {:.2} % of the pixels", 100.0 * visible);
    assert!(mean > 0.0 && mean < 2.0 && visible < 0.03, "{mean} of 255, {visible} of the pixels");
    let few = TerrainQuality::Custom(QualityLevers { half_meshes: false, plant_distance: 0.5, ..default() });
    let (_, fewer, _) = stage.draw(few);
    assert!((0.1..0.5).contains(&(fewer as f64 / plants as f64)), "{fewer} of {plants} plants");
    let (again, all, every) = stage.draw(all_vertices);
    assert_eq!((difference(&whole, &again).1, all, every), (0.0, plants, triangles), "as before");
}

/// A ridge as straight as a roof's, across the diagonals along which quads are split in other meshes.
struct Roof;

impl HeightSource for Roof {
    fn fill(&self, grid: &Grid, _: &mut Scratch, heights: &mut [f32]) {
        for (index, height) in heights.iter_mut().enumerate() {
            *height = self.height([grid.x(index % grid.size[0]), grid.z(index / grid.size[0])], 0.0);
        }
    }

    fn height(&self, [x, z]: [f64; 2], _: f64) -> f32 {
        (500.0 - (x + z).abs()) as f32
    }
}

/// How many pixels the edge between the land and the sky rises and falls along a picture.
fn roughness(picture: &RgbImage) -> u32 {
    let is_sky = |x, y| picture.get_pixel(x, y).0 == [255, 0, 255];
    let first = |x| (0..picture.height()).find(|y| !is_sky(x, *y)).expect("there is land");
    let edge: Vec<u32> = (0..picture.width()).map(first).collect();
    let (low, high) = (edge.iter().min().unwrap(), edge.iter().max().unwrap());
    assert!(*low > 0, "there is sky");
    high - low
}

#[test]
fn crests_of_half_meshes_are_unbroken() {
    let (mut app, canvas) = offscreen::app(640, 360);
    app.add_plugins(NoiseTerrainPlugin)
        .insert_resource(GlobalAmbientLight { brightness: 4_000.0, ..default() })
        .insert_resource(ClearColor(Color::srgb(1.0, 0.0, 1.0)));
    let land = NoiseTerrain { lod: TerrainLod { view_distance: 6_000.0, ..default() }, ..default() };
    app.world_mut().spawn((land, TerrainSource::new(Roof)));
    let eye = Vec3::new(-700.0, 480.0, -700.0);
    let pose = Transform::from_translation(eye).looking_at(Vec3::new(0.0, 480.0, 0.0), Vec3::Y);
    let lens = Projection::Perspective(PerspectiveProjection { fov: 0.5, ..default() });
    app.world_mut().spawn((
        Camera3d::default(),
        lens,
        Msaa::Off,
        RenderTarget::Image(canvas.clone().into()),
        TerrainViewer,
        pose,
    ));
    offscreen::finish(&mut app);
    let mut of = |half_meshes| {
        app.insert_resource(TerrainQuality::Custom(QualityLevers { half_meshes, ..default() }));
        settle(&mut app).unwrap();
        roughness(&offscreen::picture(&mut app, &canvas, offscreen::update).expect("a picture"))
    };
    let (whole, half) = (of(false), of(true));
    println!("the crest rises and falls by {half} pixels, with whole meshes by {whole}");
    assert!(half <= 1, "{half} pixels");
    assert!(whole > 1, "a ridge where quads do not turn shows its teeth: {whole} pixels");
}
