// Part of `bevy_noise_terrain::noise`.
//
// Octaves added up. A value goes with its slopes through every formula: the first number is the value.

// The sum so far.
struct Sum {
    value: vec4<f32>,
    weight: vec4<f32>,
    octaves: u32,
    // The distance between samples in metres: octaves too fine for it fade out. 0 keeps all.
    footprint: f32,
}

fn no_octaves(footprint: f32) -> Sum {
    return Sum(vec4(0.0), vec4(0.0), 0u, footprint);
}

fn constant_jet(value: f32) -> vec4<f32> {
    return vec4(value, 0.0, 0.0, 0.0);
}

fn product_jet(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4(a.x * b.x, a.yzw * b.x + b.yzw * a.x);
}

fn limited_jet(a: vec4<f32>) -> vec4<f32> {
    return select(constant_jet(clamp(a.x, 0.0, 1.0)), a, a.x > 0.0 && a.x < 1.0);
}

// The absolute value, rounded off where samples are far apart.
fn folded_jet(settings: Settings, noise: vec4<f32>, frequency: f32, footprint: f32) -> vec4<f32> {
    let size = select(noise, -noise, noise.x < 0.0);
    let reach = min(settings.rounding * frequency * footprint, 1.0);
    if reach <= 1e-6 || size.x >= reach {
        return size;
    }
    let within = constant_jet(reach) - size;
    return size + product_jet(within, within) * (0.5 / reach);
}

// What an octave contributes, before its amplitude.
fn signal_of(settings: Settings, noise: vec4<f32>, frequency: f32, footprint: f32) -> vec4<f32> {
    switch settings.kind {
        case 1u: {
            return folded_jet(settings, noise, frequency, footprint) * 2.0 - constant_jet(1.0);
        }
        case 2u: {
            return constant_jet(1.0) - folded_jet(settings, noise, frequency, footprint);
        }
        case 4u, 7u: {
            return noise + constant_jet(settings.offset);
        }
        case 5u: {
            let below = constant_jet(settings.offset) - folded_jet(settings, noise, frequency, footprint);
            return product_jet(below, below);
        }
        case 6u: {
            let moved = noise + constant_jet(settings.offset);
            return constant_jet(1.0) - folded_jet(settings, moved, frequency, footprint);
        }
        default: {
            return noise;
        }
    }
}

// The share of an octave that samples can show, 0 to 1.
fn visible_share(frequency: f32, footprint: f32) -> f32 {
    if footprint <= 0.0 {
        return 1.0;
    }
    return clamp(0.5 / (frequency * footprint) - 1.0, 0.0, 1.0);
}

// Adds an octave: its value with slopes per metre, or anything where its share is 0.
fn with_octave(settings: Settings, sum: Sum, noise: vec4<f32>, amplitude: f32, frequency: f32) -> Sum {
    let share = visible_share(frequency, sum.footprint);
    var signal = constant_jet(settings.mean);
    if share > 0.0 {
        signal = signal_of(settings, noise, frequency, sum.footprint);
        if share < 1.0 {
            signal = (signal - constant_jet(settings.mean)) * share + constant_jet(settings.mean);
        }
    }
    var out = sum;
    out.octaves += 1u;
    if sum.octaves == 0u {
        out.value = signal;
        switch settings.kind {
            case 3u: {
                out.value = signal + constant_jet(settings.offset);
            }
            case 5u: {
                out.weight = limited_jet(signal * settings.gain);
            }
            case 7u: {
                out.weight = signal;
            }
            default: {}
        }
        return out;
    }
    switch settings.kind {
        case 3u: {
            out.value = product_jet(sum.value, signal * amplitude + constant_jet(settings.offset));
        }
        case 4u, 6u: {
            out.value = product_jet(sum.value, signal * amplitude);
        }
        case 5u: {
            let weighted = product_jet(signal, sum.weight);
            out.value = sum.value + weighted * amplitude;
            out.weight = limited_jet(weighted * settings.gain);
        }
        case 7u: {
            let octave = signal * amplitude;
            let weight = select(constant_jet(1.0), sum.weight, sum.weight.x < 1.0);
            out.value = sum.value + product_jet(weight, octave);
            out.weight = product_jet(weight, octave * settings.gain);
        }
        default: {
            out.value = sum.value + signal * amplitude;
        }
    }
    return out;
}

// One octave on the plane at a place `in_octave`: the value, and its slopes along x and z per metre.
fn octave_noise(settings: Settings, octave: Octave, place: Place) -> vec3<f32> {
    var noise = vec3(0.0);
    switch settings.basis {
        case 0u: {
            noise = value_noise(octave, place, settings.option);
        }
        case 1u: {
            noise = perlin_noise(octave, place, settings.option);
        }
        case 2u: {
            noise = simplex_noise(octave, place);
        }
        default: {
            noise = cellular_noise(settings, octave, place);
        }
    }
    return per_metre(octave, noise);
}

// Slopes per cell as slopes per metre.
fn per_metre(octave: Octave, noise: vec3<f32>) -> vec3<f32> {
    return vec3(noise.x, noise.y * octave.slopes.xy + noise.z * octave.slopes.zw);
}

// The same in space, along x, y and z.
fn space_octave_noise(settings: Settings, octave: SpaceOctave, place: SpacePlace) -> vec4<f32> {
    var noise = vec4(0.0);
    switch settings.basis {
        case 0u: {
            noise = value_space_noise(octave, place, settings.option);
        }
        case 1u: {
            noise = perlin_space_noise(octave, place, settings.option);
        }
        case 2u: {
            noise = simplex_space_noise(octave, place);
        }
        default: {
            noise = cellular_space_noise(settings, octave, place);
        }
    }
    let slopes = noise.y * octave.slopes_x.xyz + noise.z * octave.slopes_y.xyz + noise.w * octave.slopes_z.xyz;
    return vec4(noise.x, slopes);
}

// A walk over the octaves of a noise on the plane, from `start` over `next` for each octave to `total`.
struct Walk {
    place: Place,
    sum: Sum,
}

fn start(place: Place, footprint: f32) -> Walk {
    return Walk(place, no_octaves(footprint));
}

fn next(settings: Settings, octave: Octave, walk: Walk) -> Walk {
    let place = in_octave(walk.place, octave);
    var noise = vec3(0.0);
    if visible_share(octave.frequency, walk.sum.footprint) > 0.0 {
        noise = octave_noise(settings, octave, place);
    }
    return Walk(place, with_octave(settings, walk.sum, vec4(noise, 0.0), octave.amplitude, octave.frequency));
}

// The value, and its slopes along x and z per metre.
fn total(settings: Settings, walk: Walk) -> vec3<f32> {
    return walk.sum.value.xyz * settings.factor + vec3(settings.add, 0.0, 0.0);
}

// The same in space.
struct SpaceWalk {
    place: SpacePlace,
    sum: Sum,
}

fn space_start(place: SpacePlace, footprint: f32) -> SpaceWalk {
    return SpaceWalk(place, no_octaves(footprint));
}

fn space_next(settings: Settings, octave: SpaceOctave, walk: SpaceWalk) -> SpaceWalk {
    let place = in_space_octave(walk.place, octave);
    var noise = vec4(0.0);
    if visible_share(octave.frequency, walk.sum.footprint) > 0.0 {
        noise = space_octave_noise(settings, octave, place);
    }
    return SpaceWalk(place, with_octave(settings, walk.sum, noise, octave.amplitude, octave.frequency));
}

// The value, and its slopes along x, y and z per metre.
fn space_total(settings: Settings, walk: SpaceWalk) -> vec4<f32> {
    return walk.sum.value * settings.factor + constant_jet(settings.add);
}
