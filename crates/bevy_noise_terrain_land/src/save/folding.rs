//! A journal that becomes part of its save, step by step in the background.

use bevy::tasks::{Task, block_on};

use super::error::SaveError;
use super::journal::Journal;
use super::session::pool;
use super::store::{FoldError, SaveStore};

/// How far it is.
#[derive(Default)]
pub enum Folding {
    #[default]
    Idle,
    /// The next journal is being created.
    Creating(Task<Result<Journal, SaveError>>),
    /// The next journal waits until those before the present one are on disk.
    Created(Journal),
    /// What is in the journals before it is being written as a save.
    Writing(Task<Result<(), FoldError>>),
}

impl Folding {
    /// Whether something is being written.
    pub fn is_busy(&self) -> bool {
        matches!(self, Self::Creating(_) | Self::Writing(_))
    }

    /// Goes on, if the journal has more than `above` bytes. `store` is there unless something else is written.
    pub fn update(&mut self, store: Option<&mut SaveStore>, above: u64) -> Result<(), FoldError> {
        let (next, result) = match (std::mem::take(self), store) {
            (Self::Creating(task), _) if task.is_finished() => match block_on(task) {
                Ok(journal) => (Self::Created(journal), Ok(())),
                Err(error) => (Self::Idle, Err(FoldError { error, is_lost: false })),
            },
            (Self::Writing(task), _) if task.is_finished() => (Self::Idle, block_on(task)),
            (Self::Idle, Some(store)) => (
                store
                    .next_journal(above)
                    .map_or(Self::Idle, |creation| Self::Creating(pool().spawn(async move { creation.run() }))),
                Ok(()),
            ),
            (Self::Created(journal), Some(store)) => (Self::begin_writing(store, journal), Ok(())),
            (other, _) => (other, Ok(())),
        };
        *self = next;
        result
    }

    fn begin_writing(store: &mut SaveStore, journal: Journal) -> Self {
        if !store.precedes(&journal) {
            // A whole save was written meanwhile.
            return Self::Idle;
        }
        if !store.can_go_on() {
            return Self::Created(journal);
        }
        let fold = store.go_on_with(journal);
        Self::Writing(pool().spawn(async move { fold.run() }))
    }

    /// Waits for what is being written.
    pub fn finish(&mut self) -> Result<(), FoldError> {
        match std::mem::take(self) {
            Self::Creating(task) => block_on(task).map(drop).map_err(|error| FoldError { error, is_lost: false }),
            Self::Writing(task) => block_on(task),
            Self::Idle | Self::Created(_) => Ok(()),
        }
    }
}
