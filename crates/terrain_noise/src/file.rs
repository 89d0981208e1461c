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
//! assert_eq!(from_ron(&to_ron(&noise)?)?, noise);
//!
//! // Numbers come back to the last bit with serde_json's feature `float_roundtrip`, and only with it.
//! let json = serde_json::to_string(&NoiseFile::new(noise.clone())).unwrap();
//! assert_eq!(serde_json::from_str::<NoiseFile>(&json).unwrap().noise, noise);
//!
//! let error = from_ron("(version: 1, noise: Fractal(octaves: eight))").unwrap_err();
//! assert!(error.to_string().starts_with("noise.octaves, line 1, column 38: "), "{error}");
//! # Ok::<(), FileError>(())
//! ```

mod nesting;

use ron::Options;
use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use serde::de::{self, DeserializeOwned};
use serde::{Deserialize, Deserializer, Serialize};
use serde_path_to_error::Segment;

use crate::error::NoiseError;
use crate::noise::Noise;
use crate::params::{WHOLE, range_words};

/// The version that is written.
const VERSION: u32 = 1;

/// A noise with the version of the format it is written in.
///
/// For JSON, turn on the feature `float_roundtrip` of serde_json: without it numbers are read with errors in
/// the last bit, and heights change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoiseFile {
    /// The version of the format. It comes first, so that a file of a later version is refused for
    /// its version, not for a field that is new in it.
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
    // Version 1 is the first: there is nothing older to migrate yet.
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        other => Err(de::Error::custom(format_args!("found version {other}, allowed is {VERSION}"))),
    }
}

/// A file that cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// The text is not a noise.
    #[error("{path}, line {line}, column {column}: {message}")]
    Form {
        /// The path to what was being read.
        path: String,
        /// The line where reading stopped, from 1.
        line: usize,
        /// The column where reading stopped, from 1.
        column: usize,
        /// What was found, and what is allowed.
        message: String,
    },
    /// The noise has a value that is not allowed.
    #[error("{}", .0.below("noise"))]
    Value(#[from] NoiseError),
    /// RON cannot express a value: the reason.
    #[error("{0}")]
    Write(String),
}

fn options() -> Options {
    let extensions = Extensions::UNWRAP_VARIANT_NEWTYPES | Extensions::IMPLICIT_SOME;
    Options::default().with_default_extension(extensions).with_recursion_limit(nesting::MOST)
}

/// The path to a field as in validation errors: fields only, without the names of nodes.
fn field_path(path: &serde_path_to_error::Path) -> String {
    let fields = path.iter().filter_map(|segment| match segment {
        Segment::Map { key } => Some(shortened(key)),
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Enum { .. } | Segment::Unknown => None,
    });
    fields.collect::<Vec<_>>().join(".")
}

/// The range of the number at the end of a path, in words, and whether it is whole.
fn allowed(path: &serde_path_to_error::Path) -> Option<(String, bool)> {
    let mut way = path.iter().rev();
    let (Some(Segment::Map { key }), Some(Segment::Enum { variant })) = (way.next(), way.next()) else {
        return None;
    };
    let (info, whole) = Noise::param(variant, key)?;
    Some((range_words(info), *whole)).filter(|_| info.min.is_finite())
}

/// The message of an error, with what is allowed.
fn message(code: ron::Error, allowed: Option<(String, bool)>, found: &str) -> String {
    // Whole numbers are read as numbers of any kind: otherwise 8.5 would be an 8 and a stray .5.
    let code = match code {
        ron::Error::ExpectedFloat if allowed.as_ref().is_some_and(|(_, whole)| *whole) => ron::Error::ExpectedInteger,
        code => code,
    };
    let words = shortened(&code.to_string());
    match allowed {
        Some((range, _)) if words.ends_with(WHOLE) => format!("{words} from {range}"),
        Some((range, _)) => format!("{words}{found}, allowed is {range}"),
        None => format!("{words}{found}"),
    }
}

/// Shortens a text of any length for display: of a long word the first 40 characters and the last few stay,
/// of many words the first and the last.
fn shortened(text: &str) -> String {
    let cut = |text: &str, most: usize, first: usize, last: usize| {
        let count = text.chars().count();
        if count <= most {
            return text.to_owned();
        }
        let (head, tail): (String, String) =
            (text.chars().take(first).collect(), text.chars().skip(count - last).collect());
        format!("{head}…{tail}")
    };
    let words: String = text.split_inclusive(char::is_whitespace).map(|word| cut(word, 64, 40, 8)).collect();
    cut(&words, 1200, 900, 200)
}

/// The text at a position, up to the next punctuation, to be shown after a message.
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
    let form = |path: String, at: ron::error::Position, message: String| FileError::Form {
        path: if path.is_empty() { "file".to_owned() } else { path },
        line: at.line,
        column: at.col,
        message,
    };
    let plain = |error: ron::error::SpannedError| {
        let at = error.span.end;
        form(String::new(), at, message(error.code, None, &found(text, at)))
    };
    if let Some((at, words)) = nesting::too_deep(text) {
        return Err(form(String::new(), at, words));
    }
    let mut deserializer = ron::Deserializer::from_str_with_options(text, &options()).map_err(plain)?;
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let (path, allowed) = (field_path(error.path()), allowed(error.path()));
        let error = deserializer.span_error(error.into_inner());
        let at = error.span.end;
        form(path, at, message(error.code, allowed, &found(text, at)))
    })?;
    deserializer.end().map_err(|error| plain(deserializer.span_error(error)))?;
    Ok(value)
}

/// Writes any value as RON that [`read_ron`] reads.
///
/// # Errors
/// The part of the value that cannot be written as RON.
pub fn write_ron<T: Serialize>(value: &T) -> Result<String, String> {
    let config = PrettyConfig::new().struct_names(false).indentor("    ");
    options().to_string_pretty(value, config).map_err(|error| error.to_string())
}

/// Writes any value as [`write_ron`] does, but as one line.
///
/// # Errors
/// The part of the value that cannot be written as RON.
pub fn write_ron_line<T: Serialize>(value: &T) -> Result<String, String> {
    options().to_string(value).map_err(|error| error.to_string())
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
///
/// # Errors
/// [`FileError::Value`] if the tree is too deep for a file, as [`from_ron`] would say.
pub fn to_ron(noise: &Noise) -> Result<String, FileError> {
    write_ron(&NoiseFile::new(noise.clone())).map_err(|words| match noise.validate() {
        Err(error) => error.into(),
        Ok(()) => FileError::Write(words),
    })
}
