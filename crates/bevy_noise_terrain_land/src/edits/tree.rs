//! All edits, found by place.
//!
//! A quadtree whose nodes are shared between versions: a snapshot is a pointer, a change copies the nodes above it, and
//! two versions are compared without looking at what they share.

use std::collections::HashSet;
use std::sync::Arc;

use super::prepared::{Part, Prepared};

/// Half of the root's width in metres: positions are at most 10¹² from zero.
const ROOT: f64 = (1u64 << 41) as f64;
/// The width of the smallest nodes, in metres.
const SMALLEST: f64 = 16.0;

/// An axis-aligned rectangle of the plane, in absolute metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect {
    pub min: [f64; 2],
    pub max: [f64; 2],
}

impl Rect {
    /// All of the plane.
    pub const EVERYWHERE: Self = Self { min: [f64::NEG_INFINITY; 2], max: [f64::INFINITY; 2] };

    /// A rectangle without a width.
    pub fn point(at: [f64; 2]) -> Self {
        Self { min: at, max: at }
    }

    /// The smallest rectangle around both.
    pub fn join(self, other: Self) -> Self {
        Self {
            min: [0, 1].map(|axis| self.min[axis].min(other.min[axis])),
            max: [0, 1].map(|axis| self.max[axis].max(other.max[axis])),
        }
    }

    /// Wider by `by` metres on every side.
    pub fn grown(self, by: f64) -> Self {
        Self { min: self.min.map(|at| at - by), max: self.max.map(|at| at + by) }
    }

    /// Whether they have more than borders in common.
    #[cfg(feature = "render")]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..2).all(|axis| self.min[axis] < other.max[axis] && other.min[axis] < self.max[axis])
    }

    /// Whether they have a point in common.
    pub fn touches(&self, other: &Self) -> bool {
        (0..2).all(|axis| self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis])
    }
}

/// What an edit has changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    pub rect: Rect,
    /// Samples so many metres apart, or more, do not show it.
    pub size: f64,
    /// Whether a hole came or went, and the heights stayed.
    pub is_hole: bool,
}

impl Change {
    /// A hole came or went.
    pub fn hole(rect: Rect) -> Self {
        Self { rect, size: f64::INFINITY, is_hole: true }
    }

    /// Everything may be other.
    #[cfg(feature = "scatter")]
    pub const EVERYTHING: Self = Self { rect: Rect::EVERYWHERE, size: f64::INFINITY, is_hole: false };
}

/// A part of an edit, in its place among all others.
#[derive(Clone, Debug)]
pub struct Item {
    /// Edits are applied in this order.
    pub order: u64,
    pub edit: Arc<Prepared>,
    pub part: Part,
}

impl Item {
    fn is(&self, other: &Self) -> bool {
        self.order == other.order && self.part.index == other.part.index && Arc::ptr_eq(&self.edit, &other.edit)
    }
}

/// What an edit may change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    Heights,
    Paint,
    Plants,
}

/// What the edits of a node, and of those below it, have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Summary {
    /// Half the width of the largest: coarse samples show no smaller ones.
    largest: f64,
    /// The coarsest scale that one of them smooths to.
    smoothest: f64,
    /// Whether one of them has each [`Effect`].
    has: [bool; 3],
}

impl Summary {
    fn of(Item { edit, part, .. }: &Item) -> Self {
        let has = [Effect::Heights, Effect::Paint, Effect::Plants].map(|effect| edit.has(effect));
        Self { largest: part.largest, smoothest: edit.smooths().unwrap_or(0.0), has }
    }

    fn join(self, other: Self) -> Self {
        Self {
            largest: self.largest.max(other.largest),
            smoothest: self.smoothest.max(other.smoothest),
            has: [0, 1, 2].map(|effect| self.has[effect] || other.has[effect]),
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Node {
    items: Vec<Item>,
    children: [Option<Arc<Self>>; 4],
    summary: Summary,
}

/// The place of a node.
#[derive(Clone, Copy)]
struct Cell {
    center: [f64; 2],
    /// Half of its width.
    half: f64,
}

impl Cell {
    const ROOT: Self = Self { center: [0.0; 2], half: ROOT };

    /// Where the items of this node and of those below it reach: each has its middle within the node, and is at most as
    /// wide.
    fn reach(&self) -> Rect {
        Rect::point(self.center).grown(2.0 * self.half)
    }

    fn child_at(&self, at: [f64; 2]) -> usize {
        usize::from(at[0] >= self.center[0]) + 2 * usize::from(at[1] >= self.center[1])
    }

    fn child(&self, index: usize) -> Self {
        let half = 0.5 * self.half;
        let side = [index % 2, index / 2].map(|side| if side == 0 { -half } else { half });
        Self { center: [self.center[0] + side[0], self.center[1] + side[1]], half }
    }
}

/// A snapshot of all edits.
#[derive(Clone, Debug, Default)]
pub(crate) struct EditTree(Option<Arc<Node>>);

impl EditTree {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether it is the same snapshot.
    #[cfg(feature = "scatter")]
    pub fn is(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    /// Adds an edit.
    pub fn insert(&mut self, order: u64, edit: &Arc<Prepared>) {
        for part in edit.parts() {
            let root = self.0.get_or_insert_default();
            insert(Arc::make_mut(root), Cell::ROOT, Item { order, edit: edit.clone(), part });
        }
    }

    /// Removes an edit that has been added.
    pub fn remove(&mut self, order: u64, edit: &Arc<Prepared>) {
        for part in edit.parts() {
            let item = Item { order, edit: edit.clone(), part };
            if self.0.as_mut().is_some_and(|root| remove(Arc::make_mut(root), Cell::ROOT, &item)) {
                self.0 = None;
            }
        }
    }

    /// The edits with an effect that samples `footprint` metres apart show within a rectangle, in their order.
    pub fn items(&self, effect: Effect, within: &Rect, footprint: f64) -> Vec<Item> {
        let mut items = Vec::new();
        if let Some(root) = &self.0 {
            // An edge may be as wide as the distance between samples.
            let wanted = Wanted { effect, within: within.grown(0.5 * footprint), footprint };
            wanted.collect(root, Cell::ROOT, &mut items);
        }
        items.sort_by_key(|item| (item.order, item.part.index));
        items
    }

    /// Where two snapshots may differ, but for edges that coarse samples widen.
    pub fn difference(&self, other: &Self) -> Vec<Change> {
        // Where land is smoothed, what is near it counts as well.
        let smoothest = [self, other].map(|tree| tree.0.as_ref().map_or(0.0, |root| root.summary.smoothest));
        let reach = 0.5 * smoothest[0].max(smoothest[1]);
        let mut changes = Vec::new();
        differ(self.0.as_ref(), other.0.as_ref(), &mut |Item { part, .. }| {
            changes.push(Change { rect: part.rect.grown(reach), size: 2.0 * part.largest, is_hole: false });
        });
        changes
    }
}

fn insert(node: &mut Node, cell: Cell, item: Item) {
    node.summary = node.summary.join(Summary::of(&item));
    let width = [0, 1].map(|axis| item.part.rect.max[axis] - item.part.rect.min[axis]);
    if cell.half < SMALLEST || width[0].max(width[1]) > cell.half {
        node.items.push(item);
        return;
    }
    let index = cell.child_at(item.part.middle());
    let child = node.children[index].get_or_insert_default();
    insert(Arc::make_mut(child), cell.child(index), item);
}

/// Removes an item; returns whether nothing is left.
fn remove(node: &mut Node, cell: Cell, item: &Item) -> bool {
    let before = node.items.len();
    node.items.retain(|own| !own.is(item));
    if node.items.len() == before {
        let index = cell.child_at(item.part.middle());
        if let Some(child) = &mut node.children[index]
            && remove(Arc::make_mut(child), cell.child(index), item)
        {
            node.children[index] = None;
        }
    }
    let below = node.children.iter().flatten().map(|child| child.summary);
    node.summary = node.items.iter().map(Summary::of).chain(below).fold(Summary::default(), Summary::join);
    node.items.is_empty() && node.children.iter().all(Option::is_none)
}

/// What a search looks for.
struct Wanted {
    effect: Effect,
    within: Rect,
    footprint: f64,
}

impl Wanted {
    fn collect(&self, node: &Node, cell: Cell, found: &mut Vec<Item>) {
        let Summary { largest, has, .. } = node.summary;
        if !has[self.effect as usize] || 2.0 * largest <= self.footprint || !cell.reach().touches(&self.within) {
            return;
        }
        let matches = |item: &&Item| item.edit.has(self.effect) && item.part.rect.touches(&self.within);
        found.extend(node.items.iter().filter(matches).cloned());
        for (index, child) in node.children.iter().enumerate() {
            if let Some(child) = child {
                self.collect(child, cell.child(index), found);
            }
        }
    }
}

/// Visits the items that only one of two nodes, and those below them, has.
fn differ(a: Option<&Arc<Node>>, b: Option<&Arc<Node>>, visit: &mut impl FnMut(&Item)) {
    match (a, b) {
        (None, None) => return,
        (Some(a), Some(b)) if Arc::ptr_eq(a, b) => return,
        _ => {}
    }
    unshared([a, b].map(|node| node.map_or(&[][..], |node| &node.items)), visit);
    for index in 0..4 {
        let [a, b] = [a, b].map(|node| node.and_then(|node| node.children[index].as_ref()));
        differ(a, b, visit);
    }
}

/// Visits the items that only one of two lists has.
fn unshared([mut a, mut b]: [&[Item]; 2], visit: &mut impl FnMut(&Item)) {
    // A node may hold thousands, and most changes are at the end.
    while let ([first, rest @ ..], [other, others @ ..]) = (a, b)
        && first.is(other)
    {
        (a, b) = (rest, others);
    }
    while let ([rest @ .., last], [others @ .., other]) = (a, b)
        && last.is(other)
    {
        (a, b) = (rest, others);
    }
    let key = |item: &Item| (item.order, item.part.index, Arc::as_ptr(&item.edit));
    let keys = [a, b].map(|items| items.iter().map(key).collect::<HashSet<_>>());
    a.iter().filter(|item| !keys[1].contains(&key(item))).for_each(&mut *visit);
    b.iter().filter(|item| !keys[0].contains(&key(item))).for_each(visit);
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use proptest::prelude::*;

    use super::*;
    use crate::edits::Edit;

    fn prepared(x: f64, z: f64, radius: f64) -> Arc<Prepared> {
        Arc::new(Prepared::new(Edit::raise(DVec3::new(x, 0.0, z), radius, 1.0).falloff(radius)).unwrap())
    }

    proptest! {
        #[test]
        fn what_is_found_is_what_is_there(
            discs in prop::collection::vec((-1e3..1e3f64, -1e3..1e3f64, 0.1..300.0f64), 1..60),
            at in (-1e3..1e3f64, -1e3..1e3f64),
            width in 0.0..500.0f64,
            footprint in 0.0..40.0f64,
        ) {
            let edits: Vec<_> = discs.iter().map(|&(x, z, radius)| prepared(x, z, radius)).collect();
            let mut tree = EditTree::default();
            for (order, edit) in edits.iter().enumerate() {
                tree.insert(order as u64, edit);
            }
            let within = Rect { min: at.into(), max: [at.0 + width, at.1 + width] };
            let found: Vec<u64> = tree.items(Effect::Heights, &within, footprint).iter().map(|item| item.order).collect();
            prop_assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
            for (order, &(x, z, radius)) in discs.iter().enumerate() {
                let reach = 1.5 * radius + 0.5 * radius.max(footprint);
                let rect = Rect::point([x, z]).grown(reach);
                let is_seen = 3.0 * radius > footprint && rect.touches(&within);
                prop_assert!(!is_seen || found.contains(&(order as u64)), "{order} is missing");
            }
            // Every other one is removed: the snapshot stays, and differs where they were.
            let snapshot = tree.clone();
            let mut gone = 0;
            for (order, edit) in edits.iter().enumerate().step_by(2) {
                tree.remove(order as u64, edit);
                gone += 1;
            }
            prop_assert_eq!(snapshot.difference(&tree).len(), gone);
            prop_assert_eq!(tree.difference(&snapshot).len(), gone);
            prop_assert_eq!(snapshot.items(Effect::Heights, &within, footprint).len(), found.len());
            let left: Vec<u64> = tree.items(Effect::Heights, &within, footprint).iter().map(|item| item.order).collect();
            prop_assert_eq!(left, found.into_iter().filter(|order| order % 2 == 1).collect::<Vec<_>>());
            for (order, edit) in edits.iter().enumerate().skip(1).step_by(2) {
                tree.remove(order as u64, edit);
            }
            prop_assert!(tree.is_empty());
        }
    }

    #[test]
    fn edits_are_found_by_what_they_change() {
        let mut tree = EditTree::default();
        let painted = Arc::new(Prepared::new(Edit::paint(DVec3::ZERO, 5.0, 1)).unwrap());
        let raised = prepared(1.0, 0.0, 5.0);
        tree.insert(0, &painted);
        tree.insert(1, &raised);
        let found = |tree: &EditTree, effect| -> Vec<u64> {
            tree.items(effect, &Rect::point([0.0; 2]), 1.0).iter().map(|item| item.order).collect()
        };
        assert_eq!([Effect::Heights, Effect::Paint].map(|effect| found(&tree, effect)), [[1], [0]]);
        assert!(found(&tree, Effect::Plants).is_empty());
        tree.remove(0, &painted);
        assert_eq!(tree.0.as_ref().map(|root| root.summary.has), Some([true, false, false]));
    }

    #[test]
    fn a_change_far_away_is_found_without_looking_elsewhere() {
        let mut tree = EditTree::default();
        for index in 0..1_000 {
            tree.insert(index, &prepared(index as f64 * 50.0, 0.0, 5.0));
        }
        let before = tree.clone();
        tree.insert(1_000, &prepared(-9e11, 3e11, 20.0));
        assert_eq!(tree.difference(&before).len(), 1);
        assert!(tree.difference(&tree.clone()).is_empty());
    }
}
