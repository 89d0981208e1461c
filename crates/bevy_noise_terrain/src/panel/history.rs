//! Undo and redo over whole values.

/// Steps that are kept.
const MOST_STEPS: usize = 200;

/// A value that is edited, with what it was before and what undo has taken back.
#[derive(Clone, Debug)]
pub struct History<T> {
    now: T,
    before: Vec<T>,
    after: Vec<T>,
    /// What the last step belongs to; the next one of the same gesture replaces it.
    gesture: Option<u64>,
}

impl<T: Clone + PartialEq> History<T> {
    /// A value without a past.
    pub fn new(now: T) -> Self {
        Self { now, before: Vec::new(), after: Vec::new(), gesture: None }
    }

    /// The value as it is.
    pub fn now(&self) -> &T {
        &self.now
    }

    /// Takes a new value over. All steps of one gesture, such as a drag, are undone at once.
    pub fn step(&mut self, next: T, gesture: Option<u64>) {
        if next == self.now {
            return;
        }
        let last = std::mem::replace(&mut self.now, next);
        let goes_on = gesture.is_some() && gesture == self.gesture;
        if !goes_on {
            self.before.push(last);
            if self.before.len() > MOST_STEPS {
                self.before.remove(0);
            }
        }
        self.after.clear();
        self.gesture = gesture;
    }

    /// The gesture is over, unless it is one that goes on: whatever comes is a step of its own.
    pub fn rest_unless(&mut self, goes_on: impl FnOnce(u64) -> bool) {
        self.gesture = self.gesture.filter(|gesture| goes_on(*gesture));
    }

    /// Goes a step back.
    pub fn undo(&mut self) -> bool {
        self.travel(true)
    }

    /// Goes a step forward again.
    pub fn redo(&mut self) -> bool {
        self.travel(false)
    }

    fn travel(&mut self, back: bool) -> bool {
        let (from, to) = if back { (&mut self.before, &mut self.after) } else { (&mut self.after, &mut self.before) };
        let Some(next) = from.pop() else { return false };
        to.push(std::mem::replace(&mut self.now, next));
        self.gesture = None;
        true
    }

    /// How many steps can be undone, and how many redone.
    pub fn steps(&self) -> (usize, usize) {
        (self.before.len(), self.after.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_drag_is_undone_at_once() {
        let mut history = History::new(0);
        history.step(1, Some(7));
        history.step(2, Some(7));
        history.step(3, Some(7));
        history.step(4, Some(8));
        history.rest_unless(|_| false);
        history.step(5, Some(8));
        for expected in [4, 3, 0] {
            assert!(history.undo());
            assert_eq!(*history.now(), expected);
        }
        assert!(!history.undo());
        assert_eq!(history.steps(), (0, 3));
    }

    #[test]
    fn a_new_step_ends_what_could_be_redone() {
        let mut history = History::new(0);
        history.step(1, None);
        history.undo();
        history.step(2, None);
        assert!(!history.redo());
        history.step(2, None);
        assert_eq!(history.steps(), (1, 0));
    }

    #[test]
    fn the_past_is_bounded() {
        let mut history = History::new(0);
        for value in 1..1_000 {
            history.step(value, None);
        }
        assert_eq!(history.steps(), (MOST_STEPS, 0));
    }

    proptest! {
        #[test]
        fn it_is_a_list_with_a_place_in_it(actions in prop::collection::vec(0u8..6, 0..100)) {
            let mut history = History::new(0);
            let (mut list, mut place) = (vec![0], 0);
            for (value, action) in (1..).zip(actions) {
                match action {
                    0 if place > 0 => { place -= 1; prop_assert!(history.undo()); }
                    0 => prop_assert!(!history.undo()),
                    1 if place + 1 < list.len() => { place += 1; prop_assert!(history.redo()); }
                    1 => prop_assert!(!history.redo()),
                    _ => {
                        list.truncate(place + 1);
                        list.push(value);
                        place += 1;
                        history.step(value, None);
                    }
                }
                prop_assert_eq!(*history.now(), list[place]);
                prop_assert_eq!(history.steps(), (place, list.len() - 1 - place));
            }
        }
    }
}
