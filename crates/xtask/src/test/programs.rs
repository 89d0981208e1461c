//! The programs of tests: by the manifests, and as cargo built them.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::cargo::messages::Artifact;
use crate::cargo::metadata::{Package, Target};

/// A program of tests that a manifest declares.
pub struct Declared {
    /// Its package and its target; the unit tests of a library are `lib`.
    pub name: String,
    /// Its package.
    package: Package,
    /// Its target.
    target: Target,
}

/// A program of tests.
pub struct Program {
    /// As [`Declared::name`].
    pub name: String,
    /// Its package.
    pub package: Package,
    /// The name of its target.
    pub target: String,
    /// Where it lies.
    pub executable: PathBuf,
}

/// All programs of tests of these packages.
pub fn declared(packages: &[Package]) -> Vec<Declared> {
    let of_package = |package: &Package| {
        let targets = package.targets.iter().filter(|target| target.test);
        let declare = |target: &Target| {
            let short = if is(target, "lib") { "lib" } else { &target.name };
            let name = format!("{} {short}", package.name);
            Declared { name, package: package.clone(), target: target.clone() }
        };
        targets.map(declare).collect::<Vec<_>>()
    };
    packages.iter().flat_map(of_package).collect()
}

/// Those of these names, which may be of a package, of a target, or of both; all, if there are no names. `other` is a
/// name as well.
pub fn choose(declared: Vec<Declared>, names: &[String], other: &str) -> Result<Vec<Declared>> {
    let fits = |declared: &Declared, name: &String| {
        [&declared.name, &declared.package.name, &declared.target.name].contains(&name)
    };
    for name in names.iter().filter(|name| *name != other) {
        let list = || declared.iter().map(|declared| declared.name.as_str()).collect::<Vec<_>>().join("\n");
        ensure!(
            declared.iter().any(|it| fits(it, name)),
            "no program of tests is called {name}; there are\n{}",
            list()
        );
    }
    let is_chosen = |declared: &Declared| names.is_empty() || names.iter().any(|name| fits(declared, name));
    Ok(declared.into_iter().filter(is_chosen).collect())
}

/// What cargo is to build. `--tests` are all programs of tests, but not the examples that have no tests.
pub fn selection(declared: &[Declared]) -> Vec<String> {
    let is_alone = |declared: &Declared| is(&declared.target, "test");
    if declared.len() < 4 && declared.iter().all(is_alone) {
        return declared.iter().map(|declared| format!("--test={}", declared.target.name)).collect();
    }
    vec!["--tests".to_owned()]
}

/// The programs that were built. Each that is declared must be there.
pub fn built(declared: &[Declared], artifacts: &[Artifact]) -> Result<Vec<Program>> {
    let find = |Declared { name, package, target }: &Declared| {
        let is_it = |artifact: &&Artifact| {
            artifact.profile.test
                && artifact.manifest_path == package.manifest_path
                && artifact.target.src_path == target.src_path
                && artifact.target.name == target.name
        };
        let executable = artifacts.iter().filter(is_it).find_map(|artifact| artifact.executable.clone());
        let executable = executable.with_context(|| format!("cargo built no program of tests for `{name}`"))?;
        Ok(Program { name: name.clone(), package: package.clone(), target: target.name.clone(), executable })
    };
    declared.iter().map(find).collect()
}

fn is(target: &Target, kind: &str) -> bool {
    target.kind.iter().any(|known| known == kind)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::cargo::messages;
    use crate::cargo::metadata;
    use crate::workspace;

    fn package(name: &str, targets: &[(&str, &str, bool)]) -> Package {
        let targets = targets.iter().map(|(kind, name, test)| Target {
            name: (*name).to_owned(),
            kind: vec![(*kind).to_owned()],
            src_path: format!("/{kind}/{name}.rs").into(),
            test: *test,
            doctest: *kind == "lib",
        });
        let manifest_path = format!("/{name}/Cargo.toml").into();
        Package { name: name.into(), version: "0.1.0".into(), manifest_path, targets: targets.collect() }
    }

    fn land() -> Vec<Package> {
        vec![package("land", &[("lib", "land", true), ("test", "drawn", true), ("example", "fly", false)])]
    }

    fn names(declared: &[Declared]) -> Vec<&str> {
        declared.iter().map(|declared| declared.name.as_str()).collect()
    }

    #[test]
    fn programs_are_chosen_by_package_or_target() {
        let choose = |names: &[&str]| {
            let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
            choose(declared(&land()), &names, "documentation")
        };
        assert_eq!(names(&choose(&[]).unwrap()), ["land lib", "land drawn"]);
        assert_eq!(names(&choose(&["drawn"]).unwrap()), ["land drawn"]);
        assert_eq!(selection(&choose(&["drawn"]).unwrap()), ["--test=drawn"]);
        assert_eq!(selection(&choose(&["land"]).unwrap()), ["--tests"]);
        assert_eq!(names(&choose(&["documentation"]).unwrap()), [""; 0]);
        assert!(choose(&["fly"]).err().unwrap().to_string().contains("land drawn"));
    }

    #[test]
    fn a_declared_program_that_was_not_built_is_an_error() {
        let artifact = |name: &str, kind: &str| {
            messages::artifact(&format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"/land/Cargo.toml","target":{{"name":"{name}","src_path":"/{kind}/{name}.rs"}},"profile":{{"test":true}},"filenames":[],"executable":"/t/{name}"}}"#
            ))
            .unwrap()
        };
        let declared = declared(&land());
        let both = built(&declared, &[artifact("drawn", "test"), artifact("land", "lib")]).unwrap();
        assert_eq!(
            both.iter().map(|it| it.executable.as_path()).collect::<Vec<_>>(),
            ["/t/land", "/t/drawn"].map(Path::new)
        );
        let error = built(&declared, &[artifact("land", "lib")]).err().unwrap().to_string();
        assert!(error.contains("land drawn"), "{error}");
    }

    /// The source files of a target: its own, or all below its folder.
    fn has_tests(target: &Target) -> bool {
        let is_whole_folder = ["main.rs", "lib.rs"].iter().any(|name| target.src_path.ends_with(name));
        let files = match target.src_path.parent() {
            Some(folder) if is_whole_folder => sources(folder),
            _ => vec![target.src_path.clone()],
        };
        files.iter().any(|file| fs::read_to_string(file).unwrap().lines().any(|line| line.trim() == "#[test]"))
    }

    fn sources(folder: &Path) -> Vec<PathBuf> {
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        // Programs below a target's folder are targets of their own.
        let paths = paths.filter(|path| !path.ends_with("src/bin") && !path.ends_with("tests"));
        let of_path = |path: PathBuf| match path.is_dir() {
            true => sources(&path),
            false if path.extension().is_some_and(|extension| extension == "rs") => vec![path],
            false => vec![],
        };
        paths.flat_map(of_path).collect()
    }

    #[test]
    fn no_target_with_tests_is_left_out() {
        let packages = metadata::packages(&workspace::root()).unwrap();
        assert!(packages.len() > 5);
        let run = declared(&packages);
        assert_eq!(selection(&run), ["--tests"], "all that the manifests do not leave out");
        let mut tests = 0;
        for package in &packages {
            for target in &package.targets {
                let is_run =
                    run.iter().any(|it| it.package.name == package.name && it.target.src_path == target.src_path);
                let is_for_tests = is(target, "test") || has_tests(target);
                assert!(is_run || !is_for_tests, "{} {} has tests, and `test = false`", package.name, target.name);
                tests += usize::from(is_for_tests);
            }
        }
        assert!(tests > 10, "only {tests} targets have tests");
    }
}
