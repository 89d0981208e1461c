//! Undo and redo over whole values, and over edits of the land.

use super::edit_step::{EditStep, Way};

/// Number of steps that are kept.
const MAX_STEPS: usize = 200;

/// A value of which parts can be changed independently.
pub trait Merge: Clone + PartialEq {
    /// This value with the difference between `from` and `to` applied.
    fn merged(&self, from: &Self, to: &Self) -> Self;
}

/// The change of a step.
#[derive(Clone, Debug)]
enum Step<T> {
    /// The value has changed.
    Value { from: T, to: T },
    /// Edits of the land have; they lie beside the value.
    Edits(EditStep),
}

/// An edited value with its undo and redo stacks.
#[derive(Clone, Debug)]
pub struct History<T> {
    now: T,
    before: Vec<Step<T>>,
    after: Vec<Step<T>>,
    /// The gesture of the last step; further changes of the same gesture extend it.
    gesture: Option<u64>,
    /// Steps of edits that were undone or redone, and are not yet applied.
    edits: Vec<(EditStep, Way)>,
}

impl<T: Merge> History<T> {
    /// A value without history.
    pub fn new(now: T) -> Self {
        Self { now, before: Vec::new(), after: Vec::new(), gesture: None, edits: Vec::new() }
    }

    /// The current value.
    pub fn now(&self) -> &T {
        &self.now
    }

    /// Sets a new value. All changes of one gesture, such as a drag, are one step.
    pub fn step(&mut self, next: T, gesture: Option<u64>) {
        if next == self.now {
            return;
        }
        let last = std::mem::replace(&mut self.now, next.clone());
        let continues = gesture.is_some() && gesture == self.gesture;
        match self.before.last_mut().filter(|_| continues) {
            Some(Step::Value { from, to }) => {
                // Changes by others during the gesture are not part of it.
                if *to != last {
                    *from = from.merged(to, &last);
                }
                *to = next;
            }
            _ => self.push(Step::Value { from: last, to: next }),
        }
        self.after.clear();
        self.gesture = gesture;
    }

    /// Adds a step that has changed edits of the land.
    pub fn step_edits(&mut self, step: EditStep) {
        self.push(Step::Edits(step));
        self.after.clear();
        self.gesture = None;
    }

    fn push(&mut self, step: Step<T>) {
        self.before.push(step);
        if self.before.len() > MAX_STEPS {
            self.before.remove(0);
        }
    }

    /// Steps of edits that were undone or redone since the last call: apply them in this order.
    pub fn take_edits(&mut self) -> Vec<(EditStep, Way)> {
        std::mem::take(&mut self.edits)
    }

    /// Sets a value that others have changed: adds no step, and keeps the undo and redo stacks.
    pub fn follow(&mut self, now: T) {
        self.now = now;
    }

    /// Ends the gesture: the next change is a new step.
    pub fn end_gesture(&mut self) {
        self.gesture = None;
    }

    /// Reverts the last step.
    pub fn undo(&mut self) -> bool {
        let Some(step) = self.before.pop() else { return false };
        match &step {
            Step::Value { from, to } => self.now = self.now.merged(to, from),
            Step::Edits(edits) => self.edits.push((edits.clone(), Way::Back)),
        }
        self.after.push(step);
        self.gesture = None;
        true
    }

    /// Applies the last undone step again.
    pub fn redo(&mut self) -> bool {
        let Some(step) = self.after.pop() else { return false };
        match &step {
            Step::Value { from, to } => self.now = self.now.merged(from, to),
            Step::Edits(edits) => self.edits.push((edits.clone(), Way::Forth)),
        }
        self.before.push(step);
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

    impl Merge for i32 {
        fn merged(&self, from: &Self, to: &Self) -> Self {
            if from == to { *self } else { *to }
        }
    }

    /// Two numbers that are changed independently.
    impl Merge for [i32; 2] {
        fn merged(&self, from: &Self, to: &Self) -> Self {
            [0, 1].map(|at| self[at].merged(&from[at], &to[at]))
        }
    }

    #[test]
    fn changes_by_others_during_a_drag_are_not_undone() {
        let mut history = History::new([0, 0]);
        for value in 1..4 {
            history.step([value, history.now()[1]], Some(7));
            history.follow([value, 10 * value]);
        }
        assert_eq!((*history.now(), history.steps()), ([3, 30], (1, 0)));
        history.undo();
        assert_eq!(*history.now(), [0, 30]);
        history.follow([0, 40]);
        history.redo();
        assert_eq!((*history.now(), history.steps()), ([3, 40], (1, 0)));
    }

    #[test]
    fn a_drag_is_undone_at_once() {
        let mut history = History::new(0);
        history.step(1, Some(7));
        history.step(2, Some(7));
        history.step(3, Some(7));
        history.step(4, Some(8));
        history.end_gesture();
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
        assert_eq!(history.steps(), (MAX_STEPS, 0));
    }

    proptest! {
        #[test]
        fn it_behaves_like_a_list_with_a_cursor(actions in prop::collection::vec(0u8..6, 0..100)) {
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
