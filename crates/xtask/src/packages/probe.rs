//! Is a thing there?

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process;

/// Where this process would find things.
#[derive(Debug)]
pub struct System {
    /// Folders of programs.
    programs: Vec<PathBuf>,
    /// Folders of shared libraries, beside those the linker's cache knows.
    libraries: Vec<PathBuf>,
    /// What `ldconfig -p` prints.
    library_cache: String,
    /// Vulkan driver manifests, or folders of them.
    drivers: Vec<PathBuf>,
    /// The program called `pkg-config`.
    pkg_config: OsString,
}

impl System {
    /// Reads the environment.
    pub fn of_this_process() -> Self {
        let arch = env::consts::ARCH;
        let mut libraries = folders("LD_LIBRARY_PATH");
        libraries.extend(["/usr/local/lib", "/usr/lib64", "/usr/lib", "/lib64", "/lib"].map(PathBuf::from));
        libraries.push(format!("/usr/lib/{arch}-linux-gnu").into());
        libraries.push(format!("/lib/{arch}-linux-gnu").into());
        let mut programs = folders("PATH");
        // `ldconfig` and `Xvfb` can lie where a plain user's path does not lead.
        programs.extend(["/usr/sbin", "/sbin", "/usr/bin"].map(PathBuf::from));
        let mut system = Self {
            programs,
            libraries,
            library_cache: String::new(),
            drivers: driver_places(&|name| env::var_os(name)),
            pkg_config: env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into()),
        };
        if let Some(ldconfig) = system.program("ldconfig") {
            system.library_cache = process::output_of(Command::new(ldconfig).arg("-p")).unwrap_or_default();
        }
        system
    }

    /// Is there a program of this name?
    pub fn has_program(&self, name: &str) -> bool {
        self.program(name).is_some()
    }

    /// Is there a shared library of this file name?
    pub fn has_library(&self, name: &str) -> bool {
        let cached = |line: &str| line.split_whitespace().next() == Some(name);
        self.library_cache.lines().any(cached) || self.libraries.iter().any(|folder| folder.join(name).exists())
    }

    /// Is there a manifest of a Vulkan driver? Whether the driver works, only the program knows.
    pub fn has_vulkan_driver(&self) -> bool {
        self.drivers.iter().any(|place| {
            let in_folder = |mut files: fs::ReadDir| files.any(|file| file.is_ok_and(is_manifest));
            place.is_file() || fs::read_dir(place).is_ok_and(in_folder)
        })
    }

    /// Is there `pkg-config`?
    pub fn has_pkg_config(&self) -> bool {
        process::succeeds(Command::new(&self.pkg_config).arg("--version"))
    }

    /// Does `pkg-config` know this library?
    pub fn pkg_config_knows(&self, library: &str) -> bool {
        process::succeeds(Command::new(&self.pkg_config).args(["--exists", library]))
    }

    fn program(&self, name: &str) -> Option<PathBuf> {
        let places = self.programs.iter().map(|folder| folder.join(name));
        places.into_iter().find(|place| place.is_file())
    }
}

/// Where the Vulkan loader looks for drivers: files named by a variable, which then count alone, or
/// folders.
fn driver_places(variable: &dyn Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let split = |value: OsString| env::split_paths(&value).collect::<Vec<_>>();
    let named = variable("VK_DRIVER_FILES").or_else(|| variable("VK_ICD_FILENAMES"));
    if let Some(files) = named.filter(|files| !files.is_empty()) {
        return split(files);
    }
    let mut roots: Vec<PathBuf> = ["/etc", "/usr/local/etc", "/usr/local/share", "/usr/share"]
        .into_iter()
        .chain(["/etc/xdg", "/run/opengl-driver/share"])
        .map(PathBuf::from)
        .collect();
    for name in ["XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CONFIG_DIRS"] {
        roots.extend(variable(name).map(split).unwrap_or_default());
    }
    if let Some(home) = variable("HOME") {
        roots.push(Path::new(&home).join(".local/share"));
    }
    let mut places: Vec<_> = roots.iter().map(|root| root.join("vulkan/icd.d")).collect();
    places.extend(variable("VK_ADD_DRIVER_FILES").map(split).unwrap_or_default());
    places
}

fn is_manifest(file: fs::DirEntry) -> bool {
    file.path().extension() == Some(OsStr::new("json"))
}

fn folders(variable: &str) -> Vec<PathBuf> {
    let value = env::var_os(variable).unwrap_or_default();
    env::split_paths(&value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bare() -> System {
        System {
            programs: Vec::new(),
            libraries: Vec::new(),
            library_cache: String::new(),
            drivers: Vec::new(),
            pkg_config: "no-such-pkg-config".into(),
        }
    }

    #[test]
    fn a_bare_system_has_nothing() {
        let system = bare();
        assert!(!system.has_program("cc"));
        assert!(!system.has_library("libvulkan.so.1"));
        assert!(!system.has_vulkan_driver());
        assert!(!system.has_pkg_config());
        assert!(!system.pkg_config_knows("wayland-client"));
    }

    #[test]
    fn the_linker_cache_is_read_by_whole_names() {
        let mut system = bare();
        system.library_cache = "12 libs found in cache\n\
            \tlibvulkan.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/libvulkan.so.1\n"
            .to_owned();
        assert!(system.has_library("libvulkan.so.1"));
        assert!(!system.has_library("libvulkan.so"));
    }

    #[test]
    fn files_named_by_a_variable_count_alone() {
        let named = |name: &str| (name == "VK_ICD_FILENAMES").then(|| OsString::from("/a.json"));
        assert_eq!(driver_places(&named), [Path::new("/a.json")]);
        let usual = driver_places(&|_| None);
        assert!(usual.contains(&PathBuf::from("/usr/share/vulkan/icd.d")));
    }
}
