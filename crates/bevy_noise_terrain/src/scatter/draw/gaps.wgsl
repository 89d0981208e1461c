// Prepass and shadow maps of scattered objects: discards the gaps between leaves.
#import bevy_noise_terrain::foliage::skin
#import bevy_pbr::prepass_io
#ifdef MOTION_VECTOR_PREPASS
#import bevy_pbr::pbr_prepass_functions
#endif

#ifdef PREPASS_FRAGMENT
@fragment
fn fragment(in: prepass_io::VertexOutput) -> prepass_io::FragmentOutput {
    if skin(in.uv, fwidth(in.uv)).cover < 0.5 {
        discard;
    }
    var out: prepass_io::FragmentOutput;
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    out.frag_depth = in.unclipped_depth;
#endif
#ifdef NORMAL_PREPASS
    out.normal = vec4(in.world_normal * 0.5 + vec3(0.5), 1.0);
#endif
#ifdef MOTION_VECTOR_PREPASS
    out.motion_vector = pbr_prepass_functions::calculate_motion_vector(in.world_position, in.previous_world_position);
#endif
    return out;
}
#else
@fragment
fn fragment(in: prepass_io::VertexOutput) {
    if skin(in.uv, fwidth(in.uv)).cover < 0.5 {
        discard;
    }
}
#endif
