//! Reading whole numbers from files.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use crate::error::number;

/// The end of an error about a number that should be whole.
pub(crate) const WHOLE: &str = "allowed is a whole number";

/// Reads a whole number. In text any number is read, so that the error can say what is wrong with it.
pub(crate) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    if deserializer.is_human_readable() { deserializer.deserialize_f64(Whole) } else { u32::deserialize(deserializer) }
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
