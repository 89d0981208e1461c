//! Which Rust builds the workspace: the one that runs this tool, or another installed one where it is too old.

use std::fmt;
use std::process::{Command, ExitStatus};
use std::str::FromStr;
use std::sync::OnceLock;
use std::{env, fs};

use anyhow::{Context, Result, anyhow, bail};

use crate::{process, workspace};

/// Set for the tool that this tool starts with another toolchain.
const IS_OTHER: &str = "XTASK_IS_OTHER_TOOLCHAIN";

/// A version of Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version([u32; 3]);

/// A toolchain.
#[derive(Clone, Debug, PartialEq)]
struct Toolchain {
    name: String,
    version: Version,
    is_nightly: bool,
}

/// How the workspace can be built.
#[derive(Debug, PartialEq)]
enum Choice {
    /// With the toolchain that runs this tool.
    Own,
    /// With another one.
    Other(Toolchain),
}

/// Runs this tool again where the workspace needs another toolchain, and returns how that ended.
///
/// # Errors
/// If no toolchain can build the workspace; the error says what to type.
pub fn hand_over(install: bool) -> Result<Option<ExitStatus>> {
    // A toolchain is chosen once.
    if env::var_os(IS_OTHER).is_some() {
        return Ok(None);
    }
    let needed = needed()?;
    let own = own()?;
    // The others are asked only where that matters: each takes a moment.
    if own.builds(needed) {
        return Ok(None);
    }
    let choice = match choose(needed, &own, &installed()) {
        None if install => {
            eprintln!("{own} is too old: this workspace needs Rust {needed}. Installing the newest stable Rust.");
            let mut rustup = Command::new("rustup");
            // If that fails, it has said why; what to type is said below.
            let _ = process::run(rustup.args(["toolchain", "install", "stable", "--profile=default"]));
            choose(needed, &own, &installed())
        }
        choice => choice,
    };
    let other = match choice {
        Some(Choice::Own) => return Ok(None),
        Some(Choice::Other(other)) => other,
        None => bail!(
            "{own} is too old: this workspace needs Rust {needed}. Run: rustup toolchain install stable\n\
             Without rustup, install Rust {needed} or newer from your system's packages or https://rust-lang.org"
        ),
    };
    let kind =
        if other.is_nightly { "no stable toolchain is new enough, of the nightly ones" } else { "of the stable ones" };
    eprintln!("{own} is too old: this workspace needs Rust {needed}. Building with {other}: {kind} it is the newest.");
    let mut again = Command::new("rustup");
    again.args(["run", &other.name]).arg(env::current_exe()?).args(env::args_os().skip(1));
    // Cargo names its own program to the tools that it runs.
    again.env_remove("CARGO").env_remove("RUSTC").env(IS_OTHER, "1");
    let status = again.status().with_context(|| format!("could not start `{}`", process::line(&again)))?;
    Ok(Some(status))
}

/// Whether cargo refuses the toolchain for its version alone, which is a nightly one of the version that is needed.
pub fn ignores_rust_version() -> bool {
    static IGNORES: OnceLock<bool> = OnceLock::new();
    *IGNORES.get_or_init(|| needed().and_then(|needed| Ok(own()?.is_before(needed))).unwrap_or(false))
}

/// The newest stable toolchain that is new enough, or else the newest nightly one. A nightly toolchain has what the stable one of
/// the same minor version has, whatever its patch.
fn choose(needed: Version, own: &Toolchain, installed: &[Toolchain]) -> Option<Choice> {
    if own.builds(needed) {
        return Some(Choice::Own);
    }
    let newest = |is_nightly: bool| {
        let fit = installed.iter().filter(|it| it.is_nightly == is_nightly && it.builds(needed));
        fit.max_by_key(|it| it.version).cloned()
    };
    newest(false).or_else(|| newest(true)).map(Choice::Other)
}

impl Toolchain {
    fn builds(&self, needed: Version) -> bool {
        let Version([major, minor, _]) = needed;
        self.version >= if self.is_nightly { Version([major, minor, 0]) } else { needed }
    }

    fn is_before(&self, needed: Version) -> bool {
        self.version < needed
    }

    /// From what `rustc --version` prints, as `rustc 1.97.0-nightly (6d3cf8c5b 2026-05-19)`.
    fn parse(name: &str, printed: &str) -> Option<Self> {
        let number = printed.strip_prefix("rustc ")?.split_whitespace().next()?;
        let (number, channel) = number.split_once('-').unwrap_or((number, ""));
        Some(Self { name: name.to_owned(), version: number.parse().ok()?, is_nightly: !channel.is_empty() })
    }
}

impl FromStr for Version {
    type Err = anyhow::Error;

    /// Numbers between dots, of which the last may be missing.
    fn from_str(text: &str) -> Result<Self> {
        let mut version = [0; 3];
        let numbers: Vec<&str> = text.split('.').collect();
        if !(2..=3).contains(&numbers.len()) {
            bail!("{text:?} is no version of Rust");
        }
        for (part, number) in version.iter_mut().zip(numbers) {
            *part = number.parse().with_context(|| format!("{text:?} is no version of Rust"))?;
        }
        Ok(Self(version))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self([major, minor, patch]) = self;
        write!(f, "{major}.{minor}.{patch}")
    }
}

impl fmt::Display for Toolchain {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let nightly = if self.is_nightly { "-nightly" } else { "" };
        write!(f, "Rust {}{nightly} ({})", self.version, self.name)
    }
}

/// The version that the manifests promise.
fn needed() -> Result<Version> {
    let file = workspace::root().join("Cargo.toml");
    let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let line = text.lines().find_map(|line| line.strip_prefix("rust-version = "));
    line.context("Cargo.toml has no rust-version")?.trim_matches('"').parse()
}

/// The toolchain that runs this tool.
fn own() -> Result<Toolchain> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let printed = process::output(Command::new(rustc).arg("--version").current_dir(workspace::root()))?;
    let name = env::var("RUSTUP_TOOLCHAIN").unwrap_or_else(|_| "the one on the path".to_owned());
    Toolchain::parse(&name, &printed).ok_or_else(|| anyhow!("rustc says that it is {printed:?}"))
}

/// The toolchains that rustup has. There may be no rustup.
fn installed() -> Vec<Toolchain> {
    let print = |arguments: &[&str]| {
        let output = Command::new("rustup").args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let list = print(&["toolchain", "list"]).unwrap_or_default();
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    names.filter_map(|name| Toolchain::parse(name, &print(&["run", name, "rustc", "--version"])?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toolchain(printed: &str) -> Toolchain {
        Toolchain::parse(printed, &format!("rustc {printed} (6d3cf8c5b 2026-05-19)\n")).unwrap()
    }

    #[test]
    fn versions_are_read_and_compared_as_numbers() {
        let version = |text: &str| text.parse::<Version>().unwrap();
        assert_eq!(version("1.95"), Version([1, 95, 0]));
        assert!(version("1.100.0") > version("1.97.1"));
        assert!("1".parse::<Version>().is_err() && "1.x".parse::<Version>().is_err());
        assert!(Toolchain::parse("stable", "cargo 1.95.0").is_none());
        let nightly = toolchain("1.97.0-nightly");
        assert!(nightly.is_nightly && nightly.version == version("1.97"));
        assert_eq!(nightly.to_string(), "Rust 1.97.0-nightly (1.97.0-nightly)");
    }

    #[test]
    fn the_newest_stable_toolchain_is_chosen_and_else_a_nightly_one() {
        let needed = "1.97.1".parse().unwrap();
        let chosen = |own: &str, installed: &[&str]| {
            let installed: Vec<_> = installed.iter().map(|printed| toolchain(printed)).collect();
            match choose(needed, &toolchain(own), &installed) {
                None => "none".to_owned(),
                Some(Choice::Own) => "own".to_owned(),
                Some(Choice::Other(other)) => other.name,
            }
        };
        assert_eq!(chosen("1.97.1", &["1.99.0"]), "own");
        assert_eq!(chosen("1.98.0-nightly", &["1.99.0"]), "own");
        assert_eq!(chosen("1.95.0", &["1.95.0", "1.98.0", "1.97.1", "1.99.0-nightly"]), "1.98.0");
        // Older by its patch alone, and good enough.
        assert_eq!(chosen("1.95.0", &["1.95.0", "1.97.0", "1.97.0-nightly", "1.96.0-nightly"]), "1.97.0-nightly");
        assert_eq!(chosen("1.97.0-nightly", &[]), "own");
        assert!(toolchain("1.97.0-nightly").is_before(needed));
        assert_eq!(chosen("1.95.0", &["1.95.0", "1.97.0", "1.96.0-nightly"]), "none");
    }

    #[test]
    fn the_manifest_names_a_version() {
        assert!(needed().unwrap() >= Version([1, 95, 0]));
    }
}
