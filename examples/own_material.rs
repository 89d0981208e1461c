//! The terrain in a material of your own: a walk on a map with contour lines.
//!
//! ```sh
//! cargo run --all-features --example own_material
//! ```
//!
//! Chunks keep the terrain's vertices, morph and streaming; only the fragment shader differs.

use bevy::pbr::{ExtendedMaterial, MaterialExtension};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, Buffer};
use bevy::shader::ShaderRef;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::render::{OwnMaterial, TerrainBuffers, TerrainExtension};

/// The buffers that the terrain's vertex shader reads; whatever else a shader needs may follow.
#[derive(Asset, AsBindGroup, TypePath, Clone)]
struct Contours {
    #[storage(100, read_only, buffer, visibility(vertex, fragment))]
    vertices: Buffer,
    #[storage(101, read_only, buffer, visibility(vertex, fragment))]
    uniforms: Buffer,
}

type Map = ExtendedMaterial<StandardMaterial, Contours>;

impl MaterialExtension for Contours {
    fn vertex_shader() -> ShaderRef {
        TerrainExtension::vertex_shader()
    }

    fn prepass_vertex_shader() -> ShaderRef {
        TerrainExtension::prepass_vertex_shader()
    }

    fn fragment_shader() -> ShaderRef {
        "shaders/contours.wesl".into()
    }
}

fn main() {
    App::new()
        .add_plugins((
            DefaultPlugins.set(examples_common::assets()),
            NoiseTerrainPlugin,
            MaterialPlugin::<Map>::default(),
        ))
        .add_systems(Startup, spawn)
        .add_systems(PostStartup, stand)
        .add_systems(PostUpdate, paint.after(TerrainSystems::Show))
        .run();
}

fn spawn(mut commands: Commands) {
    commands.spawn((NoiseTerrain::default(), OwnMaterial));
    let slant = Transform::from_xyz(-1.0, 0.8, 0.2).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((DirectionalLight { shadow_maps_enabled: true, ..default() }, slant));
}

fn stand(mut commands: Commands, terrain: TerrainQuery) {
    let ground = terrain.surface().map_or(0.0, |surface| surface.height(0.0, 0.0) as f32);
    let eye = Transform::from_xyz(0.0, ground + 250.0, 0.0).looking_to(Vec3::new(1.0, -0.3, 1.0), Vec3::Y);
    commands.spawn((Camera3d::default(), eye));
}

/// Gives every chunk the material, and makes that anew with the terrain's buffers.
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
        let base = StandardMaterial { perceptual_roughness: 0.95, ..default() };
        *map = materials.add(Map { base, extension });
    }
    for (chunk, is_painted) in &chunks {
        if is_new || !is_painted {
            commands.entity(chunk).insert(MeshMaterial3d(map.clone()));
        }
    }
}
