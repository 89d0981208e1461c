// A map's colours and lines of equal height, on the terrain's own vertices.
#import bevy_noise_terrain::bindings::frame
#import bevy_pbr::{
    forward_io::{FragmentOutput, VertexOutput},
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing},
}

// Metres between two lines.
const INTERVAL: f32 = 50.0;

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    var pbr = pbr_input_from_standard_material(in, is_front);
    let height = (frame.terrain_from_world * in.world_position).y;
    let low = mix(vec3(0.35, 0.50, 0.25), vec3(0.75, 0.68, 0.42), smoothstep(0.0, 900.0, height));
    let paper = mix(low, vec3(0.95), smoothstep(900.0, 1800.0, height));
    let lines = height / INTERVAL;
    let line = smoothstep(1.5, 0.5, abs(fract(lines + 0.5) - 0.5) / fwidth(lines));
    pbr.material.base_color = vec4(mix(paper, vec3(0.25, 0.12, 0.05), 0.7 * line), 1.0);
    var out: FragmentOutput;
    out.color = main_pass_post_lighting_processing(pbr, apply_pbr_lighting(pbr));
    return out;
}
