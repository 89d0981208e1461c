//! How the loader of Vulkan calls a layer. Vulkan's registry, and so `ash`, has nothing of this: it is the header `vk_layer.h`.

use std::ffi::{CStr, c_char, c_void};

use ash::vk;

use super::{next, stand_ins};

/// What the loader and a layer agree on.
#[repr(C)]
pub struct Negotiation {
    kind: u32,
    next: *mut c_void,
    version: u32,
    instance_functions: Option<vk::PFN_vkGetInstanceProcAddr>,
    device_functions: Option<vk::PFN_vkGetDeviceProcAddr>,
    physical_device_functions: Option<vk::PFN_vkGetInstanceProcAddr>,
}

/// The version of the interface that has this way of agreeing.
const VERSION: u32 = 2;

/// The one function that the loader looks for in the library.
///
/// # Safety
///
/// For the loader, which passes a structure that it owns.
#[unsafe(export_name = "vkNegotiateLoaderLayerInterfaceVersion")]
pub unsafe extern "system" fn negotiate(negotiation: *mut Negotiation) -> vk::Result {
    // SAFETY: the loader passes a structure that lives as long as the call.
    let Some(negotiation) = (unsafe { negotiation.as_mut() }) else {
        return vk::Result::ERROR_INITIALIZATION_FAILED;
    };
    if negotiation.version < VERSION {
        return vk::Result::ERROR_INITIALIZATION_FAILED;
    }
    negotiation.version = VERSION;
    negotiation.instance_functions = Some(instance_function);
    negotiation.device_functions = Some(device_function);
    negotiation.physical_device_functions = None;
    vk::Result::SUCCESS
}

/// What lies behind the layer, for an instance.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct InstanceLink {
    next: *mut Self,
    /// Looks up its functions.
    pub instance_functions: vk::PFN_vkGetInstanceProcAddr,
    physical_device_functions: Option<vk::PFN_vkGetInstanceProcAddr>,
}

/// What lies behind the layer, for a device.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DeviceLink {
    next: *mut Self,
    /// Looks up functions of its instance.
    pub instance_functions: vk::PFN_vkGetInstanceProcAddr,
    /// Looks up its functions.
    pub device_functions: vk::PFN_vkGetDeviceProcAddr,
}

/// A link of the chain of layers.
pub trait Link: Copy {
    /// What the loader marks it with.
    const KIND: vk::StructureType;

    /// The link of the layer behind this one.
    fn next(self) -> *mut Self;
}

impl Link for InstanceLink {
    const KIND: vk::StructureType = vk::StructureType::LOADER_INSTANCE_CREATE_INFO;

    fn next(self) -> *mut Self {
        self.next
    }
}

impl Link for DeviceLink {
    const KIND: vk::StructureType = vk::StructureType::LOADER_DEVICE_CREATE_INFO;

    fn next(self) -> *mut Self {
        self.next
    }
}

/// How the loader puts a link into what an instance or a device is created from.
#[repr(C)]
struct Linked<L> {
    kind: vk::StructureType,
    next: *const c_void,
    function: u32,
    link: *mut L,
}

/// The `function` of a [`Linked`] that has a link. There are others, with something else in its place.
const LINK: u32 = 0;

/// Takes this layer's link, and leaves the next one for the layer behind.
///
/// # Safety
///
/// The chain must be the one that the loader passed.
pub unsafe fn take<L: Link>(mut at: *const c_void) -> Option<L> {
    while !at.is_null() {
        // SAFETY: every structure of a chain begins so.
        let base = unsafe { at.cast::<vk::BaseInStructure>().read() };
        if base.s_type == L::KIND {
            let linked = at.cast_mut().cast::<Linked<L>>();
            // SAFETY: the loader's structures of this kind are its own, and have this form. Layers are to change them.
            unsafe {
                if (*linked).function == LINK && !(*linked).link.is_null() {
                    let link = (*linked).link.read();
                    (*linked).link = link.next();
                    return Some(link);
                }
            }
        }
        at = base.p_next.cast();
    }
    None
}

/// Looks up a function of an instance.
unsafe extern "system" fn instance_function(instance: vk::Instance, name: *const c_char) -> vk::PFN_vkVoidFunction {
    // SAFETY: names are C strings.
    let own = own(unsafe { CStr::from_ptr(name) });
    // SAFETY: the instance and the name are as the program passed them.
    own.or_else(|| unsafe { next::instance_function(instance, name) })
}

/// Looks up a function of a device.
unsafe extern "system" fn device_function(device: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
    // SAFETY: names are C strings.
    let own = own(unsafe { CStr::from_ptr(name) });
    // SAFETY: the device and the name are as the program passed them.
    own.or_else(|| unsafe { next::device_function(device, name) })
}

/// The layer's own function of a name.
fn own(name: &CStr) -> vk::PFN_vkVoidFunction {
    let name = name.to_str().ok()?;
    match name {
        "vkGetInstanceProcAddr" => stand_ins::function!(instance_function: vk::PFN_vkGetInstanceProcAddr),
        "vkGetDeviceProcAddr" => stand_ins::function!(device_function: vk::PFN_vkGetDeviceProcAddr),
        _ => stand_ins::find(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_layer_takes_its_own_link() {
        let mut last = InstanceLink {
            next: std::ptr::null_mut(),
            instance_functions: instance_function,
            physical_device_functions: None,
        };
        let mut first = InstanceLink { next: &raw mut last, ..last };
        let linked = Linked { kind: InstanceLink::KIND, next: std::ptr::null(), function: LINK, link: &raw mut first };
        let other = Linked { function: 3, next: (&raw const linked).cast(), ..linked };
        let chain = (&raw const other).cast();
        // SAFETY: all of it lives to the end of the test.
        let taken = [(); 3].map(|()| unsafe { take::<InstanceLink>(chain) });
        assert_eq!(
            taken.map(|link| link.map(|link| link.next)),
            [Some(&raw mut last), Some(std::ptr::null_mut()), None]
        );
    }
}
