//! How much of a graphics card's time the landscape takes (feature `render`).
//!
//! ```no_run
//! # use bevy::prelude::*;
//! # use bevy_noise_terrain_land::{quality::*, NoiseTerrainPlugin};
//! App::new().add_plugins((DefaultPlugins, NoiseTerrainPlugin)).insert_resource(TerrainQuality::Auto).run();
//! ```

mod governor;

use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use bevy::time::Real;
use serde::{Deserialize, Serialize};
use wgpu_types::DeviceType;

use crate::settings::{self, Settings, SettingsError, reject, settings};
use governor::Governor;

/// What all terrains of an app may cost the graphics card. Change it at any time; a game's own settings stay as they are. It belongs
/// to the player's machine, so no preset and no saved world has it.
///
/// [`QualityInUse`] tells what has come of it.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Reflect, Serialize, Deserialize)]
#[reflect(Resource, Default)]
pub enum TerrainQuality {
    /// Begins with what suits the kind of device, then follows the times of frames: one level less if most frames of some seconds
    /// take longer than a sixtieth of a second, one more if nearly all take far less. A level that proved too slow, or that was
    /// left without gain, is not tried again.
    Auto,
    /// For processors with a graphics unit of little power.
    Low,
    /// For handhelds and laptops.
    Medium,
    /// What the worlds are made for.
    #[default]
    High,
    /// More plants, and every triangle of the land.
    Ultra,
    /// Levers of one's own. Those that [`validate`](QualityLevers::validate) rejects change nothing and are reported by
    /// [`SettingsRejected`](crate::SettingsRejected).
    Custom(QualityLevers),
}

settings! {
    /// What [`TerrainQuality`] moves.
    #[derive(Clone, Copy, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct QualityLevers {
        /// Draw every second vertex of the land, except at the finest level.
        /// A quarter of the triangles there, so fewer pixels on their edges are shaded twice and more. Each quad is split along its
        /// higher diagonal, which keeps crests unbroken; shading, colliders and queries stay.
        pub half_meshes: bool = true;
        /// How far plants and rocks are drawn, relative to their [`distance`](crate::scatter::ScatterKind::distance).
        pub plant_distance: f32 = 1.0, [0.1..=3.0];
        /// Draw flat clouds instead of those with a body.
        /// A tenth of the texture lookups of the sky.
        pub flat_clouds: bool = false;
    }
}

impl Settings for QualityLevers {
    const NAME: &str = "quality";
}

impl QualityLevers {
    const LOW: Self = Self { half_meshes: true, plant_distance: 0.5, flat_clouds: true };
    const MEDIUM: Self = Self { half_meshes: true, plant_distance: 0.75, flat_clouds: false };
    const HIGH: Self = Self { half_meshes: true, plant_distance: 1.0, flat_clouds: false };
    const ULTRA: Self = Self { half_meshes: false, plant_distance: 1.5, flat_clouds: false };

    /// Checks every field.
    ///
    /// # Errors
    /// Names the first invalid field, its value and what is allowed.
    pub fn validate(&self) -> Result<(), SettingsError> {
        settings::validate(self)
    }
}

/// The quality with which terrains are drawn in this frame.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Resource, Default)]
pub struct QualityInUse {
    /// The newest valid one; for [`TerrainQuality::Auto`] the level that it has come to.
    pub quality: TerrainQuality,
    /// Its levers.
    pub levers: QualityLevers,
}

/// The levels of [`TerrainQuality::Auto`], least first.
const LADDER: [TerrainQuality; 4] =
    [TerrainQuality::Low, TerrainQuality::Medium, TerrainQuality::High, TerrainQuality::Ultra];

/// Where [`TerrainQuality::Auto`] begins.
fn first_level(adapter: Option<&RenderAdapterInfo>) -> usize {
    match adapter.map(|adapter| adapter.device_type) {
        Some(DeviceType::DiscreteGpu) => 2,
        Some(DeviceType::Cpu) => 0,
        _ => 1,
    }
}

/// Adds the resources and what keeps them up to date, unless the app has them already.
pub(crate) fn add(app: &mut App) {
    if app.world().contains_resource::<QualityInUse>() {
        return;
    }
    app.register_type::<TerrainQuality>()
        .register_type::<QualityInUse>()
        .init_resource::<TerrainQuality>()
        .init_resource::<QualityInUse>()
        .add_systems(PreUpdate, choose);
}

/// Applies valid settings, and follows the times of frames where it is asked to.
fn choose(
    asked: Res<TerrainQuality>,
    adapter: Option<Res<RenderAdapterInfo>>,
    time: Res<Time<Real>>,
    mut governor: Local<Option<Governor>>,
    mut in_use: ResMut<QualityInUse>,
    mut commands: Commands,
) {
    let quality = match *asked {
        TerrainQuality::Auto => {
            let governor = governor.get_or_insert_with(|| Governor::new(first_level(adapter.as_deref()), LADDER.len()));
            LADDER[governor.observe(time.delta_secs())]
        }
        other => {
            *governor = None;
            other
        }
    };
    let levers = match quality {
        TerrainQuality::Low => QualityLevers::LOW,
        TerrainQuality::Medium => QualityLevers::MEDIUM,
        TerrainQuality::High | TerrainQuality::Auto => QualityLevers::HIGH,
        TerrainQuality::Ultra => QualityLevers::ULTRA,
        TerrainQuality::Custom(levers) => {
            if let Err(error) = levers.validate() {
                if asked.is_changed() {
                    reject(&mut commands, None, error);
                }
                return;
            }
            levers
        }
    };
    in_use.set_if_neq(QualityInUse { quality, levers });
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bevy::time::TimeUpdateStrategy;

    use super::*;
    use crate::SettingsRejected;

    fn app() -> App {
        let mut app = App::new();
        app.add_plugins(MinimalPlugins);
        add(&mut app);
        app
    }

    fn levers(app: &mut App, quality: TerrainQuality) -> QualityLevers {
        app.insert_resource(quality);
        app.update();
        app.world().resource::<QualityInUse>().levers
    }

    #[test]
    fn every_level_has_its_levers_and_the_default_has_the_default_ones() {
        let mut app = app();
        assert_eq!(levers(&mut app, TerrainQuality::default()), QualityLevers::default());
        let reach = LADDER.map(|quality| levers(&mut app, quality).plant_distance);
        assert!(reach.is_sorted(), "{reach:?}");
        let own = QualityLevers { plant_distance: 2.0, ..default() };
        assert_eq!(levers(&mut app, TerrainQuality::Custom(own)), own);
    }

    #[derive(Resource, Default)]
    struct Refused(Vec<String>);

    #[test]
    fn invalid_levers_are_refused_once_and_the_last_valid_ones_stay() {
        let mut app = app();
        app.init_resource::<Refused>().add_observer(|refused: On<SettingsRejected>, mut all: ResMut<Refused>| {
            all.0.push(refused.error.to_string());
        });
        levers(&mut app, TerrainQuality::Low);
        for wrong in [f32::NAN, 0.0, 1e9] {
            let asked = TerrainQuality::Custom(QualityLevers { plant_distance: wrong, ..default() });
            assert_eq!(levers(&mut app, asked), QualityLevers::LOW);
            app.update();
        }
        let refused = &app.world().resource::<Refused>().0;
        assert!(refused.len() == 3 && refused[0].contains("quality.plant_distance"), "{refused:?}");
    }

    #[test]
    fn auto_begins_in_the_middle_and_goes_down_where_frames_are_slow() {
        let mut app = app();
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(30)));
        assert_eq!(levers(&mut app, TerrainQuality::Auto), QualityLevers::MEDIUM);
        for _ in 0..200 {
            app.update();
        }
        assert_eq!(app.world().resource::<QualityInUse>().quality, TerrainQuality::Low);
        assert_eq!(levers(&mut app, TerrainQuality::High), QualityLevers::HIGH);
        assert_eq!(levers(&mut app, TerrainQuality::Auto), QualityLevers::MEDIUM, "begins anew");
    }
}
