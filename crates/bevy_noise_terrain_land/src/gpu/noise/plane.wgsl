// Part of `bevy_noise_terrain::noise`.
//
// Value, Perlin and simplex noise on the plane: the value and its slopes along the axes of the octave, per cell.

// The curve between two lattice points and its slope.
fn fade_of(which: u32, t: f32) -> vec2<f32> {
    switch which {
        case 0u: {
            return vec2(t, 1.0);
        }
        case 1u: {
            // The sine and cosine of a quarter turn to either side, as polynomials: those of WGSL may be off by 2⁻¹¹.
            let x = 3.1415927 * (t - 0.5);
            let s = x * x;
            let sine = x * (1.0 + s * (-1.0 / 6.0 + s * (1.0 / 120.0 + s * (-1.0 / 5040.0 + s * (1.0 / 362880.0 - s / 39916800.0)))));
            let cosine = 1.0 + s * (-0.5 + s * (1.0 / 24.0 + s * (-1.0 / 720.0 + s * (1.0 / 40320.0 - s / 3628800.0))));
            return vec2(0.5 + 0.5 * sine, 1.5707964 * cosine);
        }
        case 2u: {
            return vec2(t * t * (3.0 - 2.0 * t), 6.0 * t * (1.0 - t));
        }
        default: {
            return vec2(t * t * t * (t * (t * 6.0 - 15.0) + 10.0), 30.0 * t * t * (t * (t - 2.0) + 1.0));
        }
    }
}

// The parts of the hashes of the lattice points around a cell, `step` from another: near left, near right, far left, far
// right.
fn corners_of(octave: Octave, step: vec2<u32>) -> vec4<u32> {
    // The cell's place in the window of the octave's own cell, from low words alone. A step so long that the sum wraps
    // leaves the window as well.
    let in_window = bitcast<vec2<i32>>(((octave.cell.xz + 0x800000u) & vec2(0xFFFFFFu)) + step);
    // Where the window ends, the next cell has other seeds.
    if all(in_window >= vec2(0)) && all(in_window < vec2(0xFFFFFF)) {
        return corners_in(octave.window, octave.cell.xz + step);
    }
    // Far from the origin of the words, or by chance: in a loop, to be no burden on those who do not get here.
    let x = add_wide(octave.cell.xy, widened(step.x));
    let z = add_wide(octave.cell.zw, widened(step.y));
    var parts = vec4(0u);
    for (var corner = 0u; corner < 4u; corner += 1u) {
        let there_x = add_wide(x, vec2(corner & 1u, 0u));
        let there_z = add_wide(z, vec2(corner >> 1u, 0u));
        parts[corner] = plane_parts_anywhere(octave.seed, there_x, there_z);
    }
    return parts;
}

// The same where all lie in one window.
fn corners_in(seeds: vec2<u32>, cell: vec2<u32>) -> vec4<u32> {
    let left = cell.x * PLANE_X + seeds.x;
    let near = cell.y * PLANE_Z;
    let columns = vec2(left, left + PLANE_X);
    return vec4(columns ^ vec2(near ^ seeds.y), columns ^ vec2((near + PLANE_Z) ^ seeds.y));
}

// The same of a lattice, for steps of less than 2²³ cells.
fn lattice_corners(lattice: PlaneLattice, step: vec2<u32>) -> vec4<u32> {
    let cell = lattice.cell + step;
    let in_window = ((lattice.cell + 0x800000u) & vec2(0xFFFFFFu)) + step;
    if all(in_window < vec2(0xFFFFFFu)) {
        return corners_in(lattice.window, cell);
    }
    // Those below the window have wrapped.
    let is_beyond_x = vec2(in_window.x, in_window.x + 1u) > vec2(0xFFFFFFu);
    let is_beyond_z = vec2(in_window.y, in_window.y + 1u) > vec2(0xFFFFFFu);
    var parts = vec4(0u);
    for (var corner = 0u; corner < 4u; corner += 1u) {
        let near = select(lattice.window, lattice.beyond_x, is_beyond_x[corner & 1u]);
        let far = select(lattice.beyond_z, lattice.beyond_both, is_beyond_x[corner & 1u]);
        let seeds = select(near, far, is_beyond_z[corner >> 1u]);
        parts[corner] = plane_parts(seeds, cell.x + (corner & 1u), cell.y + (corner >> 1u));
    }
    return parts;
}

// The numbers of value noise at the same lattice points, in −1 to 1.
fn lattice_values(parts: vec4<u32>) -> vec4<f32> {
    return vec4(unit(scattered(parts.x)), unit(scattered(parts.y)), unit(scattered(parts.z)), unit(scattered(parts.w))) * INSIDE;
}

fn value_noise(octave: Octave, place: Place, fade: u32) -> vec3<f32> {
    let corners = lattice_values(corners_of(octave, place.step));
    let near = corners.xy;
    let far = corners.zw;
    let x = fade_of(fade, place.f.x);
    let z = fade_of(fade, place.f.y);
    let rows = vec2(near.x + x.x * (near.y - near.x), far.x + x.x * (far.y - far.x));
    let slopes = x.y * vec2(near.y - near.x, far.y - far.x);
    return vec3(
        rows.x + z.x * (rows.y - rows.x),
        slopes.x + z.x * (slopes.y - slopes.x),
        z.y * (rows.y - rows.x),
    );
}

const PERLIN_SCALE: f32 = 1.4348233 * INSIDE;

fn perlin_noise(octave: Octave, place: Place, fade: u32) -> vec3<f32> {
    let parts = corners_of(octave, place.step);
    let f = place.f;
    let x = fade_of(fade, f.x);
    let z = fade_of(fade, f.y);
    let a = direction_of_sixteen(sixteenth(parts.x)) * PERLIN_SCALE;
    let b = direction_of_sixteen(sixteenth(parts.y)) * PERLIN_SCALE;
    let c = direction_of_sixteen(sixteenth(parts.z)) * PERLIN_SCALE;
    let d = direction_of_sixteen(sixteenth(parts.w)) * PERLIN_SCALE;
    // What the four slopes reach at the place, and their differences along x.
    let near_left = dot(a, f);
    let near_right = dot(b, f - vec2(1.0, 0.0));
    let far_left = dot(c, f - vec2(0.0, 1.0));
    let far_right = dot(d, f - vec2(1.0, 1.0));
    let near = near_left + x.x * (near_right - near_left);
    let far = far_left + x.x * (far_right - far_left);
    let near_slope = a + x.x * (b - a) + vec2(x.y * (near_right - near_left), 0.0);
    let far_slope = c + x.x * (d - c) + vec2(x.y * (far_right - far_left), 0.0);
    let slope = near_slope + z.x * (far_slope - near_slope) + vec2(0.0, z.y * (far - near));
    return vec3(near + z.x * (far - near), slope);
}

const UNSKEW: f32 = 0.21132487;
const SIMPLEX_SCALE: f32 = 99.41596 * INSIDE;

// What a lattice point adds: (½ − r²)⁴ · slope·offset, and its derivatives.
fn simplex_share(offset: vec2<f32>, slope: vec2<f32>) -> vec3<f32> {
    let along = dot(slope, offset);
    let t = max(0.5 - dot(offset, offset), 0.0);
    let cube = t * t * t;
    return vec3(cube * t * along, cube * t * slope - 8.0 * cube * along * offset);
}

fn simplex_noise(octave: Octave, place: Place) -> vec3<f32> {
    let parts = corners_of(octave, place.step);
    let f = place.f;
    let near = f - vec2((f.x + f.y) * UNSKEW);
    let is_far = f.y > f.x;
    let middle = select(vec2(UNSKEW - 1.0, UNSKEW), vec2(UNSKEW, UNSKEW - 1.0), is_far);
    let a = direction_of_sixteen(sixteenth(parts.x)) * SIMPLEX_SCALE;
    let b = direction_of_sixteen(sixteenth(select(parts.y, parts.z, is_far))) * SIMPLEX_SCALE;
    let c = direction_of_sixteen(sixteenth(parts.w)) * SIMPLEX_SCALE;
    return simplex_share(near, a) + simplex_share(near + middle, b) + simplex_share(near + vec2(2.0 * UNSKEW - 1.0), c);
}
