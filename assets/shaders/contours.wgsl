// A map's colours and lines of equal height, on the terrain's own vertices.
#import bevy_noise_terrain::pixel::pixel_on_plane
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
    let pixel = pixel_on_plane(in.world_position, pbr.N);
    let height = pixel.position.y;
    let low = mix(vec3(0.35, 0.50, 0.25), vec3(0.75, 0.68, 0.42), smoothstep(0.0, 1400.0, height));
    let paper = mix(low, vec3(0.95), smoothstep(1400.0, 3000.0, height));
    // By so many metres the land rises or falls within a pixel.
    let rise = max(abs(pixel.dx.y) + abs(pixel.dy.y), 1e-3);
    let line = smoothstep(1.5, 0.5, abs(fract(height / INTERVAL + 0.5) - 0.5) * INTERVAL / rise);
    pbr.material.base_color = vec4(mix(paper, vec3(0.25, 0.12, 0.05), 0.7 * line), 1.0);
    var out: FragmentOutput;
    out.color = main_pass_post_lighting_processing(pbr, apply_pbr_lighting(pbr));
    return out;
}
