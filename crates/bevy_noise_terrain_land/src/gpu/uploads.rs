//! Buffer writes of this crate.

use bevy::prelude::*;
use bevy::render::render_resource::{Buffer, BufferDescriptor, BufferUsages};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::{ExtractSchedule, MainWorld, Render, RenderApp, RenderSystems};
use bytemuck::NoUninit;

use crate::mesh::PooledVec;

/// This frame's buffer writes. They are extracted to the render world, so that they match the frame's visible entities,
/// and executed before anything of the frame is drawn.
#[derive(Resource, Default)]
pub(crate) struct Uploads(Vec<(Buffer, u64, Box<dyn Bytes>)>);

/// Data with the memory layout that the shader reads.
pub(crate) trait Bytes: Send + Sync + 'static {
    fn bytes(&self) -> &[u8];
}

impl<T: NoUninit + Send + Sync> Bytes for Vec<T> {
    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self)
    }
}

impl<T: NoUninit + Send + Sync> Bytes for PooledVec<T> {
    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self)
    }
}

impl Uploads {
    /// Writes `contents` into `buffer` at the byte `offset`.
    pub fn write(&mut self, buffer: &Buffer, offset: usize, contents: impl Bytes) {
        self.0.push((buffer.clone(), offset as u64, Box::new(contents)));
    }
}

/// A storage buffer of `bytes` bytes, zeroed.
pub(crate) fn storage_buffer(device: &RenderDevice, label: &str, bytes: usize) -> Buffer {
    device.create_buffer(&BufferDescriptor {
        label: Some(label),
        size: bytes as u64,
        usage: BufferUsages::STORAGE | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

pub(super) fn add(app: &mut App) {
    app.init_resource::<Uploads>();
    let Some(render_app) = app.get_sub_app_mut(RenderApp) else { return };
    render_app
        .init_resource::<Uploads>()
        .add_systems(ExtractSchedule, extract)
        .add_systems(Render, write.in_set(RenderSystems::PrepareResources));
}

fn extract(mut main: ResMut<MainWorld>, mut uploads: ResMut<Uploads>) {
    if let Some(mut pending) = main.get_resource_mut::<Uploads>() {
        // Append: rendering can skip frames, and their writes must not be lost.
        uploads.0.append(&mut pending.bypass_change_detection().0);
    }
}

/// Writes what has been extracted.
pub(crate) fn write(mut uploads: ResMut<Uploads>, queue: Res<RenderQueue>) {
    for (buffer, offset, contents) in uploads.0.drain(..) {
        queue.write_buffer(&buffer, offset, contents.bytes());
    }
}
