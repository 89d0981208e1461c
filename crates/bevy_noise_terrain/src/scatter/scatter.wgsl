// Scattered objects in every pass: each copy takes its place from its object and its height from the drawn land.
#import bevy_noise_terrain::{
    bindings::{CHUNK_VERTICES, frame, vertices},
    morph::{morph_of, range_share, unpack_normal, viewer_distance, world_normal},
}
#import bevy_pbr::{mesh_functions, view_transformations::position_world_to_clip}

#ifdef PREPASS_PIPELINE
#import bevy_pbr::prepass_io::VertexOutput
#else
#import bevy_pbr::forward_io::VertexOutput
#endif

// `Instance` in place.rs.
struct Object {
    place: vec2<f32>,
    yaw_size: u32,
    rank_tint: u32,
}

// `PageRecord` in pages.rs.
struct Page {
    first_quad: vec2<i32>,
    slot: u32,
    count_grow: u32,
}

// `KindHeader` in pages.rs.
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
    wind: f32,
    time: f32,
    capacity: u32,
}

struct Pages {
    kind: Kind,
    pages: array<Page>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(120) var<storage, read> objects: array<Object>;
@group(#{MATERIAL_BIND_GROUP}) @binding(121) var<storage, read> pages: Pages;

const NO_SLOT: u32 = 0xFFFFFFFFu;
const FAR: u32 = 0x80000000u;
// Share of its reach over which an object shrinks away.
const FADE: f32 = 0.12;
// Share of the near shape's reach at which it begins to turn into the far one.
const TURN: f32 = 0.7;

struct Corner {
    @builtin(instance_index) instance_index: u32,
    @location(0) position: vec3<f32>,
    @location(1) coarse: vec3<f32>,
    @location(2) look: vec3<u32>,
}

struct Ground {
    height: f32,
    normal: vec3<f32>,
}

// A vertex of the drawn land as its surface has it: the slide along parents' edges changes no surface.
fn land_vertex(slot: u32, grid: vec2<u32>) -> Ground {
    let chunk = frame.chunks[slot];
    let own = vertices[slot * CHUNK_VERTICES * CHUNK_VERTICES + grid.y * CHUNK_VERTICES + grid.x];
    let corner = vec2<f32>(chunk.first_quad) + vec2<f32>(grid) * f32(1u << chunk.level);
    let place = corner * frame.morph.spacing - frame.morph.remainder;
    let morph = morph_of(range_share(chunk.level, place));
    var out: Ground;
    out.height = mix(own.height, own.parent_height, morph);
    out.normal = mix(unpack_normal(own.shade), unpack_normal(own.parent_shade), morph);
    return out;
}

// The drawn land under a place in the plane; the triangles are those of `grid_indices` in mesh.rs.
fn land(page: Page, place: vec2<f32>) -> Ground {
    let chunk = frame.chunks[page.slot];
    let quads = vec2<f32>(page.first_quad - chunk.first_quad) + place / frame.morph.spacing;
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
    return out;
}

struct Placed {
    position: vec3<f32>,
    normal: vec3<f32>,
    color: vec3<f32>,
    is_shown: bool,
}

fn placed(tag: u32, in: Corner) -> Placed {
    let kind = pages.kind;
    let page = pages.pages[tag];
    let copy = in.look.x & 0xFFFFu;
    var out: Placed;
    out.is_shown = false;
    if page.slot == NO_SLOT || copy >= (page.count_grow & 0xFFFFu) {
        return out;
    }
    let object = objects[tag * kind.capacity + copy];
    let place = vec2<f32>(page.first_quad) * frame.morph.spacing - frame.morph.remainder + object.place;
    let distance = viewer_distance(place);
    let is_far = (in.look.x & FAR) != 0u;
    let rank = f32(object.rank_tint & 0xFFFFu) / 65536.0;
    let fade = saturate((kind.reach * (1.0 - kind.spread * rank) - distance) / (FADE * kind.reach));
    if is_far != (distance >= kind.near) || fade <= 0.0 {
        return out;
    }
    let grow = f32(page.count_grow >> 16u) / 65535.0;
    let share = fade * fade * (3.0 - 2.0 * fade) * grow;
    let size = (kind.least_size + kind.size_range * f32(object.yaw_size >> 16u) / 65535.0) * share;

    let ground = land(page, object.place);
    let yaw = f32(object.yaw_size & 0xFFFFu) * (6.2831853 / 65536.0);
    let turn = vec2(cos(yaw), sin(yaw));
    let up = normalize(mix(vec3(0.0, 1.0, 0.0), ground.normal, kind.tilt));
    let across = normalize(vec3(turn.x, 0.0, turn.y) - up * dot(up, vec3(turn.x, 0.0, turn.y)));
    let basis = mat3x3(across, up, cross(across, up));

    let towards_far = saturate((distance / kind.near - TURN) / (0.97 - TURN));
    let shape = mix(in.position, in.coarse, towards_far);
    var position = basis * shape * size;
    let color = unpack4x8unorm(in.look.z);
    // Gusts wander over the land, and each object trembles at its own pace.
    let gust = 0.6 + 0.4 * sin(dot(place, vec2(0.045, 0.031)) - kind.time * 1.1);
    let tremble = sin(kind.time * (2.1 + rank) + dot(place, vec2(0.9, 1.3)));
    position += vec3(0.86, 0.0, 0.5) * (color.a * size * kind.sway * kind.wind * gust * (0.35 + 0.65 * tremble));

    let base = vec3(place.x, ground.height - kind.sink * share, place.y);
    let normal = basis * unpack4x8snorm(in.look.y).xyz;
    // Pairs of colours: warmer and lighter, or cooler and darker.
    let tint = (f32(object.rank_tint >> 16u) / 65535.0 - 0.5) * 2.0 * kind.variety;
    out.position = base + position;
    out.normal = normalize(mix(normal, ground.normal, kind.ground_light));
    out.color = color.rgb * color.rgb * kind.tint * (1.0 + tint * vec3(1.0, 0.7, 0.3));
    out.is_shown = true;
    return out;
}

@vertex
fn vertex(in: Corner) -> VertexOutput {
    let placed = placed(mesh_functions::get_tag(in.instance_index), in);

    var out: VertexOutput;
    out.world_position = frame.world_from_terrain * vec4(placed.position, 1.0);
    out.position = position_world_to_clip(out.world_position.xyz);
    if !placed.is_shown {
        // Outside of every view.
        out.position = vec4(2.0, 2.0, 2.0, 1.0);
    }
    out.color = vec4(placed.color, 1.0);

#ifdef PREPASS_PIPELINE
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    out.unclipped_depth = out.position.z;
    out.position.z = min(out.position.z, 1.0);
#endif
#ifdef NORMAL_PREPASS_OR_DEFERRED_PREPASS
    out.world_normal = world_normal(placed.normal);
#endif
#ifdef MOTION_VECTOR_PREPASS
    // What the wind moves is little.
    out.previous_world_position = out.world_position;
#endif
#else
    out.world_normal = world_normal(placed.normal);
#endif

#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    out.instance_index = in.instance_index;
#endif
#ifdef VISIBILITY_RANGE_DITHER
    out.visibility_range_dither = mesh_functions::get_visibility_range_dither_level(
        in.instance_index, mesh_functions::get_world_from_local(in.instance_index)[3]);
#endif
    return out;
}
