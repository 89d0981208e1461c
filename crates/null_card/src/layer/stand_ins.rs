//! The functions in the place of the driver's: which they are, and those that do nothing.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};

use ash::vk;

use super::{memory, next, pipelines, semaphores};

/// A function of Vulkan, checked against the type of its name, as one of any type.
macro_rules! function {
    ($function:path: $kind:ty) => {{
        let function: $kind = $function;
        // SAFETY: all pointers to functions are alike; whoever looks a function up knows its type by its name.
        Some(unsafe { std::mem::transmute::<$kind, unsafe extern "system" fn()>(function) })
    }};
}
pub(crate) use function;

/// Does nothing, and succeeds where that is asked: in place of functions of any type. In the calling convention of C it is the
/// caller who takes the arguments away, and a result that is not expected is not looked at.
extern "system" fn nothing() -> vk::Result {
    vk::Result::SUCCESS
}

/// Creates an object that is but a number, other than those before it.
unsafe extern "system" fn create(_: vk::Device, _: *const c_void, _: *const c_void, created: *mut u64) -> vk::Result {
    // SAFETY: the program passes a place for the handle.
    unsafe { created.write(number()) };
    vk::Result::SUCCESS
}

/// A number that no object has had.
pub fn number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The function in the place of the driver's, if there is one.
pub fn find(name: &str) -> vk::PFN_vkVoidFunction {
    // What has become a part of Vulkan has its old name as well.
    match name.strip_suffix("KHR").unwrap_or(name) {
        "vkCreateInstance" => function!(next::create_instance: vk::PFN_vkCreateInstance),
        "vkCreateDevice" => function!(next::create_device: vk::PFN_vkCreateDevice),
        "vkCreateGraphicsPipelines" => function!(pipelines::create_graphics: vk::PFN_vkCreateGraphicsPipelines),
        "vkCreateComputePipelines" => function!(pipelines::create_compute: vk::PFN_vkCreateComputePipelines),
        "vkSetDebugUtilsObjectNameEXT" => function!(pipelines::name: vk::PFN_vkSetDebugUtilsObjectNameEXT),

        "vkGetPhysicalDeviceMemoryProperties" => {
            function!(memory::properties: vk::PFN_vkGetPhysicalDeviceMemoryProperties)
        }
        "vkGetPhysicalDeviceMemoryProperties2" => {
            function!(memory::properties2: vk::PFN_vkGetPhysicalDeviceMemoryProperties2)
        }
        "vkAllocateMemory" => function!(memory::allocate: vk::PFN_vkAllocateMemory),
        "vkFreeMemory" => function!(memory::free: vk::PFN_vkFreeMemory),
        "vkMapMemory" => function!(memory::map: vk::PFN_vkMapMemory),
        "vkCreateBuffer" => function!(memory::create_buffer: vk::PFN_vkCreateBuffer),
        "vkDestroyBuffer" => function!(memory::destroy_buffer: vk::PFN_vkDestroyBuffer),
        "vkGetBufferMemoryRequirements" => {
            function!(memory::buffer_requirements: vk::PFN_vkGetBufferMemoryRequirements)
        }
        "vkBindBufferMemory" => function!(memory::bind_buffer: vk::PFN_vkBindBufferMemory),
        "vkGetImageMemoryRequirements" => {
            function!(memory::image_requirements: vk::PFN_vkGetImageMemoryRequirements)
        }

        "vkCreateSemaphore" => function!(semaphores::create: vk::PFN_vkCreateSemaphore),
        "vkDestroySemaphore" => function!(semaphores::destroy: vk::PFN_vkDestroySemaphore),
        "vkGetSemaphoreCounterValue" => function!(semaphores::value: vk::PFN_vkGetSemaphoreCounterValue),
        "vkSignalSemaphore" => function!(semaphores::signal: vk::PFN_vkSignalSemaphore),
        "vkQueueSubmit" => function!(semaphores::submit: vk::PFN_vkQueueSubmit),

        "vkCreateFence" | "vkCreateImage" | "vkCreateImageView" | "vkCreateFramebuffer" => Some(
            // SAFETY: see `function`. All of these have the same arguments, but for the types behind the pointers.
            unsafe {
                std::mem::transmute::<
                    unsafe extern "system" fn(vk::Device, *const c_void, *const c_void, *mut u64) -> vk::Result,
                    unsafe extern "system" fn(),
                >(create)
            },
        ),
        // All that is submitted is done at once, so there is nothing to wait for.
        "vkDestroyFence" | "vkResetFences" | "vkGetFenceStatus" | "vkWaitForFences" | "vkWaitSemaphores"
        | "vkQueueWaitIdle" | "vkDeviceWaitIdle"
        // The driver must not see objects that are only numbers.
        | "vkDestroyImage" | "vkDestroyImageView" | "vkDestroyFramebuffer" | "vkBindImageMemory"
        | "vkUpdateDescriptorSets"
        | "vkUnmapMemory" | "vkFlushMappedMemoryRanges" | "vkInvalidateMappedMemoryRanges"
        // Commands are not recorded.
        | "vkBeginCommandBuffer" | "vkEndCommandBuffer" | "vkResetCommandBuffer" | "vkResetCommandPool" => do_nothing(),
        command if command.starts_with("vkCmd") => do_nothing(),
        _ => None,
    }
}

fn do_nothing() -> vk::PFN_vkVoidFunction {
    function!(nothing: extern "system" fn() -> vk::Result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_creates_pipelines_and_commands_is_stood_in_for() {
        for name in ["vkCreateGraphicsPipelines", "vkCmdDraw", "vkWaitSemaphoresKHR", "vkCreateImage"] {
            assert!(find(name).is_some(), "{name}");
        }
        for name in ["vkCreateShaderModule", "vkCreatePipelineLayout", "vkCreateSwapchainKHR"] {
            assert!(find(name).is_none(), "{name}");
        }
    }

    #[test]
    fn no_two_objects_have_the_same_number() {
        assert_ne!(number(), number());
    }
}
