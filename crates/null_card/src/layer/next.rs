//! Instances and devices, and the functions of the driver behind the layer.
//!
//! All programs and cards have the same functions there, as there is one driver: those of the instance and the device that
//! were created last are kept.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::Mutex;

use ash::khr::pipeline_executable_properties as statistics;
use ash::{DeviceFnV1_0, EntryFnV1_0, InstanceFnV1_0, InstanceFnV1_1, vk};

use super::chain::{list, lock};
use super::interface::{self, DeviceLink, InstanceLink};
use super::report;

#[derive(Clone, Copy)]
struct Instance {
    handle: vk::Instance,
    functions: vk::PFN_vkGetInstanceProcAddr,
}

impl Instance {
    fn look_up(self, name: &CStr) -> *const c_void {
        // SAFETY: the handle is of an instance, or null, as it is before there is one.
        pointer(unsafe { (self.functions)(self.handle, name.as_ptr()) })
    }
}

/// What the layer calls of a device.
#[derive(Clone)]
pub struct Device {
    look_up: vk::PFN_vkGetDeviceProcAddr,
    /// The functions that every device has.
    pub functions: DeviceFnV1_0,
    /// Those that give statistics of pipelines.
    pub statistics: statistics::DeviceFn,
}

static INSTANCE: Mutex<Option<Instance>> = Mutex::new(None);
static DEVICE: Mutex<Option<Device>> = Mutex::new(None);

/// What the layer calls of a device.
pub fn device() -> Option<Device> {
    lock(&DEVICE).clone()
}

/// Looks up what the layer does not stand in for.
///
/// # Safety
///
/// The name must be a C string, and the instance one that lives, or null.
pub unsafe fn instance_function(instance: vk::Instance, name: *const c_char) -> vk::PFN_vkVoidFunction {
    let functions = lock(&INSTANCE).as_ref()?.functions;
    // SAFETY: by this function's own condition.
    unsafe { functions(instance, name) }
}

/// Looks up what the layer does not stand in for.
///
/// # Safety
///
/// The name must be a C string, and the device one that lives.
pub unsafe fn device_function(device: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
    let look_up = lock(&DEVICE).as_ref()?.look_up;
    // SAFETY: by this function's own condition.
    unsafe { look_up(device, name) }
}

/// Creates an instance.
pub unsafe extern "system" fn create_instance(
    info: *const vk::InstanceCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    created: *mut vk::Instance,
) -> vk::Result {
    // SAFETY: the loader's structure, and its chain, live as long as the call.
    let Some(link) = (unsafe { interface::take::<InstanceLink>((*info).p_next) }) else {
        return vk::Result::ERROR_INITIALIZATION_FAILED;
    };
    let mut instance = Instance { handle: vk::Instance::null(), functions: link.instance_functions };
    let entry = EntryFnV1_0::load(|name| instance.look_up(name));
    // SAFETY: all as the loader passed it, but for the link that was taken.
    let result = unsafe { (entry.create_instance)(info, allocator, created) };
    if result == vk::Result::SUCCESS {
        // SAFETY: with success it has been written.
        instance.handle = unsafe { *created };
        *lock(&INSTANCE) = Some(instance);
    }
    result
}

/// Creates a device, which is to keep statistics of pipelines.
pub unsafe extern "system" fn create_device(
    card: vk::PhysicalDevice,
    info: *const vk::DeviceCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    created: *mut vk::Device,
) -> vk::Result {
    // SAFETY: the loader's structure lives as long as the call.
    let info = unsafe { *info };
    // SAFETY: so does its chain.
    let link = unsafe { interface::take::<DeviceLink>(info.p_next) };
    let (Some(link), Some(instance)) = (link, *lock(&INSTANCE)) else {
        return vk::Result::ERROR_INITIALIZATION_FAILED;
    };
    let instance = Instance { functions: link.instance_functions, ..instance };
    // SAFETY: it is the program's list, which lives as long.
    let mut extensions = unsafe { list(info.pp_enabled_extension_names, info.enabled_extension_count) }.to_vec();
    extensions.push(statistics::NAME.as_ptr());
    let mut feature =
        vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default().pipeline_executable_info(true);
    feature.p_next = info.p_next.cast_mut();
    let info =
        vk::DeviceCreateInfo { p_next: (&raw const feature).cast(), ..info }.enabled_extension_names(&extensions);
    let functions = InstanceFnV1_0::load(|name| instance.look_up(name));
    // SAFETY: all as the loader passed it, but for the link that was taken, and an extension and a feature more.
    let result = unsafe { (functions.create_device)(card, &raw const info, allocator, created) };
    if result == vk::Result::SUCCESS {
        let look_up = link.device_functions;
        // SAFETY: with success the device has been written.
        let find = |name: &CStr| pointer(unsafe { look_up(*created, name.as_ptr()) });
        let (functions, statistics) = (DeviceFnV1_0::load(find), statistics::DeviceFn::load(find));
        *lock(&DEVICE) = Some(Device { look_up, functions, statistics });
        tell_card(instance, card);
    }
    result
}

/// Writes down which card and which driver it is.
fn tell_card(instance: Instance, card: vk::PhysicalDevice) {
    let mut driver = vk::PhysicalDeviceDriverProperties::default();
    let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut driver);
    let functions = InstanceFnV1_1::load(|name| instance.look_up(name));
    // SAFETY: the card is of this instance, and both structures live longer than the call.
    unsafe { (functions.get_physical_device_properties2)(card, &raw mut properties) };
    let name = properties.properties.device_name_as_c_str().map(CStr::to_string_lossy).unwrap_or_default();
    report::write(&report::card(&name, &driver.driver_info_as_c_str().map(CStr::to_string_lossy).unwrap_or_default()));
}

fn pointer(function: vk::PFN_vkVoidFunction) -> *const c_void {
    function.map_or(ptr::null(), |function| function as *const c_void)
}
