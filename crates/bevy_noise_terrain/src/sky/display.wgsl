// The last step of an unlit fragment shader: tone mapping and dithering.
#define_import_path bevy_noise_terrain::display

#ifdef TONEMAP_IN_SHADER
#import bevy_core_pipeline::tonemapping::{screen_space_dither, tone_mapping}
#import bevy_pbr::mesh_view_bindings::view
#import bevy_render::maths::powsafe
#endif

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
