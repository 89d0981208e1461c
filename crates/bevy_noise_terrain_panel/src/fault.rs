//! An error in the draft, with its field.

use bevy_noise_terrain::SettingsError;

/// An error in the draft, with its field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// As in a preset's text: `terrain.noise.source.octaves`, `water.level`.
    pub path: String,
    /// The message: what was found and what is allowed.
    pub message: String,
}

impl Fault {
    /// The message, if the fault is at this field.
    pub fn at<'a>(fault: Option<&'a Self>, path: &str) -> Option<&'a str> {
        fault.filter(|fault| fault.path == path).map(|fault| fault.message.as_str())
    }

    /// The message, if the fault is in a part of this field, prefixed with the part's path.
    pub fn below(fault: Option<&Self>, path: &str) -> Option<String> {
        let fault = fault?;
        let part = fault.path.strip_prefix(path)?.strip_prefix('.')?;
        Some(format!("{part}: {}", fault.message))
    }
}

impl From<SettingsError> for Fault {
    fn from(SettingsError { path, found, allowed }: SettingsError) -> Self {
        Self { path, message: format!("found {found}, allowed is {allowed}") }
    }
}
