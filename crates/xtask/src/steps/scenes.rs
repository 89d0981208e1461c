//! The step `scenes`: the ignored ones of the drawn tests, which compare every scene with an approved picture and measure a random
//! view of every world. They take as long as most others together.

use anyhow::{Result, ensure};

use super::drawn;
use crate::job::Job;

/// Draws and compares.
pub fn check(job: &Job) -> Result<()> {
    // One at a time: beside another test one scene differed by a little more than is allowed, once.
    let passed = drawn::run(job, &drawn::program(job)?, &["--ignored", "--test-threads=1"])?;
    ensure!(passed > 0, "no drawn test is ignored");
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use crate::workspace;

    /// The files below a folder that have ignored tests.
    fn with_ignored_tests(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                with_ignored_tests(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && fs::read_to_string(&path).unwrap().lines().any(|line| line.trim_start().starts_with("#[ignore"))
            {
                found.push(path.strip_prefix(workspace::root()).unwrap().to_string_lossy().into_owned());
            }
        }
    }

    #[test]
    fn no_other_test_is_ignored() {
        let mut found = Vec::new();
        for folder in ["crates", "examples"] {
            with_ignored_tests(&workspace::root().join(folder), &mut found);
        }
        found.sort();
        // The second one is a program that a test starts and kills.
        let drawn = "examples/drawn/tests/drawn/scene_pictures.rs";
        assert_eq!(found, ["crates/bevy_noise_terrain_land/tests/saves.rs", drawn]);
    }
}
