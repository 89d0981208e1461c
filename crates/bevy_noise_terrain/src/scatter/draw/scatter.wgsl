// Scattered objects in every pass: each copy takes its position from its object and its height from the drawn land.
#import bevy_noise_terrain::{
    bindings::{CHUNK_VERTICES, terrain, vertices},
    climate::climate,
    layers::mean_color,
    morph::{morph_of, range_share, unpack_shade, upright, viewer_distance},
    output::vertex_output,
    wind::{Wind, wind_at},
}
#import bevy_pbr::mesh_functions

#ifdef PREPASS_PIPELINE
#import bevy_pbr::prepass_io::VertexOutput
#else
#import bevy_pbr::forward_io::VertexOutput
#endif

// `Instance` in ../placement.rs.
struct Object {
    place: vec2<f32>,
    yaw_size: u32,
    rank_tint: u32,
}

// `PageRecord` in pages/record.rs.
struct Page {
    first_quad: vec2<i32>,
    slot: u32,
    count_grow: u32,
}

// `KindHeader` in pages/record.rs.
struct Kind {
    tint: vec3<f32>,
    variety: f32,
    least_size: f32,
    size_range: f32,
    reach: f32,
    spread: f32,
    near: f32,
    sink: f32,
    tilt: f32,
    sway: f32,
    ground_light: f32,
    yielding: f32,
    time: f32,
    capacity: u32,
    ground_color: f32,
    steepness: f32,
    start: f32,
    luminance: f32,
    near_corners: u32,
    far_corners: u32,
    variants: u32,
    widen: f32,
    shade: f32,
    padding_a: f32,
    padding_b: f32,
    padding_c: f32,
    wind: Wind,
}

struct Pages {
    kind: Kind,
    pages: array<Page>,
}

// `CornerRecord` in batch_mesh.rs.
struct Corner {
    position: vec3<f32>,
    normal_skin: u32,
    coarse_xy: u32,
    coarse_z_uv: u32,
    color_bend: u32,
    padding: u32,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(120) var<storage, read> objects: array<Object>;
@group(#{MATERIAL_BIND_GROUP}) @binding(121) var<storage, read> pages: Pages;
@group(#{MATERIAL_BIND_GROUP}) @binding(122) var<storage, read> corners: array<Corner>;

const NO_SLOT: u32 = 0xFFFFFFFFu;
// Fraction of the reach over which an object shrinks before it disappears.
const FADE: f32 = 0.12;
// Fraction of the near shape's reach at which it begins to morph into the far one.
const TURN: f32 = 0.7;
// Distance at which the last far object appears, relative to the first: 1 / `EXCHANGE` in bands.rs.
const LAST: f32 = 1.3333334;
// Greatest widening: as objects become rarer, the others become wider to cover as much ground.
const WIDEST: f32 = 1.6;
// Speed in radians per second of the slowest trembling, which has this many speeds up to 1 rad/s faster. All are
// multiples of 1/20: see `SWING_PERIOD` in upload.rs.
const TREMBLE_SPEED: f32 = 2.1;
const PACES: f32 = 20.0;
// Plants stand still beyond so many times as far as they swing: about a pixel of 1080 lines through a lens of 60 degrees.
const STILL: f32 = 2000.0;
// Wind in m/s that bends half as far as a storm.
const HALF_BENT: f32 = 6.0;

struct Vertex {
    @builtin(instance_index) instance_index: u32,
    // `WHICH` in batch_mesh.rs.
    @location(0) which: u32,
}

struct Ground {
    height: f32,
    normal: vec3<f32>,
    curvature: f32,
}

// A vertex of the drawn land. Vertices that slide along their parents' edges are not moved: the surface is the same.
fn land_vertex(slot: u32, grid: vec2<u32>) -> Ground {
    let chunk = terrain.chunks[slot];
    let own = vertices[slot * CHUNK_VERTICES * CHUNK_VERTICES + grid.y * CHUNK_VERTICES + grid.x];
    let corner = vec2<f32>(chunk.first_quad) + vec2<f32>(grid) * f32(1u << chunk.level);
    let place = corner * terrain.morph.spacing - terrain.morph.remainder;
    let morph = morph_of(range_share(chunk.level, place));
    var out: Ground;
    out.height = mix(own.height, own.parent_height, morph);
    let shade = unpack_shade(own.shade);
    let parent_shade = unpack_shade(own.parent_shade);
    out.normal = mix(upright(shade.xy), upright(parent_shade.xy), morph);
    out.curvature = mix(shade.z, parent_shade.z, morph);
    return out;
}

// The drawn land at a position on the plane; the triangles are those of `grid_indices` in mesh.rs.
fn land(page: Page, place: vec2<f32>) -> Ground {
    let chunk = terrain.chunks[page.slot];
    let quads = vec2<f32>(page.first_quad - chunk.first_quad) + place / terrain.morph.spacing;
    let scaled = quads / f32(1u << chunk.level);
    let cell = clamp(floor(scaled), vec2(0.0), vec2(f32(CHUNK_VERTICES - 2u)));
    let f = scaled - cell;
    let low = vec2<u32>(cell);
    let is_right = f.x >= f.y;
    let a = land_vertex(page.slot, low);
    let b = land_vertex(page.slot, low + select(vec2(0u, 1u), vec2(1u, 0u), is_right));
    let c = land_vertex(page.slot, low + 1u);
    let first = max(f.x, f.y);
    let second = min(f.x, f.y);
    var out: Ground;
    out.height = a.height + first * (b.height - a.height) + second * (c.height - b.height);
    out.normal = normalize(a.normal + first * (b.normal - a.normal) + second * (c.normal - b.normal));
    out.curvature = a.curvature;
    return out;
}

// The mean colour of the ground. A steepness of 0 or more replaces that of the ground.
fn ground_color(place: vec2<f32>, ground: Ground, steepness: f32) -> vec3<f32> {
    let position = vec3(place.x, ground.height, place.y);
    let climate = climate(position, ground.normal.z, 0.5);
    let steep = select(sqrt(saturate(1.0 - ground.normal.y * ground.normal.y)), steepness, steepness >= 0.0);
    return mean_color(position, climate, steep, ground.curvature, 0.5);
}

// Fraction of an object's full size at a distance, by its rank.
fn grown(distance: f32, rank: f32) -> f32 {
    let kind = pages.kind;
    let leaving = saturate((kind.reach * (1.0 - kind.spread * rank) - distance) / (FADE * kind.reach));
    // Far objects appear where near ones disappear.
    let appears = kind.start * mix(1.0, LAST, rank);
    let arriving = select(1.0, saturate((distance - appears) / (0.1 * kind.start)), kind.start > 0.0);
    let share = min(leaving, arriving);
    return share * share * (3.0 - 2.0 * share);
}

// Factor of an object's width where others have disappeared, so that the rest covers the same ground (Cook and others,
// "Stochastic Simplification of Aggregate Detail", 2007).
fn widened(distance: f32) -> f32 {
    let kind = pages.kind;
    let left = saturate((1.0 - distance / kind.reach) / kind.spread);
    let wider = kind.widen * min(inverseSqrt(max(left, 0.05)), WIDEST);
    return select(1.0, wider, kind.widen > 0.0);
}

// The colour of a corner; the object's tint is 0 to 1.
fn colored(color: vec3<f32>, bend: f32, tint: f32, place: vec2<f32>, ground: Ground) -> vec3<f32> {
    let kind = pages.kind;
    var out = color * kind.tint;
    if kind.ground_color > 0.0 {
        let shade = dot(color, vec3(0.2126, 0.7152, 0.0722)) / kind.luminance;
        // The tips of grass keep their own colour.
        let share = kind.ground_color * (1.0 - 0.6 * bend);
        out = mix(out, ground_color(place, ground, kind.steepness) * shade, share);
    }
    // Varies from cooler and darker to warmer and lighter.
    return out * (1.0 + (2.0 * tint - 1.0) * kind.variety * vec3(1.0, 0.7, 0.3));
}

struct Placed {
    position: vec3<f32>,
    normal: vec3<f32>,
    color: vec3<f32>,
    uv: vec2<f32>,
    // Share of the light at 45 degrees that other trees let through.
    open: f32,
    is_shown: bool,
}

fn placed(tag: u32, which: u32) -> Placed {
    let kind = pages.kind;
    let page = pages.pages[tag];
    let copy = (which >> 16u) & 0x7FFFu;
    var out: Placed;
    out.is_shown = false;
    if page.slot == NO_SLOT || copy >= (page.count_grow & 0xFFFFu) {
        return out;
    }
    let object = objects[tag * kind.capacity + copy];
    let place = vec2<f32>(page.first_quad) * terrain.morph.spacing - terrain.morph.remainder + object.place;
    let distance = viewer_distance(place);
    let is_far = (which >> 31u) != 0u;
    let rank = f32(object.rank_tint & 0xFFFFu) / 65536.0;
    let share = grown(distance, rank) * f32(page.count_grow >> 16u) / 65535.0;
    if is_far != (distance >= kind.near) || share <= 0.0 {
        return out;
    }
    let size = (kind.least_size + kind.size_range * f32(object.yaw_size >> 16u) / 65535.0) * share;

    let variant = (object.yaw_size & 0xFFFFu) % kind.variants;
    let first = select(variant * kind.near_corners, kind.variants * kind.near_corners + variant * kind.far_corners, is_far);
    let corner = corners[first + (which & 0xFFFFu)];
    let normal_skin = unpack4x8snorm(corner.normal_skin);
    let z_uv = corner.coarse_z_uv;
    let coarse = 2.0 * vec3(unpack2x16snorm(corner.coarse_xy), unpack2x16snorm(z_uv).x);
    let color_bend = unpack4x8unorm(corner.color_bend);
    let color = color_bend.rgb * color_bend.rgb;

    let ground = land(page, object.place);
    let yaw = f32(object.yaw_size & 0xFFFFu) * (6.2831853 / 65536.0);
    let turn = vec2(cos(yaw), sin(yaw));
    let up = normalize(mix(vec3(0.0, 1.0, 0.0), ground.normal, kind.tilt));
    let across = normalize(vec3(turn.x, 0.0, turn.y) - up * dot(up, vec3(turn.x, 0.0, turn.y)));
    let basis = mat3x3(across, up, cross(across, up));

    let towards_far = saturate((distance / kind.near - TURN) / (0.97 - TURN));
    var shape = corner.position;
    if towards_far > 0.0 {
        shape = mix(shape, coarse, towards_far);
    }
    let wide = widened(distance);
    var position = basis * (shape * vec3(wide, 1.0, wide)) * size;
    let swing = size * kind.sway * kind.yielding;
    let pliant = color_bend.a * swing * saturate(2.0 - 2.0 * distance / (STILL * swing + 1e-6));
    if pliant > 0.0 {
        // Leans with the wind, and trembles in it at a speed of its own.
        let wind = wind_at(kind.wind, place, 0.0);
        let tremble = sin(kind.time * (TREMBLE_SPEED + floor(rank * PACES) / PACES) + dot(place, vec2(0.9, 1.3)));
        let bent = wind * (1.5 / (length(wind) + HALF_BENT));
        position += vec3(bent.x, 0.0, bent.y) * (pliant * (0.35 + 0.65 * tremble));
    }

    let base = vec3(place.x, ground.height - kind.sink * share, place.y);
    let normal = basis * normal_skin.xyz;
    out.position = base + position;
    out.normal = normalize(mix(normal, ground.normal, kind.ground_light));
    let skin = f32(corner.normal_skin >> 24u);
    out.uv = vec2(f32((z_uv >> 16u) & 0xFFu), f32(z_uv >> 24u)) / 255.0 + vec2(2.0 * skin, 0.0);
    out.open = exp(-kind.shade * (1.0 - saturate(shape.y)));
    out.is_shown = true;
    let tint = f32(object.rank_tint >> 16u) / 65535.0;
// Shadow maps and the depth prepass need no colour.
#ifdef PREPASS_PIPELINE
#ifdef DEFERRED_PREPASS
    out.color = colored(color, color_bend.a, tint, place, ground);
#endif
#else
    out.color = colored(color, color_bend.a, tint, place, ground);
#endif
    return out;
}

@vertex
fn vertex(in: Vertex) -> VertexOutput {
    let placed = placed(mesh_functions::get_tag(in.instance_index), in.which);
    var out = vertex_output(placed.position, placed.normal, in.instance_index);
    if !placed.is_shown {
        // Outside the clip volume.
        out.position = vec4(2.0, 2.0, 2.0, 1.0);
    }
    out.color = vec4(placed.color, placed.open);
    out.uv = placed.uv;
    return out;
}
