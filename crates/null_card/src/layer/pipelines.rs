//! Pipelines, which the driver creates, and its statistics of them.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::ptr;
use std::sync::Mutex;

use ash::vk::{self, Handle};

use super::chain::{list, lock};
use super::next::{self, Device};
use super::report::{self, Pipeline, Shader};

/// Those that were created, by their handles: they get their names later.
static CREATED: Mutex<BTreeMap<u64, Pipeline>> = Mutex::new(BTreeMap::new());

/// Creates pipelines that draw.
pub unsafe extern "system" fn create_graphics(
    device: vk::Device,
    cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::GraphicsPipelineCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    created: *mut vk::Pipeline,
) -> vk::Result {
    let Some(next) = next::device() else { return vk::Result::ERROR_DEVICE_LOST };
    // SAFETY: the program's list lives as long as the call.
    let mut infos = unsafe { list(infos, count) }.to_vec();
    for info in &mut infos {
        info.flags |= vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR;
    }
    // SAFETY: all as the program passed it, but for a flag.
    let result =
        unsafe { (next.functions.create_graphics_pipelines)(device, cache, count, infos.as_ptr(), allocator, created) };
    // SAFETY: the driver has written a handle for each, or null.
    let pipelines = unsafe { list(created, count) };
    for (info, &pipeline) in infos.iter().zip(pipelines) {
        // SAFETY: both are the program's. The first is null, or lives as long as the call, and so does the list.
        let (multisampling, stages) =
            unsafe { (info.p_multisample_state.as_ref(), list(info.p_stages, info.stage_count)) };
        let samples = multisampling.map_or(1, |state| state.rasterization_samples.as_raw());
        let stages = stages.iter().fold(vk::ShaderStageFlags::empty(), |all, stage| all | stage.stage);
        // SAFETY: the driver has just created it on this device.
        unsafe { keep(&next, device, pipeline, samples, stages) };
    }
    result
}

/// Creates pipelines that compute.
pub unsafe extern "system" fn create_compute(
    device: vk::Device,
    cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::ComputePipelineCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    created: *mut vk::Pipeline,
) -> vk::Result {
    let Some(next) = next::device() else { return vk::Result::ERROR_DEVICE_LOST };
    // SAFETY: the program's list lives as long as the call.
    let mut infos = unsafe { list(infos, count) }.to_vec();
    for info in &mut infos {
        info.flags |= vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR;
    }
    // SAFETY: all as the program passed it, but for a flag.
    let result =
        unsafe { (next.functions.create_compute_pipelines)(device, cache, count, infos.as_ptr(), allocator, created) };
    // SAFETY: the driver has written a handle for each, or null.
    for &pipeline in unsafe { list(created, count) } {
        // SAFETY: the driver has just created it on this device.
        unsafe { keep(&next, device, pipeline, 0, vk::ShaderStageFlags::COMPUTE) };
    }
    result
}

/// Writes down the statistics of a pipeline by its name. Names of other objects are dropped: most of these are only numbers.
pub unsafe extern "system" fn name(_: vk::Device, info: *const vk::DebugUtilsObjectNameInfoEXT<'_>) -> vk::Result {
    // SAFETY: the program's structure lives as long as the call.
    let info = unsafe { &*info };
    if info.object_type == vk::ObjectType::PIPELINE && !info.p_object_name.is_null() {
        // SAFETY: names are C strings.
        let name = unsafe { CStr::from_ptr(info.p_object_name) }.to_string_lossy();
        if let Some(pipeline) = lock(&CREATED).remove(&info.object_handle) {
            report::write(&report::pipeline(&name, &pipeline));
        }
    }
    vk::Result::SUCCESS
}

/// Keeps what the driver says of a pipeline's shaders in these stages. To passes without a fragment shader it adds an empty one.
///
/// # Safety
///
/// The pipeline must be of this device, or null.
unsafe fn keep(next: &Device, device: vk::Device, pipeline: vk::Pipeline, samples: u32, stages: vk::ShaderStageFlags) {
    if pipeline == vk::Pipeline::null() {
        return;
    }
    let info = vk::PipelineInfoKHR::default().pipeline(pipeline);
    let list = |count: &mut u32, found: *mut vk::PipelineExecutablePropertiesKHR<'_>| {
        // SAFETY: it lives as long as the call, and the places for what is found are as many as `count`.
        unsafe { (next.statistics.get_pipeline_executable_properties_khr)(device, &raw const info, count, found) }
    };
    let shaders = fill(list).into_iter().enumerate().filter(|(_, shader)| stages.contains(shader.stages));
    let shaders = shaders.map(|(index, shader)| {
        let info = vk::PipelineExecutableInfoKHR::default().pipeline(pipeline).executable_index(index as u32);
        let list = |count: &mut u32, found: *mut vk::PipelineExecutableStatisticKHR<'_>| {
            // SAFETY: as above.
            unsafe { (next.statistics.get_pipeline_executable_statistics_khr)(device, &raw const info, count, found) }
        };
        Shader { stages: shader.stages, statistics: fill(list).iter().filter_map(statistic).collect() }
    });
    let kept = Pipeline { samples, shaders: shaders.collect() };
    lock(&CREATED).insert(pipeline.as_raw(), kept);
}

/// A list that is asked for twice, as Vulkan's are: for its length, and for its items.
fn fill<T: Default + Clone>(mut list: impl FnMut(&mut u32, *mut T) -> vk::Result) -> Vec<T> {
    let mut count = 0;
    if list(&mut count, ptr::null_mut()) != vk::Result::SUCCESS {
        return Vec::new();
    }
    let mut found = vec![T::default(); count as usize];
    if list(&mut count, found.as_mut_ptr()) != vk::Result::SUCCESS {
        return Vec::new();
    }
    found.truncate(count as usize);
    found
}

/// The name and the value of a statistic that is a whole number.
fn statistic(statistic: &vk::PipelineExecutableStatisticKHR<'_>) -> Option<(String, u64)> {
    if statistic.format != vk::PipelineExecutableStatisticFormatKHR::UINT64 {
        return None;
    }
    let name = statistic.name_as_c_str().ok()?.to_string_lossy().into_owned();
    // SAFETY: the format says that it is this number.
    Some((name, unsafe { statistic.value.u64 }))
}
