// Textures without visible tiles.
#define_import_path bevy_noise_terrain::tiling

@group(#{MATERIAL_BIND_GROUP}) @binding(103) var albedo_array: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(104) var ground_sampler: sampler;
@group(#{MATERIAL_BIND_GROUP}) @binding(105) var normal_array: texture_2d_array<f32>;

// Where on the texture a pixel lies. Two places, chosen by a slow noise, take turns: no tile has the same
// neighbours twice. After Quilez, "texture repetition", 2015.
struct Place {
    a: vec2<f32>,
    b: vec2<f32>,
    // How much of b is seen.
    share: f32,
    dx: vec2<f32>,
    dy: vec2<f32>,
}

// `turn` is a slow noise in [0, 1].
fn tiled(uv: vec2<f32>, turn: f32, dx: vec2<f32>, dy: vec2<f32>) -> Place {
    let steps = 8.0 * turn;
    let index = floor(steps);
    var out: Place;
    out.a = uv + fract(vec2(0.7548777, 0.5698403) * index);
    out.b = uv + fract(vec2(0.7548777, 0.5698403) * (index + 1.0));
    out.share = smoothstep(0.3, 0.7, steps - index);
    out.dx = dx;
    out.dy = dy;
    return out;
}

struct Texel {
    // Linear albedo and height of the surface.
    albedo: vec4<f32>,
    // Normal's x and z, roughness, occlusion.
    detail: vec4<f32>,
}

fn texel_at(layer: i32, place: Place) -> Texel {
    let albedo_a = textureSampleGrad(albedo_array, ground_sampler, place.a, layer, place.dx, place.dy);
    let albedo_b = textureSampleGrad(albedo_array, ground_sampler, place.b, layer, place.dx, place.dy);
    let detail_a = textureSampleGrad(normal_array, ground_sampler, place.a, layer, place.dx, place.dy);
    let detail_b = textureSampleGrad(normal_array, ground_sampler, place.b, layer, place.dx, place.dy);
    // What stands higher comes first: no ghost of one texture in the other.
    let s = place.share;
    let share = smoothstep(0.0, 1.0, s + 2.0 * s * (1.0 - s) * (albedo_b.a - albedo_a.a));
    var out: Texel;
    out.albedo = mix(albedo_a, albedo_b, share);
    out.detail = mix(detail_a, detail_b, share);
    let normal = (out.detail.xy * 255.0 - 128.0) / 127.0;
    out.detail = vec4(normal, out.detail.zw);
    return out;
}
