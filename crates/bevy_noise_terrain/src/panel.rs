//! Panel.
