// Vertex outputs of every pass, for vertices of a terrain.
#define_import_path bevy_noise_terrain::output

#import bevy_noise_terrain::{bindings::terrain, morph::world_normal}
#import bevy_pbr::{mesh_functions, view_transformations::position_world_to_clip}

#ifdef PREPASS_PIPELINE
#import bevy_pbr::prepass_io::VertexOutput
#else
#import bevy_pbr::forward_io::VertexOutput
#endif

// `position` and `normal` are relative to the terrain's origin.
fn vertex_output(position: vec3<f32>, normal: vec3<f32>, instance_index: u32) -> VertexOutput {
    var out: VertexOutput;
    out.world_position = terrain.world_from_terrain * vec4(position, 1.0);
    out.position = position_world_to_clip(out.world_position.xyz);

#ifdef PREPASS_PIPELINE
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    out.unclipped_depth = out.position.z;
    out.position.z = min(out.position.z, 1.0);
#endif
#ifdef NORMAL_PREPASS_OR_DEFERRED_PREPASS
    out.world_normal = world_normal(normal);
#endif
#ifdef MOTION_VECTOR_PREPASS
    // The land does not move relative to its terrain, and the motion of plants in the wind is neglected.
    out.previous_world_position = terrain.previous_world_from_terrain * vec4(position, 1.0);
#endif
#else
    out.world_normal = world_normal(normal);
#endif

#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    out.instance_index = instance_index;
#endif
#ifdef VISIBILITY_RANGE_DITHER
    out.visibility_range_dither = mesh_functions::get_visibility_range_dither_level(
        instance_index, mesh_functions::get_world_from_local(instance_index)[3]);
#endif
    return out;
}
