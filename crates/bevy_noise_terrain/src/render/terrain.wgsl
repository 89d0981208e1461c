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
    // Where it is at the next coarser level: position, normal and light.
    @location(10) target_position: vec3<f32>,
    @location(11) target_shade: vec4<f32>,
}

// How much higher than the vertex the land is drawn at a place, in a piece that begins with a level.
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
    // See `Piece::tag` in render/volumes/on_screen.rs.
    let tag = mesh_functions::get_tag(in.instance_index);
    let level = tag & 0xffu;
    let fade = f32(tag >> 8u) / 255.0;
    let from_local = terrain.terrain_from_world * mesh_functions::get_world_from_local(in.instance_index);
    let own = (from_local * vec4(in.position, 1.0)).xyz;
    let morph = max(morph_of(range_share(level, own.xz)), fade);
    var position = mix(own, (from_local * vec4(in.target_position, 1.0)).xyz, morph);
    position.y += land_above(in, level, own.xz);
    // A pixel or two; more where the land is finer for a moment.
    var curtain = 0.002 + 0.0015 * viewer_distance(own.xz);
    if level > 0u && range_share(level - 1u, own.xz) < 1.0 {
        curtain += 0.5 * terrain.morph.spacing * f32(1u << level);
    }
    position.y += in.light.y * curtain;
    let normal = normalize(mix(in.normal, in.target_shade.xyz, morph));
    var out = vertex_output(position, normal, in.instance_index);
#ifdef VERTEX_UVS_A
    out.uv = vec2(mix(in.light.x, in.target_shade.w, morph), 0.0);
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
