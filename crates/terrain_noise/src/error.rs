//! The error of an invalid noise.

/// A noise that cannot be built: which field, what was found there, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: found {found}, allowed is {allowed}")]
pub struct NoiseError {
    /// The path to the field from the root, as in `source.octaves`; `noise` for the root itself.
    pub path: String,
    /// The offending value, as text.
    pub found: String,
    /// What the field may be.
    pub allowed: String,
}

/// The path of the root.
const ROOT: &str = "noise";

impl NoiseError {
    pub(crate) fn new(path: &str, found: impl ToString, allowed: impl ToString) -> Self {
        let path = if path.is_empty() { ROOT } else { path };
        Self { path: path.to_owned(), found: found.to_string(), allowed: allowed.to_string() }
    }

    /// The same error for a value that holds the noise in a field: its path begins with that field.
    ///
    /// ```
    /// use terrain_noise::prelude::*;
    /// let error = perlin().fbm().octaves(0).build(1).unwrap_err().below("world.noise");
    /// assert_eq!(error.to_string(), "world.noise.octaves: found 0, allowed is 1 to 32");
    /// ```
    #[must_use]
    pub fn below(&self, field: &str) -> Self {
        let path = if self.path == ROOT { field.to_owned() } else { join(field, &self.path) };
        Self { path, ..self.clone() }
    }
}

/// `path.field`, or `field` at the root.
pub(crate) fn join(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}

/// A number in a few digits, whatever its size.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-7..1e16).contains(&size) || !value.is_finite() {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}
