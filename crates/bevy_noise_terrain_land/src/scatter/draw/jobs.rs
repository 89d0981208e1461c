//! Placement of cells as jobs on the task pools.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy::platform::time::Instant;

use super::blocks::{self, Placed};
use super::removal::Removal;
use crate::scatter::placement::{Cell, PlaceScratch, PlacementContext};
use crate::tasks;

/// Kinds to place in a cell.
#[derive(Clone)]
pub struct Job {
    pub epoch: u64,
    pub cell: Cell,
    /// One bit per kind.
    pub kinds: u32,
    pub ground: PlacementContext,
    pub removal: Removal,
    /// How often objects had been removed or restored: a cell is placed again after each change.
    pub revision: u32,
}

/// A finished cell; `placed` is `None` if its source panicked.
pub struct Done {
    pub epoch: u64,
    pub cell: Cell,
    pub kinds: u32,
    pub revision: u32,
    pub placed: Option<Placed>,
    /// Time on one core.
    pub milliseconds: f32,
}

impl Done {
    /// Bytes of its objects.
    pub fn bytes(&self) -> usize {
        self.placed.as_ref().map_or(0, Placed::bytes)
    }
}

impl tasks::Job for Job {
    type JobKey = (u64, Cell, u32, u32);
    type Scratch = PlaceScratch;
    type Done = Done;

    fn job_key(&self) -> Self::JobKey {
        (self.epoch, self.cell, self.kinds, self.revision)
    }

    fn run(self, scratch: &mut PlaceScratch) -> Done {
        let Self { epoch, cell, kinds, ground, removal, revision } = self;
        let began = Instant::now();
        // The scratch only has buffers that the next job overwrites, so it may be reused after a panic.
        let placed = catch_unwind(AssertUnwindSafe(|| blocks::place(&ground, &removal, cell, kinds, scratch))).ok();
        Done { epoch, cell, kinds, revision, placed, milliseconds: began.elapsed().as_secs_f32() * 1e3 }
    }
}
