//! Small buffers that change from frame to frame, on their way to the graphics card.

use bevy::prelude::*;
use bevy::render::render_resource::{Buffer, BufferDescriptor, BufferUsages};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::{ExtractSchedule, MainWorld, Render, RenderApp, RenderSystems};

/// What this frame writes; the render world takes it along, so that it meets the frame's vertices.
#[derive(Resource, Default)]
pub(crate) struct Uploads(Vec<(Buffer, u64, Vec<u8>)>);

impl Uploads {
    /// Writes `bytes` into `buffer`, from byte `offset` on, before this frame is drawn.
    pub fn write(&mut self, buffer: &Buffer, offset: usize, bytes: &[u8]) {
        self.0.push((buffer.clone(), offset as u64, bytes.to_vec()));
    }
}

/// A storage buffer of so many bytes; it begins as zeros.
pub(crate) fn storage_buffer(device: &RenderDevice, label: &str, bytes: usize) -> Buffer {
    device.create_buffer(&BufferDescriptor {
        label: Some(label),
        size: bytes as u64,
        usage: BufferUsages::STORAGE | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// Carries [`Uploads`].
pub(crate) struct UploadPlugin;

impl Plugin for UploadPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Uploads>();
        let Some(render_app) = app.get_sub_app_mut(RenderApp) else { return };
        render_app
            .init_resource::<Uploads>()
            .add_systems(ExtractSchedule, extract)
            .add_systems(Render, write.in_set(RenderSystems::PrepareResources));
    }
}

fn extract(mut main: ResMut<MainWorld>, mut uploads: ResMut<Uploads>) {
    if let Some(mut pending) = main.get_resource_mut::<Uploads>() {
        // Frames can be skipped; what was not written yet must not get lost.
        uploads.0.append(&mut pending.bypass_change_detection().0);
    }
}

fn write(mut uploads: ResMut<Uploads>, queue: Res<RenderQueue>) {
    for (buffer, offset, bytes) in uploads.0.drain(..) {
        queue.write_buffer(&buffer, offset, &bytes);
    }
}
