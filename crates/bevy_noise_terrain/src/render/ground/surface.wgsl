// Normal and curvature of the ground under a pixel, finer and more stable than interpolated vertex normals.
#define_import_path bevy_noise_terrain::surface

#import bevy_noise_terrain::{
    bindings::{CHUNK_VERTICES, DETAIL_NORMAL_SCALE, DETAIL_NORMAL_TEXELS, terrain, vertices},
    morph::{morph_of, range_share, unpack_shade, upright},
}

// Detail normals, two texels per word: see mesh/detail_normals.rs. Slots have a whole number of words.
@group(#{MATERIAL_BIND_GROUP}) @binding(102) var<storage, read> detail_normals: array<u32>;

const SLOT_TEXELS: u32 = DETAIL_NORMAL_TEXELS * DETAIL_NORMAL_TEXELS + 1u;

struct Surface {
    // Unit normal, in the terrain's space.
    normal: vec3<f32>,
    // −1 on sharp crests, 1 in deep hollows.
    curvature: f32,
    // How far the chunk has morphed to its parent's surface, 0 to 1.
    morph: f32,
    level: u32,
    // Position in the chunk, in quads.
    grid: vec2<f32>,
}

// The shade of four neighbouring vertices, interpolated.
fn shade_at(first: u32, cell: vec2<u32>, part: vec2<f32>, is_parent: bool) -> vec3<f32> {
    let index = first + cell.y * CHUNK_VERTICES + cell.x;
    var corners = array<vec3<f32>, 4>();
    for (var corner = 0u; corner < 4u; corner++) {
        let vertex = vertices[index + (corner & 1u) + (corner >> 1u) * CHUNK_VERTICES];
        corners[corner] = unpack_shade(select(vertex.shade, vertex.parent_shade, is_parent));
    }
    return mix(mix(corners[0], corners[1], part.x), mix(corners[2], corners[3], part.x), part.y);
}

fn detail_normal_texel(slot: u32, texel: vec2<u32>) -> vec2<f32> {
    let index = slot * SLOT_TEXELS + texel.y * DETAIL_NORMAL_TEXELS + texel.x;
    let word = detail_normals[index / 2u] >> (16u * (index & 1u));
    return unpack4x8snorm(word).xy;
}

fn detail_normal_at(slot: u32, place: vec2<f32>) -> vec2<f32> {
    let cell = min(vec2<u32>(place), vec2(DETAIL_NORMAL_TEXELS - 2u));
    let part = place - vec2<f32>(cell);
    let low = mix(detail_normal_texel(slot, cell), detail_normal_texel(slot, cell + vec2(1u, 0u)), part.x);
    let high = mix(detail_normal_texel(slot, cell + vec2(0u, 1u)), detail_normal_texel(slot, cell + vec2(1u, 1u)), part.x);
    return DETAIL_NORMAL_SCALE * mix(low, high, part.y);
}

// `place` is relative to the terrain's origin, `pixel` the width of a pixel there, in metres.
fn surface(slot: u32, place: vec2<f32>, pixel: f32) -> Surface {
    let chunk = terrain.chunks[slot];
    let quad = f32(1u << chunk.level) * terrain.morph.spacing;
    let corner = vec2<f32>(chunk.first_quad) * terrain.morph.spacing - terrain.morph.remainder;
    let grid = clamp((place - corner) / quad, vec2(0.0), vec2(f32(CHUNK_VERTICES - 1u)));
    let cell = min(vec2<u32>(grid), vec2(CHUNK_VERTICES - 2u));
    let part = grid - vec2<f32>(cell);
    let first = slot * CHUNK_VERTICES * CHUNK_VERTICES;

    var out: Surface;
    out.grid = grid;
    out.level = chunk.level;
    out.morph = morph_of(range_share(chunk.level, place));
    let own = shade_at(first, cell, part, false);
    let parent = shade_at(first, cell, part, true);
    out.curvature = mix(own.z, parent.z, out.morph);
    var horizontal = own.xy;
    if terrain.ground.detail_normals > 0.0 {
        // Detail normals fade to the mesh's own before the parent takes over.
        let texel = 0.5 * quad;
        let fade = chunk.detail_normals * (1.0 - out.morph) * saturate(2.0 - pixel / texel);
        if chunk.level > 0u && fade > 0.0 {
            horizontal += fade * detail_normal_at(slot, 2.0 * grid);
        }
    }
    out.normal = upright(mix(mix(own.xy, parent.xy, out.morph), horizontal, terrain.ground.detail_normals));
    return out;
}
