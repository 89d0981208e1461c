// Clouds as a pattern on a thin layer, for adapters to which every texture lookup matters.
#define_import_path bevy_noise_terrain::flat_clouds

#import bevy_noise_terrain::clouds::{PLANET, body, clearness, curls, distance_to, mip_level}
#import bevy_noise_terrain::sky::{mie_phase, optical_depth, sky}
#import bevy_pbr::mesh_view_bindings::view

// Their body with curls: 0 without clouds, about 1 where clouds are thickest.
fn thickness(place: vec2<f32>, level: f32) -> f32 {
    let uv = 5.0 * (place * sky.cloud.w + sky.drift.xy);
    return max(body(place, level) + 0.30 * (curls(uv, level + 2.32) - 0.5), 0.0);
}

// Nearer to the layer than this, in metres, its clouds fade out: they cannot be drawn from inside.
const INSIDE: f32 = 400.0;
// The part of the clouds' thickness that a flat layer stands for.
const FLATNESS: f32 = 0.45;

// How far the ray moves sideways while it passes through the whole layer: makes the sides of clouds visible.
fn lean(direction: vec3<f32>, slope: f32) -> vec2<f32> {
    return direction.xz / slope * FLATNESS * sky.cloud.z;
}

// A step towards the sun through the layer.
fn towards_sun() -> vec2<f32> {
    return sky.sun.xz / max(abs(sky.sun.y), 0.18) * FLATNESS * sky.cloud.z * 0.33;
}

// Clouds above the eye in a direction: radiance in cd/m² and opacity.
fn flat_clouds_from_below(direction: vec3<f32>) -> vec4<f32> {
    let above = sky.cloud.y - view.world_position.y;
    if sky.cloud.x <= 0.0 || above <= 0.0 || direction.y <= 0.0 {
        return vec4(0.0);
    }
    let rise = PLANET * direction.y;
    let far = distance_to(above, rise);
    let place = view.world_position.xz + direction.xz * far;
    // Cosine of the ray at the layer: the planet is round, so the ray is steeper there than at the ground.
    let slope = (rise + far) / (PLANET + above);
    let level = mip_level(far, slope);

    // The deeper parts of a cloud hang lower: shifting the sample shows the cloud's sides.
    let first = body(place, level);
    if first < -0.2 {
        return vec4(0.0);
    }
    let depth = thickness(place - lean(direction, max(slope, 0.2)) * clamp(first, 0.0, 0.5), level);
    let optical = optical_depth(depth);
    let opacity = 1.0 - exp(-optical / max(slope, 0.35));
    if opacity < 0.002 {
        return vec4(0.0);
    }
    let step = towards_sun();
    var before = 0.35 * depth;
    before += max(body(place + step, level + 0.5), 0.0);
    before += 0.8 * max(body(place + 2.2 * step, level + 1.0), 0.0);
    before += 0.6 * max(body(place + 4.0 * step, level + 1.5), 0.0);
    let shadow = 0.75 * exp(-3.0 * before) + 0.25 * exp(-0.7 * before);
    let cosine = dot(direction, sky.sun.xyz);
    // Thin edges glow towards the sun.
    let forward = 0.6 * mie_phase(cosine) * exp(-0.5 * optical);
    let albedo = 0.16 + 0.10 * exp(-0.8 * optical);
    let light = sky.sunlight.rgb * shadow * (albedo + forward);
    let ambient = sky.ambient.rgb * (0.55 + 0.45 * exp(-0.5 * optical));
    return vec4(light + ambient, opacity * clearness(far) * smoothstep(0.0, INSIDE, above));
}

// Clouds below the eye, where a ray meets the layer: radiance in cd/m² and opacity.
fn flat_clouds_from_above(place: vec2<f32>, direction: vec3<f32>, far: f32) -> vec4<f32> {
    let slope = -direction.y;
    let level = mip_level(far, slope);
    let first = body(place, level);
    if first < -0.2 {
        return vec4(0.0);
    }
    // Shows the sides of clouds, as above. Flatter rays would draw the tops out into streaks.
    let top = place - lean(direction, max(slope, 0.5)) * clamp(first, 0.0, 0.5);
    let depth = thickness(top, level);
    let optical = optical_depth(depth);
    let opacity = 1.0 - exp(-optical / max(slope, 0.35));
    if opacity < 0.002 {
        return vec4(0.0);
    }
    // Heaps have a sunlit side and shade each other.
    let step = towards_sun();
    let facing = clamp(0.6 - 2.4 * (thickness(top + 0.7 * step, level + 0.5) - depth), 0.12, 1.0);
    var higher = max(body(top + 1.5 * step, level + 0.5) - depth - 0.1, 0.0);
    higher += max(body(top + 3.0 * step, level + 1.0) - depth - 0.2, 0.0);
    let cosine = dot(direction, sky.sun.xyz);
    let forward = 0.6 * mie_phase(cosine) * exp(-0.5 * optical);
    // The sides of heaps face a low sun more directly than the layer does.
    let lit = 0.25 * facing * exp(-3.0 * higher) * mix(max(sky.sun.y, 0.0), 1.0, 0.35);
    let light = sky.sunlight.rgb * (lit + forward);
    let ambient = sky.ambient.rgb * (0.5 + 0.5 * smoothstep(0.0, 0.6, depth));
    let above = view.world_position.y - sky.cloud.y;
    return vec4(light + ambient, opacity * clearness(far) * smoothstep(0.0, INSIDE, above));
}
