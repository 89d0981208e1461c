//! Applies changed settings. No other stage reads them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use super::patch::Patch;
use super::slots::Slots;
use super::{LandSettings, LandSettingsItem, Next, TerrainDescriptor, TerrainState};
use crate::climate::TerrainClimate;
use crate::edits::{HoleSet, LandEdits, TerrainEdits, TerrainHoles, VolumeHole};
use crate::settings::{self, SettingsError};
use crate::source::TerrainSource;
use crate::terrain::{NoiseTerrain, TerrainStreaming};
use crate::volumes::{DrawnVolumes, TerrainVolumes, VolumePlaces, VolumeScatter};

type Terrain = (Entity, LandSettings, Option<Ref<'static, DrawnVolumes>>, &'static mut TerrainState);

/// The settings last applied, to tell a new shape from new budgets.
pub(super) struct Applied {
    terrain: NoiseTerrain,
    source: Option<TerrainSource>,
    climate: Arc<TerrainClimate>,
}

impl Applied {
    pub fn climate(&self) -> Arc<TerrainClimate> {
        self.climate.clone()
    }
}

/// The number of slots that fit in one buffer of the device. The resource exists only with a renderer.
#[derive(Resource, Clone, Copy)]
pub(crate) struct SlotLimit(pub u32);

/// Applies changed settings, or rejects them and leaves everything as it is.
pub(crate) fn apply_settings(
    mut commands: Commands,
    mut terrains: Query<Terrain>,
    mut removed: RemovedComponents<TerrainSource>,
    mut gone: Gone,
    limit: Option<Res<SlotLimit>>,
) {
    let removed: Vec<Entity> = removed.read().collect();
    let changed: Vec<Entity> = gone.read();
    for (entity, settings, drawn, mut state) in &mut terrains {
        let has_other_edits =
            settings.is_edited() || drawn.as_ref().is_some_and(Ref::is_changed) || changed.contains(&entity);
        let touched = settings.is_reshaped() || removed.contains(&entity);
        if !has_other_edits && !touched {
            continue;
        }
        match &settings.volume_scatter {
            None => state.volume_places = VolumePlaces::default(),
            Some(scatter) if scatter.is_changed() => {
                match scatter.validate().and_then(|()| VolumePlaces::new(scatter)) {
                    Ok(places) => state.volume_places = places,
                    Err(error) => settings::reject(&mut commands, Some(entity), error),
                }
            }
            Some(_) => {}
        }
        let drawn = drawn.as_deref().filter(|_| limit.is_some());
        let holes = holes(&settings, &state.volume_places, drawn, limit.is_some());
        let edits = settings.edits.as_ref().map(|edits| edits.tree().clone()).unwrap_or_default();
        let land = LandEdits { edits, holes };
        let LandSettingsItem { terrain, source, .. } = settings;
        if has_other_edits {
            state.edit(land.clone());
        }
        if !touched {
            continue;
        }
        let source = source.map(|source| (*source).clone());
        match shape_change(&terrain, source.as_ref(), land, state.applied.as_ref()) {
            Ok(change) => {
                state.change(change, terrain.streaming, limit.as_deref().copied());
                let climate = Arc::new(terrain.climate.clone());
                state.applied = Some(Applied { terrain: (*terrain).clone(), source, climate });
            }
            Err(error) => settings::reject(&mut commands, Some(entity), error),
        }
    }
}

/// Before the first frame, the land is that of the settings as they were inserted. Whoever asks for it then has to read none
/// of these components, and may change them.
pub(crate) fn on_insert(
    inserted: On<Insert<(NoiseTerrain, TerrainSource, TerrainEdits, TerrainHoles, TerrainVolumes, VolumeScatter)>>,
    mut terrains: Query<(LandSettings, &mut TerrainState)>,
) {
    if let Ok((settings, mut state)) = terrains.get_mut(inserted.entity)
        && state.shown.is_none()
    {
        state.first = first_land(&settings).map(|land| (land, Arc::new(settings.terrain.climate.clone())));
    }
}

/// The land of valid settings.
fn first_land(settings: &LandSettingsItem) -> Option<TerrainDescriptor> {
    let scatter = settings.volume_scatter.as_ref().filter(|scatter| scatter.validate().is_ok());
    let places = scatter.and_then(|scatter| VolumePlaces::new(scatter).ok()).unwrap_or_default();
    let holes = holes(settings, &places, None, false);
    let edits = settings.edits.as_ref().map(|edits| edits.tree().clone()).unwrap_or_default();
    shape_change(&settings.terrain, settings.source.as_deref(), LandEdits { edits, holes }, None).ok()?
}

/// The holes of a terrain, and of its volumes. With a renderer, those that are not drawn yet are hidden by the land.
fn holes(
    settings: &LandSettingsItem,
    places: &VolumePlaces,
    drawn: Option<&DrawnVolumes>,
    has_renderer: bool,
) -> HoleSet {
    let holes = settings.holes.as_ref().map(|holes| holes.set().clone()).unwrap_or_default();
    let spacing = settings.terrain.lod.spacing;
    let volumes = settings.volumes.as_ref().filter(|volumes| !volumes.is_empty());
    if volumes.is_none() && places.is_empty() || spacing <= 0.0 {
        return holes;
    }
    let is_drawn = |hole: &VolumeHole| !has_renderer || drawn.is_some_and(|drawn| drawn.contains(hole));
    let listed = volumes.into_iter().flat_map(|volumes| volumes.holes(spacing));
    let listed = listed.map(|hole| VolumeHole { is_drawn: is_drawn(&hole), ..hole });
    let scattered = drawn.into_iter().flat_map(|drawn| &drawn.0);
    let scattered = scattered.filter(|hole| places.has(hole) && hole.spacing == spacing).cloned();
    holes.with_volumes(listed.chain(scattered), places, spacing)
}

/// Terrains that have lost edits, holes or volumes.
#[derive(SystemParam)]
pub(crate) struct Gone<'w, 's> {
    edits: RemovedComponents<'w, 's, TerrainEdits>,
    holes: RemovedComponents<'w, 's, TerrainHoles>,
    volumes: RemovedComponents<'w, 's, TerrainVolumes>,
    volume_scatter: RemovedComponents<'w, 's, VolumeScatter>,
}

impl Gone<'_, '_> {
    fn read(&mut self) -> Vec<Entity> {
        let edits = self.edits.read().chain(self.holes.read());
        edits.chain(self.volumes.read()).chain(self.volume_scatter.read()).collect()
    }
}

/// Announces the removal of every chunk of a despawned terrain while the chunk entities are still alive.
pub(crate) fn on_despawn(despawned: On<Despawn<TerrainState>>, states: Query<&mut TerrainState>, commands: Commands) {
    abandon(despawned.entity, states, commands);
}

/// A terrain without its settings has no land.
pub(crate) fn on_remove(removed: On<Remove<NoiseTerrain>>, states: Query<&mut TerrainState>, commands: Commands) {
    abandon(removed.entity, states, commands);
}

fn abandon(terrain: Entity, mut states: Query<&mut TerrainState>, mut commands: Commands) {
    if let Ok(mut state) = states.get_mut(terrain) {
        state.abandon(&mut commands);
    }
}

/// The new descriptor, or `None` if only budgets changed.
fn shape_change(
    terrain: &NoiseTerrain,
    source: Option<&TerrainSource>,
    land: LandEdits,
    applied: Option<&Applied>,
) -> Result<Option<TerrainDescriptor>, SettingsError> {
    terrain.validate()?;
    let same = applied.is_some_and(|applied| {
        let sources = match (source, &applied.source) {
            (Some(new), Some(old)) => Arc::ptr_eq(&new.0, &old.0),
            (None, None) => terrain.noise == applied.terrain.noise && terrain.seed == applied.terrain.seed,
            _ => false,
        };
        sources && terrain.lod == applied.terrain.lod
    });
    if same {
        return Ok(None);
    }
    let source = match source {
        Some(source) => source.0.clone(),
        None => terrain.heights()?,
    };
    Ok(Some(TerrainDescriptor::new(source, land, terrain.lod)))
}

impl TerrainDescriptor {
    /// Height of the finest vertices' surface at an absolute position, if the source has one there.
    pub(crate) fn height(&self, position: [f64; 2]) -> Option<f64> {
        let height = || self.source.height(position, self.lod.spacing);
        // A source that panics must not end the app.
        let height = catch_unwind(AssertUnwindSafe(height)).ok()?;
        height.is_finite().then(|| f64::from(height))
    }
}

impl TerrainState {
    fn change(&mut self, shape: Option<TerrainDescriptor>, settings: TerrainStreaming, limit: Option<SlotLimit>) {
        let capacity = settings.capacity(limit.is_some()).min(limit.map_or(u32::MAX, |limit| limit.0));
        if self.slots.capacity() != capacity {
            self.resize(capacity);
        }
        if self.settings.keep_vertices != settings.keep_vertices {
            self.kept.clear();
        }
        self.settings = settings;
        if let Some(shape) = shape {
            self.next = Some(Next::Generation(shape));
        }
    }

    /// Replaces the pool: every chunk in it is built again, the coarsest ones in this frame.
    fn resize(&mut self, capacity: u32) {
        let patched = self.patch.as_ref().map(Patch::shape);
        let pending = self.pending.as_ref().map(|pending| &pending.shape);
        let newest = pending.or(patched).or(self.shown.as_ref().map(|shown| &shown.shape)).cloned();
        self.next = match (self.next.take(), newest) {
            (None, newest) => newest.map(Next::Generation),
            (Some(Next::Edits(land)), Some(newest)) => Some(Next::Generation(newest.with_edits(land))),
            (next, _) => next,
        };
        self.clear_pool(capacity);
    }

    /// Empties the pool; its chunks are despawned later.
    pub(super) fn clear_pool(&mut self, capacity: u32) {
        self.slots = Slots::new(capacity);
        self.uploads.clear();
        self.kept.clear();
        self.evictable = default();
        self.patch = None;
        self.drawn.clear();
        let unseen = self
            .pending
            .take()
            .into_iter()
            .flat_map(|generation| generation.chunks.into_chunks())
            .map(|(_, chunk)| (chunk.entity, None));
        self.retired.extend(unseen);
        let seen = self.shown.take().into_iter().flat_map(|generation| generation.chunks.into_chunks());
        self.retired.extend(seen.map(|(key, chunk)| (chunk.entity, Some(key))));
    }
}
