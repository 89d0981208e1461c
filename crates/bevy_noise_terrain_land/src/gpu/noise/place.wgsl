// Part of `bevy_noise_terrain::noise`.
//
// Positions, and what of a noise depends on them. `shader.rs` in terrain_noise makes the words of a noise.

const MAX_OCTAVES: u32 = 16u;

// What all octaves have in common.
struct Settings {
    // 0 value, 1 Perlin, 2 simplex, 3 cellular noise.
    basis: u32,
    // The fade: 0 linear, 1 cosine, 2 smoothstep, 3 quintic; of cellular noise 0 F1, 1 F2, 2 F2 − F1, 3 a value a cell.
    option: u32,
    jitter: f32,
    // Cellular noise: what distances are multiplied by.
    scale: f32,
    // 0 fBm, 1 billow, 2 ridged, 3 multifractal, 4 as printed, 5 ridged multifractal, 6 as printed, 7 hybrid.
    kind: u32,
    octaves: u32,
    offset: f32,
    gain: f32,
    // The mean of an octave's signal, to which it fades.
    mean: f32,
    // Samples over which creases are rounded off.
    rounding: f32,
    // The last step: `factor · value + add`.
    factor: f32,
    add: f32,
}

// An octave on the plane.
struct Octave {
    // The origin's cell: x and z, low word first. Of cellular noise, spread by the seed.
    cell: vec4<u32>,
    // The origin's fraction in it, 32 bits after the point.
    fraction: vec2<u32>,
    seed: vec2<u32>,
    // Seeds of the window that the origin's cell lies in.
    window: vec2<u32>,
    // How often the coordinates of the octave before that starts anew are doubled; 0 starts anew.
    doublings: u32,
    amplitude: f32,
    // Cells per metre as a matrix, row by row, before they are skewed.
    slopes: vec4<f32>,
    // The same, skewed, in fixed point: 56 bits after the point, low word first.
    row_x: vec4<u32>,
    row_z: vec4<u32>,
    frequency: f32,
    // Whether both rows have one entry only.
    is_diagonal: u32,
    padding: vec2<u32>,
}

// Lattice points around a cell, for those who interpolate between them themselves: `shader/lattice.rs` in terrain_noise.
struct PlaneLattice {
    // The low words of x and z.
    cell: vec2<u32>,
    // Seeds of the window that the cell lies in, and of those beyond its nearer border along x, along z and along both.
    window: vec2<u32>,
    beyond_x: vec2<u32>,
    beyond_z: vec2<u32>,
    beyond_both: vec2<u32>,
}

struct Noise {
    settings: Settings,
    octaves: array<Octave, MAX_OCTAVES>,
}

// An octave in space, as on the plane otherwise.
struct SpaceOctave {
    // The origin's cells, spread by the seed.
    cell_xy: vec4<u32>,
    cell_z: vec2<u32>,
    doublings: u32,
    amplitude: f32,
    fraction: vec3<u32>,
    frequency: f32,
    // By x and y, then all three by z.
    row_x: vec4<u32>,
    row_y: vec4<u32>,
    row_z: vec4<u32>,
    column_xy: vec4<u32>,
    column_z: vec2<u32>,
    is_diagonal: u32,
    padding: u32,
    slopes_x: vec4<f32>,
    slopes_y: vec4<f32>,
    slopes_z: vec4<f32>,
}

struct SpaceNoise {
    settings: Settings,
    octaves: array<SpaceOctave, MAX_OCTAVES>,
}

// A position on the plane, relative to the origin of a noise.
struct Place {
    // In metres, 32 bits before and 32 after the point: x and z, low word first.
    metres: vec4<u32>,
    // In cells of the last octave that started anew.
    cells: vec4<u32>,
    // Whole cells of the octave from the origin's, signed, and the fraction in the cell, from 0 to below 1.
    step: vec2<u32>,
    f: vec2<f32>,
}

// The same in space.
struct SpacePlace {
    metres_x: vec2<u32>,
    metres_y: vec2<u32>,
    metres_z: vec2<u32>,
    cells_x: vec2<u32>,
    cells_y: vec2<u32>,
    cells_z: vec2<u32>,
    step: vec3<u32>,
    f: vec3<f32>,
}

// A coordinate in fixed point, from whole metres and a part of one, 0 to 1.
fn fixed_point(whole: f32, part: f32) -> vec2<u32> {
    // Numbers that do not fit are not defined.
    let metres = i32(clamp(whole, -2147483000.0, 2147483000.0));
    return vec2(u32(clamp(part, 0.0, 0.99999994) * 4294967296.0), bitcast<u32>(metres));
}

fn fraction_of(bits: u32) -> f32 {
    return f32(bits >> 8u) * (1.0 / 16777216.0);
}

// A position in metres.
fn place_at(metres: vec2<f32>) -> Place {
    let whole = floor(metres);
    let part = metres - whole;
    return Place(vec4(fixed_point(whole.x, part.x), fixed_point(whole.y, part.y)), vec4(0u), vec2(0u), vec2(0.0));
}

// A position in whole metres and a part of one, 0 to 1: exact where one number of 32 bits is not, far from the origin.
fn place_split(whole: vec2<i32>, part: vec2<f32>) -> Place {
    let fixed = vec4(fixed_point(0.0, part.x).x, bitcast<u32>(whole.x), fixed_point(0.0, part.y).x, bitcast<u32>(whole.y));
    return Place(fixed, vec4(0u), vec2(0u), vec2(0.0));
}

fn space_place_at(metres: vec3<f32>) -> SpacePlace {
    let whole = floor(metres);
    let part = metres - whole;
    let none = vec2(0u);
    return SpacePlace(
        fixed_point(whole.x, part.x), fixed_point(whole.y, part.y), fixed_point(whole.z, part.z),
        none, none, none, vec3(0u), vec3(0.0),
    );
}

fn space_place_split(whole: vec3<i32>, part: vec3<f32>) -> SpacePlace {
    var place = space_place_at(part);
    place.metres_x.y = bitcast<u32>(whole.x);
    place.metres_y.y = bitcast<u32>(whole.y);
    place.metres_z.y = bitcast<u32>(whole.z);
    return place;
}

// Whole cells and 32 bits of the fraction, of cells from the origin and the origin's fraction.
fn stepped(cells: vec2<u32>, doublings: u32, fraction: u32) -> vec2<u32> {
    return add_wide(shift_left_wide(cells, doublings), vec2(fraction, 0u));
}

// The position in cells of an octave. Octaves are to be taken in order: most need the coordinates of the one before.
fn in_octave(place: Place, octave: Octave) -> Place {
    var out = place;
    if octave.doublings == 0u {
        var x = multiply_fixed(place.metres.xy, octave.row_x.xy);
        var z = multiply_fixed(place.metres.zw, octave.row_z.zw);
        if octave.is_diagonal == 0u {
            x = add_wide(x, multiply_fixed(place.metres.zw, octave.row_x.zw));
            z = add_wide(z, multiply_fixed(place.metres.xy, octave.row_z.xy));
        }
        out.cells = vec4(x, z);
    }
    let x = stepped(out.cells.xy, octave.doublings, octave.fraction.x);
    let z = stepped(out.cells.zw, octave.doublings, octave.fraction.y);
    out.step = vec2(x.y, z.y);
    out.f = vec2(fraction_of(x.x), fraction_of(z.x));
    return out;
}

fn in_space_octave(place: SpacePlace, octave: SpaceOctave) -> SpacePlace {
    var out = place;
    if octave.doublings == 0u {
        var x = multiply_fixed(place.metres_x, octave.row_x.xy);
        var y = multiply_fixed(place.metres_y, octave.row_y.zw);
        var z = multiply_fixed(place.metres_z, octave.column_z);
        if octave.is_diagonal == 0u {
            x = add_wide(x, multiply_fixed(place.metres_y, octave.row_x.zw));
            x = add_wide(x, multiply_fixed(place.metres_z, octave.column_xy.xy));
            y = add_wide(y, multiply_fixed(place.metres_x, octave.row_y.xy));
            y = add_wide(y, multiply_fixed(place.metres_z, octave.column_xy.zw));
            z = add_wide(z, multiply_fixed(place.metres_x, octave.row_z.xy));
            z = add_wide(z, multiply_fixed(place.metres_y, octave.row_z.zw));
        }
        out.cells_x = x;
        out.cells_y = y;
        out.cells_z = z;
    }
    let x = stepped(out.cells_x, octave.doublings, octave.fraction.x);
    let y = stepped(out.cells_y, octave.doublings, octave.fraction.y);
    let z = stepped(out.cells_z, octave.doublings, octave.fraction.z);
    out.step = vec3(x.y, y.y, z.y);
    out.f = vec3(fraction_of(x.x), fraction_of(y.x), fraction_of(z.x));
    return out;
}
