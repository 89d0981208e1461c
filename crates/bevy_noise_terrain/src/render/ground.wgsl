// The ground: layers chosen by height, slope, curvature and climate, lit by the standard material.
#import bevy_noise_terrain::{
    bindings::{Layer, terrain},
    canopy::woods,
    climate::{TURN, TURN_FINE, climate, noise_at},
    layers::{coverage, layer_tint},
    morph::world_normal,
    paint::paint,
    pixel::{Pixel, pixel_on_plane},
    surface::{Surface, surface},
    tiling::{texel_at, tiled},
}
#import bevy_pbr::{mesh_functions, pbr_fragment::pbr_input_from_standard_material}

#ifdef PREPASS_PIPELINE
#import bevy_pbr::prepass_io::{VertexOutput, FragmentOutput}
#import bevy_pbr::pbr_deferred_functions::deferred_output
#else
#import bevy_pbr::forward_io::{VertexOutput, FragmentOutput}
#import bevy_pbr::pbr_functions::apply_pbr_lighting
#import bevy_noise_terrain::{
    bounce::from_the_ground,
    cloud_shadow::{in_shade, sunlight},
    fog::post_lighting,
    wood_light::{seen_light, to_sun},
}
#endif

#ifdef TERRAIN_HOLES
#import bevy_noise_terrain::holes::is_hole
#endif

const SHOW_LEVELS: u32 = 1u;
const SHOW_MORPH: u32 = 2u;
const SHOW_MESH: u32 = 4u;

// Of a layer's scales, that of its settings.
const OWN_SCALE: u32 = 1u;
// Layers with a smaller share than this are skipped to save texture fetches.
const NEGLIGIBLE: f32 = 0.02;
// A layer's share is multiplied by these factors in the hollows and on the tops of its surface: a layer with a small
// share shows only its highest parts.
const LOWEST: f32 = 1.25;
const HIGHEST: f32 = 2.25;
// A lower layer's weight is halved this many times over the softness of a seam.
const FADE: f32 = 4.0;

// Material properties of a pixel of ground.
struct Matter {
    albedo: vec3<f32>,
    // Height of the surface within its layer, from 0 to 1.
    height: f32,
    normal: vec3<f32>,
    roughness: f32,
    occlusion: f32,
    // Share of the sunlight that plants let through.
    sun: f32,
}

// A planar projection along an axis: coordinates on the plane and their derivatives.
struct Plane {
    uv: vec2<f32>,
    dx: vec2<f32>,
    dy: vec2<f32>,
    weight: f32,
}

fn plane(pixel: Pixel, axis: u32, weight: f32) -> Plane {
    if axis == 0u {
        return Plane(pixel.position.zy, pixel.dx.zy, pixel.dy.zy, weight);
    } else if axis == 1u {
        return Plane(pixel.position.xz, pixel.dx.xz, pixel.dy.xz, weight);
    }
    return Plane(pixel.position.xy, pixel.dx.xy, pixel.dy.xy, weight);
}

// The surface's normal tilted by a normal map that is projected along an axis ("whiteout" blending).
fn tilted(normal: vec3<f32>, detail: vec2<f32>, axis: u32) -> vec3<f32> {
    let up = sqrt(saturate(1.0 - dot(detail, detail)));
    if axis == 0u {
        return vec3(normal.x * up, normal.y + detail.y, normal.z + detail.x);
    } else if axis == 1u {
        return vec3(normal.x + detail.x, normal.y * up, normal.z + detail.y);
    }
    return vec3(normal.x + detail.x, normal.y + detail.y, normal.z * up);
}

fn plane_offset(tile: vec4<f32>, axis: u32) -> vec2<f32> {
    if axis == 0u {
        return vec2(tile.w, 0.0);
    } else if axis == 1u {
        return tile.zw;
    }
    return vec2(tile.z, 0.0);
}

// One layer projected along one axis.
fn projected(layer: Layer, plane: Plane, axis: u32, normal: vec3<f32>, turn: f32, width: f32) -> Matter {
    var out = Matter(layer.color.rgb, 0.5, normal, 0.95, 1.0, 1.0);
    let index = i32(layer.scale.a);
    if index < 0 {
        return out;
    }
    // Ever larger repetitions of the texture, each visible at distances where neither its texels nor its tiles show.
    var tone = vec3(1.0);
    for (var scale = 0u; scale < 4u; scale++) {
        let tile = layer.scales[scale];
        let size = width * tile.x;
        let seen = saturate(1.6 - size * 30.0) * select(saturate(size * 600.0 - 0.2), 1.0, scale < 3u);
        if seen > 0.0 {
            let uv = plane.uv * tile.x + plane_offset(tile, axis);
            let texel = texel_at(index, tiled(uv, turn + 0.37 * f32(scale), plane.dx * tile.x, plane.dy * tile.x));
            let strength = seen * select(0.5, 1.0, scale == OWN_SCALE);
            let albedo = texel.albedo.rgb * layer.scale.rgb / max(layer.color.rgb, vec3(1e-3));
            tone *= mix(vec3(1.0), albedo, strength);
            out.height = mix(out.height, texel.albedo.a, select(0.15, 1.0, scale == OWN_SCALE) * seen);
            out.normal = normalize(tilted(out.normal, strength * terrain.ground.bump * layer.color.a * texel.detail.xy, axis));
            out.occlusion *= mix(1.0, texel.detail.w, strength);
            if scale == OWN_SCALE {
                out.roughness = mix(out.roughness, texel.detail.z, seen);
            }
        }
    }
    out.albedo *= tone;
    return out;
}

// One layer, projected along the axes that the surface faces.
fn matter(layer: Layer, pixel: Pixel, normal: vec3<f32>, turn: f32) -> Matter {
    var weights = pow(abs(normal), vec3(8.0));
    // Gentle slopes are projected from above only.
    weights = select(weights, vec3(0.0, 1.0, 0.0), normal.y > 0.86);
    weights /= weights.x + weights.y + weights.z;
    weights = max(weights - 0.2, vec3(0.0));
    weights /= weights.x + weights.y + weights.z;
    var out = Matter(vec3(0.0), 0.0, vec3(0.0), 0.0, 0.0, 1.0);
    for (var axis = 0u; axis < 3u; axis++) {
        let weight = weights[axis];
        if weight > 0.0 {
            let part = projected(layer, plane(pixel, axis, weight), axis, normal, turn, pixel.width);
            out.albedo += weight * part.albedo;
            out.height += weight * part.height;
            out.normal += weight * normalize(part.normal);
            out.roughness += weight * part.roughness;
            out.occlusion += weight * part.occlusion;
        }
    }
    return out;
}

// All layers. Where two meet, the higher surface shows: Mishkinis, "Advanced Terrain Texture Splatting", 2013.
fn ground(pixel: Pixel, shape: Surface, first_paint: u32, to_eye: vec3<f32>, to_sun: vec3<f32>) -> Matter {
    let climate = climate(pixel.position, shape.normal.z, pixel.width);
#ifdef TERRAIN_VOLUME
    // What grows wants the sky: ceilings and the depth of caves are bare, as walls are.
    let open = smoothstep(0.2, 0.6, shape.morph) * saturate(1.0 + 4.0 * shape.normal.y);
    let steepness = mix(1.0, sqrt(saturate(1.0 - shape.normal.y * shape.normal.y)), open);
#else
    let steepness = sqrt(saturate(1.0 - shape.normal.y * shape.normal.y));
#endif
    var shares = array<f32, 8>();
    var most = 0.0;
    let count = terrain.ground.layer_count;
    // From the uppermost down: where nothing is left for those below, they are not looked at.
    var left = 1.0;
    for (var above = 0u; above < count && left > 0.0; above++) {
        let index = count - 1u - above;
        var covered = 1.0;
        if index > 0u {
            covered = coverage(index, pixel.position, climate, steepness, shape.curvature, pixel.width);
        }
        shares[index] = left * covered;
        left -= shares[index];
    }
    var by_nature = 1.0;
    if first_paint > 0u {
        let painted = paint(first_paint, shape);
        by_nature = saturate(1.0 - dot(painted.low + painted.high, vec4(1.0)));
        for (var index = 0u; index < count; index++) {
            shares[index] = by_nature * shares[index] + select(painted.high, painted.low, index < 4u)[index % 4u];
        }
    }
    for (var index = 0u; index < count; index++) {
        most = max(most, shares[index]);
    }

    let place = pixel.position.xz;
    let turn = saturate(0.5 + 0.5 * (noise_at(place, TURN, pixel.width) + 0.3 * noise_at(place, TURN_FINE, pixel.width)));
    // From afar the heights of the surfaces are below a pixel, which then shows layers by their shares, squared: by the
    // shares themselves the borders of snow seem out of focus.
    let far = saturate(pixel.width * 8.0);
    let sharpness = (1.0 - far) * FADE / terrain.ground.softness;
    let deepest = LOWEST * most - mix(terrain.ground.softness, LOWEST, far);
    let rise = max(abs(pixel.dx.y), abs(pixel.dy.y));
    var out = Matter(vec3(0.0), 0.0, vec3(0.0), 0.0, 0.0, 1.0);
    var sum = 0.0;
    var highest = 0.0;
    for (var index = 0u; index < count; index++) {
        let share = shares[index];
        // A skipped layer would show through by a sixteenth at most.
        if share > NEGLIGIBLE && HIGHEST * share > deepest {
            let layer = terrain.ground.layers[index];
            var part = matter(layer, pixel, shape.normal, turn);
            part.albedo *= layer_tint(layer, pixel.position.y, climate, rise);
            let height = share * mix(LOWEST, HIGHEST, part.height);
            // Layers so far lose weight where this one is higher.
            let fades = exp2(min(highest - height, 0.0) * sharpness);
            let seen = mix(1.0, share * share, far) * exp2(min(height - highest, 0.0) * sharpness);
            highest = max(highest, height);
            sum = sum * fades + seen;
            out.albedo = out.albedo * fades + seen * part.albedo;
            out.normal = out.normal * fades + seen * part.normal;
            out.roughness = out.roughness * fades + seen * part.roughness;
            out.occlusion = out.occlusion * fades + seen * part.occlusion;
        }
    }
    out.albedo /= sum;
    out.roughness /= sum;
    out.occlusion /= sum;
    out.normal = normalize(out.normal);

    let woods = woods(pixel.position, climate, shape.normal, shape.curvature, to_eye, to_sun, pixel.width);
    let hidden = by_nature * woods.hidden;
    out.albedo = mix(out.albedo, woods.color, hidden);
    out.roughness = mix(out.roughness, 1.0, hidden);
    out.occlusion = mix(out.occlusion, 0.8, hidden);
    out.sun = mix(1.0, mix(woods.below, woods.above, hidden), by_nature);
    // Of a crown one sees the side that faces the eye.
    let crown = normalize(vec3(0.0, 1.0, 0.0) + 0.5 * to_eye);
    out.normal = normalize(mix(out.normal, crown, 0.6 * hidden));
    return out;
}

// A colour per level: red for the finest, then far apart on the colour wheel.
fn level_tint(level: u32) -> vec3<f32> {
    let hue = fract(f32(level) * 0.381966) * 6.0;
    return saturate(vec3(abs(hue - 3.0) - 1.0, 2.0 - abs(hue - 2.0), 2.0 - abs(hue - 4.0)));
}

// Whether a pixel is within about a pixel of a triangle's edge.
fn is_on_edge(grid: vec2<f32>, dx: vec2<f32>, dy: vec2<f32>) -> bool {
    // The third edge is the diagonal from lesser to greater x and z.
    let edges = vec3(grid, grid.x - grid.y);
    let width = abs(vec3(dx, dx.x - dx.y)) + abs(vec3(dy, dy.x - dy.y));
    return any(abs(fract(edges + 0.5) - 0.5) < 0.6 * width);
}

// Applies the debug views.
fn marked(albedo: vec3<f32>, shape: Surface, pixel: Pixel) -> vec3<f32> {
    var out = albedo;
    if (terrain.ground.flags & SHOW_LEVELS) != 0u {
        out = mix(out, level_tint(shape.level), 0.5);
    }
    if (terrain.ground.flags & SHOW_MORPH) != 0u {
        out = mix(out, mix(vec3(0.0, 0.2, 0.8), vec3(0.9, 0.3, 0.0), shape.morph), 0.7);
    }
    if (terrain.ground.flags & SHOW_MESH) != 0u {
        let quad = f32(1u << shape.level) * terrain.morph.spacing;
        out = select(out, vec3(0.01), is_on_edge(shape.grid, pixel.dx.xz / quad, pixel.dy.xz / quad));
    }
    return out;
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
#ifdef TERRAIN_HOLES
    if is_hole(mesh_functions::get_tag(in.instance_index), in.world_position) {
        discard;
    }
#endif
    var pbr = pbr_input_from_standard_material(in, is_front);
    let pixel = pixel_on_plane(in.world_position, pbr.N);
    let slot = mesh_functions::get_tag(in.instance_index);
#ifdef TERRAIN_VOLUME
    var shape: Surface;
    shape.normal = normalize((terrain.terrain_from_world * vec4(pbr.N, 0.0)).xyz);
    shape.level = slot & 0xffu;
    let first_paint = 0u;
    // In caves there is less of the sky. A volume has no other use for this field.
    let light = saturate(in.uv.x);
    shape.morph = light;
#else
    let shape = surface(slot, pixel.position.xz, pixel.width);
    let first_paint = terrain.chunks[slot].paint;
    let light = 1.0;
#endif
    let to_eye = normalize((terrain.terrain_from_world * vec4(pbr.V, 0.0)).xyz);
#ifdef PREPASS_PIPELINE
    let matter = ground(pixel, shape, first_paint, to_eye, vec3(0.0, 1.0, 0.0));
#else
    let sun = (terrain.terrain_from_world * vec4(to_sun(), 0.0)).xyz;
    let matter = ground(pixel, shape, first_paint, to_eye, sun);
#endif
    pbr.material.base_color = vec4(marked(matter.albedo, shape, pixel) * pbr.material.base_color.rgb, 1.0);
    pbr.material.perceptual_roughness = clamp(matter.roughness, 0.2, 1.0);
    pbr.diffuse_occlusion *= light * matter.occlusion;
    pbr.specular_occlusion *= light * matter.occlusion;
    pbr.world_normal = world_normal(shape.normal);
    pbr.N = world_normal(matter.normal);

#ifdef PREPASS_PIPELINE
    return deferred_output(in, pbr);
#else
    // Emission that is exposed like reflected light.
    let bounce = light * matter.occlusion * from_the_ground(pbr.N, pbr.material.base_color.rgb);
    pbr.material.emissive = vec4(pbr.material.emissive.rgb + bounce, 1.0);
    var out: FragmentOutput;
    let left = seen_light(matter.sun, pbr.V) * sunlight(pbr.world_position.xyz);
    out.color = post_lighting(pbr, in_shade(pbr, apply_pbr_lighting(pbr), left));
    return out;
#endif
}
