//! Where things are.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The root of the repository.
pub fn root() -> PathBuf {
    // Cargo says where the tool's manifest is now; where it was when the tool was built is the
    // second best answer.
    let manifest =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    ancestor(&manifest, 2)
}

/// The target directory, whatever chose it: the tool lies in `<target>/<profile>/`, its tests in `deps` there.
pub fn target() -> PathBuf {
    let of = |tool: PathBuf| {
        let is_test = tool.parent().is_some_and(|folder| folder.ends_with("deps"));
        ancestor(&tool, if is_test { 3 } else { 2 })
    };
    env::current_exe().map_or_else(|_| root().join("target"), of)
}

/// Where this tool keeps what it remembers, beside its own program.
pub fn state() -> PathBuf {
    target().join("xtask")
}

/// Where the logs of a command lie.
pub fn logs(command: &str) -> PathBuf {
    target().join(format!("{command}-logs"))
}

/// Reads what [`save`] wrote, or its default.
pub fn load<T: Default + DeserializeOwned>(file: &Path) -> T {
    fs::read(file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// Writes a value to a file.
pub fn save(file: &Path, value: &impl Serialize) -> Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    // A run that is ended meanwhile leaves the old file or the new one.
    let beside = file.with_extension("new");
    fs::write(&beside, serde_json::to_vec_pretty(value)?)?;
    Ok(fs::rename(beside, file)?)
}

fn ancestor(path: &Path, steps: usize) -> PathBuf {
    path.ancestors().nth(steps).unwrap_or(path).to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_holds_the_lock_file() {
        assert!(root().join("Cargo.lock").is_file());
    }

    /// The crate and the version of a line such as `avian3d = "0.8"` or `bevy = { version = "0.20.1", … }`.
    fn requirement(line: &str) -> Option<(&str, &str)> {
        let (name, rest) = line.trim_start_matches(['/', '!', ' ']).split_once(" = ")?;
        let version = rest.strip_prefix("{ version = ").unwrap_or(rest).strip_prefix('"')?.split('"').next()?;
        let is_version = version.starts_with(|first: char| first.is_ascii_digit());
        (is_version && name.starts_with(|first: char| first.is_ascii_lowercase())).then_some((name, version))
    }

    fn texts(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()) {
            let is_ours = !entry.file_name().is_some_and(|name| name == "target" || name == ".git");
            if entry.is_dir() && is_ours {
                texts(&entry, found);
            } else if entry.extension().is_some_and(|extension| extension == "md" || extension == "rs") {
                found.push(entry);
            }
        }
    }

    #[test]
    fn texts_name_the_versions_that_are_built() {
        let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
        let (mut files, mut count) = (Vec::new(), 0);
        texts(&root(), &mut files);
        for file in files.iter().filter(|file| !file.ends_with("CHANGELOG.md")) {
            let text = fs::read_to_string(file).unwrap();
            for (name, version) in text.lines().filter_map(requirement) {
                let own = manifest.lines().filter_map(requirement).find(|(own, _)| *own == name);
                let Some((_, own)) = own else { continue };
                assert!(own.starts_with(version), "{}: {name} {version} instead of {own}", file.display());
                count += 1;
            }
        }
        assert!(count > 4, "{count} versions are named");
    }

    #[test]
    fn ancestors_end_at_the_path_itself() {
        assert_eq!(ancestor(Path::new("/a/b/c"), 2), Path::new("/a"));
        assert_eq!(ancestor(Path::new("a"), 5), Path::new("a"));
    }
}
