// The vertex shader of every pass: main, prepass, deferred and shadows morph alike.
#import bevy_noise_terrain::{bindings::frame, morph::{morphed_vertex, world_normal}}
#import bevy_pbr::{mesh_functions, view_transformations::position_world_to_clip}

#ifdef PREPASS_PIPELINE
#import bevy_pbr::prepass_io::{Vertex, VertexOutput}
#else
#import bevy_pbr::forward_io::{Vertex, VertexOutput}
#endif

@vertex
fn vertex(in: Vertex) -> VertexOutput {
    let slot = mesh_functions::get_tag(in.instance_index);
    let morphed = morphed_vertex(slot, vec2<u32>(in.position.xz + 0.5));

    var out: VertexOutput;
    out.world_position = frame.world_from_terrain * vec4(morphed.position, 1.0);
    out.position = position_world_to_clip(out.world_position.xyz);

#ifdef PREPASS_PIPELINE
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    out.unclipped_depth = out.position.z;
    out.position.z = min(out.position.z, 1.0);
#endif
#ifdef NORMAL_PREPASS_OR_DEFERRED_PREPASS
    out.world_normal = world_normal(morphed.normal);
#endif
#ifdef MOTION_VECTOR_PREPASS
    // The land stands still.
    out.previous_world_position = out.world_position;
#endif
#else
    out.world_normal = world_normal(morphed.normal);
#endif

#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    out.instance_index = in.instance_index;
#endif
#ifdef VISIBILITY_RANGE_DITHER
    out.visibility_range_dither = mesh_functions::get_visibility_range_dither_level(
        in.instance_index, mesh_functions::get_world_from_local(in.instance_index)[3]);
#endif
    return out;
}
