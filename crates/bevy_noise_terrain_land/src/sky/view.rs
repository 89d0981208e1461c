//! Fog, ambient light and exposure of cameras.

use bevy::camera::visibility::RenderLayers;
use bevy::camera::{Exposure, Hdr};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::ecs::entity::EntityHashMap;
use bevy::light::AmbientLight;
use bevy::pbr::DistanceFog;
use bevy::prelude::*;
use bevy::render::view::{ColorGrading, ColorGradingGlobal, ColorGradingSection};
use bevy::time::Real;

use super::lands::Lands;
use super::light::{TerrainSun, cast};
use super::radiance::{SkyRadiance, luminance};
use super::{SkyLight, SkyModel, TerrainSky, fog};
use crate::viewer::visible_height;

/// A camera with a sky: the plugin draws the sky behind its scene and updates the components below by the time of day.
///
/// It requires a [`Camera3d`] with a [`Tonemapping`] and [`ColorGrading`] that suit daylight; insert your own to choose
/// others. It requires [`Hdr`] too, because Bevy grades the contrast of HDR cameras only; without it (remove it after
/// spawning) pictures are flatter.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
#[require(Camera3d, Hdr, Tonemapping = Tonemapping::AgX, ColorGrading = daylight())]
pub struct TerrainSkyView {
    /// Draw the sky, as children of the camera. An orthographic camera sees no clouds: it looks in one direction only.
    pub sky: bool,
    /// Insert and update a [`DistanceFog`]. An orthographic camera, as of a map, has none.
    pub fog: bool,
    /// Insert and update an [`AmbientLight`]: the light of the sky and of its clouds, 2.2 times as bright as they are, because
    /// Bevy's ambient light comes back from matt surfaces with 45 % of its strength.
    pub ambient: bool,
    /// Insert and update an [`Exposure`]; with Bevy's default exposure, noon is far too bright.
    pub exposure: bool,
}

impl Default for TerrainSkyView {
    fn default() -> Self {
        Self { sky: true, fog: true, ambient: true, exposure: true }
    }
}

/// A look for AgX, whose own is flat and desaturates bright skies: more contrast about middle grey, and more colour.
fn daylight() -> ColorGrading {
    /// Exponent of the light. Chosen by eye; from 1.35 on, shade under trees turns black.
    const CONTRAST: f32 = 1.2;
    const MIDDLE_GREY: f32 = 0.18;
    let section =
        ColorGradingSection { gamma: 1.0 / CONTRAST, gain: MIDDLE_GREY.powf(1.0 / CONTRAST - 1.0), ..default() };
    ColorGrading::with_identical_sections(ColorGradingGlobal { post_saturation: 1.2, ..default() }, section)
}

/// What a matt surface reflects of Bevy's ambient light, as a fraction of its albedo: `ambient_light` in `bevy_pbr` scales the
/// diffuse colour by the approximate reflectance of a mirror of roughness 1.
const MATT: f32 = 0.45;

/// The exposure value (EV 100) for a camera.
///
/// At noon level ground of middle brightness becomes middle grey; `adaptation` sets how far exposure follows when it
/// grows dark. The horizon counts too: towards a low sun it is far brighter than the ground.
pub fn ev100(settings: &TerrainSky, sky: &SkyRadiance) -> f32 {
    /// Light of a clear noon, in lux.
    const NOON: f32 = 120_000.0;
    /// The noon light in lux that would be exposed correctly at EV 0.
    const FULL: f32 = 13.0;
    let ring = sky.horizon.base + 0.25 * sky.horizon.glow;
    let lux = luminance(sky.sunlight) * sky.sun.y.max(0.15) + luminance(sky.ambient + ring) * std::f32::consts::PI;
    let stops = (lux.max(1e-3) / NOON).log2();
    (NOON / FULL).log2() + settings.adaptation * stops - settings.exposure
}

/// The inputs of a camera's current fog.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FogState {
    /// Metres above the land, smoothed over time.
    altitude: f32,
    /// Whether there was any land.
    has_land: bool,
    /// Whether there is a sun, and the altitude that the fog was made for.
    inputs: (bool, f32),
}

impl FogState {
    /// Time constant of the smoothing in seconds: haze must not jump when a cliff passes beneath.
    const EASE: f32 = 0.4;

    /// The smoothed altitude `seconds` later.
    fn eased(last: Option<&Self>, altitude: f32, has_land: bool, seconds: f32) -> f32 {
        match last {
            Some(last) if last.has_land == has_land => {
                last.altitude + (altitude - last.altitude) * (1.0 - (-seconds / Self::EASE).exp())
            }
            _ => altitude,
        }
    }

    /// Whether the current fog is still close enough for these inputs.
    fn still_fits(&self, inputs: (bool, f32)) -> bool {
        self.inputs.0 == inputs.0 && (self.inputs.1 / inputs.1 - 1.0).abs() < 0.005
    }
}

type Camera = (
    Entity,
    Ref<'static, TerrainSkyView>,
    &'static GlobalTransform,
    Option<&'static Projection>,
    Option<&'static Exposure>,
    Option<&'static RenderLayers>,
);

/// Updates fog, ambient light and exposure.
pub(super) fn update_cameras(
    light: Res<SkyLight>,
    suns: Query<(), With<TerrainSun>>,
    lands: Lands,
    time: Res<Time<Real>>,
    mut fogs: Local<EntityHashMap<FogState>>,
    mut commands: Commands,
    cameras: Query<Camera>,
) {
    let sky = &light.sky;
    fogs.retain(|camera, _| cameras.contains(*camera));
    for (entity, view, transform, projection, exposure, layers) in &cameras {
        let stale = light.is_changed() || view.is_changed();
        let mut camera = commands.entity(entity);
        if stale && view.ambient {
            let ambient = sky.ambient_under(light.settings.cloud_cover).max(Vec3::splat(1e-9));
            let brightest = ambient.max_element();
            let color = ambient / brightest;
            camera.insert(AmbientLight {
                color: Color::linear_rgb(color.x, color.y, color.z),
                brightness: brightest / MATT,
                ..default()
            });
        }
        let wanted = Exposure { ev100: ev100(&light.settings, sky) };
        if stale && view.exposure {
            camera.insert(wanted);
        }
        let is_parallel = projection.is_some_and(|lens| visible_height(lens).is_some());
        if !view.fog || is_parallel || light.settings.sky != SkyModel::Analytic {
            if fogs.remove(&entity).is_some() && is_parallel {
                camera.remove::<DistanceFog>();
            }
            continue;
        }
        // A camera without layers is on Bevy's default one.
        let above_land = lands.altitude(entity, Some(layers.unwrap_or_default()));
        let target = above_land.unwrap_or_else(|| transform.translation().y.abs()).max(2.0);
        let last = fogs.get(&entity);
        let altitude = FogState::eased(last, target, above_land.is_some(), time.delta_secs());
        let inputs = (!suns.is_empty(), altitude);
        let unchanged = !stale && last.is_some_and(|last| last.still_fits(inputs));
        if !unchanged {
            let exposure = if view.exposure { wanted } else { exposure.copied().unwrap_or_default() }.exposure();
            camera.insert(distance_fog(&light, exposure, inputs.0, altitude));
        }
        let inputs = last.filter(|_| unchanged).map_or(inputs, |last| last.inputs);
        fogs.insert(entity, FogState { altitude, has_land: above_land.is_some(), inputs });
    }
}

/// The fog of a camera.
fn distance_fog(light: &SkyLight, exposure: f32, has_sun: bool, altitude: f32) -> DistanceFog {
    let horizon = light.sky.horizon;
    let base = horizon.base * exposure;
    // Bevy multiplies this by the light and by the exposure.
    let glow = if has_sun { horizon.glow / cast(light).max(Vec3::splat(1e-9)) } else { Vec3::ZERO };
    DistanceFog {
        color: Color::linear_rgb(base.x, base.y, base.z),
        directional_light_color: Color::linear_rgb(glow.x, glow.y, glow.z),
        directional_light_exponent: horizon.exponent,
        falloff: fog::falloff(&light.settings, altitude),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sky::scattering::Medium;
    use crate::sky::sun_direction;

    fn light(time: f32) -> SkyLight {
        let settings = TerrainSky { time, ..default() };
        let sky = SkyRadiance::new(
            &Medium::new(settings.visibility),
            sun_direction(&settings),
            settings.illuminance,
            settings.cloud_height,
        );
        SkyLight { settings, sky }
    }

    #[test]
    fn the_fog_draws_the_horizon() {
        for time in [5.0, 6.0, 12.0] {
            let light = light(time);
            let exposure = Exposure { ev100: ev100(&light.settings, &light.sky) }.exposure();
            let fog = distance_fog(&light, exposure, true, 2.0);
            let direction = Vec3::new(light.sky.sun.x, 0.0, light.sky.sun.z).normalize();
            // As Bevy's shader computes it.
            let glow = fog.directional_light_color.to_linear();
            let scattering = direction.dot(light.sky.sun).max(0.0).powf(fog.directional_light_exponent)
                * cast(&light)
                * exposure
                * Vec3::new(glow.red, glow.green, glow.blue)
                * glow.alpha;
            let base = fog.color.to_linear();
            let drawn = (Vec3::new(base.red, base.green, base.blue) + scattering) / exposure;
            let wanted = light.sky.horizon.color(direction, light.sky.sun);
            assert!((drawn / wanted - 1.0).abs().max_element() < 1e-3, "{time} h: {drawn} against {wanted}");
        }
    }

    #[test]
    fn contrast_leaves_middle_grey_as_it_is() {
        let section = daylight().midtones;
        // As Bevy's shader computes it.
        let graded = |light: f32| (light * section.gain + section.lift).powf(1.0 / section.gamma);
        assert!((graded(0.18) - 0.18).abs() < 1e-4, "{}", graded(0.18));
        assert!(graded(0.36) > 1.1 * 0.36 && graded(0.09) < 0.9 * 0.09);
    }

    #[test]
    fn haze_follows_the_land_beneath_without_a_jump() {
        let inputs = (true, 60.0);
        let high = FogState { altitude: 60.0, has_land: true, inputs };
        // A cliff: what was 60 m beneath is 900 m beneath now.
        let next = FogState::eased(Some(&high), 900.0, true, 1.0 / 60.0);
        assert!((61.0..150.0).contains(&next), "{next}");
        let mut last = high;
        for _ in 0..180 {
            last.altitude = FogState::eased(Some(&last), 900.0, true, 1.0 / 60.0);
        }
        assert!((last.altitude - 900.0).abs() < 10.0, "{last:?}");
        // The first terrain to appear is taken as it is.
        assert_eq!(FogState::eased(Some(&FogState { has_land: false, ..high }), 900.0, true, 1.0 / 60.0), 900.0);
        assert!(high.still_fits((true, 60.1)) && !high.still_fits((true, 62.0)) && !high.still_fits((false, 60.0)));
    }

    #[test]
    fn dark_hours_are_exposed_longer_but_stay_dark() {
        let [noon, dusk, night] = [12.0, 19.3, 0.0].map(|time| {
            let light = light(time);
            let ev = ev100(&light.settings, &light.sky);
            (ev, light.sky.illuminance() * Exposure { ev100: ev }.exposure())
        });
        assert!((12.0..14.5).contains(&noon.0), "{noon:?}");
        assert!(noon.0 > dusk.0 && dusk.0 > night.0);
        assert!(noon.1 > dusk.1 && dusk.1 > night.1, "{noon:?} {dusk:?} {night:?}");
    }
}
