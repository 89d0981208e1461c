//! Cameras with order-independent transparency on devices that allow too few storage buffers.

use std::any::TypeId;

use bevy::camera::visibility::VisibleEntities;
use bevy::core_pipeline::oit::OrderIndependentTransparencySettings;
use bevy::prelude::*;
use bevy::render::renderer::RenderDevice;

use super::render_layers::DrawnPart;
use crate::gpu;

/// Storage buffers per shader stage under such a camera: the land's four, Bevy's four, three for the transparency.
const STORAGE_BUFFERS: u32 = 11;

/// Hides land, plants and water from a camera whose pipelines the device refuses: Bevy would end the app.
pub(super) fn hide_from_cameras(
    mut cameras: Query<(Entity, &mut VisibleEntities), With<OrderIndependentTransparencySettings>>,
    parts: Query<(), With<DrawnPart>>,
    device: Option<Res<RenderDevice>>,
) {
    if cameras.is_empty() {
        return;
    }
    let Some(found) = device.and_then(|device| gpu::too_few_storage_buffers(&device, STORAGE_BUFFERS)) else { return };
    for (camera, mut visible) in &mut cameras {
        error_once!(
            "terrain under a camera with order-independent transparency needs {STORAGE_BUFFERS} storage buffers per \
             shader stage, but this device has {found}: camera {camera} does not see it"
        );
        visible.get_mut(TypeId::of::<Mesh3d>()).retain(|&entity| !parts.contains(entity));
    }
}
