//! One terrain that is being saved: what its file has, and what is on its way.

use std::sync::Arc;
use std::time::Duration;

use bevy::platform::time::Instant;
use bevy::tasks::{IoTaskPool, Task, TaskPool, block_on};

use super::TerrainSave;
use super::autosave::TerrainAutosave;
use super::error::SaveError;
use super::folding::Folding;
use super::journal::Flush;
use super::record::Record;
use super::snapshot::{Revisions, Snapshot};
use super::store::{FoldError, SaveStore};
use crate::change_log::Revision;
use crate::preset_asset::TerrainPreset;

/// After an error, the next attempt comes this much later.
pub const PAUSE: Duration = Duration::from_secs(1);

/// A state of a terrain.
#[derive(Debug)]
pub struct Recorded {
    world: Arc<TerrainPreset>,
    revisions: Revisions,
}

impl Recorded {
    pub fn of(save: &TerrainSave) -> Self {
        let revisions = Revisions {
            edits: save.edits.revision(),
            holes: save.holes.list().revision(),
            volumes: save.volumes.list().revision(),
            removed: save.removed.revision(),
        };
        Self { world: Arc::new(save.world.clone()), revisions }
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

/// Something to write, and the state that the file has then.
struct Job {
    work: Work,
    state: Recorded,
    with_journal: bool,
}

impl Job {
    /// Whether what it writes must be in the file before the frame ends. A kill then takes no change that a player has made,
    /// however busy the pool is. That needs a journal, so the first save of a file is waited for, as reading it is. Images
    /// take long to write, and go to the background.
    fn is_urgent(&self, store: &SaveStore) -> bool {
        match &self.work {
            Work::Append(record) => !record.has_image(),
            Work::Write(_) => self.with_journal && !store.has_journal(),
        }
    }

    fn run(self, store: &mut SaveStore) -> Result<Recorded, SaveError> {
        match &self.work {
            Work::Append(record) => store.append(record)?,
            Work::Write(save) => store.write(save, self.with_journal)?,
        }
        Ok(self.state)
    }
}

/// A job in the background.
type Running = Task<(SaveStore, Result<Recorded, SaveError>)>;

/// A terrain that is being saved.
pub struct Session {
    /// `None` while a job in the background has it.
    store: Option<SaveStore>,
    job: Option<Running>,
    /// Records that are being put on disk, and the state of the edits with them.
    flush: Option<Task<(Flush, Revision, Result<(), SaveError>)>>,
    folding: Folding,
    /// What the file has; `None` if that does not matter.
    recorded: Option<Recorded>,
    /// When settings and looks were last compared with those of the file.
    compared: Option<Instant>,
    /// After an error, when to try again.
    retry: Option<Instant>,
}

impl Session {
    pub fn new(store: SaveStore, recorded: Option<Recorded>) -> Self {
        let (job, flush, folding) = (None, None, Folding::default());
        Self { store: Some(store), job, flush, folding, recorded, compared: None, retry: None }
    }

    /// Writes what has changed, and takes what is done. Nothing here waits for the disk, once there is a journal.
    pub fn update(&mut self, settings: &TerrainAutosave, now: &Snapshot) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        if let Some(job) = self.job.take_if(|job| job.is_finished()) {
            self.take_job(block_on(job), &mut outcomes);
        }
        if let Some(flush) = self.flush.take_if(|flush| flush.is_finished()) {
            self.take_flush(block_on(flush), &mut outcomes);
        }
        // Where all is written anew, there is nothing to fold.
        let fold_above = if self.recorded.is_some() { settings.fold_above } else { u64::MAX };
        let folded = self.folding.update(self.store.as_mut(), fold_above);
        self.take_folded(folded, &mut outcomes);
        if self.retry.is_some_and(|at| Instant::now() < at) {
            return outcomes;
        }
        if let Some(job) = self.next_job(settings, now, false)
            && let Some(mut store) = self.store.take()
        {
            if job.is_urgent(&store) {
                let result = job.run(&mut store);
                self.take_job((store, result), &mut outcomes);
            } else {
                self.job = Some(pool().spawn(async move {
                    let result = job.run(&mut store);
                    (store, result)
                }));
            }
        }
        self.begin_flush();
        outcomes
    }

    /// Waits until everything is on disk.
    pub fn finish(&mut self, settings: &TerrainAutosave, now: &Snapshot) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        if let Some(job) = self.job.take() {
            self.take_job(block_on(job), &mut outcomes);
        }
        if let Some(flush) = self.flush.take() {
            self.take_flush(block_on(flush), &mut outcomes);
        }
        // What could be folded now can be so the next time.
        let folded = self.folding.finish();
        self.take_folded(folded, &mut outcomes);
        if let Some(job) = self.next_job(settings, now, true)
            && let Some(mut store) = self.store.take()
        {
            let result = job.run(&mut store);
            self.take_job((store, result), &mut outcomes);
        }
        self.begin_flush();
        if let Some(flush) = self.flush.take() {
            self.take_flush(block_on(flush), &mut outcomes);
        }
        outcomes
    }

    fn take_job(&mut self, (store, result): (SaveStore, Result<Recorded, SaveError>), outcomes: &mut Vec<Outcome>) {
        // A whole save is on disk by now, records are not.
        let is_on_disk = store.flush().is_none();
        self.store = Some(store);
        match result {
            Ok(state) => {
                if is_on_disk {
                    outcomes.push(Outcome::Saved(state.revisions.edits));
                }
                self.recorded = Some(state);
                self.retry = None;
            }
            Err(error) => self.fail(error, outcomes),
        }
    }

    /// Puts on disk what is only in the hands of the operating system.
    fn begin_flush(&mut self) {
        if self.flush.is_some() {
            return;
        }
        if let Some((store, recorded)) = self.store.as_ref().zip(self.recorded.as_ref())
            && let Some(flush) = store.flush()
        {
            let (path, edits) = (store.path().to_owned(), recorded.revisions.edits);
            self.flush = Some(pool().spawn(async move {
                let result = flush.run(&path);
                (flush, edits, result)
            }));
        }
    }

    fn take_flush(
        &mut self,
        (flush, edits, result): (Flush, Revision, Result<(), SaveError>),
        outcomes: &mut Vec<Outcome>,
    ) {
        match result {
            // While a job has the store, it does not know of it, and all is flushed again.
            Ok(()) => {
                if self.store.as_mut().is_some_and(|store| store.flushed(&flush)) {
                    outcomes.push(Outcome::Saved(edits));
                }
            }
            Err(error) => {
                // What is on disk is unknown now, and a second attempt would not tell: all of it is written anew.
                self.recorded = None;
                self.fail(error, outcomes);
            }
        }
    }

    fn take_folded(&mut self, folded: Result<(), FoldError>, outcomes: &mut Vec<Outcome>) {
        if let Err(FoldError { error, is_lost }) = folded {
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

    /// What is to be written, if anything. A look at a few numbers, as long as nothing has changed.
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
        let record = recorded.map(|recorded| now.since(recorded.revisions));
        // A save keeps an image once, however often it is stamped.
        let record = record.filter(|record| !record.is_whole() || !record.has_image());
        let world = changed.clone().or_else(|| saved.cloned())?;
        let work = match record {
            Some(record) => Work::Append(Record { world: changed.as_deref().cloned(), ..record }),
            // Both would write the save, or the next journal.
            None if self.folding.is_busy() => return None,
            None => Work::Write(now.save((*world).clone())),
        };
        let state = Recorded { world, revisions };
        Some(Job { work, state, with_journal: settings.journal })
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

pub fn pool() -> &'static TaskPool {
    IoTaskPool::get_or_init(TaskPool::default)
}
