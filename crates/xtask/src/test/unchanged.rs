//! What passed before and cannot have changed since, as Go's test cache knows it.
//!
//! Cargo leaves a program alone that it need not build again. So it is the same if its size and time are, and it finds
//! the same if the files it may read are the same as well: all of the repository but Rust's own and documents. Programs
//! of this package read those, too.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::UNIX_EPOCH;
use std::{env, fs, thread};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::programs::Program;
use crate::cargo::messages::Artifact;
use crate::cargo::metadata::Package;
use crate::workspace;

/// How the names of variables begin that may change what tests do.
const VARIABLES: [&str; 8] = ["LP_", "PROPTEST_", "RUST_", "TERRAIN_", "UPDATE_", "VK_", "WGPU_", "WINIT_"];

/// What a program was made of, and what it could read.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Stamp {
    /// Paths, sizes, and nanoseconds since 1970.
    files: Vec<(PathBuf, u64, u64)>,
    around: u64,
}

/// What passed, in a file of the target directory.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Memory {
    passed: BTreeMap<String, Stamp>,
}

impl Memory {
    /// That of this target directory.
    pub fn load() -> Self {
        workspace::load(&file())
    }

    /// Has it passed as it is now?
    pub fn has_passed(&self, name: &str, stamp: &Stamp) -> bool {
        self.passed.get(name) == Some(stamp)
    }

    /// It passed.
    pub fn keep(&mut self, name: &str, stamp: &Stamp) -> Result<()> {
        self.passed.insert(name.to_owned(), stamp.clone());
        workspace::save(&file(), self)
    }

    /// It failed.
    pub fn forget(&mut self, name: &str) -> Result<()> {
        self.passed.remove(name);
        workspace::save(&file(), self)
    }
}

fn file() -> PathBuf {
    workspace::state().join("passed.json")
}

/// Hashes of what programs may read.
pub struct Around {
    /// Files that are neither code nor documents.
    data: u64,
    /// Those and documents.
    documents: u64,
    /// All files.
    all: u64,
}

impl Around {
    /// Looks at a repository. Without git there is nothing to be seen.
    pub fn look(root: &Path) -> Option<Self> {
        let [data, documents, all] = [&["md", "rs"][..], &["rs"], &[]].map(|unread| around(root, unread).ok());
        Some(Self { data: data?, documents: documents?, all: all? })
    }

    /// The stamp of a program.
    pub fn program(&self, program: &Program) -> Option<Stamp> {
        let is_ours = program.package.name == env!("CARGO_PKG_NAME");
        stamp([&program.executable].into_iter(), if is_ours { self.all } else { self.data })
    }

    /// The stamp of the tests in the documentation: of all libraries, where all were built.
    pub fn documentation(&self, packages: &[Package], artifacts: &[Artifact]) -> Option<Stamp> {
        let libraries = packages.iter().flat_map(|package| &package.targets).filter(|target| target.doctest);
        let files = |path: &PathBuf| {
            let is_it = |artifact: &&Artifact| artifact.target.src_path == *path && !artifact.profile.test;
            artifacts.iter().find(is_it).map(|artifact| &artifact.filenames)
        };
        let files = libraries.map(|library| files(&library.src_path)).collect::<Option<Vec<_>>>()?;
        stamp(files.into_iter().flatten(), self.documents)
    }
}

fn stamp<'a>(files: impl Iterator<Item = &'a PathBuf>, around: u64) -> Option<Stamp> {
    let of_file = |path: &PathBuf| {
        let data = fs::metadata(path).ok()?;
        let time = data.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some((path.clone(), data.len(), u64::try_from(time.as_nanos()).ok()?))
    };
    Some(Stamp { files: files.map(of_file).collect::<Option<_>>()?, around })
}

/// A hash of the variables and of the files of the repository that a program may read. Those with an extension of
/// `unread` it does not.
fn around(root: &Path, unread: &[&str]) -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    let variables = env::vars_os().filter(|(name, _)| {
        let name = name.to_string_lossy();
        VARIABLES.iter().any(|start| name.starts_with(start))
    });
    variables.collect::<BTreeMap<_, _>>().hash(&mut hasher);
    let list = git(root, &["ls-files", "-co", "--exclude-standard", "-z"], "")?;
    let is_read = |name: &&str| {
        let path = Path::new(name);
        let extension = path.extension().unwrap_or_default();
        !unread.iter().any(|unread| extension == *unread) && root.join(path).is_file()
    };
    let mut files: Vec<&str> = list.split('\0').filter(|name| !name.is_empty()).filter(is_read).collect();
    files.sort_unstable();
    files.hash(&mut hasher);
    git(root, &["hash-object", "--no-filters", "--stdin-paths"], &files.join("\n"))?.hash(&mut hasher);
    Ok(hasher.finish())
}

/// What git says, given this input.
fn git(root: &Path, arguments: &[&str], input: &str) -> Result<String> {
    let mut command = Command::new("git");
    command.args(arguments).current_dir(root).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut git = command.spawn().context("could not start `git`")?;
    let pipe = git.stdin.take();
    let output = thread::scope(|scope| {
        scope.spawn(|| pipe.map(|mut pipe| pipe.write_all(input.as_bytes())));
        git.wait_with_output()
    })?;
    ensure!(output.status.success(), "git failed");
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A repository with these files.
    fn repository(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let root = env::temp_dir().join(format!("xtask-unchanged-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).unwrap();
        git(&root, &["init", "--quiet"], "").unwrap();
        for (file, text) in files {
            fs::write(root.join(file), text).unwrap();
        }
        root
    }

    #[test]
    fn data_counts_and_code_and_documents_do_not() {
        let root = repository("data", &[(".gitignore", "target\n"), ("a.png", "1"), ("b.md", "1"), ("c.rs", "1")]);
        let look = || around(&root, &["md", "rs"]).unwrap();
        let before = look();
        for file in ["b.md", "c.rs", "target"] {
            fs::write(root.join(file), "2").unwrap();
            assert_eq!(look(), before, "{file}");
        }
        fs::write(root.join("a.png"), "2").unwrap();
        let changed = look();
        assert_ne!(changed, before);
        fs::write(root.join("new one.ron"), "").unwrap();
        assert_ne!(look(), changed);
        fs::remove_file(root.join("new one.ron")).unwrap();
        assert_eq!(look(), changed);
        assert_ne!(around(&root, &["rs"]).unwrap(), changed);
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_program_that_was_built_again_is_another() {
        let root = repository("program", &[("program", "1")]);
        let program = root.join("program");
        let look = || stamp([&program].into_iter(), 7).unwrap();
        let mut memory = Memory::default();
        memory.passed.insert("it".into(), look());
        assert!(memory.has_passed("it", &look()) && !memory.has_passed("other", &look()));
        fs::write(&program, "22").unwrap();
        assert!(!memory.has_passed("it", &look()));
        assert!(stamp([&root.join("gone")].into_iter(), 7).is_none());
        fs::remove_dir_all(root).unwrap();
    }
}
