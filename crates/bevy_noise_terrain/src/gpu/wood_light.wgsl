// Sunlight in woods that are in no shadow map: far away, where a tree would be a few texels of it.
#define_import_path bevy_noise_terrain::wood_light

#ifndef PREPASS_PIPELINE
#import bevy_pbr::{mesh_view_bindings::lights, mesh_view_types::DIRECTIONAL_LIGHT_FLAGS_SHADOWS_ENABLED_BIT}
#endif

// Crowns hide no more than a wall so many times as high as its distance to the next: see `LOW` in canopy.rs.
const STEEPEST: f32 = 5.0;

// What a ray in this direction passes sideways for each metre that it rises.
fn sideways(direction: vec3<f32>) -> f32 {
    return min(length(direction.xz) / max(direction.y, 0.01), STEEPEST);
}

#ifndef PREPASS_PIPELINE
// The direction to the sun, in the world.
fn to_sun() -> vec3<f32> {
    if lights.n_directional_lights == 0u {
        return vec3(0.0, 1.0, 0.0);
    }
    return lights.directional_lights[0].direction_to_light;
}

// The share of the sunlight that one sees in woods that let a share of it through: all of it where the eye looks the way the
// sun shines, after Hapke, "Bidirectional Reflectance Spectroscopy 4: The Extinction Coefficient and the Opposition Effect", 1986;
// and all if the sun casts no shadows near by either.
fn seen_light(share: f32, to_eye: vec3<f32>) -> f32 {
    let casts = lights.directional_lights[0].flags & DIRECTIONAL_LIGHT_FLAGS_SHADOWS_ENABLED_BIT;
    if lights.n_directional_lights == 0u || casts == 0u {
        return 1.0;
    }
    let tangent = length(cross(to_eye, to_sun())) / max(dot(to_eye, to_sun()), 1e-3);
    return mix(share, 1.0, 1.0 / (1.0 + 4.0 * tangent));
}
#endif
