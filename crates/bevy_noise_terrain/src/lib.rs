//! Infinite procedural terrain for Bevy.
