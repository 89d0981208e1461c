//! Edits: changes that players make to the land, as a few numbers each.
//!
//! [`TerrainEdits`] on a terrain's entity is an ordered list of [`Edit`]s. They are applied wherever heights are computed, at
//! every level of detail, so that whatever asks for the land agrees: chunks, queries, colliders, plants, export. Only the
//! chunks that an edit touches are built again, and they change in one frame together.
//!
//! - `edit`: what an edit is, and what is allowed.
//! - `mask`: how strong it is at a distance, and what of it coarse samples can show.
//! - `path`: the curve of a road or a ditch.
//! - `brush`, `stroke`: from a pointer that is drawn over the land to edits.
//! - `points`: whose heights are edited, row by row.
//! - `prepared`: an edit that is ready to be applied.
//! - `painted`: how much of each layer of the ground is painted.
//! - `stamp`: images whose brightness is height.
//! - `tree`: all edits, found by place; a snapshot costs nothing.
//! - `source`: heights with edits.
//! - `list`: the component.
//! - `changes`: what leads from one state of it to another.
//! - `holes`: [`TerrainHoles`], areas of the land that are not there.
//! - `land`: edits and holes together.

mod brush;
mod changes;
mod edit;
mod holes;
mod land;
mod list;
mod mask;
mod painted;
pub(crate) mod path;
mod points;
mod prepared;
mod source;
mod stamp;
mod stroke;
mod tree;

pub use brush::{Brush, BrushKind};
pub use changes::EditChanges;
pub use edit::{Edit, EditAction, EditArea, Paint};
#[cfg(feature = "render")]
pub(crate) use holes::ChunkHoles;
#[cfg(feature = "presets")]
pub(crate) use holes::HoleChanges;
pub(crate) use holes::{Corner, Cutter, HoleSet, LandHoles, Outline, VolumeHole};
pub use holes::{Hole, HoleArea, HoleId, TerrainHoles};
pub(crate) use land::LandEdits;
pub use list::{EditId, TerrainEdits};
#[cfg(feature = "render")]
pub(crate) use painted::CHUNK_PAINT_WORDS;
pub(crate) use painted::{ChunkPaint, PAINTED_LAYERS, Painted, painted_within};
#[cfg(feature = "scatter")]
pub(crate) use source::is_same_land;
pub(crate) use source::{Clearings, EditedSource};
pub use stamp::StampImage;
pub use stroke::Stroke;
pub(crate) use tree::{Change, Rect};
