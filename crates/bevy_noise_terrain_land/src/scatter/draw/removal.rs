//! Leaves out what the app has taken away: near objects by identity, far trees where near ones are gone.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::scatter::RemovedScatter;
use crate::scatter::placement::{Cell, Rule};

/// The removed objects, as a band leaves them out.
#[derive(Clone, Default)]
pub struct Removal {
    removed: RemovedScatter,
    /// For the far band: the rules of the near one, and the width of its cells in quads of level 0.
    near: Option<(Arc<[Rule]>, u32)>,
}

impl Removal {
    /// For cells whose objects have identities.
    pub fn near(removed: RemovedScatter) -> Self {
        Self { removed, near: None }
    }

    /// For wide cells: far trees are others than the near ones, and leave where near ones have been taken away.
    pub fn far(removed: RemovedScatter, rules: Arc<[Rule]>, quads: u32) -> Self {
        Self { removed, near: Some((rules, quads)) }
    }

    /// Replaces what is removed. Returns the cells, `quads` quads wide, whose objects change, with the kinds as bits.
    pub fn replace(&mut self, removed: &RemovedScatter, quads: u32) -> Vec<(Cell, u32)> {
        let changed = std::mem::replace(&mut self.removed, removed.clone()).differences(removed);
        let Some((_, near_quads)) = &self.near else { return changed };
        let ratio = i64::from((quads / near_quads).max(1));
        // A near tree may stand for a far one beyond the border.
        let around = |cell: Cell| {
            let ends =
                cell.map(|cell| [cell.saturating_sub(1).div_euclid(ratio), cell.saturating_add(1).div_euclid(ratio)]);
            (ends[1][0]..=ends[1][1]).flat_map(move |z| (ends[0][0]..=ends[0][1]).map(move |x| [x, z]))
        };
        changed.into_iter().flat_map(|(cell, kinds)| around(cell).map(move |cell| (cell, kinds))).collect()
    }

    /// Whether a candidate of a cell is left out, by its number and its place in the cell.
    pub fn in_cell(&self, rule: &Rule, cell: Cell, quads: u32) -> impl Fn(u32, [f32; 2]) -> bool + use<> {
        let kind = rule.index as u8;
        let mut candidates = BTreeSet::new();
        let mut places = Vec::new();
        match &self.near {
            None => candidates = self.candidates(cell, kind).collect(),
            Some((rules, near_quads)) => {
                if let Some(near) = rules.iter().find(|near| near.index == rule.index) {
                    places = self.places(near, cell, quads / near_quads);
                }
            }
        }
        let reach = 0.5 * rule.square;
        move |candidate, [x, z]| {
            candidates.contains(&candidate)
                || places.iter().any(|[u, v]: &[f32; 2]| (x - u) * (x - u) + (z - v) * (z - v) < reach * reach)
        }
    }

    fn candidates(&self, cell: Cell, kind: u8) -> impl Iterator<Item = u32> {
        let removed = self.removed.in_cell(cell).into_iter().flatten();
        removed.filter(move |(other, _)| *other == kind).map(|&(_, candidate)| candidate)
    }

    /// Where objects have been taken away in and around a wide cell, `ratio` near cells wide; metres from its corner.
    fn places(&self, near: &Rule, cell: Cell, ratio: u32) -> Vec<[f32; 2]> {
        if self.removed.is_empty() {
            return Vec::new();
        }
        let ratio = i64::from(ratio.max(1));
        let first = cell.map(|cell| cell.saturating_mul(ratio));
        let offsets = (-1..=ratio).flat_map(|z| (-1..=ratio).map(move |x| [x, z]));
        let places = offsets.flat_map(|offset| {
            let cell = [0, 1].map(|axis| first[axis].saturating_add(offset[axis]));
            self.candidates(cell, near.index as u8).map(move |candidate| {
                let place = near.place(cell, candidate);
                [0, 1].map(|axis| place[axis] + offset[axis] as f32 * near.width)
            })
        });
        places.collect()
    }
}
