//! Reading and writing a noise as a file.
//!
//! A file is a version and a tree. RON is the format of choice, [`NoiseFile`] fits any other that
//! serde knows:
//!
//! ```
//! use terrain_noise::{NoiseFile, prelude::*};
//!
//! let noise = from_ron(
//!     r#"(
//!         version: 1,
//!         noise: Affine(
//!             factor: 300.0,
//!             offset: 20.0,
//!             source: Fractal(kind: RidgedMultifractal, octaves: 9, feature_size: 1800.0),
//!         ),
//!     )"#,
//! )?;
//! assert_eq!(from_ron(&to_ron(&noise))?, noise);
//!
//! let json = serde_json::to_string(&NoiseFile::new(noise.clone())).unwrap();
//! assert_eq!(serde_json::from_str::<NoiseFile>(&json).unwrap().noise, noise);
//!
//! let error = from_ron("(version: 1, noise: Fractal(octaves: eight))").unwrap_err();
//! assert!(error.to_string().starts_with("noise.octaves, line 1, column 38: "), "{error}");
//! # Ok::<(), FileError>(())
//! ```

use ron::Options;
use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use serde::de::{self, DeserializeOwned};
use serde::{Deserialize, Deserializer, Serialize};
use serde_path_to_error::Segment;

use crate::error::NoiseError;
use crate::noise::{MAX_DEPTH, Noise};

/// The version that is written.
const VERSION: u32 = 1;

/// A noise with the version of the format it is written in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoiseFile {
    /// The version of the format. Comes first, so that a file of a later version is refused for
    /// that, not for what is new in it.
    #[serde(deserialize_with = "known_version")]
    version: u32,
    /// The noise.
    pub noise: Noise,
}

impl NoiseFile {
    /// A file of the present version.
    #[must_use]
    pub fn new(noise: Noise) -> Self {
        Self { version: VERSION, noise }
    }
}

fn known_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    // Version 1 is the first: there is nothing older to bring up to date yet.
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        other => Err(de::Error::custom(format_args!("found version {other}, allowed is {VERSION}"))),
    }
}

/// A file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// Not a noise in the right form.
    #[error("{path}, line {line}, column {column}: {message}")]
    Form {
        /// The way to what was being read.
        path: String,
        /// The line where reading stopped, from 1.
        line: usize,
        /// The column where reading stopped, from 1.
        column: usize,
        /// What was found, and what is allowed.
        message: String,
    },
    /// A noise, with a value that is not allowed.
    #[error("noise.{0}")]
    Value(#[from] NoiseError),
}

fn options() -> Options {
    // A node is up to six levels of the text deep, in a value of a few more; a deeper text is refused here.
    let extensions = Extensions::UNWRAP_VARIANT_NEWTYPES | Extensions::IMPLICIT_SOME;
    Options::default().with_default_extension(extensions).with_recursion_limit(6 * MAX_DEPTH + 8)
}

/// The way to a field as validation tells it: fields, without the names of nodes.
fn field_path(path: &serde_path_to_error::Path) -> String {
    let fields = path.iter().filter_map(|segment| match segment {
        Segment::Map { key } => Some(key.clone()),
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Enum { .. } | Segment::Unknown => None,
    });
    fields.collect::<Vec<_>>().join(".")
}

/// What stands at a place, up to the next punctuation, to be shown after a message.
fn found(text: &str, at: ron::error::Position) -> String {
    let line = text.lines().nth(at.line.saturating_sub(1)).unwrap_or_default();
    let rest: String = line.chars().skip(at.col.saturating_sub(1)).collect();
    let word: String = rest.split([',', ')', '(']).next().unwrap_or_default().chars().take(32).collect();
    if word.trim().is_empty() { String::new() } else { format!(", at `{}`", word.trim()) }
}

/// Reads any value from RON, in the dialect of [`from_ron`]: for a program whose own settings hold a noise.
///
/// # Errors
/// [`FileError::Form`]: the path, the place and the reason.
pub fn read_ron<T: DeserializeOwned>(text: &str) -> Result<T, FileError> {
    let form = |path: String, error: ron::Error, span: ron::error::Position| FileError::Form {
        path: if path.is_empty() { "file".to_owned() } else { path },
        line: span.line,
        column: span.col,
        message: format!("{error}{}", found(text, span)),
    };
    let mut deserializer = ron::Deserializer::from_str_with_options(text, &options())
        .map_err(|error| form(String::new(), error.code, error.span.end))?;
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = field_path(error.path());
        let spanned = deserializer.span_error(error.into_inner());
        form(path, spanned.code, spanned.span.end)
    })?;
    deserializer.end().map_err(|error| {
        let spanned = deserializer.span_error(error);
        form(String::new(), spanned.code, spanned.span.end)
    })?;
    Ok(value)
}

/// Writes any value as RON that [`read_ron`] reads.
///
/// # Errors
/// What of the value cannot be written as RON, in words.
pub fn write_ron<T: Serialize>(value: &T) -> Result<String, String> {
    let config = PrettyConfig::new().struct_names(false).indentor("    ");
    options().to_string_pretty(value, config).map_err(|error| error.to_string())
}

/// Reads and validates a noise from RON.
///
/// # Errors
/// The path, the place and the reason, if the text is not a noise or has a value that is not allowed.
pub fn from_ron(text: &str) -> Result<Noise, FileError> {
    let file: NoiseFile = read_ron(text)?;
    file.noise.validate()?;
    Ok(file.noise)
}

/// Writes a noise as RON, with every field.
#[must_use]
pub fn to_ron(noise: &Noise) -> String {
    // Numbers, names and nested structures: nothing here that RON cannot write.
    write_ron(&NoiseFile::new(noise.clone())).unwrap_or_default()
}
