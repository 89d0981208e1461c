//! Statistics.

use bevy::prelude::*;

use super::TerrainState;
use super::loaded::DETAIL_NORMALS_SECONDS;
use crate::terrain::{DETAIL_NORMAL_BYTES, TerrainStats, VERTEX_BYTES};

/// What is outstanding besides chunks, for [`TerrainStats`](crate::TerrainStats). The systems that draw it write it here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outstanding {
    /// Pieces of volumes, and a search for them.
    pub volumes: u32,
    /// Whether volumes fade in.
    pub fading_volumes: bool,
    /// Layers of the ground that lack their textures.
    pub textures: u32,
    /// Whether holes or volumes are kept back.
    pub kept_back: bool,
}

/// Updates [`TerrainStats`].
pub(crate) fn report(mut terrains: Query<(&TerrainState, &mut TerrainStats)>) {
    for (state, mut stats) in &mut terrains {
        stats.set_if_neq(state.stats());
    }
}

impl TerrainState {
    /// What is outstanding besides chunks, for the systems that draw it.
    #[cfg(feature = "render")]
    pub(crate) fn outstanding_mut(&mut self) -> &mut Outstanding {
        &mut self.outstanding
    }

    /// Whether anything on screen is still in transition.
    fn is_fading(&self) -> bool {
        let normals = self.last_detail_normals.map(|last| last.elapsed().as_secs_f32());
        self.is_growing
            || self.outstanding.fading_volumes
            || normals.is_some_and(|since| since < DETAIL_NORMALS_SECONDS)
    }

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
            missing_volumes: self.outstanding.volumes,
            missing_textures: self.outstanding.textures,
            kept_back: self.outstanding.kept_back,
            fading: self.is_fading(),
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
