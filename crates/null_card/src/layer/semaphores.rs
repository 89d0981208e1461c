//! Semaphores with values, by which a program knows that its work is done: it is, as soon as it is submitted.

use std::collections::BTreeMap;
use std::sync::Mutex;

use ash::vk::{self, Handle};

use super::chain::{find, list, lock};
use super::stand_ins::number;

static VALUES: Mutex<BTreeMap<u64, u64>> = Mutex::new(BTreeMap::new());

/// Creates a semaphore.
pub unsafe extern "system" fn create(
    _: vk::Device,
    info: *const vk::SemaphoreCreateInfo<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    created: *mut vk::Semaphore,
) -> vk::Result {
    let handle = number();
    // SAFETY: the program's structure and its chain live as long as the call.
    let kind = unsafe { find::<vk::SemaphoreTypeCreateInfo>((*info).p_next) };
    lock(&VALUES).insert(handle, kind.map_or(0, |kind| kind.initial_value));
    // SAFETY: the program passes a place for the handle.
    unsafe { created.write(vk::Semaphore::from_raw(handle)) };
    vk::Result::SUCCESS
}

/// Destroys a semaphore.
pub unsafe extern "system" fn destroy(_: vk::Device, semaphore: vk::Semaphore, _: *const vk::AllocationCallbacks<'_>) {
    lock(&VALUES).remove(&semaphore.as_raw());
}

/// Gives a semaphore's value.
pub unsafe extern "system" fn value(_: vk::Device, semaphore: vk::Semaphore, value: *mut u64) -> vk::Result {
    let found = lock(&VALUES).get(&semaphore.as_raw()).copied().unwrap_or_default();
    // SAFETY: the program passes a place for it.
    unsafe { value.write(found) };
    vk::Result::SUCCESS
}

/// Raises a semaphore's value.
pub unsafe extern "system" fn signal(_: vk::Device, info: *const vk::SemaphoreSignalInfo<'_>) -> vk::Result {
    // SAFETY: the program's structure lives as long as the call.
    let info = unsafe { &*info };
    raise(info.semaphore, info.value);
    vk::Result::SUCCESS
}

/// Drops the work, and raises the values of the semaphores that wait for it.
pub unsafe extern "system" fn submit(
    _: vk::Queue,
    count: u32,
    submits: *const vk::SubmitInfo<'_>,
    _: vk::Fence,
) -> vk::Result {
    // SAFETY: the program's lists and chains live as long as the call.
    unsafe {
        for submit in list(submits, count) {
            let Some(values) = find::<vk::TimelineSemaphoreSubmitInfo>(submit.p_next) else { continue };
            let semaphores = list(submit.p_signal_semaphores, submit.signal_semaphore_count);
            let values = list(values.p_signal_semaphore_values, values.signal_semaphore_value_count);
            semaphores.iter().zip(values).for_each(|(&semaphore, &value)| raise(semaphore, value));
        }
    }
    vk::Result::SUCCESS
}

fn raise(semaphore: vk::Semaphore, value: u64) {
    if let Some(known) = lock(&VALUES).get_mut(&semaphore.as_raw()) {
        *known = value.max(*known);
    }
}

#[cfg(test)]
mod tests {
    use std::ptr::null;

    use super::*;

    #[test]
    fn what_is_submitted_is_done() {
        let (device, mut semaphore, mut reached) = (vk::Device::null(), vk::Semaphore::null(), 0);
        let mut kind = vk::SemaphoreTypeCreateInfo { initial_value: 3, ..Default::default() };
        let info = vk::SemaphoreCreateInfo::default().push_next(&mut kind);
        // SAFETY: all of it lives to the end of the test.
        unsafe {
            create(device, &raw const info, null(), &raw mut semaphore).result().unwrap();
            let (semaphores, values) = ([semaphore], [9]);
            let mut timeline = vk::TimelineSemaphoreSubmitInfo::default().signal_semaphore_values(&values);
            let work = vk::SubmitInfo::default().signal_semaphores(&semaphores).push_next(&mut timeline);
            value(device, semaphore, &raw mut reached).result().unwrap();
            assert_eq!(reached, 3);
            submit(vk::Queue::null(), 1, &raw const work, vk::Fence::null()).result().unwrap();
            value(device, semaphore, &raw mut reached).result().unwrap();
            destroy(device, semaphore, null());
        }
        assert_eq!(reached, 9);
    }
}
