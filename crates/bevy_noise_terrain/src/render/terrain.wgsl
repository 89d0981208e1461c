// The vertex shader of every pass: main, prepass, deferred and shadows morph identically.
#import bevy_noise_terrain::{morph::morphed_vertex, output::vertex_output}
#import bevy_pbr::mesh_functions

#ifdef PREPASS_PIPELINE
#import bevy_pbr::prepass_io::{Vertex, VertexOutput}
#else
#import bevy_pbr::forward_io::{Vertex, VertexOutput}
#endif

@vertex
fn vertex(in: Vertex) -> VertexOutput {
    let slot = mesh_functions::get_tag(in.instance_index);
    let morphed = morphed_vertex(slot, vec2<u32>(in.position.xz + 0.5));
    return vertex_output(morphed.position, morphed.normal, in.instance_index);
}
