//! Takes objects and records along into the render world and writes them, before anything of the frame is drawn.

use bevy::ecs::query::QueryState;
use bevy::prelude::*;
use bevy::render::MainWorld;
use bevy::render::render_resource::Buffer;
use bevy::render::renderer::RenderQueue;

use super::place::Instance;
use super::stream::ScatterState;

/// What a frame writes, per kind.
#[derive(Resource, Default)]
pub(super) struct Writes(Vec<Write>);

struct Write {
    instances: Buffer,
    page_bytes: usize,
    uploads: Vec<(u32, Vec<Instance>)>,
    pages: Buffer,
    bytes: Vec<u8>,
}

pub(super) fn extract(
    mut main: ResMut<MainWorld>,
    mut writes: ResMut<Writes>,
    mut states: Local<Option<QueryState<&'static mut ScatterState>>>,
) {
    let time = main.get_resource::<Time>().map_or(0.0, Time::elapsed_secs_wrapped);
    let states = states.get_or_insert_with(|| main.query());
    // Frames can be skipped; what was not written yet must not get lost.
    for mut state in states.iter_mut(&mut main) {
        let state = state.bypass_change_detection();
        let wind = state.wind();
        let Some(cells) = &mut state.cells else { continue };
        for (layer, buffers) in cells.layers.iter_mut().zip(&state.buffers) {
            let mut bytes = bytemuck::bytes_of(&layer.header(wind, time)).to_vec();
            bytes.extend_from_slice(bytemuck::cast_slice(&layer.records));
            writes.0.push(Write {
                instances: buffers.instances.clone(),
                page_bytes: layer.page_bytes(),
                uploads: std::mem::take(&mut layer.uploads),
                pages: buffers.pages.clone(),
                bytes,
            });
        }
    }
}

pub(super) fn write(mut writes: ResMut<Writes>, queue: Res<RenderQueue>) {
    for Write { instances, page_bytes, uploads, pages, bytes } in writes.0.drain(..) {
        for (page, objects) in uploads {
            queue.write_buffer(&instances, u64::from(page) * page_bytes as u64, bytemuck::cast_slice(&objects));
        }
        queue.write_buffer(&pages, 0, &bytes);
    }
}
