//! Infinite procedural terrain: height-field chunks that stream around the camera.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_noise_terrain::prelude::*;
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, NoiseTerrainPlugin))
//!     .add_systems(Startup, |mut commands: Commands| {
//!         commands.spawn(TerrainSun::default());
//!         commands.spawn((TerrainSkyView::default(), Transform::from_xyz(0.0, 1_500.0, 0.0)));
//!     })
//!     .run();
//! ```
//!
//! **The [`guide`] goes from here to a game**, with pictures; it ends with a [cookbook](guide::cookbook) and a page of
//! [troubles](guide::troubleshooting).
//!
//! * [`NoiseTerrain`] is a component with every setting. Spawn it yourself to choose them; if none
//!   exists after [`Startup`](bevy::prelude::Startup), the plugin spawns the default one. Mutate it at any time: the new terrain is
//!   built in the background and replaces the old one within a single frame.
//! * [`TerrainViewer`] marks the entities around which the terrain is detailed; without one, every active 3D camera
//!   counts.
//! * [`TerrainQuery`] returns heights, normals and ray hits anywhere, loaded or not, and whether the land around a place is
//!   ready; [`AwaitTerrain`] tells when.
//! * [`TerrainClimate`] is what snow, layers of the ground and plants follow; [`Surface::climate`] tells it anywhere.
//! * [`ScatterQuery`](scatter::ScatterQuery) tells which trees and rocks stand where, and
//!   [`RemovedScatter`](scatter::RemovedScatter) takes them away.
//! * [`TerrainEdits`](edits::TerrainEdits) is what players have dug, raised and levelled, and
//!   [`TerrainHoles`](edits::TerrainHoles) where the land is not there; [`LandChanged`] tells where they change. [`TerrainVolumes`](volumes::TerrainVolumes) are caves
//!   and overhangs.
//! * [`ChunkReady`] and [`ChunkRemoved`] are events on chunk entities, for grass and other things near viewers.
//! * [`TerrainSource`] replaces the noise with any other [`HeightSource`].
//! * [`tiles`] has the finest land around bodies, for physics engines: see the crates `bevy_noise_terrain_avian` and
//!   `bevy_noise_terrain_rapier`.
//! * [`TerrainOrigin`] keeps the scene precise far from the origin.
//!
//! # How it works
//!
//! Data flows one way, in the order of [`TerrainSystems`]. Settings make a *generation*. Viewers and the loaded
//! chunks determine the effective range of each level (`lod`), and the ranges determine the drawn set. Chunks that
//! are wanted but missing become jobs on the task pools, which sample a chunk's own grid and its parent's
//! (`mesh`). Finished chunks are added within a budget per frame. Every vertex morphs towards its parent's
//! surface with distance, in every pass, so that levels meet without cracks and change without popping.
//!
//! # Features
//!
//! * `render` (default): draws the terrain. Without it the plugin needs no GPU and no window, and a
//!   server gets the same heights, bit for bit.
//! * `presets` (default): [`TerrainPreset`], a world as an asset; edit its file, and the world changes.
//! * `ground`, `scatter`, `water`, `sky` (default): draw layers of rock, grass and snow on the land; grass, bushes, rocks and trees;
//!   water; sun, sky and clouds. Each can be left out. Without them too, [`TerrainGround`](ground::TerrainGround),
//!   [`TerrainScatter`](scatter::TerrainScatter) and [`TerrainWater`](water::TerrainWater) tell what is underfoot, what stands
//!   there and how deep the water is.
//! * `export`: exports regions as 16-bit PNG, OBJ and glTF files.
//! * `picking`: [`TerrainPickingPlugin`](picking::TerrainPickingPlugin), a `bevy_picking` backend for the terrain.
//! * `panel`: an egui panel that edits every parameter live.
//! * `validation`: looks at every vertex of a frame, for tests.

#[cfg(all(
    any(doc, doctest),
    feature = "export",
    feature = "panel",
    feature = "picking",
    feature = "presets",
    feature = "validation"
))]
pub mod guide;

#[doc(inline)]
pub use bevy_noise_terrain_land::*;
#[cfg(feature = "panel")]
#[doc(inline)]
pub use bevy_noise_terrain_panel as panel;

/// What most apps need, by names that are hardly another crate's. The rest is at the root of this crate, and what
/// noises are built from in [`terrain_noise::prelude`].
pub mod prelude {
    #[doc(no_inline)]
    pub use bevy_noise_terrain_land::prelude::*;
    #[cfg(feature = "panel")]
    #[doc(no_inline)]
    pub use bevy_noise_terrain_panel::{TerrainPanel, TerrainPanelPlugin, TerrainTravel};
}
