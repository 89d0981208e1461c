// Part of `bevy_noise_terrain::noise`.
//
// Value, Perlin and simplex noise in space: the value and its slopes along the axes of the octave, per cell.

// Spread cells: the near and the far one along each axis.
struct Cells {
    x: vec4<u32>,
    y: vec4<u32>,
    z: vec4<u32>,
}

fn folded_both(spread: vec2<u32>, axis: vec2<u32>) -> vec4<u32> {
    return vec4(folded(spread), folded(add_wide(spread, axis)));
}

fn cells_of(octave: SpaceOctave, step: vec3<u32>) -> Cells {
    return Cells(
        folded_both(spread_by(octave.cell_xy.xy, step.x, SPREAD_X), SPREAD_X),
        folded_both(spread_by(octave.cell_xy.zw, step.y, SPREAD_Y), SPREAD_Y),
        folded_both(spread_by(octave.cell_z, step.z, SPREAD_Z), SPREAD_Z),
    );
}

// The hash of a corner; `is_far` tells for each axis which.
fn corner_hash(cells: Cells, is_far: vec3<bool>) -> u32 {
    let x = select(cells.x.xy, cells.x.zw, is_far.x);
    let y = select(cells.y.xy, cells.y.zw, is_far.y);
    let z = select(cells.z.xy, cells.z.zw, is_far.z);
    return hashed(x ^ y ^ z);
}

fn is_corner_far(corner: u32) -> vec3<bool> {
    return (vec3(corner) & vec3(1u, 2u, 4u)) != vec3(0u);
}

// The slope at a lattice point: two parabolas for the sine and cosine of a hashed angle, around a hashed height.
fn space_slope(hash: u32, scale: f32) -> vec3<f32> {
    let height = unit(hash << 16u);
    let turns = unit(hash & 0xFFFF0000u);
    let ring = 4.0 * sqrt(max(1.0 - height * height, 0.0)) * scale;
    let turned = 0.5 - abs(turns);
    return vec3(turns * (ring - ring * abs(turns)), turned * (ring - ring * abs(turned)), height * scale);
}

// A value with its slopes, between two ends of an axis.
fn joined(near: vec4<f32>, far: vec4<f32>, fade: vec2<f32>, axis: vec3<f32>) -> vec4<f32> {
    return near + fade.x * (far - near) + vec4(0.0, axis * (fade.y * (far.x - near.x)));
}

// What the eight corners of a cell hold as one value with slopes.
fn between_corners(corners: array<vec4<f32>, 8>, fade: u32, f: vec3<f32>) -> vec4<f32> {
    let x = fade_of(fade, f.x);
    let y = fade_of(fade, f.y);
    let z = fade_of(fade, f.z);
    let along_x = vec3(1.0, 0.0, 0.0);
    let along_y = vec3(0.0, 1.0, 0.0);
    let a = joined(joined(corners[0], corners[2], y, along_y), joined(corners[1], corners[3], y, along_y), x, along_x);
    let b = joined(joined(corners[4], corners[6], y, along_y), joined(corners[5], corners[7], y, along_y), x, along_x);
    return joined(a, b, z, vec3(0.0, 0.0, 1.0));
}

fn value_space_noise(octave: SpaceOctave, place: SpacePlace, fade: u32) -> vec4<f32> {
    let cells = cells_of(octave, place.step);
    var corners = array<vec4<f32>, 8>();
    for (var corner = 0u; corner < 8u; corner += 1u) {
        corners[corner] = vec4(unit(corner_hash(cells, is_corner_far(corner))) * INSIDE, 0.0, 0.0, 0.0);
    }
    return between_corners(corners, fade, place.f);
}

fn perlin_space_noise(octave: SpaceOctave, place: SpacePlace, fade: u32) -> vec4<f32> {
    let cells = cells_of(octave, place.step);
    var corners = array<vec4<f32>, 8>();
    for (var corner = 0u; corner < 8u; corner += 1u) {
        let is_far = is_corner_far(corner);
        let slope = space_slope(corner_hash(cells, is_far), 1.1094004 * INSIDE);
        corners[corner] = vec4(dot(slope, place.f - select(vec3(0.0), vec3(1.0), is_far)), slope);
    }
    return between_corners(corners, fade, place.f);
}

const SIMPLEX_SPACE_SCALE: f32 = 102.50686 * INSIDE;

fn simplex_space_noise(octave: SpaceOctave, place: SpacePlace) -> vec4<f32> {
    let cells = cells_of(octave, place.step);
    let f = place.f;
    let near = f - vec3((f.x + f.y + f.z) / 6.0);
    // The largest fraction is stepped first.
    let rank = vec3(
        select(0u, 1u, f.x >= f.y) + select(0u, 1u, f.x >= f.z),
        select(0u, 1u, f.y > f.x) + select(0u, 1u, f.y >= f.z),
        select(0u, 1u, f.z > f.x) + select(0u, 1u, f.z > f.y),
    );
    var sum = vec4(0.0);
    for (var steps = 0u; steps < 4u; steps += 1u) {
        let is_far = rank + steps >= vec3(3u);
        let slope = space_slope(corner_hash(cells, is_far), 1.0);
        let offset = near - (select(vec3(0.0), vec3(1.0), is_far) - vec3(f32(steps) / 6.0));
        let along = dot(slope, offset);
        let t = max(0.5 - dot(offset, offset), 0.0);
        let cube = t * t * t;
        sum += vec4(cube * t * along, cube * t * slope - 8.0 * cube * along * offset);
    }
    return sum * SIMPLEX_SPACE_SCALE;
}
