// Which layers lie where.
#define_import_path bevy_noise_terrain::layers

#import bevy_noise_terrain::bindings::{Layer, frame}

fn hash(cell: vec2<u32>) -> f32 {
    var n = cell.x * 0x9E3779B1u ^ cell.y * 0x85EBCA77u;
    n = (n ^ (n >> 15u)) * 0x2C1B3C6Du;
    n = (n ^ (n >> 12u)) * 0x297A2D39u;
    return f32((n ^ (n >> 15u)) & 0xFFFFu) / 65535.0;
}

// Value noise in [−1, 1] with cells `scale` metres wide, which fades out where they are a few pixels wide. It
// repeats after 65 536 m, without a seam where that is a multiple of `scale`.
fn patches(place: vec2<f32>, scale: f32, pixel: f32) -> f32 {
    let fade = saturate(1.5 - 4.0 * pixel / scale);
    if fade == 0.0 {
        return 0.0;
    }
    let p = place / scale;
    let cell = floor(p);
    let count = u32(round(65536.0 / scale));
    let a = vec2<u32>((vec2<i32>(cell) % i32(count) + i32(count)) % i32(count));
    let b = (a + 1u) % count;
    let f = p - cell;
    let u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    let low = mix(hash(a), hash(vec2(b.x, a.y)), u.x);
    let high = mix(hash(vec2(a.x, b.y)), hash(b), u.x);
    return fade * (2.0 * mix(low, high, u.y) - 1.0);
}

// Noises that decide about the layers at one place.
struct Climate {
    // 0 dry, 1 wet.
    moisture: f32,
    // Height above the sea as plants feel it, in metres.
    height: f32,
    // Breaks up straight seams, in [−1, 1].
    rough: f32,
}

fn climate(position: vec3<f32>, pixel: f32) -> Climate {
    let place = position.xz + frame.ground.origin;
    let size = frame.ground.moisture_size;
    // Turned against each other, that no grid shows.
    let turned = vec2(0.8 * place.x - 0.6 * place.y, 0.6 * place.x + 0.8 * place.y);
    let wide = patches(turned, size, pixel) + 0.5 * patches(place, 0.3 * size, pixel);
    let rough = 0.5 * patches(turned, 41.0, pixel) + 0.35 * patches(place, 11.0, pixel) + 0.25 * patches(turned, 2.7, pixel);
    var out: Climate;
    out.moisture = saturate(0.5 + 0.5 * wide + 0.18 * rough);
    let warmth = 0.7 * patches(place, 1.7 * size, pixel) + 0.2 * patches(turned, 0.19 * size, pixel) + 0.15 * rough;
    out.height = position.y + frame.ground.warmth * warmth;
    out.rough = rough;
    return out;
}

// `span` is from, to and the reciprocal of the soft width.
fn within(span: vec4<f32>, value: f32) -> f32 {
    let ends = saturate((vec2(value, -value) - vec2(span.x, -span.y)) * span.z + 0.5);
    let smoothed = ends * ends * (3.0 - 2.0 * ends);
    return smoothed.x * smoothed.y;
}

// How much of the ground a layer covers where it is laid on.
fn coverage(layer: Layer, height: f32, climate: Climate, steepness: f32, curvature: f32) -> f32 {
    // A shore is level whatever the climate: narrow spans follow the land itself.
    let felt = mix(climate.height, height, saturate(layer.height.z * 20.0 - 1.0));
    return within(layer.height, felt)
        * within(layer.slope, steepness + 0.06 * climate.rough)
        * within(layer.curvature, curvature)
        * within(layer.moisture, climate.moisture);
}
