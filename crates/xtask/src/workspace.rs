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

    #[test]
    fn ancestors_end_at_the_path_itself() {
        assert_eq!(ancestor(Path::new("/a/b/c"), 2), Path::new("/a"));
        assert_eq!(ancestor(Path::new("a"), 5), Path::new("a"));
    }
}
