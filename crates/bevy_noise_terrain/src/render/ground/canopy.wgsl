// Woods, bushes and rocks from afar: beyond the last one that is drawn, they are a part of the ground's colour.
#define_import_path bevy_noise_terrain::canopy

#import bevy_noise_terrain::{
    bindings::{Canopy, terrain},
    climate::{Climate, within},
    layers::mean_color,
    morph::viewer_distance,
    patches::{cover_at, ramp},
    wood_light::sideways,
}

// Objects that are drawn become wider as others disappear, up to this share of crowns: see `widened` in scatter.wgsl.
const WIDENED: f32 = 2.56;
// Rocks take the colour of ground whose slope has this sine: `CLIFF` in scatter/draw/pages/layer.rs.
const CLIFF: f32 = 0.85;

// Fraction of a kind's objects that stand at a place: `Rule::chance` in scatter/placement/rule.rs. `slope` is the squared
// tangent.
fn growth(canopy: Canopy, position: vec3<f32>, climate: Climate, slope: f32, pixel: f32) -> f32 {
    let inside = min(position.y - canopy.height.x, canopy.height.y - position.y);
    let steep = ramp(canopy.slope.y, 0.6 * canopy.slope.y, slope);
    let gentle = select(1.0, ramp(canopy.slope.x, 1.5 * canopy.slope.x, slope), canopy.slope.x > 0.0);
    let grown = saturate(inside * canopy.height.z) * steep * gentle
        * within(canopy.moisture, climate.moisture) * within(canopy.temperature, climate.temperature);
    if grown == 0.0 {
        return grown;
    }
    return grown * cover_at(canopy.patches, position.xz, pixel);
}

struct Woods {
    // Of the crowns.
    color: vec3<f32>,
    // The share of the ground that they hide from the eye.
    hidden: f32,
    // The share of the sunlight that comes through them to the ground, and that falls on what one sees of them.
    below: f32,
    above: f32,
}

// Woods at a place. `to_eye` and `to_sun` are the directions to them.
fn woods(
    position: vec3<f32>,
    climate: Climate,
    normal: vec3<f32>,
    curvature: f32,
    to_eye: vec3<f32>,
    to_sun: vec3<f32>,
    pixel: f32,
) -> Woods {
    var color = vec3(0.0);
    var area = 0.0;
    // Area of what has the colour of steep ground.
    var rocky = 0.0;
    // Area of what casts shade, as the sun sees it.
    var shade = 0.0;
    let distance = viewer_distance(position.xz);
    let slope = 1.0 / max(normal.y * normal.y, 1e-3) - 1.0;
    let seen = sideways(to_eye);
    let lit = sideways(to_sun);
    for (var index = 0u; index < terrain.canopy.count; index++) {
        let canopy = terrain.canopy.canopies[index];
        let left = saturate((1.0 - distance / canopy.reach) / canopy.spread);
        let lacking = 1.0 - min(WIDENED * left, 1.0);
        // Nearer ones are in shadow maps.
        let shading = ramp(canopy.slope.z, canopy.slope.w, distance);
        if lacking > 0.0 || shading > 0.0 {
            let grown = growth(canopy, position, climate, slope, pixel);
            let crowns = lacking * grown * (canopy.top + seen * canopy.side);
            let own = crowns * (1.0 - canopy.ground_color);
            color += own * canopy.color;
            area += crowns;
            rocky += crowns - own;
            shade += shading * grown * canopy.height.w * (canopy.top + lit * canopy.side);
        }
    }
    var out = Woods(vec3(0.0), 0.0, 1.0, 1.0);
    if shade > 1e-3 {
        out.below = exp(-shade);
        out.above = (1.0 - out.below) / shade;
    }
    if area == 0.0 {
        return out;
    }
    // Stands of other age and light.
    color *= exp2(0.5 * climate.rough + 0.25 * climate.wide);
    if rocky > 0.0 {
        color += rocky * mean_color(position, climate, CLIFF, curvature, pixel);
    }
    out.color = color / area;
    out.hidden = 1.0 - exp(-area);
    return out;
}
