// The morphed position of a chunk's vertex. `lod/morph.rs` has the same arithmetic in Rust, and the reasons.
#define_import_path bevy_noise_terrain::morph

#import bevy_noise_terrain::bindings::{CHUNK_VERTICES, Vertex, terrain, vertices}

const MORPH_END: f32 = 0.98;
const SLIDE_END: f32 = 0.99;

struct Morphed {
    // Relative to the terrain's origin, in metres.
    position: vec3<f32>,
    normal: vec3<f32>,
}

// x and z of the normal, and the curvature: `Shade` in mesh/shade.rs.
fn unpack_shade(packed: u32) -> vec3<f32> {
    let bits = bitcast<i32>(packed);
    return vec3<f32>(vec3((bits << 20u) >> 20u, (bits << 8u) >> 20u, bits >> 24u)) / vec3(2047.0, 2047.0, 127.0);
}

fn upright(horizontal: vec2<f32>) -> vec3<f32> {
    return normalize(vec3(horizontal.x, sqrt(max(1.0 - dot(horizontal, horizontal), 1e-4)), horizontal.y));
}

fn unpack_normal(packed: u32) -> vec3<f32> {
    return upright(unpack_shade(packed).xy);
}

// Distance of a position on the plane to the nearest viewer.
fn viewer_distance(place: vec2<f32>) -> f32 {
    var nearest = 1e30;
    for (var index = 0u; index < terrain.morph.viewer_count; index++) {
        let viewer = terrain.morph.viewers[index];
        nearest = min(nearest, length(vec3(place - viewer.xy, viewer.z)));
    }
    return nearest;
}

// Distance to the nearest viewer as a fraction of a level's range.
fn range_share(level: u32, place: vec2<f32>) -> f32 {
    let range = terrain.morph.ranges[level / 4u][level % 4u];
    return select(1.0, viewer_distance(place) / range, range > 0.0);
}

// How far the surface has morphed to its parent's, 0 to 1.
fn morph_of(share: f32) -> f32 {
    return saturate((share - terrain.morph.morph_start) / (MORPH_END - terrain.morph.morph_start));
}

// The vertex at `grid` (0 to 64 along x and z) of the chunk in `slot`.
fn morphed_vertex(slot: u32, grid: vec2<u32>) -> Morphed {
    let chunk = terrain.chunks[slot];
    let first = slot * CHUNK_VERTICES * CHUNK_VERTICES;
    let scale = f32(1u << chunk.level);
    let corner = vec2<f32>(chunk.first_quad);
    let place = (corner + vec2<f32>(grid) * scale) * terrain.morph.spacing - terrain.morph.remainder;

    let share = range_share(chunk.level, place);
    let morph = morph_of(share);
    let slide = saturate((share - MORPH_END) / (SLIDE_END - MORPH_END));

    let odd = grid & vec2(1u);
    let even = grid - odd;
    let own = vertices[first + grid.y * CHUNK_VERTICES + grid.x];
    let parent = vertices[first + even.y * CHUNK_VERTICES + even.x];

    var height = own.height + morph * (own.parent_height - own.height);
    var normal = unpack_normal(own.shade);
    if morph >= 1.0 {
        // Both ends are exact: two chunks meet without cracks only if they compute the same bits.
        height = own.parent_height + slide * (parent.parent_height - own.parent_height);
        height = select(height, parent.parent_height, slide >= 1.0);
        normal = mix(unpack_normal(own.parent_shade), unpack_normal(parent.parent_shade), slide);
    } else {
        normal = mix(normal, unpack_normal(own.parent_shade), morph);
    }
    let slid = (corner + (vec2<f32>(grid) - slide * vec2<f32>(odd)) * scale) * terrain.morph.spacing - terrain.morph.remainder;

    var out: Morphed;
    out.position = vec3(slid.x, height, slid.y);
    out.normal = normalize(normal);
    return out;
}

// The inverse transpose of the terrain's rotation and scale: normals stay normal to their surface.
fn world_normal(normal: vec3<f32>) -> vec3<f32> {
    let m = terrain.terrain_from_world;
    return normalize(vec3(dot(m[0].xyz, normal), dot(m[1].xyz, normal), dot(m[2].xyz, normal)));
}
