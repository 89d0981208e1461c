//! Sun, sky, clouds and fog: an optional plugin (feature `sky`).
//!
//! ```no_run
//! # use bevy_noise_terrain_land as bevy_noise_terrain;
//! use bevy::prelude::*;
//! use bevy_noise_terrain::prelude::*;
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, NoiseTerrainPlugin))
//!     .insert_resource(TerrainSky { time: 6.5, cloud_cover: 0.5, ..default() })
//!     .add_systems(Startup, |mut commands: Commands| {
//!         commands.spawn(TerrainSun::default());
//!         commands.spawn((TerrainSkyView::default(), Transform::from_xyz(0.0, 1_500.0, 0.0)));
//!     })
//!     .run();
//! ```
//!
//! * [`TerrainSky`] is a resource with every setting: the time of day, the haze, the clouds.
//! * [`TerrainSun`] is a directional light: the plugin points it along the sunlight and spreads its shadow cascades
//!   over the whole view.
//! * [`TerrainSkyView`] is a camera: the plugin draws the sky behind its scene and updates its fog, ambient light and
//!   exposure.
//! * [`SkyLight`] holds the current sunlight and sky radiance for use by other systems.
//!
//! The plugin changes nothing else and spawns only two children of the camera: the sky, and the clouds as seen from
//! above. Opaque objects are sorted correctly against both; transparent objects above the clouds are covered by them.
//!
//! Clouds shade land, water and scattered objects under them ([`TerrainSky::cloud_shadows`]), but not your own objects.
//! To shade those too, import `bevy_noise_terrain::gpu::cloud_shadow` in their fragment shader and bind the sky buffer of
//! [`TerrainBuffers`](crate::render::TerrainBuffers) at binding 110. Deferred rendering has no cloud shadows.
//!
//! # How it works
//!
//! When the sun has moved, the light scattered by molecules and haze is computed on the CPU for a thousand
//! directions (`scattering`, `radiance`), which takes some milliseconds. Everything else derives from that table:
//! the sky's shader, the ambient light, the colours of the fog. In every direction distant land fades to the colour of
//! the sky just above it, so that no edge shows where the land ends.

mod atmosphere;
mod clouds;
mod deck;
mod dome;
mod drift;
mod fog;
mod lands;
mod light;
mod material;
mod radiance;
mod scattering;
mod settings;
mod sun;
mod uniforms;
mod view;

use deck::CloudDeck;
use dome::SkyDome;
pub use light::TerrainSun;
use material::SkyMaterial;
pub use radiance::{Horizon, SkyRadiance};
pub use settings::{CloudModel, SkyModel, TerrainSky};
pub use sun::sun_direction;
pub use view::{TerrainSkyView, ev100};

use crate::gpu::{self, ATMOSPHERE_STORAGE_BUFFERS, too_few_storage_buffers};
use crate::quality;
use bevy::camera::visibility::VisibilitySystems;
use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;
use bevy::render::renderer::{RenderAdapterInfo, RenderDevice};
use scattering::Medium;

/// The plugin's name in messages.
const SKY_PLUGIN: &str = "TerrainSkyPlugin";

/// Radius of the sun's disc in radians, a little larger than the real one, to be visible on small screens.
const SUN_RADIUS: f32 = 0.006;

/// Draws the sky and lights the scene by the time of day. Optional; see the [module](self). Idle without a
/// [`TerrainSkyView`] or [`TerrainSun`].
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainSkyPlugin;

/// The plugin's systems in [`PostUpdate`], in order, before transforms are propagated.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SkySystems {
    /// Validates changed settings and computes the sky.
    Apply,
    /// Updates suns, cameras and the drawn sky.
    Follow,
}

/// The current light: the settings it comes from, and the sky.
#[derive(Resource, Clone, Debug)]
pub struct SkyLight {
    /// The last settings that were valid.
    pub settings: TerrainSky,
    /// The sky for these settings.
    pub sky: SkyRadiance,
}

impl Default for SkyLight {
    fn default() -> Self {
        let settings = TerrainSky::default();
        let sky = SkyRadiance::new(
            &Medium::new(settings.visibility),
            sun_direction(&settings),
            settings.illuminance,
            settings.cloud_height,
        );
        Self { settings, sky }
    }
}

impl Plugin for TerrainSkyPlugin {
    // Several plugins or the app may add it.
    fn is_unique(&self) -> bool {
        false
    }

    fn build(&self, app: &mut App) {
        if app.world().contains_resource::<SkyLight>() {
            return;
        }
        crate::wind::add(app);
        app.register_type::<TerrainSky>()
            .register_type::<TerrainSun>()
            .register_type::<TerrainSkyView>()
            .init_resource::<TerrainSky>()
            .init_resource::<SkyLight>()
            .init_resource::<drift::CloudDrift>()
            .configure_sets(
                PostUpdate,
                (SkySystems::Apply, SkySystems::Follow).chain().before(TransformSystems::Propagate),
            )
            .add_systems(PostUpdate, apply_settings.in_set(SkySystems::Apply))
            .add_systems(
                PostUpdate,
                (light::update_sun_light, light::update_shadow_cascades, view::update_cameras, drift::advance_clouds)
                    .in_set(SkySystems::Follow),
            );
        if !gpu::finds_renderer(app, SKY_PLUGIN) {
            return;
        }
        gpu::add(app);
        quality::add(app);
        gpu::embed_shaders!(
            app,
            "sky/clouds/cirrus.wesl",
            "sky/clouds/flat.wesl",
            "sky/clouds/pattern.wesl",
            "sky/clouds/volume.wesl",
            "sky/deck.wesl",
            "sky/display.wesl",
            "sky/dome.wesl",
        );
        let materials =
            (MaterialPlugin::<SkyMaterial<SkyDome>>::default(), MaterialPlugin::<SkyMaterial<CloudDeck>>::default());
        app.add_plugins(materials).add_systems(
            PostUpdate,
            (dome::create_assets, dome::spawn_sky_meshes, dome::upload_uniforms, atmosphere::update_atmosphere)
                .chain()
                .after(drift::advance_clouds)
                .in_set(SkySystems::Follow),
        );
        app.add_systems(PostUpdate, dome::hide_from_other_cameras.after(VisibilitySystems::CheckVisibility));
    }

    fn finish(&self, app: &mut App) {
        gpu::error_if_too_early(app, SKY_PLUGIN);
    }
}

/// Validates and applies changed settings.
fn apply_settings(
    settings: Res<TerrainSky>,
    mut light: ResMut<SkyLight>,
    mut medium: Local<Option<(f32, Medium)>>,
    mut commands: Commands,
    adapter: Option<Res<RenderAdapterInfo>>,
    device: Option<Res<RenderDevice>>,
) {
    if !settings.is_changed() {
        return;
    }
    if let Err(error) = settings.validate() {
        crate::settings::reject(&mut commands, None, error);
        return;
    }
    let mut settings = settings.clone();
    if adapter.is_none_or(|adapter| adapter.device_type == wgpu_types::DeviceType::Cpu) {
        // Some software drivers crash in Bevy's atmosphere.
        settings.sky = SkyModel::Analytic;
    }
    if settings.sky == SkyModel::Atmosphere
        && let Some(found) = device.and_then(|device| too_few_storage_buffers(&device, ATMOSPHERE_STORAGE_BUFFERS))
    {
        warn_once!(
            "SkyModel::Atmosphere over terrain needs {ATMOSPHERE_STORAGE_BUFFERS} storage buffers per shader stage, \
             but this device has {found}: the analytic sky is used"
        );
        settings.sky = SkyModel::Analytic;
    }
    if settings == light.settings {
        return;
    }
    let medium = match &mut *medium {
        Some((visibility, medium)) if *visibility == settings.visibility => medium,
        other => &mut other.insert((settings.visibility, Medium::new(settings.visibility))).1,
    };
    light.sky = SkyRadiance::new(medium, sun_direction(&settings), settings.illuminance, settings.cloud_height);
    light.settings = settings;
}
