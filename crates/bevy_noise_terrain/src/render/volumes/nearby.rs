//! Volumes near enough to be drawn.

use bevy::prelude::*;

use crate::edits::{HoleSet, Rect, VolumeHole};
use crate::lod::Viewer;
use crate::streaming::Land;
use crate::viewer::TerrainViewers;
use crate::volumes::TerrainVolumes;

/// Beyond as many times its width, a volume is not drawn.
const FARTHEST: f64 = 60.0;
/// Scattered volumes are looked for again when a viewer has moved by this part of the distance to which they are.
const MARGIN: f64 = 0.02;

/// A volume that is to be drawn.
pub(super) struct Wanted {
    pub hole: VolumeHole,
    /// Metres to the nearest viewer.
    pub distance: f64,
}

/// Scattered volumes around viewers, as far as they are drawn and a little farther.
#[derive(Default)]
pub(super) struct Nearby {
    found: Vec<VolumeHole>,
    /// What they follow from: positions of viewers, the land and its holes.
    from: Option<(Vec<[f64; 2]>, u64, HoleSet)>,
}

impl Nearby {
    /// Looks for scattered volumes, if others may be there than the last time.
    pub fn update(&mut self, land: &Land, viewers: &TerrainViewers) {
        let (descriptor, viewers) = (land.descriptor(), viewers.as_slice());
        let holes = land.hole_set();
        let reach = FARTHEST * holes.places().widest(descriptor.lod.spacing);
        let is_near = |viewer: &Viewer, at: &[f64; 2]| {
            (0..2).all(|axis| (viewer.position[axis] - at[axis]).abs() <= MARGIN * reach)
        };
        let is_known = self.from.as_ref().is_some_and(|(positions, generation, known)| {
            known.is(holes)
                && *generation == land.generation()
                && positions.len() == viewers.len()
                && viewers.iter().zip(positions).all(|(viewer, at)| is_near(viewer, at))
        });
        if is_known {
            return;
        }
        let all = land.holes();
        self.found.clear();
        for viewer in viewers {
            let around = Rect::point(viewer.position).grown((1.0 + MARGIN) * reach);
            self.found.extend(all.scattered(around));
        }
        self.from = Some((viewers.iter().map(|viewer| viewer.position).collect(), land.generation(), holes.clone()));
    }

    /// What is to be drawn: the nearest first, some maybe twice.
    pub fn wanted(&self, listed: Option<&TerrainVolumes>, spacing: f64, viewers: &TerrainViewers) -> Vec<Wanted> {
        let listed = listed.into_iter().flat_map(|volumes| volumes.holes(spacing));
        let all = listed.chain(self.found.iter().cloned());
        let wanted = all.filter_map(|hole| {
            let rect = hole.volume.rect(hole.spacing);
            let distance = distance(&rect, viewers);
            let width = (rect.max[0] - rect.min[0]).max(rect.max[1] - rect.min[1]);
            (distance < FARTHEST * width).then_some(Wanted { hole, distance })
        });
        let mut wanted: Vec<_> = wanted.collect();
        wanted.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        wanted
    }
}

/// Metres to the nearest viewer.
fn distance(rect: &Rect, viewers: &TerrainViewers) -> f64 {
    let distance = |viewer: &Viewer| {
        let [x, z] = [0, 1]
            .map(|axis| (rect.min[axis] - viewer.position[axis]).max(viewer.position[axis] - rect.max[axis]).max(0.0));
        (x * x + z * z + viewer.height * viewer.height).sqrt()
    };
    viewers.as_slice().iter().map(distance).fold(f64::INFINITY, f64::min)
}
