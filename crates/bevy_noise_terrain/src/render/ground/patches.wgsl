// Where patches of plants and of ground lie: patches.rs computes the same.
#define_import_path bevy_noise_terrain::patches

#import bevy_noise_terrain::value_noise::{ValueNoise, value_at}

// `PatchesRecord` in patches.rs.
struct Patches {
    // Where a patch ends and where all is covered, the fraction of the plane that is, 1 if there are patches at all.
    cover: vec4<f32>,
    octaves: array<ValueNoise, 4>,
}

// Linear from 0 at `none` to 1 at `all`.
fn ramp(none: f32, all: f32, value: f32) -> f32 {
    if none == all {
        return select(0.0, 1.0, value >= all);
    }
    return saturate((value - none) / (all - none));
}

// How much of a place is covered; where patches are smaller than a pixel, as much as on average.
fn cover_at(patches: Patches, place: vec2<f32>, pixel: f32) -> f32 {
    if patches.cover.w == 0.0 {
        return 1.0;
    }
    let seen = saturate(1.5 - 4.0 * pixel / patches.octaves[0].scale);
    if seen == 0.0 {
        return patches.cover.z;
    }
    // An octave is left out where it and those after it cannot change the cover, whatever their values.
    let middle = 0.5 * patches.cover.x + 0.5 * patches.cover.y;
    let border = abs(patches.cover.y - middle);
    var noise = value_at(patches.octaves[0], place, pixel);
    if abs(noise - middle) < border + 0.875 {
        noise += 0.5 * value_at(patches.octaves[1], place, pixel);
        if abs(noise - middle) < border + 0.375 {
            noise += 0.25 * value_at(patches.octaves[2], place, pixel);
            if abs(noise - middle) < border + 0.125 {
                noise += 0.125 * value_at(patches.octaves[3], place, pixel);
            }
        }
    }
    return mix(patches.cover.z, ramp(patches.cover.x, patches.cover.y, noise), seen);
}
