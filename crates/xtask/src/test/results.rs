//! What programs of tests say of their tests, in the words of Rust's own harness.

use std::fmt;
use std::ops::AddAssign;
use std::process::ExitStatus;

use crate::job::tail;

/// How many lines about failures are shown; the log has all.
const MOST: usize = 150;

/// How many lines are shown where nothing says what failed.
const FEW: usize = 60;

/// Numbers of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    passed: u64,
    failed: u64,
    ignored: u64,
}

/// How a program ended.
#[derive(Debug)]
pub struct Outcome {
    /// Its tests.
    pub counts: Counts,
    /// What is wrong, if something is.
    pub fault: Option<String>,
}

impl Outcome {
    /// Judges a program by its exit status and its output.
    ///
    /// Both must speak for it: a panic on Bevy's render thread ends a program with 0 before it says how its tests ended.
    pub fn of(status: ExitStatus, said: &str) -> Self {
        let counts = counts(said);
        let fault = match counts {
            Some(counts) if counts.failed > 0 => Some(counts.in_words()),
            _ if !status.success() => Some(status.to_string()),
            Some(_) => None,
            None => Some("it ended without a word about its tests".to_owned()),
        };
        Self { counts: counts.unwrap_or_default(), fault }
    }
}

impl Counts {
    /// How many tests ran.
    pub fn ran(self) -> u64 {
        self.passed + self.failed
    }

    /// What there is to tell of them.
    pub fn in_words(self) -> String {
        let mut words = format!("{} passed", self.passed);
        for (count, what) in [(self.failed, "failed"), (self.ignored, "ignored")] {
            if count > 0 {
                words += &format!(", {count} {what}");
            }
        }
        words
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// The sum of all results that a program told, if it told any.
fn counts(said: &str) -> Option<Counts> {
    let mut sum: Option<Counts> = None;
    // A driver may have written to the same line.
    for (_, result) in said.lines().filter_map(|line| line.split_once("test result: ")) {
        let number = |what: &str| {
            let (before, _) = result.split_once(&format!(" {what}"))?;
            before.rsplit(' ').next()?.parse().ok()
        };
        if let (Some(passed), Some(failed), Some(ignored)) = (number("passed;"), number("failed;"), number("ignored;"))
        {
            *sum.get_or_insert_default() += Counts { passed, failed, ignored };
        }
    }
    sum
}

/// How many tests a part of the output announces.
pub fn announced(said: &str) -> u64 {
    let number = |line: &str| line.strip_prefix("running ")?.split_once(" test")?.0.parse::<u64>().ok();
    said.lines().filter_map(number).sum()
}

/// How many tests ended, by a part of the output.
pub fn ended(said: &str) -> u64 {
    let is_end = |line: &&str| [" ... ok", " ... FAILED", " ... ignored"].iter().any(|end| line.contains(end));
    said.lines().filter(|line| line.starts_with("test ")).filter(is_end).count() as u64
}

/// The lines about what failed, or the last ones.
pub fn excerpt(said: &str) -> String {
    let mut lines = Vec::new();
    let mut is_in = false;
    for line in said.lines() {
        is_in |= line == "failures:";
        if is_in {
            lines.push(line);
        }
        is_in &= !line.contains("test result: ");
    }
    if lines.is_empty() { tail(said, FEW) } else { tail(&lines.join("\n"), MOST) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "running 3 tests\n\
        test a ... ok\nWARN lavapipe is no card\ntest b ... FAILED\ntest c ... ok\n\nfailures:\n\n---- b stdout ----\nleft: 1\n\n\
        failures:\n    b\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 4 filtered out; finished in 0.00s\n\
        vulkan says good-bye\n";
    const PASSED: &str =
        "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s";

    #[test]
    fn results_are_added() {
        let sum = counts(&format!("{SAID}{PASSED}\nvulkan: {PASSED}")).unwrap();
        assert_eq!(sum, Counts { passed: 26, failed: 1, ignored: 2 });
        assert_eq!(sum.to_string(), "26 passed, 1 failed");
        assert_eq!(sum.in_words(), "26 passed, 1 failed, 2 ignored");
        assert_eq!(counts("running 3 tests\ntest a ... ok\n"), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_program_passes_only_if_it_says_so_and_ends_well() {
        use std::os::unix::process::ExitStatusExt;
        let [well, badly] = [0, 101 << 8].map(ExitStatus::from_raw);
        assert!(Outcome::of(well, PASSED).fault.is_none());
        assert!(Outcome::of(well, "running 3 tests\n").fault.unwrap().contains("without a word"));
        assert!(Outcome::of(badly, PASSED).fault.unwrap().contains("101"));
        assert!(Outcome::of(badly, SAID).fault.unwrap().contains("1 failed"));
    }

    #[test]
    fn progress_is_read_from_the_output() {
        assert_eq!((announced(SAID), ended(SAID)), (3, 3));
        assert_eq!((announced(PASSED), ended(PASSED)), (0, 0));
    }

    #[test]
    fn only_what_is_about_failures_is_shown() {
        let text = excerpt(SAID);
        assert!(text.starts_with("failures:\n\n---- b stdout ----\nleft: 1"), "{text}");
        assert!(text.ends_with("finished in 0.00s"), "{text}");
        assert_eq!(excerpt("running 3 tests\nit fell over\n"), "running 3 tests\nit fell over");
    }
}
