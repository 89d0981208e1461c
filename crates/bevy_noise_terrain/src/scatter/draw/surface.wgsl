// The surface of scattered objects, lit by the standard material, with the same fog and cloud shadows as the ground.
#import bevy_noise_terrain::foliage::skin
#import bevy_pbr::{pbr_fragment::pbr_input_from_standard_material, pbr_types::PbrInput}

#ifdef PREPASS_PIPELINE
#import bevy_pbr::prepass_io::{VertexOutput, FragmentOutput}
#import bevy_pbr::pbr_deferred_functions::deferred_output
#else
#import bevy_pbr::forward_io::{VertexOutput, FragmentOutput}
#import bevy_pbr::pbr_functions::apply_pbr_lighting
#import bevy_noise_terrain::{
    bounce::from_the_ground,
    cloud_shadow::{in_shade, sunlight},
    fog::post_lighting,
    wood_light::{seen_light, sideways, to_sun},
}
#endif

// The colour of light that has come through leaves, relative to that which they throw back.
const THROUGH: vec3<f32> = vec3(1.1, 1.1, 0.6);
// Area of a crown from the side as a multiple of that from above.
const SIDES: f32 = 3.0;

// A normal tilted by the screen-space slope of a height: Mikkelsen, "Bump Mapping Unparametrized Surfaces on the
// GPU", 2010.
fn tilted(normal: vec3<f32>, dx: vec3<f32>, dy: vec3<f32>, height: vec2<f32>) -> vec3<f32> {
    let a = cross(dy, normal);
    let b = cross(normal, dx);
    let area = dot(dx, a);
    let slope = sign(area) * (height.x * a + height.y * b);
    return normalize(max(abs(area), 1e-9) * normal - slope);
}

#ifndef PREPASS_PIPELINE
// A surface that faces away from the sun, with a normal for which it gets what comes through of the light on its back.
fn lit_through(pbr: PbrInput, share: f32) -> PbrInput {
    let sun = to_sun();
    let facing = dot(pbr.N, sun);
    if facing >= 0.0 || share <= 0.0 {
        return pbr;
    }
    let aside = pbr.N - facing * sun;
    let lit = -facing * share;
    var out = pbr;
    out.N = normalize(lit * sun + sqrt(1.0 - lit * lit) * aside * inverseSqrt(max(dot(aside, aside), 1e-6)));
    // Shadow maps are read from off the lit side.
    out.world_normal = -pbr.world_normal;
    out.material.base_color *= vec4(mix(vec3(1.0), THROUGH, saturate(-2.0 * facing)), 1.0);
    return out;
}
#endif

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    let skin = skin(in.uv, fwidth(in.uv));
    let dx = dpdx(in.world_position.xyz);
    let dy = dpdy(in.world_position.xyz);
    // Heights are scaled as for objects about a metre wide.
    let slope = vec2(dpdx(skin.height), dpdy(skin.height)) * 1.2;
    if skin.cover < 0.5 {
        discard;
    }
    var pbr = pbr_input_from_standard_material(in, is_front);
    // With multisampling, vertices' colours are extrapolated too.
    pbr.material.base_color = vec4(max(pbr.material.base_color.rgb, vec3(0.0)) * skin.tone, 1.0);
    if skin.height != 0.0 {
        pbr.N = tilted(pbr.N, dx, dy, slope);
    }

#ifdef PREPASS_PIPELINE
    return deferred_output(in, pbr);
#else
    // Emission that is exposed like reflected light.
    pbr.material.emissive = vec4(from_the_ground(pbr.N, pbr.material.base_color.rgb), 1.0);
    pbr = lit_through(pbr, skin.through);
    var out: FragmentOutput;
    // The vertices' alpha is what is left at 45 degrees; light from aside passes more crowns, light from above fewer. With
    // multisampling it may be negative by extrapolation, and its power NaN.
    let open = pow(saturate(in.color.a), (1.0 + SIDES * sideways(to_sun())) / (1.0 + SIDES));
    let left = seen_light(open, pbr.V) * sunlight(pbr.world_position.xyz);
    out.color = post_lighting(pbr, in_shade(pbr, apply_pbr_lighting(pbr), left));
    return out;
#endif
}
