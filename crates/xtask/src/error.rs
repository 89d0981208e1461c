//! What can go wrong, said so that the reader knows what to do next.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use crate::picture::Complaints;
use crate::process::clock;
use crate::steps::Step;

/// Why a command stopped.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A program could not be started at all.
    #[error("could not start `{program}`: {source}")]
    Start {
        /// The program's name.
        program: String,
        /// What the system said.
        source: io::Error,
    },
    /// A program ran and failed.
    #[error("`{program}` failed ({status})")]
    Failed {
        /// The program with its arguments.
        program: String,
        /// How it ended.
        status: ExitStatus,
    },
    /// A program was still running at its limit, and was ended.
    #[error("`{program}` was still running after {} and was ended", clock(*limit))]
    TooSlow {
        /// The program with its arguments.
        program: String,
        /// The time it had.
        limit: Duration,
    },
    /// Something is missing and was not installed.
    #[error("{missing} missing on this system. {why}\n{remedy}")]
    Missing {
        /// What is missing, with its verb.
        missing: String,
        /// Why it was not installed here.
        why: String,
        /// What to do about it.
        remedy: String,
    },
    /// A file or folder could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system or the decoder said.
        source: io::Error,
    },
    /// A program ended well but left no sign of having done its work.
    #[error("{0}")]
    NoEvidence(String),
    /// The pictures were made, and are not what they should be.
    #[error("the pictures in {} are not of a landscape seen in flight:\n{complaints}", folder.display())]
    Pictures {
        /// Where they are.
        folder: PathBuf,
        /// What is wrong, one line each.
        complaints: Complaints,
    },
    /// A step of `cargo xtask test` failed.
    #[error("step `{step}` failed after {}: {source}\nRun it alone with: cargo xtask test --only {step}", clock(*after))]
    Step {
        /// The step.
        step: Step,
        /// How long it had run.
        after: Duration,
        /// What went wrong in it.
        source: Box<Error>,
    },
}
