// One octave of value noise over the plane, for what both processor and shader compute: climate/noises.rs does the same. Its
// numbers are those of `bevy_noise_terrain::noise`. Positions are single numbers from the terrain's origin, which is always near:
// a fraction of the work of that library's own.
#define_import_path bevy_noise_terrain::value_noise

#import bevy_noise_terrain::noise::{PlaneLattice, fade_of, lattice_corners, lattice_values}

// `ValueNoiseRecord` in climate/noises.rs.
struct ValueNoise {
    lattice: PlaneLattice,
    axis: vec2<f32>,
    place: vec2<f32>,
    scale: f32,
    padding: u32,
}

// In [−1, 1]; fades out where its cells are a few pixels wide. Its cells are counted from the absolute origin, so that it
// does not depend on the terrain's origin.
fn value_at(noise: ValueNoise, place: vec2<f32>, pixel: f32) -> f32 {
    let fade = saturate(1.5 - 4.0 * pixel / noise.scale);
    if fade == 0.0 {
        return 0.0;
    }
    let turned = vec2(dot(noise.axis, place), noise.axis.x * place.y - noise.axis.y * place.x);
    let p = turned / noise.scale + noise.place;
    let cell = floor(p);
    let corners = lattice_values(lattice_corners(noise.lattice, bitcast<vec2<u32>>(vec2<i32>(cell))));
    let u = vec2(fade_of(3u, p.x - cell.x).x, fade_of(3u, p.y - cell.y).x);
    let low = mix(corners.x, corners.y, u.x);
    let high = mix(corners.z, corners.w, u.x);
    return fade * mix(low, high, u.y);
}
