// The ground's colour by slope and height, lit by the standard material.
#import bevy_noise_terrain::bindings::frame
#import bevy_pbr::pbr_fragment::pbr_input_from_standard_material

#ifdef PREPASS_PIPELINE
#import bevy_pbr::prepass_io::{VertexOutput, FragmentOutput}
#import bevy_pbr::pbr_deferred_functions::deferred_output
#else
#import bevy_pbr::forward_io::{VertexOutput, FragmentOutput}
#import bevy_pbr::pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing}
#endif

const LOW: u32 = 0u;
const HIGH: u32 = 1u;
const ROCK: u32 = 2u;
const SNOW: u32 = 3u;

fn hash(cell: vec2<u32>) -> f32 {
    var n = cell.x * 0x9E3779B1u ^ cell.y * 0x85EBCA77u;
    n = (n ^ (n >> 15u)) * 0x2C1B3C6Du;
    n = (n ^ (n >> 12u)) * 0x297A2D39u;
    return f32((n ^ (n >> 15u)) & 0xFFFFu) / 65535.0;
}

// Value noise in [−1, 1] whose cells are `scale` metres wide, a power of two; it repeats after 65 536 m.
fn patches(place: vec2<f32>, scale: f32) -> f32 {
    let p = place / scale;
    let cell = floor(p);
    let mask = u32(65536.0 / scale) - 1u;
    let a = vec2<u32>(vec2<i32>(cell)) & vec2(mask);
    let b = (a + 1u) & vec2(mask);
    let f = p - cell;
    let u = f * f * (3.0 - 2.0 * f);
    let low = mix(hash(a), hash(vec2(b.x, a.y)), u.x);
    let high = mix(hash(vec2(a.x, b.y)), hash(b), u.x);
    return 2.0 * mix(low, high, u.y) - 1.0;
}

// The same, fading out where its cells grow smaller than a few pixels.
fn filtered_patches(place: vec2<f32>, scale: f32, pixel: f32) -> f32 {
    return patches(place, scale) * saturate(1.5 - 4.0 * pixel / scale);
}

fn ground(position: vec3<f32>, normal: vec3<f32>, pixel: f32) -> vec4<f32> {
    let place = position.xz + frame.ground_origin;
    let wide = patches(place, 512.0) + 0.5 * filtered_patches(place, 128.0, pixel);
    let near = filtered_patches(place, 16.0, pixel) + 0.7 * filtered_patches(place, 4.0, pixel) + 0.5 * filtered_patches(place, 1.0, pixel);
    let steep = sqrt(saturate(1.0 - normal.y * normal.y));

    let tree_line = frame.limits.x + 150.0 * wide;
    var layer = mix(frame.layers[LOW], frame.layers[HIGH], smoothstep(tree_line - 250.0, tree_line + 250.0, position.y));
    // Snow slides off what is steep.
    let snow_line = frame.limits.y + 180.0 * wide + 40.0 * near + 900.0 * (steep - 0.3);
    layer = mix(layer, frame.layers[SNOW], smoothstep(snow_line - 60.0, snow_line + 60.0, position.y));
    let bare = steep + 0.03 * wide + 0.025 * near;
    layer = mix(layer, frame.layers[ROCK], smoothstep(frame.limits.z, frame.limits.w, bare));
    let tone = 1.0 + 0.10 * near + 0.06 * wide;
    return vec4(layer.rgb * tone, layer.a);
}

// Finest red, then through the rainbow.
fn level_tint(distance: f32) -> vec3<f32> {
    var level = 0u;
    while level < 15u && distance > frame.morph.ranges[level / 4u][level % 4u] {
        level++;
    }
    let hue = fract(f32(level) * 0.381966) * 6.0;
    return saturate(vec3(abs(hue - 3.0) - 1.0, 2.0 - abs(hue - 2.0), 2.0 - abs(hue - 4.0)));
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    var pbr = pbr_input_from_standard_material(in, is_front);
    let position = (frame.terrain_from_world * in.world_position).xyz;
    let m = frame.world_from_terrain;
    let normal = normalize(vec3(dot(m[0].xyz, pbr.N), dot(m[1].xyz, pbr.N), dot(m[2].xyz, pbr.N)));
    let pixel = max(length(dpdx(position.xz)), length(dpdy(position.xz)));

    let layer = ground(position, normal, pixel);
    pbr.material.base_color = vec4(layer.rgb, 1.0) * pbr.material.base_color;
    pbr.material.perceptual_roughness = layer.a;
    if (frame.flags & 1u) != 0u {
        var nearest = 1e30;
        for (var index = 0u; index < frame.morph.viewer_count; index++) {
            let viewer = frame.morph.viewers[index];
            nearest = min(nearest, length(vec3(position.xz - viewer.xy, viewer.z)));
        }
        pbr.material.base_color = vec4(mix(pbr.material.base_color.rgb, level_tint(nearest), 0.5), 1.0);
    }

#ifdef PREPASS_PIPELINE
    return deferred_output(in, pbr);
#else
    var out: FragmentOutput;
    out.color = main_pass_post_lighting_processing(pbr, apply_pbr_lighting(pbr));
    return out;
#endif
}
