//! The sun as a light.

use bevy::camera::visibility::RenderLayers;
use bevy::light::{CascadeShadowConfig, CascadeShadowConfigBuilder};
use bevy::prelude::*;

use super::lands::Lands;
use super::{SkyLight, SkyModel};

/// A sun: the plugin sets the direction, colour and illuminance of its light by the time of day.
///
/// It requires a [`DirectionalLight`], by default one that casts shadows; insert your own for one that does not.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Default)]
#[require(DirectionalLight = shadowing_light())]
pub struct TerrainSun {
    /// Keep the light's [`CascadeShadowConfig`] updated so that shadows cover the whole view. Shadows are cast if
    /// [`DirectionalLight::shadow_maps_enabled`] is set.
    pub cascades: bool,
    /// The greatest distance at which shadows are drawn, in metres, at least 1 000; they end at the land's edge at the latest.
    /// For less, switch `cascades` off and give the light a [`CascadeShadowConfig`] of your own.
    pub shadow_distance: f32,
}

impl Default for TerrainSun {
    fn default() -> Self {
        Self { cascades: true, shadow_distance: 40_000.0 }
    }
}

/// A light whose shadow maps may span kilometres: with these biases, land under a low sun shows no shadow acne.
fn shadowing_light() -> DirectionalLight {
    DirectionalLight { shadow_maps_enabled: true, shadow_depth_bias: 0.04, shadow_normal_bias: 2.2, ..default() }
}

/// The colour (its largest channel is 1) and illuminance of a light of `lux` per channel.
///
/// After sunset a trace of light remains, because the glow of the fog is multiplied by the light.
fn light_color(lux: Vec3, ambient: Vec3) -> (Color, f32) {
    let lux = lux.max(ambient * 0.002);
    let brightest = lux.max_element().max(1e-6);
    let color = lux / brightest;
    (Color::linear_rgb(color.x, color.y, color.z), brightest)
}

/// Sunlight as the light casts it, in lux: never quite zero.
pub fn cast(light: &SkyLight) -> Vec3 {
    let (color, illuminance) = light_color(light.sky.sunlight, light.sky.ambient);
    let color = color.to_linear();
    Vec3::new(color.red, color.green, color.blue) * illuminance
}

/// Sets the direction, colour and illuminance of suns.
pub(super) fn update_sun_light(
    light: Res<SkyLight>,
    mut suns: Query<(Ref<TerrainSun>, &mut DirectionalLight, &mut Transform)>,
) {
    for (sun, mut directional, mut transform) in &mut suns {
        if !light.is_changed() && !sun.is_added() {
            continue;
        }
        (directional.color, directional.illuminance) = match light.settings.sky {
            SkyModel::Analytic => light_color(light.sky.sunlight, light.sky.ambient),
            // Bevy's atmosphere dims and colours the light itself.
            SkyModel::Atmosphere => (Color::WHITE, light.settings.illuminance),
        };
        let up = if light.sky.sun.y.abs() > 0.99 { Vec3::X } else { Vec3::Y };
        transform.rotation = Transform::default().looking_to(-light.sky.sun, up).rotation;
    }
}

/// Far bounds of the first and the last cascade, for cameras at least `clear` metres from any ground.
fn bounds(clear: f32, reach: f32) -> (f32, f32) {
    // The first cascade covers everything nearer than the ground; the others divide the rest.
    // Not `clamp`: for small lands the upper bound is less than the lower, and `clamp` would panic.
    let first = clear.max(120.0).min(0.2 * reach);
    (first, reach)
}

/// Updates the cascades so that they cover the whole view.
pub(super) fn update_shadow_cascades(
    lands: Lands,
    cameras: Query<(Entity, &Camera, Option<&RenderLayers>), With<Camera3d>>,
    mut commands: Commands,
    suns: Query<(Entity, &TerrainSun, Option<&CascadeShadowConfig>), With<DirectionalLight>>,
) {
    // Of the camera that is nearest to the ground: a light has the same cascades for all.
    let active = cameras.iter().filter(|(_, camera, _)| camera.is_active);
    let altitudes = active.filter_map(|(camera, _, layers)| lands.altitude(camera, Some(layers.unwrap_or_default())));
    let clear = altitudes.reduce(f32::min);
    for (entity, sun, config) in suns.iter().filter(|(_, sun, _)| sun.cascades) {
        let reach = lands.edge(None).unwrap_or(f32::INFINITY).min(sun.shadow_distance.max(1_000.0));
        let (first, reach) = bounds(0.8 * clear.unwrap_or(0.0), reach);
        // Only larger changes are applied: shadows shift a little whenever the bounds change.
        let close = |have: f32, want: f32| (have / want - 1.0).abs() < 0.1;
        let unchanged = config.is_some_and(|config| {
            config.bounds.len() == 4
                && config.bounds.first().is_some_and(|&bound| close(bound, first))
                && config.bounds.last().is_some_and(|&bound| close(bound, reach))
        });
        if !unchanged {
            let builder = CascadeShadowConfigBuilder {
                num_cascades: 4,
                minimum_distance: 0.1,
                first_cascade_far_bound: first,
                maximum_distance: reach,
                overlap_proportion: 0.15,
            };
            commands.entity(entity).insert(builder.build());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_light_keeps_its_lux() {
        let (color, illuminance) = light_color(Vec3::new(50_000.0, 40_000.0, 20_000.0), Vec3::splat(100.0));
        assert_eq!(illuminance, 50_000.0);
        assert!((color.to_linear().blue - 0.4).abs() < 1e-6);
        let (_, night) = light_color(Vec3::ZERO, Vec3::splat(100.0));
        assert!(night > 0.0 && night < 1.0);
    }

    #[test]
    fn cascades_reach_as_far_as_the_land_and_begin_where_it_does() {
        assert_eq!(bounds(0.0, 30_000.0), (120.0, 30_000.0));
        assert_eq!(bounds(4_000.0, 30_000.0), (4_000.0, 30_000.0));
        assert_eq!(bounds(90_000.0, 30_000.0), (6_000.0, 30_000.0));
    }
}
