//! A pool of lists whose memory is used again. The allocator gives lists of this size back to the system, which clears new ones
//! page by page: that took as long as filling them.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The most lists that are kept: more than a frame uploads by default. A task has one pool for vertices and one for detail
/// normals, which hold 6.5 MB at most.
const MOST: usize = 64;

/// Lists that nobody uses at present.
pub struct VecPool<T>(Arc<Mutex<Vec<Vec<T>>>>);

impl<T> Default for VecPool<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> VecPool<T> {
    /// An empty list, which comes back when it is dropped.
    pub fn take(&self) -> PooledVec<T> {
        let items = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        PooledVec { items, home: Arc::downgrade(&self.0) }
    }
}

/// A list that goes back to its pool when it is dropped.
#[derive(Debug)]
pub struct PooledVec<T> {
    items: Vec<T>,
    home: Weak<Mutex<Vec<Vec<T>>>>,
}

impl<T> Default for PooledVec<T> {
    /// One that belongs nowhere.
    fn default() -> Self {
        Self { items: Vec::new(), home: Weak::new() }
    }
}

impl<T> Deref for PooledVec<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.items
    }
}

impl<T> DerefMut for PooledVec<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.items
    }
}

impl<T: PartialEq> PartialEq for PooledVec<T> {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items
    }
}

impl<T> Drop for PooledVec<T> {
    fn drop(&mut self) {
        let mut items = std::mem::take(&mut self.items);
        let Some(home) = self.home.upgrade().filter(|_| items.capacity() > 0) else { return };
        items.clear();
        // A frame does not wait for a task: then the memory is freed.
        let Ok(mut spare) = home.try_lock() else { return };
        if spare.len() < MOST {
            spare.push(items);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_list_comes_back_empty() {
        let spare = VecPool::default();
        let mut buffer = spare.take();
        buffer.extend([1, 2, 3]);
        let memory = buffer.as_ptr();
        drop(buffer);
        let again = spare.take();
        assert_eq!((again.as_ptr(), again.len(), again.capacity() >= 3), (memory, 0, true));
        assert_eq!(spare.take().capacity(), 0);
    }

    #[test]
    fn what_is_kept_is_bounded_and_outlives_nobody() {
        let spare = VecPool::default();
        let filled = |value| {
            let mut buffer = spare.take();
            buffer.push(value);
            buffer
        };
        let buffers: Vec<_> = (0..2 * MOST).map(filled).collect();
        drop(buffers);
        assert_eq!(spare.0.lock().unwrap().len(), MOST);
        let late = spare.take();
        drop(spare);
        drop(late);
    }
}
