// Procedural surface detail: gaps between leaves and needles, the grain of stone. See `Skin` in shapes.rs.
#define_import_path bevy_noise_terrain::foliage

struct Skin {
    // Opacity: less than ½ is a gap.
    cover: f32,
    // Factor of the colour.
    tone: f32,
    // Height of the surface, as a fraction of the object's size.
    height: f32,
    // Light that comes through, as a multiple of what a surface that faces the light throws back.
    through: f32,
}

// Chosen by eye; needles are thicker than leaves.
const LEAF: f32 = 0.6;
const NEEDLE: f32 = 0.35;

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
    // Pointed at both ends, with a fold in the middle.
    let inside = 1.0 - length(along * vec2(2.1, 4.4 + 5.0 * abs(along.x)));
    let fold = 0.85 + 0.15 * smoothstep(0.0, 0.05, abs(along.y));
    return vec2(inside, fold * (0.75 + 0.5 * chance.w));
}

// Three layers of leaves; `fineness` times as many as where a bunch is seen from afar.
fn bunch(uv: vec2<f32>, fineness: f32) -> vec2<f32> {
    var best = leaf(uv, vec2(1.0, 0.0), 4.0 * fineness, 0.0);
    let second = leaf(uv, vec2(0.62, 0.78), 4.6 * fineness, 17.0);
    let third = leaf(uv, vec2(-0.42, 0.91), 5.3 * fineness, 37.0);
    best = select(best, second * vec2(1.0, 0.92), second.x > best.x);
    return select(best, third * vec2(1.0, 0.84), third.x > best.x);
}

fn leaves(uv: vec2<f32>, width: f32) -> Skin {
    let out_of_middle = length(uv - 0.5) * 2.0;
    var best = bunch(uv, 1.0);
    // Near by, the large ones turn into many small ones.
    let near = saturate(2.0 - width * 400.0);
    if near > 0.0 {
        best = mix(best, bunch(uv, 2.8), near);
    }
    // Leaves narrower than a few pixels fade to their mean.
    let blurred = saturate(width * 9.0 - 0.4);
    let cover = mix(0.5 + 2.0 * best.x, 0.72, blurred);
    let rim = saturate((1.0 - out_of_middle) * 3.0);
    return Skin(min(cover, cover * rim + 0.15 * rim), mix(best.y, 0.92, blurred), 0.0, LEAF);
}

// Leaves in front of darker ones.
fn crown(uv: vec2<f32>, width: f32) -> Skin {
    let best = bunch(uv, 1.7);
    let blurred = saturate(width * 14.0 - 0.4);
    return Skin(1.0, mix(mix(0.6, 1.15 * best.y, smoothstep(-0.1, 0.1, best.x)), 1.0, blurred), 0.0, LEAF);
}

// Shoots that hang down one over the other: how deep inside of one, and its brightness.
fn hanging(uv: vec2<f32>, count: vec2<f32>, salt: f32) -> vec2<f32> {
    let p = uv * count + salt;
    let cell = floor(p);
    let chance = hash(cell);
    let d = p - cell - 0.5 - 0.3 * (chance.xy - 0.5);
    let aside = d.x + 0.9 * (chance.z - 0.5) * d.y;
    // Blunt above, pointed below.
    let inside = 1.0 - length(vec2(aside * (2.3 + 1.6 * d.y), d.y * 1.7));
    return vec2(inside, 0.65 + 0.7 * chance.w);
}

// Shoots in front of darker ones, and tips of different lengths along the rim.
fn boughs(uv: vec2<f32>, width: f32) -> Skin {
    var best = hanging(uv, vec2(19.0, 6.0), 0.0);
    let second = hanging(uv, vec2(23.0, 7.0), 41.0);
    best = select(best, second * vec2(1.0, 0.8), second.x > best.x);
    let blurred = saturate(width * 16.0 - 0.4);
    let tone = mix(0.5, 1.2 * best.y, smoothstep(-0.15, 0.1, best.x));
    let tip = uv.x * 27.0;
    let longest = 1.0 - 0.35 * hash(vec2(floor(tip), 3.0)).x - 0.3 * abs(fract(tip) - 0.5);
    let cover = mix(0.5 + 4.0 * (longest - uv.y), 1.0, blurred);
    return Skin(cover, mix(tone, 0.9, blurred), 0.0, NEEDLE);
}

// A twig with shoots to both sides, and on each of them needles.
fn needles(uv: vec2<f32>, widths: vec2<f32>) -> Skin {
    let width = max(widths.x, widths.y);
    let side = abs(uv.y - 0.5) * 2.0;
    // The shoots of one side do not face those of the other.
    let flank = select(0.0, 7.0, uv.y > 0.5);
    let at = uv.x * 13.0 - side * 1.7 + 0.4 * sin(17.0 * uv.x + flank) + 0.06 * flank + 2.0;
    let row = vec2(floor(at), flank);
    let chance = hash(row);
    let outline = 1.0 - 0.45 * uv.x * uv.x;
    let gap = abs(fract(at) - 0.5) * 2.0;
    // Their edges are as ragged as needles, where these are wider than a pixel.
    let ragged = 0.3 * (abs(fract(11.0 * side + chance.z) - 0.5) - 0.25) * saturate(2.0 - width * 40.0);
    var shoot = 0.62 + 0.3 * chance.w - (0.35 + 0.25 * chance.z) * side - gap + ragged;
    // Bright along the middle and towards the tip.
    var tone = (0.62 + 0.45 * chance.y + 0.45 * side) * (1.05 - 0.4 * gap);
    // Needles narrower than a few pixels fade to whole shoots.
    let near = saturate(2.0 - 1.4 * dot(widths, vec2(88.0, 52.0)));
    if near > 0.0 {
        // They point to the shoot's tip, and narrow to their own.
        let along = 26.0 * side - 4.0 * gap;
        let one = hash(row + vec2(11.0 * floor(along), select(0.0, 3.0, fract(at) > 0.5)));
        let needle = 0.9 - gap - abs(fract(along) - 0.5) * 2.0;
        let stem = 0.10 - gap;
        let grown = shoot + 0.3 * (one.x - 0.3);
        shoot = mix(shoot, min(grown, max(needle, stem)), near);
        tone = mix(tone, select(tone * (0.7 + 0.6 * one.y), 0.55, stem > 0.0), near);
    }
    let twig = 0.10 - side;
    var inside = select(-1.0, max(shoot, twig), side < (0.4 + 0.6 * chance.x) * outline);
    if inside <= 0.0 {
        // Behind them, shorter ones in their shade.
        let behind = at + 0.5;
        let other = hash(vec2(floor(behind), flank + 3.0));
        let shade = 0.75 - 0.45 * side - abs(fract(behind) - 0.5) * 2.0 + ragged;
        if shade > 0.0 && side < (0.3 + 0.5 * other.x) * outline {
            inside = shade;
            tone = 0.42 + 0.3 * other.y;
        }
    }
    let blurred = saturate(width * 14.0 - 0.4);
    let cover = mix(0.5 + 2.0 * inside, select(0.0, 0.8, side < 0.72), blurred);
    return Skin(cover, mix(tone, 0.85, blurred), 0.0, NEEDLE);
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
    return Skin(1.0, 1.0 + 0.45 * sum - 0.3 * crack, 0.030 * sum - 0.012 * crack, 0.0);
}

// Fissures along the trunk between ridges of bark.
fn bark(uv: vec2<f32>, width: f32) -> Skin {
    var sum = 0.0;
    var size = 1.0;
    for (var scale = 5.0; scale < 60.0; scale *= 2.4) {
        let seen = saturate(1.5 - 3.0 * width * scale);
        sum += seen * size * (0.5 - abs(2.0 * bump(uv * vec2(scale, 4.0 * scale) + scale) - 1.0));
        size *= 0.6;
    }
    return Skin(1.0, 1.0 - 0.5 * sum, -0.02 * sum, 0.0);
}

// The skin at texture coordinates; `widths` are those of a pixel there.
fn skin(place: vec2<f32>, widths: vec2<f32>) -> Skin {
    let kind = floor(place.x * 0.5 + 0.001);
    let uv = vec2(place.x - 2.0 * kind, place.y);
    let width = max(widths.x, widths.y);
    if kind == 1.0 {
        return needles(uv, widths);
    } else if kind == 2.0 {
        return leaves(uv, width);
    } else if kind == 3.0 {
        return stone(uv, width);
    } else if kind == 5.0 {
        return bark(uv, width);
    } else if kind == 6.0 {
        return crown(uv, width);
    } else if kind == 7.0 {
        return boughs(uv, width);
    }
    return Skin(1.0, 1.0, 0.0, select(0.0, LEAF, kind == 4.0));
}
