//! One terrain that is being saved: what is on disk, and what is on its way.

use std::sync::Arc;
use std::time::Duration;

use bevy::platform::time::Instant;
use bevy::tasks::{IoTaskPool, Task, TaskPool, block_on};

use super::TerrainSave;
use super::autosave::TerrainAutosave;
use super::error::SaveError;
use super::record::Record;
use super::snapshot::Snapshot;
use super::store::{Fold, FoldError, SaveStore};
use crate::change_log::Revision;
use crate::preset_asset::TerrainPreset;

/// After an error, the next attempt comes this much later.
const PAUSE: Duration = Duration::from_secs(1);

/// A state of a terrain.
#[derive(Debug)]
pub struct Recorded {
    world: Arc<TerrainPreset>,
    /// Of edits and of what is taken away.
    revisions: [Revision; 2],
}

impl Recorded {
    pub fn of(save: &TerrainSave) -> Self {
        Self { world: Arc::new(save.world.clone()), revisions: [save.edits.revision(), save.removed.revision()] }
    }
}

/// What came of it.
#[derive(Debug)]
pub enum Outcome {
    /// Everything up to this state of the edits is on disk.
    Saved(Revision),
    Failed(SaveError),
}

enum Work {
    Append(Record),
    Write(TerrainSave),
}

/// Something to write, and the state that is on disk then.
struct Job {
    store: SaveStore,
    work: Work,
    state: Recorded,
    with_journal: bool,
    fold_above: u64,
}

struct Done {
    store: SaveStore,
    result: Result<Recorded, SaveError>,
    fold: Result<Option<Fold>, SaveError>,
}

impl Job {
    fn run(self) -> Done {
        let Self { mut store, work, state, with_journal, fold_above } = self;
        let result = match &work {
            Work::Append(record) => store.append(record),
            Work::Write(save) => store.write(save, with_journal),
        };
        let fold = if result.is_ok() { store.seal(fold_above) } else { Ok(None) };
        Done { store, result: result.map(|()| state), fold }
    }
}

/// A terrain that is being saved.
pub struct Session {
    /// `None` while a job has it.
    store: Option<SaveStore>,
    job: Option<Task<Done>>,
    fold: Option<Task<Result<(), FoldError>>>,
    /// What is on disk; `None` if that does not matter.
    recorded: Option<Recorded>,
    /// When settings and looks were last compared with those on disk.
    compared: Option<Instant>,
    /// After an error, when to try again.
    retry: Option<Instant>,
}

impl Session {
    pub fn new(store: SaveStore, recorded: Option<Recorded>) -> Self {
        Self { store: Some(store), job: None, fold: None, recorded, compared: None, retry: None }
    }

    /// Takes what is done, and begins what is to be done. Nothing here waits for the disk.
    pub fn update(&mut self, settings: &TerrainAutosave, now: &Snapshot) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        if let Some(job) = self.job.take_if(|job| job.is_finished()) {
            self.take(block_on(job), &mut outcomes);
        }
        if let Some(fold) = self.fold.take_if(|fold| fold.is_finished()) {
            self.take_fold(block_on(fold), &mut outcomes);
        }
        if self.retry.is_none_or(|at| Instant::now() >= at)
            && let Some(job) = self.next_job(settings, now, false)
        {
            self.job = Some(pool().spawn(async move { job.run() }));
        }
        outcomes
    }

    /// Waits until everything is on disk.
    pub fn finish(&mut self, settings: &TerrainAutosave, now: &Snapshot) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        if let Some(job) = self.job.take() {
            self.take(block_on(job), &mut outcomes);
        }
        if let Some(fold) = self.fold.take() {
            self.take_fold(block_on(fold), &mut outcomes);
        }
        if let Some(job) = self.next_job(settings, now, true) {
            // What could be folded now can be so the next time.
            self.take(Job { fold_above: u64::MAX, ..job }.run(), &mut outcomes);
        }
        outcomes
    }

    fn take(&mut self, done: Done, outcomes: &mut Vec<Outcome>) {
        self.store = Some(done.store);
        match done.result {
            Ok(state) => {
                outcomes.push(Outcome::Saved(state.revisions[0]));
                self.recorded = Some(state);
                self.retry = None;
            }
            Err(error) => self.fail(error, outcomes),
        }
        match done.fold {
            Ok(Some(fold)) => self.fold = Some(pool().spawn(async move { fold.run() })),
            Ok(None) => {}
            Err(error) => self.fail(error, outcomes),
        }
    }

    fn take_fold(&mut self, result: Result<(), FoldError>, outcomes: &mut Vec<Outcome>) {
        if let Err(FoldError { error, is_lost }) = result {
            if is_lost {
                // The journal is worth nothing without its save.
                self.recorded = None;
            }
            self.fail(error, outcomes);
        }
    }

    fn fail(&mut self, error: SaveError, outcomes: &mut Vec<Outcome>) {
        self.compared = None;
        self.retry = Some(Instant::now() + PAUSE);
        outcomes.push(Outcome::Failed(error));
    }

    /// What is to be written, if anything. A look at two numbers, as long as nothing has changed.
    fn next_job(&mut self, settings: &TerrainAutosave, now: &Snapshot, is_last: bool) -> Option<Job> {
        let store = self.store.as_ref()?;
        let time = Instant::now();
        let is_due = is_last || self.compared.is_none_or(|at| time.duration_since(at) >= settings.every);
        let revisions = now.revisions();
        // Otherwise a whole save has to be written.
        let recorded = self.recorded.as_ref().filter(|_| store.has_journal() == settings.journal);
        let is_same = recorded.is_some_and(|recorded| recorded.revisions == revisions);
        if recorded.is_some() && !is_due && (is_same || !settings.journal) {
            return None;
        }
        let saved = self.recorded.as_ref().map(|recorded| &recorded.world);
        let changed = (is_due || saved.is_none()).then(|| self.changed_world(now)).flatten();
        if is_due {
            self.compared = Some(time);
        }
        if is_same && changed.is_none() {
            return None;
        }
        let recorded = recorded.filter(|_| settings.journal);
        let record = recorded.and_then(|recorded| now.since(recorded.revisions));
        let world = changed.clone().or_else(|| saved.cloned())?;
        let work = match record {
            Some(record) => Work::Append(Record { world: changed.as_deref().cloned(), ..record }),
            // The save that it writes must not take this one's place.
            None if self.fold.is_some() => return None,
            None => Work::Write(now.save((*world).clone())),
        };
        let state = Recorded { world, revisions };
        let fold_above = if self.fold.is_some() { u64::MAX } else { settings.fold_above };
        Some(Job { store: self.store.take()?, work, state, with_journal: settings.journal, fold_above })
    }

    /// Settings and looks, if they are others than those on disk.
    fn changed_world(&self, now: &Snapshot) -> Option<Arc<TerrainPreset>> {
        let saved = self.recorded.as_ref().map(|recorded| &*recorded.world);
        let world = now.world(saved);
        // Invalid ones are not those of the land: the last valid ones are.
        let is_other = saved.is_none_or(|saved| *saved != world && world.validate().is_ok());
        is_other.then(|| Arc::new(world))
    }
}

fn pool() -> &'static TaskPool {
    IoTaskPool::get_or_init(TaskPool::default)
}
