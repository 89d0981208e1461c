// The wind near the ground: wind/record.rs declares the same record and computes the same velocities.
#define_import_path bevy_noise_terrain::wind

#import bevy_noise_terrain::value_noise::{ValueNoise, value_at}

// `WindRecord` in wind/record.rs.
struct Wind {
    // Mean velocity along x and z in m/s.
    mean: vec2<f32>,
    // Departure from the mean speed in gusts, as a fraction.
    gusts: f32,
    // Greatest departure from the heading in radians.
    veer: f32,
    // How far broad gusts are pushed ahead where they are strongest, in metres.
    front: vec2<f32>,
    padding: vec2<f32>,
    broad: ValueNoise,
    fine: ValueNoise,
    turn: ValueNoise,
}

// Share of the broad gusts in all.
const BROAD: f32 = 0.7;

// Velocity along x and z in m/s at a position from the terrain's origin. Gusts that are narrower than a few of these
// pixels, so many metres wide, are left out; with 0 all are there.
fn wind_at(wind: Wind, place: vec2<f32>, pixel: f32) -> vec2<f32> {
    let behind = value_at(wind.broad, place, pixel);
    let broad = value_at(wind.broad, place - wind.front * behind, pixel);
    let gust = BROAD * broad + (1.0 - BROAD) * value_at(wind.fine, place, pixel);
    let angle = wind.veer * value_at(wind.turn, place, pixel);
    let turn = vec2(cos(angle), sin(angle));
    let mean = wind.mean;
    return vec2(turn.x * mean.x - turn.y * mean.y, turn.y * mean.x + turn.x * mean.y) * (1.0 + wind.gusts * gust);
}
