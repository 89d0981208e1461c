// The first and the last step of the sky's fragment shaders: the ray, and tone mapping and dithering.
#define_import_path bevy_noise_terrain::display

#import bevy_pbr::{mesh_view_bindings::view, utils::coords_to_viewport_uv}
#ifdef TONEMAP_IN_SHADER
#import bevy_core_pipeline::tonemapping::{screen_space_dither, tone_mapping}
#import bevy_render::maths::powsafe
#endif

// The direction in the world in which a pixel is seen.
fn seen_along(position: vec2<f32>) -> vec3<f32> {
    let uv = coords_to_viewport_uv(position, view.viewport) * vec2(2.0, -2.0) + vec2(-1.0, 1.0);
    let near = view.view_from_clip * vec4(uv, 1.0, 1.0);
    return normalize((view.world_from_view * vec4(near.xyz / near.w, 0.0)).xyz);
}

// Converts an exposed colour for the render target.
fn display(color: vec4<f32>, position: vec2<f32>) -> vec4<f32> {
    var out = color;
#ifdef TONEMAP_IN_SHADER
    out = tone_mapping(out, view.color_grading);
#ifdef DEBAND_DITHER
    // The target is written in sRGB: the dither must be uniform there.
    var encoded = powsafe(out.rgb, 1.0 / 2.2);
    encoded += screen_space_dither(position);
    out = vec4(powsafe(encoded, 2.2), out.a);
#endif
#endif
    return out;
}
