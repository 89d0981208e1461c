// The sky's radiance by direction, from the table that `sky/radiance.rs` computes. The layout must match
// `sky_buffer.rs`.
#define_import_path bevy_noise_terrain::sky

#import bevy_noise_terrain::value_noise::{ValueNoise, value_at}

const AZIMUTHS: u32 = 24u;
const ELEVATIONS: u32 = 40u;
const TABLE: u32 = 1920u;
const SHADE_SIDE: u32 = 128u;
const SHADE_TEXELS: u32 = 16384u;
const PI: f32 = 3.14159265;
const MIE_FORWARD: f32 = 0.76;

struct SkyUniforms {
    // Direction towards the sun; 1, or 0 without a sky.
    sun: vec4<f32>,
    // Radiance of the sun's disc in cd/m²; cosine of its radius.
    disc: vec4<f32>,
    // Sunlight on clouds in lux; scattering coefficient of the haze per metre at sea level.
    sunlight: vec4<f32>,
    // Mean radiance of the sky in cd/m²; height in metres over which haze thins out to 1/e.
    ambient: vec4<f32>,
    // Cover, height and thickness in metres, repeats per metre.
    cloud: vec4<f32>,
    // Offsets of the pattern's two layers, 0 to 1.
    drift: vec4<f32>,
    // Strength of cloud shadows; metres to the end of the land, or 0; amount of cirrus; 1 for clouds with a body, 0 for
    // flat ones.
    shade: vec4<f32>,
    // By how much the cover over the wettest regions is greater than its mean; 0.
    climate: vec4<f32>,
    // Wet and dry regions.
    regions: ValueNoise,
    // Radiance by azimuth and elevation in cd/m²: smooth light, then single scattering by haze without its phase
    // function.
    table: array<vec4<f32>, TABLE>,
    // The pattern's red channel: see `shade` in clouds.rs.
    pattern: array<u32, SHADE_TEXELS>,
}

// The fraction of the sky that clouds cover over a place: more in wet regions, less in dry ones.
fn cloud_cover(place: vec2<f32>) -> f32 {
    if sky.climate.x == 0.0 {
        return sky.cloud.x;
    }
    return saturate(sky.cloud.x + sky.climate.x * value_at(sky.regions, place, 0.0));
}

// How far two layers of the clouds' pattern, the second broader, rise above the threshold of the cover.
fn cloud_body(broad: f32, broader: f32, cover: f32) -> f32 {
    return broad + 0.7 * (broader - 0.5) - (1.0 - cover) * 1.3 + 0.15;
}

// Converts a position from the first layer to the second, both in repeats and before they drift.
fn broader_place(uv: vec2<f32>) -> vec2<f32> {
    return 0.31 * vec2(0.8 * uv.x - 0.6 * uv.y, 0.6 * uv.x + 0.8 * uv.y);
}

// Optical depth of clouds of this thickness.
fn optical_depth(thickness: f32) -> f32 {
    return 7.0 * thickness * smoothstep(0.0, 0.22, thickness);
}

fn mie_phase(cosine: f32) -> f32 {
    let g = MIE_FORWARD;
    let base = 1.0 + g * g - 2.0 * g * cosine;
    return 3.0 / (8.0 * PI) * (1.0 - g * g) * (1.0 + cosine * cosine) / ((2.0 + g * g) * base * sqrt(base));
}

// Position of a direction in the table: the first of four entries, and the weights between them.
struct Place {
    first: u32,
    share: vec2<f32>,
}

// Directions below the horizon get the entries at the horizon.
fn sky_place(sun: vec3<f32>, direction: vec3<f32>) -> Place {
    let up = clamp(direction.y, 0.0, 1.0);
    let flat = direction.xz * inverseSqrt(max(dot(direction.xz, direction.xz), 1e-8));
    let flat_sun = sun.xz * inverseSqrt(max(dot(sun.xz, sun.xz), 1e-8));
    let turn = acos(clamp(dot(flat, flat_sun), -1.0, 1.0));
    let at = vec2(turn / PI * f32(AZIMUTHS - 1u), sqrt(asin(up) / (0.5 * PI)) * f32(ELEVATIONS - 1u));
    let low = min(vec2<u32>(at), vec2(AZIMUTHS - 2u, ELEVATIONS - 2u));
    return Place(low.y * AZIMUTHS + low.x, at - vec2<f32>(low));
}

// The same binding in every material that uses the sky.
@group(#{MATERIAL_BIND_GROUP}) @binding(110) var<storage, read> sky: SkyUniforms;

// In cd/m², without the sun's disc and the clouds.
fn sky_radiance(direction: vec3<f32>) -> vec3<f32> {
    let place = sky_place(sky.sun.xyz, direction);
    let a = place.first;
    let b = a + AZIMUTHS;
    let m = a + AZIMUTHS * ELEVATIONS;
    let n = m + AZIMUTHS;
    let smooth_part = mix(
        mix(sky.table[a].rgb, sky.table[a + 1u].rgb, place.share.x),
        mix(sky.table[b].rgb, sky.table[b + 1u].rgb, place.share.x), place.share.y);
    let mie_part = mix(
        mix(sky.table[m].rgb, sky.table[m + 1u].rgb, place.share.x),
        mix(sky.table[n].rgb, sky.table[n + 1u].rgb, place.share.x), place.share.y);
    return smooth_part + mie_part * mie_phase(dot(direction, sky.sun.xyz));
}
