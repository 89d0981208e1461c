//! The system's package manager and the line that installs a thing.

use super::install::Rights;
use super::need::Need;
use super::probe::System;

/// A package manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manager {
    /// Debian, Ubuntu and their kin.
    Apt,
    /// Fedora and its kin.
    Dnf,
    /// Arch and its kin.
    Pacman,
    /// openSUSE.
    Zypper,
    /// Something else.
    Unknown,
}

impl Manager {
    /// The one this system has.
    pub fn of_this_system() -> Self {
        let system = System::of_this_process();
        [(Self::Apt, "apt-get"), (Self::Dnf, "dnf"), (Self::Pacman, "pacman"), (Self::Zypper, "zypper")]
            .into_iter()
            .find_map(|(manager, program)| system.has_program(program).then_some(manager))
            .unwrap_or(Self::Unknown)
    }

    /// The packages that bring `needs`.
    pub fn packages(self, needs: &[Need]) -> Vec<&'static str> {
        let packages = needs.iter().flat_map(|need| need.packages(self));
        packages.copied().collect()
    }

    /// What to do: the exact line to run, where we know the manager.
    pub fn remedy(self, needs: &[Need], rights: Rights) -> String {
        let sudo = if rights == Rights::Root { "" } else { "sudo " };
        let packages = self.packages(needs).join(" ");
        match self {
            Self::Apt => {
                format!("Run: {sudo}apt-get update && {sudo}apt-get install --no-install-recommends {packages}")
            }
            Self::Dnf => format!("Run: {sudo}dnf install {packages}"),
            Self::Pacman => format!("Run: {sudo}pacman -S --needed {packages}"),
            Self::Zypper => format!("Run: {sudo}zypper install {packages}"),
            Self::Unknown => format!("Install them with your system's package manager; Debian calls them: {packages}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_what_one_would_type() {
        let needs = [Need::PkgConfig, Need::Wayland];
        assert_eq!(
            Manager::Apt.remedy(&needs, Rights::None),
            "Run: sudo apt-get update && \
             sudo apt-get install --no-install-recommends pkg-config libwayland-dev"
        );
        assert_eq!(Manager::Dnf.remedy(&needs, Rights::None), "Run: sudo dnf install pkgconf-pkg-config wayland-devel");
        assert_eq!(Manager::Pacman.remedy(&needs, Rights::Root), "Run: pacman -S --needed pkgconf wayland");
    }

    #[test]
    fn every_need_has_a_package_everywhere() {
        let managers = [Manager::Apt, Manager::Dnf, Manager::Pacman, Manager::Zypper];
        for need in [Need::BUILD, Need::WINDOW].concat() {
            for manager in managers {
                assert!(!need.packages(manager).is_empty(), "{need:?} {manager:?}");
            }
        }
    }
}
