// The terrain's part of the material's bind group. Layouts must match `mesh.rs`, `uniforms.rs` and the Rust files of
// this folder.
#define_import_path bevy_noise_terrain::bindings

#import bevy_noise_terrain::{patches::Patches, value_noise::ValueNoise}

const CHUNK_VERTICES: u32 = 65u;
const DETAIL_NORMAL_TEXELS: u32 = 129u;
const DETAIL_NORMAL_SCALE: f32 = 0.75;

// See `Vertex` in mesh.rs and `Shade` in mesh/shade.rs.
struct Vertex {
    height: f32,
    parent_height: f32,
    shade: u32,
    parent_shade: u32,
}

struct ChunkRecord {
    first_quad: vec2<i32>,
    level: u32,
    detail_normals: f32,
    // The first word of its paint in the buffer of detail normals; 0 for none.
    paint: u32,
    // The first word of its holes in the same buffer; 0 for none.
    holes: u32,
}

struct Morph {
    viewers: array<vec4<f32>, 8>,
    ranges: array<vec4<f32>, 4>,
    remainder: vec2<f32>,
    spacing: f32,
    morph_start: f32,
    viewer_count: u32,
    padding_a: u32,
    padding_b: u32,
    padding_c: u32,
}

// `LayerRecord` in layers/record.rs.
struct Layer {
    color: vec4<f32>,
    scale: vec4<f32>,
    height: vec4<f32>,
    slope: vec4<f32>,
    curvature: vec4<f32>,
    moisture: vec4<f32>,
    temperature: vec4<f32>,
    scales: array<vec4<f32>, 4>,
}

// `ClimateRecord` in climate/record.rs.
struct ClimateSettings {
    temperature: f32,
    lapse: f32,
    temperature_spread: f32,
    sunny_side: f32,
    moisture: f32,
    moisture_spread: f32,
    shore: f32,
    shore_falloff: f32,
    poles: f32,
    phase: f32,
    phase_slope: f32,
    padding: u32,
}

struct Ground {
    layers: array<Layer, 8>,
    layer_patches: array<Patches, 8>,
    noises: array<ValueNoise, 10>,
    climate: ClimateSettings,
    softness: f32,
    bump: f32,
    detail_normals: f32,
    layer_count: u32,
    flags: u32,
    padding_a: u32,
    padding_b: u32,
    padding_c: u32,
}

// `CanopyRecord` in canopy_uniforms.rs.
struct Canopy {
    color: vec3<f32>,
    top: f32,
    side: f32,
    reach: f32,
    spread: f32,
    ground_color: f32,
    height: vec4<f32>,
    slope: vec4<f32>,
    moisture: vec4<f32>,
    temperature: vec4<f32>,
    patches: Patches,
}

struct Canopies {
    canopies: array<Canopy, 8>,
    count: u32,
    padding_a: u32,
    padding_b: u32,
    padding_c: u32,
}

struct TerrainUniforms {
    world_from_terrain: mat4x4<f32>,
    terrain_from_world: mat4x4<f32>,
    previous_world_from_terrain: mat4x4<f32>,
    morph: Morph,
    ground: Ground,
    canopy: Canopies,
    chunks: array<ChunkRecord>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<storage, read> vertices: array<Vertex>;
@group(#{MATERIAL_BIND_GROUP}) @binding(101) var<storage, read> terrain: TerrainUniforms;
