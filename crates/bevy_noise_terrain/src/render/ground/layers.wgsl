// Where each layer lies, and how its colour varies.
#define_import_path bevy_noise_terrain::layers

#import bevy_noise_terrain::{
    bindings::{Layer, terrain},
    climate::{Climate, within},
    noise::{plane_parts, scattered, unit},
    patches::cover_at,
}

// Fraction of the ground that a layer covers.
fn coverage(index: u32, position: vec3<f32>, climate: Climate, steepness: f32, curvature: f32, pixel: f32) -> f32 {
    let layer = terrain.ground.layers[index];
    let covered = within(layer.height, position.y)
        * within(layer.slope, steepness + 0.06 * climate.rough)
        * within(layer.curvature, curvature)
        * within(layer.moisture, climate.moisture)
        * within(layer.temperature, climate.temperature);
    // `moisture.w` tells whether there are patches: most layers have none.
    if covered == 0.0 || layer.moisture.w == 0.0 {
        return covered;
    }
    return covered * cover_at(terrain.ground.layer_patches[index], position.xz, pixel);
}

// What a layer's colour is multiplied with: no two meadows have exactly the same green, and no two beds of rock the same
// red. `rise` is how much of the height a pixel covers, in metres.
fn layer_tint(layer: Layer, height: f32, climate: Climate, rise: f32) -> vec3<f32> {
    let variation = layer.height.w;
    var light = variation * (0.22 * climate.wide + 0.32 * climate.rough);
    var warm = variation * (0.30 * climate.warm - 0.14 * climate.wide);
    let strata = layer.slope.w;
    if strata > 0.0 {
        // Beds are not quite level.
        let level = height * layer.curvature.w + 0.8 * climate.wide + 0.12 * climate.rough;
        let thin = beds(3.7 * level, 3.7 * rise * layer.curvature.w);
        let thick = beds(level, rise * layer.curvature.w);
        light += strata * (0.55 * thick.x + 0.3 * thin.x);
        warm += strata * (0.45 * thick.y + 0.15 * thin.y);
    }
    return exp2(light + warm * vec3(1.0, 0.1, -1.0));
}

// The mean colour of all layers, without textures.
fn mean_color(position: vec3<f32>, climate: Climate, steepness: f32, curvature: f32, pixel: f32) -> vec3<f32> {
    var color = vec3(0.0);
    let count = terrain.ground.layer_count;
    var left = 1.0;
    for (var above = 0u; above < count && left > 0.0; above++) {
        let index = count - 1u - above;
        var share = left;
        if index > 0u {
            share *= coverage(index, position, climate, steepness, curvature, pixel);
        }
        if share > 0.0 {
            let layer = terrain.ground.layers[index];
            color += share * layer.color.rgb * layer_tint(layer, position.y, climate, pixel);
        }
        left -= share;
    }
    return color;
}

// Two random numbers of a bed, in [−1, 1].
fn bed_numbers(index: u32) -> vec2<f32> {
    let seeds = vec2(0u);
    return vec2(unit(scattered(plane_parts(seeds, index, 1u))), unit(scattered(plane_parts(seeds, index, 2u))));
}

// Two numbers in [−1, 1] for each bed, with short changes between beds; they fade where beds are less than a few pixels thick.
// Heights are in thicknesses of a bed.
fn beds(height: f32, rise: f32) -> vec2<f32> {
    let fade = saturate(1.5 - 2.0 * rise);
    if fade == 0.0 {
        return vec2(0.0);
    }
    let bed = floor(height);
    let index = bitcast<u32>(i32(bed));
    let share = smoothstep(0.5 - max(rise, 0.12), 0.5 + max(rise, 0.12), height - bed);
    return fade * mix(bed_numbers(index), bed_numbers(index + 1u), share);
}
