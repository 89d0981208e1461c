// The fragment shader of prepasses and shadows: as Bevy's `pbr_prepass.wgsl` is for a material without textures, and without
// what lies in holes.
#import bevy_pbr::prepass_io::VertexOutput

#ifdef TERRAIN_HOLES
#import bevy_noise_terrain::holes::is_hole
#import bevy_pbr::mesh_functions
#endif

#ifdef PREPASS_FRAGMENT
#import bevy_pbr::prepass_io::FragmentOutput
#ifdef MOTION_VECTOR_PREPASS
#import bevy_pbr::pbr_prepass_functions::calculate_motion_vector
#endif

@fragment
fn fragment(in: VertexOutput) -> FragmentOutput {
#ifdef TERRAIN_HOLES
    if is_hole(mesh_functions::get_tag(in.instance_index), in.world_position) {
        discard;
    }
#endif
    var out: FragmentOutput;
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    out.frag_depth = in.unclipped_depth;
#endif
#ifdef NORMAL_PREPASS
    out.normal = vec4(in.world_normal * 0.5 + vec3(0.5), 1.0);
#endif
#ifdef MOTION_VECTOR_PREPASS
    out.motion_vector = calculate_motion_vector(in.world_position, in.previous_world_position);
#endif
    return out;
}
#else
@fragment
fn fragment(in: VertexOutput) {
#ifdef TERRAIN_HOLES
    if is_hole(mesh_functions::get_tag(in.instance_index), in.world_position) {
        discard;
    }
#endif
}
#endif
