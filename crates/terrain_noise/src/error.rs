//! What can be wrong with a noise.

/// A noise that cannot be built: which field, what was found there, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: found {found}, allowed is {allowed}")]
pub struct NoiseError {
    /// The way to the field from the root, as in `source.octaves`; `noise` for the root itself.
    pub path: String,
    /// The offending value, in words.
    pub found: String,
    /// What the field may be.
    pub allowed: String,
}

impl NoiseError {
    pub(crate) fn new(path: &str, found: impl ToString, allowed: impl ToString) -> Self {
        let path = if path.is_empty() { "noise" } else { path };
        Self { path: path.to_owned(), found: found.to_string(), allowed: allowed.to_string() }
    }
}

/// `path.field`, or `field` at the root.
pub(crate) fn join(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}
