//! Terrains that save themselves.

use std::path::PathBuf;
use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::platform::time::Instant;
use bevy::prelude::*;

use super::error::{SaveError, SaveErrorReason};
use super::session::{Outcome, PAUSE, Recorded, Session};
use super::snapshot::{Parts, Snapshot, Weather};
use super::store::{SaveReplay, SaveStore};
use crate::change_log::Revision;
#[cfg(feature = "sky")]
use crate::sky::TerrainSky;
use crate::spawn_order::SpawnOrder;
use crate::wind::TerrainWind;

/// On a terrain: it is what its file says, and its file is what it is. A program or a machine that stops at any moment loses
/// the stroke under way, and no other.
///
/// When it is inserted, the file is read and applied, if there is one: a file that has not been read is never overwritten. If
/// there is none, it is written before the frame ends.
/// From then on, each change of [`TerrainEdits`](crate::edits::TerrainEdits), [`TerrainHoles`](crate::edits::TerrainHoles),
/// [`TerrainVolumes`](crate::volumes::TerrainVolumes) and [`RemovedScatter`](crate::scatter::RemovedScatter) is added to a journal beside the file before the frame ends, so that a
/// program that is killed has lost none, and is put on disk in the background, so that soon no power failure can take it;
/// settings and looks follow less often. Many changes at once, or another list in the place of the old one, take their frame
/// some 2 µs an edit; stamped images are written in the background, and so are the changes that come while they are.
/// [`TerrainSaved`] tells what is on disk, and [`TerrainSaveFailed`] what went wrong. When the app exits, or the terrain or
/// this component goes, the last changes are waited for.
///
/// ```no_run
/// # use bevy_noise_terrain_land as bevy_noise_terrain;
/// # use bevy::prelude::*;
/// # use bevy_noise_terrain::{TerrainAutosave, edits::TerrainEdits, prelude::*};
/// fn spawn_land(mut commands: Commands) {
///     commands.spawn((NoiseTerrain::default(), TerrainEdits::default(), TerrainAutosave::new("valley.save.ron")));
/// }
/// ```
///
/// The file is a [`TerrainSave`](crate::TerrainSave), which reads it with its journal; while it is kept here, no other program and
/// no other terrain writes it. One that comes while another has its file waits for it, and then begins with what it holds: a
/// game may spawn its next terrain before it despawns the last. To change the settings, insert the component again.
#[derive(Component, Clone, Debug, PartialEq, Eq, Reflect)]
#[component(immutable)]
#[reflect(Component, Default)]
#[require(AutosaveState)]
pub struct TerrainAutosave {
    /// The file. Its journals lie beside it and have longer names.
    pub path: PathBuf,
    /// Whether the terrain begins with what the file holds. If not, the file is replaced.
    pub load: bool,
    /// How often settings and looks are compared with those on disk; without a journal, how often everything is saved. Only
    /// what has changed is written.
    pub every: Duration,
    /// Whether there is a journal of what players change. Without one, all of it is written each time.
    pub journal: bool,
    /// Bytes of a journal that is made part of the file, in the background; not before the journal is larger than the file.
    pub fold_above: u64,
}

impl Default for TerrainAutosave {
    fn default() -> Self {
        Self::new("terrain.save.ron")
    }
}

impl TerrainAutosave {
    /// A file that the terrain begins with and is kept in, with a journal; settings are compared every 10 s.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), load: true, every: Duration::from_secs(10), journal: true, fold_above: 1 << 20 }
    }
}

/// A terrain has been read from its file. Targets the terrain's entity.
#[derive(EntityEvent, Clone, Debug)]
pub struct TerrainLoaded {
    /// The terrain.
    pub entity: Entity,
    /// The file.
    pub path: PathBuf,
    /// What its journal added.
    pub replay: SaveReplay,
}

/// Changes of a terrain are on disk. Targets the terrain's entity.
#[derive(EntityEvent, Clone, Debug)]
pub struct TerrainSaved {
    /// The terrain.
    pub entity: Entity,
    /// The file.
    pub path: PathBuf,
    /// The state of [`TerrainEdits`](crate::edits::TerrainEdits) up to which nothing can be lost.
    pub edits: Revision,
}

/// A terrain could not be read from its file or saved. Targets the terrain's entity.
///
/// What could not be saved is tried again after a second, with all that has changed since. A file that could not be read
/// stays as it is, and nothing is saved.
#[derive(EntityEvent, Debug)]
pub struct TerrainSaveFailed {
    /// The terrain.
    pub entity: Entity,
    /// The file and the reason.
    pub error: SaveError,
}

/// A terrain that is being saved, or waits for its file.
#[derive(Component, Default)]
pub(crate) enum AutosaveState {
    /// Its file could not be read.
    #[default]
    Closed,
    /// Another terrain or program keeps its file.
    Waiting {
        /// When to try again, if nothing happens before.
        again: Option<Instant>,
        /// Whether that has been reported.
        is_reported: bool,
    },
    /// What is on its way to the disk.
    Open(Box<Session>),
}

impl AutosaveState {
    const WAITING: Self = Self::Waiting { again: None, is_reported: false };

    fn session(&mut self) -> Option<&mut Session> {
        match self {
            Self::Open(session) => Some(session),
            Self::Closed | Self::Waiting { .. } => None,
        }
    }
}

/// Saves terrains with a [`TerrainAutosave`]. Part of [`NoiseTerrainPlugin`](crate::NoiseTerrainPlugin).
pub struct TerrainAutosavePlugin;

impl Plugin for TerrainAutosavePlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<TerrainAutosave>()
            .add_observer(open)
            .add_observer(close)
            .add_systems(Last, (open_waiting, save_changes, finish.run_if(on_message::<AppExit>)).chain());
        // Those that are there already.
        let world = app.world_mut();
        let early: Vec<_> =
            world.query::<(Entity, &TerrainAutosave)>().iter(world).map(|(e, a)| (e, a.clone())).collect();
        for (terrain, autosave) in early {
            world.entity_mut(terrain).insert(autosave);
        }
    }
}

/// Terrains that are being saved.
#[derive(SystemParam)]
struct Terrains<'w, 's> {
    terrains: Query<'w, 's, (Entity, &'static TerrainAutosave, &'static mut AutosaveState, Parts)>,
    wind: Option<Res<'w, TerrainWind>>,
    #[cfg(feature = "sky")]
    sky: Option<Res<'w, TerrainSky>>,
    commands: Commands<'w, 's>,
}

/// What a session does in a frame.
type Step = fn(&mut Session, &TerrainAutosave, &Snapshot) -> Vec<Outcome>;

impl Terrains<'_, '_> {
    /// Does it for one terrain, or for all.
    fn each(&mut self, only: Option<Entity>, step: Step) {
        for (entity, settings, mut state, parts) in &mut self.terrains {
            let Some(session) = state.session().filter(|_| only.is_none_or(|only| only == entity)) else { continue };
            let weather = Weather {
                wind: self.wind.as_deref(),
                #[cfg(feature = "sky")]
                sky: self.sky.as_deref(),
            };
            let now = Snapshot::new(parts, weather);
            for outcome in step(session, settings, &now) {
                match outcome {
                    Outcome::Saved(edits) => {
                        let path = settings.path.clone();
                        self.commands.trigger(TerrainSaved { entity, path, edits });
                    }
                    Outcome::Failed(error) => fail(&mut self.commands, entity, error),
                }
            }
        }
    }
}

/// Logs the error and triggers [`TerrainSaveFailed`].
fn fail(commands: &mut Commands, entity: Entity, error: SaveError) {
    error!("terrain {entity} is not saved: {error}");
    commands.trigger(TerrainSaveFailed { entity, error });
}

type Files<'w, 's> = Query<'w, 's, (Entity, &'static TerrainAutosave, &'static mut AutosaveState)>;

/// Reads the file of a terrain, and begins to keep it. One that another terrain keeps is waited for.
fn open(inserted: On<Insert<TerrainAutosave>>, mut files: Files, mut commands: Commands) {
    let entity = inserted.entity;
    let is_kept = is_kept(entity, &files);
    let Ok((_, settings, mut state)) = files.get_mut(entity) else { return };
    *state = if is_kept { AutosaveState::WAITING } else { opened(entity, settings, &mut commands) };
}

/// Whether another terrain keeps the file of this one.
fn is_kept(terrain: Entity, files: &Files) -> bool {
    let whole = |settings: &TerrainAutosave| std::path::absolute(&settings.path).ok();
    let Ok((_, own, _)) = files.get(terrain) else { return false };
    let is_open = |state: &AutosaveState| matches!(state, AutosaveState::Open(_));
    let others = files.iter().filter(|(other, _, state)| *other != terrain && is_open(state));
    others.into_iter().any(|(_, other, _)| whole(other) == whole(own))
}

fn opened(entity: Entity, settings: &TerrainAutosave, commands: &mut Commands) -> AutosaveState {
    let path = settings.path.clone();
    if !settings.load {
        return AutosaveState::Open(Box::new(Session::new(SaveStore::new(path), None)));
    }
    match SaveStore::open(path.clone()) {
        Ok((store, loaded)) => {
            let recorded = loaded.as_ref().map(|(save, _)| Recorded::of(save));
            if let Some((save, replay)) = loaded {
                save.apply(commands.entity(entity));
                commands.trigger(TerrainLoaded { entity, path, replay });
            }
            AutosaveState::Open(Box::new(Session::new(store, recorded)))
        }
        Err(SaveError { reason: SaveErrorReason::InUse, .. }) => AutosaveState::WAITING,
        Err(error) => {
            fail(commands, entity, error);
            AutosaveState::Closed
        }
    }
}

/// Opens files that are free by now, for the terrain that was spawned first.
fn open_waiting(mut files: Files, orders: Query<&SpawnOrder>, mut commands: Commands) {
    let is_due = |state: &AutosaveState| match state {
        AutosaveState::Waiting { again, .. } => again.is_none_or(|again| Instant::now() >= again),
        AutosaveState::Closed | AutosaveState::Open(_) => false,
    };
    let mut waiting: Vec<Entity> =
        files.iter().filter(|(.., state)| is_due(state)).map(|(entity, ..)| entity).collect();
    waiting.sort_by_key(|&entity| orders.get(entity).ok().copied());
    for entity in waiting {
        let is_kept = is_kept(entity, &files);
        let Ok((_, settings, mut state)) = files.get_mut(entity) else { continue };
        let now = if is_kept { AutosaveState::WAITING } else { opened(entity, settings, &mut commands) };
        let before = std::mem::replace(&mut *state, now);
        if let AutosaveState::Waiting { again, is_reported } = &mut *state {
            let was_reported = matches!(before, AutosaveState::Waiting { is_reported: true, .. });
            (*again, *is_reported) = (Some(Instant::now() + PAUSE), true);
            if !was_reported {
                fail(&mut commands, entity, SaveErrorReason::InUse.of(&settings.path));
            }
        }
    }
}

fn save_changes(mut terrains: Terrains) {
    terrains.each(None, Session::update);
}

/// The app exits: nothing is left behind.
fn finish(mut terrains: Terrains) {
    terrains.each(None, Session::finish);
}

/// The component goes, or another one comes.
fn close(discarded: On<Discard<TerrainAutosave>>, mut terrains: Terrains) {
    terrains.each(Some(discarded.entity), Session::finish);
    if let Ok((.., mut state, _)) = terrains.terrains.get_mut(discarded.entity) {
        *state = AutosaveState::Closed;
    }
    // Who waits for its file gets it before the frame ends.
    for (.., mut state, _) in &mut terrains.terrains {
        if let AutosaveState::Waiting { again, .. } = &mut *state {
            *again = None;
        }
    }
}
