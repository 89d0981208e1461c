//! What cameras see of the air.

use bevy::camera::Exposure;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::system::SystemParam;
use bevy::light::AmbientLight;
use bevy::pbr::DistanceFog;
use bevy::prelude::*;
use bevy::render::view::{ColorGrading, ColorGradingGlobal};
use bevy::time::Real;

use super::light::{TerrainSun, cast};
use super::radiance::{SkyRadiance, luminance};
use super::{SkyLight, SkyModel, TerrainSky, fog};
use crate::streaming::TerrainState;
use crate::viewer::TerrainViewers;

/// A camera in the open air: the plugin draws the sky behind what it sees and keeps these components of it in step
/// with the hour.
///
/// It brings along a [`Camera3d`] with the [`Tonemapping`] and [`ColorGrading`] that daylight looks best with; spawn
/// your own beside it to choose others.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
#[require(Camera3d, Tonemapping = Tonemapping::AgX, ColorGrading = vivid())]
pub struct TerrainSkyView {
    /// Draw the sky: a child of the camera.
    pub sky: bool,
    /// Keep a [`DistanceFog`].
    pub fog: bool,
    /// Keep an [`AmbientLight`].
    pub ambient: bool,
    /// Keep an [`Exposure`]; without one, the default exposure sees a noon that is far too bright.
    pub exposure: bool,
}

impl Default for TerrainSkyView {
    fn default() -> Self {
        Self { sky: true, fog: true, ambient: true, exposure: true }
    }
}

/// AgX takes colour out of bright skies; some of it is given back.
fn vivid() -> ColorGrading {
    ColorGrading { global: ColorGradingGlobal { post_saturation: 1.2, ..default() }, ..default() }
}

/// Where the land ends.
#[derive(SystemParam)]
pub struct Edge<'w, 's> {
    terrains: Query<'w, 's, &'static TerrainState>,
}

impl Edge<'_, '_> {
    /// Metres to the end of the land that ends first, if there is any.
    pub fn distance(&self) -> Option<f32> {
        // What is on screen counts, not what the settings ask for: they may have been refused.
        let edges = self.terrains.iter().filter_map(|terrain| Some(terrain.reach()? as f32));
        edges.reduce(f32::min).filter(|edge| *edge > 0.0)
    }
}

/// What a camera should be exposed for, as EV 100.
///
/// At noon level ground of middle brightness gets middle grey; `adaptation` says how far the eye follows when it
/// grows dark. The horizon counts too: towards a low sun it is far brighter than the ground.
pub fn ev100(settings: &TerrainSky, sky: &SkyRadiance) -> f32 {
    /// Light of a clear noon, in lux.
    const NOON: f32 = 120_000.0;
    /// Lux that fill the exposure at EV 0 as noon does at its own.
    const FULL: f32 = 13.0;
    let ring = sky.horizon.base + 0.25 * sky.horizon.glow;
    let lux = luminance(sky.sunlight) * sky.sun.y.max(0.15) + luminance(sky.ambient + ring) * std::f32::consts::PI;
    let stops = (lux.max(1e-3) / NOON).log2();
    (NOON / FULL).log2() + settings.adaptation * stops - settings.exposure
}

/// What a camera's fog was last made for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Seen {
    /// Metres over the land, eased.
    altitude: f32,
    /// Was there any land?
    has_land: bool,
    /// Is there a sun, and the altitude that the fog has.
    told: (bool, f32),
}

impl Seen {
    /// Seconds in which most of a change of altitude is seen: haze must not jump when a cliff passes beneath.
    const EASE: f32 = 0.4;

    /// The altitude after `seconds` more.
    fn eased(last: Option<&Self>, altitude: f32, has_land: bool, seconds: f32) -> f32 {
        match last {
            Some(last) if last.has_land == has_land => {
                last.altitude + (altitude - last.altitude) * (1.0 - (-seconds / Self::EASE).exp())
            }
            _ => altitude,
        }
    }

    /// Is the fog that was made for `told` still right?
    fn holds(&self, told: (bool, f32)) -> bool {
        self.told.0 == told.0 && (self.told.1 / told.1 - 1.0).abs() < 0.005
    }
}

/// Keeps fog, ambient light and exposure in step.
pub(super) fn update_cameras(
    light: Res<SkyLight>,
    suns: Query<(), With<TerrainSun>>,
    terrains: Query<&TerrainViewers>,
    time: Res<Time<Real>>,
    mut seen: Local<EntityHashMap<Seen>>,
    mut commands: Commands,
    cameras: Query<(Entity, Ref<TerrainSkyView>, &GlobalTransform, Option<&Exposure>)>,
) {
    let sky = &light.sky;
    seen.retain(|camera, _| cameras.contains(*camera));
    for (entity, view, transform, exposure) in &cameras {
        let stale = light.is_changed() || view.is_changed();
        let mut camera = commands.entity(entity);
        if stale && view.ambient {
            let ambient = sky.ambient.max(Vec3::splat(1e-9));
            let brightest = ambient.max_element();
            let color = ambient / brightest;
            camera.insert(AmbientLight {
                color: Color::linear_rgb(color.x, color.y, color.z),
                brightness: brightest,
                ..default()
            });
        }
        let wanted = Exposure { ev100: ev100(&light.settings, sky) };
        if stale && view.exposure {
            camera.insert(wanted);
        }
        if !view.fog || light.settings.sky != SkyModel::Analytic {
            seen.remove(&entity);
            continue;
        }
        let least = terrains.iter().map(|viewers| viewers.least_height() as f32).fold(f32::INFINITY, f32::min);
        let target = least.min(transform.translation().y.abs()).max(2.0);
        let last = seen.get(&entity);
        let altitude = Seen::eased(last, target, least.is_finite(), time.delta_secs());
        let told = (!suns.is_empty(), altitude);
        let keeps = !stale && last.is_some_and(|last| last.holds(told));
        if !keeps {
            let exposure = if view.exposure { wanted } else { exposure.copied().unwrap_or_default() }.exposure();
            camera.insert(distance_fog(&light, exposure, told.0, altitude));
        }
        let told = last.filter(|_| keeps).map_or(told, |last| last.told);
        seen.insert(entity, Seen { altitude, has_land: least.is_finite(), told });
    }
}

/// The fog of a camera.
fn distance_fog(light: &SkyLight, exposure: f32, has_sun: bool, altitude: f32) -> DistanceFog {
    let horizon = light.sky.horizon;
    let base = horizon.base * exposure;
    // Bevy multiplies it with the light, and with the exposure.
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
            // As the shader does it.
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
    fn haze_follows_the_land_beneath_without_a_jump() {
        let told = (true, 60.0);
        let high = Seen { altitude: 60.0, has_land: true, told };
        // A cliff: what was 60 m beneath is 900 m beneath now.
        let next = Seen::eased(Some(&high), 900.0, true, 1.0 / 60.0);
        assert!((61.0..150.0).contains(&next), "{next}");
        let mut last = high;
        for _ in 0..180 {
            last.altitude = Seen::eased(Some(&last), 900.0, true, 1.0 / 60.0);
        }
        assert!((last.altitude - 900.0).abs() < 10.0, "{last:?}");
        // The first land is no motion.
        assert_eq!(Seen::eased(Some(&Seen { has_land: false, ..high }), 900.0, true, 1.0 / 60.0), 900.0);
        assert!(high.holds((true, 60.1)) && !high.holds((true, 62.0)) && !high.holds((false, 60.0)));
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
