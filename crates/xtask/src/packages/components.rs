//! rustfmt and clippy, which come with Rust and need no right.

use std::process::Command;

use super::{Permission, System};
use crate::cargo::cargo;
use crate::error::Error;
use crate::process;

/// Makes sure that these components of the Rust toolchain are there. A minimal toolchain lacks them.
pub fn ensure_components(names: &[&str], permission: Permission) -> Result<(), Error> {
    let missing: Vec<_> = names.iter().copied().filter(|name| !is_there(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let has_rustup = System::of_this_process().has_program("rustup");
    if permission == Permission::Install && has_rustup {
        println!("adding {} to the toolchain", missing.join(" and "));
        let mut rustup = Command::new("rustup");
        return process::run(rustup.args(["component", "add"]).args(missing));
    }
    Err(Error::Missing {
        missing: format!("{} cannot be run: part of the Rust toolchain is", missing.join(" and ")),
        why: "It is not added from here.".to_owned(),
        remedy: format!("Run: rustup component add {}", missing.join(" ")),
    })
}

fn is_there(component: &str) -> bool {
    let subcommand = if component == "rustfmt" { "fmt" } else { component };
    process::succeeds(&mut cargo(&[subcommand, "--version"]))
}
