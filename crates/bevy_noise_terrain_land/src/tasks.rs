//! Jobs on Bevy's task pools, the most wanted first.
//!
//! The main thread replaces the list of waiting jobs as often as it likes: priorities are never stale, and a job is
//! cancelled by leaving it out. A few tasks take one job at a time and yield to other tasks of the pool in between.

use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::time::Duration;

use bevy::platform::collections::HashSet;
use bevy::platform::time::Instant;
use bevy::tasks::{AsyncComputeTaskPool, TaskPool, futures_lite::future};

/// A piece of work that takes a few milliseconds and never panics.
pub(crate) trait Job: Send + 'static {
    /// Identifies the job: of two with the same key only one runs at a time.
    type JobKey: Copy + Eq + Hash + Send;
    /// Buffers that tasks keep from job to job.
    type Scratch: Default + Send;
    /// Its result.
    type Done: Send;

    /// Its key.
    fn job_key(&self) -> Self::JobKey;

    /// Runs the job.
    fn run(self, scratch: &mut Self::Scratch) -> Self::Done;
}

struct Queue<J: Job> {
    /// Most wanted last.
    waiting: Vec<J>,
    /// Keys of running jobs, and of finished ones until they are taken.
    claimed: HashSet<J::JobKey>,
    done: Vec<(J::JobKey, J::Done)>,
    tasks: usize,
    /// Buffers of tasks that have ended.
    scratch: Vec<J::Scratch>,
    /// Finished jobs at which the tasks pause until some are taken.
    backlog: usize,
}

/// Tasks that share one queue. When dropped, each task finishes its job and ends.
pub(crate) struct Workers<J: Job> {
    queue: Arc<Mutex<Queue<J>>>,
}

impl<J: Job> Default for Workers<J> {
    fn default() -> Self {
        let (waiting, claimed, done, scratch) = (Vec::new(), HashSet::default(), Vec::new(), Vec::new());
        let queue = Queue { waiting, claimed, done, tasks: 0, scratch, backlog: 0 };
        Self { queue: Arc::new(Mutex::new(queue)) }
    }
}

fn lock<J: Job>(queue: &Mutex<Queue<J>>) -> MutexGuard<'_, Queue<J>> {
    // Nothing panics while it is held, and the lists would still be usable if something did.
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<J: Job> Workers<J> {
    /// Replaces the waiting jobs by `jobs`, most wanted first, for the `part`-th part of the pool's threads. Those
    /// under way or finished are left out.
    pub fn submit(&self, jobs: impl DoubleEndedIterator<Item = J>, backlog: usize, part: usize) {
        let mut queue = lock(&self.queue);
        let Queue { waiting, claimed, .. } = &mut *queue;
        waiting.clear();
        waiting.extend(jobs.rev().filter(|job| !claimed.contains(&job.job_key())));
        queue.backlog = backlog;
        self.start(queue, part);
    }

    /// Restarts tasks that paused because their results were not taken.
    pub fn resume(&self, part: usize) {
        self.start(lock(&self.queue), part);
    }

    fn start(&self, mut queue: MutexGuard<Queue<J>>, part: usize) {
        if queue.waiting.is_empty() || queue.done.len() >= queue.backlog {
            return;
        }
        let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
        let wish = pool.thread_num().div_ceil(part.max(1)).max(1).min(queue.waiting.len());
        let new = wish.saturating_sub(queue.tasks);
        queue.tasks += new;
        // Without threads the pool runs a task inside `spawn`, and the task needs the queue.
        drop(queue);
        for _ in 0..new {
            pool.spawn(work(self.queue.clone(), std::thread::current().id())).detach();
        }
    }

    /// Takes finished jobs in the order they were finished, as long as `wants` says so.
    pub fn take(&self, mut wants: impl FnMut(&J::Done) -> bool) -> Vec<J::Done> {
        let mut queue = lock(&self.queue);
        let Queue { claimed, done, .. } = &mut *queue;
        let count = done.iter().take_while(|(_, done)| wants(done)).count();
        let taken = done.drain(..count).map(|(job_key, done)| {
            claimed.remove(&job_key);
            done
        });
        taken.collect()
    }

    /// Runs all waiting jobs, waits for running ones, and takes all results.
    #[cfg(all(test, feature = "scatter"))]
    pub fn finish(&self) -> Vec<J::Done> {
        let mut all = Vec::new();
        loop {
            let job = lock(&self.queue).waiting.pop();
            all.extend(job.map(|job| job.run(&mut J::Scratch::default())));
            all.extend(self.take(|_| true));
            let queue = lock(&self.queue);
            if queue.waiting.is_empty() && queue.tasks == 0 && queue.done.is_empty() {
                return all;
            }
        }
    }
}

impl<J: Job> Drop for Workers<J> {
    fn drop(&mut self) {
        lock(&self.queue).waiting.clear();
    }
}

/// How long a task may keep the thread that asked for it, where there is no other.
const SLICE: Duration = Duration::from_millis(4);

/// Runs jobs until none is waiting, or too many results are untaken. `asked` is the thread that submitted them.
async fn work<J: Job>(queue: Arc<Mutex<Queue<J>>>, asked: ThreadId) {
    let mut scratch = lock(&queue).scratch.pop().unwrap_or_default();
    let began = Instant::now();
    let mut is_first = true;
    loop {
        // On the main thread the rest waits for the next frame.
        let is_late = !is_first && std::thread::current().id() == asked && began.elapsed() > SLICE;
        is_first = false;
        let (job_key, job) = {
            let mut queue = lock(&queue);
            let job = if queue.done.len() < queue.backlog && !is_late { queue.waiting.pop() } else { None };
            let Some(job) = job else {
                queue.tasks -= 1;
                queue.scratch.push(scratch);
                return;
            };
            let job_key = job.job_key();
            queue.claimed.insert(job_key);
            (job_key, job)
        };
        let done = job.run(&mut scratch);
        lock(&queue).done.push((job_key, done));
        future::yield_now().await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    struct Square(u32);

    impl Job for Square {
        type JobKey = u32;
        type Scratch = ();
        type Done = u32;

        fn job_key(&self) -> u32 {
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
            workers.start(lock(&workers.queue), 1);
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

    /// Counts how many of it are made.
    struct Buffer;

    static BUFFERS: AtomicUsize = AtomicUsize::new(0);

    impl Default for Buffer {
        fn default() -> Self {
            BUFFERS.fetch_add(1, Ordering::Relaxed);
            Self
        }
    }

    struct Buffered(usize);

    impl Job for Buffered {
        type JobKey = usize;
        type Scratch = Buffer;
        type Done = ();

        fn job_key(&self) -> usize {
            self.0
        }

        fn run(self, _: &mut Buffer) {}
    }

    #[test]
    fn there_are_no_more_buffers_than_tasks_at_once() {
        let workers = Workers::default();
        for _ in 0..50 {
            workers.submit((0..8).map(Buffered), 100, 1);
            let mut taken = 0;
            while taken < 8 {
                taken += workers.take(|()| true).len();
                std::thread::yield_now();
            }
        }
        let most = AsyncComputeTaskPool::get().thread_num();
        assert!((1..=most).contains(&BUFFERS.load(Ordering::Relaxed)), "{BUFFERS:?}, {most} threads");
    }
}
