//! Volumes: boxes of the land with overhangs, caves, arches and floating rocks.
//!
//! [`TerrainVolumes`] on a terrain's entity is a list of [`TerrainVolume`]s. Within each the land is no longer a height a place
//! but the surface of a *density*: the height of the land over a point, combined with noises in space. At the sides of the box
//! it is the land again, vertex by vertex.
//!
//! - `volume`: what a volume is, and what is allowed.
//! - `list`: the component.
//! - `prepared`: a volume that is ready to be asked.
//! - `density`: its density over the land.
//! - `lattice`: samples of the density, and the triangles between rock and air.
//! - `sky_light`: how much of the sky is seen from within.
//! - `mesh`: what is drawn, with its seam.
//! - `ray`: rays against it.

mod density;
mod lattice;
mod list;
#[cfg(feature = "render")]
mod mesh;
mod prepared;
mod ray;
#[cfg(feature = "render")]
mod sky_light;
mod volume;

pub(crate) use density::{Density, LandPoint};
pub(crate) use lattice::{Cells, Lattice};
pub(crate) use list::DrawnVolumes;
pub use list::{TerrainVolumes, VolumeId};
#[cfg(feature = "render")]
pub(crate) use mesh::{LAND_FAR, LAND_NEAR, VolumeMesh, no_triangle};
#[cfg(feature = "render")]
pub(crate) use prepared::COARSEST;
pub(crate) use prepared::Prepared;
pub use volume::{TerrainVolume, VolumeShape};
