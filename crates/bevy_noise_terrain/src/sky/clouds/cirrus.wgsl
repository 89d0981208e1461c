// Veils of ice, far above the other clouds.
#define_import_path bevy_noise_terrain::cirrus

#import bevy_noise_terrain::clouds::{PLANET, clearness, curls, distance_to, mip_level, pattern_sampler, patterns}
#import bevy_noise_terrain::sky::{mie_phase, sky}
#import bevy_pbr::mesh_view_bindings::view

// Metres above the base of the other clouds.
const HIGHER: f32 = 5500.0;
// The wind up there, of that down here.
const WIND: f32 = 0.7;

// The red channel at a position in repeats.
fn broad(uv: vec2<f32>, level: f32) -> f32 {
    return textureSampleLevel(patterns, pattern_sampler, uv, level).r;
}

// In a direction: radiance in cd/m² and opacity.
fn cirrus(direction: vec3<f32>) -> vec4<f32> {
    let above = sky.cloud.y + HIGHER - view.world_position.y;
    if sky.shade.z <= 0.0 || above <= 0.0 || direction.y <= 0.0 {
        return vec4(0.0);
    }
    let rise = PLANET * direction.y;
    let far = distance_to(above, rise);
    let slope = (rise + far) / (PLANET + above);
    let level = mip_level(far, slope);
    let place = (view.world_position.xz + direction.xz * far) * sky.cloud.w + WIND * sky.drift.xy;
    // Along the streaks, and across.
    let along = vec2(0.8 * place.x + 0.6 * place.y, 0.8 * place.y - 0.6 * place.x);
    let field = broad(along * vec2(0.13, 0.31), level - 1.7);
    let bend = vec2(0.0, broad(along * 0.23 + 0.3, level - 2.0) - 0.5);
    let streaks = curls((along + 0.035 * bend) * vec2(0.31, 2.6), level + 1.4);
    let wisps = curls((along + 0.02 * bend) * vec2(1.3, 6.1) + 0.5, level + 2.6);
    let threshold = mix(0.95, 0.1, sky.shade.z);
    let amount = smoothstep(threshold, threshold + 0.6, field) * smoothstep(0.3, 1.0, 0.6 * streaks + 0.4 * wisps);
    let light = sky.sunlight.rgb * (0.12 + 0.35 * mie_phase(dot(direction, sky.sun.xyz))) + 0.8 * sky.ambient.rgb;
    let opacity = 1.0 - exp(-0.5 * amount / max(slope, 0.3));
    return vec4(light, opacity * clearness(far));
}
