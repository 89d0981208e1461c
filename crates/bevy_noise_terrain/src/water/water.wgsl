// Water over a chunk, or beyond all chunks: lit by the standard material; its depth is measured to the drawn land.
#import bevy_noise_terrain::{
    bindings::terrain,
    cloud_shadow::sunlight,
    fog::{is_veiled, post_lighting},
    morph::{morphed_vertex, viewer_distance, world_normal},
    sky::{sky, sky_radiance},
    wind::{Wind, wind_at},
}
#import bevy_pbr::{
    forward_io::{FragmentOutput, VertexOutput},
    mesh_functions,
    mesh_view_bindings::{lights, view},
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::apply_pbr_lighting,
}

// Must match waves.rs, uniforms.rs and ring.rs.
const WAVES: u32 = 32u;
const FOAM_PERIOD: f32 = 64.0;
const RING: u32 = 0xffffffffu;
// Depth in metres where no land is loaded: the ground is invisible.
const DEEP: f32 = 4000.0;
// How sharp crests are, relative to real waves on deep water.
const CHOP: f32 = 0.8;
// Waves from this index on are ripples: they grow and shrink with the gusts.
const RIPPLES: u32 = 8u;
const FARTHEST: f32 = 1e7;
// What a matt surface gives back of Bevy's ambient light; must match sky/view.rs.
const MATT: f32 = 0.45;
// Wind in m/s in which ripples are as steep as the settings say.
const USUAL_WIND: f32 = 4.0;

struct WaterUniforms {
    shallow: vec4<f32>,
    deep: vec4<f32>,
    shore: vec4<f32>,
    rough: vec4<f32>,
    ring: vec4<i32>,
    layers: array<vec4<f32>, 4>,
    wind: Wind,
    waves: array<vec4<f32>, 32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(111) var<storage, read> uniforms: WaterUniforms;
@group(#{MATERIAL_BIND_GROUP}) @binding(112) var patches: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(113) var patch_sampler: sampler;

struct Vertex {
    @builtin(instance_index) instance_index: u32,
    @location(0) position: vec3<f32>,
}

struct WaterVertex {
    @builtin(position) position: vec4<f32>,
    @location(0) world_position: vec4<f32>,
    // Depth of the water here in metres, and slope of the land.
    @location(1) depth: vec2<f32>,
    @location(2) @interpolate(flat) instance_index: u32,
}

// Waves die down in the shallows.
fn calmed(depth: f32) -> f32 {
    return smoothstep(0.0, max(1.2, 2.0 * uniforms.shore.w), depth);
}

// Height of the waves that the vertices around a position are dense enough to show.
fn swell(place: vec2<f32>) -> f32 {
    let away = viewer_distance(place);
    var height = 0.0;
    var bent = place;
    for (var index = 0u; index < WAVES; index++) {
        let wave = uniforms.waves[index];
        let number = length(wave.xy);
        // At any distance the vertices are about a hundredth of it apart.
        let shown = (1.0 - smoothstep(75.0, 150.0, away * number)) * smoothstep(3.0, 5.0, 6.2832 / (number * terrain.morph.spacing));
        if shown <= 0.0 {
            break;
        }
        let phase = dot(wave.xy, bent) + wave.w;
        let amplitude = shown * wave.z / number;
        height += amplitude * cos(phase);
        bent += CHOP * wave.xy / number * amplitude * sin(phase);
    }
    return height;
}

@vertex
fn vertex(in: Vertex) -> WaterVertex {
    let slot = mesh_functions::get_tag(in.instance_index);
    let level = uniforms.shallow.w;
    var place: vec4<f32>;
    var out: WaterVertex;
    if slot == RING {
        // In this order of operations the positions equal those of the chunks' own vertices bit for bit.
        let local = (vec2<f32>(uniforms.ring.xy) + in.position.xz) * terrain.morph.spacing - terrain.morph.remainder;
        place = select(vec4(local.x, level, local.y, 1.0), vec4(in.position.x, 0.0, in.position.z, 0.0), in.position.y > 0.5);
        out.depth = vec2(DEEP, 0.0);
    } else {
        let land = morphed_vertex(slot, vec2<u32>(in.position.xz + 0.5));
        let still = level - land.position.y;
        var height = level;
        if still > 0.0 {
            height += swell(land.position.xz) * calmed(still);
        }
        place = vec4(land.position.x, height, land.position.z, 1.0);
        out.depth = vec2(height - land.position.y, length(land.normal.xz) / max(land.normal.y, 0.05));
    }
    out.world_position = terrain.world_from_terrain * place;
    out.position = view.clip_from_world * out.world_position;
    // Slightly nearer: at the shore, where both are at the same depth, water covers land.
    out.position.z *= 1.000001;
    out.instance_index = in.instance_index;
    return out;
}

// A pixel of the surface, in the terrain's space.
struct Pixel {
    place: vec3<f32>,
    // One pixel to the right and down, along the level surface.
    dx: vec2<f32>,
    dy: vec2<f32>,
    // Its width across the line of sight, in metres.
    width: f32,
}

// Where a pixel's line of sight meets the level, as positions of vertices at infinity cannot be interpolated.
fn on_level(position: vec2<f32>) -> vec4<f32> {
    let at = (position - view.viewport.xy) / view.viewport.zw * vec2(2.0, -2.0) + vec2(-1.0, 1.0);
    let is_orthographic = view.clip_from_view[3].w == 1.0;
    let near = view.view_from_clip * vec4(at, 1.0, 1.0);
    let ahead = select(near.xyz / near.w, vec3(0.0, 0.0, -1.0), is_orthographic);
    let start = select(vec3(0.0), near.xyz / near.w, is_orthographic);
    let eye = terrain.terrain_from_world * (view.world_from_view * vec4(start, 1.0));
    let ray = normalize((terrain.terrain_from_world * (view.world_from_view * vec4(ahead, 0.0))).xyz);
    let way = (uniforms.shallow.w - eye.y) / select(ray.y, 1e-9, abs(ray.y) < 1e-9);
    let place = eye.xyz + ray * select(FARTHEST, way, way > 0.0 && way < FARTHEST);
    return terrain.world_from_terrain * vec4(place, 1.0);
}

fn pixel_at(world: vec4<f32>) -> Pixel {
    let is_orthographic = view.clip_from_view[3].w == 1.0;
    let depth = select(-(view.view_from_world * world).z, 1.0, is_orthographic);
    let ahead = select(world.xyz - view.world_position, -view.world_from_view[2].xyz, is_orthographic);
    let width = 2.0 * depth / (view.viewport.w * view.clip_from_view[1][1]);
    let right = view.world_from_view[0].xyz * (2.0 * depth / (view.viewport.z * view.clip_from_view[0][0]));
    let down = view.world_from_view[1].xyz * -width;
    let m = terrain.terrain_from_world;
    let ray = (m * vec4(ahead, 0.0)).xyz;
    let dx = (m * vec4(right, 0.0)).xyz;
    let dy = (m * vec4(down, 0.0)).xyz;
    let least = 1e-4 * length(ray);
    let across = select(max(ray.y, least), min(ray.y, -least), ray.y < 0.0);
    var out: Pixel;
    out.place = (m * world).xyz;
    out.dx = dx.xz - ray.xz * (dx.y / across);
    out.dy = dy.xz - ray.xz * (dy.y / across);
    out.width = min(length(dx), length(dy));
    return out;
}

// The pattern of a layer, filtered to the pixel.
fn pattern(index: u32, pixel: Pixel, shift: f32) -> vec2<f32> {
    let l = uniforms.layers[index];
    let turn = mat2x2(l.x, l.y, -l.y, l.x);
    return textureSampleGrad(patches, patch_sampler, turn * pixel.place.xz + l.zw + shift, turn * pixel.dx, turn * pixel.dy).rg;
}

struct Waves {
    // Slope of the surface along x and z.
    slope: vec2<f32>,
    // Mean square slope of the waves that are too short for the pixel.
    lost: f32,
    height: f32,
}

// How far ripples are displaced, in metres: straight ones of a few directions would show a lattice.
const STIR: f32 = 0.5;

// The sum of the waves as a pixel can resolve them. A pixel is treated as a Gaussian of its own width: the mean of a
// sine over it is known exactly, and the lost part of its mean square becomes roughness.
fn waves(pixel: Pixel, gust: f32) -> Waves {
    var out = Waves(vec2(0.0), 0.0, 0.0);
    var bent = pixel.place.xz;
    var kept = 0.0;
    let stir = STIR * (vec2(pattern(2u, pixel, 0.0).r, pattern(3u, pixel, 0.4).r) - 0.5);
    for (var index = 0u; index < WAVES; index++) {
        if index == RIPPLES {
            bent += stir;
        }
        let wave = uniforms.waves[index];
        let number = length(wave.xy);
        if number * pixel.width > 4.0 {
            break;
        }
        let steps = vec2(dot(wave.xy, pixel.dx), dot(wave.xy, pixel.dy));
        let shown = exp(-0.25 * dot(steps, steps));
        let slope = wave.z * shown * select(1.0, gust, index >= RIPPLES);
        let phase = dot(wave.xy, bent) + wave.w;
        let way = wave.xy / number;
        let rise = slope * sin(phase);
        out.slope -= way * rise;
        out.height += slope / number * cos(phase);
        // Crests pull shorter waves towards them, which makes them sharp.
        bent += CHOP * way * rise / number;
        kept += 0.5 * wave.z * wave.z * shown * shown;
    }
    out.lost = max(uniforms.rough.x - kept, 0.0) * gust * gust;
    return out;
}

// Steepness of ripples in this wind, relative to that in the usual one. Without wind some remain; the strongest break.
fn rippled(wind: f32) -> f32 {
    return min(0.3 + 0.7 * wind / USUAL_WIND, 2.0);
}

// Cover of the foam along the shore, 0 to 1.
fn foam(distance: f32, pixel: Pixel) -> f32 {
    let width = uniforms.shore.x;
    if width <= 0.0 || distance > 1.5 * width {
        return 0.0;
    }
    let threads = vec2(pattern(2u, pixel, 0.0).g, pattern(3u, pixel, 0.0).g);
    let share = distance / width;
    // Rows run up the beach and break up on their way; a whole number of them per period, so that nothing jumps.
    let phase = fract(2.2 * share + uniforms.shore.z * (10.0 / FOAM_PERIOD) + 0.35 * threads.x);
    let row = smoothstep(0.55, 0.95, phase) * (1.0 - smoothstep(0.95, 1.0, phase));
    let edge = 1.0 - smoothstep(0.0, 0.28, share + 0.15 * (threads.y - 0.5));
    let patchy = smoothstep(0.25, 0.75, 0.5 * (threads.x + threads.y));
    return saturate(max(edge * (0.55 + 0.45 * patchy), row * patchy * 0.8) * (1.0 - smoothstep(0.5, 1.5, share)));
}

// Mean Fresnel reflectance of rough water; `slope` is the root mean square slope. Bruneton, Neyret and Holzschuch,
// "Real-time Realistic Ocean Lighting", 2010.
fn reflectance(facing: f32, slope: f32) -> f32 {
    return 0.02 + 0.98 * pow(saturate(1.0 - facing), 5.0 * exp(-2.69 * slope)) / (1.0 + 22.7 * pow(slope, 1.5));
}

@fragment
fn fragment(in: WaterVertex, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    let depth = in.depth.x;
    if depth <= 0.0 {
        discard;
    }
    var base: VertexOutput;
    base.position = in.position;
    base.world_position = in.world_position;
    if mesh_functions::get_tag(in.instance_index) == RING {
        base.world_position = on_level(in.position.xy);
    }
    base.world_normal = world_normal(vec3(0.0, 1.0, 0.0));
#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    base.instance_index = in.instance_index;
#endif
    var pbr = pbr_input_from_standard_material(base, true);
    var out: FragmentOutput;
    if is_veiled(base.world_position.xyz) {
        out.color = post_lighting(pbr, vec4(0.0, 0.0, 0.0, 1.0));
        return out;
    }

    let pixel = pixel_at(base.world_position);
    let gusts = pattern(0u, pixel, 0.0).r;
    let patchy = mix(0.7, 1.27, 0.5 * (gusts + pattern(1u, pixel, 0.1 * gusts).r));
    let gust = patchy * rippled(length(wind_at(uniforms.wind, pixel.place.xz, pixel.width)));
    let calm = calmed(depth);
    let surface = waves(pixel, gust);
    let lost = surface.lost * mix(0.15, 1.0, calm);
    let slope = surface.slope * mix(0.35, 1.0, calm);
    let eye = normalize((terrain.terrain_from_world * vec4(pbr.V, 0.0)).xyz);
    // From below, its underside is visible.
    var normal = normalize(vec3(-slope.x, 1.0, -slope.y)) * select(-1.0, 1.0, eye.y >= 0.0);
    // At a grazing angle the far sides of waves are hidden: visible normals lean towards the eye.
    normal = normalize(normal + eye * max(0.0, 0.04 - dot(normal, eye)));
    pbr.N = world_normal(normal);

    // GGX's roughness squared is the mean square slope.
    let own = uniforms.shore.y * uniforms.shore.y;
    pbr.material.perceptual_roughness = sqrt(sqrt(own * own + lost));

    // Water absorbs light on the way to the ground and back. Snell's law: the refracted ray is steeper.
    let facing = max(dot(pbr.N, pbr.V), 0.0);
    let inside = sqrt(1.0 - (1.0 - eye.y * eye.y) / 1.777);
    let body = 1.0 - exp(-uniforms.deep.w * depth / max(inside, 0.3));
    let deep = 1.0 - exp(-0.22 * uniforms.deep.w * depth);
    var water = mix(uniforms.shallow.rgb, uniforms.deep.rgb, deep);
    // Crests are thin: light shines through them.
    let crest = surface.height / max(uniforms.shore.w, 0.05);
    water = mix(water, uniforms.shallow.rgb, 0.5 * deep * smoothstep(0.15, 0.8, crest));

    let white = foam(depth / max(in.depth.y, 0.03), pixel) * smoothstep(0.0, 0.04, depth);
    pbr.material.base_color = vec4(mix(water * body, vec3(0.75) * white, white), 1.0);
    pbr.material.perceptual_roughness = mix(pbr.material.perceptual_roughness, 0.9, white);
    // The sky's reflection is added below: Bevy's ambient light would add it a second time.
    pbr.diffuse_occlusion = vec3(0.0);
    pbr.specular_occlusion = 0.0;
    let ambient = MATT * lights.ambient_color.rgb * view.exposure;
    let direct = apply_pbr_lighting(pbr).rgb * sunlight(pbr.world_position.xyz);
    var lit = direct + pbr.material.base_color.rgb * ambient;

    let fresnel = reflectance(facing, sqrt(own * own + lost)) * (1.0 - white);
    let mirrored = reflect(-pbr.V, pbr.N);
    // Waves too short for the pixel reflect higher parts of the sky too.
    let up = normalize(vec3(mirrored.x, abs(mirrored.y) + 0.7 * sqrt(lost) + 0.02, mirrored.z));
    var above = lights.ambient_color.rgb;
    if sky.sun.w > 0.0 {
        // Clouds are included as their mean.
        let clouded = 0.55 * sky.cloud.x;
        above = mix(sky_radiance(up), sky.ambient.rgb + 0.06 * sky.sunlight.rgb, clouded);
    }
    lit += fresnel * above * view.exposure;

    let cover = max(body, white) * (1.0 - fresnel) + fresnel;
    out.color = post_lighting(pbr, vec4(lit / max(cover, 1e-3), cover));
    return out;
}
