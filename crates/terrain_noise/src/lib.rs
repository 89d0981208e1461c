//! Implicit noise for height fields. Knows no engine.
