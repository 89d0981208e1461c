// Texture sampling without visible tiling.
#define_import_path bevy_noise_terrain::tiling

@group(#{MATERIAL_BIND_GROUP}) @binding(103) var albedo_array: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(104) var ground_sampler: sampler;
@group(#{MATERIAL_BIND_GROUP}) @binding(105) var normal_array: texture_2d_array<f32>;

// Texture coordinates of a pixel. Two offsets, chosen by a slow noise, are blended, so that tiles do not repeat
// regularly. After Quilez, "texture repetition", 2015.
struct Place {
    a: vec2<f32>,
    b: vec2<f32>,
    // Weight of b.
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

fn texel(layer: i32, uv: vec2<f32>, place: Place) -> Texel {
    var out: Texel;
    out.albedo = textureSampleGrad(albedo_array, ground_sampler, uv, layer, place.dx, place.dy);
    out.detail = textureSampleGrad(normal_array, ground_sampler, uv, layer, place.dx, place.dy);
    return out;
}

fn texel_at(layer: i32, place: Place) -> Texel {
    var out: Texel;
    let s = place.share;
    // Mostly only one of the two is visible.
    if s <= 0.0 {
        out = texel(layer, place.a, place);
    } else if s >= 1.0 {
        out = texel(layer, place.b, place);
    } else {
        let a = texel(layer, place.a, place);
        let b = texel(layer, place.b, place);
        // The higher surface wins, so that the textures do not ghost into each other.
        let share = smoothstep(0.0, 1.0, s + 2.0 * s * (1.0 - s) * (b.albedo.a - a.albedo.a));
        out.albedo = mix(a.albedo, b.albedo, share);
        out.detail = mix(a.detail, b.detail, share);
    }
    let normal = (out.detail.xy * 255.0 - 128.0) / 127.0;
    out.detail = vec4(normal, out.detail.zw);
    return out;
}
