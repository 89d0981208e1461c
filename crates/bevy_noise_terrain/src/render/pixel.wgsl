// The footprint of a pixel on the land.
#define_import_path bevy_noise_terrain::pixel

#import bevy_noise_terrain::bindings::terrain
#import bevy_pbr::mesh_view_bindings::view

// Relative to the terrain's origin, in metres.
struct Pixel {
    position: vec3<f32>,
    // Steps to the next pixel to the right and below, on the tangent plane of the land.
    dx: vec3<f32>,
    dy: vec3<f32>,
    // The pixel's width on the ground, in metres.
    width: f32,
}

// For a world position and the land's normal there. The steps are computed on the tangent plane: the rasteriser's
// derivatives are noisy, as collapsing triangles are slivers and distant ones smaller than pixels.
fn pixel_on_plane(place: vec4<f32>, normal: vec3<f32>) -> Pixel {
    let is_orthographic = view.clip_from_view[3].w == 1.0;
    let depth = select(-(view.view_from_world * place).z, 1.0, is_orthographic);
    let ray = select(place.xyz - view.world_position, -view.world_from_view[2].xyz, is_orthographic);
    let right = view.world_from_view[0].xyz * (2.0 * depth / (view.viewport.z * view.clip_from_view[0][0]));
    let down = view.world_from_view[1].xyz * (-2.0 * depth / (view.viewport.w * view.clip_from_view[1][1]));
    // Bounded: grazing rays would step to the horizon.
    let across = min(dot(normal, ray), -0.05 * length(ray));
    let dx = right - ray * (dot(normal, right) / across);
    let dy = down - ray * (dot(normal, down) / across);
    var out: Pixel;
    out.position = (terrain.terrain_from_world * place).xyz;
    out.dx = (terrain.terrain_from_world * vec4(dx, 0.0)).xyz;
    out.dy = (terrain.terrain_from_world * vec4(dy, 0.0)).xyz;
    // At a grazing angle the footprint is long. The geometric mean leaves the rest to anisotropic filtering.
    let lengths = vec2(length(out.dx), length(out.dy));
    let longer = max(lengths.x, lengths.y);
    out.width = sqrt(longer * max(min(lengths.x, lengths.y), 0.1 * longer));
    return out;
}
