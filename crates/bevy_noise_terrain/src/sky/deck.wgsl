// The clouds seen from above: a layer over the land and below the eye.
#import bevy_noise_terrain::cloud_volume::{among_clouds, clouds_from_above}
#import bevy_noise_terrain::flat_clouds::flat_clouds_from_above
#import bevy_noise_terrain::{display::display, sky::sky}
#import bevy_pbr::{mesh_view_bindings::view, view_transformations::position_world_to_clip}

// Must match `deck.rs`.
const REACH: f32 = 240000.0;
// Slope at which the deck ends for an eye in the layer. The sea goes on beyond clouds at their own height, and would hide
// those of the sky behind it.
const LOWEST: f32 = -0.0002;

struct Vertex {
    @location(0) position: vec3<f32>,
}

struct Fragment {
    @builtin(position) position: vec4<f32>,
    @location(0) place: vec3<f32>,
}

@vertex
fn vertex(in: Vertex) -> Fragment {
    let eye = view.world_position;
    var out: Fragment;
    out.place = vec3(eye.x + in.position.x, sky.cloud.y, eye.z + in.position.z);
    if sky.shade.w > 0.0 && length(in.position.xz) > 0.9 * REACH {
        out.place.y = mix(out.place.y, eye.y + LOWEST * REACH, among_clouds());
    }
    out.position = position_world_to_clip(out.place);
    if sky.cloud.x <= 0.0 || eye.y <= sky.cloud.y {
        out.position = vec4(0.0, 0.0, 2.0, 1.0);
    }
    return out;
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    let ray = in.place - view.world_position;
    let far = length(ray);
    var cloud: vec4<f32>;
    var among = 0.0;
    if sky.shade.w > 0.0 {
        cloud = clouds_from_above(ray / far, far);
        among = among_clouds();
    } else {
        cloud = flat_clouds_from_above(in.place.xz, ray / far, far);
    }
    // A flat ray from among the clouds does not come to the end of the deck.
    let end = 1.0 - (1.0 - among) * smoothstep(0.3, 1.0, length(ray.xz) / REACH);
    return display(vec4(cloud.rgb * view.exposure, cloud.a * end), in.position.xy);
}
