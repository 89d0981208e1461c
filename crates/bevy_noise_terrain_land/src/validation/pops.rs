//! Checks two consecutive frames for jumps.

use super::DrawnFrame;
use crate::lod::MORPH_END;
use crate::source::HeightSource;
use crate::uniforms::ENDLESS;

/// The permitted changes between two frames.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    /// Distance that a viewer moved in metres, with the change of its height over ground.
    pub moved: f32,
    /// Fraction of its full range by which a level may have grown.
    pub growth: f32,
}

/// A jump between two frames.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Pop {
    /// A height changed more than the morphs of its levels explain.
    #[error("vertex {vertex:?} of the coarsest grid jumps by {jump} m, {allowed} m allowed")]
    Height {
        /// Which vertex.
        vertex: [i64; 2],
        /// Metres.
        jump: f32,
        /// Metres.
        allowed: f32,
    },
    /// A morph changed more than the motion of viewers and the growth of ranges explain.
    #[error("level {level} morphs from {from} to {to} in a frame, {allowed} allowed")]
    Morph {
        /// Level of detail.
        level: u8,
        /// Before.
        from: f32,
        /// After.
        to: f32,
        /// Difference that is explained.
        allowed: f32,
    },
}

impl DrawnFrame {
    /// All jumps from `before` to this frame, within twelve vertices of the coarsest grid
    /// around each viewer. Both frames must show the same generation.
    pub fn pops(&self, before: &Self, source: &dyn HeightSource, motion: Motion) -> Vec<Pop> {
        let spacing = self.lod.spacing * self.coarsest_step() as f64;
        let mut pops = Vec::new();
        for viewer in &self.viewers {
            let [x, z] = viewer.position.map(|metres| (metres / spacing).round() as i64);
            for vertex in (-12..=12).flat_map(|dz| (-12..=12).map(move |dx| [x + dx, z + dz])) {
                self.check_vertex(before, source, motion, vertex, &mut pops);
            }
        }
        pops
    }

    fn check_vertex(
        &self,
        before: &Self,
        source: &dyn HeightSource,
        motion: Motion,
        vertex: [i64; 2],
        pops: &mut Vec<Pop>,
    ) {
        let (Some((level_before, height_before)), Some((level_after, height_after))) =
            (before.height_at(vertex), self.height_at(vertex))
        else {
            return;
        };
        let top = self.lod.top_level();
        let position = vertex.map(|index| (index * self.coarsest_step()) as f64 * self.lod.spacing);
        let height = |level: u8| source.height(position, self.lod.spacing * f64::from(1u32 << level.min(top)));
        let mut allowed_jump = 2e-3;
        for level in level_before.min(level_after)..=level_before.max(level_after) {
            let [from, to] = [before, self].map(|frame| frame.morph_at(level, frame.relative(position)).height);
            let [range_before, range] = [before, self].map(|frame| frame.numbers.ranges[usize::from(level)]);
            allowed_jump += (height(level) - height(level + 1)).abs() * (to - from).abs();
            if range_before > 0.0 && range > 0.0 && range < ENDLESS {
                let growth = motion.growth * self.lod.full_range(level) as f32;
                // Ranges shrink if chunks ahead are missing, but no faster than the viewer approaches those,
                // and finer ranges no faster than coarser ones.
                let band = range_before.min(range) * (MORPH_END - self.numbers.morph_start);
                let allowed = (3.0 * motion.moved + growth) / band + 1e-3;
                if (to - from).abs() > allowed {
                    pops.push(Pop::Morph { level, from, to, allowed });
                }
            }
        }
        let jump = (height_after - height_before).abs();
        if jump > allowed_jump {
            pops.push(Pop::Height { vertex, jump, allowed: allowed_jump });
        }
    }

    /// An absolute position relative to the origin of this frame.
    fn relative(&self, position: [f64; 2]) -> [f32; 2] {
        [0, 1].map(|axis| (position[axis] - self.origin[axis]) as f32)
    }
}
