//! Where things are.

use std::env;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    // Cargo says where the tool's manifest is now; where it was when the tool was built is the
    // second best answer.
    let manifest =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    ancestor(&manifest, 2)
}

/// The target directory, whatever chose it: the tool lies in `<target>/<profile>/`.
pub fn target() -> PathBuf {
    env::current_exe().map_or_else(|_| root().join("target"), |tool| ancestor(&tool, 2))
}

/// Says how long it will take, where nothing has been built yet.
pub fn announce_first_build() {
    if !target().join("debug").join(".fingerprint").is_dir() {
        println!("First build: Bevy is built from source, which takes 5 to 20 minutes, once.");
    }
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
