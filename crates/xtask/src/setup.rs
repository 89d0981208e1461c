//! What the system and the Rust toolchain must offer.
//!
//! `setup.sh` finds out what a Linux system lacks, and installs it by `apt-get`. `docs/building.md` has a table for
//! the systems that have another package manager. macOS and Windows need nothing that Rust's own installer does not
//! ask for.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;

use crate::cargo::cargo;
use crate::{cli, process, workspace};

/// What is to be done with this system. Each includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Scope {
    /// Build the workspace
    Build,
    /// Draw pictures without a window
    Pictures,
    /// Open a window under X11
    Window,
    /// Every step of `cargo xtask check`: Bevy's default features, and a virtual display
    Everything,
}

/// Makes sure that the system offers all this. What is missing is installed where that is allowed.
pub fn ensure(scope: Scope, install: bool) -> Result<()> {
    if !cfg!(target_os = "linux") {
        let advice = "the virtual display of the steps examples, readme and window needs Linux (docs/building.md).\n\
            Run: cargo xtask check --skip examples,readme";
        ensure!(scope < Scope::Everything, advice);
        return Ok(());
    }
    let mut shell = Command::new("sh");
    shell.arg(script()).arg(cli::name(scope));
    if !install {
        shell.env("XTASK_NO_INSTALL", "1");
    }
    let status = shell.status().context("could not start `sh`")?;
    ensure!(status.success(), "the system lacks what is named above");
    Ok(())
}

/// Installs valgrind where that can be done: without it the step `counts` is skipped, and nothing else lacks anything.
pub fn offer_valgrind(install: bool) {
    if cfg!(target_os = "linux") {
        let mut shell = Command::new("sh");
        shell.arg(script()).arg("valgrind");
        if !install {
            shell.env("XTASK_NO_INSTALL", "1");
        }
        // Where it fails, it has said why and what to run.
        let _ = shell.status();
    }
}

fn script() -> PathBuf {
    workspace::root().join("crates/xtask/setup.sh")
}

/// Makes sure of a component of the toolchain, by the cargo command it brings. A minimal toolchain lacks some.
pub fn ensure_component(component: &str, command: &str, install: bool) -> Result<()> {
    if cargo(&[command, "--version"]).output().is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    let by_hand = format!("`cargo {command}` is missing. Run: rustup component add {component}");
    ensure!(install, by_hand);
    process::run(Command::new("rustup").args(["component", "add", component])).context(by_hand)
}

/// What the script does where programs are missing, with others in the place of the system's own.
#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::{env, fs};

    use super::*;

    /// A folder of programs that a system may have.
    struct System(PathBuf);

    impl System {
        /// One with a compiler, the tools the script uses, and `pkg-config` that finds headers once they are installed.
        fn new(test: &str) -> Self {
            let folder = env::temp_dir().join(format!("xtask-setup-{}-{test}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            let path = env::var_os("PATH").unwrap();
            for tool in ["env", "find", "grep", "touch", "ls", "flock"] {
                let file = env::split_paths(&path).map(|place| place.join(tool)).find(|file| file.is_file()).unwrap();
                symlink(file, folder.join(tool)).unwrap();
            }
            let system = Self(folder);
            system.with("cc", "exit 0").with("pkg-config", "[ -e $FOLDER/installed ]")
        }

        fn with(self, program: &str, script: &str) -> Self {
            let file = self.0.join(program);
            let text = format!("#!/bin/sh\nFOLDER={}\n{script}\n", self.0.display());
            fs::write(&file, text).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
            self
        }

        fn with_apt_get(self, script: &str) -> Self {
            self.with("apt-get", &format!("echo \"apt-get $@\" >>$FOLDER/log\n{script}"))
        }

        /// Runs the script: does it succeed, and what does it say?
        fn set_up(&self, scope: &str, variables: &[(&str, &str)]) -> (bool, String) {
            let mut shell = Command::new("/bin/sh");
            shell.arg(script()).arg(scope).env("PATH", &self.0).env_remove("PKG_CONFIG").env_remove("XTASK_NO_INSTALL");
            let output = shell.envs(variables.iter().copied()).output().unwrap();
            (output.status.success(), String::from_utf8(output.stderr).unwrap())
        }

        fn log(&self) -> String {
            fs::read_to_string(self.0.join("log")).unwrap_or_default()
        }
    }

    impl Drop for System {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const INSTALLS: &str = "case \"$*\" in *' install '*) touch $FOLDER/installed ;; esac";
    const PACKAGES: &str = "install -y --no-install-recommends pkg-config libwayland-dev";

    #[test]
    fn root_installs_once() {
        let system = System::new("root").with("id", "echo 0").with_apt_get(INSTALLS);
        let (done, said) = system.set_up("build", &[]);
        assert!(done && said.contains("pkg-config, the Wayland headers. Installing"), "{said}");
        assert!(system.log().contains(PACKAGES), "{}", system.log());
        let once = system.log();
        assert_eq!(system.set_up("build", &[]), (true, String::new()));
        assert_eq!(system.log(), once);
    }

    #[test]
    fn sudo_installs_and_never_asks() {
        let sudo = "echo \"sudo $1\" >>$FOLDER/log\nshift\n[ $1 = true ] || exec \"$@\"";
        let system = System::new("sudo").with("id", "echo 1000").with("sudo", sudo).with_apt_get(INSTALLS);
        assert!(system.set_up("build", &[]).0);
        assert!(system.log().starts_with("sudo -n\nsudo -n\napt-get "), "{}", system.log());
    }

    #[test]
    fn without_the_right_it_says_what_to_run() {
        let system = System::new("no-sudo").with("id", "echo 1000").with("sudo", "exit 1").with_apt_get(INSTALLS);
        let (done, said) = system.set_up("build", &[]);
        assert!(!done && said.contains("needs root"), "{said}");
        assert!(said.contains("Run: sudo apt-get update && sudo apt-get install"), "{said}");
        assert_eq!(system.log(), "");
    }

    #[test]
    fn nothing_is_installed_where_that_is_asked() {
        let system = System::new("no-install").with("id", "echo 0").with_apt_get(INSTALLS);
        let (done, said) = system.set_up("build", &[("XTASK_NO_INSTALL", "1")]);
        assert!(!done && said.contains("Nothing is installed, as asked"), "{said}");
        assert_eq!(system.log(), "");
    }

    #[test]
    fn another_system_is_sent_to_the_table() {
        // Where this machine's own `apt-get` lies is not in the path.
        let (done, said) = System::new("other").with("id", "echo 0").set_up("build", &[]);
        assert!(!done && said.starts_with("Missing on this system: pkg-config, the Wayland headers.\n"), "{said}");
        assert!(said.contains("docs/building.md"), "{said}");
        assert!(workspace::root().join("docs/building.md").is_file());
    }

    #[test]
    fn valgrind_is_asked_for_alone() {
        let system = System::new("valgrind").with("id", "echo 0").with_apt_get("exit 0");
        let (done, said) = system.set_up("valgrind", &[("XTASK_NO_INSTALL", "1")]);
        assert!(!done && said.starts_with("Missing on this system: valgrind.\n"), "{said}");
        assert!(said.ends_with("--no-install-recommends valgrind\n"), "{said}");
        let (_, said) = system.set_up("everything", &[("XTASK_NO_INSTALL", "1")]);
        assert!(!said.contains("valgrind"), "{said}");
        let system = system.with("valgrind", "");
        assert_eq!(system.set_up("valgrind", &[]), (true, String::new()));
    }

    #[test]
    fn what_apt_cannot_do_is_said() {
        let system = System::new("broken").with("id", "echo 0").with_apt_get("exit 100");
        let (done, said) = system.set_up("build", &[]);
        assert!(!done && said.contains("apt-get could not install them"), "{said}");
        let system = system.with_apt_get("");
        let (done, said) = system.set_up("build", &[]);
        assert!(!done && said.contains("yet these are not found"), "{said}");
        assert!(system.log().contains(PACKAGES), "{}", system.log());
    }

    #[test]
    fn the_table_has_every_package() {
        let system = System::new("table").with("id", "echo 0").with("ldconfig", "").with_apt_get(INSTALLS);
        let (_, said) = system.set_up("everything", &[("XTASK_NO_INSTALL", "1"), ("VK_DRIVER_FILES", "/no/such.json")]);
        let (_, packages) = said.split_once("--no-install-recommends ").unwrap();
        let table = fs::read_to_string(workspace::root().join("docs/building.md")).unwrap();
        for package in packages.split_whitespace().chain(["valgrind"]) {
            assert!(table.contains(&format!("`{package}`")), "{package}");
        }
        assert!(packages.contains("mesa-vulkan-drivers") && packages.contains("libudev-dev"), "{packages}");
    }
}
