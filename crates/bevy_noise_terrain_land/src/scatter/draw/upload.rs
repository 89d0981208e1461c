//! Uploads objects and records.

use bevy::prelude::*;

use super::pages::{KindHeader, PageRecord};
use super::render_assets::Buffers;
use super::stream::ScatterState;
use crate::gpu::Uploads;
use crate::terrain::TerrainOrigin;
use crate::wind::{Wind, WindRecord};

/// Seconds after which the shader's clock restarts. All speeds there are multiples of 1/20 radian per second, so
/// everything that moves in the wind has then completed whole periods, and nothing jumps.
const SWING_PERIOD: f64 = 20.0 * std::f64::consts::TAU;

/// Uploads new objects, the records of changed pages, and this frame's uniforms of every kind.
pub(super) fn upload(
    mut states: Query<(&mut ScatterState, &TerrainOrigin)>,
    time: Res<Time>,
    wind: Res<Wind>,
    mut uploads: ResMut<Uploads>,
) {
    let time = (time.elapsed_secs_f64() % SWING_PERIOD) as f32;
    for (mut state, origin) in &mut states {
        let state = state.bypass_change_detection();
        let yielding = state.yielding();
        let blowing = WindRecord::new(&wind, [origin.x, origin.z]);
        for (layer, assets) in state.layers() {
            let Buffers { instances, pages, .. } = &assets.buffers;
            for (page, objects) in std::mem::take(&mut layer.uploads) {
                uploads.write(instances, page as usize * layer.page_bytes(), objects);
            }
            uploads.write(pages, 0, vec![layer.header(yielding, blowing, time)]);
            let (first, records) = layer.records.take_changed();
            if !records.is_empty() {
                uploads.write(pages, size_of::<KindHeader>() + first * size_of::<PageRecord>(), records.to_vec());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plants_do_not_jump_when_their_clock_restarts() {
        let shader = include_str!("scatter.wesl");
        assert!(shader.contains("const TREMBLE_SPEED: f32 = 2.1;"));
        assert!(shader.contains("const PACES: f32 = 20.0;"));
        let paces = (0..20).map(|pace| 2.1 + f64::from(pace) / 20.0);
        for speed in paces {
            let swings = speed * SWING_PERIOD / std::f64::consts::TAU;
            assert!((swings - swings.round()).abs() < 1e-9, "{speed}: {swings} swings");
        }
    }
}
