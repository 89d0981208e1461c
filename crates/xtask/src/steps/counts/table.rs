//! The table of counts: how it is written, and what has changed since.

use std::fmt;

use anyhow::{Context, Result};

/// The share by which a count may change.
pub const TOLERANCE: f64 = 0.05;

/// What stands above the cases.
const HEAD: &str = "# Instructions that callgrind counts, to four digits. Compared and explained by: cargo xtask check --only counts\n\
    # Renewed by: UPDATE_COUNTS=1 cargo xtask check --only counts\n";
const COMPILER: &str = "# Compiled by ";

/// Cases with their instructions.
#[derive(Debug, PartialEq)]
pub struct Table {
    /// What `rustc --version` says.
    pub compiler: String,
    /// In the order in which they are counted.
    pub counts: Vec<(String, u64)>,
}

impl Table {
    /// Reads what [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Result<Self> {
        let (comments, cases): (Vec<_>, Vec<_>) = text.lines().partition(|line| line.starts_with('#'));
        let compiler = comments.iter().find_map(|line| line.strip_prefix(COMPILER)).context("no compiler is named")?;
        let counts = cases.into_iter().map(|line| parse_case(line).with_context(|| format!("not a case: {line}")));
        Ok(Self { compiler: compiler.to_owned(), counts: counts.collect::<Result<_>>()? })
    }

    fn get(&self, name: &str) -> Option<u64> {
        self.counts.iter().find(|(case, _)| case == name).map(|(_, count)| *count)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{HEAD}{COMPILER}{}", self.compiler)?;
        for (case, count) in &self.counts {
            writeln!(f, "{case:<36} {:>15}", grouped(rounded(*count)))?;
        }
        Ok(())
    }
}

fn parse_case(line: &str) -> Option<(String, u64)> {
    let (case, count) = line.trim_end().rsplit_once(' ')?;
    Some((case.trim_end().to_owned(), count.replace('_', "").parse().ok()?))
}

/// Four digits: what differs from run to run does not show in the table.
fn rounded(count: u64) -> u64 {
    let unit = 10u64.pow(count.max(1).ilog10().saturating_sub(3));
    (count + unit / 2) / unit * unit
}

fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let first = digits.len() % 3;
    let mut groups = if first > 0 { vec![&digits[..first]] } else { vec![] };
    groups.extend((first..digits.len()).step_by(3).map(|at| &digits[at..at + 3]));
    groups.join("_")
}

/// The change of each case that both tables have.
fn changes<'a>(known: &Table, found: &'a Table) -> impl Iterator<Item = (&'a str, u64, u64, f64)> {
    found.counts.iter().filter_map(|(case, now)| {
        let before = known.get(case)?;
        Some((case.as_str(), before, *now, *now as f64 / before.max(1) as f64 - 1.0))
    })
}

/// The cases that have changed by more than [`TOLERANCE`], in words.
pub fn changed(known: &Table, found: &Table) -> Vec<String> {
    changes(known, found)
        .filter(|(.., change)| change.abs() > TOLERANCE)
        .map(|(case, before, now, change)| {
            format!("{case}: {} before, {} now ({:+.1} %)", grouped(before), grouped(now), 100.0 * change)
        })
        .collect()
}

/// The greatest change of a case, in per cent.
pub fn most(known: &Table, found: &Table) -> f64 {
    let most = changes(known, found).map(|(.., change)| change).max_by(|a, b| a.abs().total_cmp(&b.abs()));
    100.0 * most.unwrap_or(0.0)
}

/// The cases that one of the tables lacks, in words.
pub fn strangers(known: &Table, found: &Table) -> Vec<String> {
    let missing = |a: &Table, b: &Table, words: &str| -> Vec<String> {
        let missing = a.counts.iter().filter(|(case, _)| b.get(case).is_none());
        missing.map(|(case, _)| format!("{case} {words}")).collect()
    };
    [missing(found, known, "is not in the table"), missing(known, found, "is no longer counted")].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(counts: &[(&str, u64)]) -> Table {
        let counts = counts.iter().map(|&(case, count)| (case.to_owned(), count)).collect();
        Table { compiler: "rustc 1.95.0".into(), counts }
    }

    #[test]
    fn what_is_written_can_be_read() {
        let counted = table(&[("kernel/a", 1_234_567), ("plugin/at rest", 89), ("none", 0)]);
        let text = counted.to_string();
        assert!(text.contains("kernel/a                                   1_235_000\n"), "{text}");
        assert_eq!(
            Table::parse(&text).unwrap(),
            table(&[("kernel/a", 1_235_000), ("plugin/at rest", 89), ("none", 0)])
        );
    }

    #[test]
    fn what_is_no_table_is_refused() {
        assert!(Table::parse("a 1\n").is_err());
        let error = Table::parse("# Compiled by rustc\nkernel/a many\n").unwrap_err().to_string();
        assert!(error.contains("kernel/a many"), "{error}");
    }

    #[test]
    fn growing_and_shrinking_by_more_than_a_twentieth_is_told() {
        let known = table(&[("a", 100_000), ("b", 100_000), ("c", 100_000)]);
        let found = table(&[("a", 104_900), ("b", 106_000), ("c", 94_000)]);
        let words = ["b: 100_000 before, 106_000 now (+6.0 %)", "c: 100_000 before, 94_000 now (-6.0 %)"];
        assert_eq!(changed(&known, &found), words);
        assert!((most(&known, &found).abs() - 6.0).abs() < 1e-9);
        assert_eq!(strangers(&known, &found), [""; 0]);
    }

    #[test]
    fn a_case_that_only_one_side_knows_is_told() {
        let (known, found) = (table(&[("a", 1), ("old", 2)]), table(&[("a", 1), ("new", 3)]));
        assert_eq!(strangers(&known, &found), ["new is not in the table", "old is no longer counted"]);
    }
}
