//! The plugin in its smallest use: land, plants, sky, sun and a camera, in a valley among mountains that never end.
//!
//! ```sh
//! cargo run --all-features --example minimal
//! ```

use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;

fn main() {
    App::new().add_plugins((DefaultPlugins, NoiseTerrainPlugin)).add_systems(Startup, setup).run();
}

fn setup(mut commands: Commands) -> Result {
    let terrain = NoiseTerrain::default();
    let ground = terrain.surface()?.height(-300.0, 360.0) as f32;
    let eye = Transform::from_xyz(-300.0, ground + 20.0, 360.0).looking_to(Vec3::new(-0.8, 0.05, 0.6), Vec3::Y);
    commands.spawn((terrain, TerrainScatter::temperate()));
    commands.spawn(TerrainSun::default());
    commands.spawn((TerrainSkyView::default(), eye));
    Ok(())
}
