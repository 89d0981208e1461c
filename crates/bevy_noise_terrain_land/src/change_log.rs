//! What has changed since an earlier state, without comparing the two.

use std::collections::{BTreeSet, VecDeque};

use bevy::platform::sync::atomic::{AtomicU64, Ordering};

/// Changes that are remembered.
const MOST: usize = 16_384;

/// The number of the latest change of all.
static LATEST: AtomicU64 = AtomicU64::new(0);

/// A state of [`TerrainEdits`](crate::edits::TerrainEdits) or of
/// [`RemovedScatter`](crate::scatter::RemovedScatter): two of the same revision hold the same.
///
/// Every change makes a new one, and copies that change apart get different ones. Revisions mean nothing to another program,
/// or after a restart: they are not for files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Revision(u64);

impl Revision {
    fn next() -> Self {
        Self(LATEST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// The latest changes of a collection whose items have keys.
#[derive(Clone, Debug)]
pub(crate) struct ChangeLog<K> {
    /// The state before the first change that is remembered.
    begins: Revision,
    /// Each change with the state that it led to: an item came, went or is another one; `None` for all items that went.
    changes: VecDeque<(Revision, Option<K>)>,
}

/// What has changed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Changed<K> {
    /// All items went before the others came.
    pub cleared: bool,
    /// Items that came, went or are other ones.
    pub keys: BTreeSet<K>,
}

impl<K> Default for ChangeLog<K> {
    /// Of an empty collection.
    fn default() -> Self {
        Self { begins: Revision::default(), changes: VecDeque::new() }
    }
}

impl<K: Copy + Ord> ChangeLog<K> {
    /// Of a collection that is not known to have come from another.
    pub fn unrelated() -> Self {
        Self { begins: Revision::next(), changes: VecDeque::new() }
    }

    /// The present state.
    pub fn revision(&self) -> Revision {
        self.changes.back().map_or(self.begins, |(revision, _)| *revision)
    }

    /// An item came, went or is another one.
    pub fn change(&mut self, key: K) {
        self.push(Some(key));
    }

    /// All items went.
    pub fn clear(&mut self) {
        self.push(None);
    }

    fn push(&mut self, change: Option<K>) {
        if self.changes.len() == MOST
            && let Some((revision, _)) = self.changes.pop_front()
        {
            self.begins = revision;
        }
        self.changes.push_back((Revision::next(), change));
    }

    /// What has changed since an earlier state; `None` if it is not an earlier one of this collection, or too long ago.
    pub fn since(&self, revision: Revision) -> Option<Changed<K>> {
        let first = if revision == self.begins {
            0
        } else {
            // They rise.
            self.changes.binary_search_by_key(&revision, |(revision, _)| *revision).ok()? + 1
        };
        let mut changed = Changed { cleared: false, keys: BTreeSet::new() };
        for (_, key) in self.changes.range(first..) {
            match key {
                Some(key) => {
                    changed.keys.insert(*key);
                }
                None => changed = Changed { cleared: true, keys: BTreeSet::new() },
            }
        }
        Some(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_from_any_earlier_state() {
        let mut log = ChangeLog::default();
        let empty = log.revision();
        assert_eq!(empty, Revision::default());
        [3, 1, 3].into_iter().for_each(|key| log.change(key));
        let three = log.revision();
        let keys = |cleared, keys: &[u32]| Some(Changed { cleared, keys: keys.iter().copied().collect() });
        assert_eq!(log.since(empty), keys(false, &[1, 3]));
        assert_eq!(log.since(three), keys(false, &[]));
        log.clear();
        log.change(7);
        assert_eq!(log.since(three), keys(true, &[7]));
        assert_eq!(log.since(empty), keys(true, &[7]));
    }

    #[test]
    fn copies_that_changed_apart_know_nothing_of_each_other() {
        let mut log = ChangeLog::default();
        log.change(1);
        let mut copy = log.clone();
        assert_eq!(copy.revision(), log.revision());
        copy.change(2);
        log.change(2);
        assert_eq!((log.since(copy.revision()), copy.since(log.revision())), (None, None));
        assert_eq!(ChangeLog::<u32>::unrelated().since(Revision::default()), None);
    }

    #[test]
    fn what_is_too_long_ago_is_forgotten() {
        let mut log = ChangeLog::default();
        log.change(0);
        let first = log.revision();
        (0..MOST).for_each(|key| log.change(key));
        assert_eq!(log.since(first).map(|changed| changed.keys.len()), Some(MOST));
        log.change(0);
        assert_eq!(log.since(first), None);
        assert_eq!(log.changes.len(), MOST);
    }
}
