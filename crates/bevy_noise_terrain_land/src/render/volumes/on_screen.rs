//! A volume on screen, and what will take its place.

use std::sync::Arc;

use bevy::camera::visibility::NoAutoAabb;
use bevy::mesh::MeshTag;
use bevy::platform::time::Instant;
use bevy::prelude::*;

use super::Drawn;
use super::layout::{Layout, Place};
use super::piece_set::{FRAMES, Piece, PieceSet, Progress};
use crate::edits::{Change, VolumeHole};
use crate::render::pool::VertexPool;
use crate::render::render_layers::DrawnPart;
use crate::streaming::Land;
use crate::terrain::TerrainOrigin;
use crate::volumes::VolumeMesh;

/// A volume on screen.
#[derive(Default)]
pub(super) struct OnScreen {
    pub is_wanted: bool,
    shown: Option<PieceSet>,
    /// Frames since it is shown.
    frames: u32,
    /// What will take its place, on the land on screen.
    next: Option<PieceSet>,
    /// The same on the land that comes.
    ahead: Option<PieceSet>,
    /// What could not be built, and of which land.
    failed: Vec<(Arc<VolumeHole>, u64)>,
}

/// Where entities are spawned.
pub(super) struct Spawner<'a, 'w, 's> {
    pub commands: &'a mut Commands<'w, 's>,
    pub terrain: Entity,
    pub origin: &'a TerrainOrigin,
    pub pool: &'a VertexPool,
}

impl OnScreen {
    /// Whether the graphics card draws it.
    pub fn is_shown(&self) -> bool {
        self.shown.is_some() && self.frames >= FRAMES
    }

    /// The number of pieces that are not on screen yet in their final form.
    pub fn pending(&self) -> usize {
        match &self.next {
            // A set is shown as a whole.
            Some(next) => next.pieces.iter().filter(|piece| !piece.is_ready()).count().max(1),
            None => usize::from(self.shown.is_some() && !self.is_shown()),
        }
    }

    /// Whether pieces still morph from the coarser surface that was there before to their own.
    pub fn is_fading(&self) -> bool {
        self.shown.iter().flat_map(|shown| &shown.pieces).any(|piece| piece.fade() > 0.0)
    }

    /// Notes changes of the land on screen; without a list, anything may have changed.
    pub fn note_changes(&mut self, changes: Option<&[Change]>) {
        for set in [&mut self.shown, &mut self.next].into_iter().flatten() {
            set.note_changes(|rect| {
                changes.is_none_or(|changes| changes.iter().any(|change| !change.is_hole && change.rect.touches(rect)))
            });
        }
    }

    /// Forgets the entities that the app has despawned.
    pub fn forget_lost(&mut self, entities: &Drawn) {
        for piece in self.shown.iter_mut().flat_map(|shown| &mut shown.pieces) {
            piece.entity = piece.entity.filter(|&entity| entities.contains(entity));
        }
    }

    /// Shows what the graphics card has by now.
    pub fn pass_frame(&mut self, land: &Land, coming: Option<&Land>, spawner: &mut Spawner) {
        let generation = land.generation();
        if self.ahead.as_ref().is_some_and(|ahead| ahead.generation == generation) {
            self.next = self.ahead.take();
        }
        self.ahead = self.ahead.take().filter(|ahead| coming.is_some_and(|land| land.generation() == ahead.generation));
        self.next = self.next.take().filter(|next| next.generation == generation && self.is_wanted);
        self.frames = self.frames.saturating_add(1);
        for set in [&mut self.next, &mut self.ahead].into_iter().flatten() {
            set.pass_frame();
        }
        if let Some(next) = self.next.take_if(|next| next.is_ready()) {
            self.show(next, spawner);
        }
        for piece in self.shown.iter_mut().flat_map(|shown| &mut shown.pieces) {
            piece.spawn(spawner);
        }
    }

    /// Shows a set. Pieces that were not there before get their entities later in this frame.
    fn show(&mut self, mut next: PieceSet, spawner: &mut Spawner) {
        let is_first = self.shown.is_none();
        let mut old = self.shown.take();
        for piece in &mut next.pieces {
            let Progress::Built { mesh, .. } = &piece.progress else { continue };
            let known = old.as_mut().and_then(|old| old.pieces.iter_mut().find(|old| old.draws(mesh.as_ref())));
            if let Some(known) = known {
                (piece.entity, piece.since, piece.is_stale) = (known.entity.take(), known.since, known.is_stale);
                continue;
            }
            let before = old.as_ref().and_then(|old| old.finest_in(&piece.place.rect));
            piece.since = before.is_some_and(|before| before > piece.place.level).then(Instant::now);
        }
        for piece in old.into_iter().flat_map(|old| old.pieces) {
            piece.remove(spawner.commands);
        }
        if is_first {
            self.frames = 0;
        }
        self.shown = Some(next);
    }

    /// Begins another set where what is shown is not what is wanted.
    pub fn plan(&mut self, layout: &Layout, land: &Land, coming: Option<&Land>) {
        let hole = layout.hole;
        let has_failed =
            |generation: u64| self.failed.iter().any(|(failed, of)| **failed == *hole && *of == generation);
        let shown = self.shown.as_ref();
        // What is shown of a box in the same place, at its levels.
        let rect = hole.volume.rect(hole.spacing);
        let places = || match shown {
            Some(shown) if shown.hole.volume.rect(shown.hole.spacing) == rect => shown.places(),
            _ => layout.whole(),
        };
        let generation = land.generation();
        if self.next.is_none() && !has_failed(generation) {
            // Either its levels change, or what it is.
            let next = match shown.filter(|shown| shown.is(hole, generation)) {
                Some(shown) => {
                    let places = shown.places();
                    Some(layout.step(&places)).filter(|next| *next != places)
                }
                None => Some(places()),
            };
            self.next = next.map(|places| PieceSet::new(Arc::new(hole.clone()), generation, &places, shown));
        }
        if let Some(coming) = coming
            && self.ahead.as_ref().is_none_or(|ahead| *ahead.hole != *hole)
            && !has_failed(coming.generation())
        {
            self.ahead = Some(PieceSet::new(Arc::new(hole.clone()), coming.generation(), &places(), None));
        }
    }

    /// The next piece to build of a generation; it counts as begun.
    pub fn next_piece(&mut self, generation: u64) -> Option<(Arc<VolumeHole>, Place)> {
        let sets = [&mut self.next, &mut self.ahead].into_iter().flatten();
        let set = sets.into_iter().find(|set| set.generation == generation)?;
        let piece = set.pieces.iter_mut().find(|piece| matches!(piece.progress, Progress::Wanted))?;
        piece.progress = Progress::Building;
        Some((set.hole.clone(), piece.place))
    }

    /// Takes over what has been built, or could not be.
    pub fn take(
        &mut self,
        hole: &Arc<VolumeHole>,
        generation: u64,
        place: Place,
        built: Option<VolumeMesh>,
        meshes: &mut Assets<Mesh>,
    ) {
        for slot in [&mut self.next, &mut self.ahead] {
            let Some(set) = slot.as_mut().filter(|set| Arc::ptr_eq(&set.hole, hole)) else { continue };
            let Some(piece) = set.pieces.iter_mut().find(|piece| piece.place == place) else { continue };
            if let Some(VolumeMesh { mesh, bounds }) = built {
                let mesh = mesh.map(|mesh| meshes.add(mesh));
                piece.progress = Progress::Built { mesh, bounds, frames: 0 };
            } else {
                let [x, z] = hole.volume.center;
                warn!("the volume at {x}, {z} could not be built: its land has no heights, or it has too many cells");
                // The land on screen and that which comes.
                self.failed.truncate(1);
                self.failed.insert(0, (hole.clone(), generation));
                *slot = None;
            }
            return;
        }
    }

    /// Moves what is shown to where it is, seen from the origin.
    pub fn place(&self, entities: &mut Drawn, origin: &TerrainOrigin, pool: &VertexPool) {
        for piece in self.shown.iter().flat_map(|shown| &shown.pieces) {
            let Some((mut transform, mut material, mut tag)) =
                piece.entity.and_then(|entity| entities.get_mut(entity).ok())
            else {
                continue;
            };
            transform.set_if_neq(Transform::from_translation(piece.corner(origin)));
            tag.set_if_neq(MeshTag::new(piece.tag()));
            if material.0 != pool.volume_material {
                material.0 = pool.volume_material.clone();
            }
        }
    }

    /// Takes it from the screen.
    pub fn remove(&mut self, commands: &mut Commands) {
        for piece in self.shown.take().into_iter().flat_map(|shown| shown.pieces) {
            piece.remove(commands);
        }
    }
}

impl Piece {
    /// Whether it draws this mesh.
    fn draws(&self, mesh: Option<&Handle<Mesh>>) -> bool {
        let Progress::Built { mesh: own, .. } = &self.progress else { return false };
        mesh.is_some() && own.as_ref() == mesh
    }

    /// Its level and its fade: `VolumeVertex` in render/terrain.wesl.
    fn tag(&self) -> u32 {
        u32::from(self.place.level) | ((self.fade() * 255.0).round() as u32) << 8
    }

    /// Its corner of least x and z, relative to the terrain's origin.
    fn corner(&self, origin: &TerrainOrigin) -> Vec3 {
        let [x, z] = self.place.rect.min;
        Vec3::new((x - origin.x) as f32, 0.0, (z - origin.z) as f32)
    }

    /// Spawns its entity, if it has something to show and none is there.
    fn spawn(&mut self, spawner: &mut Spawner) {
        let Progress::Built { mesh: Some(mesh), bounds, .. } = &self.progress else { return };
        if self.entity.is_some() {
            return;
        }
        let entity = spawner.commands.spawn((
            DrawnPart,
            Mesh3d(mesh.clone()),
            MeshMaterial3d(spawner.pool.volume_material.clone()),
            MeshTag::new(self.tag()),
            *bounds,
            NoAutoAabb,
            Transform::from_translation(self.corner(spawner.origin)),
            Visibility::default(),
            ChildOf(spawner.terrain),
        ));
        self.entity = Some(entity.id());
    }

    fn remove(self, commands: &mut Commands) {
        if let Some(entity) = self.entity {
            commands.entity(entity).try_despawn();
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::camera::primitives::Aabb;
    use bevy::math::DVec3;

    use super::*;
    use crate::edits::Rect;
    use crate::volumes::{Prepared, TerrainVolume, VolumeId, VolumeKey, VolumeShape};

    #[test]
    fn pieces_are_pending_until_the_last_of_them_is_drawn() {
        let shapes = vec![VolumeShape::dig(DVec3::ZERO, DVec3::Y, 3.0)];
        let volume = Arc::new(Prepared::new(TerrainVolume { size: [128.0; 2], shapes, ..default() }).unwrap());
        let hole = VolumeHole { key: VolumeKey::Listed(VolumeId(0)), volume, spacing: 1.0, is_drawn: false };
        let rects = [[-64.0, -64.0], [0.0, -64.0], [-64.0, 0.0], [0.0, 0.0]]
            .map(|min: [f64; 2]| Rect { min, max: min.map(|at| at + 64.0) });
        let mut set = PieceSet::new(Arc::new(hole), 1, &rects.map(|rect| Place { rect, level: 0 }), None);
        let mut volume = OnScreen::default();
        assert_eq!(volume.pending(), 0, "nothing is wanted");
        for piece in &mut set.pieces[1..] {
            piece.progress = Progress::Built { mesh: None, bounds: Aabb::default(), frames: FRAMES };
        }
        set.pieces[1].progress = Progress::Building;
        volume.next = Some(set);
        assert_eq!(volume.pending(), 2, "one is to be built, one is being built");
        for piece in &mut volume.next.as_mut().unwrap().pieces {
            piece.progress = Progress::Built { mesh: None, bounds: Aabb::default(), frames: FRAMES };
        }
        assert_eq!(volume.pending(), 1, "all are there, and none is shown");
        volume.shown = volume.next.take();
        assert_eq!(volume.pending(), 1, "the graphics card does not have them yet");
        volume.frames = FRAMES;
        assert_eq!(volume.pending(), 0);
        volume.shown.as_mut().unwrap().pieces[3].since = Some(Instant::now());
        assert!(volume.is_fading(), "a piece begins as the coarser surface");
    }
}
