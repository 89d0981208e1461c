// The vertex shader of every pass: main, prepass, deferred and shadows morph identically.
#import bevy_noise_terrain::{morph::morphed_vertex, output::vertex_output}
#import bevy_pbr::mesh_functions

#ifdef PREPASS_PIPELINE
#import bevy_pbr::prepass_io::{Vertex, VertexOutput}
#else
#import bevy_pbr::forward_io::{Vertex, VertexOutput}
#endif

#ifdef TERRAIN_VOLUME

#import bevy_noise_terrain::{bindings::terrain, morph::{morph_of, range_share, viewer_distance}}

// See volumes/mesh.rs.
struct VolumeVertex {
    @builtin(instance_index) instance_index: u32,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    // Light of the sky, and which way the curtain hangs.
    @location(2) light: vec2<f32>,
    @location(8) land_near: vec4<f32>,
    @location(9) land_far: vec4<f32>,
}

// How much higher than the vertex the land is drawn at a place, in a volume that begins with a level.
fn land_above(in: VolumeVertex, first_level: u32, place: vec2<f32>) -> f32 {
    var offsets = array<f32, 8>(
        in.land_near.x, in.land_near.y, in.land_near.z, in.land_near.w,
        in.land_far.x, in.land_far.y, in.land_far.z, in.land_far.w);
    for (var index = 0u; index < 7u; index++) {
        let share = range_share(first_level + index, place);
        if share < 1.0 {
            return mix(offsets[index], offsets[index + 1u], morph_of(share));
        }
    }
    return offsets[7];
}

@vertex
fn vertex(in: VolumeVertex) -> VertexOutput {
    let world = mesh_functions::get_world_from_local(in.instance_index) * vec4(in.position, 1.0);
    var position = (terrain.terrain_from_world * world).xyz;
    position.y += land_above(in, mesh_functions::get_tag(in.instance_index), position.xz);
    // A pixel or two.
    position.y += in.light.y * (0.002 + 0.0015 * viewer_distance(position.xz));
    var out = vertex_output(position, in.normal, in.instance_index);
#ifdef VERTEX_UVS_A
    out.uv = in.light;
#endif
    return out;
}

#else

@vertex
fn vertex(in: Vertex) -> VertexOutput {
    let slot = mesh_functions::get_tag(in.instance_index);
    let morphed = morphed_vertex(slot, vec2<u32>(in.position.xz + 0.5));
    return vertex_output(morphed.position, morphed.normal, in.instance_index);
}

#endif
