//! Spans of heights, slopes, temperatures and the like, with soft ends.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::settings::settings;

/// Stands for infinity, which is not portable in shaders.
pub const ENDLESS: f32 = 1e9;

settings! {
    /// A span of a quantity with soft ends: 1 from `from` + `soft`/2 to `to` − `soft`/2, 0 beyond `from` − `soft`/2 and
    /// `to` + `soft`/2.
    #[derive(Clone, Copy, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct LayerSpan {
        /// The lower end; may be −∞.
        #[serde(skip_serializing_if = "has_no_low_end")]
        pub from: f32 = f32::NEG_INFINITY, [any];
        /// The upper end; may be ∞.
        #[serde(skip_serializing_if = "has_no_high_end")]
        pub to: f32 = f32::INFINITY, [any];
        /// Width over which each end fades, in the unit of the quantity.
        pub soft: f32 = 0.0, [0.0..=1e6];
    }
}

// Open ends are left out of files: not every format has infinity.

fn has_no_low_end(from: &f32) -> bool {
    *from == f32::NEG_INFINITY
}

fn has_no_high_end(to: &f32) -> bool {
    *to == f32::INFINITY
}

impl LayerSpan {
    /// Everything.
    pub const ALL: Self = Self { from: f32::NEG_INFINITY, to: f32::INFINITY, soft: 0.0 };

    /// Everything from `from` up.
    pub const fn above(from: f32, soft: f32) -> Self {
        Self { from, to: f32::INFINITY, soft }
    }

    /// Everything up to `to`.
    pub const fn below(to: f32, soft: f32) -> Self {
        Self { from: f32::NEG_INFINITY, to, soft }
    }

    /// What lies in both spans, with ends as hard as those of the harder one.
    pub(crate) fn within(self, other: Self) -> Self {
        let soft = match (self == Self::ALL, other == Self::ALL) {
            (true, _) => other.soft,
            (_, true) => self.soft,
            _ => self.soft.min(other.soft),
        };
        Self { from: self.from.max(other.from), to: self.to.min(other.to), soft }
    }

    /// Everything between `from` and `to`.
    pub const fn between(from: f32, to: f32, soft: f32) -> Self {
        Self { from, to, soft }
    }
}

/// A span for the shader: from, to, reciprocal of the soft width, and a value that has nothing to do with it.
pub fn span(span: LayerSpan, beside: f32) -> [f32; 4] {
    let end = |end: f32| end.clamp(-ENDLESS, ENDLESS);
    [end(span.from), end(span.to), 1.0 / span.soft.max(1e-6), beside]
}

/// Weight of a value in a span, 0 to 1.
pub fn within(span: &[f32; 4], value: f32) -> f32 {
    let smooth = |over: f32| {
        let t = (over * span[2] + 0.5).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    };
    smooth(value - span[0]) * smooth(span[1] - value)
}
