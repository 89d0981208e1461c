//! The step `counts`: how many instructions the kernels, the worlds, a chunk's mesh and a frame take, against a table.
//!
//! Times differ from run to run, counts of instructions hardly do: what is lost shows, however busy the machine. They
//! come from callgrind, which runs programs on x86-64 as if on one processor and knows no AVX-512. The programs are
//! those of `crates/terrain_bench` that call `counting::count`; the table, `counts.txt` beside them, holds for one
//! compiler. With another, differences are told and nothing fails.

mod callgrind;
mod mesh;
mod table;

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};

use super::Outcome;
use crate::cargo::{self, build, cargo, messages};
use crate::job::Job;
use crate::{process, workspace};
use table::Table;

/// The noise, optimised as in a release, which takes no Bevy.
const BUILD_NOISE: &[&str] =
    &["build", "--release", "--package=terrain_bench", "--no-default-features", "--bin=counts"];

/// Frames, with the plugin and the Bevy that the tests have built.
const FRAMES: &str = "frame_counts";

/// Counts, and compares.
pub fn check(job: &Job) -> Result<Outcome> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(Outcome::Skipped("the table of instructions is of Linux on x86-64".into()));
    }
    if !callgrind::is_there() {
        return Ok(Outcome::Skipped("there is no valgrind, which counts the instructions".into()));
    }
    let mut counts = callgrind::count(job, &build(job, BUILD_NOISE, "counts")?)?;
    counts.extend(callgrind::count(job, &mesh::build(job)?)?);
    let frames = [cargo::BUILD, &["--bench", FRAMES]].concat();
    counts.extend(callgrind::count(job, &build(job, &frames, FRAMES)?)?);
    compare(job, Table { compiler: compiler()?, counts })
}

fn compare(job: &Job, found: Table) -> Result<Outcome> {
    let file = workspace::root().join("crates/terrain_bench/counts.txt");
    let has_avx2 = has_avx2();
    if env::var_os("UPDATE_COUNTS").is_some() {
        ensure!(has_avx2, "the table has cases for AVX2, which this processor lacks: it cannot be renewed here");
        fs::write(&file, found.to_string()).with_context(|| file.display().to_string())?;
    }
    let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let mut known = Table::parse(&text).with_context(|| file.display().to_string())?;
    if !has_avx2 {
        job.tell("This processor has no AVX2: its cases are left out.");
        known.counts.retain(|(case, _)| !case.ends_with("/avx2"));
    }
    let strangers = table::strangers(&known, &found);
    ensure!(strangers.is_empty(), "the cases are not those of the table.\n{}\n{RENEW}", strangers.join("\n"));
    let changed = table::changed(&known, &found);
    let most = table::most(&known, &found);
    job.tell(&format!("{} cases; the most that one has changed is {most:.1} %", found.counts.len()));
    if changed.is_empty() {
        return Ok(Outcome::Passed);
    }
    let changed = format!("{} of {} cases changed:\n{}", changed.len(), found.counts.len(), changed.join("\n"));
    if known.compiler != found.compiler {
        let (before, now) = (&known.compiler, &found.compiler);
        job.tell(&format!(
            "{changed}\nThis may be the compiler: the table is of {before}, here is {now}. So nothing fails."
        ));
        return Ok(Outcome::Passed);
    }
    let limit = table::TOLERANCE * 100.0;
    anyhow::bail!("the instructions of {changed}\nMore than {limit} % is too much to pass unseen, up or down. {RENEW}")
}

const RENEW: &str = "If that is meant to be, renew the table and commit it with the change:\n\
    UPDATE_COUNTS=1 cargo xtask check --only counts";

fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

fn compiler() -> Result<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    Ok(process::output(Command::new(rustc).arg("--version").current_dir(workspace::root()))?.trim().to_owned())
}

/// Builds a program, and gives back where it lies.
fn build(job: &Job, arguments: &[&str], name: &str) -> Result<PathBuf> {
    let artifacts = build::build(job, &mut cargo(arguments))?;
    Ok(messages::program(&artifacts, name)?.get_program().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read() {
        let text = fs::read_to_string(workspace::root().join("crates/terrain_bench/counts.txt")).unwrap();
        let table = Table::parse(&text).unwrap();
        assert!(table.counts.len() > 50);
        let cases =
            |text: &str| text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(cases(&table.to_string()), cases(&text));
    }
}
