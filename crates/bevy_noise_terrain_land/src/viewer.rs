//! The viewers that a terrain is detailed around.

use bevy::prelude::*;

use crate::lod::Viewer;
use crate::spawn_order::SpawnOrder;

/// The most viewers that a terrain is detailed around: those spawned first.
pub const MAX_VIEWERS: usize = 8;

/// The land is detailed around this entity: a camera, or a player on a server.
///
/// An orthographic camera sees as much from anywhere. The land is detailed for one with Bevy's default lens that sees as much of
/// the ground in the middle of the picture, from above.
///
/// While no entity has it, every active 3D camera that draws to a window counts as a viewer, and where there is none,
/// every active 3D camera (feature `render`). So portals, mirrors and previews, which draw to images, cost no detail.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
#[require(Transform, SpawnOrder)]
pub struct TerrainViewer;

/// Metres between the upper and the lower edge of what an orthographic camera sees; `None` for any other projection.
#[cfg(feature = "render")]
pub(crate) fn visible_height(projection: &Projection) -> Option<f32> {
    match projection {
        Projection::Perspective(_) => None,
        Projection::Orthographic(lens) => Some(lens.area.height()),
        Projection::Custom(lens) => {
            let clip_from_view = lens.get_clip_from_view();
            (clip_from_view.w_axis.w == 1.0).then(|| 2.0 / clip_from_view.y_axis.y)
        }
    }
}

/// Put on a terrain: its viewers stay where they are, so that its chunks can be inspected from elsewhere.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
pub struct FreezeViewers;

/// The viewers of a terrain in this frame, in its own absolute coordinates. Updated in
/// [`TerrainSystems::View`](crate::TerrainSystems::View), for others to read.
#[derive(Component, Clone, Debug, Default)]
pub struct TerrainViewers {
    pub(crate) entities: Vec<Entity>,
    pub(crate) viewers: Vec<Viewer>,
}

impl TerrainViewers {
    /// The viewers, in the order in which they were spawned. Cameras without a [`TerrainViewer`] are in the order of
    /// [`Camera::order`](bevy::prelude::Camera::order).
    pub fn as_slice(&self) -> &[Viewer] {
        &self.viewers
    }

    /// The viewers with their entities.
    pub fn iter(&self) -> impl Iterator<Item = (Entity, &Viewer)> {
        self.entities.iter().copied().zip(&self.viewers)
    }

    /// Metres of the lowest viewer over the ground, or under it; infinite without viewers.
    pub fn least_height(&self) -> f64 {
        self.viewers.iter().map(|viewer| viewer.height).fold(f64::INFINITY, f64::min)
    }

    /// Measures the viewers' heights over the land on screen. Must be repeated when another generation is
    /// swapped in, or all distances would jump one frame later. Where the source has no height, the last one is kept.
    pub(crate) fn measure_heights(&mut self, height: impl Fn(&Viewer) -> Option<f64>) {
        for viewer in &mut self.viewers {
            if let Some(height) = height(viewer) {
                viewer.height = height;
            }
        }
    }
}
