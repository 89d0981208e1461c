//! What the system must offer, what of it is missing, and how to get it.
//!
//! - [`need`]: the things needed, and what they are called in each system.
//! - [`probe`]: is a thing there?
//! - [`manager`]: the system's package manager and the line that installs a thing.
//! - [`install`]: installing by `apt-get`, where that may be done.
//! - [`components`]: rustfmt and clippy, which come with Rust and need no right.
//!
//! Only Linux is looked at: macOS and Windows bring everything but the linker that Rust's own
//! installer asks for. A machine that has everything is asked for no right and no network.

mod components;
mod install;
mod manager;
mod need;
mod probe;

use std::env;

pub use components::ensure_components;
pub use need::Need;

use crate::error::Error;
use install::Rights;
use manager::Manager;
use probe::System;

/// May anything be installed?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Yes, where we have the right.
    Install,
    /// No: name what is missing and stop.
    LookOnly,
}

impl Permission {
    /// From the option `--no-install` and the variable `XTASK_NO_INSTALL`.
    pub fn new(no_install: bool) -> Self {
        let forbidden = env::var_os("XTASK_NO_INSTALL").is_some_and(|value| !value.is_empty());
        if no_install || forbidden { Self::LookOnly } else { Self::Install }
    }
}

/// Makes sure that everything in `needs` is there; otherwise says what to run.
pub fn ensure(needs: &[Need], permission: Permission) -> Result<(), Error> {
    let missing = missing(needs);
    if missing.is_empty() {
        return Ok(());
    }
    let manager = Manager::of_this_system();
    let rights = Rights::of_this_user();
    let missing_error = |why: &str| Error::Missing {
        missing: need::sentence(&missing),
        why: why.to_owned(),
        remedy: manager.remedy(&missing, rights),
    };
    if permission == Permission::LookOnly {
        return Err(missing_error("Nothing is installed, as asked."));
    }
    if manager != Manager::Apt {
        return Err(missing_error("Only apt-get is driven from here."));
    }
    if rights == Rights::None {
        return Err(missing_error("Installing needs root, or sudo without a password."));
    }
    println!("{} missing: installing", need::sentence(&missing));
    install::by_apt(&manager.packages(&missing), rights)?;
    match self::missing(&missing) {
        still if still.is_empty() => Ok(()),
        still => Err(Error::Missing {
            missing: need::sentence(&still),
            why: "The packages were installed without an error, yet it is not found.".to_owned(),
            remedy: manager.remedy(&still, rights),
        }),
    }
}

/// Is everything in `needs` there?
pub fn are_met(needs: &[Need]) -> bool {
    missing(needs).is_empty()
}

/// Those of `needs` that this system lacks.
fn missing(needs: &[Need]) -> Vec<Need> {
    if !cfg!(target_os = "linux") {
        return Vec::new();
    }
    let system = System::of_this_process();
    let is_missing = |need: &Need| !need.is_met(&system);
    needs.iter().copied().filter(is_missing).collect()
}
