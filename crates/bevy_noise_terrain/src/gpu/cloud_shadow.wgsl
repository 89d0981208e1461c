// Cloud shadows: of the clouds that the sky draws, without their curls.
#define_import_path bevy_noise_terrain::cloud_shadow

#import bevy_noise_terrain::sky::{SHADE_SIDE, broader_place, cloud_body, cloud_cover, optical_depth, sky}
#import bevy_pbr::{
    ambient::ambient_light,
    mesh_view_bindings::view,
    pbr_functions::{calculate_F0, calculate_diffuse_color},
    pbr_types::PbrInput,
}

// Shadows fade in over this depth below the clouds, in metres.
const BASE: f32 = 250.0;
// Shadows fade out below this sine of the sun's elevation: low light passes many clouds, so single shadows blur.
const FLAT: f32 = 0.12;

// The pattern at a position in repeats, bilinear.
fn pattern(uv: vec2<f32>) -> f32 {
    let at = fract(uv) * f32(SHADE_SIDE) + (f32(SHADE_SIDE) - 0.5);
    let low = vec2<u32>(at);
    let share = at - vec2<f32>(low);
    let cell = low % SHADE_SIDE;
    let corners = unpack4x8unorm(sky.pattern[cell.y * SHADE_SIDE + cell.x]);
    let along = mix(corners.xz, corners.yw, share.x);
    return mix(along.x, along.y, share.y);
}

// The fraction of sunlight that clouds let through to a world position.
fn sunlight(place: vec3<f32>) -> f32 {
    let above = sky.cloud.y - place.y;
    let most = sky.shade.x * smoothstep(0.0, FLAT, sky.sun.y) * smoothstep(0.0, BASE, above);
    if most <= 0.0 || sky.cloud.x <= 0.0 {
        return 1.0;
    }
    let cloud = place.xz + sky.sun.xz * (above / sky.sun.y);
    let under = cloud * sky.cloud.w;
    let cover = cloud_cover(cloud);
    let body = cloud_body(pattern(under + sky.drift.xy), pattern(broader_place(under) + sky.drift.zw), cover);
    return 1.0 - most * (1.0 - exp(-optical_depth(max(body, 0.0))));
}

// Shades a surface after Bevy's lighting.
fn under_clouds(pbr: PbrInput, lit: vec4<f32>) -> vec4<f32> {
    return in_shade(pbr, lit, sunlight(pbr.world_position.xyz));
}

// Dims everything but the ambient light, so that a share of it is left.
fn in_shade(pbr: PbrInput, lit: vec4<f32>, left: f32) -> vec4<f32> {
    if left >= 1.0 {
        return lit;
    }
    let color = pbr.material.base_color.rgb;
    let ambient = ambient_light(
        pbr.world_position,
        pbr.N,
        pbr.V,
        max(dot(pbr.N, pbr.V), 0.0001),
        calculate_diffuse_color(color, pbr.material.metallic, 0.0, 0.0),
        calculate_F0(color, pbr.material.metallic, pbr.material.reflectance),
        pbr.material.perceptual_roughness,
        pbr.diffuse_occlusion,
    );
    return vec4(mix(view.exposure * ambient, lit.rgb, left), lit.a);
}
