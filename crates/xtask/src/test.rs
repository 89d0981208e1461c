//! `cargo xtask test`: every check, in order, up to the first that fails.

use std::time::Instant;

use crate::cli::Test;
use crate::error::Error;
use crate::packages::{self, Need, Permission};
use crate::process::clock;
use crate::steps::Step;
use crate::workspace;

/// Makes sure of what the chosen steps need, and runs them.
pub fn run(options: &Test) -> Result<(), Error> {
    let steps = choose(&options.only, &options.skip);
    let permission = Permission::new(options.no_install);
    packages::ensure(&needs(&steps), permission)?;
    let components: Vec<_> = steps.iter().filter_map(|step| step.component()).collect();
    packages::ensure_components(&components, permission)?;
    if workspace::is_cold() && steps.iter().any(|step| *step != Step::Fmt) {
        println!("First build: Bevy is built from source, which takes 5 to 20 minutes, once.");
    }
    let begun = Instant::now();
    for (index, step) in steps.iter().enumerate() {
        step.run(index + 1, steps.len())?;
    }
    let names: Vec<_> = steps.iter().map(ToString::to_string).collect();
    println!("\nAll passed in {}: {}", clock(begun.elapsed()), names.join(", "));
    Ok(())
}

/// The steps to run, always in their own order.
fn choose(only: &[Step], skip: &[Step]) -> Vec<Step> {
    let is_chosen = |step: &Step| match only {
        [] => step.runs_unasked() && !skip.contains(step),
        named => named.contains(step),
    };
    Step::ALL.iter().copied().filter(is_chosen).collect()
}

/// What these steps need of the system, each thing once.
fn needs(steps: &[Step]) -> Vec<Need> {
    let mut needs = Vec::new();
    for need in steps.iter().flat_map(|step| step.needs()) {
        if !needs.contains(&need) {
            needs.push(need);
        }
    }
    needs
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
        let rest = choose(&[], &[Step::Clippy, Step::Picture, Step::Server, Step::Readme]);
        assert_eq!(rest, [Step::Fmt, Step::Doc, Step::Test]);
    }

    #[test]
    fn a_thing_is_needed_once() {
        let needs = needs(Step::ALL);
        for (index, need) in needs.iter().enumerate() {
            assert!(!needs[..index].contains(need), "{need:?}");
        }
    }
}
