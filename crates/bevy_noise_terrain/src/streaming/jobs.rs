//! Chunks built on Bevy's task pools, the most missed first.
//!
//! The main thread renews the list of waiting jobs every frame, so priorities are never stale and
//! cancelling is leaving out. A few tasks take from its end, one chunk at a time, and give way to other
//! tasks of the pool between two chunks.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bevy::platform::collections::HashSet;
use bevy::platform::time::Instant;
use bevy::tasks::{AsyncComputeTaskPool, ComputeTaskPool, TaskPool, futures_lite::future};

use super::Shape;
use crate::chunk::ChunkKey;
use crate::mesh::{self, ChunkMesh, MeshScratch, ReliefScratch, Texel};

/// What of a chunk to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Its vertices, without which it cannot be drawn.
    Mesh,
    /// Its finer normals, which make it crisp later.
    Relief,
}

/// A part of a chunk to build.
#[derive(Clone)]
pub struct Job {
    pub generation: u64,
    pub key: ChunkKey,
    pub part: Part,
    pub shape: Shape,
}

/// What was built.
pub enum Built {
    Mesh(ChunkMesh),
    Relief(Vec<Texel>),
    /// The source panicked.
    Nothing,
}

/// A part of a chunk that has been built, or whose source panicked.
pub struct Done {
    pub generation: u64,
    pub key: ChunkKey,
    pub part: Part,
    pub built: Built,
    /// Time one core took.
    pub milliseconds: f32,
}

/// The buffers of one task.
#[derive(Default)]
pub struct JobScratch {
    mesh: MeshScratch,
    relief: ReliefScratch,
}

impl Job {
    fn run(self, scratch: &mut JobScratch) -> Done {
        let Self { generation, key, part, shape } = self;
        let began = Instant::now();
        let (source, spacing) = (shape.source.as_ref(), shape.lod.spacing);
        // The scratch is only buffers that the next job overwrites: safe to see after a panic.
        let built = catch_unwind(AssertUnwindSafe(|| match part {
            Part::Mesh => Built::Mesh(mesh::build(source, key, spacing, shape.lod.top_level(), &mut scratch.mesh)),
            Part::Relief => {
                Built::Relief(mesh::relief(source, key, spacing, &mut scratch.mesh.noise, &mut scratch.relief))
            }
        }))
        .unwrap_or(Built::Nothing);
        Done { generation, key, part, built, milliseconds: began.elapsed().as_secs_f32() * 1e3 }
    }
}

#[derive(Default)]
struct Board {
    /// Most missed last.
    waiting: Vec<Job>,
    /// Jobs under way, and finished ones until they are taken.
    claimed: HashSet<(u64, ChunkKey, Part)>,
    done: Vec<Done>,
    tasks: usize,
    /// Finished chunks at which the tasks pause until some are taken.
    backlog: usize,
}

/// The tasks of one terrain. Dropping it lets each finish its chunk and end.
#[derive(Default)]
pub struct Workers {
    board: Arc<Mutex<Board>>,
}

fn lock(board: &Mutex<Board>) -> MutexGuard<'_, Board> {
    // Nothing panics while it is held; if it did, the board is still a set of lists.
    board.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Workers {
    /// Replaces the waiting jobs by `jobs`, most missed first. Those under way or finished are left out.
    pub fn submit(&self, jobs: impl DoubleEndedIterator<Item = Job>, backlog: usize) {
        let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
        let mut board = lock(&self.board);
        let Board { waiting, claimed, .. } = &mut *board;
        waiting.clear();
        waiting.extend(jobs.rev().filter(|job| !claimed.contains(&(job.generation, job.key, job.part))));
        board.backlog = backlog;
        let wish = pool.thread_num().max(1).min(board.waiting.len());
        while board.tasks < wish && board.done.len() < backlog {
            board.tasks += 1;
            pool.spawn(work(self.board.clone())).detach();
        }
    }

    /// Takes up to `most` finished chunks.
    pub fn take(&self, most: usize) -> Vec<Done> {
        let mut board = lock(&self.board);
        let Board { claimed, done, .. } = &mut *board;
        let taken: Vec<_> = done.drain(..most.min(done.len())).collect();
        for done in &taken {
            claimed.remove(&(done.generation, done.key, done.part));
        }
        taken
    }

    /// Builds `jobs` at once, on all cores.
    pub fn run_now(jobs: Vec<Job>) -> Vec<Done> {
        let pool = ComputeTaskPool::get_or_init(TaskPool::default);
        let share = jobs.len().div_ceil(pool.thread_num().max(1)).max(1);
        pool.scope(|scope| {
            for jobs in jobs.chunks(share) {
                scope.spawn(async move {
                    let mut scratch = JobScratch::default();
                    jobs.iter().map(|job| job.clone().run(&mut scratch)).collect::<Vec<_>>()
                });
            }
        })
        .into_iter()
        .flatten()
        .collect()
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        lock(&self.board).waiting.clear();
    }
}

async fn work(board: Arc<Mutex<Board>>) {
    let mut scratch = JobScratch::default();
    loop {
        let job = {
            let mut board = lock(&board);
            let job = if board.done.len() < board.backlog { board.waiting.pop() } else { None };
            let Some(job) = job else {
                board.tasks -= 1;
                return;
            };
            board.claimed.insert((job.generation, job.key, job.part));
            job
        };
        let done = job.run(&mut scratch);
        lock(&board).done.push(done);
        future::yield_now().await;
    }
}
