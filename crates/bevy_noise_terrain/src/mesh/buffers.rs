//! Buffers that are used again. The allocator gives such large ones back to the system, which clears new ones page by page: that
//! took as long as filling them.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The most buffers that are kept: more than a frame uploads.
const MOST: usize = 32;

/// Buffers that nobody uses at present.
pub struct SpareBuffers<T>(Arc<Mutex<Vec<Vec<T>>>>);

impl<T> Default for SpareBuffers<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> SpareBuffers<T> {
    /// An empty buffer, which comes back when it is dropped.
    pub fn take(&self) -> Buffer<T> {
        let items = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        Buffer { items, home: Arc::downgrade(&self.0) }
    }
}

/// A list whose memory is used again once it is dropped.
#[derive(Debug)]
pub struct Buffer<T> {
    items: Vec<T>,
    home: Weak<Mutex<Vec<Vec<T>>>>,
}

impl<T> Buffer<T> {
    /// The list alone: its memory does not come back.
    pub fn into_vec(mut self) -> Vec<T> {
        std::mem::take(&mut self.items)
    }
}

impl<T> Default for Buffer<T> {
    /// One that belongs nowhere.
    fn default() -> Self {
        Self { items: Vec::new(), home: Weak::new() }
    }
}

impl<T> Deref for Buffer<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.items
    }
}

impl<T> DerefMut for Buffer<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.items
    }
}

impl<T: PartialEq> PartialEq for Buffer<T> {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        let mut items = std::mem::take(&mut self.items);
        let Some(home) = self.home.upgrade().filter(|_| items.capacity() > 0) else { return };
        items.clear();
        let mut spare = home.lock().unwrap_or_else(PoisonError::into_inner);
        if spare.len() < MOST {
            spare.push(items);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_buffer_comes_back_empty() {
        let spare = SpareBuffers::default();
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
        let spare = SpareBuffers::default();
        let filled = |value| {
            let mut buffer = spare.take();
            buffer.push(value);
            buffer
        };
        let buffers: Vec<_> = (0..2 * MOST).map(filled).collect();
        assert_eq!(filled(7).into_vec(), [7]);
        drop(buffers);
        assert_eq!(spare.0.lock().unwrap().len(), MOST);
        let late = spare.take();
        drop(spare);
        drop(late);
    }
}
