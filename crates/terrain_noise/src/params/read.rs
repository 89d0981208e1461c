//! Reading parameters from files.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use super::Param;
use crate::error::number;

/// The end of an error about a number that should be whole.
pub(crate) const WHOLE: &str = "allowed is a whole number";

/// A parameter that can be read.
pub(crate) trait Read<'de>: Param + Deserialize<'de> {
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::deserialize(deserializer)
    }
}

/// Reads a parameter.
pub(crate) fn read<'de, D: Deserializer<'de>, T: Read<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::read(deserializer)
}

impl Read<'_> for f64 {}
impl Read<'_> for u64 {}
impl Read<'_> for Vec<[f64; 2]> {}

impl<'de> Read<'de> for u32 {
    /// In text any number is read, so that the error can say what is wrong with it.
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_f64(Whole)
        } else {
            Self::deserialize(deserializer)
        }
    }
}

struct Whole;

impl Visitor<'_> for Whole {
    type Value = u32;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a whole number")
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<u32, E> {
        // Exact for numbers that are whole and small enough; NaN is neither.
        if (0.0..=f64::from(u32::MAX)).contains(&value) && value.fract() == 0.0 {
            Ok(value as u32)
        } else {
            Err(E::custom(format_args!("found {}, {WHOLE}", number(value))))
        }
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<u32, E> {
        self.visit_f64(value as f64)
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<u32, E> {
        self.visit_f64(value as f64)
    }
}
