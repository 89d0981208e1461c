//! Statistics.

use bevy::prelude::*;

use super::TerrainState;
use crate::terrain::{DETAIL_NORMAL_BYTES, TerrainStats, VERTEX_BYTES};

/// Updates [`TerrainStats`].
pub(crate) fn report(mut terrains: Query<(&TerrainState, &mut TerrainStats)>) {
    for (state, mut stats) in &mut terrains {
        stats.set_if_neq(state.stats());
    }
}

impl TerrainState {
    fn stats(&self) -> TerrainStats {
        let mut drawn = Vec::new();
        for key in &self.drawn {
            let level = usize::from(key.level);
            if drawn.len() <= level {
                drawn.resize(level + 1, 0);
            }
            drawn[level] += 1;
        }
        TerrainStats {
            drawn,
            loaded: self.slots.used(),
            capacity: self.slots.capacity(),
            missing: self.missing,
            missing_detail_normals: self.missing_detail_normals,
            built: self.figures.built,
            wasted: self.figures.wasted,
            failed: self.figures.failed,
            chunk_ms: self.figures.chunk_ms,
            wait_ms: self.figures.wait_ms,
            main_ms: self.figures.main_ms,
            vertex_bytes: self.slots.used() as usize * VERTEX_BYTES,
            detail_normal_bytes: if self.renderer.detail_normals {
                self.slots.used() as usize * DETAIL_NORMAL_BYTES
            } else {
                0
            },
            ranges: self.shown.as_ref().map_or_else(Vec::new, |shown| shown.ranges.as_slice().to_vec()),
            generation: self.shown.as_ref().map_or(0, |shown| shown.id),
            detail: self.demand.detail,
            reach: self.shown.as_ref().map_or(0.0, |shown| shown.reach),
            retuning: self.pending.is_some() || self.patch.is_some() || self.next.is_some(),
        }
    }
}
