//! Installing by `apt-get`, where that may be done.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::Error;
use crate::process;

/// What this user may do to the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rights {
    /// Everything.
    Root,
    /// Everything, through `sudo` and without a password.
    Sudo,
    /// Nothing that we could do without asking.
    None,
}

impl Rights {
    /// Looks who we are.
    pub fn of_this_user() -> Self {
        let user = process::output_of(Command::new("id").arg("-u"));
        if user.is_some_and(|number| number.trim() == "0") {
            Self::Root
        } else if process::succeeds(Command::new("sudo").args(["-n", "true"])) {
            Self::Sudo
        } else {
            Self::None
        }
    }
}

/// Installs packages. The lists of packages are fetched only if there are none, or if they turn out
/// to be too old.
pub fn by_apt(packages: &[&str], rights: Rights) -> Result<(), Error> {
    let update = || process::run(&mut apt_get(rights, &["update"]));
    let arguments = [&["install", "-y", "--no-install-recommends"], packages].concat();
    let install = || process::run(&mut apt_get(rights, &arguments));
    if !has_lists(Path::new("/var/lib/apt/lists")) {
        update()?;
        return install();
    }
    install().or_else(|_| {
        println!("that failed; once more with fresh package lists");
        update()?;
        install()
    })
}

fn apt_get(rights: Rights, arguments: &[&str]) -> Command {
    let quiet = ["-q", "-o", "Dpkg::Use-Pty=0"];
    let patient = ["-o", "DPkg::Lock::Timeout=600", "-o", "Acquire::Retries=3"];
    let mut command = match rights {
        Rights::Sudo => {
            let mut sudo = Command::new("sudo");
            sudo.args(["-n", "env"]);
            sudo
        }
        Rights::Root | Rights::None => Command::new("env"),
    };
    command
        .args(["DEBIAN_FRONTEND=noninteractive", "apt-get"])
        .args(quiet)
        .args(patient)
        .args(arguments)
        .stdin(Stdio::null());
    command
}

/// Are there package lists? A fresh container has none.
fn has_lists(folder: &Path) -> bool {
    fs::read_dir(folder)
        .is_ok_and(|files| files.flatten().any(|file| file.file_name().to_string_lossy().contains("_Packages")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sudo_never_asks() {
        let line = process::line(&apt_get(Rights::Sudo, &["update"]));
        assert!(line.starts_with("sudo -n env DEBIAN_FRONTEND=noninteractive apt-get"), "{line}");
        assert!(line.ends_with(" update"), "{line}");
    }

    #[test]
    fn a_folder_that_is_not_there_has_no_lists() {
        assert!(!has_lists(Path::new("/no/such/folder")));
    }
}
