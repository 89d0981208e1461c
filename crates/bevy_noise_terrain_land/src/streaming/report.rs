//! Statistics.

use bevy::prelude::*;

use super::TerrainState;
use super::loaded::DETAIL_NORMALS_SECONDS;
use crate::settings::SettingsRejected;
use crate::terrain::{DETAIL_NORMAL_BYTES, TerrainStats, VERTEX_BYTES};
use crate::viewer::TerrainViewers;

/// What is outstanding besides chunks, for [`TerrainStats`](crate::TerrainStats). The systems that draw it write it here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outstanding {
    /// Pieces of volumes, and a search for them.
    pub volumes: u32,
    /// Whether volumes fade in.
    pub fading_volumes: bool,
    /// Layers of the ground that lack their textures.
    pub textures: u32,
    /// Chunks whose pages of ground are still to be filled.
    pub pages: u32,
    /// Whether holes or volumes are kept back.
    pub kept_back: bool,
}

/// Updates [`TerrainStats`].
pub(crate) fn report(mut terrains: Query<(&TerrainState, &TerrainViewers, &mut TerrainStats)>) {
    for (state, viewers, mut stats) in &mut terrains {
        let viewers = viewers.as_slice().len() as u32;
        let now = TerrainStats { viewers, refused: stats.refused.clone(), ..state.stats() };
        stats.set_if_neq(now);
    }
}

/// Notes what was refused last.
pub(crate) fn on_rejected(rejected: On<SettingsRejected>, mut terrains: Query<&mut TerrainStats>) {
    if let Some(mut stats) = rejected.entity.and_then(|terrain| terrains.get_mut(terrain).ok()) {
        stats.refused = Some(rejected.error.to_string());
    }
}

impl TerrainState {
    /// What is outstanding besides chunks, for the systems that draw it.
    #[cfg(feature = "render")]
    pub(crate) fn outstanding_mut(&mut self) -> &mut Outstanding {
        &mut self.outstanding
    }

    /// Whether the land on screen reaches as far as its settings ask for.
    fn reaches_view(&self) -> bool {
        self.shown.as_ref().is_none_or(|shown| shown.reach >= shown.shape.lod.view_distance)
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
            missing_pages: self.outstanding.pages,
            kept_back: self.outstanding.kept_back,
            fading: self.is_fading(),
            built: self.figures.built,
            wasted: self.figures.wasted,
            failed: self.figures.failed,
            chunk_ms: self.figures.chunk_ms,
            wait_ms: self.figures.wait_ms,
            main_ms: self.figures.main_ms,
            triangles: self.figures.triangles,
            filled_pages: self.figures.filled_pages,
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
            fits: !self.demand.is_cut && self.reaches_view(),
            ..default()
        }
    }
}
