//! Jobs on Bevy's task pools, the most wanted first.
//!
//! The main thread renews the list of waiting jobs as often as it likes, so priorities are never stale and
//! cancelling is leaving out. A few tasks take from its end, one job at a time, and give way to other
//! tasks of the pool between two jobs.

use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::time::Duration;

use bevy::platform::collections::HashSet;
use bevy::platform::time::Instant;
use bevy::tasks::{AsyncComputeTaskPool, TaskPool, futures_lite::future};

/// A piece of work that takes a few milliseconds and never panics.
pub(crate) trait Job: Send + 'static {
    /// What it is for: of two jobs for the same, one is done at a time.
    type Purpose: Copy + Eq + Hash + Send;
    /// Buffers that a task keeps from job to job.
    type Scratch: Default + Send;
    /// What comes of it.
    type Done: Send;

    /// What it is for.
    fn purpose(&self) -> Self::Purpose;

    /// Does it.
    fn run(self, scratch: &mut Self::Scratch) -> Self::Done;
}

struct Board<J: Job> {
    /// Most wanted last.
    waiting: Vec<J>,
    /// Jobs under way, and finished ones until they are taken.
    claimed: HashSet<J::Purpose>,
    done: Vec<(J::Purpose, J::Done)>,
    tasks: usize,
    /// Finished jobs at which the tasks pause until some are taken.
    backlog: usize,
}

/// Tasks with one list of jobs. Dropping it lets each finish its job and end.
pub(crate) struct Workers<J: Job> {
    board: Arc<Mutex<Board<J>>>,
}

impl<J: Job> Default for Workers<J> {
    fn default() -> Self {
        let board = Board { waiting: Vec::new(), claimed: HashSet::default(), done: Vec::new(), tasks: 0, backlog: 0 };
        Self { board: Arc::new(Mutex::new(board)) }
    }
}

fn lock<J: Job>(board: &Mutex<Board<J>>) -> MutexGuard<'_, Board<J>> {
    // Nothing panics while it is held; if it did, the board is still a set of lists.
    board.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<J: Job> Workers<J> {
    /// Replaces the waiting jobs by `jobs`, most wanted first, for the `part`-th part of the pool's threads. Those
    /// under way or finished are left out.
    pub fn submit(&self, jobs: impl DoubleEndedIterator<Item = J>, backlog: usize, part: usize) {
        let mut board = lock(&self.board);
        let Board { waiting, claimed, .. } = &mut *board;
        waiting.clear();
        waiting.extend(jobs.rev().filter(|job| !claimed.contains(&job.purpose())));
        board.backlog = backlog;
        self.start(board, part);
    }

    /// Lets tasks go on that paused because nobody took what they had finished.
    #[cfg(feature = "render")]
    pub fn resume(&self, part: usize) {
        self.start(lock(&self.board), part);
    }

    fn start(&self, mut board: MutexGuard<Board<J>>, part: usize) {
        if board.waiting.is_empty() || board.done.len() >= board.backlog {
            return;
        }
        let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
        let wish = pool.thread_num().div_ceil(part.max(1)).max(1).min(board.waiting.len());
        let new = wish.saturating_sub(board.tasks);
        board.tasks += new;
        // Without threads the pool runs a task inside `spawn`, and the task needs the board.
        drop(board);
        for _ in 0..new {
            pool.spawn(work(self.board.clone(), std::thread::current().id())).detach();
        }
    }

    /// Takes finished jobs in the order they were finished, as long as `wants` says so.
    pub fn take(&self, mut wants: impl FnMut(&J::Done) -> bool) -> Vec<J::Done> {
        let mut board = lock(&self.board);
        let Board { claimed, done, .. } = &mut *board;
        let count = done.iter().take_while(|(_, done)| wants(done)).count();
        let taken = done.drain(..count).map(|(purpose, done)| {
            claimed.remove(&purpose);
            done
        });
        taken.collect()
    }

    /// Does what is waiting, waits for what is under way, and takes it all.
    #[cfg(all(test, feature = "render"))]
    pub fn finish(&self) -> Vec<J::Done> {
        let mut all = Vec::new();
        loop {
            let job = lock(&self.board).waiting.pop();
            all.extend(job.map(|job| job.run(&mut J::Scratch::default())));
            all.extend(self.take(|_| true));
            let board = lock(&self.board);
            if board.waiting.is_empty() && board.tasks == 0 && board.done.is_empty() {
                return all;
            }
        }
    }
}

impl<J: Job> Drop for Workers<J> {
    fn drop(&mut self) {
        lock(&self.board).waiting.clear();
    }
}

/// How long a task may keep the thread that asked for it, where there is no other.
const SLICE: Duration = Duration::from_millis(4);

/// Does jobs until none is waiting, or nobody takes what is done. `asked` is the thread that submitted them.
async fn work<J: Job>(board: Arc<Mutex<Board<J>>>, asked: ThreadId) {
    let mut scratch = J::Scratch::default();
    let began = Instant::now();
    let mut is_first = true;
    loop {
        // On the thread that draws, the rest waits for the next frame.
        let is_late = !is_first && std::thread::current().id() == asked && began.elapsed() > SLICE;
        is_first = false;
        let (purpose, job) = {
            let mut board = lock(&board);
            let job = if board.done.len() < board.backlog && !is_late { board.waiting.pop() } else { None };
            let Some(job) = job else {
                board.tasks -= 1;
                return;
            };
            let purpose = job.purpose();
            board.claimed.insert(purpose);
            (purpose, job)
        };
        let done = job.run(&mut scratch);
        lock(&board).done.push((purpose, done));
        future::yield_now().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Square(u32);

    impl Job for Square {
        type Purpose = u32;
        type Scratch = ();
        type Done = u32;

        fn purpose(&self) -> u32 {
            self.0
        }

        fn run(self, (): &mut ()) -> u32 {
            self.0 * self.0
        }
    }

    /// Takes what the tasks finish until there are `count`.
    fn collect(workers: &Workers<Square>, count: usize) -> Vec<u32> {
        let mut all = Vec::new();
        while all.len() < count {
            all.extend(workers.take(|_| true));
            workers.start(lock(&workers.board), 1);
            std::thread::yield_now();
        }
        all
    }

    #[test]
    fn every_job_is_done_once_although_tasks_pause() {
        let workers = Workers::default();
        // Asked for twice: what is under way or finished is not done again.
        workers.submit((0..40).map(Square), 3, 1);
        workers.submit((0..40).map(Square), 3, 1);
        let mut all = collect(&workers, 40);
        all.sort_unstable();
        assert_eq!(all, (0..40).map(|n| n * n).collect::<Vec<_>>());
        assert!(workers.take(|_| true).is_empty());
        // What has been taken may be asked for again.
        workers.submit([Square(7)].into_iter(), 3, 1);
        assert_eq!(collect(&workers, 1), [49]);
    }
}
