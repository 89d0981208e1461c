//! Slots of the vertex pool: a fixed number, so that memory is bounded.

/// Hands out slots of the vertex pool.
#[derive(Default)]
pub struct Slots {
    capacity: u32,
    /// The first slot that was never handed out.
    untouched: u32,
    free: Vec<u32>,
}

impl Slots {
    /// `capacity` slots, all free.
    pub fn new(capacity: u32) -> Self {
        Self { capacity, untouched: 0, free: Vec::new() }
    }

    /// The number of slots.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// The number of free slots.
    pub fn free(&self) -> u32 {
        self.capacity - self.untouched + self.free.len() as u32
    }

    /// The number of slots in use.
    pub fn used(&self) -> u32 {
        self.capacity - self.free()
    }

    /// Takes a free slot.
    pub fn take(&mut self) -> Option<u32> {
        self.free.pop().or_else(|| {
            let slot = self.untouched;
            (slot < self.capacity).then(|| {
                self.untouched += 1;
                slot
            })
        })
    }

    /// Gives a slot back.
    pub fn give(&mut self, slot: u32) {
        debug_assert!(slot < self.untouched && !self.free.contains(&slot), "slot {slot} was not in use");
        self.free.push(slot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slot_is_used_once_and_can_return() {
        let mut slots = Slots::new(3);
        let mut taken: Vec<_> = std::iter::from_fn(|| slots.take()).collect();
        taken.sort_unstable();
        assert_eq!(taken, [0, 1, 2]);
        assert_eq!((slots.free(), slots.used()), (0, 3));
        slots.give(1);
        assert_eq!(slots.free(), 1);
        assert_eq!(slots.take(), Some(1));
        assert_eq!(slots.take(), None);
    }
}
