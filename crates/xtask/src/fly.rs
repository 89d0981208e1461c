//! `cargo xtask fly` and `cargo xtask scenes`: build an example and run it.

use std::env;

use crate::cargo::{self, cargo};
use crate::cli::Example;
use crate::error::Error;
use crate::packages::{self, Need, Permission};
use crate::{process, workspace};

/// Flies over the terrain.
pub fn fly(options: &Example) -> Result<(), Error> {
    run(options, cargo::RUN_FLY, &wishes(has_x11_display()))
}

/// Draws the scenes.
pub fn scenes(options: &Example) -> Result<(), Error> {
    run(options, cargo::RUN_SCENES, &[Need::Vulkan])
}

/// Makes sure of what the build needs, and of what the example can use, and runs it.
fn run(options: &Example, call: &[&str], wishes: &[Need]) -> Result<(), Error> {
    let permission = Permission::new(options.no_install);
    if let Err(error) = packages::ensure(&[Need::BUILD, wishes].concat(), permission) {
        // Without its wishes the example still runs and says what it could not do.
        if !packages::are_met(Need::BUILD) {
            return Err(error);
        }
        println!("cargo xtask: {error}\nGoing on without.\n");
    }
    if workspace::is_cold() {
        println!("First build: Bevy is built from source, which takes 5 to 20 minutes, once.");
    }
    process::run(cargo(call).args(&options.arguments))
}

fn wishes(x11_display: bool) -> Vec<Need> {
    match x11_display {
        true => vec![Need::Vulkan, Need::WindowLibraries],
        false => vec![Need::Vulkan],
    }
}

/// Is there an X11 display, and no Wayland one that would be taken first?
fn has_x11_display() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_libraries_are_wished_for_where_a_window_opens() {
        assert_eq!(wishes(false), [Need::Vulkan]);
        assert!(wishes(true).contains(&Need::WindowLibraries));
    }
}
