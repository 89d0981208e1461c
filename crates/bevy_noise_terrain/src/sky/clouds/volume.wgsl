// Clouds with a body: rays are followed through the layer, and light to where they meet a cloud.
//
// A column of the pattern tells how high its cloud rises over a flat base; curls wear it off. Rays take a few steps between
// base and top of the layer, and where they come upon a cloud, its surface is found by halving, so that nothing has to be
// hidden by noise. Light that was scattered many times is a sum of ever weaker and wider lobes, after Wrenninge,
// Kulla and Lundqvist, "Oz: The Great and Volumetric" (2013).
#define_import_path bevy_noise_terrain::cloud_volume

#import bevy_noise_terrain::clouds::{PLANET, body, clearness, curls, distance_to, mip_level}
#import bevy_noise_terrain::sky::{PI, sky}
#import bevy_pbr::mesh_view_bindings::view

// Steps of a ray between base and top; twice as many from within the layer.
const STEPS: f32 = 32.0;
// Parts of a step inside of a cloud.
const PARTS: i32 = 2;
// How often a step is halved to find where a cloud begins.
const HALVINGS: i32 = 4;
// A flat ray is followed over so many thicknesses of the layer; twice as many from within it.
const LONGEST: f32 = 10.0;
// Optical depth of the densest cloud from base to top.
const DEPTH: f32 = 22.0;

// Around an eye in the layer clouds open: games want to see the land. They begin at a third of so many metres.
const NEAR: f32 = 4000.0;
// Metres from the layer over which that sets in.
const APPROACH: f32 = 500.0;

// Slope below which a ray from within the layer goes down to its base.
const LOWEST: f32 = -0.0002;

struct Cloud {
    // Radiance in cd/m² and opacity.
    light: vec4<f32>,
    // Metres to what one sees of it.
    far: f32,
}

struct Ray {
    direction: vec3<f32>,
    // How fast the planet falls away below it: metres by square metre.
    bend: f32,
    level: f32,
}

// Position in the scene along x and z; in between, the height over the base as a fraction of the thickness.
fn point(ray: Ray, far: f32) -> vec3<f32> {
    var at = view.world_position + ray.direction * far;
    at.y = (at.y + far * far * ray.bend - sky.cloud.y) / sky.cloud.z;
    return at;
}

// From where on clouds are as high as they are, in metres.
fn nearest() -> f32 {
    let height = view.world_position.y - sky.cloud.y;
    let away = max(max(-height, height - sky.cloud.z), 0.0);
    return NEAR * (1.0 - smoothstep(0.0, APPROACH, away));
}

// Whether the eye is in the layer: 1, falling to 0 away from it.
fn among_clouds() -> f32 {
    return nearest() / NEAR;
}

// How high clouds with this body rise, as a fraction of the thickness.
fn top(body: f32, at: vec2<f32>) -> f32 {
    let height = min(pow(max(2.2 * body, 0.0), 0.6), 1.0);
    let nearest = nearest();
    if nearest <= 0.0 {
        return height;
    }
    return height * smoothstep(0.3 * nearest, nearest, distance(at, view.world_position.xz));
}

// Density without curls, 0 to 1: good enough for shadows.
fn broad_density(at: vec3<f32>, level: f32) -> f32 {
    return clamp(4.0 * (top(body(at.xz, level), at.xz) - at.y), 0.0, 1.0) * smoothstep(-0.02, 0.08, at.y);
}

// Density, 0 to 1.
fn density(at: vec3<f32>, level: f32) -> f32 {
    let room = top(body(at.xz, level) + 0.02, at.xz) - at.y;
    if room <= 0.0 || at.y < 0.0 {
        return 0.0;
    }
    // Two patterns that lean in different directions make one in space.
    let lift = at.y * sky.cloud.z;
    let a = 5.0 * ((at.xz + vec2(0.9, 0.4) * lift) * sky.cloud.w + sky.drift.xy);
    let b = 11.0 * ((at.zx + vec2(-0.5, 0.8) * lift) * sky.cloud.w + sky.drift.yx);
    let worn = 1.0 - 0.6 * curls(a, level + 2.32) - 0.4 * curls(b, level + 3.46);
    // Undersides are smoother than tops.
    let left = room - mix(0.2, 0.6, at.y) * worn;
    return smoothstep(0.0, 0.22, left) * smoothstep(0.0, 0.1, at.y + 0.05 - 0.1 * worn);
}

// Henyey and Greenstein's phase function.
fn phase(cosine: f32, forward: f32) -> f32 {
    let base = 1.0 + forward * forward - 2.0 * forward * cosine;
    return (1.0 - forward * forward) / (4.0 * PI * base * sqrt(base));
}

// Sunlight that is scattered towards the eye after an optical depth, of light that falls on the cloud.
fn scattered(cosine: f32, depth: f32) -> f32 {
    var sum = 0.0;
    var share = 1.7;
    var spread = 1.0;
    for (var order = 0; order < 4; order++) {
        sum += share * mix(phase(cosine, 0.75 * spread), phase(cosine, -0.25 * spread), 0.35) * exp(-depth * spread);
        share *= 0.5;
        spread *= 0.35;
    }
    return sum;
}

// Radiance of a cloud towards the eye, at a point inside.
fn cloud_radiance(at: vec3<f32>, here: f32, cosine: f32, level: f32) -> vec3<f32> {
    let slant = 1.0 / max(abs(sky.sun.y), 0.12);
    let to_sun = vec3(sky.sun.x * slant * sky.cloud.z, 1.0, sky.sun.z * slant * sky.cloud.z);
    var before = 0.03 * here;
    before += 0.10 * density(at + 0.06 * to_sun, level);
    before += 0.16 * density(at + 0.18 * to_sun, level + 0.5);
    before += 0.40 * broad_density(at + 0.45 * to_sun, level + 1.0);
    let sun = sky.sunlight.rgb * scattered(cosine, DEPTH * before * min(slant, 2.5));
    return sun + sky.ambient.rgb * mix(0.42, 0.9, clamp(at.y, 0.0, 1.0));
}

// How far a flat ray is followed, in metres.
fn longest() -> f32 {
    return LONGEST * sky.cloud.z * (1.0 + among_clouds());
}

// Clouds along a ray between two distances in metres.
fn march(ray: Ray, near: f32, far: f32) -> Cloud {
    let cosine = dot(ray.direction, sky.sun.xyz);
    let extinction = DEPTH / sky.cloud.z;
    let start = min(max(near, max(0.3 * nearest(), 1.0)), far);
    let steps = floor(STEPS * (1.0 + among_clouds()));
    // Each step is so many times as long as the one before: an eye in the layer sees near and far clouds.
    let growth = pow(far / start, 1.0 / steps);
    var light = vec3(0.0);
    var distance = 0.0;
    var through = 1.0;
    var was_inside = false;
    var start_of_step = start;
    var last_middle = start;
    for (var i = 0.0; i < steps; i += 1.0) {
        var begin = start_of_step;
        let end = start_of_step * growth;
        let middle = 0.5 * (begin + end);
        let before = last_middle;
        start_of_step = end;
        last_middle = middle;
        let is_inside = density(point(ray, middle), ray.level) > 0.0;
        if !is_inside && !was_inside {
            continue;
        }
        if !was_inside {
            begin = before;
            var inside = middle;
            for (var halving = 0; halving < HALVINGS; halving++) {
                let between = 0.5 * (begin + inside);
                if density(point(ray, between), ray.level) > 0.0 {
                    inside = between;
                } else {
                    begin = between;
                }
            }
        }
        was_inside = is_inside;
        let part = (end - begin) / f32(PARTS);
        for (var k = 0; k < PARTS; k++) {
            let between = begin + part * (f32(k) + 0.5);
            let at = point(ray, between);
            let here = density(at, ray.level);
            if here > 0.002 {
                let left = exp(-extinction * here * part);
                light += through * (1.0 - left) * cloud_radiance(at, here, cosine, ray.level);
                distance += through * (1.0 - left) * between;
                through *= left;
            }
        }
        if through < 0.02 {
            break;
        }
    }
    let opacity = 1.0 - through;
    let share = max(opacity, 1e-4);
    return Cloud(vec4(light / share, opacity), distance / share);
}

// Clouds above the eye in a direction.
fn clouds_from_below(direction: vec3<f32>) -> Cloud {
    let base = sky.cloud.y - view.world_position.y;
    let top = base + sky.cloud.z;
    let lowest = select(0.0, LOWEST, base < 0.0);
    if sky.cloud.x <= 0.0 || top <= 0.0 || direction.y <= lowest {
        return Cloud(vec4(0.0), 0.0);
    }
    let rise = PLANET * direction.y;
    let near = select(distance_to(base, rise), 0.0, base <= 0.0);
    let far = min(distance_to(top, rise), near + longest());
    let bend = (1.0 - direction.y * direction.y) / (2.0 * PLANET);
    var cloud = march(Ray(direction, bend, mip_level(near, 1.0)), near, far);
    cloud.light.a *= clearness(near);
    return cloud;
}

// Clouds below the eye in a direction, to the base of the layer `far` metres away.
fn clouds_from_above(direction: vec3<f32>, far: f32) -> Cloud {
    let top = view.world_position.y - sky.cloud.y - sky.cloud.z;
    let near = max(top, 0.0) / -direction.y;
    // A flat ray from high above goes down to the base, where most clouds are.
    let end = min(far, 4.0 * near + longest());
    var cloud = march(Ray(direction, 0.0, mip_level(near, 1.0)), near, end);
    cloud.light.a *= clearness(near);
    return cloud;
}
