//! Level of detail: from viewers to the chunks that are drawn. Pure functions.
//!
//! A quadtree over the plane with CDLOD's geomorphing by distance (Strugar, *Continuous Distance-Dependent
//! Level of Detail for Rendering Heightmaps*, 2009), extended to handle chunks that are not loaded yet.
//!
//! The distance `d` of a point combines its horizontal distance to a viewer with the viewer's height over the
//! ground (as the root of the sum of squares); the least of all viewers counts. A chunk of level l is replaced by
//! its four children if any of its points has `d < range[l − 1]`. As `d` goes from `s · range[l]` to `range[l]`, a
//! chunk of level l morphs to the surface of its parent. Where chunks of levels l − 1 and l meet in an edge, the
//! coarse one did not split, so there `d ≥ range[l − 1]` and the fine one *is* its parent's surface. The edge also
//! lies within the parent of the fine one, which did split, so `d ≤ range[l − 1] + diagonal`; as long as that is
//! `≤ s · range[l]`, the coarse one has not begun to morph. Both sides then have the same vertices.
//! [`Ranges::limit`] maintains that inequality at all times.

mod drawn;
#[cfg(any(test, feature = "validation"))]
mod morph;
mod ranges;
mod wanted;

pub use drawn::{Difference, difference, drawn};
#[cfg(any(test, feature = "validation"))]
pub use morph::MORPH_END;
#[cfg(feature = "validation")]
pub use morph::{Morph, displayed_vertex, morph};
pub use ranges::{Ranges, TerrainLod};
pub use wanted::{Demand, Wanted, wanted};

use crate::chunk::{ChunkKey, Square};

/// A viewer, in absolute metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Viewer {
    /// Absolute x and z.
    pub position: [f64; 2],
    /// Height of the viewer in the terrain's space.
    pub altitude: f64,
    /// Distance to the ground beneath, never negative.
    pub height: f64,
    /// Horizontal velocity in metres per second.
    pub velocity: [f64; 2],
}

impl Viewer {
    /// Distance `d` to the nearest point of a square.
    pub fn distance(&self, square: &Square) -> f64 {
        self.squared_distance(self.position, square).sqrt()
    }

    /// The square of the distance `d` from another position, at the viewer's height.
    fn squared_distance(&self, position: [f64; 2], square: &Square) -> f64 {
        let [x, z] = square.outside(position);
        x * x + z * z + self.height * self.height
    }
}

/// Distance `d` from the nearest viewer to the nearest point of a square; infinite without viewers.
pub fn distance(viewers: &[Viewer], square: &Square) -> f64 {
    let squared = viewers.iter().map(|viewer| viewer.squared_distance(viewer.position, square));
    squared.fold(f64::INFINITY, f64::min).sqrt()
}

/// The greatest reach of the land, in metres, with which at most `most` of the coarsest chunks are in view, and these
/// [`roots`].
pub fn view(viewers: &[Viewer], lod: &TerrainLod, most: usize) -> (f64, Vec<ChunkKey>) {
    let mut reach = lod.view_distance;
    // Terminates: a small reach leaves at most four per viewer.
    loop {
        let roots = roots(viewers, lod, reach);
        if roots.len() <= most.max(4 * viewers.len()) {
            return (reach, roots);
        }
        reach *= 0.8;
    }
}

/// The coarsest chunks whose nearest point is within `reach` metres of a viewer on the ground, each once.
pub fn roots(viewers: &[Viewer], lod: &TerrainLod, reach: f64) -> Vec<ChunkKey> {
    let level = lod.top_level();
    let mut roots = Vec::new();
    for viewer in viewers {
        let [x, z] = viewer.position;
        let low = ChunkKey::at(level, x - reach, z - reach, lod.spacing);
        let high = ChunkKey::at(level, x + reach, z + reach, lod.spacing);
        let cells = (low.x..=high.x).flat_map(|x| (low.z..=high.z).map(move |z| ChunkKey::new(level, x, z)));
        // In order, for a single viewer.
        roots.extend(cells.filter(|key| {
            let [x, z] = key.square(lod.spacing).outside(viewer.position);
            x * x + z * z < reach * reach
        }));
    }
    roots.sort_unstable();
    roots.dedup();
    roots
}
