//! Takes objects and records along into the render world and writes them, before anything of the frame is drawn.

use bevy::ecs::query::QueryState;
use bevy::prelude::*;
use bevy::render::MainWorld;
use bevy::render::renderer::RenderQueue;

use super::pages::{KindHeader, PageRecord};
use super::placement::Instance;
use super::render_assets::Buffers;
use super::stream::ScatterState;

/// Seconds after which all that moves in the wind has swung a whole number of times: the shader's clock begins anew, and
/// nothing jumps. Speeds there are multiples of a twentieth of a radian a second.
const SWING_PERIOD: f64 = 20.0 * std::f64::consts::TAU;

/// What a frame writes, per kind and band.
#[derive(Resource, Default)]
pub(super) struct Writes(Vec<Write>);

struct Write {
    buffers: Buffers,
    page_bytes: usize,
    uploads: Vec<(u32, Vec<Instance>)>,
    header: KindHeader,
    first_record: usize,
    records: Vec<PageRecord>,
}

pub(super) fn extract(
    mut main: ResMut<MainWorld>,
    mut writes: ResMut<Writes>,
    mut states: Local<Option<QueryState<&'static mut ScatterState>>>,
) {
    let time = main.get_resource::<Time>().map_or(0.0, |time| (time.elapsed_secs_f64() % SWING_PERIOD) as f32);
    let states = states.get_or_insert_with(|| main.query());
    // Frames can be skipped; what was not written yet must not get lost.
    for mut state in states.iter_mut(&mut main) {
        let state = state.bypass_change_detection();
        let wind = state.wind();
        for (layer, assets) in state.layers() {
            let (first_record, records) = layer.records.take_changed();
            let records = records.to_vec();
            writes.0.push(Write {
                buffers: assets.buffers.clone(),
                page_bytes: layer.page_bytes(),
                uploads: std::mem::take(&mut layer.uploads),
                header: layer.header(wind, time),
                first_record,
                records,
            });
        }
    }
}

pub(super) fn write(mut writes: ResMut<Writes>, queue: Res<RenderQueue>) {
    for Write { buffers, page_bytes, uploads, header, first_record, records } in writes.0.drain(..) {
        for (page, objects) in uploads {
            let offset = u64::from(page) * page_bytes as u64;
            queue.write_buffer(&buffers.instances, offset, bytemuck::cast_slice(&objects));
        }
        queue.write_buffer(&buffers.pages, 0, bytemuck::bytes_of(&header));
        if !records.is_empty() {
            let offset = size_of::<KindHeader>() + first_record * size_of::<PageRecord>();
            queue.write_buffer(&buffers.pages, offset as u64, bytemuck::cast_slice(&records));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plants_do_not_jump_when_their_clock_begins_anew() {
        let shader = include_str!("scatter.wgsl");
        assert!(shader.contains("const GUST_SPEED: f32 = 1.1;") && shader.contains("const TREMBLE_SPEED: f32 = 2.1;"));
        assert!(shader.contains("const PACES: f32 = 20.0;"));
        let paces = (0..20).map(|pace| 2.1 + f64::from(pace) / 20.0);
        for speed in paces.chain([1.1]) {
            let swings = speed * SWING_PERIOD / std::f64::consts::TAU;
            assert!((swings - swings.round()).abs() < 1e-9, "{speed}: {swings} swings");
        }
    }
}
