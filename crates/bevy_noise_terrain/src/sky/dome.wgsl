// The sky behind everything: its radiance, the sun's disc and the clouds.
#import bevy_noise_terrain::cirrus::cirrus
#import bevy_noise_terrain::cloud_volume::{among_clouds, clouds_from_below}
#import bevy_noise_terrain::flat_clouds::flat_clouds_from_below
#import bevy_noise_terrain::{display::{display, seen_along}, sky::{sky, sky_radiance}}
#import bevy_pbr::mesh_view_bindings::view
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

@fragment
fn fragment(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let direction = seen_along(position.xy);
    var radiance = sky_radiance(direction);
    let cosine = dot(direction, sky.sun.xyz);
    let edge = 1.0 - sky.disc.w;
    radiance += sky.disc.rgb * smoothstep(-0.15, 0.15, (cosine - sky.disc.w) / edge);
    let veil = cirrus(direction);
    radiance = mix(radiance, veil.rgb, veil.a);
    var cloud = vec4(0.0);
    if sky.shade.w > 0.0 {
        // Around an eye among the clouds, deck.wgsl draws them over this.
        let among = among_clouds();
        if among < 1.0 {
            cloud = clouds_from_below(direction).light;
            cloud.a *= (1.0 - among) / max(1.0 - among * cloud.a, 1e-3);
        }
    } else {
        cloud = flat_clouds_from_below(direction);
    }
    var color = mix(radiance, cloud.rgb, cloud.a) * view.exposure;
#ifdef DISTANCE_FOG
    // At the horizon, sky and fogged land have the same colour.
    color = mix(horizon(direction), color, smoothstep(0.0, 0.07, direction.y));
#endif
    return display(vec4(color, 1.0), position.xy);
}
