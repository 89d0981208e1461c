//! How much of the land around a place is loaded, and the event that all of it is.

use bevy::platform::collections::HashSet;
use bevy::prelude::*;

use super::generation::Generation;
use super::{Next, TerrainState};
use crate::chunk::ChunkKey;
use crate::lod::{self, Ranges, Viewer};
use crate::spawn_order::SpawnOrder;
use crate::viewer::TerrainViewers;

/// How much of the land around a place is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
pub struct Readiness {
    /// Chunks that are loaded, or could not be built.
    pub loaded: u32,
    /// Chunks that the viewers there need; none while no viewer is there.
    pub needed: u32,
    /// Whether all of them are loaded and drawn at full detail, and no newer settings are on their way.
    pub is_ready: bool,
}

impl Readiness {
    /// The share that is loaded, from 0 to 1: for a progress bar.
    pub fn progress(&self) -> f32 {
        if self.needed == 0 { 0.0 } else { self.loaded as f32 / self.needed as f32 }
    }
}

/// Waits for the land around a place, for loading screens and teleports: on any entity, until [`TerrainReady`] is
/// triggered on it and this component is removed.
///
/// Land is loaded around viewers: it waits until one is within the radius, as a [`TerrainViewer`](crate::TerrainViewer).
///
/// ```
/// # use bevy_noise_terrain_land as bevy_noise_terrain;
/// # use bevy::prelude::*;
/// # use bevy_noise_terrain::{AwaitTerrain, TerrainReady, prelude::*};
/// fn arrive(mut commands: Commands, player: Single<Entity, With<TerrainViewer>>) {
///     commands.entity(*player).insert(AwaitTerrain::new([12_000.0, -400.0], 200.0)).observe(
///         |ready: On<TerrainReady>| info!("{} may step out now", ready.entity),
///     );
/// }
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component)]
pub struct AwaitTerrain {
    /// The terrain; none means the only one, or the one spawned first.
    pub terrain: Option<Entity>,
    /// Absolute x and z in metres.
    pub position: [f64; 2],
    /// Metres around it; land beyond the view distance does not count.
    pub radius: f64,
    /// How much is there. Updated every frame, for others to read.
    pub readiness: Readiness,
}

impl AwaitTerrain {
    /// Waits for the land within `radius` metres of an absolute position.
    pub fn new(position: [f64; 2], radius: f64) -> Self {
        Self { terrain: None, position, radius, readiness: Readiness::default() }
    }
}

/// The land that an [`AwaitTerrain`] waited for is there. Targets the entity that had it.
#[derive(EntityEvent, Clone, Copy, Debug)]
pub struct TerrainReady {
    /// The entity that waited.
    pub entity: Entity,
    /// The terrain that is ready there.
    pub terrain: Entity,
}

/// Updates [`AwaitTerrain`].
pub(crate) fn tell_of_ready_land(
    mut commands: Commands,
    mut waiting: Query<(Entity, &mut AwaitTerrain)>,
    terrains: Query<(Entity, &SpawnOrder, &TerrainState, &TerrainViewers)>,
) {
    for (entity, mut wait) in &mut waiting {
        let first = || terrains.iter().min_by_key(|(_, order, ..)| **order);
        let chosen = wait.terrain.map_or_else(first, |terrain| terrains.get(terrain).ok());
        let Some((terrain, _, state, viewers)) = chosen else { continue };
        let readiness = state.readiness(viewers, wait.position, wait.radius);
        if readiness != wait.readiness {
            wait.readiness = readiness;
        }
        if readiness.is_ready {
            // Somebody may despawn it in this very frame.
            commands.entity(entity).try_remove::<AwaitTerrain>();
            commands.trigger(TerrainReady { entity, terrain });
        }
    }
}

impl TerrainState {
    /// How much of the land within `radius` metres of an absolute position is there: see
    /// [`TerrainQuery::is_ready`](crate::TerrainQuery::is_ready).
    pub fn readiness(&self, viewers: &TerrainViewers, position: [f64; 2], radius: f64) -> Readiness {
        let Some(target) = self.pending.as_ref().or(self.shown.as_ref()) else { return Readiness::default() };
        if !position.iter().all(|metres| metres.is_finite()) {
            return Readiness::default();
        }
        let (lod, viewers) = (&target.shape.lod, viewers.as_slice());
        // In this order NaN becomes a number.
        let radius = radius.max(ChunkKey::new(0, 0, 0).width(lod.spacing)).min(target.reach);
        let away = |viewer: &Viewer| {
            let [x, z] = [0, 1].map(|axis| viewer.position[axis] - position[axis]);
            libm::hypot(x, z)
        };
        let near = viewers.iter().filter(|viewer| away(viewer) <= radius);
        // From the eye to the far side of the area: ranges are measured from the eye, high as it may be.
        let Some(far) = near.map(|viewer| libm::hypot(away(viewer) + radius, viewer.height)).reduce(f64::max) else {
            return Readiness::default();
        };
        let goal = self.goal(target, viewers);
        let is_loaded = |key: &ChunkKey| target.chunks.contains(*key) || target.failed.contains(key);
        let (mut loaded, mut needed) = (0, 0);
        let middle = [Viewer { position, ..Viewer::default() }];
        let mut open = lod::roots(&middle, lod, radius);
        while let Some(key) = open.pop() {
            needed += 1;
            loaded += u32::from(is_loaded(&key));
            // Below a chunk that could not be built nothing is drawn.
            let is_there = !target.failed.contains(&key);
            if is_there && goal.splits(key, lod::distance(viewers, &key.square(lod.spacing))) {
                let is_near = |child: &ChunkKey| lod::distance(&middle, &child.square(lod.spacing)) < radius;
                open.extend(key.children().into_iter().flatten().filter(is_near));
            }
        }
        let drawn = (0..lod.top_level()).all(|level| target.ranges.of(level) >= goal.of(level).min(far));
        let is_retuning = self.pending.is_some() || matches!(self.next, Some(Next::Generation(_)));
        let is_current = !is_retuning && !self.is_editing(position, radius);
        Readiness { loaded, needed, is_ready: is_current && drawn && loaded == needed }
    }

    /// How far each level will reach in the end. Where not all fits in memory, what is wanted is all there will be; chunks
    /// that could not be built never come.
    fn goal(&self, target: &Generation, viewers: &[Viewer]) -> Ranges {
        let lod = &target.shape.lod;
        if !self.demand.is_cut && target.failed.is_empty() {
            return Ranges::full(lod);
        }
        let wanted: HashSet<ChunkKey> = self.wanted.iter().map(|wanted| wanted.key).collect();
        let comes = |key| !target.failed.contains(&key) && (!self.demand.is_cut || wanted.contains(&key));
        let can_split = |key: ChunkKey| key.children().is_some_and(|children| children.into_iter().all(comes));
        Ranges::reachable(lod, viewers, &target.possible_roots(), can_split)
    }
}
