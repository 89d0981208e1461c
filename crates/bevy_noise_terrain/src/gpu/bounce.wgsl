// Light that sunlit ground throws back: without it, sides in the shade are too dark and too blue.
#define_import_path bevy_noise_terrain::bounce

#import bevy_pbr::mesh_view_bindings::lights

// What ground all around throws back on average, of what falls on it.
const GROUND: vec3<f32> = vec3(0.16, 0.135, 0.1);

// Radiance of a matt surface by that light, in cd/m²; it sees the more ground the less it looks up.
fn from_the_ground(normal: vec3<f32>, albedo: vec3<f32>) -> vec3<f32> {
    var falling = vec3(0.0);
    for (var index = 0u; index < lights.n_directional_lights; index++) {
        let light = lights.directional_lights[index];
        falling += max(light.direction_to_light.y, 0.0) * light.color.rgb;
    }
    return albedo / 3.14159265 * GROUND * falling * (0.5 - 0.5 * normal.y);
}
