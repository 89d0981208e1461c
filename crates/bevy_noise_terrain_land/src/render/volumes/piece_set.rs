//! What is drawn of a volume at a time: pieces that cover its box.

use std::sync::Arc;

use bevy::camera::primitives::Aabb;
use bevy::platform::time::Instant;
use bevy::prelude::*;

use super::layout::Place;
use crate::edits::{Rect, VolumeHole};
use crate::volumes::{VolumeShape, apron};

/// Frames until the graphics card has what it is given.
pub(super) const FRAMES: u32 = 2;

/// Seconds in which a piece moves from the coarser surface that was there before it to its own.
const FADE: f32 = 0.5;

/// Pieces that are shown together, of one volume on one land.
pub(super) struct PieceSet {
    pub hole: Arc<VolumeHole>,
    pub generation: u64,
    pub pieces: Vec<Piece>,
}

/// A part of a volume.
pub(super) struct Piece {
    pub place: Place,
    pub progress: Progress,
    /// Whether edits have changed the land there since its build began.
    pub is_stale: bool,
    pub entity: Option<Entity>,
    /// Since when it takes the place of a coarser piece.
    pub since: Option<Instant>,
}

/// How far a piece is.
#[derive(Clone)]
pub(super) enum Progress {
    Wanted,
    Building,
    /// `mesh` is `None` where nothing is to be seen.
    Built {
        mesh: Option<Handle<Mesh>>,
        bounds: Aabb,
        frames: u32,
    },
}

impl PieceSet {
    /// Pieces of a volume. Those that another set has, of the same land, are taken from there.
    pub fn new(hole: Arc<VolumeHole>, generation: u64, layout: &[Place], shown: Option<&Self>) -> Self {
        let shown = shown.filter(|shown| shown.generation == generation);
        let piece = |&place: &Place| {
            let known = shown.and_then(|shown| shown.known(&hole, place));
            Piece::new(place, known.map_or(Progress::Wanted, |known| known.progress.clone()))
        };
        let pieces = layout.iter().map(piece).collect();
        Self { hole, generation, pieces }
    }

    /// Whether it is of this volume and land.
    pub fn is(&self, hole: &VolumeHole, generation: u64) -> bool {
        self.generation == generation && *self.hole == *hole && !self.pieces.iter().any(|piece| piece.is_stale)
    }

    pub fn places(&self) -> Vec<Place> {
        self.pieces.iter().map(|piece| piece.place).collect()
    }

    /// The piece that another volume of the same name would have too.
    fn known(&self, hole: &VolumeHole, place: Place) -> Option<&Piece> {
        let piece = self.pieces.iter().find(|piece| piece.place == place)?;
        (!piece.is_stale && is_same(&self.hole, hole, &place)).then_some(piece)
    }

    /// Whether all of it can be shown.
    pub fn is_ready(&self) -> bool {
        self.pieces.iter().all(Piece::is_ready)
    }

    /// Counts a frame.
    pub fn pass_frame(&mut self) {
        for piece in &mut self.pieces {
            if let Progress::Built { frames, .. } = &mut piece.progress {
                *frames = frames.saturating_add(1);
            }
        }
    }

    /// Notes where edits have changed the land.
    pub fn note_changes(&mut self, touches: impl Fn(&Rect) -> bool) {
        for piece in &mut self.pieces {
            let is_begun = !matches!(piece.progress, Progress::Wanted);
            piece.is_stale |=
                is_begun && touches(&piece.place.rect.grown((apron(self.hole.spacing) + 4.0) * self.hole.spacing));
        }
    }

    /// The finest level within a rectangle; `None` if it has no piece there.
    pub fn finest_in(&self, rect: &Rect) -> Option<u8> {
        let within = self.pieces.iter().filter(|piece| rect.overlaps(&piece.place.rect));
        within.map(|piece| piece.place.level).min()
    }
}

impl Piece {
    /// Whether the graphics card has it.
    pub fn is_ready(&self) -> bool {
        matches!(self.progress, Progress::Built { frames, .. } if frames >= FRAMES)
    }

    /// How much of the surface of the next coarser level it still has, besides what distance asks for: 1 to 0.
    pub fn fade(&self) -> f32 {
        self.since.map_or(0.0, |since| (1.0 - since.elapsed().as_secs_f32() / FADE).max(0.0))
    }

    fn new(place: Place, progress: Progress) -> Self {
        Self { place, progress, is_stale: false, entity: None, since: None }
    }
}

/// Whether two volumes are the same in a place and around it.
fn is_same(a: &VolumeHole, b: &VolumeHole, place: &Place) -> bool {
    if *a == *b {
        return true;
    }
    let width = a.spacing * f64::from(1u32 << place.level);
    // Beyond, what hands have dug neither moves the surface nor lets light in.
    let around = place.rect.grown(apron(a.spacing) * a.spacing + 4.0 * width);
    let touches = |from: &[f64; 3], to: &[f64; 3], radius: f64| {
        let side = |pick: fn(f64, f64) -> f64| [pick(from[0], to[0]), pick(from[2], to[2])];
        Rect { min: side(f64::min), max: side(f64::max) }.grown(radius).touches(&around)
    };
    let shapes = |hole: &VolumeHole| {
        let volume = hole.volume.volume.clone();
        let all = volume.shapes.iter().cloned().enumerate();
        // The noise of a shape depends on its number.
        let near = all.filter_map(|(number, shape)| match &shape {
            VolumeShape::Dig { from, to, radius } | VolumeShape::Build { from, to, radius } => {
                touches(from, to, *radius).then_some((None, shape))
            }
            _ => Some((Some(number), shape)),
        });
        near.collect::<Vec<_>>()
    };
    let but_shapes = |hole: &VolumeHole| {
        let volume = &hole.volume.volume;
        let sizes = [volume.depth, volume.height, volume.falloff];
        (hole.spacing, hole.is_drawn, hole.volume.rect(hole.spacing), sizes, volume.seed, reaches(hole))
    };
    but_shapes(a) == but_shapes(b) && shapes(a) == shapes(b)
}

/// Whether the surface may lie below and above the land: shapes that somebody adds far away can change that, and so the samples.
fn reaches(hole: &VolumeHole) -> [bool; 2] {
    let [low, high] = hole.density().span(0.0);
    [low < 0.0, high > 0.0]
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use terrain_noise::prelude::*;

    use super::{Rect, *};
    use crate::volumes::{Prepared, TerrainVolume, VolumeId, VolumeKey};

    fn hole(shapes: Vec<VolumeShape>) -> Arc<VolumeHole> {
        let volume = TerrainVolume { size: [256.0; 2], shapes, ..default() };
        let volume = Arc::new(Prepared::new(volume).unwrap());
        Arc::new(VolumeHole { key: VolumeKey::Listed(VolumeId(0)), volume, spacing: 1.0, is_drawn: true })
    }

    fn layout() -> Vec<Place> {
        let corners = (0..16).map(|k| [k % 4, k / 4].map(|part| f64::from(part) * 64.0 - 128.0));
        corners.map(|min| Place { rect: Rect { min, max: min.map(|at| at + 64.0) }, level: 0 }).collect()
    }

    fn built(mut set: PieceSet) -> PieceSet {
        for piece in &mut set.pieces {
            piece.progress = Progress::Built { mesh: None, bounds: Aabb::default(), frames: FRAMES };
        }
        set
    }

    fn wanted(set: &PieceSet) -> Vec<usize> {
        let is_wanted = |piece: &Piece| matches!(piece.progress, Progress::Wanted);
        (0..set.pieces.len()).filter(|&index| is_wanted(&set.pieces[index])).collect()
    }

    #[test]
    fn what_hands_dig_builds_anew_what_is_near() {
        let noise = || VolumeShape::Carve { noise: perlin().feature_size(20.0).into() };
        let dig = |x: f64| VolumeShape::dig(DVec3::new(x, 0.0, 10.0), DVec3::new(x, 0.0, 20.0), 3.0);
        let shown = built(PieceSet::new(hole(vec![noise(), dig(0.0)]), 1, &layout(), None));
        let next =
            |shapes: Vec<VolumeShape>, generation| PieceSet::new(hole(shapes), generation, &layout(), Some(&shown));
        assert!(wanted(&next(vec![noise(), dig(0.0)], 1)).is_empty());
        // In the middle of a piece, and beside a border.
        assert_eq!(wanted(&next(vec![noise(), dig(0.0), dig(90.0)], 1)), [7, 11]);
        assert_eq!(wanted(&next(vec![noise(), dig(0.0), dig(70.0)], 1)), [6, 7, 10, 11]);
        assert_eq!(wanted(&next(vec![noise()], 1)), [5, 6, 9, 10]);
        // Noises reach everywhere, and are others with another number.
        assert_eq!(wanted(&next(vec![noise(), dig(0.0), noise()], 1)).len(), 16);
        assert_eq!(wanted(&next(vec![dig(0.0), noise()], 1)).len(), 16);
        assert_eq!(wanted(&next(vec![noise(), dig(0.0)], 2)).len(), 16);
    }

    #[test]
    fn what_edits_of_the_land_touch_is_built_anew() {
        let mut shown = built(PieceSet::new(hole(Vec::new()), 1, &layout(), None));
        let holds = |shown: &PieceSet| shown.is(&hole_of(shown), 1);
        assert!(holds(&shown));
        let stroke = Rect { min: [-120.0, 100.0], max: [-110.0, 110.0] };
        shown.note_changes(|rect| rect.touches(&stroke));
        assert!(!holds(&shown));
        assert_eq!(wanted(&PieceSet::new(shown.hole.clone(), 1, &layout(), Some(&shown))), [12]);
    }

    fn hole_of(set: &PieceSet) -> VolumeHole {
        (*set.hole).clone()
    }
}
