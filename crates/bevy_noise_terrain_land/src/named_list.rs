//! Lists of what players and games add to a terrain, each item with a name of its own.

use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::sync::Arc;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::change_log::ChangeLog;
#[cfg(feature = "presets")]
use crate::change_log::Revision;
use crate::settings::SettingsError;

/// Names an item of a list: a number.
pub(crate) trait Name: Copy + Debug + Default + DeserializeOwned + Ord + Serialize {
    /// Of all names the greatest, which no item has: after it no other could come.
    const LAST: Self;

    /// The name after this one, which is not the last.
    fn next(self) -> Self;

    /// Its number.
    fn number(self) -> u64;
}

/// An item that is ready for use.
pub(crate) trait Item: Sized {
    /// What names it.
    type Name: Name;
    /// What it is made from.
    type Settings: Clone + Debug + DeserializeOwned + PartialEq + Serialize;

    /// Checks settings, and makes an item from them.
    fn prepare(settings: Self::Settings) -> Result<Self, SettingsError>;

    fn settings(&self) -> &Self::Settings;
}

/// Items with their names. A clone shares the items.
pub(crate) struct NamedList<T: Item> {
    items: BTreeMap<T::Name, Arc<T>>,
    next: T::Name,
    log: ChangeLog<T::Name>,
}

/// What leads from one state of a list to a later one.
#[cfg(feature = "presets")]
#[derive(Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub(crate) struct ListChanges<T: Item> {
    /// Whether all earlier items were removed before those below were added.
    #[serde(default)]
    cleared: bool,
    /// Each item that was added or replaced, and the names of those that were removed.
    #[serde(default = "Vec::new")]
    list: Vec<(T::Name, Option<T::Settings>)>,
    next: T::Name,
}

impl<T: Item> NamedList<T> {
    /// Adds an item.
    pub fn apply(&mut self, settings: T::Settings) -> Result<T::Name, SettingsError> {
        let name = self.next;
        self.insert(name, settings)?;
        Ok(name)
    }

    /// Adds an item by a name. It replaces one of the same name.
    pub fn insert(&mut self, name: T::Name, settings: T::Settings) -> Result<(), SettingsError> {
        self.check(name)?;
        self.set(name, Some(Arc::new(T::prepare(settings)?)));
        Ok(())
    }

    /// Takes an item away, and returns it.
    pub fn undo(&mut self, name: T::Name) -> Option<T::Settings> {
        let settings = self.get(name)?.clone();
        self.set(name, None);
        Some(settings)
    }

    /// Takes all items away. Their names stay taken.
    pub fn clear(&mut self) {
        if !self.items.is_empty() {
            self.items.clear();
            self.log.clear();
        }
    }

    pub fn get(&self, name: T::Name) -> Option<&T::Settings> {
        self.items.get(&name).map(|item| item.settings())
    }

    /// In the order of their names.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (T::Name, &T::Settings)> {
        self.items.iter().map(|(&name, item)| (name, item.settings()))
    }

    /// In the order of their names.
    pub fn items(&self) -> impl DoubleEndedIterator<Item = (T::Name, &Arc<T>)> {
        self.items.iter().map(|(&name, item)| (name, item))
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The name that the next item gets.
    pub fn next(&self) -> T::Name {
        self.next
    }

    fn check(&self, name: T::Name) -> Result<(), SettingsError> {
        if name < T::Name::LAST {
            return Ok(());
        }
        Err(SettingsError::new("id", name.number(), format_args!("0 to {}", T::Name::LAST.number() - 1)))
    }

    fn set(&mut self, name: T::Name, item: Option<Arc<T>>) {
        match item {
            Some(item) => drop(self.items.insert(name, item)),
            None => drop(self.items.remove(&name)),
        }
        self.next = self.next.max(name.next());
        self.log.change(name);
    }
}

#[cfg(feature = "presets")]
impl<T: Item> NamedList<T> {
    /// The present state.
    pub fn revision(&self) -> Revision {
        self.log.revision()
    }

    /// What has changed since an earlier state, or what leads from any list to this one, if it did not come from that.
    pub fn changes_since(&self, revision: Revision) -> ListChanges<T> {
        let all = || self.iter().map(|(name, settings)| (name, Some(settings.clone()))).collect();
        let (cleared, list) = match self.log.since(revision) {
            Some(changed) => {
                let list = changed.keys.into_iter().map(|name| (name, self.get(name).cloned())).collect();
                (changed.cleared, list)
            }
            None => (true, all()),
        };
        ListChanges { cleared, list, next: self.next }
    }

    /// Makes changes that were made to another list. Made twice, they do no harm.
    pub fn merge(&mut self, changes: ListChanges<T>) -> Result<(), SettingsError> {
        let mut list = Vec::with_capacity(changes.list.len());
        for (index, (name, settings)) in changes.list.into_iter().enumerate() {
            self.check(name).map_err(|error| error.below(index))?;
            let item = settings.map(T::prepare).transpose().map_err(|error| error.below(index))?;
            list.push((name, item.map(Arc::new)));
        }
        if changes.cleared {
            self.clear();
        }
        for (name, item) in list {
            self.set(name, item);
        }
        self.next = self.next.max(changes.next);
        Ok(())
    }
}

#[cfg(feature = "presets")]
impl<T: Item> ListChanges<T> {
    /// What leads from a list to an empty one.
    pub fn all_gone(since: Revision) -> Self {
        Self { cleared: since != Revision::default(), list: Vec::new(), next: T::Name::default() }
    }

    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        !self.cleared && self.list.is_empty()
    }
}

#[cfg(feature = "presets")]
impl<T: Item> Clone for ListChanges<T> {
    fn clone(&self) -> Self {
        Self { cleared: self.cleared, list: self.list.clone(), next: self.next }
    }
}

#[cfg(feature = "presets")]
impl<T: Item> PartialEq for ListChanges<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.cleared, &self.list, self.next) == (other.cleared, &other.list, other.next)
    }
}

#[cfg(feature = "presets")]
impl<T: Item> Debug for ListChanges<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cleared, list, next } = self;
        f.debug_struct("ListChanges").field("cleared", cleared).field("list", list).field("next", next).finish()
    }
}

impl<T: Item> Clone for NamedList<T> {
    fn clone(&self) -> Self {
        Self { items: self.items.clone(), next: self.next, log: self.log.clone() }
    }
}

impl<T: Item> Default for NamedList<T> {
    fn default() -> Self {
        Self { items: BTreeMap::new(), next: T::Name::default(), log: ChangeLog::default() }
    }
}

/// Whether they hold the same items by the same names.
impl<T: Item> PartialEq for NamedList<T> {
    fn eq(&self, other: &Self) -> bool {
        self.log.revision() == other.log.revision() || self.iter().eq(other.iter())
    }
}

impl<T: Item> Debug for NamedList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// What is written: the items with their names, and the name that the next one gets.
#[derive(Serialize, Deserialize)]
#[serde(rename = "NamedList", deny_unknown_fields)]
struct Written<N, L> {
    next: N,
    list: L,
}

impl<T: Item> Serialize for NamedList<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let list: Vec<_> = self.iter().collect();
        Written { next: self.next, list }.serialize(serializer)
    }
}

impl<'de, T: Item> Deserialize<'de> for NamedList<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { next, list } = Written::<T::Name, Vec<(T::Name, T::Settings)>>::deserialize(deserializer)?;
        let mut read = Self::default();
        for (index, (name, settings)) in list.into_iter().enumerate() {
            read.insert(name, settings).map_err(|error| D::Error::custom(error.below(index)))?;
        }
        read.next = read.next.max(next);
        if read.next > T::Name::default() {
            read.log = ChangeLog::unrelated();
        }
        Ok(read)
    }
}

#[cfg(all(test, feature = "presets"))]
mod tests {
    use bevy::math::DVec3;
    use proptest::prelude::*;
    use terrain_noise::{read_ron, write_ron_line};

    use super::*;
    use crate::edits::{Hole, HoleId, Outline};

    #[derive(Clone, Copy, Debug)]
    enum Step {
        Apply,
        Undo(u64),
        Again(u64),
        Clear,
        Tell,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            6 => Just(Step::Apply),
            3 => (0u64..40).prop_map(Step::Undo),
            2 => (0u64..40).prop_map(Step::Again),
            1 => Just(Step::Clear),
            4 => Just(Step::Tell),
        ]
    }

    proptest! {
        #[test]
        fn a_copy_that_is_told_of_changes_stays_the_same(steps in prop::collection::vec(step(), 1..60)) {
            let (mut list, mut copy) = (NamedList::<Outline>::default(), NamedList::<Outline>::default());
            let mut told = list.revision();
            let hole = |radius: usize| Hole::disc(DVec3::ZERO, 1.0 + radius as f64);
            for (index, step) in steps.into_iter().chain([Step::Tell]).enumerate() {
                match step {
                    Step::Apply => drop(list.apply(hole(index)).unwrap()),
                    Step::Undo(name) => drop(list.undo(HoleId(name))),
                    Step::Again(name) => list.insert(HoleId(name), hole(index)).unwrap(),
                    Step::Clear => list.clear(),
                    Step::Tell => {
                        for _ in 0..2 {
                            copy.merge(list.changes_since(told)).unwrap();
                            prop_assert_eq!(&copy, &list);
                            prop_assert_eq!(copy.next(), list.next());
                        }
                        told = list.revision();
                        prop_assert!(list.changes_since(told).is_empty());
                    }
                }
            }
            // What came from a file has nothing in common with what is told, and tells all of it.
            let text = write_ron_line(&list).unwrap();
            let read: NamedList<Outline> = read_ron(&text).unwrap();
            prop_assert_eq!(&read, &list);
            let mut other = NamedList::<Outline>::default();
            other.apply(hole(0)).unwrap();
            other.merge(read.changes_since(told)).unwrap();
            prop_assert!(other == list || list.next() == HoleId(0));
        }
    }

    #[test]
    fn wrong_changes_change_nothing() {
        let mut list = NamedList::<Outline>::default();
        list.apply(Hole::default()).unwrap();
        let before = (list.clone(), list.revision());
        let wrong = Some(Hole::disc(DVec3::ZERO, -1.0));
        let changes = ListChanges { cleared: true, list: vec![(HoleId(1), None), (HoleId(2), wrong)], next: HoleId(3) };
        let error = list.merge(changes).unwrap_err().to_string();
        assert!(error.starts_with("1.hole.area.radius: found -1"), "{error}");
        assert_eq!((list.clone(), list.revision()), before);
        assert_eq!(list.next(), HoleId(1));
    }
}
