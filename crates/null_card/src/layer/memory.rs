//! Memory, which is the processor's, and what is bound to it.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::Mutex;

use ash::vk::{self, Handle};

use super::chain::lock;
use super::stand_ins::number;

/// Blocks of memory, in units that are aligned for whatever a program puts there. As a list of numbers they cost nothing before
/// they are written to.
static MEMORY: Mutex<BTreeMap<u64, Vec<u128>>> = Mutex::new(BTreeMap::new());

/// The bytes of each buffer.
static BUFFERS: Mutex<BTreeMap<u64, u64>> = Mutex::new(BTreeMap::new());

/// What the card claims to have.
const HEAP: u64 = 8 << 30;

/// How buffers and images are aligned. An image is never looked into, so one unit is enough for it.
const UNIT: u64 = 256;

/// Says that there is one heap, which both the card and the processor reach.
pub unsafe extern "system" fn properties(_: vk::PhysicalDevice, properties: *mut vk::PhysicalDeviceMemoryProperties) {
    use vk::MemoryPropertyFlags as Flags;
    let mut found =
        vk::PhysicalDeviceMemoryProperties { memory_heap_count: 1, memory_type_count: 1, ..Default::default() };
    found.memory_heaps[0] = vk::MemoryHeap { size: HEAP, flags: vk::MemoryHeapFlags::DEVICE_LOCAL };
    found.memory_types[0].property_flags =
        Flags::DEVICE_LOCAL | Flags::HOST_VISIBLE | Flags::HOST_COHERENT | Flags::HOST_CACHED;
    // SAFETY: the program passes a place for them.
    unsafe { properties.write(found) };
}

/// The same, in a structure with a chain, which stays as it is.
pub unsafe extern "system" fn properties2(
    card: vk::PhysicalDevice,
    found: *mut vk::PhysicalDeviceMemoryProperties2<'_>,
) {
    // SAFETY: the program passes a place for them.
    unsafe { properties(card, &raw mut (*found).memory_properties) };
}

/// Allocates a block.
pub unsafe extern "system" fn allocate(
    _: vk::Device,
    info: *const vk::MemoryAllocateInfo<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    created: *mut vk::DeviceMemory,
) -> vk::Result {
    // SAFETY: the program's structure lives as long as the call.
    let size = unsafe { (*info).allocation_size };
    let handle = number();
    lock(&MEMORY).insert(handle, vec![0; size.div_ceil(size_of::<u128>() as u64) as usize]);
    // SAFETY: the program passes a place for the handle.
    unsafe { created.write(vk::DeviceMemory::from_raw(handle)) };
    vk::Result::SUCCESS
}

/// Frees a block.
pub unsafe extern "system" fn free(_: vk::Device, memory: vk::DeviceMemory, _: *const vk::AllocationCallbacks<'_>) {
    lock(&MEMORY).remove(&memory.as_raw());
}

/// Gives the address of a block, from an offset on.
pub unsafe extern "system" fn map(
    _: vk::Device,
    memory: vk::DeviceMemory,
    offset: u64,
    _: u64,
    _: vk::MemoryMapFlags,
    address: *mut *mut c_void,
) -> vk::Result {
    match lock(&MEMORY).get_mut(&memory.as_raw()) {
        // SAFETY: the program passes a place for the address.
        Some(block) => unsafe {
            address.write(block.as_mut_ptr().cast::<u8>().wrapping_add(offset as usize).cast());
            vk::Result::SUCCESS
        },
        None => vk::Result::ERROR_MEMORY_MAP_FAILED,
    }
}

/// Creates a buffer.
pub unsafe extern "system" fn create_buffer(
    _: vk::Device,
    info: *const vk::BufferCreateInfo<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    created: *mut vk::Buffer,
) -> vk::Result {
    let handle = number();
    // SAFETY: the program's structure lives as long as the call, and it passes a place for the handle.
    unsafe {
        lock(&BUFFERS).insert(handle, (*info).size);
        created.write(vk::Buffer::from_raw(handle));
    }
    vk::Result::SUCCESS
}

/// Destroys a buffer.
pub unsafe extern "system" fn destroy_buffer(_: vk::Device, buffer: vk::Buffer, _: *const vk::AllocationCallbacks<'_>) {
    lock(&BUFFERS).remove(&buffer.as_raw());
}

/// Says how much memory a buffer takes.
pub unsafe extern "system" fn buffer_requirements(
    _: vk::Device,
    buffer: vk::Buffer,
    requirements: *mut vk::MemoryRequirements,
) {
    let size = lock(&BUFFERS).get(&buffer.as_raw()).copied().unwrap_or_default();
    // SAFETY: the program passes a place for them.
    unsafe { requirements.write(units_for(size)) };
}

/// Says how much memory an image takes.
pub unsafe extern "system" fn image_requirements(
    _: vk::Device,
    _: vk::Image,
    requirements: *mut vk::MemoryRequirements,
) {
    // SAFETY: the program passes a place for them.
    unsafe { requirements.write(units_for(UNIT)) };
}

fn units_for(size: u64) -> vk::MemoryRequirements {
    vk::MemoryRequirements { size: size.next_multiple_of(UNIT), alignment: UNIT, memory_type_bits: 1 }
}

/// Binds a buffer, and empties it. What a program reads back is then zero, as nothing runs, and not what another buffer had there
/// before.
pub unsafe extern "system" fn bind_buffer(
    _: vk::Device,
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    offset: u64,
) -> vk::Result {
    let size = lock(&BUFFERS).get(&buffer.as_raw()).copied().unwrap_or_default();
    let mut blocks = lock(&MEMORY);
    let Some(block) = blocks.get_mut(&memory.as_raw()) else {
        return vk::Result::ERROR_UNKNOWN;
    };
    if offset + size > size_of_val(block.as_slice()) as u64 {
        return vk::Result::ERROR_OUT_OF_DEVICE_MEMORY;
    }
    // SAFETY: these bytes are in the block, and before it is bound the program has no buffer there.
    unsafe { block.as_mut_ptr().cast::<u8>().add(offset as usize).write_bytes(0, size as usize) };
    vk::Result::SUCCESS
}

#[cfg(test)]
mod tests {
    use std::ptr::{null, null_mut};

    use super::*;

    #[test]
    fn a_buffer_is_empty_where_another_one_was() {
        let device = vk::Device::null();
        let (mut memory, mut buffer, mut address) = (vk::DeviceMemory::null(), vk::Buffer::null(), null_mut());
        let block = vk::MemoryAllocateInfo { allocation_size: 1_000, ..Default::default() };
        let info = vk::BufferCreateInfo { size: 100, ..Default::default() };
        let mut requirements = vk::MemoryRequirements::default();
        // SAFETY: all of it lives to the end of the test, and what is written and read lies in the block.
        unsafe {
            allocate(device, &raw const block, null(), &raw mut memory).result().unwrap();
            create_buffer(device, &raw const info, null(), &raw mut buffer).result().unwrap();
            buffer_requirements(device, buffer, &raw mut requirements);
            map(device, memory, 256, 100, vk::MemoryMapFlags::empty(), &raw mut address).result().unwrap();
            let bytes = address.cast::<u8>();
            bytes.write_bytes(7, 101);
            bind_buffer(device, buffer, memory, 256).result().unwrap();
            assert_eq!([bytes.read(), bytes.add(99).read(), bytes.add(100).read()], [0, 0, 7]);
            assert!(bind_buffer(device, buffer, memory, 950).result().is_err());
            destroy_buffer(device, buffer, null());
            free(device, memory, null());
        }
        assert_eq!((requirements.size, requirements.memory_type_bits), (256, 1));
    }
}
