//! Pictures of water: it extends to the horizon, ends where the land rises out of it, and follows its level.

use bevy::camera::RenderTarget;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::light::GlobalAmbientLight;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::{Grid, Scratch};
use image::RgbImage;

use examples_common::{offscreen, settle};

const WIDTH: u32 = 320;
const HEIGHT: u32 = 180;
/// Vertical field of view in radians.
const FIELD_OF_VIEW: f32 = 1.0;
/// Colour of the background; neither land nor water has it.
const BACKGROUND: [u8; 3] = [255, 0, 255];
/// Slope of the beach towards +x.
const RISE: f32 = 0.05;

/// An infinite beach.
struct Beach;

impl HeightSource for Beach {
    fn fill(&self, grid: &Grid, _: &mut Scratch, heights: &mut [f32]) {
        for (index, height) in heights.iter_mut().enumerate() {
            *height = self.height([grid.x(index % grid.size[0]), grid.z(index / grid.size[0])], grid.footprint);
        }
    }

    fn height(&self, [x, _]: [f64; 2], _: f64) -> f32 {
        RISE * x as f32
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Seen {
    Nothing,
    Land,
    Water,
}

struct Stage {
    app: App,
    canvas: Handle<Image>,
    camera: Entity,
    terrain: Entity,
}

impl Stage {
    fn new(water: TerrainWater) -> Self {
        let (mut app, canvas) = offscreen::app(WIDTH, HEIGHT);
        app.add_plugins(NoiseTerrainPlugin)
            .insert_resource(ClearColor(Color::srgb_u8(BACKGROUND[0], BACKGROUND[1], BACKGROUND[2])))
            .insert_resource(GlobalAmbientLight { brightness: 900.0, ..default() });
        let mut settings = NoiseTerrain::default();
        settings.lod.view_distance = 1_000.0;
        let clay = GroundLayer {
            albedo: String::new(),
            normal: String::new(),
            color: Color::linear_rgb(0.6, 0.02, 0.02),
            ..TerrainGround::default().layers.swap_remove(0)
        };
        let ground = TerrainGround { layers: vec![clay], detail_normals: 0.0, ..default() };
        let terrain = app.world_mut().spawn((settings, TerrainSource::new(Beach), ground, water)).id();
        let projection = PerspectiveProjection { fov: FIELD_OF_VIEW, ..default() };
        let camera = app
            .world_mut()
            .spawn((
                Camera3d::default(),
                Projection::Perspective(projection),
                Msaa::Off,
                Tonemapping::Linear,
                RenderTarget::Image(canvas.clone().into()),
                TerrainViewer,
            ))
            .id();
        offscreen::finish(&mut app);
        Self { app, canvas, camera, terrain }
    }

    /// A picture from `eye` with full detail.
    fn picture(&mut self, eye: Transform) -> RgbImage {
        *self.app.world_mut().get_mut::<Transform>(self.camera).unwrap() = eye;
        settle(&mut self.app).unwrap();
        offscreen::picture(&mut self.app, &self.canvas, offscreen::update).expect("no picture came")
    }
}

fn seen(picture: &RgbImage, column: u32, row: u32) -> Seen {
    let [r, g, b] = picture.get_pixel(column, row).0;
    match [r, g, b] {
        BACKGROUND => Seen::Nothing,
        _ if u16::from(r) > 2 * u16::from(g.max(b)) => Seen::Land,
        _ => Seen::Water,
    }
}

fn check(picture: &RgbImage, what: &str, expected: impl Fn(u32, u32) -> Option<Seen>) {
    for (column, row) in (0..WIDTH).flat_map(|column| (0..HEIGHT).map(move |row| (column, row))) {
        let found = seen(picture, column, row);
        if let Some(expected) = expected(column, row)
            && found != expected
        {
            let file = std::env::temp_dir().join("terrain_water.png");
            picture.save(&file).unwrap();
            panic!("{what}: {found:?} for {expected:?} at {column}, {row}; see {}", file.display());
        }
    }
}

/// The column of the waterline in a picture of a camera that looks down from `height` above the water at x = 0.
fn waterline(level: f32, height: f32) -> u32 {
    let pixels = 0.5 * HEIGHT as f32 / (FIELD_OF_VIEW / 2.0).tan() / height;
    (0.5 * WIDTH as f32 + level / RISE * pixels) as u32
}

#[test]
fn water_covers_what_is_below_its_level() {
    // Opaque water without foam: what is not land is water.
    let water = TerrainWater { clarity: 0.05, foam_width: 0.0, ..default() };
    let mut stage = Stage::new(water.clone());

    // Over deep water, looking out: no land is loaded beyond a kilometre or two.
    let out = Transform::from_xyz(-300.0, 60.0, 0.0).looking_to(Vec3::NEG_X, Vec3::Y);
    let middle = HEIGHT / 2;
    check(&stage.picture(out), "to the horizon", |_, row| match row {
        row if row < middle - 1 => Some(Seen::Nothing),
        row if row > middle => Some(Seen::Water),
        _ => None,
    });

    // Along the shore from a little above, to the end of the land: a single waterline, no z-fighting.
    let along = Transform::from_xyz(0.0, 4.0, 0.0).looking_to(Vec3::NEG_Z, Vec3::Y);
    let picture = stage.picture(along);
    for row in middle + 1..HEIGHT {
        let changes = (1..WIDTH).filter(|&column| seen(&picture, column - 1, row) != seen(&picture, column, row));
        let changes: Vec<u32> = changes.collect();
        // The beach rises: in the middle of the picture, or right of it.
        assert!(changes.len() == 1 && changes[0].abs_diff(WIDTH / 2) <= 2, "row {row}: changes at {changes:?}");
    }

    // From above; then the level rises, and falls again.
    let down = Transform::from_xyz(0.0, 100.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    for level in [0.0, 1.0, -1.5, 0.0] {
        stage.app.world_mut().get_mut::<TerrainWater>(stage.terrain).unwrap().level = level;
        let line = waterline(level, 100.0 - level);
        check(&stage.picture(down), &format!("level {level}"), |column, _| match column {
            column if column + 3 < line => Some(Seen::Water),
            column if column > line + 3 => Some(Seen::Land),
            _ => None,
        });
    }

    // Invalid settings keep the water as it was; without the component the land is dry everywhere.
    stage.app.world_mut().get_mut::<TerrainWater>(stage.terrain).unwrap().level = f32::NAN;
    let line = waterline(0.0, 100.0);
    check(&stage.picture(down), "an invalid level", |column, _| (column + 3 < line).then_some(Seen::Water));
    stage.app.world_mut().entity_mut(stage.terrain).remove::<TerrainWater>();
    check(&stage.picture(down), "dry", |_, _| Some(Seen::Land));
    let names =
        stage.app.world_mut().query::<&Name>().iter(stage.app.world()).filter(|name| name.contains("water")).count();
    assert_eq!(names, 0, "nothing of the water is left");
}
