//! Sun, sky, clouds and air, for those who want them from here: an optional plugin (feature `sky`).
//!
//! ```no_run
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
//! * [`TerrainSky`] is a resource with every setting: the hour, the haze, the clouds.
//! * [`TerrainSun`] is a directional light: it is kept where the sun stands, and its shadow cascades over the whole view.
//! * [`TerrainSkyView`] is a camera: the sky is drawn behind what it sees, and it keeps its fog, ambient light and exposure.
//! * [`SkyLight`] holds the light of the hour, for whatever else wants it.
//!
//! Nothing else is touched, and nothing is spawned but two children of the camera: the sky, and the clouds as seen from
//! above. Opaque things stand before and behind those as they should; transparent things that fly above the clouds are
//! covered by them.
//!
//! Clouds take sunlight from land, water and scattered objects under them ([`TerrainSky::cloud_shadows`]). Your own things stay
//! lit: a fragment shader of yours that imports `bevy_noise_terrain::cloud_shadow` dims them as well, with the sky of
//! [`TerrainBuffers`](crate::render::TerrainBuffers) at binding 110. Deferred rendering leaves these shadows out.
//!
//! # How it works
//!
//! When the sun has moved, the light scattered by molecules, haze and ozone is summed up on the CPU for a thousand
//! directions ([`SkyRadiance`]): some milliseconds. Everything else follows from that table: what the
//! sky's shader draws, the ambient light, the colours of the fog. The far land takes on the colour that the sky has just
//! above it, in every direction, so that the horizon lies in air wherever the land ends.

mod atmosphere;
mod clouds;
mod deck;
mod dome;
mod drift;
mod fog;
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
pub use settings::{SkyModel, TerrainSky};
pub use sun::sun_direction;
pub use view::{TerrainSkyView, ev100};

use crate::gpu::{self, ATMOSPHERE_STORAGE_BUFFERS, too_few_storage_buffers};
use bevy::asset::embedded_asset;
use bevy::camera::visibility::VisibilitySystems;
use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;
use bevy::render::renderer::{RenderAdapterInfo, RenderDevice};
use bevy::shader::load_shader_library;
use scattering::Medium;

/// Its name in messages.
const SKY_PLUGIN: &str = "TerrainSkyPlugin";

/// Radius of the sun's disc in radians, a little more than nature's, to be seen on small screens.
const SUN_RADIUS: f32 = 0.006;

/// Draws and lights by the hour. Optional; see the [module](self). Idle without cameras and lights that ask for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainSkyPlugin;

/// The stages of the air's frame, in [`PostUpdate`], before transforms are propagated.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SkySystems {
    /// Changed settings are taken over or refused; the sky is summed up.
    Apply,
    /// Suns, cameras and the sky follow.
    Follow,
}

/// The light of the hour: the settings it comes from, and the sky.
#[derive(Resource, Clone, Debug)]
pub struct SkyLight {
    /// The last settings that were valid.
    pub settings: TerrainSky,
    /// The sky they make.
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
    // `NoiseTerrainPlugin` brings it along, and an app may well name it too.
    fn is_unique(&self) -> bool {
        false
    }

    fn build(&self, app: &mut App) {
        if app.world().contains_resource::<SkyLight>() {
            return;
        }
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
        load_shader_library!(app, "sky/clouds.wgsl");
        load_shader_library!(app, "sky/display.wgsl");
        embedded_asset!(app, "sky/dome.wgsl");
        embedded_asset!(app, "sky/deck.wgsl");
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
        gpu::tell_if_too_early(app, SKY_PLUGIN);
    }
}

/// Takes changed settings over.
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
        // Some software drivers crash in it.
        settings.sky = SkyModel::Analytic;
    }
    if settings.sky == SkyModel::Atmosphere
        && let Some(found) = device.and_then(|device| too_few_storage_buffers(&device, ATMOSPHERE_STORAGE_BUFFERS))
    {
        warn_once!(
            "SkyModel::Atmosphere over terrain needs {ATMOSPHERE_STORAGE_BUFFERS} storage buffers a shader stage, and \
             this device has {found}: the analytic sky stays"
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
