//! `cargo xtask test`: every check, in order, up to the first that fails.

use std::time::Instant;

use anyhow::{Result, anyhow};
use clap::ValueEnum;

use crate::cli::{Test, about, name};
use crate::process::clock;
use crate::steps::{Outcome, Step};
use crate::{setup, workspace};

/// Makes sure of what the chosen steps need, and runs them.
pub fn run(options: &Test, install: bool) -> Result<()> {
    let steps = choose(&options.only, &options.skip);
    for (component, command) in steps.iter().filter_map(|step| step.component()) {
        setup::ensure_component(component, command, install)?;
    }
    // Each scope includes those before it.
    if let Some(scope) = steps.iter().filter_map(|step| step.scope()).max() {
        setup::ensure(scope, install)?;
        workspace::announce_first_build();
    }
    if steps.contains(&Step::Counts) {
        setup::offer_valgrind(install);
    }
    let (begun, count) = (Instant::now(), steps.len());
    let (mut passed, mut skipped) = (Vec::new(), Vec::new());
    for (number, step) in (1..).zip(&steps) {
        let (name, begun) = (name(*step), Instant::now());
        println!("\n==> {number}/{count} {name}: {}", about(*step));
        let done = step.run(!options.only.is_empty());
        let after = clock(begun.elapsed());
        let outcome = done.map_err(|error| {
            anyhow!("step `{name}` failed after {after}: {error:#}\nRun it alone with: cargo xtask test --only {name}")
        })?;
        match outcome {
            Outcome::Passed => {
                println!("<== {number}/{count} {name}: passed in {after}");
                passed.push(format!("{name} {after}"));
            }
            Outcome::Skipped(why) => {
                println!("<== {number}/{count} {name}: skipped: {why}");
                skipped.push(name);
            }
        }
    }
    println!("\nAll passed in {}: {}", clock(begun.elapsed()), passed.join(", "));
    if !skipped.is_empty() {
        println!("Skipped: {}", skipped.join(", "));
    }
    Ok(())
}

/// The steps to run, always in their own order.
fn choose(only: &[Step], skip: &[Step]) -> Vec<Step> {
    let is_chosen = |step: &Step| match only {
        [] => step.runs_unasked() && !skip.contains(step),
        named => named.contains(step),
    };
    Step::value_variants().iter().copied().filter(is_chosen).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_tested_only_when_named() {
        assert!(!choose(&[], &[]).contains(&Step::Window));
        assert_eq!(choose(&[Step::Window, Step::Fmt], &[]), [Step::Fmt, Step::Window]);
    }

    #[test]
    fn steps_can_be_left_out() {
        let rest = choose(&[], &[Step::Clippy, Step::Features, Step::Picture, Step::Server, Step::Readme]);
        assert_eq!(
            rest,
            [Step::Fmt, Step::Doc, Step::Test, Step::Counts, Step::Shaders, Step::Examples, Step::Package, Step::Wasm]
        );
    }
}
