// Procedural surface detail: gaps between leaves and needles, the grain of stone. See `Skin` in shapes.rs.
#define_import_path bevy_noise_terrain::foliage

struct Skin {
    // Opacity: less than ½ is a gap.
    cover: f32,
    // Factor of the colour.
    tone: f32,
    // Height of the surface, as a fraction of the object's size.
    height: f32,
}

fn hash(cell: vec2<f32>) -> vec4<f32> {
    let n = vec2<u32>(vec2<i32>(cell) + 4096);
    var h = (n.x * 0x9E3779B1u) ^ (n.y * 0x85EBCA77u);
    h = (h ^ (h >> 15u)) * 0x2C1B3C6Du;
    h = (h ^ (h >> 12u)) * 0x297A2D39u;
    h = h ^ (h >> 15u);
    return unpack4x8unorm(h);
}

// One leaf in each cell of a rotated grid.
fn leaf(uv: vec2<f32>, turn: vec2<f32>, count: f32, salt: f32) -> vec2<f32> {
    let p = vec2(turn.x * uv.x - turn.y * uv.y, turn.y * uv.x + turn.x * uv.y) * count + salt;
    let cell = floor(p);
    let chance = hash(cell);
    let angle = 6.2831853 * chance.x;
    let way = vec2(cos(angle), sin(angle));
    let d = p - cell - 0.5 - 0.25 * (chance.yz - 0.5);
    let along = vec2(dot(d, way), way.x * d.y - way.y * d.x);
    // Pointed at both ends.
    let inside = 1.0 - length(along * vec2(2.1, 4.4 + 5.0 * abs(along.x)));
    return vec2(inside, 0.75 + 0.5 * chance.w);
}

fn leaves(uv: vec2<f32>, width: f32) -> Skin {
    let out_of_middle = length(uv - 0.5) * 2.0;
    var best = leaf(uv, vec2(1.0, 0.0), 4.0, 0.0);
    let second = leaf(uv, vec2(0.62, 0.78), 4.6, 17.0);
    let third = leaf(uv, vec2(-0.42, 0.91), 5.3, 37.0);
    best = select(best, second * vec2(1.0, 0.92), second.x > best.x);
    best = select(best, third * vec2(1.0, 0.84), third.x > best.x);
    // Leaves narrower than a few pixels fade to their mean.
    let blurred = saturate(width * 9.0 - 0.4);
    let cover = mix(0.5 + 2.0 * best.x, 0.72, blurred);
    let rim = saturate((1.0 - out_of_middle) * 3.0);
    return Skin(min(cover, cover * rim + 0.15 * rim), mix(best.y, 0.92, blurred), 0.0);
}

// A twig with shoots to both sides.
fn needles(uv: vec2<f32>, width: f32) -> Skin {
    let side = abs(uv.y - 0.5) * 2.0;
    let shoots = 11.0;
    let at = uv.x * shoots - side * 1.6 + 2.0;
    let chance = hash(vec2(floor(at), select(0.0, 7.0, uv.y > 0.5)));
    let reach = (0.55 + 0.45 * chance.x) * (1.0 - 0.45 * uv.x * uv.x);
    let gap = abs(fract(at) - 0.5) * 2.0;
    let shoot = (0.80 - 0.45 * side) - gap;
    let twig = 0.10 - side;
    let blurred = saturate(width * 14.0 - 0.4);
    let inside = select(-1.0, max(shoot, twig), side < reach);
    let cover = mix(0.5 + 2.0 * inside, select(0.0, 0.8, side < 0.72), blurred);
    return Skin(cover, mix(0.72 + 0.45 * chance.y + 0.25 * side, 0.95, blurred), 0.0);
}

fn bump(p: vec2<f32>) -> f32 {
    let cell = floor(p);
    let f = p - cell;
    let u = f * f * (3.0 - 2.0 * f);
    let low = mix(hash(cell).x, hash(cell + vec2(1.0, 0.0)).x, u.x);
    let high = mix(hash(cell + vec2(0.0, 1.0)).x, hash(cell + 1.0).x, u.x);
    return mix(low, high, u.y);
}

fn stone(uv: vec2<f32>, width: f32) -> Skin {
    var sum = 0.0;
    var size = 1.0;
    for (var scale = 7.0; scale < 80.0; scale *= 2.3) {
        let seen = saturate(1.5 - 3.0 * width * scale);
        sum += seen * size * (bump(uv * scale + scale) - 0.5);
        size *= 0.55;
    }
    let crack = saturate(1.0 - 16.0 * abs(bump(uv * vec2(5.0, 9.0) + 3.0) - 0.5)) * saturate(1.5 - 30.0 * width);
    return Skin(1.0, 1.0 + 0.45 * sum - 0.3 * crack, 0.030 * sum - 0.012 * crack);
}

// The skin at texture coordinates; `width` is the width of a pixel there.
fn skin(place: vec2<f32>, width: f32) -> Skin {
    let kind = floor(place.x * 0.5 + 0.001);
    let uv = vec2(place.x - 2.0 * kind, place.y);
    if kind == 1.0 {
        return needles(uv, width);
    } else if kind == 2.0 {
        return leaves(uv, width);
    } else if kind == 3.0 {
        return stone(uv, width);
    }
    return Skin(1.0, 1.0, 0.0);
}

// Width of a pixel in texture coordinates.
fn pixel_width(place: vec2<f32>) -> f32 {
    let width = fwidth(place);
    return max(width.x, width.y);
}
