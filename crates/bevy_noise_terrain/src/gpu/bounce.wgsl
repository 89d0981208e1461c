// Sunlight reflected by the ground: without it, shaded sides are too dark and too blue.
#define_import_path bevy_noise_terrain::bounce

#import bevy_pbr::mesh_view_bindings::lights

// Average albedo of the surrounding ground.
const GROUND: vec3<f32> = vec3(0.16, 0.135, 0.1);

// Exposed radiance of a matt surface lit by it: the less the normal points up, the more ground lights it.
fn from_the_ground(normal: vec3<f32>, albedo: vec3<f32>) -> vec3<f32> {
    var incident = vec3(0.0);
    for (var index = 0u; index < lights.n_directional_lights; index++) {
        let light = lights.directional_lights[index];
        incident += max(light.direction_to_light.y, 0.0) * light.color.rgb;
    }
    return albedo / 3.14159265 * GROUND * incident * (0.5 - 0.5 * normal.y);
}
