//! What there is to draw on.

use bevy::render::renderer::RenderAdapterInfo;
use wgpu::{Backends, DeviceType, Instance, InstanceDescriptor};

/// Is there a screen that a window could open on?
pub fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// The kind of adapter that pictures would be drawn with; `None` if there is none at all.
pub fn device_type() -> Option<DeviceType> {
    let backends = Backends::from_env().unwrap_or(Backends::PRIMARY);
    let instance = Instance::new(InstanceDescriptor { backends, ..InstanceDescriptor::new_without_display_handle() });
    let adapters = bevy::tasks::block_on(instance.enumerate_adapters(backends));
    let kinds = adapters.iter().map(|adapter| adapter.get_info().device_type);
    // Bevy prefers a fast card; software is what is left.
    kinds.min_by_key(|kind| match kind {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    })
}

/// Does the app draw without a graphics card?
pub fn is_software(adapter: Option<&RenderAdapterInfo>) -> bool {
    adapter.is_some_and(|adapter| adapter.device_type == DeviceType::Cpu)
}

/// What to install where there is no driver.
pub const DRIVER_HELP: &str = "No graphics driver was found, so there are no pictures. A software driver is enough: \
    on Debian and Ubuntu `apt install libvulkan1 mesa-vulkan-drivers`, on Fedora `dnf install mesa-vulkan-drivers`, \
    on Arch `pacman -S vulkan-swrast`.";
