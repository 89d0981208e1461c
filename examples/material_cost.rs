//! A tool: what the ground's material costs on top of Bevy's standard one, and clouds on top of a clear sky. The same views
//! with each, by turns.
//!
//! ```sh
//! cargo run --release --all-features --example material_cost
//! cargo run --release --all-features --example material_cost -- 1280x720 DIR  # keeps the pictures too
//! ```
//!
//! The vertices, lights and shadows of the ground are the same; only the fragment shader differs. What is timed is the
//! adapter, not the processor that tells it what to draw.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use bevy::camera::RenderTarget;
use bevy::pbr::{ExtendedMaterial, MaterialExtension};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, Buffer};
use bevy::render::renderer::RenderAdapterInfo;
use bevy::shader::ShaderRef;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::render::{TerrainBuffers, TerrainExtension, TerrainMaterial};
use bevy_noise_terrain::sky::CloudModel;
use examples_common::{adapter, camera, offscreen, settle};

/// Turns of each material, and frames of a turn; the first of them are not counted: a card that has slept is slow at first.
const TURNS: usize = 3;
const FRAMES: usize = 60;
const WARM: usize = 20;
/// In software a frame takes seconds.
const FEW_FRAMES: usize = 6;
const FEW_WARM: usize = 2;

/// The terrain's vertices in Bevy's standard material.
#[derive(Asset, AsBindGroup, TypePath, Clone)]
struct Plain {
    #[storage(100, read_only, buffer, visibility(vertex))]
    vertices: Buffer,
    #[storage(101, read_only, buffer, visibility(vertex))]
    uniforms: Buffer,
}

type Standard = ExtendedMaterial<StandardMaterial, Plain>;

impl MaterialExtension for Plain {
    fn vertex_shader() -> ShaderRef {
        TerrainExtension::vertex_shader()
    }

    fn prepass_vertex_shader() -> ShaderRef {
        TerrainExtension::prepass_vertex_shader()
    }
}

fn main() -> ExitCode {
    let size = std::env::args().nth(1).unwrap_or_else(|| "1280x720".into());
    let Some((Ok(width), Ok(height))) = size.split_once('x').map(|(width, height)| (width.parse(), height.parse()))
    else {
        eprintln!("found {size}, allowed is WIDTHxHEIGHT");
        return ExitCode::FAILURE;
    };
    let (mut app, canvas) = offscreen::app(width, height);
    app.add_plugins((NoiseTerrainPlugin, MaterialPlugin::<Standard>::default())).add_systems(Startup, spawn_sun);
    let folder = std::env::args().nth(2).map(PathBuf::from);
    let target = RenderTarget::Image(canvas.clone().into());
    let camera = (TerrainSkyView::default(), camera::lens(), Msaa::Off, target, TerrainViewer, Transform::default());
    let camera = app.world_mut().spawn(camera).id();
    app.world_mut().spawn(NoiseTerrain::default());
    offscreen::finish(&mut app);
    let adapter =
        app.world().get_resource::<RenderAdapterInfo>().map_or_else(|| "none".into(), |info| info.name.clone());
    let [frames, warm] = counts(&app);
    println!("{adapter}, {width} x {height}, median of {} frames each", TURNS * (frames - warm));
    for (name, above, pitch) in [("from 2 m, level", 2.0, -5f32), ("from 400 m, down", 400.0, -50.0)] {
        stand(&mut app, camera, above, pitch.to_radians());
        let materials: [Choice; 2] = [("standard", |app| dress(app, true)), ("ground", |app| dress(app, false))];
        if let Err(error) = compare(&mut app, &canvas, folder.as_deref(), name, &materials) {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    for (name, above, pitch) in [("clouds from below", 2.0, 25f32), ("clouds from above", 6_000.0, -20.0)] {
        stand(&mut app, camera, above, pitch.to_radians());
        let skies: [Choice; 3] = [
            ("clear", |app| cloud(app, TerrainSky { cloud_cover: 0.0, cirrus: 0.0, ..default() })),
            ("flat", |app| cloud(app, TerrainSky { clouds: CloudModel::Flat, cirrus: 0.0, ..default() })),
            ("volumetric and cirrus", |app| cloud(app, TerrainSky::default())),
        ];
        if let Err(error) = compare(&mut app, &canvas, folder.as_deref(), name, &skies) {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// A way to draw the same view, and its name.
type Choice = (&'static str, fn(&mut App));

/// Draws a view in each way, by turns, and prints the times.
fn compare(
    app: &mut App,
    canvas: &Handle<Image>,
    folder: Option<&Path>,
    view: &str,
    choices: &[Choice],
) -> Result<(), String> {
    settle(app)?;
    let mut times = vec![Vec::new(); choices.len()];
    for _ in 0..TURNS {
        for ((name, choose), times) in choices.iter().zip(&mut times) {
            choose(app);
            times.extend(frames(app));
            keep(app, canvas, folder, &format!("{name}, {view}"));
        }
    }
    let times: Vec<f64> = times.into_iter().map(median).collect();
    let told = choices.iter().zip(&times).map(|((name, _), time)| format!("{name} {time:.2} ms"));
    let told: Vec<String> = told.collect();
    let (first, last) = (times.first().unwrap_or(&f64::NAN), times.last().unwrap_or(&f64::NAN));
    println!("{view}: {}, {:.2} times", told.join(", "), last / first);
    Ok(())
}

/// Changes the sky.
fn cloud(app: &mut App, sky: TerrainSky) {
    app.insert_resource(sky);
}

fn spawn_sun(mut commands: Commands) {
    commands.spawn(TerrainSun::default());
}

/// Puts the camera over the middle of the world.
fn stand(app: &mut App, camera: Entity, above: f32, pitch: f32) {
    let world = app.world_mut();
    let surface = world.query::<&NoiseTerrain>().iter(world).find_map(|terrain| terrain.surface().ok());
    let ground = surface.map_or(0.0, |surface| surface.height(0.0, 0.0) as f32);
    let turn = Quat::from_rotation_y(-1.0) * Quat::from_rotation_x(pitch);
    world.entity_mut(camera).insert(Transform::from_xyz(0.0, ground + above, 0.0).with_rotation(turn));
}

/// Gives every chunk the one material or the other.
fn dress(app: &mut App, plain: bool) {
    let world = app.world_mut();
    let Some(buffers) = world.query::<&TerrainBuffers>().iter(world).next().cloned() else { return };
    let Some(ground) = world
        .query::<&MeshMaterial3d<TerrainMaterial>>()
        .iter(world)
        .next()
        .cloned()
        .or_else(|| world.get_resource::<Kept>().map(|kept| kept.0.clone()))
    else {
        return;
    };
    world.insert_resource(Kept(ground.clone()));
    let extension = Plain { vertices: buffers.vertices, uniforms: buffers.uniforms };
    let base = StandardMaterial { perceptual_roughness: 0.95, ..default() };
    let standard = MeshMaterial3d(world.resource_mut::<Assets<Standard>>().add(Standard { base, extension }));
    let chunks: Vec<Entity> = world.query_filtered::<Entity, With<TerrainChunk>>().iter(world).collect();
    for chunk in chunks {
        let mut chunk = world.entity_mut(chunk);
        if plain {
            chunk.remove::<MeshMaterial3d<TerrainMaterial>>().insert(standard.clone());
        } else {
            chunk.remove::<MeshMaterial3d<Standard>>().insert(ground.clone());
        }
    }
}

/// The terrain's own material while no chunk wears it.
#[derive(Resource)]
struct Kept(MeshMaterial3d<TerrainMaterial>);

/// Times of a turn's frames.
fn frames(app: &mut App) -> Vec<Duration> {
    let [frames, warm] = counts(app);
    let is_software = adapter::is_software(app.world().get_resource());
    (0..frames).map(|_| offscreen::timed(app).drawing(is_software)).skip(warm).collect()
}

/// Frames of a turn, and how many of them are not counted.
fn counts(app: &App) -> [usize; 2] {
    if adapter::is_software(app.world().get_resource()) { [FEW_FRAMES, FEW_WARM] } else { [FRAMES, WARM] }
}

/// Writes what is seen to a file, if that is wanted.
fn keep(app: &mut App, canvas: &Handle<Image>, folder: Option<&Path>, name: &str) {
    let Some(folder) = folder else { return };
    let path = folder.join(format!("{name}.png"));
    let picture = offscreen::picture(app, canvas, offscreen::update);
    match picture.map(|picture| picture.save(&path)) {
        Some(Ok(())) => {}
        Some(Err(error)) => eprintln!("{}: {error}", path.display()),
        None => eprintln!("{}: no picture came", path.display()),
    }
}

/// In milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
}
