//! Runs a program under callgrind.

use std::path::Path;
use std::process::Command;
use std::{fs, iter};

use anyhow::{Context, Result, ensure};

use crate::job::Job;
use crate::{process, workspace};

/// The function whose work is counted, in whatever module: see `crates/terrain_bench/src/counting.rs`.
const COUNTED: &str = "*::counted_by_callgrind";

/// Is there a valgrind that runs?
pub fn is_there() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Runs the program, and gives back its cases with their instructions, in its order. Counts of the same name are added.
pub fn count(job: &Job, program: &Path) -> Result<Vec<(String, u64)>> {
    let folder = workspace::target().join("counts");
    super::super::empty(&folder)?;
    let dump = folder.join("dump");
    let mut valgrind = Command::new("valgrind");
    valgrind
        .arg("--tool=callgrind")
        .args(["--toggle-collect", "--dump-after"].map(|option| format!("{option}={COUNTED}")))
        .arg(option("--callgrind-out-file", &dump))
        .arg(option("--log-file", &folder.join("log")))
        .arg(program)
        .env_remove("VALGRIND_OPTS");
    let names = process::output(valgrind.stderr(job.output()?))
        .with_context(|| format!("see {}", folder.join("log").display()))?;
    let totals = iter::successors(Some(1), |number| Some(number + 1))
        .map(|number| dump.with_extension(number.to_string()))
        .take_while(|file| file.is_file())
        .map(|file| total(&fs::read_to_string(&file)?).with_context(|| file.display().to_string()))
        .collect::<Result<Vec<_>>>()?;
    let names: Vec<_> = names.lines().collect();
    ensure!(
        totals.len() == names.len() && !names.is_empty(),
        "{} named {} cases, and callgrind counted {}",
        program.display(),
        names.len(),
        totals.len()
    );
    Ok(add(names.into_iter().zip(totals)))
}

fn option(name: &str, file: &Path) -> String {
    // A percent sign would begin a variable of valgrind's.
    format!("{name}={}", file.display().to_string().replace('%', "%%"))
}

/// The instructions of one dump.
fn total(dump: &str) -> Option<u64> {
    dump.lines().rev().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()
}

fn add<'a>(counts: impl Iterator<Item = (&'a str, u64)>) -> Vec<(String, u64)> {
    let mut sums: Vec<(String, u64)> = Vec::new();
    for (name, count) in counts {
        match sums.last_mut().filter(|(last, _)| last == name) {
            Some((_, sum)) => *sum += count,
            None => sums.push((name.to_owned(), count)),
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read_from_a_dump() {
        assert_eq!(total("part: 1\n\nsummary: 9\n\nfn=(1)\n12 9\ntotals: 9\n"), Some(9));
        assert_eq!(total("part: 1\n"), None);
    }

    #[test]
    fn frames_of_one_case_are_added() {
        let counts = [("a", 1), ("b", 2), ("b", 3), ("c", 4)];
        assert_eq!(add(counts.into_iter()), [("a".into(), 1), ("b".into(), 5), ("c".into(), 4)]);
    }
}
