// Part of `bevy_noise_terrain::noise`.
//
// Cellular noise: distances to scattered points, one per cell, on the plane and in space.

// The random bits of a point's position.
fn point_bits(hash: u32) -> vec2<u32> {
    return mix_wide(vec2(hash, 256u));
}

// Where a point lies in its cell along an axis, from 21 bits.
fn point_position(bits: u32, jitter: f32) -> f32 {
    return 0.5 + jitter * (f32(bits & 0x1FFFFFu) * (1.0 / 2097152.0) - 0.5);
}

// The nearest two points: their squared distances, the way from them to the place, and the hash of the first.
struct Nearest {
    squared: vec2<f32>,
    first: vec3<f32>,
    second: vec3<f32>,
    hash: u32,
}

fn with_point(nearest: Nearest, offset: vec3<f32>, hash: u32) -> Nearest {
    let squared = dot(offset, offset);
    var out = nearest;
    if squared < nearest.squared.x {
        out.squared = vec2(squared, nearest.squared.x);
        out.first = offset;
        out.second = nearest.first;
        out.hash = hash;
    } else if squared < nearest.squared.y {
        out.squared.y = squared;
        out.second = offset;
    }
    return out;
}

// The value and its slopes, per cell.
fn measured(settings: Settings, nearest: Nearest) -> vec4<f32> {
    let distances = sqrt(nearest.squared);
    // The tip of a cone has no slope.
    let first = vec4(distances.x, nearest.first / max(distances.x, 1e-30));
    let second = vec4(distances.y, nearest.second / max(distances.y, 1e-30));
    let base = vec4(1.0, 0.0, 0.0, 0.0);
    switch settings.option {
        case 0u: {
            return first * settings.scale - base;
        }
        case 1u: {
            return second * settings.scale - base;
        }
        case 2u: {
            return (second - first) * settings.scale - base;
        }
        default: {
            return unit(nearest.hash) * base;
        }
    }
}

// Whether points beyond a ring of cells may be nearer than those found. `border` is how near the cell's edge is.
fn is_near_enough(settings: Settings, nearest: Nearest, border: f32, ring: i32) -> bool {
    let reach = border + f32(ring) + 0.5 * (1.0 - settings.jitter);
    let needed = select(nearest.squared.x, nearest.squared.y, settings.option == 1u || settings.option == 2u);
    return needed <= reach * reach;
}

fn cellular_noise(settings: Settings, octave: Octave, place: Place) -> vec3<f32> {
    let x = spread_by(octave.cell.xy, place.step.x, SPREAD_X);
    let z = spread_by(octave.cell.zw, place.step.y, SPREAD_Y);
    let inner = min(place.f, 1.0 - place.f);
    let border = min(inner.x, inner.y);
    var nearest = Nearest(vec2(3e38), vec3(0.0), vec3(0.0), 0u);
    for (var ring = 1; ring <= 2; ring += 1) {
        for (var j = -ring; j <= ring; j += 1) {
            let row = folded(spread_by(z, bitcast<u32>(j), SPREAD_Y));
            for (var i = -ring; i <= ring; i += 1) {
                if ring == 2 && abs(i) < 2 && abs(j) < 2 {
                    continue;
                }
                let hash = hashed(folded(spread_by(x, bitcast<u32>(i), SPREAD_X)) ^ row);
                let bits = point_bits(hash);
                let point = vec2(
                    point_position(bits.x, settings.jitter),
                    point_position((bits.x >> 21u) | (bits.y << 11u), settings.jitter),
                );
                let offset = place.f - vec2(f32(i), f32(j)) - point;
                nearest = with_point(nearest, vec3(offset, 0.0), hash);
            }
        }
        if is_near_enough(settings, nearest, border, ring) {
            break;
        }
    }
    return measured(settings, nearest).xyz;
}

fn cellular_space_noise(settings: Settings, octave: SpaceOctave, place: SpacePlace) -> vec4<f32> {
    let x = spread_by(octave.cell_xy.xy, place.step.x, SPREAD_X);
    let y = spread_by(octave.cell_xy.zw, place.step.y, SPREAD_Y);
    let z = spread_by(octave.cell_z, place.step.z, SPREAD_Z);
    let inner = min(place.f, 1.0 - place.f);
    let border = min(min(inner.x, inner.y), inner.z);
    var nearest = Nearest(vec2(3e38), vec3(0.0), vec3(0.0), 0u);
    for (var ring = 1; ring <= 2; ring += 1) {
        for (var k = -ring; k <= ring; k += 1) {
            let layer = folded(spread_by(z, bitcast<u32>(k), SPREAD_Z));
            for (var j = -ring; j <= ring; j += 1) {
                let row = layer ^ folded(spread_by(y, bitcast<u32>(j), SPREAD_Y));
                for (var i = -ring; i <= ring; i += 1) {
                    if ring == 2 && abs(i) < 2 && abs(j) < 2 && abs(k) < 2 {
                        continue;
                    }
                    let hash = hashed(folded(spread_by(x, bitcast<u32>(i), SPREAD_X)) ^ row);
                    let bits = point_bits(hash);
                    let point = vec3(
                        point_position(bits.x, settings.jitter),
                        point_position((bits.x >> 21u) | (bits.y << 11u), settings.jitter),
                        point_position(bits.y >> 10u, settings.jitter),
                    );
                    nearest = with_point(nearest, place.f - vec3(f32(i), f32(j), f32(k)) - point, hash);
                }
            }
        }
        if is_near_enough(settings, nearest, border, ring) {
            break;
        }
    }
    return measured(settings, nearest);
}
