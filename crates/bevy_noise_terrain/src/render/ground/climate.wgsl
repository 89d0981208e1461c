// Temperature and moisture: the formulas of climate.rs.
#define_import_path bevy_noise_terrain::climate

#import bevy_noise_terrain::{bindings::terrain, value_noise::value_at}

// In the order of climate/noises.rs.
const WET: u32 = 0u;
const WET_FINE: u32 = 1u;
const ROUGH: u32 = 2u;
const ROUGH_FINE: u32 = 3u;
const ROUGH_FINEST: u32 = 4u;
const WARM: u32 = 5u;
const WARM_FINE: u32 = 6u;
const TURN: u32 = 7u;
const TURN_FINE: u32 = 8u;
const WET_FINER: u32 = 9u;

// Value noise in [−1, 1], one of those in use.
fn noise_at(place: vec2<f32>, which: u32, pixel: f32) -> f32 {
    return value_at(terrain.ground.noises[which], place, pixel);
}

// The climate of a place, and the noises it follows from.
struct Climate {
    // 0 dry, 1 wet.
    moisture: f32,
    // In °C.
    temperature: f32,
    // Breaks up straight seams, in [−1, 1].
    rough: f32,
    // What moisture and temperature follow from, about −1 to 1.
    wide: f32,
    warm: f32,
}

// `facing` is z of the unit normal.
fn climate(position: vec3<f32>, facing: f32, pixel: f32) -> Climate {
    let settings = terrain.ground.climate;
    let place = position.xz;
    let wide = noise_at(place, WET, pixel) + 0.5 * noise_at(place, WET_FINE, pixel) + 0.2 * noise_at(place, WET_FINER, pixel);
    let rough = 0.5 * noise_at(place, ROUGH, pixel) + 0.35 * noise_at(place, ROUGH_FINE, pixel)
        + 0.25 * noise_at(place, ROUGH_FINEST, pixel);
    let warm = 0.7 * noise_at(place, WARM, pixel) + 0.2 * noise_at(place, WARM_FINE, pixel) + 0.15 * rough;
    let poles = settings.poles * (1.0 - cos(settings.phase + place.y * settings.phase_slope));
    let above_shore = saturate(1.0 - max(position.y, 0.0) * settings.shore_falloff);
    var out: Climate;
    out.moisture = saturate(settings.moisture + settings.moisture_spread * (0.5 * wide + 0.18 * rough)
        + settings.shore * above_shore * above_shore);
    out.temperature = settings.temperature - settings.lapse * position.y - settings.temperature_spread * warm
        + settings.sunny_side * facing - poles;
    out.rough = rough;
    out.wide = wide;
    out.warm = warm;
    return out;
}

// Weight of a value in a span, 0 to 1. `span` is from, to and the reciprocal of the soft width.
fn within(span: vec4<f32>, value: f32) -> f32 {
    let ends = saturate((vec2(value, -value) - vec2(span.x, -span.y)) * span.z + 0.5);
    let smoothed = ends * ends * (3.0 - 2.0 * ends);
    return smoothed.x * smoothed.y;
}
