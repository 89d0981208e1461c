//! The step `counts`: how many instructions the kernels, the worlds, a chunk's mesh and a frame take, against a table.
//!
//! Times differ from run to run, counts of instructions hardly do: what is lost shows, however busy the machine. They
//! come from callgrind, which runs programs on x86-64 as if on one processor and knows no AVX-512. The programs are
//! those of `crates/terrain_bench` that call `counting::count`; the table, `counts.txt` beside them, holds for one
//! compiler. With another, differences are told and nothing fails.

mod callgrind;
mod frames;
mod mesh;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};

use super::Outcome;
use crate::cargo::{self, cargo};
use crate::{process, workspace};
use table::Table;

/// The noise, optimised as in a release, which takes no Bevy.
const BUILD_NOISE: &[&str] =
    &["build", "--release", "--package=terrain_bench", "--no-default-features", "--bin=counts"];

/// Frames, with the plugin and the Bevy that the tests have built.
const FRAMES: &str = "frame_counts";

/// Counts, and compares.
pub fn check() -> Result<Outcome> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(Outcome::Skipped("the table of instructions is of Linux on x86-64".into()));
    }
    if !callgrind::is_there() {
        return Ok(Outcome::Skipped("there is no valgrind, which counts the instructions".into()));
    }
    let mut counts = callgrind::count(&build(BUILD_NOISE, "counts")?)?;
    counts.extend(callgrind::count(&mesh::build()?)?);
    let frames = [cargo::BUILD, &["--bench", FRAMES]].concat();
    let one_unit = frames::is_one_unit();
    let named = |(case, count): (String, u64)| (frames::name(&case, one_unit), count);
    counts.extend(callgrind::count(&build(&frames, FRAMES)?)?.into_iter().map(named));
    let found = Table { compiler: compiler()?, counts };
    compare(found, one_unit)
}

fn compare(mut found: Table, one_unit: bool) -> Result<Outcome> {
    let file = workspace::root().join("crates/terrain_bench/counts.txt");
    let has_avx2 = has_avx2();
    if env::var_os("UPDATE_COUNTS").is_some() {
        ensure!(has_avx2, "the table has cases for AVX2, which this processor lacks: it cannot be renewed here");
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let known = Table::parse(&text).with_context(|| file.display().to_string())?;
        found = frames::with_others(found, known, one_unit);
        fs::write(&file, found.to_string()).with_context(|| file.display().to_string())?;
    }
    let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let mut known = Table::parse(&text).with_context(|| file.display().to_string())?;
    if !has_avx2 {
        println!("This processor has no AVX2: its cases are left out.");
        known.counts.retain(|(case, _)| !case.ends_with("/avx2"));
    }
    for table in [&mut known, &mut found] {
        table.counts.retain(|(case, _)| !frames::is_of_other(case, one_unit));
    }
    let strangers = table::strangers(&known, &found);
    ensure!(strangers.is_empty(), "the cases are not those of the table.\n{}\n{RENEW}", strangers.join("\n"));
    let changed = table::changed(&known, &found);
    println!("{} cases; the most that one has changed is {:.1} %", found.counts.len(), table::most(&known, &found));
    if changed.is_empty() {
        return Ok(Outcome::Passed);
    }
    let changed = format!("{} of {} cases changed:\n{}", changed.len(), found.counts.len(), changed.join("\n"));
    if known.compiler != found.compiler {
        println!("{changed}");
        let (before, now) = (&known.compiler, &found.compiler);
        println!("This may be the compiler: the table is of {before}, here is {now}. So nothing fails.");
        return Ok(Outcome::Passed);
    }
    let limit = table::TOLERANCE * 100.0;
    anyhow::bail!("the instructions of {changed}\nMore than {limit} % is too much to pass unseen, up or down. {RENEW}")
}

const RENEW: &str = "If that is meant to be, renew the table and commit it with the change:\n\
    UPDATE_COUNTS=1 cargo xtask test --only counts";

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
fn build(arguments: &[&str], name: &str) -> Result<PathBuf> {
    let mut build = cargo(arguments);
    println!("{}", process::line(&build));
    let messages = process::output(build.arg("--message-format=json-render-diagnostics"))?;
    executable(&messages, name).with_context(|| format!("cargo did not say where it put {name}"))
}

/// Finds a program in cargo's messages, one object of JSON a line.
fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    let target = format!("\"name\":\"{name}\"");
    let line = messages.lines().find(|line| line.contains(&target) && line.contains("\"executable\":\""))?;
    let path = line.split("\"executable\":\"").nth(1)?.split('"').next()?;
    Some(Path::new(path).to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_found_among_cargos_messages() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"counts"},"executable":null}
            {"reason":"compiler-artifact","target":{"name":"flight"},"executable":"/t/flight","fresh":true}
            {"reason":"compiler-artifact","target":{"name":"counts"},"executable":"/t/counts","fresh":true}"#;
        assert_eq!(executable(messages, "counts"), Some("/t/counts".into()));
        assert_eq!(executable(messages, "frame_counts"), None);
    }

    #[test]
    fn the_table_can_be_read() {
        let text = fs::read_to_string(workspace::root().join("crates/terrain_bench/counts.txt")).unwrap();
        let table = Table::parse(&text).unwrap();
        assert!(table.counts.len() > 50);
        assert_eq!(table.to_string(), text);
    }
}
