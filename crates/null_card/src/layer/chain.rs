//! Pointers that Vulkan passes: lists, and chains of structures.

use std::ffi::c_void;
use std::slice;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ash::vk;

/// A list that is passed as its first item and its length.
///
/// # Safety
///
/// The list must live as long as the borrow; with a length of 0 its first item may be anything.
pub unsafe fn list<'a, T>(first: *const T, length: u32) -> &'a [T] {
    if length == 0 || first.is_null() {
        return &[];
    }
    // SAFETY: by this function's own condition.
    unsafe { slice::from_raw_parts(first, length as usize) }
}

/// A copy of the first structure of a type in a chain.
///
/// # Safety
///
/// The chain must be one of Vulkan's: each structure begins with its type and a pointer to the next one.
pub unsafe fn find<T: vk::TaggedStructure + Copy>(mut at: *const c_void) -> Option<T> {
    while !at.is_null() {
        // SAFETY: every structure of a chain begins so.
        let base = unsafe { at.cast::<vk::BaseInStructure>().read() };
        if base.s_type == T::STRUCTURE_TYPE {
            // SAFETY: the type says that it is one.
            return Some(unsafe { at.cast::<T>().read() });
        }
        at = base.p_next.cast();
    }
    None
}

/// What a mutex guards, also where a thread ended that held it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_structure_is_found_behind_another() {
        let last = vk::SemaphoreTypeCreateInfo { initial_value: 7, ..Default::default() };
        let first = vk::ExportSemaphoreCreateInfo { p_next: (&raw const last).cast(), ..Default::default() };
        let chain = (&raw const first).cast();
        // SAFETY: both live to the end of the test.
        let (found, missing) = unsafe {
            (find::<vk::SemaphoreTypeCreateInfo>(chain), find::<vk::MemoryDedicatedAllocateInfo>(chain).is_none())
        };
        assert_eq!(found.map(|found| found.initial_value), Some(7));
        assert!(missing);
    }
}
