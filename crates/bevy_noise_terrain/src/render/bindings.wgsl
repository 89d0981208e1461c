// What the terrain adds to the material's bind group: the same layout as `mesh.rs` and the two `frame.rs`.
#define_import_path bevy_noise_terrain::bindings

const CHUNK_VERTICES: u32 = 65u;

// Own height, parent's height, own normal, parent's normal: see `Vertex` in mesh.rs.
struct Vertex {
    height: f32,
    parent_height: f32,
    normal: u32,
    parent_normal: u32,
}

struct ChunkRecord {
    first_quad: vec2<i32>,
    level: u32,
    padding: u32,
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

struct Frame {
    world_from_terrain: mat4x4<f32>,
    terrain_from_world: mat4x4<f32>,
    morph: Morph,
    layers: array<vec4<f32>, 4>,
    limits: vec4<f32>,
    ground_origin: vec2<f32>,
    flags: u32,
    padding: u32,
    chunks: array<ChunkRecord>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<storage, read> vertices: array<Vertex>;
@group(#{MATERIAL_BIND_GROUP}) @binding(101) var<storage, read> frame: Frame;
