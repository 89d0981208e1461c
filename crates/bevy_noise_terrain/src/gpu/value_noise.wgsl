// Value noise over the plane, for what both processor and shader compute: climate/noises.rs does the same.
#define_import_path bevy_noise_terrain::value_noise

// `PatchesRecord` in climate/noises.rs.
struct Patches {
    axis: vec2<f32>,
    place: vec2<f32>,
    cell: vec2<u32>,
    scale: f32,
    padding: u32,
}

fn hash(cell: vec2<u32>) -> f32 {
    var n = cell.x * 0x9E3779B1u ^ cell.y * 0x85EBCA77u;
    n = (n ^ (n >> 15u)) * 0x2C1B3C6Du;
    n = (n ^ (n >> 12u)) * 0x297A2D39u;
    return f32((n ^ (n >> 15u)) & 0xFFFFu) / 65535.0;
}

// In [−1, 1]; fades out where its cells are a few pixels wide. Its cells are counted from the absolute origin, so that it
// does not depend on the terrain's origin.
fn value_noise(noise: Patches, place: vec2<f32>, pixel: f32) -> f32 {
    let fade = saturate(1.5 - 4.0 * pixel / noise.scale);
    if fade == 0.0 {
        return 0.0;
    }
    let turned = vec2(dot(noise.axis, place), noise.axis.x * place.y - noise.axis.y * place.x);
    let p = turned / noise.scale + noise.place;
    let cell = floor(p);
    let a = bitcast<vec2<u32>>(vec2<i32>(cell)) + noise.cell;
    let b = a + 1u;
    let f = p - cell;
    let u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    let low = mix(hash(a), hash(vec2(b.x, a.y)), u.x);
    let high = mix(hash(vec2(a.x, b.y)), hash(b), u.x);
    return fade * (2.0 * mix(low, high, u.y) - 1.0);
}
