// Part of `bevy_noise_terrain::noise`.
//
// The lattice: random numbers at whole coordinates. The bits are those of `lattice.rs` and `lattice/plane.rs` in
// terrain_noise.

const SPREAD_X: vec2<u32> = vec2(0x7F4A7C15u, 0x9E3779B9u);
const SPREAD_Y: vec2<u32> = vec2(0xD192ED03u, 0xD1B54A32u);
const SPREAD_Z: vec2<u32> = vec2(0xFB8FAC03u, 0xABC98388u);

// Per axis of the plane.
const PLANE_X: u32 = 0x9E3779B1u;
const PLANE_Z: u32 = 0x85EBCA77u;

// Keeps rounding in interpolations inside the exact range.
const INSIDE: f32 = 1.0 - 1.0 / 1048576.0;

// Stafford's mix 13, of 64 bits.
fn mix_wide(value: vec2<u32>) -> vec2<u32> {
    let a = multiply_wide(value ^ shift_right_wide(value, 30u), vec2(0x1CE4E5B9u, 0xBF58476Du));
    let b = multiply_wide(a ^ shift_right_wide(a, 27u), vec2(0x133111EBu, 0x94D049BBu));
    return b ^ shift_right_wide(b, 31u);
}

// A hash as a number in [−1, 1].
fn unit(hash: u32) -> f32 {
    return f32(bitcast<i32>(hash)) * (1.0 / 2147483648.0);
}

// A part of the hash, from a cell of an axis spread over 64 bits. The next cell is one `SPREAD_…` further.
fn folded(spread: vec2<u32>) -> vec2<u32> {
    return vec2(spread.x ^ spread.y, spread.y);
}

// The hash of a lattice point, from the exclusive or of its axes' parts.
fn hashed(parts: vec2<u32>) -> u32 {
    let product = multiply_words(parts.x, parts.y);
    return product.x ^ product.y;
}

// The spread cell that lies `step` cells, a signed word, from another.
fn spread_by(spread: vec2<u32>, step: u32, axis: vec2<u32>) -> vec2<u32> {
    return add_wide(spread, multiply_wide(widened(step), axis));
}

// The window of 2²⁴ × 2²⁴ cells that a cell of the plane lies in, along an axis: window 0 lies around the origin.
fn plane_window(cell: vec2<u32>) -> vec2<u32> {
    let moved = add_wide(cell, vec2(0x800000u, 0u));
    return vec2((moved.x >> 24u) | (moved.y << 8u), bitcast<u32>(bitcast<i32>(moved.y) >> 24u));
}

// What tells the lattice points of a window from those of others.
fn plane_seeds(seed: vec2<u32>, window_x: vec2<u32>, window_z: vec2<u32>) -> vec2<u32> {
    let row = mix_wide(seed ^ multiply_wide(window_z, SPREAD_Y));
    return mix_wide(add_wide(row, multiply_wide(window_x, SPREAD_X)));
}

// The parts of the hash of a lattice point of the plane.
fn plane_parts(seeds: vec2<u32>, x: u32, z: u32) -> u32 {
    return (x * PLANE_X + seeds.x) ^ (z * PLANE_Z) ^ seeds.y;
}

// The same of any point, whatever its window.
fn plane_parts_anywhere(seed: vec2<u32>, x: vec2<u32>, z: vec2<u32>) -> u32 {
    return plane_parts(plane_seeds(seed, plane_window(x), plane_window(z)), x.x, z.x);
}

// Products of the low and the high 16-bit halves, signed, added.
fn multiply_halves(a: u32, b: u32) -> u32 {
    let low = (bitcast<i32>(a << 16u) >> 16u) * (bitcast<i32>(b << 16u) >> 16u);
    let high = (bitcast<i32>(a) >> 16u) * (bitcast<i32>(b) >> 16u);
    return bitcast<u32>(low) + bitcast<u32>(high);
}

// Four random bits of a lattice point of the plane, from the parts of its hash.
fn sixteenth(parts: u32) -> u32 {
    return (multiply_halves(multiply_halves(parts, 0x6C8F5A35u), parts) >> 16u) & 15u;
}

// All 32 bits of it random.
fn scattered(parts: u32) -> u32 {
    let a = (parts ^ (parts >> 16u)) * 0x7FEB352Du;
    let b = (a ^ (a >> 15u)) * 0x846CA68Bu;
    return b ^ (b >> 16u);
}

// One of sixteen directions of length 1, half a sector off the axes.
fn direction_of_sixteen(which: u32) -> vec2<f32> {
    let step = which & 3u;
    let outer = vec2(0.9807853, 0.19509032);
    let inner = vec2(0.8314696, 0.55557024);
    let pair = select(inner, outer, step == 0u || step == 3u);
    let turned = select(pair, pair.yx, step >= 2u);
    let quarter = select(turned, vec2(-turned.y, turned.x), (which & 4u) != 0u);
    return select(quarter, -quarter, (which & 8u) != 0u);
}
