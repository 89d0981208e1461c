//! How long the parts of commands took when they last ran, in a file of the target directory.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::typical;
use crate::workspace;

/// What is known of former runs.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Records {
    /// Seconds that a part took.
    seconds: BTreeMap<String, f64>,
    /// Of builds: with so many units left, the seconds that it took to the end.
    builds: BTreeMap<String, BTreeMap<u64, f64>>,
    /// Does the file lack something of it?
    #[serde(skip)]
    is_new: bool,
}

impl Records {
    /// Those of this target directory. What cannot be read is as if it were not there.
    pub fn load() -> Self {
        workspace::load(&file())
    }

    /// Writes them, if there is something new. They are only a help: if that fails, the next estimate is worse.
    pub fn save(&self) {
        if self.is_new {
            let _ = workspace::save(&file(), self);
        }
    }

    /// How long a part will take.
    pub fn expected(&self, key: &str) -> Duration {
        let seconds = self.seconds.get(key).copied().unwrap_or_else(|| typical::seconds(key));
        Duration::try_from_secs_f64(seconds).unwrap_or_default()
    }

    /// Keeps how long it took.
    pub fn keep(&mut self, key: &str, took: Duration) {
        self.is_new = true;
        self.seconds.insert(key.to_owned(), took.as_secs_f64());
    }

    /// How long a build takes that has so many units left: as long as the last one that got there, or a share of the
    /// shortest that had more.
    pub fn expected_of_units(&self, key: &str, left: u64) -> Duration {
        let known = self.builds.get(key);
        let more = known.and_then(|known| known.range(left..).next().or_else(|| known.last_key_value()));
        let seconds = match more {
            Some((units, seconds)) if *units > 0 => seconds * left as f64 / *units as f64,
            _ => typical::seconds_of_units(left),
        };
        Duration::try_from_secs_f64(seconds).unwrap_or_default()
    }

    /// Keeps how long a build took from so many units left to its end.
    pub fn learn(&mut self, key: &str, left: impl Iterator<Item = (u64, Duration)>) {
        self.is_new = true;
        let known = self.builds.entry(key.to_owned()).or_default();
        known.extend(left.map(|(left, took)| (left, took.as_secs_f64())));
    }
}

fn file() -> PathBuf {
    workspace::state().join("times.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_takes_as_long_as_the_last_time() {
        let mut records = Records::default();
        records.keep("check: fmt", Duration::from_secs(7));
        assert_eq!(records.expected("check: fmt"), Duration::from_secs(7));
        assert!(records.expected("check: clippy") > Duration::from_secs(10));
    }

    #[test]
    fn the_rest_of_a_build_takes_as_long_as_from_the_same_count_before() {
        let mut records = Records::default();
        let seconds = |seconds| Duration::from_secs(seconds);
        records.learn("fly: build", [(300, seconds(900)), (10, seconds(200)), (0, seconds(0))].into_iter());
        assert_eq!(records.expected_of_units("fly: build", 10), seconds(200));
        assert_eq!(records.expected_of_units("fly: build", 5), seconds(100));
        assert_eq!(records.expected_of_units("fly: build", 600), seconds(1_800));
        assert_eq!(records.expected_of_units("fly: build", 0), seconds(0));
        assert!(records.expected_of_units("test: build", 100) > seconds(60));
    }

    #[test]
    fn records_come_back_as_they_were_written() {
        let mut records = Records::default();
        records.learn("fly: build", [(3, Duration::from_secs(9))].into_iter());
        let text = serde_json::to_string(&records).unwrap();
        let back: Records = serde_json::from_str(&text).unwrap();
        assert_eq!(back.expected_of_units("fly: build", 3), Duration::from_secs(9));
    }
}
