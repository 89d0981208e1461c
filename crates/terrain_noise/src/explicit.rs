//! Explicit methods: they make a whole tile at once instead of answering for a point.

pub mod diamond_square;
#[cfg(feature = "fourier")]
pub mod fourier;
