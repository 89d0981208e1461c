// Holes of the land: see edits/holes/chunk.rs, which has the same arithmetic in its tests, and hole_table.rs.
#define_import_path bevy_noise_terrain::holes

#import bevy_noise_terrain::{
    bindings::{CHUNK_VERTICES, terrain},
    surface::detail_normals,
}

// Cells along a side of a chunk.
const CELLS: u32 = 8u;

fn metres(word: u32) -> vec2<f32> {
    return bitcast<vec2<f32>>(vec2(detail_normals[word], detail_normals[word + 1u]));
}

// Whether a place, relative to its chunk's corner, lies in the hole whose words begin with `hole`.
fn is_within(hole: u32, place: vec2<f32>) -> bool {
    let corners = detail_normals[hole];
    if corners == 0u {
        let way = place - metres(hole + 1u);
        let radius = bitcast<f32>(detail_normals[hole + 3u]);
        return dot(way, way) < radius * radius;
    }
    // How often a line towards greater x crosses the outline: `Outline::contains` has the same arithmetic.
    var is_inside = false;
    var a = metres(hole + 2u * corners - 1u);
    for (var index = 0u; index < corners; index++) {
        let b = metres(hole + 1u + 2u * index);
        if (a.y > place.y) != (b.y > place.y) && place.x < (b.x - a.x) * (place.y - a.y) / (b.y - a.y) + a.x {
            is_inside = !is_inside;
        }
        a = b;
    }
    return is_inside;
}

// Whether a world position on the chunk in `slot` lies in one of its holes. Only chunks with holes have a material that asks.
fn is_hole(slot: u32, world_position: vec4<f32>) -> bool {
    let chunk = terrain.chunks[slot];
    if chunk.holes == 0u {
        return false;
    }
    let corner = vec2<f32>(chunk.first_quad) * terrain.morph.spacing - terrain.morph.remainder;
    let place = (terrain.terrain_from_world * world_position).xz - corner;
    let width = f32((CHUNK_VERTICES - 1u) << chunk.level) * terrain.morph.spacing;
    let cell = vec2<u32>(clamp(place / width * f32(CELLS), vec2(0.0), vec2(f32(CELLS - 1u))));
    let offset = detail_normals[chunk.holes + cell.y * CELLS + cell.x];
    if offset == 0u {
        return false;
    }
    let list = chunk.holes + offset;
    let count = detail_normals[list];
    for (var index = 0u; index < count; index++) {
        if is_within(chunk.holes + detail_normals[list + 1u + index], place) {
            return true;
        }
    }
    return false;
}
