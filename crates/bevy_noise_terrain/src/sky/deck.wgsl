// Clouds that may be nearer than the land: those below the eye, and around an eye among them all. A pixel of cloud has the
// depth of what one sees of it, so that land hides clouds behind it and no others.
#import bevy_noise_terrain::cloud_volume::{Cloud, LOWEST, among_clouds, clouds_from_above, clouds_from_below}
#import bevy_noise_terrain::flat_clouds::flat_clouds_from_above
#import bevy_noise_terrain::{display::{display, seen_along}, sky::sky}
#import bevy_pbr::{mesh_view_bindings::view, view_transformations::position_world_to_clip}

// How far clouds are drawn from above, in metres.
const REACH: f32 = 240000.0;

struct Vertex {
    @location(0) position: vec3<f32>,
}

struct Drawn {
    @location(0) color: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

@vertex
fn vertex(in: Vertex) -> @builtin(position) vec4<f32> {
    let is_among = sky.shade.w > 0.0 && among_clouds() > 0.0;
    if sky.cloud.x <= 0.0 || !(is_among || view.world_position.y > sky.cloud.y) {
        // Outside the clip volume.
        return vec4(0.0, 0.0, 2.0, 1.0);
    }
    return vec4(in.position.xy, 0.5, 1.0);
}

fn clouds(direction: vec3<f32>) -> Cloud {
    let above = view.world_position.y - sky.cloud.y;
    let among = select(0.0, among_clouds(), sky.shade.w > 0.0);
    if above <= 0.0 || direction.y >= LOWEST {
        if among == 0.0 {
            return Cloud(vec4(0.0), 0.0);
        }
        var cloud = clouds_from_below(direction);
        cloud.light.a *= among;
        return cloud;
    }
    // To the base.
    let far = above / -direction.y;
    // A flat ray from among the clouds does not come as far.
    let end = 1.0 - (1.0 - among) * smoothstep(0.3, 1.0, far / REACH);
    if end == 0.0 {
        return Cloud(vec4(0.0), 0.0);
    }
    var cloud: Cloud;
    if sky.shade.w > 0.0 {
        cloud = clouds_from_above(direction, far);
    } else {
        let place = view.world_position.xz + direction.xz * far;
        cloud = Cloud(flat_clouds_from_above(place, direction, far), far);
    }
    cloud.light.a *= end;
    return cloud;
}

@fragment
fn fragment(@builtin(position) position: vec4<f32>) -> Drawn {
    let direction = seen_along(position.xy);
    let cloud = clouds(direction);
    let clip = position_world_to_clip(view.world_position + direction * cloud.far);
    var out: Drawn;
    out.color = display(vec4(cloud.light.rgb * view.exposure, cloud.light.a), position.xy);
    out.depth = select(0.0, clip.z / clip.w, cloud.light.a > 0.0);
    return out;
}
