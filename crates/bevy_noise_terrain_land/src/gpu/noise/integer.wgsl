// Part of `bevy_noise_terrain::noise`.
//
// Integers of 64 bits as pairs of words, low and high. All arithmetic wraps.

fn add_wide(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn negative_wide(a: vec2<u32>) -> vec2<u32> {
    return add_wide(~a, vec2(1u, 0u));
}

// A signed word as 64 bits.
fn widened(word: u32) -> vec2<u32> {
    return vec2(word, bitcast<u32>(bitcast<i32>(word) >> 31u));
}

// The whole product of two words.
fn multiply_words(a: u32, b: u32) -> vec2<u32> {
    let a_low = a & 0xFFFFu;
    let a_high = a >> 16u;
    let b_low = b & 0xFFFFu;
    let b_high = b >> 16u;
    let cross = a_low * b_high;
    // At most 2³² − 1: the halves leave room for each other.
    let middle = a_high * b_low + (cross & 0xFFFFu) + ((a_low * b_low) >> 16u);
    return vec2(a * b, a_high * b_high + (cross >> 16u) + (middle >> 16u));
}

fn multiply_wide(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = multiply_words(a.x, b.x);
    return vec2(low.x, low.y + a.x * b.y + a.y * b.x);
}

// `count` is 1 to 31.
fn shift_right_wide(a: vec2<u32>, count: u32) -> vec2<u32> {
    return vec2((a.x >> count) | (a.y << (32u - count)), a.y >> count);
}

// The same for a count of 0 to 31, to the left.
fn shift_left_wide(a: vec2<u32>, count: u32) -> vec2<u32> {
    // In two steps, as a shift by 32 is not defined.
    return vec2(a.x << count, (a.y << count) | ((a.x >> 1u) >> (31u - count)));
}

// (a · b) / 2⁵⁶, both signed: fixed point of 32 bits after the point, times one of 56.
fn multiply_fixed(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let is_negative = ((a.y ^ b.y) >> 31u) != 0u;
    let p = select(a, negative_wide(a), (a.y >> 31u) != 0u);
    let q = select(b, negative_wide(b), (b.y >> 31u) != 0u);
    // The upper three of four words of the product.
    let low = vec2(multiply_words(p.x, q.x).y, 0u);
    let first = multiply_words(p.x, q.y);
    let second = multiply_words(p.y, q.x);
    let middle = add_wide(add_wide(low, vec2(first.x, 0u)), vec2(second.x, 0u));
    let upper = add_wide(
        add_wide(multiply_words(p.y, q.y), vec2(middle.y, 0u)),
        add_wide(vec2(first.y, 0u), vec2(second.y, 0u)),
    );
    let size = vec2((middle.x >> 24u) | (upper.x << 8u), (upper.x >> 24u) | (upper.y << 8u));
    return select(size, negative_wide(size), is_negative);
}
