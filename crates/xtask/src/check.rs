//! `cargo xtask check`: every step, in order, up to the first that fails.

use anyhow::{Result, anyhow};
use clap::ValueEnum;

use crate::cli::{Check, about, name};
use crate::job::Job;
use crate::process::clock;
use crate::progress::Progress;
use crate::steps::{Outcome, Step, Tier};
use crate::{setup, workspace};

/// Makes sure of what the chosen steps need, and runs them.
pub fn run(options: &Check, install: bool) -> Result<()> {
    let steps = choose(&options.only, &options.skip);
    for (component, command) in steps.iter().filter_map(|step| step.component()) {
        setup::ensure_component(component, command, install)?;
    }
    // Each scope includes those before it.
    if let Some(scope) = steps.iter().filter_map(|step| step.scope()).max() {
        setup::ensure(scope, install)?;
    }
    if steps.contains(&Step::Counts) {
        setup::offer_valgrind(install);
    }
    let progress = Progress::new("check", steps.iter().map(|step| name(*step)).collect());
    let logs = workspace::logs("check");
    for step in steps {
        let name = name(step);
        let job = Job::begin(&progress, &logs, &name)?;
        job.note(&about(step));
        let outcome = step.run(&job, !options.only.is_empty());
        let after = clock(progress.end(matches!(outcome, Ok(Outcome::Passed))));
        match outcome {
            Ok(Outcome::Passed) => progress.tell(&format!("{name}: passed in {after}")),
            Ok(Outcome::Skipped(why)) => progress.tell(&format!("{name}: skipped: {why}")),
            Err(error) => {
                job.show_end()?;
                let log = job.path().display();
                return Err(anyhow!(
                    "step `{name}` failed after {after}: {error:#}\nAll that it said is in {log}. \
                     Run it alone with: cargo xtask check --only {name}"
                ));
            }
        }
    }
    progress.tell(&format!("All in {}; what they said is in {}", clock(progress.elapsed()), logs.display()));
    Ok(())
}

/// The steps to run, always in their own order.
fn choose(only: &[Step], skip: &[Step]) -> Vec<Step> {
    let is_chosen = |step: &Step| match only {
        [] => step.tier() == Tier::Check && !skip.contains(step),
        named => named.contains(step),
    };
    Step::value_variants().iter().copied().filter(is_chosen).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_checked_only_when_named() {
        assert!(!choose(&[], &[]).contains(&Step::Window));
        assert_eq!(choose(&[Step::Window, Step::Fmt], &[]), [Step::Fmt, Step::Window]);
    }

    #[test]
    fn every_step_runs_by_itself_or_when_named() {
        let unasked = choose(&[], &[]);
        for step in Step::value_variants() {
            assert_eq!(unasked.contains(step), step.tier() == Tier::Check, "{step:?}");
            assert_eq!(choose(&[*step], &[]), [*step]);
        }
        assert_eq!(unasked.len() + 1, Step::value_variants().len());
    }

    #[test]
    fn steps_can_be_left_out() {
        let rest = choose(&[], &[Step::Clippy, Step::Features, Step::Server, Step::Readme, Step::Wasm, Step::Counts]);
        let expected = [Step::Fmt, Step::Package, Step::Doc, Step::Shaders, Step::Costs, Step::Scenes, Step::Examples];
        assert_eq!(rest, expected);
    }
}
