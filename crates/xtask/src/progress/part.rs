//! What is being done, and how much of it is left.

use std::time::{Duration, Instant};

/// A part of a command that has begun.
pub struct Part {
    /// What it is called.
    pub name: String,
    /// When it began.
    pub begun: Instant,
    /// The progress as text, such as `3 of 7`.
    pub reached: String,
    /// How long it still took when that was estimated.
    left: (Duration, Instant),
}

impl Part {
    /// Begins a part that will take this long.
    pub fn begin(name: &str, expected: Duration) -> Self {
        let begun = Instant::now();
        Self { name: name.to_owned(), begun, reached: String::new(), left: (expected, begun) }
    }

    /// It has come this far. `left` is what that says of the rest, if it says something.
    pub fn reach(&mut self, reached: String, left: Option<Duration>) {
        // What is said again is no news of the rest.
        if self.reached != reached {
            self.reached = reached;
            if let Some(left) = left {
                self.left = (left, Instant::now());
            }
        }
    }

    /// How long it still takes.
    pub fn left(&self) -> Duration {
        self.left.0.saturating_sub(self.left.1.elapsed())
    }
}

/// A time that is left, as exactly as it is known.
pub fn rest(left: Duration) -> String {
    match left.as_secs() {
        0..60 => "less than a minute left".to_owned(),
        seconds => format!("about {} min left", (seconds + 30) / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_told_in_minutes() {
        assert_eq!(rest(Duration::from_secs(59)), "less than a minute left");
        assert_eq!(rest(Duration::from_secs(89)), "about 1 min left");
        assert_eq!(rest(Duration::from_secs(1_000)), "about 17 min left");
    }

    #[test]
    fn only_news_changes_what_is_left() {
        let mut part = Part::begin("build", Duration::from_secs(1_000));
        part.reach("1 of 3".into(), None);
        assert!(part.left() > Duration::from_secs(900));
        part.reach("2 of 3".into(), Some(Duration::from_secs(100)));
        part.reach("2 of 3".into(), Some(Duration::from_secs(5_000)));
        assert!(part.left() <= Duration::from_secs(100));
    }
}
