// The clouds' pattern of noise, and rays to the layer that they are in.
#define_import_path bevy_noise_terrain::clouds

#import bevy_noise_terrain::sky::{broader_place, cloud_body, cloud_cover, sky}
#import bevy_pbr::mesh_view_bindings::view

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var patterns: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var pattern_sampler: sampler;

const PLANET: f32 = 6.36e6;
const PATTERN_SIZE: f32 = 512.0;

// How far the clouds' body rises above the threshold of the cover, without curls.
fn body(place: vec2<f32>, level: f32) -> f32 {
    let uv = place * sky.cloud.w;
    let broad = textureSampleLevel(patterns, pattern_sampler, uv + sky.drift.xy, level).r;
    let broader = textureSampleLevel(patterns, pattern_sampler, broader_place(uv) + sky.drift.zw, level - 1.7).r;
    return cloud_body(broad, broader, cloud_cover(place));
}

// The curls of clouds at a position in repeats.
fn curls(uv: vec2<f32>, level: f32) -> f32 {
    return textureSampleLevel(patterns, pattern_sampler, uv, level).g;
}

// Mip level for a ray of length `far` that meets the layer at the cosine `slope`.
fn mip_level(far: f32, slope: f32) -> f32 {
    let pixel = 2.0 / (view.viewport.w * view.clip_from_view[1][1]);
    return log2(max(pixel * far * inverseSqrt(max(slope, 0.01)) * sky.cloud.w * PATTERN_SIZE, 1.0));
}

// Transmittance of the air between eye and clouds over a ray of length `far`: haze, which thins out with height, and
// molecules.
fn clearness(far: f32) -> f32 {
    let scale = sky.ambient.w;
    let between = exp(-max(view.world_position.y, 0.0) / scale) - exp(-sky.cloud.y / scale);
    let above = sky.cloud.y - view.world_position.y;
    return exp(-(sky.sunlight.w * scale * max(between / above, 0.0) + 6e-6) * far);
}

// Metres along a ray to a height above the eye. `rise` is the planet's radius times the sine of the ray's elevation.
fn distance_to(above: f32, rise: f32) -> f32 {
    let missing = above * (2.0 * PLANET + above);
    return missing / (sqrt(rise * rise + missing) + rise);
}
