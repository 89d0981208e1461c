//! Validates the settings.

use bevy::prelude::*;

use super::TerrainGround;
use crate::settings;

/// The last valid [`TerrainGround`] of a terrain.
#[derive(Component, Clone, Default)]
pub struct PreparedGround(TerrainGround);

/// Applies changed settings, or rejects invalid ones.
pub fn prepare_ground(
    mut commands: Commands,
    mut grounds: Query<(Entity, &TerrainGround, &mut PreparedGround), Changed<TerrainGround>>,
) {
    for (entity, ground, mut prepared) in &mut grounds {
        match ground.validate() {
            Ok(()) => prepared.0 = ground.clone(),
            Err(error) => settings::reject(&mut commands, Some(entity), error),
        }
    }
}

#[cfg(feature = "ground")]
impl PreparedGround {
    /// The last valid settings.
    pub fn ground(&self) -> &TerrainGround {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SettingsRejected;

    #[test]
    fn a_refused_ground_leaves_the_last_valid_one() {
        #[derive(Resource, Default)]
        struct Refused(Vec<(Option<Entity>, String)>);
        let mut app = App::new();
        app.init_resource::<Refused>().add_systems(Update, prepare_ground);
        app.add_observer(|rejected: On<SettingsRejected>, mut refused: ResMut<Refused>| {
            refused.0.push((rejected.entity, rejected.error.path.clone()));
        });
        let terrain = app.world_mut().spawn(TerrainGround { bump: 0.5, ..default() }).id();
        app.update();
        app.world_mut().get_mut::<TerrainGround>(terrain).unwrap().bump = -1.0;
        app.update();
        assert_eq!(app.world().get::<PreparedGround>(terrain).unwrap().0.bump, 0.5);
        assert_eq!(app.world().resource::<Refused>().0, [(Some(terrain), "ground.bump".to_owned())]);
    }
}
