// The sky behind everything: its radiance, the sun's disc and the clouds.
#import bevy_noise_terrain::cirrus::cirrus
#import bevy_noise_terrain::cloud_volume::{among_clouds, clouds_from_below}
#import bevy_noise_terrain::flat_clouds::flat_clouds_from_below
#import bevy_noise_terrain::{display::display, sky::{sky, sky_radiance}}
#import bevy_pbr::{mesh_view_bindings::view, utils::coords_to_viewport_uv}
#ifdef DISTANCE_FOG
#import bevy_noise_terrain::fog::horizon
#endif

struct Vertex {
    @location(0) position: vec3<f32>,
}

@vertex
fn vertex(in: Vertex) -> @builtin(position) vec4<f32> {
    return vec4(in.position.xy, 0.0, 1.0);
}

fn ray(position: vec2<f32>) -> vec3<f32> {
    let uv = coords_to_viewport_uv(position, view.viewport) * vec2(2.0, -2.0) + vec2(-1.0, 1.0);
    let near = view.view_from_clip * vec4(uv, 1.0, 1.0);
    return normalize((view.world_from_view * vec4(near.xyz / near.w, 0.0)).xyz);
}

@fragment
fn fragment(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let direction = ray(position.xy);
    var radiance = sky_radiance(direction);
    let cosine = dot(direction, sky.sun.xyz);
    let edge = 1.0 - sky.disc.w;
    radiance += sky.disc.rgb * smoothstep(-0.15, 0.15, (cosine - sky.disc.w) / edge);
    let veil = cirrus(direction);
    radiance = mix(radiance, veil.rgb, veil.a);
    var cloud: vec4<f32>;
    var among = 0.0;
    if sky.shade.w > 0.0 {
        cloud = clouds_from_below(direction);
        among = among_clouds();
    } else {
        cloud = flat_clouds_from_below(direction);
    }
    var color = mix(radiance, cloud.rgb, cloud.a) * view.exposure;
#ifdef DISTANCE_FOG
    // At the horizon, sky and fogged land have the same colour; but clouds around the eye are near.
    let clear = smoothstep(0.0, 0.07, direction.y);
    let air = horizon(direction);
    let behind = mix(air, radiance * view.exposure, clear);
    color = mix(mix(air, color, clear), mix(behind, cloud.rgb * view.exposure, cloud.a), among);
#endif
    return display(vec4(color, 1.0), position.xy);
}
