//! One line that stays: what is being done, how far it is, and about how long it still takes.
//!
//! - [`mod@line`]: how it is shown, on a terminal and elsewhere.
//! - [`part`]: what is being done, and how much of it is left.
//! - [`records`]: how long things took, from which the rest is estimated.
//! - [`typical`]: how long they take where nothing is recorded.

mod line;
mod part;
pub mod records;
mod typical;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use self::line::Line;
use self::part::{Part, rest};
use self::records::Records;
use crate::process::clock;

/// The part that is nothing but a build: its units tell how long it takes. Other parts build as well, and then run what
/// they have built.
pub const BUILD: &str = "build";

/// The progress of a command through its parts.
pub struct Progress(Arc<Mutex<State>>);

struct State {
    command: String,
    begun: Instant,
    records: Records,
    line: Line,
    /// The parts that are left to do, the present one not among them.
    later: Vec<String>,
    present: Option<Part>,
    /// How many parts were begun, and how many there are.
    number: usize,
    parts: usize,
}

impl Progress {
    /// Begins a command that has these parts. How long each takes is known from former runs.
    pub fn new(command: &str, parts: Vec<String>) -> Self {
        let state = State {
            command: command.to_owned(),
            begun: Instant::now(),
            records: Records::load(),
            line: Line::new(),
            number: 0,
            parts: parts.len(),
            later: parts,
            present: None,
        };
        let state = Arc::new(Mutex::new(state));
        tick(Arc::downgrade(&state));
        Self(state)
    }

    /// Begins a part; the one before it has ended.
    pub fn next(&self, name: &str) {
        let mut state = self.state();
        state.later.retain(|part| part != name);
        state.number = (state.number + 1).min(state.parts);
        let expected = state.records.expected(&key(&state.command, name));
        state.present = Some(Part::begin(name, expected));
        state.show(true);
    }

    /// Takes parts out that need not be done.
    pub fn leave_out(&self, name: &str) {
        let mut state = self.state();
        let before = state.later.len();
        state.later.retain(|part| part != name);
        state.parts -= before - state.later.len();
    }

    /// Ends the present part, and keeps how long it took where it took what it takes.
    pub fn end(&self, is_typical: bool) -> Duration {
        let mut state = self.state();
        let Some(part) = state.present.take() else { return Duration::ZERO };
        let took = part.begun.elapsed();
        if is_typical {
            let key = key(&state.command, &part.name);
            state.records.keep(&key, took);
        }
        took
    }

    /// How long the command has been running.
    pub fn elapsed(&self) -> Duration {
        self.state().begun.elapsed()
    }

    /// How long a part will take, by what is known.
    pub fn expected(&self, name: &str) -> Duration {
        let state = self.state();
        state.records.expected(&key(&state.command, name))
    }

    /// So many units of a build are done.
    pub fn units(&self, done: u64, total: u64) {
        let mut state = self.state();
        let command = state.command.clone();
        let State { present: Some(part), records, .. } = &mut *state else { return };
        let key = key(&command, &part.name);
        let mut left = records.expected_of_units(&key, total.saturating_sub(done));
        if part.name != BUILD {
            left = left.max(records.expected(&key).saturating_sub(part.begun.elapsed()));
        }
        part.reach(format!("{done} of {total} units"), Some(left));
        state.show(false);
    }

    /// So many things are done, of about the same size.
    pub fn count(&self, done: u64, total: u64) {
        let mut state = self.state();
        let Some(part) = &mut state.present else { return };
        part.reach(format!("{done} of {total}"), None);
        state.show(false);
    }

    /// Keeps how long a build took from so many units left to its end.
    pub fn learn(&self, left: impl Iterator<Item = (u64, Duration)>) {
        let mut state = self.state();
        let Some(part) = &state.present else { return };
        let key = key(&state.command, &part.name);
        state.records.learn(&key, left);
    }

    /// Shows a result above the line.
    pub fn tell(&self, text: &str) {
        self.state().line.tell(text);
    }

    /// Shows a warning above the line, on the standard error.
    pub fn warn(&self, text: &str) {
        self.state().line.warn(text);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let mut state = self.state();
        state.present = None;
        state.line.clear();
        state.records.save();
    }
}

impl State {
    /// `now`: is it worth a line of its own where there is no terminal?
    fn show(&mut self, now: bool) {
        let text = self.text();
        self.line.show(&text, now);
    }

    fn text(&self) -> String {
        let Some(part) = &self.present else { return self.command.clone() };
        let later = self.later.iter().map(|part| self.records.expected(&key(&self.command, part)));
        let left = part.left() + later.sum::<Duration>();
        let number = if self.parts > 1 { format!(" {}/{}", self.number, self.parts) } else { String::new() };
        let reached = if part.reached.is_empty() { String::new() } else { format!(", {}", part.reached) };
        format!(
            "{}{number}: {}{reached}; {} so far, {}",
            self.command,
            part.name,
            clock(self.begun.elapsed()),
            rest(left)
        )
    }
}

/// What records call a part of a command.
fn key(command: &str, part: &str) -> String {
    format!("{command}: {part}")
}

/// Keeps the times in the line right.
fn tick(state: Weak<Mutex<State>>) {
    thread::spawn(move || {
        while let Some(state) = state.upgrade() {
            if let Ok(mut state) = state.lock()
                && state.present.is_some()
            {
                state.show(false);
            }
            drop(state);
            thread::sleep(Duration::from_secs(1));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_the_part_how_far_it_is_and_what_is_left() {
        let progress = Progress::new("no such command", vec!["one".into(), "two".into(), "three".into()]);
        progress.next("one");
        progress.end(false);
        progress.leave_out("three");
        progress.next("two");
        progress.count(3, 7);
        let text = progress.state().text();
        assert!(text.starts_with("no such command 2/2: two, 3 of 7; 0.0 s so far, less than a minute"), "{text}");
    }
}
