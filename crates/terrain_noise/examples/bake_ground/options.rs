//! The command line.

use std::path::PathBuf;

use crate::{Failure, LAYERS};

/// The options.
#[derive(Debug, Default)]
pub struct Options {
    /// The folder of the pictures.
    pub assets: PathBuf,
    /// Where previews go.
    pub look: Option<PathBuf>,
    /// Compare instead of write.
    pub check: bool,
    /// Layers; none means all.
    wanted: Vec<String>,
}

impl Options {
    /// Reads the arguments after the program's name.
    pub fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let mut options = Self::default();
        let mut target = None;
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--check" => options.check = true,
                "--look" => options.look = Some(arguments.next().ok_or("--look needs a folder")?.into()),
                flag if flag.starts_with("--") => return Err(format!("there is no option {flag}").into()),
                _ if target.is_none() => target = Some(PathBuf::from(argument)),
                name if names().any(|known| known == name) => options.wanted.push(argument),
                name => {
                    let known: Vec<_> = names().collect();
                    return Err(format!("there is no layer {name}; there are {}", known.join(", ")).into());
                }
            }
        }
        options.assets = target.ok_or("the folder of the crate is missing: bake_ground <crate> [layer ...]")?;
        options.assets.push("assets");
        Ok(options)
    }

    /// Whether a layer was asked for.
    pub fn wants(&self, name: &str) -> bool {
        self.wanted.is_empty() || self.wanted.iter().any(|wanted| wanted == name)
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    LAYERS.iter().map(|layer| layer.name)
}
