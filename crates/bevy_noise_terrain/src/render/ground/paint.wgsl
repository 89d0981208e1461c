// What is painted on the ground: see edits/painted.rs and paint_pages.rs.
#define_import_path bevy_noise_terrain::paint

#import bevy_noise_terrain::{
    bindings::CHUNK_VERTICES,
    surface::{Surface, detail_normals},
}

// Vertices along a side of the part of its parent that a chunk covers.
const PARENT_VERTICES: u32 = 33u;

// How much of each of the eight layers is painted.
struct Paint {
    low: vec4<f32>,
    high: vec4<f32>,
}

fn unpack_paint(word: u32) -> Paint {
    let shifts = vec4(0u, 4u, 8u, 12u);
    return Paint(vec4<f32>((vec4(word) >> shifts) & vec4(15u)) / 15.0, vec4<f32>((vec4(word >> 16u) >> shifts) & vec4(15u)) / 15.0);
}

fn mix_paint(a: Paint, b: Paint, t: f32) -> Paint {
    return Paint(mix(a.low, b.low, t), mix(a.high, b.high, t));
}

// The paint of `side`² vertices from word `first` on, between those around `grid`.
fn paint_between(first: u32, side: u32, grid: vec2<f32>) -> Paint {
    let cell = min(vec2<u32>(grid), vec2(side - 2u));
    let part = grid - vec2<f32>(cell);
    let index = first + cell.y * side + cell.x;
    let near = mix_paint(unpack_paint(detail_normals[index]), unpack_paint(detail_normals[index + 1u]), part.x);
    let far = mix_paint(unpack_paint(detail_normals[index + side]), unpack_paint(detail_normals[index + side + 1u]), part.x);
    return mix_paint(near, far, part.y);
}

// `first` is the first word of a chunk's paint.
fn paint(first: u32, shape: Surface) -> Paint {
    let own = paint_between(first, CHUNK_VERTICES, shape.grid);
    let parent = paint_between(first + CHUNK_VERTICES * CHUNK_VERTICES, PARENT_VERTICES, 0.5 * shape.grid);
    return mix_paint(own, parent, shape.morph);
}
