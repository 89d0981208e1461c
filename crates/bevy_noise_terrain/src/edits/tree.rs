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

    /// Whether they have a point in common.
    pub fn touches(&self, other: &Self) -> bool {
        (0..2).all(|axis| self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis])
    }
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

#[derive(Clone, Debug, Default)]
struct Node {
    items: Vec<Item>,
    children: [Option<Arc<Self>>; 4],
    /// The largest edit in it and below it, by half of its width: coarse samples show no smaller ones.
    largest: f64,
    /// The coarsest scale that an edit in it or below it smooths to.
    smoothest: f64,
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

    /// The edits that samples `footprint` metres apart show within a rectangle, in their order.
    pub fn items(&self, within: &Rect, footprint: f64) -> Vec<Item> {
        let mut items = Vec::new();
        if let Some(root) = &self.0 {
            // An edge may be as wide as the distance between samples.
            collect(root, Cell::ROOT, &within.grown(0.5 * footprint), footprint, &mut items);
        }
        items.sort_by_key(|item| (item.order, item.part.index));
        items
    }

    /// Where two snapshots may differ, but for edges that coarse samples widen.
    pub fn difference(&self, other: &Self) -> Vec<Rect> {
        let mut rects = Vec::new();
        differ(self.0.as_ref(), other.0.as_ref(), &mut |item| rects.push(item.part.rect));
        // Where land is smoothed, what is near it counts as well.
        let smoothest = [self, other].map(|tree| tree.0.as_ref().map_or(0.0, |root| root.smoothest));
        rects.iter().map(|rect| rect.grown(0.5 * smoothest[0].max(smoothest[1]))).collect()
    }
}

fn insert(node: &mut Node, cell: Cell, item: Item) {
    node.largest = node.largest.max(item.part.largest);
    node.smoothest = node.smoothest.max(item.edit.smooths().unwrap_or(0.0));
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
    let own = node.items.iter().map(|item| [item.part.largest, item.edit.smooths().unwrap_or(0.0)]);
    let below = node.children.iter().flatten().map(|child| [child.largest, child.smoothest]);
    [node.largest, node.smoothest] = own.chain(below).fold([0.0; 2], |a, b| [0, 1].map(|k| f64::max(a[k], b[k])));
    node.items.is_empty() && node.children.iter().all(Option::is_none)
}

fn collect(node: &Node, cell: Cell, within: &Rect, footprint: f64, found: &mut Vec<Item>) {
    if !cell.reach().touches(within) || 2.0 * node.largest <= footprint {
        return;
    }
    found.extend(node.items.iter().filter(|item| item.part.rect.touches(within)).cloned());
    for (index, child) in node.children.iter().enumerate() {
        if let Some(child) = child {
            collect(child, cell.child(index), within, footprint, found);
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
            let found: Vec<u64> = tree.items(&within, footprint).iter().map(|item| item.order).collect();
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
            prop_assert_eq!(snapshot.items(&within, footprint).len(), found.len());
            let left: Vec<u64> = tree.items(&within, footprint).iter().map(|item| item.order).collect();
            prop_assert_eq!(left, found.into_iter().filter(|order| order % 2 == 1).collect::<Vec<_>>());
            for (order, edit) in edits.iter().enumerate().skip(1).step_by(2) {
                tree.remove(order as u64, edit);
            }
            prop_assert!(tree.is_empty());
        }
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
