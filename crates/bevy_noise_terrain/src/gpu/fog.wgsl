// Bevy's distance fog for land, water and sky. Unlike in Bevy's own, light scattered by the air does not depend on the
// surface behind it: otherwise a shadowed ridge would stand out dark against the glow of the sun.
#define_import_path bevy_noise_terrain::fog

#import bevy_noise_terrain::sky::sky
#import bevy_pbr::{
    mesh_view_bindings as view_bindings,
    pbr_functions::main_pass_post_lighting_processing,
    pbr_types::{PbrInput, STANDARD_MATERIAL_FLAGS_FOG_ENABLED_BIT},
}
#ifdef DISTANCE_FOG
#import bevy_pbr::{fog, mesh_view_types}

// No land ends nearer than this, in metres.
const LEAST_EDGE: f32 = 100.0;

// Light that the air scatters from the directional lights towards the eye.
fn glow(direction: vec3<f32>) -> vec3<f32> {
    var sum = vec3(0.0);
    for (var index = 0u; index < view_bindings::lights.n_directional_lights; index++) {
        let light = view_bindings::lights.directional_lights[index];
        let towards = max(dot(direction, light.direction_to_light), 0.0);
        sum += pow(towards, view_bindings::fog.directional_light_exponent) * light.color.rgb;
    }
    return sum * view_bindings::view.exposure;
}

// The fog's colour at infinite distance in a direction.
fn horizon(direction: vec3<f32>) -> vec3<f32> {
    return fog::scattering_adjusted_fog_color(view_bindings::fog, glow(direction)).rgb;
}

fn bevy_fog(color: vec4<f32>, distance: f32, light: vec3<f32>) -> vec4<f32> {
    switch view_bindings::fog.mode {
        case mesh_view_types::FOG_MODE_LINEAR: { return fog::linear_fog(view_bindings::fog, color, distance, light); }
        case mesh_view_types::FOG_MODE_EXPONENTIAL: { return fog::exponential_fog(view_bindings::fog, color, distance, light); }
        case mesh_view_types::FOG_MODE_EXPONENTIAL_SQUARED: { return fog::exponential_squared_fog(view_bindings::fog, color, distance, light); }
        case mesh_view_types::FOG_MODE_ATMOSPHERIC: { return fog::atmospheric_fog(view_bindings::fog, color, distance, light); }
        default: { return color; }
    }
}

// How far a position is faded into the horizon, 0 to 1: land and water fade out before they end.
fn veil(ray: vec3<f32>) -> f32 {
    let edge = sky.shade.y;
    let share = smoothstep(0.55, 0.99, length(ray.xz) / max(edge, LEAST_EDGE));
    return select(0.0, share * share, edge > 0.0);
}

// Applies fog to a colour at a world position.
fn through_air(color: vec4<f32>, place: vec3<f32>) -> vec4<f32> {
    let ray = place - view_bindings::view.world_position;
    let distance = length(ray);
    let direction = ray / max(distance, 1e-3);
    let strength = view_bindings::fog.directional_light_color.a;
    var light = vec3(0.0);
    if strength > 0.0 {
        light = glow(direction);
    }
    var out = bevy_fog(color, distance, light);
    let hidden = veil(ray);
    if hidden > 0.0 {
        out = vec4(mix(out.rgb, horizon(direction), hidden), out.a);
    }
    return out;
}
#endif

// Whether a position is completely hidden by the fade.
fn is_veiled(place: vec3<f32>) -> bool {
#ifdef DISTANCE_FOG
    return veil(place - view_bindings::view.world_position) >= 1.0;
#else
    return false;
#endif
}

// Replaces Bevy's `main_pass_post_lighting_processing`.
fn post_lighting(pbr: PbrInput, color: vec4<f32>) -> vec4<f32> {
    var input = pbr;
    var seen = color;
#ifdef DISTANCE_FOG
    if (input.material.flags & STANDARD_MATERIAL_FLAGS_FOG_ENABLED_BIT) != 0u {
        seen = through_air(color, input.world_position.xyz);
        input.material.flags &= ~STANDARD_MATERIAL_FLAGS_FOG_ENABLED_BIT;
    }
#endif
    return main_pass_post_lighting_processing(input, seen);
}
