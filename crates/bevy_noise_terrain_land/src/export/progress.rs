//! Progress and cancellation of a long task.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Shared between a task and those who wait for it; clones refer to the same progress.
#[derive(Clone, Debug)]
pub struct Progress {
    shared: Arc<Shared>,
    /// Where this part begins and ends within the whole, 0 to 1.
    from: f32,
    to: f32,
}

#[derive(Debug, Default)]
struct Shared {
    /// The finished fraction, as the bits of an `f32`.
    share: AtomicU32,
    cancelled: AtomicBool,
}

impl Default for Progress {
    fn default() -> Self {
        Self { shared: Arc::default(), from: 0.0, to: 1.0 }
    }
}

impl Progress {
    /// The finished fraction, 0 to 1.
    pub fn share(&self) -> f32 {
        f32::from_bits(self.shared.share.load(Ordering::Relaxed))
    }

    /// Asks the task to stop; it does after a few rows of samples.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }

    /// The part of this progress between the fractions `from` and `to`.
    pub fn part(&self, from: f32, to: f32) -> Self {
        let at = |share: f32| self.from + share * (self.to - self.from);
        Self { shared: self.shared.clone(), from: at(from), to: at(to) }
    }

    /// Records that `done` of `all` steps of this part are finished. Returns false if the task should stop.
    pub(super) fn step(&self, done: usize, all: usize) -> bool {
        let share = self.from + (self.to - self.from) * (done as f32 / all.max(1) as f32);
        self.shared.share.store(share.to_bits(), Ordering::Relaxed);
        !self.is_cancelled()
    }

    /// [`step`](Self::step) for code that writes files.
    pub(super) fn step_io(&self, done: usize, all: usize) -> std::io::Result<()> {
        if self.step(done, all) { Ok(()) } else { Err(std::io::Error::other("cancelled")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_fill_the_whole() {
        let whole = Progress::default();
        let second = whole.part(0.5, 1.0);
        assert!(second.step(1, 2));
        assert_eq!(whole.share(), 0.75);
        whole.cancel();
        assert!(!second.step(2, 2));
        assert_eq!(whole.share(), 1.0);
    }
}
