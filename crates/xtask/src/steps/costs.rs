//! The step `costs`: what the terrain's shaders cost on a graphics card that is not there, against a table.
//!
//! Mesa's driver for AMD cards compiles for the card of a Steam Deck wherever it is installed, and says how many instructions,
//! registers, bytes and cycles a shader takes. With the layer of `crates/null_card` the example `fly` runs on that card, and
//! what the driver says goes to a report. The figures of two runs are the same to the last digit. The table, `costs.txt` in the
//! folder beside this file, holds for one version of Mesa: with another one, differences are printed and nothing fails.

mod card;
mod report;
mod table;

use std::path::PathBuf;
use std::{env, fs};

use anyhow::{Context, Result, anyhow, bail};

use self::card::Card;
use self::report::Report;
use self::table::Table;
use super::{Outcome, headless};
use crate::cargo::messages::{self, Artifact};
use crate::cargo::{self, build, cargo};
use crate::job::Job;
use crate::workspace;

/// The layer, which takes no Bevy; what it shares with wgpu is built as wgpu's is.
const BUILD_LAYER: &[&str] = &["build", "--package=null_card"];

/// How the names of the terrain's pipelines begin. Others are Bevy's.
const OURS: &str = "terrain";

/// Where the example comes upon every shader of the terrain: this world has holes, volumes, water and plants.
const FLIGHT: &[&str] = &["--preset=karst", "--seconds"];

/// How Bevy's words about shaders with errors begin.
const SHADER_ERRORS: [&str; 2] = ["failed to process shader error:", "failed to create shader module:"];

/// How many seconds a flight takes. What a short one misses, on a busy machine, a longer one comes upon.
const SECONDS: [&str; 3] = ["1", "4", "16"];

/// Compiles, and compares.
pub fn check(job: &Job) -> Result<Outcome> {
    let Some(driver) = card::driver() else {
        let what = "there is no Mesa driver for AMD cards, which says what shaders cost (docs/building.md)";
        return Ok(Outcome::Skipped(what.into()));
    };
    let layer = build::build(job, &mut cargo(BUILD_LAYER))?;
    let card = Card::new(driver, messages::library(&layer, "null_card")?)?;
    let built = build::build(job, cargo(cargo::BUILD).args(["--example", headless::NAME]))?;
    // To be renewed, a table need not be readable.
    let known = if env::var_os("UPDATE_COSTS").is_some() { None } else { Some(read()?) };
    let mut report = Report::default();
    let compiled = compile(job, &card, &built, known.as_ref(), &mut report);
    let found = report.table(OURS);
    let is_other = known.as_ref().is_some_and(|known| report.has_driver() && known.compiler != found.compiler);
    match compiled {
        Err(error) if is_other => {
            let what = format!("on {}, of which the table is not, the flight fails: {error:#}", found.compiler);
            return Ok(Outcome::Skipped(what));
        }
        compiled => compiled?,
    }
    let known = match known {
        Some(known) => known,
        None => {
            fs::write(file(), found.to_string()).with_context(|| file().display().to_string())?;
            read()?
        }
    };
    compare(job, &known, &found)
}

/// Flies until everything is compiled that the table has; without a table, as often as it may.
fn compile(job: &Job, card: &Card, built: &[Artifact], known: Option<&Table>, report: &mut Report) -> Result<()> {
    let mut result = Err(anyhow!("there was no flight"));
    for seconds in SECONDS {
        let mut fly = messages::program(built, headless::NAME)?;
        let flown = card.run(job, fly.args(headless::ARGUMENTS).args(FLIGHT).arg(seconds), report);
        if let Err(error) = &flown {
            job.note(&format!("{error:#}"));
        }
        if let Some(error) = error_in(&job.said()?) {
            bail!("Bevy could not read a shader: {error}");
        }
        // Once is enough: a driver that is made for cards that are there may fail at times.
        result = result.or(flown);
        let is_complete = known.is_some_and(|known| table::missing(known, &report.table(OURS)).is_empty());
        if result.is_ok() && is_complete {
            break;
        }
    }
    result
}

/// What Bevy says of a shader with an error. The flight goes on without that shader, and a new table would lack it.
fn error_in(said: &str) -> Option<&str> {
    let (_, error) = SHADER_ERRORS.iter().find_map(|error| said.split_once(error))?;
    error.trim_start().lines().next()
}

fn file() -> PathBuf {
    workspace::root().join("crates/xtask/src/steps/costs/costs.txt")
}

fn read() -> Result<Table> {
    let name = || file().display().to_string();
    Table::parse(&fs::read_to_string(file()).with_context(name)?).with_context(name)
}

fn compare(job: &Job, known: &Table, found: &Table) -> Result<Outcome> {
    let differences = [table::missing(known, found), table::new(known, found), table::changed(known, found)].concat();
    let spilling = table::spilling(found);
    let most = table::most(known, found);
    job.tell(&format!("{} shaders; the most that a figure has changed is {most:.1} %", found.shaders.len()));
    if differences.is_empty() && spilling.is_empty() {
        return Ok(Outcome::Passed);
    }
    let all = [&differences[..], &spilling[..]].concat().join("\n");
    if known.compiler != found.compiler {
        let (before, now) = (&known.compiler, &found.compiler);
        job.tell(&format!("{all}\nThis may be Mesa: the table is of {before}, here is {now}. So nothing fails."));
        return Ok(Outcome::Passed);
    }
    let advice = if spilling.is_empty() { RENEW } else { SPILLS };
    bail!("what shaders cost has changed:\n{all}\n{advice}")
}

const RENEW: &str = "More than 5 % is too much to pass unseen, up or down. If all of it is meant to be, renew the table and commit it \
    with the change:\nUPDATE_COSTS=1 cargo xtask check --only costs";

const SPILLS: &str = "A shader that spills keeps values in memory for which the card has no registers, and waits for them. No table \
    allows that: let the shader keep fewer values at a time.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read() {
        let table = read().unwrap();
        assert!(!table.shaders.is_empty());
        assert!(table.shaders.iter().all(|shader| shader.pipeline.starts_with(OURS)));
        assert_eq!(table.to_string(), fs::read_to_string(file()).unwrap());
    }

    #[test]
    fn an_error_in_a_shader_is_found() {
        let process = "INFO a\nERROR pipeline_cache: failed to process shader error:\nerror: incorrect number\n";
        assert_eq!(error_in(process), Some("error: incorrect number"));
        assert_eq!(
            error_in("ERROR failed to create shader module: Shader validation\nmore"),
            Some("Shader validation")
        );
        assert_eq!(error_in("INFO a\n"), None);
    }

    #[test]
    fn the_advice_names_the_tolerance() {
        assert!(RENEW.contains(&format!("{} %", table::TOLERANCE * 100.0)));
    }
}
