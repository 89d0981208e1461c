//! Volumes near enough to be drawn.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, Task, block_on, poll_once};

use crate::edits::{HoleSet, Rect, VolumeHole};
use crate::lod::Viewer;
use crate::streaming::Land;
use crate::viewer::TerrainViewers;
use crate::volumes::{Ground, TerrainVolumes, VolumePlaces};

/// Beyond as many times its width, a volume is not drawn.
const FARTHEST: f64 = 60.0;
/// Scattered volumes are looked for again when a viewer has moved by this part of the distance to which they are drawn.
const MARGIN: f64 = 0.02;

/// A volume that is to be drawn.
pub(super) struct Wanted {
    pub hole: VolumeHole,
    /// Metres to the nearest viewer.
    pub distance: f64,
}

/// Scattered volumes around viewers, as far as they are drawn and a little farther. They are looked for in the background: the
/// land is asked for its height at each of thousands of places.
#[derive(Default)]
pub(super) struct Nearby {
    found: Vec<VolumeHole>,
    /// What they follow from.
    search: Option<Search>,
    /// What will take their place.
    next: Option<(Search, Task<Vec<VolumeHole>>)>,
    /// Those for which the list leaves room, and the holes with the list.
    shown: (Vec<VolumeHole>, HoleSet),
}

/// Where scattered volumes are looked for.
struct Search {
    viewers: Vec<[f64; 2]>,
    generation: u64,
    places: VolumePlaces,
}

impl Nearby {
    /// Looks for scattered volumes, if others may be there than the last time.
    pub fn update(&mut self, land: &Land, viewers: &TerrainViewers) {
        let holes = land.hole_set();
        let places = holes.places();
        let mut has_changed = !self.shown.1.is(holes);
        if self.search.as_ref().is_some_and(|search| !search.places.is(&places)) {
            (self.found, self.search, has_changed) = (Vec::new(), None, true);
        }
        if let Some((search, mut task)) = self.next.take().filter(|(search, _)| search.places.is(&places)) {
            match block_on(poll_once(&mut task)) {
                Some(found) => (self.found, self.search, has_changed) = (found, Some(search), true),
                None => self.next = Some((search, task)),
            }
        }
        let is_known = self.search.as_ref().is_some_and(|search| search.holds(land, &places, viewers));
        if !is_known && self.next.is_none() && !places.is_empty() {
            self.next = Some(Search::begin(land, places, viewers));
        }
        if has_changed {
            let room = self.found.iter().filter(|hole| land.holes().has_room_for(hole));
            self.shown = (room.cloned().collect(), holes.clone());
        }
    }

    /// Whether there may be others than those that are known.
    pub fn is_searching(&self) -> bool {
        self.next.is_some()
    }

    /// What is to be drawn: the nearest first, some maybe twice.
    pub fn wanted(&self, listed: Option<&TerrainVolumes>, spacing: f64, viewers: &TerrainViewers) -> Vec<Wanted> {
        let listed = listed.into_iter().flat_map(|volumes| volumes.holes(spacing));
        let all = listed.chain(self.shown.0.iter().cloned());
        let wanted = all.filter_map(|hole| {
            let rect = hole.volume.rect(hole.spacing);
            let distance = distance(&rect, viewers.as_slice());
            let width = (rect.max[0] - rect.min[0]).max(rect.max[1] - rect.min[1]);
            (distance < FARTHEST * width).then_some(Wanted { hole, distance })
        });
        let mut wanted: Vec<_> = wanted.collect();
        wanted.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        wanted
    }
}

impl Search {
    fn begin(land: &Land, places: VolumePlaces, viewers: &TerrainViewers) -> (Self, Task<Vec<VolumeHole>>) {
        let viewers: Vec<_> = viewers.as_slice().iter().map(|viewer| viewer.position).collect();
        let descriptor = land.descriptor();
        let (source, spacing) = (descriptor.unedited().clone(), descriptor.lod.spacing);
        let search = Self { viewers: viewers.clone(), generation: land.generation(), places: places.clone() };
        let find = move || -> Vec<_> {
            let ground = Ground { land: source.as_ref(), spacing };
            let room = room(&places, spacing);
            viewers.into_iter().flat_map(|at| places.around(at, FARTHEST, room, ground).collect::<Vec<_>>()).collect()
        };
        // A source that panics must not end the app.
        let find = async move { catch_unwind(AssertUnwindSafe(find)).unwrap_or_default() };
        (search, AsyncComputeTaskPool::get().spawn(find))
    }

    /// Whether it finds what there is to be found.
    fn holds(&self, land: &Land, places: &VolumePlaces, viewers: &TerrainViewers) -> bool {
        let (viewers, spacing) = (viewers.as_slice(), land.descriptor().lod.spacing);
        let room = room(places, spacing);
        let is_near =
            |viewer: &Viewer, at: &[f64; 2]| (0..2).all(|axis| (viewer.position[axis] - at[axis]).abs() <= room);
        self.places.is(places)
            && self.generation == land.generation()
            && self.viewers.len() == viewers.len()
            && viewers.iter().zip(&self.viewers).all(|(viewer, at)| is_near(viewer, at))
    }
}

/// How far a viewer may move until scattered volumes are looked for again, in metres.
fn room(places: &VolumePlaces, spacing: f64) -> f64 {
    MARGIN * FARTHEST * places.widest(spacing)
}

/// Metres to the nearest viewer.
pub(super) fn distance(rect: &Rect, viewers: &[Viewer]) -> f64 {
    let distance = |viewer: &Viewer| {
        let [x, z] = [0, 1]
            .map(|axis| (rect.min[axis] - viewer.position[axis]).max(viewer.position[axis] - rect.max[axis]).max(0.0));
        (x * x + z * z + viewer.height * viewer.height).sqrt()
    };
    viewers.iter().map(distance).fold(f64::INFINITY, f64::min)
}
