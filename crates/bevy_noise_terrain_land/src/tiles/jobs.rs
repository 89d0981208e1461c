//! The heights of tiles as jobs of the task pools.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy::tasks::{ComputeTaskPool, TaskPool};

use crate::chunk::ChunkKey;
use crate::mesh::{ChunkHeights, SampleScratch};
use crate::query::Surface;
use crate::tasks::{self, Job as _};
use crate::terrain::ChunkFailure;

/// The generation of the land, and how often edits have changed it.
pub type Version = (u64, u64);

/// The heights of a tile, to be sampled.
#[derive(Clone)]
pub struct Job {
    pub version: Version,
    pub cell: [i64; 2],
    pub surface: Surface,
}

/// The heights of a tile, or why it has none.
pub struct Done {
    pub version: Version,
    pub cell: [i64; 2],
    pub heights: Result<ChunkHeights, ChunkFailure>,
}

/// The chunk of level 0 that a tile covers.
pub fn key([x, z]: [i64; 2]) -> ChunkKey {
    ChunkKey::new(0, x, z)
}

impl tasks::Job for Job {
    type JobKey = (Version, [i64; 2]);
    type Scratch = SampleScratch;
    type Done = Done;

    fn job_key(&self) -> Self::JobKey {
        (self.version, self.cell)
    }

    fn run(self, scratch: &mut SampleScratch) -> Done {
        let Self { version, cell, surface } = self;
        let sample = || ChunkHeights::sample(surface.source(), key(cell), surface.spacing(), scratch);
        // Unwind safe: the scratch buffers are overwritten by the next job.
        let heights = match catch_unwind(AssertUnwindSafe(sample)) {
            Ok(heights) if heights.is_finite() => Ok(heights),
            Ok(_) => Err(ChunkFailure::NotFinite),
            Err(_) => Err(ChunkFailure::Panic),
        };
        Done { version, cell, heights }
    }
}

/// Samples tiles at once, on all cores.
pub fn run_now(jobs: Vec<Job>) -> Vec<Done> {
    if let [job] = jobs.as_slice() {
        return vec![job.clone().run(&mut SampleScratch::default())];
    }
    let pool = ComputeTaskPool::get_or_init(TaskPool::default);
    let share = jobs.len().div_ceil(pool.thread_num().max(1)).max(1);
    let done = pool.scope(|scope| {
        for jobs in jobs.chunks(share) {
            scope.spawn(async move {
                let mut scratch = SampleScratch::default();
                jobs.iter().map(|job| job.clone().run(&mut scratch)).collect::<Vec<_>>()
            });
        }
    });
    done.into_iter().flatten().collect()
}
