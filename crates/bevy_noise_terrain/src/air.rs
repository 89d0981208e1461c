//! Sun, sky, clouds and air, for those who want them from here: an optional plugin (feature `render`).
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_noise_terrain::prelude::*;
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, NoiseTerrainPlugin, TerrainAirPlugin))
//!     .insert_resource(Air { time: 6.5, cloud_cover: 0.5, ..default() })
//!     .add_systems(Startup, |mut commands: Commands| {
//!         commands.spawn(Sun::default());
//!         commands.spawn((AirView::default(), Transform::from_xyz(0.0, 1_500.0, 0.0)));
//!     })
//!     .run();
//! ```
//!
//! * [`Air`] is a resource with every setting: the hour, the haze, the clouds.
//! * [`Sun`] is a directional light: it is kept where the sun stands, and its shadow cascades over the whole view.
//! * [`AirView`] is a camera: the sky is drawn behind what it sees, and it keeps its fog, ambient light and exposure.
//! * [`AirLight`] holds the light of the hour, for whatever else wants it.
//!
//! Nothing else is touched, and nothing is spawned but two children of the camera: the sky, and the clouds as seen from
//! above. Opaque things stand before and behind those as they should; transparent things that fly above the clouds are
//! covered by them.
//!
//! Clouds take sunlight from land, water and scattered objects under them ([`Air::cloud_shadows`]). Your own things stay
//! lit: a fragment shader of yours that imports `bevy_noise_terrain::cloud_shadow` dims them as well, with the sky of
//! [`TerrainBuffers`](crate::render::TerrainBuffers) at binding 110. Deferred rendering leaves these shadows out.
//!
//! # How it works
//!
//! When the sun has moved, the light scattered by molecules, haze and ozone is summed up on the CPU for a thousand
//! directions ([`scatter`], [`sky`]): some milliseconds. Everything else follows from that table: what the
//! sky's shader draws, the ambient light, the colours of the fog. The far land takes on the colour that the sky has just
//! above it, in every direction, so that the horizon lies in air wherever the land ends.

pub mod scatter;
pub mod sky;

mod atmosphere;
mod clouds;
mod deck;
mod dome;
mod drift;
mod fog;
mod frame;
mod light;
mod part;
mod settings;
mod sun;
mod view;

pub use deck::CloudDeck;
pub use dome::SkyDome;
pub(crate) use frame::{SKY_BYTES, SkyBuffer};
pub use light::Sun;
pub use part::{SkyMaterial, SkyPart};
pub use settings::{Air, AirError, AirRejected, AirSky};
pub use sun::sun_direction;
pub use view::{AirView, ev100};

use crate::render::{ATMOSPHERE_STORAGE_BUFFERS, too_few_storage_buffers};
use bevy::asset::embedded_asset;
use bevy::camera::visibility::VisibilitySystems;
use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;
use bevy::render::renderer::{RenderAdapterInfo, RenderDevice};
use bevy::shader::load_shader_library;
use scatter::Medium;
use sky::Sky;

/// Its name in messages.
const AIR_PLUGIN: &str = "TerrainAirPlugin";

/// Radius of the sun's disc in radians, a little more than nature's, to be seen on small screens.
const SUN_RADIUS: f32 = 0.006;

/// Draws and lights by the hour. Optional; see the [module](self). Idle without cameras and lights that ask for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainAirPlugin;

/// The stages of the air's frame, in [`PostUpdate`], before transforms are propagated.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AirSystems {
    /// Changed settings are taken over or refused; the sky is summed up.
    Apply,
    /// Suns, cameras and the sky follow.
    Follow,
}

/// The light of the hour: the settings it comes from, and the sky.
#[derive(Resource, Clone, Debug)]
pub struct AirLight {
    /// The last settings that were valid.
    pub air: Air,
    /// The sky they make.
    pub sky: Sky,
}

impl Default for AirLight {
    fn default() -> Self {
        let air = Air::default();
        let sky = Sky::new(&Medium::new(air.visibility), sun_direction(&air), air.illuminance, air.cloud_height);
        Self { air, sky }
    }
}

impl Plugin for TerrainAirPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<Air>()
            .register_type::<Sun>()
            .register_type::<AirView>()
            .init_resource::<Air>()
            .init_resource::<AirLight>()
            .init_resource::<drift::CloudDrift>()
            .configure_sets(
                PostUpdate,
                (AirSystems::Apply, AirSystems::Follow).chain().before(TransformSystems::Propagate),
            )
            .add_systems(PostUpdate, apply.in_set(AirSystems::Apply))
            .add_systems(
                PostUpdate,
                (light::shine, light::cascade, view::see, drift::advance).in_set(AirSystems::Follow),
            );
        if !crate::render::finds_renderer(app, AIR_PLUGIN) {
            return;
        }
        crate::render::add_shared(app);
        load_shader_library!(app, "air/clouds.wgsl");
        load_shader_library!(app, "air/display.wgsl");
        embedded_asset!(app, "air/dome.wgsl");
        embedded_asset!(app, "air/deck.wgsl");
        let materials =
            (MaterialPlugin::<SkyMaterial<SkyDome>>::default(), MaterialPlugin::<SkyMaterial<CloudDeck>>::default());
        app.add_plugins(materials).add_systems(
            PostUpdate,
            (dome::prepare, dome::hang, dome::drift, atmosphere::follow)
                .chain()
                .after(drift::advance)
                .in_set(AirSystems::Follow),
        );
        app.add_systems(PostUpdate, dome::keep_own.after(VisibilitySystems::CheckVisibility));
    }

    fn finish(&self, app: &mut App) {
        crate::render::tell_if_too_early(app, AIR_PLUGIN);
    }
}

/// Takes changed settings over.
fn apply(
    air: Res<Air>,
    mut light: ResMut<AirLight>,
    mut medium: Local<Option<(f32, Medium)>>,
    mut commands: Commands,
    adapter: Option<Res<RenderAdapterInfo>>,
    device: Option<Res<RenderDevice>>,
) {
    if !air.is_changed() {
        return;
    }
    if let Err(error) = air.validate() {
        warn!("{error}");
        commands.trigger(AirRejected { error });
        return;
    }
    let mut air = air.clone();
    if adapter.is_none_or(|adapter| adapter.device_type == wgpu_types::DeviceType::Cpu) {
        // Some software drivers crash in it.
        air.sky = AirSky::Analytic;
    }
    if air.sky == AirSky::Atmosphere
        && let Some(found) = device.and_then(|device| too_few_storage_buffers(&device, ATMOSPHERE_STORAGE_BUFFERS))
    {
        warn_once!(
            "AirSky::Atmosphere over terrain needs {ATMOSPHERE_STORAGE_BUFFERS} storage buffers a shader stage, and \
             this device has {found}: the analytic sky stays"
        );
        air.sky = AirSky::Analytic;
    }
    if air == light.air {
        return;
    }
    let medium = match &mut *medium {
        Some((visibility, medium)) if *visibility == air.visibility => medium,
        other => &mut other.insert((air.visibility, Medium::new(air.visibility))).1,
    };
    light.sky = Sky::new(medium, sun_direction(&air), air.illuminance, air.cloud_height);
    light.air = air;
}
