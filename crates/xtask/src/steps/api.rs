//! What is public, item by item, as the documentation lists it: a change of it is seen in review.
//!
//! `public-api.txt` beside a crate's manifest is compared with the pages that rustdoc wrote. With `UPDATE_API=1` it is
//! written anew.

use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};

use anyhow::{Context, Result, ensure};

use crate::workspace;

/// The crates that users depend on.
const CRATES: [&str; 5] = [
    "bevy_noise_terrain",
    "bevy_noise_terrain_avian",
    "bevy_noise_terrain_net",
    "bevy_noise_terrain_rapier",
    "terrain_noise",
];

/// What the pages name the parts of an item by.
const PARTS: [&str; 5] = ["associatedconstant.", "method.", "structfield.", "tymethod.", "variant."];

/// Takes away what rustdoc wrote before: it leaves the pages of items that are gone.
pub fn forget() -> Result<()> {
    for name in CRATES {
        super::empty(&workspace::target().join("doc").join(name))?;
    }
    Ok(())
}

/// Compares the lists of all crates.
pub fn check() -> Result<()> {
    for name in CRATES {
        let mut items = BTreeSet::new();
        collect(&workspace::target().join("doc").join(name), name, &mut items)?;
        ensure!(items.len() > 3, "rustdoc's pages of {name} list only {} items", items.len());
        let found = items.into_iter().map(|item| item + "\n").collect::<String>();
        let file = workspace::root().join("crates").join(name).join("public-api.txt");
        if env::var_os("UPDATE_API").is_some() {
            fs::write(&file, &found).with_context(|| file.display().to_string())?;
        }
        let known = fs::read_to_string(&file).unwrap_or_default();
        let (new, gone) = (missing(&found, &known), missing(&known, &found));
        ensure!(
            new.is_empty() && gone.is_empty(),
            "what {name} makes public has changed; if it was meant to, run UPDATE_API=1 cargo xtask check --only doc\n\
             new: {}\ngone: {}",
            listed(&new),
            listed(&gone)
        );
    }
    Ok(())
}

/// The first ones, and how many more there are.
fn listed(items: &[&str]) -> String {
    const MOST: usize = 40;
    let mut list = items.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    if items.len() > MOST {
        list += &format!(", and {} more", items.len() - MOST);
    }
    list
}

/// The lines of `a` that `b` lacks.
fn missing<'a>(a: &'a str, b: &str) -> Vec<&'a str> {
    let b: BTreeSet<_> = b.lines().collect();
    a.lines().filter(|line| !b.contains(line)).collect()
}

/// The items of a module's folder of pages, and of the modules in it.
fn collect(folder: &Path, path: &str, items: &mut BTreeSet<String>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?.path();
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if entry.is_dir() {
            // A crate that another one re-exports has a list of its own. Modules that are not public have pages that only lead
            // elsewhere.
            let is_crate = CRATES.contains(&name.as_str());
            if !is_crate && fs::read_to_string(entry.join("index.html")).is_ok_and(|page| !leads_elsewhere(&page)) {
                items.insert(format!("mod {path}::{name}"));
                collect(&entry, &format!("{path}::{name}"), items)?;
            }
        } else if let [kind, name, "html"] = name.split('.').collect::<Vec<_>>()[..] {
            let page = fs::read_to_string(&entry)?;
            if !leads_elsewhere(&page) {
                items.insert(format!("{kind} {path}::{name}"));
                items.extend(parts(&page).map(|part| format!("{path}::{name}::{part}")));
            }
        }
    }
    Ok(())
}

fn leads_elsewhere(page: &str) -> bool {
    page.contains("http-equiv=\"refresh\"")
}

/// Fields, variants and methods of an item, without those of traits that it implements.
fn parts(page: &str) -> impl Iterator<Item = &str> {
    let own = page.split("id=\"trait-implementations\"").next().unwrap_or_default();
    let own = own.split("id=\"implementors\"").next().unwrap_or_default();
    let ids = own.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next());
    // Methods that come by `Deref` are another type's.
    ids.filter_map(|id| PARTS.iter().find_map(|part| id.strip_prefix(part))).filter(|name| !name.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_an_items_own() {
        let page = r#"<a id="x"></a><span id="structfield.path" class="f"></span><section id="method.new" class="m">
            <h2 id="trait-implementations"><section id="method.clone" class="m">"#;
        assert_eq!(parts(page).collect::<Vec<_>>(), ["path", "new"]);
    }

    #[test]
    fn a_change_is_told_both_ways() {
        assert_eq!(missing("a\nb\n", "b\nc\n"), ["a"]);
        assert_eq!(missing("b\nc\n", "a\nb\n"), ["c"]);
    }
}
