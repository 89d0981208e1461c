//! Holes: areas of the land that are not there.
//!
//! [`TerrainHoles`] on a terrain's entity is a list of [`Hole`]s. Whatever draws the land, asks for it or collides with it leaves
//! them out, along the same outline: no chunk is built again for them.
//!
//! - `hole`: what a hole is, and what is allowed.
//! - `list`: the component.
//! - `outline`: a hole that is ready to be asked.
//! - `set`: all holes, found by place; a snapshot costs nothing.
//! - `chunk`: those of a chunk, as shaders read them.
//! - `cut`: triangles without what lies in holes.

#[cfg(feature = "render")]
mod chunk;
mod cut;
mod hole;
mod list;
mod outline;
mod set;

#[cfg(feature = "render")]
pub(crate) use chunk::ChunkHoles;
pub(crate) use cut::{Corner, Cutter};
pub use hole::{Hole, HoleArea};
#[cfg(feature = "presets")]
pub(crate) use list::HoleChanges;
pub use list::{HoleId, TerrainHoles};
pub(crate) use outline::{Outline, VolumeHole};
pub(crate) use set::{HoleSet, LandHoles};
