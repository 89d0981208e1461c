//! Cells filled on Bevy's task pools, the nearest first.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bevy::platform::collections::HashSet;
use bevy::platform::time::Instant;
use bevy::tasks::{AsyncComputeTaskPool, TaskPool, futures_lite::future};

use super::place::{Cell, Ground, PlaceScratch, Placed};

/// Finished cells at which the tasks pause until some are taken.
const BACKLOG: usize = 64;

/// Kinds to place in a cell.
#[derive(Clone)]
pub struct Job {
    pub epoch: u64,
    pub cell: Cell,
    /// One bit a kind.
    pub kinds: u32,
    pub ground: Ground,
}

/// A cell that has been filled, or whose source panicked.
pub struct Done {
    pub epoch: u64,
    pub cell: Cell,
    pub kinds: u32,
    pub placed: Option<Placed>,
    /// Time one core took.
    pub milliseconds: f32,
}

impl Job {
    pub fn run(self, scratch: &mut PlaceScratch) -> Done {
        let Self { epoch, cell, kinds, ground } = self;
        let began = Instant::now();
        // The scratch is only buffers that the next job overwrites: safe to see after a panic.
        let placed = catch_unwind(AssertUnwindSafe(|| ground.place(cell, kinds, scratch))).ok();
        Done { epoch, cell, kinds, placed, milliseconds: began.elapsed().as_secs_f32() * 1e3 }
    }
}

#[derive(Default)]
struct Board {
    /// Nearest last.
    waiting: Vec<Job>,
    claimed: HashSet<(u64, Cell, u32)>,
    done: Vec<Done>,
    tasks: usize,
}

/// The tasks of one terrain. Dropping it lets each finish its cell and end.
#[derive(Default)]
pub struct Workers {
    board: Arc<Mutex<Board>>,
}

fn lock(board: &Mutex<Board>) -> MutexGuard<'_, Board> {
    // Nothing panics while it is held; if it did, the board is still a set of lists.
    board.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Workers {
    /// Replaces the waiting jobs by `jobs`, nearest first. Those under way or finished are left out.
    pub fn submit(&self, jobs: impl DoubleEndedIterator<Item = Job>) {
        let mut board = lock(&self.board);
        let Board { waiting, claimed, .. } = &mut *board;
        waiting.clear();
        waiting.extend(jobs.rev().filter(|job| !claimed.contains(&(job.epoch, job.cell, job.kinds))));
        if board.waiting.is_empty() {
            return;
        }
        let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
        // The land comes first: half of the pool is left to it.
        let wish = pool.thread_num().div_ceil(2).min(board.waiting.len());
        while board.tasks < wish && board.done.len() < BACKLOG {
            board.tasks += 1;
            pool.spawn(work(self.board.clone())).detach();
        }
    }

    /// Waits until nothing is left to do, and takes it all.
    #[cfg(test)]
    pub fn finish(&self) -> Vec<Done> {
        let mut all = Vec::new();
        loop {
            let job = lock(&self.board).waiting.pop();
            all.extend(job.map(|job| job.run(&mut PlaceScratch::default())));
            all.extend(self.take(usize::MAX));
            let board = lock(&self.board);
            if board.waiting.is_empty() && board.tasks == 0 && board.done.is_empty() {
                return all;
            }
        }
    }

    /// Takes finished cells, up to about `bytes` of objects.
    pub fn take(&self, bytes: usize) -> Vec<Done> {
        let mut board = lock(&self.board);
        let mut taken = 0;
        let size = |done: &Done| done.placed.as_ref().map_or(0, Placed::bytes);
        let count = board.done.iter().take_while(|done| {
            let fits = taken < bytes;
            taken += size(done);
            fits
        });
        let count = count.count();
        let done: Vec<_> = board.done.drain(..count).collect();
        for done in &done {
            board.claimed.remove(&(done.epoch, done.cell, done.kinds));
        }
        done
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        lock(&self.board).waiting.clear();
    }
}

async fn work(board: Arc<Mutex<Board>>) {
    let mut scratch = PlaceScratch::default();
    loop {
        let job = {
            let mut board = lock(&board);
            let job = if board.done.len() < BACKLOG { board.waiting.pop() } else { None };
            let Some(job) = job else {
                board.tasks -= 1;
                return;
            };
            board.claimed.insert((job.epoch, job.cell, job.kinds));
            job
        };
        let done = job.run(&mut scratch);
        lock(&board).done.push(done);
        future::yield_now().await;
    }
}
