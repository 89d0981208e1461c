// Water over a chunk: flat at the level, lit by the standard material, as deep as the land under it is drawn.
#import bevy_noise_terrain::{bindings::frame, fog::post_lighting, morph::{morphed_vertex, world_normal}, sky::{sky, sky_radiance}}
#import bevy_pbr::{
    forward_io::{FragmentOutput, VertexOutput},
    mesh_functions,
    mesh_view_bindings::{lights, view},
    pbr_fragment::pbr_input_from_standard_material,
    pbr_functions::apply_pbr_lighting,
    view_transformations::position_world_to_clip,
}

const LAYERS: u32 = 3u;
// As in waves.rs.
const STEEPEST: f32 = 4.0;
const FOAM_PERIOD: f32 = 64.0;

struct Sea {
    shallow: vec4<f32>,
    deep: vec4<f32>,
    shore: vec4<f32>,
    layers: array<vec4<f32>, 3>,
    slopes: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(111) var<storage, read> sea: Sea;
@group(#{MATERIAL_BIND_GROUP}) @binding(112) var waves: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(113) var wave_sampler: sampler;

struct Vertex {
    @builtin(instance_index) instance_index: u32,
    @location(0) position: vec3<f32>,
}

struct WaterVertex {
    @builtin(position) position: vec4<f32>,
    @location(0) world_position: vec4<f32>,
    // Water over the land here in metres, and how steep the land is.
    @location(1) depth: vec2<f32>,
    @location(2) @interpolate(flat) instance_index: u32,
}

@vertex
fn vertex(in: Vertex) -> WaterVertex {
    let slot = mesh_functions::get_tag(in.instance_index);
    let land = morphed_vertex(slot, vec2<u32>(in.position.xz + 0.5));
    let level = sea.shallow.w;
    var out: WaterVertex;
    out.world_position = frame.world_from_terrain * vec4(land.position.x, level, land.position.z, 1.0);
    out.position = position_world_to_clip(out.world_position.xyz);
    // Nearer by a hair: at the shore, where both are at the same place, water lies over land.
    out.position.z *= 1.000001;
    let steep = length(land.normal.xz) / max(land.normal.y, 0.05);
    out.depth = vec2(level - land.position.y, steep);
    out.instance_index = in.instance_index;
    return out;
}

struct Waves {
    // Of the surface along x and z, and what is too fine to be seen as a slope: its mean square.
    slope: vec2<f32>,
    lost: f32,
    height: f32,
}

fn layer(index: u32, place: vec2<f32>) -> Waves {
    let l = sea.layers[index];
    let uv = vec2(l.x * place.x - l.y * place.y, l.y * place.x + l.x * place.y) + l.zw;
    let texel = textureSample(waves, wave_sampler, uv);
    let tilted = (2.0 * texel.xy - 1.0) * STEEPEST;
    let there = texel.w * 2.0 * STEEPEST * STEEPEST;
    let scale = sea.slopes[index];
    // Back from the tile's axes to the terrain's.
    let turn = normalize(l.xy);
    var out: Waves;
    out.slope = vec2(turn.x * tilted.x + turn.y * tilted.y, turn.x * tilted.y - turn.y * tilted.x) * scale;
    out.lost = max(there - dot(tilted, tilted), 0.0) * scale * scale;
    out.height = texel.z;
    return out;
}

// 0 to 1: what lies on the water along the shore.
fn foam(distance: f32, place: vec2<f32>, height: vec2<f32>) -> f32 {
    let width = sea.shore.x;
    if width <= 0.0 || distance > 1.5 * width {
        return 0.0;
    }
    let share = distance / width;
    // Rows run up the beach, each breaking up on its way; whole rows in the period, so that no jump is seen.
    let phase = fract(2.2 * share + sea.shore.z * (10.0 / FOAM_PERIOD) + 0.35 * height.x);
    let row = smoothstep(0.55, 0.95, phase) * (1.0 - smoothstep(0.95, 1.0, phase));
    let edge = 1.0 - smoothstep(0.0, 0.28, share + 0.15 * (height.y - 0.5));
    let patchy = smoothstep(0.30, 0.62, height.y);
    return saturate(max(edge * (0.55 + 0.45 * patchy), row * patchy * 0.8) * (1.0 - smoothstep(0.5, 1.5, share)));
}

@fragment
fn fragment(in: WaterVertex, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    let place = (frame.terrain_from_world * in.world_position).xz;
    let a = layer(0u, place);
    let b = layer(1u, place);
    let c = layer(2u, place);
    let depth = in.depth.x;
    if depth <= 0.0 {
        discard;
    }

    var base: VertexOutput;
    base.position = in.position;
    base.world_position = in.world_position;
    base.world_normal = world_normal(vec3(0.0, 1.0, 0.0));
#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    base.instance_index = in.instance_index;
#endif
    var pbr = pbr_input_from_standard_material(base, true);

    // Waves die down in the shallows.
    let calm = smoothstep(0.0, 1.2, depth);
    let slope = (a.slope + b.slope + c.slope) * mix(0.35, 1.0, calm);
    let lost = (a.lost + b.lost + c.lost) * mix(0.12, 1.0, calm);
    var normal = normalize(vec3(-slope.x, 1.0, -slope.y));
    // At a grazing angle the far sides of waves hide: what is seen leans towards the eye.
    let eye = normalize((frame.terrain_from_world * vec4(pbr.V, 0.0)).xyz);
    normal = normalize(normal + eye * max(0.0, 0.04 - dot(normal, eye)));
    pbr.N = world_normal(normal);

    // A slope of mean square s widens the highlight as a GGX roughness of √(2·s) does.
    let own = sea.shore.y * sea.shore.y;
    pbr.material.perceptual_roughness = sqrt(sqrt(own * own + 2.0 * lost * 0.5));

    // Water takes light in along the way to the ground and back.
    let facing = max(dot(pbr.N, pbr.V), 0.0);
    // Snell: the refracted ray is steeper.
    let inside = sqrt(1.0 - (1.0 - eye.y * eye.y) / 1.777);
    let way = depth / max(inside, 0.3);
    let body = 1.0 - exp(-sea.deep.w * way);
    let deep = 1.0 - exp(-0.22 * sea.deep.w * depth);
    let water = mix(sea.shallow.rgb, sea.deep.rgb, deep);

    let white = foam(depth / max(in.depth.y, 0.03), place, vec2(a.height, c.height)) * smoothstep(0.0, 0.04, depth);
    pbr.material.base_color = vec4(mix(water * body, vec3(0.75) * white, white), 1.0);
    pbr.material.perceptual_roughness = mix(pbr.material.perceptual_roughness, 0.9, white);
    // The sky's light is added below: Bevy's ambient light would mirror itself a second time.
    pbr.diffuse_occlusion = vec3(0.0);
    pbr.specular_occlusion = 0.0;
    let ambient = lights.ambient_color.rgb * view.exposure;
    var lit = apply_pbr_lighting(pbr).rgb + pbr.material.base_color.rgb * ambient;

    // Schlick; rough water shows less of its grazing sides.
    let roughness = pbr.material.perceptual_roughness;
    let fresnel = (0.02 + 0.98 * pow(1.0 - facing, 5.0) * (1.0 - 0.6 * roughness)) * (1.0 - white);
    let mirrored = reflect(-pbr.V, pbr.N);
    // Waves that are not seen one by one mirror higher parts of the sky too.
    let up = normalize(vec3(mirrored.x, abs(mirrored.y) + 0.35 * sqrt(lost) + 0.02, mirrored.z));
    var above = lights.ambient_color.rgb;
    if sky.sun.w > 0.0 {
        // Clouds are in it as their mean.
        let clouded = 0.55 * sky.cloud.x;
        above = mix(sky_radiance(up), sky.ambient.rgb + 0.06 * sky.sunlight.rgb, clouded);
    }
    lit += fresnel * above * view.exposure;

    let cover = max(body, white) * (1.0 - fresnel) + fresnel;
    var out: FragmentOutput;
    out.color = post_lighting(pbr, vec4(lit / max(cover, 1e-3), cover));
    return out;
}
