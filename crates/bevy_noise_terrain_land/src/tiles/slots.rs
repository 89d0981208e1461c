//! Which tiles are needed, and by how many anchors: bookkeeping without an engine.

use std::collections::VecDeque;

use bevy::ecs::entity::EntityHashMap;
use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::Entity;

use super::anchor::Area;
use crate::mesh::ChunkHeights;

/// Ticks after which a tile that will be needed soon gets its entity, if there is time: its heights have been sampled by then.
const EARLY: u64 = 8;

/// What an anchor holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// Tiles that must be there.
    pub needed: Area,
    /// Tiles that will be needed soon; these include the needed ones.
    pub soon: Area,
}

/// A tile that somebody holds, or that nobody has held for a while.
#[derive(Default)]
struct Slot {
    /// Anchors that need it now.
    needed: u32,
    /// Anchors that need it now or soon.
    soon: u32,
    heights: Option<ChunkHeights>,
    entity: Option<Entity>,
    /// The land has none here.
    failed: bool,
    /// Counts how often it was let go, to know stale entries of the queue.
    releases: u32,
}

/// The tiles of a terrain, by cell of level 0.
#[derive(Default)]
pub struct Slots {
    slots: HashMap<[i64; 2], Slot>,
    holds: EntityHashMap<Hold>,
    /// Needed tiles without an entity.
    missing: HashSet<[i64; 2]>,
    /// Tiles in the order in which they were first held, and the tick of that.
    upcoming: VecDeque<([i64; 2], u64)>,
    /// Counts ticks.
    tick: u64,
    /// Tiles that nobody holds, the one let go first in front, with [`Slot::releases`].
    unused: VecDeque<([i64; 2], u32)>,
    unused_count: usize,
    /// Whether other tiles are held than when that was last asked.
    held_changed: bool,
}

impl Slots {
    /// What an anchor holds.
    pub fn held_by(&self, anchor: Entity) -> Option<&Hold> {
        self.holds.get(&anchor)
    }

    /// Replaces what an anchor holds; `None` lets everything go.
    pub fn hold(&mut self, anchor: Entity, hold: Option<Hold>) {
        let old = self.holds.get(&anchor).copied();
        if old == hold {
            return;
        }
        // First what is new: tiles that stay are not let go in between.
        if let Some(hold) = hold {
            self.holds.insert(anchor, hold);
            for cell in hold.soon.cells() {
                let slot = self.slots.entry(cell).or_default();
                if slot.soon == 0 {
                    self.unused_count -= usize::from(slot.releases > 0);
                    self.held_changed = true;
                    self.upcoming.push_back((cell, self.tick));
                }
                slot.soon += 1;
            }
            for cell in hold.needed.cells() {
                let Some(slot) = self.slots.get_mut(&cell) else { continue };
                slot.needed += 1;
                if slot.entity.is_none() && !slot.failed {
                    self.missing.insert(cell);
                }
            }
        } else {
            self.holds.remove(&anchor);
        }
        let Some(old) = old else { return };
        for cell in old.needed.cells() {
            let Some(slot) = self.slots.get_mut(&cell) else { continue };
            slot.needed -= 1;
            if slot.needed == 0 {
                self.missing.remove(&cell);
            }
        }
        for cell in old.soon.cells() {
            let Some(slot) = self.slots.get_mut(&cell) else { continue };
            slot.soon -= 1;
            if slot.soon == 0 {
                slot.releases += 1;
                self.unused.push_back((cell, slot.releases));
                self.unused_count += 1;
                self.held_changed = true;
            }
        }
    }

    /// Needed tiles without an entity, in a fixed order.
    pub fn missing(&self) -> Vec<[i64; 2]> {
        let mut missing: Vec<_> = self.missing.iter().copied().collect();
        missing.sort_unstable();
        missing
    }

    /// Begins another tick. Returns up to `most` tiles that will be needed soon and have no entity, in a fixed order: it
    /// follows from what is held alone, not from when tasks finish.
    pub fn early(&mut self, most: usize) -> Vec<[i64; 2]> {
        self.tick += 1;
        let mut cells = Vec::new();
        while let Some(&(cell, since)) = self.upcoming.front()
            && since + EARLY <= self.tick
        {
            // Those that are needed are missing.
            let lacks_entity = |slot: &Slot| slot.soon > 0 && slot.needed == 0 && slot.entity.is_none() && !slot.failed;
            if self.slots.get(&cell).is_some_and(lacks_entity) && !cells.contains(&cell) {
                if cells.len() == most {
                    break;
                }
                cells.push(cell);
            }
            self.upcoming.pop_front();
        }
        cells
    }

    /// Whether other tiles are held than at the last call.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.held_changed)
    }

    /// All tiles that somebody holds, in a fixed order.
    pub fn held(&self) -> Vec<[i64; 2]> {
        self.sorted(|slot| slot.soon > 0)
    }

    /// Tiles without heights that somebody holds, in a fixed order.
    pub fn lacking(&self) -> Vec<[i64; 2]> {
        self.sorted(|slot| slot.soon > 0 && slot.heights.is_none() && !slot.failed)
    }

    fn sorted(&self, wants: impl Fn(&Slot) -> bool) -> Vec<[i64; 2]> {
        let mut cells: Vec<_> = self.slots.iter().filter(|(_, slot)| wants(slot)).map(|(&cell, _)| cell).collect();
        cells.sort_unstable();
        cells
    }

    /// The heights of a tile.
    pub fn heights(&self, cell: [i64; 2]) -> Option<&ChunkHeights> {
        self.slots.get(&cell)?.heights.as_ref()
    }

    /// Stores the heights of a tile, if anybody still wants them; `None` if the land has none there.
    pub fn store(&mut self, cell: [i64; 2], heights: Option<ChunkHeights>) {
        if let Some(slot) = self.slots.get_mut(&cell) {
            slot.failed = heights.is_none();
            slot.heights = heights;
            if slot.failed {
                self.missing.remove(&cell);
            }
        }
    }

    /// Notes the entity of a needed tile.
    pub fn spawned(&mut self, cell: [i64; 2], entity: Entity) {
        if let Some(slot) = self.slots.get_mut(&cell) {
            slot.entity = Some(entity);
            self.missing.remove(&cell);
        }
    }

    /// Forgets the entity of a tile, if it is this one; another is spawned where the tile is held.
    pub fn forget_entity(&mut self, cell: [i64; 2], entity: Entity) {
        let Some(slot) = self.slots.get_mut(&cell).filter(|slot| slot.entity == Some(entity)) else { return };
        slot.entity = None;
        if slot.needed > 0 {
            self.missing.insert(cell);
        } else if slot.soon > 0 {
            self.upcoming.push_back((cell, self.tick));
        }
    }

    /// Forgets the tiles that nobody holds, except the `spare` let go last; returns their entities.
    pub fn evict(&mut self, spare: usize) -> Vec<Entity> {
        let mut entities = Vec::new();
        while self.unused_count > spare {
            let Some((cell, releases)) = self.unused.pop_front() else { break };
            let is_stale = |slot: &Slot| slot.soon > 0 || slot.releases != releases;
            if self.slots.get(&cell).is_none_or(is_stale) {
                continue;
            }
            self.unused_count -= 1;
            entities.extend(self.slots.remove(&cell).and_then(|slot| slot.entity));
        }
        // Entries of tiles that were taken up again must not pile up.
        if self.unused.len() > 2 * self.unused_count + 64 {
            let Self { slots, unused, .. } = self;
            unused.retain(|(cell, releases)| {
                slots.get(cell).is_some_and(|slot| slot.soon == 0 && slot.releases == *releases)
            });
        }
        entities
    }

    /// Forgets the heights of tiles, those of which nobody holds altogether: the land has changed there. Returns their
    /// entities.
    pub fn clear(&mut self, has_changed: impl Fn([i64; 2]) -> bool) -> Vec<Entity> {
        let mut entities = Vec::new();
        let before = self.slots.len();
        let mut upcoming = Vec::new();
        self.slots.retain(|cell, slot| {
            if !has_changed(*cell) {
                return true;
            }
            entities.extend(slot.entity.take());
            slot.heights = None;
            slot.failed = false;
            if slot.needed > 0 {
                self.missing.insert(*cell);
            } else if slot.soon > 0 {
                upcoming.push(*cell);
            }
            slot.soon > 0
        });
        upcoming.sort_unstable();
        self.upcoming.extend(upcoming.into_iter().map(|cell| (cell, self.tick)));
        // Only tiles that nobody holds have gone.
        self.unused_count -= before - self.slots.len();
        self.held_changed = true;
        entities
    }

    /// Cells and entities of all tiles that have one.
    pub fn entities(&self) -> impl Iterator<Item = ([i64; 2], Entity)> {
        self.slots.iter().filter_map(|(&cell, slot)| Some((cell, slot.entity?)))
    }

    /// The number of tiles in memory.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.slots.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn area(min: [i64; 2], max: [i64; 2]) -> Area {
        Area { min, max }
    }

    fn anchor(index: u32) -> Entity {
        Entity::from_raw_u32(index).unwrap()
    }

    /// Gives every missing tile an entity.
    fn spawn(slots: &mut Slots, next: &mut u32) {
        for cell in slots.missing() {
            *next += 1;
            slots.store(cell, Some(ChunkHeights::flat(0.0)));
            slots.spawned(cell, anchor(*next));
        }
    }

    #[test]
    fn tiles_are_wanted_as_long_as_somebody_needs_them() {
        let mut slots = Slots::default();
        let [near, wide] = [area([0, 0], [0, 0]), area([0, 0], [1, 0])];
        slots.hold(anchor(1), Some(Hold { needed: near, soon: wide }));
        slots.hold(anchor(2), Some(Hold { needed: near, soon: near }));
        assert_eq!(slots.missing(), [[0, 0]]);
        assert_eq!((slots.take_changed(), slots.take_changed()), (true, false));
        assert_eq!(slots.lacking(), [[0, 0], [1, 0]]);
        let mut next = 10;
        spawn(&mut slots, &mut next);
        assert_eq!((slots.missing().len(), slots.lacking()), (0, vec![[1, 0]]));
        slots.hold(anchor(1), None);
        assert_eq!((slots.evict(0).len(), slots.len()), (0, 1), "the wish goes, the tile stays");
        slots.hold(anchor(2), None);
        assert_eq!(slots.evict(1), []);
        assert_eq!(slots.evict(0), [anchor(11)]);
        assert_eq!(slots.len(), 0);
    }

    #[test]
    fn other_land_is_built_where_it_is_needed() {
        let mut slots = Slots::default();
        slots.hold(anchor(1), Some(Hold { needed: area([0, 0], [0, 0]), soon: area([0, 0], [1, 0]) }));
        slots.hold(anchor(2), Some(Hold { needed: area([5, 5], [5, 5]), soon: area([5, 5], [5, 5]) }));
        spawn(&mut slots, &mut 10);
        slots.hold(anchor(2), None);
        let gone: HashSet<Entity> = slots.clear(|_| true).into_iter().collect();
        assert_eq!(gone, HashSet::from_iter([anchor(11), anchor(12)]));
        assert_eq!((slots.missing(), slots.len()), (vec![[0, 0]], 2));
    }

    #[test]
    fn tiles_that_the_app_despawns_are_missing_again() {
        let mut slots = Slots::default();
        slots.hold(anchor(1), Some(Hold { needed: area([0, 0], [0, 0]), soon: area([0, 0], [1, 0]) }));
        spawn(&mut slots, &mut 10);
        slots.forget_entity([0, 0], anchor(99));
        assert_eq!(slots.missing().len(), 0, "it is another one");
        slots.forget_entity([0, 0], anchor(11));
        assert_eq!(slots.missing(), [[0, 0]]);
        slots.spawned([1, 0], anchor(12));
        slots.forget_entity([1, 0], anchor(12));
        assert_eq!(slots.missing(), [[0, 0]], "it is not needed yet");
        let early: Vec<_> = (0..2 * EARLY).flat_map(|_| slots.early(2)).collect();
        assert!(early.contains(&[1, 0]), "{early:?}");
    }

    #[test]
    fn land_without_heights_is_asked_once() {
        let mut slots = Slots::default();
        slots.hold(anchor(1), Some(Hold { needed: area([0, 0], [0, 0]), soon: area([0, 0], [0, 0]) }));
        slots.store([0, 0], None);
        assert_eq!((slots.missing().len(), slots.lacking().len()), (0, 0));
    }

    #[test]
    fn tiles_that_will_be_needed_come_little_by_little() {
        let mut slots = Slots::default();
        slots.hold(anchor(1), Some(Hold { needed: area([0, 0], [0, 0]), soon: area([0, 0], [3, 0]) }));
        spawn(&mut slots, &mut 10);
        let early: Vec<_> = (0..EARLY + 3).map(|_| slots.early(2)).collect();
        let early = &early[EARLY as usize - 1..];
        // Nobody gives them an entity here, so each comes once.
        assert_eq!(early, [vec![[1, 0], [2, 0]], vec![[3, 0]], vec![], vec![]]);
        slots.clear(|_| true);
        assert_eq!(slots.missing(), [[0, 0]]);
        slots.hold(anchor(1), None);
        assert!((0..EARLY + 3).all(|_| slots.early(2).is_empty()), "nobody wants them any more");
    }

    proptest! {
        /// Bodies come, move and go: what is needed is there, nothing else stays but the spare.
        #[test]
        fn tiles_match_what_is_held(moves in prop::collection::vec((0u32..6, -4i64..4, -4i64..4, 0i64..3, any::<bool>()), 1..80)) {
            let (mut slots, mut next) = (Slots::default(), 100);
            let mut held: HashMap<u32, Hold> = HashMap::default();
            for (index, x, z, size, stays) in moves {
                let needed = area([x, z], [x + size / 2, z]);
                let hold = stays.then_some(Hold { needed, soon: area([x, z], [x + size, z + 1]) });
                slots.hold(anchor(index), hold);
                match hold {
                    Some(hold) => held.insert(index, hold),
                    None => held.remove(&index),
                };
                spawn(&mut slots, &mut next);
                slots.evict(3);
                let count = |of: fn(&Hold) -> Area| held.values().flat_map(|hold| of(hold).cells()).collect::<HashSet<_>>();
                let there: HashSet<_> = slots.entities().map(|(cell, _)| cell).collect();
                prop_assert!(count(|hold| hold.needed).is_subset(&there));
                let soon = count(|hold| hold.soon);
                prop_assert!(slots.len() <= soon.len() + 3, "{} tiles for {}", slots.len(), soon.len());
                prop_assert!(slots.unused.len() <= 2 * 3 + 65);
            }
            for index in 0..6 {
                slots.hold(anchor(index), None);
            }
            slots.evict(0);
            prop_assert_eq!(slots.len(), 0);
        }
    }
}
