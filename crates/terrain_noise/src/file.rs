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
use ron::error::Position;
use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use serde::de::{self, DeserializeOwned};
use serde::{Deserialize, Deserializer, Serialize};
use serde_path_to_error::{Segment, Track};

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
    info.min.is_finite().then(|| (range_words(info), *whole))
}

/// The message of an error, with what is allowed.
fn message(words: String, allowed: Option<(String, bool)>, found: &str) -> String {
    // Whole numbers are read as numbers of any kind: otherwise 8.5 would be an 8 and a stray .5.
    let is_whole = allowed.as_ref().is_some_and(|(_, whole)| *whole);
    let words = if is_whole && words == ron::Error::ExpectedFloat.to_string() {
        ron::Error::ExpectedInteger.to_string()
    } else {
        shortened(&words)
    };
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
fn found(text: &str, at: Position) -> String {
    let line = text.lines().nth(at.line.saturating_sub(1)).unwrap_or_default();
    let rest: String = line.chars().skip(at.col.saturating_sub(1)).collect();
    let word: String = rest.split([',', ')', '(']).next().unwrap_or_default().chars().take(32).collect();
    if word.trim().is_empty() { String::new() } else { format!(", at `{}`", word.trim()) }
}

/// A text that is being read. Types are read through a trait object: compiled for each of them, the code for RON and paths
/// would be a large part of a program.
struct Reading<'a> {
    text: &'a str,
    deserializer: ron::Deserializer<'a>,
    /// The way to the value that was read last.
    track: Track,
}

impl<'a> Reading<'a> {
    fn new(text: &'a str) -> Result<Self, FileError> {
        if let Some((at, words)) = nesting::too_deep(text) {
            return Err(form(String::new(), at, words));
        }
        let deserializer =
            ron::Deserializer::from_str_with_options(text, &options()).map_err(|error| plain(text, error))?;
        Ok(Self { text, deserializer, track: Track::new() })
    }

    fn value(&mut self) -> Box<dyn erased_serde::Deserializer<'a> + '_> {
        let tracked = serde_path_to_error::Deserializer::new(&mut self.deserializer, &mut self.track);
        Box::new(<dyn erased_serde::Deserializer>::erase(tracked))
    }

    /// What is wrong with the value.
    fn refused(self, error: &erased_serde::Error) -> FileError {
        let path = self.track.path();
        let at = self.deserializer.span_error(ron::Error::Eof).span.end;
        form(field_path(&path), at, message(error.to_string(), allowed(&path), &found(self.text, at)))
    }

    /// Nothing comes after the value.
    fn end(mut self) -> Result<(), FileError> {
        self.deserializer.end().map_err(|error| plain(self.text, self.deserializer.span_error(error)))
    }
}

fn form(path: String, at: Position, message: String) -> FileError {
    let path = if path.is_empty() { "file".to_owned() } else { path };
    FileError::Form { path, line: at.line, column: at.col, message }
}

/// An error outside of values.
fn plain(text: &str, error: ron::error::SpannedError) -> FileError {
    let at = error.span.end;
    form(String::new(), at, message(error.code.to_string(), None, &found(text, at)))
}

/// Reads any value from RON, in the dialect of [`from_ron`]: for a program whose own settings hold a noise.
///
/// # Errors
/// [`FileError::Form`]: the path, the place and the reason.
pub fn read_ron<T: DeserializeOwned>(text: &str) -> Result<T, FileError> {
    let mut reading = Reading::new(text)?;
    let read = erased_serde::deserialize(&mut *reading.value());
    match read {
        Ok(value) => reading.end().map(|()| value),
        Err(error) => Err(reading.refused(&error)),
    }
}

/// Writes any value as RON that [`read_ron`] reads.
///
/// # Errors
/// The part of the value that cannot be written as RON.
pub fn write_ron<T: Serialize>(value: &T) -> Result<String, String> {
    written(value, Some(PrettyConfig::new().struct_names(false).indentor("    ")))
}

/// Writes any value as [`write_ron`] does, but as one line.
///
/// # Errors
/// The part of the value that cannot be written as RON.
pub fn write_ron_line<T: Serialize>(value: &T) -> Result<String, String> {
    written(value, None)
}

/// Types are written through a trait object, as they are read.
fn written(value: &dyn erased_serde::Serialize, config: Option<PrettyConfig>) -> Result<String, String> {
    let options = options();
    let text = match config {
        Some(config) => options.to_string_pretty(value, config),
        None => options.to_string(value),
    };
    text.map_err(|error| error.to_string())
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
