//! What is wrong with a draft, and at which field.

use crate::settings::SettingsError;

/// What is wrong with a draft, and at which field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// As in a preset's text: `terrain.noise.source.octaves`, `water.level`.
    pub path: String,
    /// What was found, what is allowed.
    pub words: String,
}

impl Fault {
    /// The words, if the fault lies with this field.
    pub fn at<'a>(fault: Option<&'a Self>, path: &str) -> Option<&'a str> {
        fault.filter(|fault| fault.path == path).map(|fault| fault.words.as_str())
    }

    /// What is wrong with a part of this field, and with which.
    pub fn below(fault: Option<&Self>, path: &str) -> Option<String> {
        let fault = fault?;
        let part = fault.path.strip_prefix(path)?.strip_prefix('.')?;
        Some(format!("{part}: {}", fault.words))
    }
}

impl From<SettingsError> for Fault {
    fn from(SettingsError { path, found, allowed }: SettingsError) -> Self {
        Self { path, words: format!("found {found}, allowed is {allowed}") }
    }
}
