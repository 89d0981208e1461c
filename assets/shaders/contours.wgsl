// A map's colours and lines of equal height, on the terrain's own vertices.
#import bevy_noise_terrain::bindings::frame
#import bevy_pbr::{
    forward_io::{FragmentOutput, VertexOutput},
    mesh_view_bindings::view,
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
}

// Metres between two lines.
const INTERVAL: f32 = 50.0;

// By how many metres the ground rises or falls within a pixel. Far triangles are smaller than pixels, and what
// `fwidth` makes of them is noise; so this is the rise of the plane that touches the ground.
fn rise(place: vec4<f32>, normal: vec3<f32>) -> f32 {
    let ray = place.xyz - view.world_position;
    let depth = -(view.view_from_world * place).z;
    let right = view.world_from_view[0].xyz * (2.0 * depth / (view.viewport.z * view.clip_from_view[0][0]));
    let up = view.world_from_view[1].xyz * (2.0 * depth / (view.viewport.w * view.clip_from_view[1][1]));
    // Grazing rays would step to the horizon.
    let across = min(dot(normal, ray), -0.05 * length(ray));
    let dx = right - ray * (dot(normal, right) / across);
    let dy = up - ray * (dot(normal, up) / across);
    return abs(dx.y) + abs(dy.y);
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    var pbr = pbr_input_from_standard_material(in, is_front);
    let height = (frame.terrain_from_world * in.world_position).y;
    let low = mix(vec3(0.35, 0.50, 0.25), vec3(0.75, 0.68, 0.42), smoothstep(0.0, 900.0, height));
    let paper = mix(low, vec3(0.95), smoothstep(900.0, 1800.0, height));
    let lines = height / INTERVAL;
    let line = smoothstep(1.5, 0.5, abs(fract(lines + 0.5) - 0.5) * INTERVAL / max(rise(in.world_position, pbr.N), 1e-3));
    pbr.material.base_color = vec4(mix(paper, vec3(0.25, 0.12, 0.05), 0.7 * line), 1.0);
    var out: FragmentOutput;
    out.color = main_pass_post_lighting_processing(pbr, apply_pbr_lighting(pbr));
    return out;
}
