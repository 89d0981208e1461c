//! What can be asked of `cargo xtask`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::setup::Scope;
use crate::steps::Step;

/// The commands of this repository.
///
/// On Debian and its kin they install what the system lacks, as root or by `sudo -n`. Elsewhere, or without that
/// right, they say what is missing and stop; docs/building.md has the names it has on other systems.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask")]
pub struct Cli {
    /// Install nothing: name what is missing and stop (as XTASK_NO_INSTALL=1 does)
    #[arg(long, global = true)]
    pub no_install: bool,
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

/// One command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Build the example `fly` and fly over the terrain
    Fly(Example),
    /// Build the example `scenes` and draw the pictures of the README, without a window
    Scenes(Example),
    /// Draw random places of all worlds to contact sheets, and measure how varied they are
    Views(Example),
    /// Run all tests: unit, integration, drawn and documentation tests
    Test(Test),
    /// Check the rest: format, lints, features, documentation, packages, counts, shaders and what they cost, examples,
    /// projects that use the crates
    Check(Check),
    /// Install what the system lacks, and do nothing else
    Setup {
        /// What the system is to be used for
        #[arg(default_value = "everything")]
        what: Scope,
    },
    /// Measure the pictures fly-00.png, fly-01.png, ... of a folder as the step `examples` does
    Pictures {
        /// The folder that `fly --headless --out` wrote
        folder: PathBuf,
    },
}

/// Options of `cargo xtask fly`, `cargo xtask scenes` and `cargo xtask views`.
#[derive(Args, Debug)]
pub struct Example {
    /// What the example gets; `-- --help` lists it
    #[arg(last = true)]
    pub arguments: Vec<OsString>,
}

/// Options of `cargo xtask test`.
#[derive(Args, Debug)]
pub struct Test {
    /// Run these programs alone: names of packages, of test programs, or `documentation` [default: all]
    #[arg(value_name = "PROGRAM")]
    pub programs: Vec<String>,
    /// Leave out what passed before and is unchanged since, as are the files that it may read
    #[arg(long)]
    pub changed: bool,
    /// What every program gets, such as a part of the names of the tests to run
    #[arg(last = true)]
    pub arguments: Vec<OsString>,
}

/// Options of `cargo xtask check`.
#[derive(Args, Debug)]
pub struct Check {
    /// Run these steps alone [default: all but window]
    #[arg(long, value_name = "STEP", value_delimiter = ',', conflicts_with = "skip")]
    pub only: Vec<Step>,
    /// Leave these steps out
    #[arg(long, value_name = "STEP", value_delimiter = ',')]
    pub skip: Vec<Step>,
}

/// What one types on the command line for this value.
pub fn name(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// What the command line's help says of this value.
pub fn about(value: impl ValueEnum) -> String {
    value.to_possible_value().and_then(|value| value.get_help().map(ToString::to_string)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn arguments_after_two_dashes_go_to_the_example() {
        let cli = Cli::parse_from(["xtask", "fly", "--no-install", "--", "--headless"]);
        let Command::Fly(fly) = cli.command else {
            panic!("expected fly");
        };
        assert!(cli.no_install);
        assert_eq!(fly.arguments, ["--headless"]);
    }

    #[test]
    fn steps_are_named_one_by_one_or_in_a_list() {
        let cli = Cli::parse_from(["xtask", "check", "--skip", "fmt,doc", "--skip", "counts"]);
        let Command::Check(check) = cli.command else {
            panic!("expected check");
        };
        assert_eq!(check.skip, [Step::Fmt, Step::Doc, Step::Counts]);
    }

    #[test]
    fn programs_of_tests_are_named_and_get_arguments() {
        let cli = Cli::parse_from(["xtask", "test", "--changed", "drawn", "golden", "--", "water::"]);
        let Command::Test(test) = cli.command else {
            panic!("expected test");
        };
        assert!(test.changed);
        assert_eq!((test.programs, test.arguments), (vec!["drawn".into(), "golden".into()], vec!["water::".into()]));
    }
}
