//! Volumes: boxes of the land with overhangs, caves, arches and floating rocks.
//!
//! [`TerrainVolumes`] on a terrain's entity is a list of [`TerrainVolume`]s, and [`VolumeScatter`] has more of them in places
//! without end. Within each the land is no longer a height a place but the surface of a *density*: the height of the land over
//! a point, combined with noises in space. At the sides of the box it is the land again, vertex by vertex.
//!
//! - `volume`: what a volume is, and what is allowed.
//! - `list`: those that players and games add.
//! - `scatter`, `places`: those that the land itself has, and where they are.
//! - `prepared`: a volume that is ready to be asked.
//! - `density`: its density over the land.
//! - `lattice`: samples of the density.
//! - `isosurface`: the triangles between rock and air.
//! - `sky_light`: how much of the sky is seen from within.
//! - `morph_target`: where vertices move to with distance.
//! - `mesh`: pieces of what is drawn, with their seams.
//! - `ray`: rays against it.

mod density;
mod isosurface;
mod lattice;
mod list;
#[cfg(feature = "render")]
mod mesh;
#[cfg(feature = "render")]
mod morph_target;
mod places;
mod prepared;
mod ray;
mod scatter;
#[cfg(feature = "render")]
mod sky_light;
mod volume;

pub(crate) use density::{Density, LandPoint};
pub(crate) use lattice::{Cells, Lattice};
pub(crate) use list::DrawnVolumes;
#[cfg(feature = "presets")]
pub(crate) use list::VolumeChanges;
pub use list::{TerrainVolumes, VolumeId};
#[cfg(feature = "render")]
pub(crate) use mesh::{LAND_FAR, LAND_NEAR, TARGET, TARGET_SHADE, VolumeMesh, no_triangle};
pub(crate) use places::{Ground, VolumeKey, VolumePlaces};
#[cfg(feature = "render")]
pub(crate) use prepared::COARSEST;
pub(crate) use prepared::Prepared;
pub use scatter::{VolumeKind, VolumeScatter};
#[cfg(feature = "render")]
pub(crate) use sky_light::apron;
pub(crate) use volume::VOLUME_REACH;
pub use volume::{TerrainVolume, VolumeShape};
