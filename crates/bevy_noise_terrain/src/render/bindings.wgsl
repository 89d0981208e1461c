// What the terrain adds to the material's bind group: the same layout as `mesh.rs` and the two `frame.rs`.
#define_import_path bevy_noise_terrain::bindings

const CHUNK_VERTICES: u32 = 65u;
const RELIEF_TEXELS: u32 = 129u;
const RELIEF_SCALE: f32 = 0.75;

// Own height, parent's height, own shade, parent's shade: see `Vertex` in mesh.rs and mesh/shade.rs.
struct Vertex {
    height: f32,
    parent_height: f32,
    shade: u32,
    parent_shade: u32,
}

struct ChunkRecord {
    first_quad: vec2<i32>,
    level: u32,
    relief: f32,
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

// See ground/prepared.rs.
struct Layer {
    color: vec4<f32>,
    scale: vec4<f32>,
    height: vec4<f32>,
    slope: vec4<f32>,
    curvature: vec4<f32>,
    moisture: vec4<f32>,
    scales: array<vec4<f32>, 3>,
}

// A noise of the ground: its grid's x axis in the terrain's frame, the cell in which the origin lies and where in it,
// and its cells' width in metres.
struct Patches {
    axis: vec2<f32>,
    place: vec2<f32>,
    cell: vec2<u32>,
    scale: f32,
    padding: u32,
}

struct Ground {
    layers: array<Layer, 8>,
    patches: array<Patches, 9>,
    warmth: f32,
    softness: f32,
    bump: f32,
    relief: f32,
    layer_count: u32,
    flags: u32,
    padding_a: u32,
    padding_b: u32,
}

struct Frame {
    world_from_terrain: mat4x4<f32>,
    terrain_from_world: mat4x4<f32>,
    previous_world_from_terrain: mat4x4<f32>,
    morph: Morph,
    ground: Ground,
    chunks: array<ChunkRecord>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<storage, read> vertices: array<Vertex>;
@group(#{MATERIAL_BIND_GROUP}) @binding(101) var<storage, read> frame: Frame;
