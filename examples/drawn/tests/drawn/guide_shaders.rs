//! The shaders of the guide's chapter on own parts draw what it says: they import the modules that are for users.

use std::path::{Path, PathBuf};

use bevy::asset::io::embedded::EmbeddedAssetRegistry;
use bevy::camera::{RenderTarget, ScalingMode};
use bevy::core_pipeline::tonemapping::{DebandDither, Tonemapping};
use bevy::light::GlobalAmbientLight;
use bevy::pbr::{ExtendedMaterial, MaterialExtension};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, Buffer};
use bevy::shader::ShaderRef;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::render::{NoiseUniform, OwnMaterial, TerrainBuffers, TerrainExtension};
use bevy_noise_terrain::terrain_noise::prelude::*;
use examples_common::{offscreen, settle};
use image::RgbImage;

/// The chapter.
const PAGE: &str = include_str!("../../../../crates/bevy_noise_terrain/src/guide/own_parts.md");
/// Width and height of a picture.
const SIDE: u32 = 32;
/// What a picture shows, in metres.
const WIDTH: f32 = 320.0;

/// The chapter's block of WESL that has a text in it.
fn block(text: &str) -> &'static str {
    let mut blocks = PAGE.split("```wesl\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.find(|block| block.contains(text)).expect("a block of WESL")
}

/// Makes a text known as a shader of its own crate.
fn embed(app: &mut App, path: &str, text: String) {
    let registry = app.world_mut().resource_mut::<EmbeddedAssetRegistry>();
    registry.insert_asset(PathBuf::new(), Path::new(path), text.into_bytes());
}

/// A camera that looks straight down at the origin and changes no colour.
fn spawn_camera(app: &mut App, canvas: &Handle<Image>, height: f32, width: f32) {
    let scaling_mode = ScalingMode::Fixed { width, height: width };
    let lens =
        OrthographicProjection { scaling_mode, near: 0.0, far: 10_000.0, ..OrthographicProjection::default_3d() };
    let eye = Transform::from_xyz(0.0, height, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let colours = (Tonemapping::None, DebandDither::Disabled, Msaa::Off);
    let target = RenderTarget::Image(canvas.clone().into());
    app.world_mut().spawn((Camera3d::default(), Projection::Orthographic(lens), colours, target, TerrainViewer, eye));
}

/// The middle of a pixel, in metres right of the picture's middle and below it.
fn middle(x: u32, y: u32, width: f32) -> [f32; 2] {
    [x, y].map(|at| ((at as f32 + 0.5) / SIDE as f32 - 0.5) * width)
}

fn linear(byte: u8) -> f32 {
    Color::srgb_u8(byte, byte, byte).to_linear().red
}

fn picture(app: &mut App, canvas: &Handle<Image>) -> RgbImage {
    settle(app).unwrap();
    offscreen::picture(app, canvas, offscreen::update).expect("no picture came")
}

#[derive(Asset, AsBindGroup, TypePath, Clone)]
struct Contours {
    #[storage(100, read_only, buffer, visibility(vertex, fragment))]
    vertices: Buffer,
    #[storage(101, read_only, buffer, visibility(vertex, fragment))]
    uniforms: Buffer,
}

impl MaterialExtension for Contours {
    fn vertex_shader() -> ShaderRef {
        TerrainExtension::vertex_shader()
    }

    fn prepass_vertex_shader() -> ShaderRef {
        TerrainExtension::prepass_vertex_shader()
    }

    fn fragment_shader() -> ShaderRef {
        "embedded://guide/contours.wesl".into()
    }
}

type Map = ExtendedMaterial<StandardMaterial, Contours>;

/// As the guide has it.
fn paint(
    mut commands: Commands,
    terrain: Single<Ref<TerrainBuffers>>,
    chunks: Query<(Entity, Has<MeshMaterial3d<Map>>), With<TerrainChunk>>,
    mut materials: ResMut<Assets<Map>>,
    mut map: Local<Handle<Map>>,
) {
    let is_new = terrain.is_changed();
    if is_new {
        let extension = Contours { vertices: terrain.vertices.clone(), uniforms: terrain.uniforms.clone() };
        *map = materials.add(Map { base: StandardMaterial::default(), extension });
    }
    for (chunk, is_painted) in &chunks {
        if is_new || !is_painted {
            commands.entity(chunk).insert(MeshMaterial3d(map.clone()));
        }
    }
}

#[test]
fn land_in_a_material_of_the_users_is_as_bright_as_it_is_high() {
    let (mut app, canvas) = offscreen::app(SIDE, SIDE);
    app.add_plugins((NoiseTerrainPlugin, MaterialPlugin::<Map>::default()))
        .insert_resource(GlobalAmbientLight { brightness: 1_000.0, ..default() })
        .add_systems(PostUpdate, paint.after(TerrainSystems::Show));
    embed(&mut app, "guide/contours.wesl", block("pixel_on_plane").into());
    // Gentle: a pixel shows little of a stripe.
    let noise = simplex().feature_size(400.0).scale(20.0);
    let lod = TerrainLod { view_distance: 600.0, ..default() };
    let land = NoiseTerrain { noise, lod, ..default() };
    let surface = land.surface().unwrap();
    app.world_mut().spawn((land, OwnMaterial));
    spawn_camera(&mut app, &canvas, 500.0, WIDTH);
    offscreen::finish(&mut app);
    let picture = picture(&mut app, &canvas);
    // The shader's colour is the part of 50 m; where it jumps, pixels show a bit of both sides.
    let mut found = Vec::new();
    for (x, y, pixel) in picture.enumerate_pixels() {
        let [east, south] = middle(x, y, WIDTH);
        let part = (surface.height(f64::from(east), f64::from(south)) / 50.0).rem_euclid(1.0) as f32;
        if (0.15..0.85).contains(&part) {
            found.push((part, linear(pixel[0])));
        }
    }
    assert!(found.len() > 300, "{} pixels tell", found.len());
    let (least, most) = found.iter().fold((1.0f32, 0.0f32), |(a, b), (part, _)| (a.min(*part), b.max(*part)));
    assert!(most - least > 0.3, "{least} to {most}");
    // Light is what a white pixel would have, and what the surface mirrors, whatever its colour.
    let count = found.len() as f32;
    let mean = |of: &dyn Fn(&(f32, f32)) -> f32| found.iter().map(of).sum::<f32>() / count;
    let (part, light) = (mean(&|it| it.0), mean(&|it| it.1));
    let slope = mean(&|it| (it.0 - part) * (it.1 - light)) / mean(&|it| (it.0 - part).powi(2));
    let worst = found.iter().map(|it| (it.1 - light - slope * (it.0 - part)).abs()).fold(0.0, f32::max);
    println!("{} pixels, slope {slope}, light {light}, worst {worst}", found.len());
    assert!(
        slope > 0.1 && worst < 0.015 * slope,
        "brightness does not follow the heights: slope {slope}, off by {worst}"
    );
}

#[derive(Asset, AsBindGroup, TypePath, Clone)]
struct Rusty {
    #[uniform(100)]
    rust: NoiseUniform,
}

impl Material for Rusty {
    fn fragment_shader() -> ShaderRef {
        "embedded://guide/rust.wesl".into()
    }
}

#[test]
fn a_plane_in_a_material_of_the_users_has_the_noise_of_the_processor() {
    let (mut app, canvas) = offscreen::app(SIDE, SIDE);
    app.add_plugins((NoiseTerrainPlugin, MaterialPlugin::<Rusty>::default()));
    let guide = block("rust_at");
    let shader = format!(
        "import bevy_pbr::render::forward_io::VertexOutput;\n{guide}\n\
         @fragment fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {{\n\
         return vec4(vec3(0.5 + 0.25 * rust_at(in.world_position.xz, 0.0).x), 1.0);\n}}\n"
    );
    embed(&mut app, "guide/rust.wesl", shader);
    let noise = simplex().fbm().octaves(6).feature_size(0.7).build(1).unwrap();
    let rust = NoiseUniform::new(&noise.for_shader().unwrap(), [0.0, 0.0]);
    let material = app.world_mut().resource_mut::<Assets<Rusty>>().add(Rusty { rust });
    let plane = app.world_mut().resource_mut::<Assets<Mesh>>().add(Plane3d::default().mesh().size(4.0, 4.0));
    app.world_mut().spawn((Mesh3d(plane), MeshMaterial3d(material)));
    spawn_camera(&mut app, &canvas, 5.0, 2.0);
    offscreen::finish(&mut app);
    let picture = picture(&mut app, &canvas);
    let mut worst = 0.0f32;
    let mut values = Vec::new();
    for (x, y, pixel) in picture.enumerate_pixels() {
        let [east, south] = middle(x, y, 2.0);
        let expected = 0.5 + 0.25 * noise.sample([f64::from(east), f64::from(south)]) as f32;
        values.push(expected);
        worst = worst.max((linear(pixel[0]) - expected).abs());
    }
    let (least, most) = values.iter().fold((1.0f32, 0.0f32), |(a, b), value| (a.min(*value), b.max(*value)));
    println!("{least} to {most}, worst {worst}");
    assert!(most - least > 0.3, "{least} to {most}");
    assert!(worst < 0.01, "the plane is off by {worst}");
}
