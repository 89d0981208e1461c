// The sky behind everything: its colours, the sun's disc and the clouds.
#import bevy_noise_terrain::sky::{mie_phase, sky, sky_radiance}
#import bevy_pbr::{mesh_functions, mesh_view_bindings::view, utils::coords_to_viewport_uv}
#ifdef DISTANCE_FOG
#import bevy_noise_terrain::fog::horizon
#endif
#ifdef TONEMAP_IN_SHADER
#import bevy_core_pipeline::tonemapping::{screen_space_dither, tone_mapping}
#import bevy_render::maths::powsafe
#endif

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var patterns: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var pattern_sampler: sampler;

const PLANET: f32 = 6.36e6;
const PATTERN_SIZE: f32 = 512.0;

struct Vertex {
    @builtin(instance_index) instance_index: u32,
    @location(0) position: vec3<f32>,
}

@vertex
fn vertex(in: Vertex) -> @builtin(position) vec4<f32> {
    // Every camera sees the domes of all; each draws only where it is at home.
    let home = mesh_functions::get_world_from_local(in.instance_index)[3].xyz;
    let away = distance(home, view.world_position) > 1e-4 * (1.0 + length(home));
    return select(vec4(in.position.xy, 0.0, 1.0), vec4(0.0, 0.0, 2.0, 1.0), away);
}

fn ray(position: vec2<f32>) -> vec3<f32> {
    let uv = coords_to_viewport_uv(position, view.viewport) * vec2(2.0, -2.0) + vec2(-1.0, 1.0);
    let near = view.view_from_clip * vec4(uv, 1.0, 1.0);
    return normalize((view.world_from_view * vec4(near.xyz / near.w, 0.0)).xyz);
}

// How much of the pattern stands over the threshold of the cover: the body alone.
fn body(place: vec2<f32>, level: f32) -> f32 {
    let uv = place * sky.cloud.w;
    let turned = vec2(0.8 * uv.x - 0.6 * uv.y, 0.6 * uv.x + 0.8 * uv.y);
    let broad = textureSampleLevel(patterns, pattern_sampler, uv + sky.drift.xy, level).r;
    let broader = textureSampleLevel(patterns, pattern_sampler, 0.31 * turned + sky.drift.zw, level - 1.7).r;
    return broad + 0.7 * (broader - 0.5) - (1.0 - sky.cloud.x) * 1.3 + 0.15;
}

// The same with its curls: 0 without cloud, about 1 where clouds are thickest.
fn thickness(place: vec2<f32>, level: f32) -> f32 {
    let uv = 5.0 * (place * sky.cloud.w + sky.drift.xy);
    let curls = textureSampleLevel(patterns, pattern_sampler, uv, level + 2.32).g;
    return max(body(place, level) + 0.30 * (curls - 0.5), 0.0);
}

// Clouds in a direction: radiance in cd/m² and opacity.
fn clouds(direction: vec3<f32>) -> vec4<f32> {
    let above = sky.cloud.y - view.world_position.y;
    if sky.cloud.x <= 0.0 || above <= 0.0 || direction.y <= 0.0 {
        return vec4(0.0);
    }
    let rise = PLANET * direction.y;
    let missing = above * (2.0 * PLANET + above);
    let far = missing / (sqrt(rise * rise + missing) + rise);
    let place = view.world_position.xz + direction.xz * far;
    // Cosine of the ray at the layer: it meets it steeper than it left the ground.
    let slope = (rise + far) / (PLANET + above);
    let pixel = 2.0 / (view.viewport.w * view.clip_from_view[1][1]);
    let level = log2(max(pixel * far * inverseSqrt(max(slope, 0.01)) * sky.cloud.w * PATTERN_SIZE, 1.0));

    // The deeper parts of a cloud hang lower, or rather: its sides are seen.
    let first = body(place, level);
    if first < -0.2 {
        return vec4(0.0);
    }
    let side = direction.xz / max(slope, 0.2) * sky.cloud.z;
    let depth = thickness(place - side * clamp(first, 0.0, 0.5), level);
    let optical = 7.0 * depth * smoothstep(0.0, 0.22, depth);
    let opacity = 1.0 - exp(-optical / max(slope, 0.35));
    if opacity < 0.002 {
        return vec4(0.0);
    }
    // Towards the sun through the layer.
    let steep = max(abs(sky.sun.y), 0.18);
    let step = sky.sun.xz / steep * sky.cloud.z * 0.33;
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
    // Haze between.
    let scale = sky.ambient.w;
    let base = exp(-max(view.world_position.y, 0.0) / scale) - exp(-sky.cloud.y / scale);
    let haze = (sky.sunlight.w * scale * max(base, 0.0) / above + 6e-6) * far;
    return vec4(light + ambient, opacity * exp(-haze) * smoothstep(0.0, 400.0, above));
}

@fragment
fn fragment(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let direction = ray(position.xy);
    var radiance = sky_radiance(direction);
    let cosine = dot(direction, sky.sun.xyz);
    let edge = 1.0 - sky.disc.w;
    radiance += sky.disc.rgb * smoothstep(-0.15, 0.15, (cosine - sky.disc.w) / edge);
    let cloud = clouds(direction);
    var color = mix(radiance, cloud.rgb, cloud.a) * view.exposure;
#ifdef DISTANCE_FOG
    // Where it meets the land, both have the same colour.
    color = mix(horizon(direction), color, smoothstep(0.0, 0.07, direction.y));
#endif
    var out = vec4(color, 1.0);
#ifdef TONEMAP_IN_SHADER
    out = tone_mapping(out, view.color_grading);
#ifdef DEBAND_DITHER
    // The target is written in sRGB: the dither must be even there.
    var display = powsafe(out.rgb, 1.0 / 2.2);
    display += screen_space_dither(position.xy);
    out = vec4(powsafe(display, 2.2), 1.0);
#endif
#endif
    return out;
}
