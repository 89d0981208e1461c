//! Benches of the noise core; see `benches/`.
