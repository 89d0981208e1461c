//! What is known of a parameter: range, unit, default and a line of help. All of it stands on the
//! field's declaration; validation, documentation and editors are derived from it.

mod read;

use crate::error::{NoiseError, join, number};
#[cfg(feature = "file")]
pub(crate) use read::WHOLE;
pub(crate) use read::whole;

/// The name, range, unit, default and help of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub struct ParamInfo {
    /// The field's name.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The unit, empty for plain numbers.
    pub unit: &'static str,
    /// The lowest allowed number.
    pub min: f64,
    /// The highest allowed number.
    pub max: f64,
    /// The default, if it is a number.
    pub default: Option<f64>,
}

/// A parameter that an editor may change.
pub enum ParamMut<'a> {
    /// A real number.
    Number(&'a mut f64),
    /// A whole number.
    Integer(&'a mut u32),
    /// A whole number without a meaningful order: any value is allowed.
    Seed(&'a mut u64),
    /// Points of a curve, x and y, with rising x.
    Points(&'a mut Vec<[f64; 2]>),
    /// One of several names.
    Choice(&'a mut dyn Choice),
}

/// A parameter that is one of several named values.
pub trait Choice {
    /// All names, in order.
    fn names(&self) -> &'static [&'static str];
    /// Which of the names is chosen.
    fn index(&self) -> usize;
    /// Chooses a name by index; an index out of range is ignored.
    fn choose(&mut self, index: usize);
}

/// A type that can be a parameter.
pub(crate) trait Param {
    /// Whether it is a whole number.
    #[cfg(feature = "file")]
    const WHOLE: bool = false;
    fn check(&self, info: &ParamInfo, path: &str) -> Result<(), NoiseError>;
    fn edit(&mut self, info: &ParamInfo, visit: &mut dyn FnMut(&ParamInfo, ParamMut<'_>));
    /// The value, if it is a number.
    fn number(&self) -> Option<f64> {
        None
    }
}

fn check_number(value: f64, info: &ParamInfo, path: &str) -> Result<(), NoiseError> {
    if value >= info.min && value <= info.max {
        return Ok(());
    }
    Err(NoiseError::new(&join(path, info.name), number(value), range_words(info)))
}

/// The range of a number, as text.
pub(crate) fn range_words(info: &ParamInfo) -> String {
    let unit = if info.unit.is_empty() { String::new() } else { format!(" {}", info.unit) };
    format!("{} to {}{unit}", number(info.min), number(info.max))
}

impl Param for f64 {
    fn check(&self, info: &ParamInfo, path: &str) -> Result<(), NoiseError> {
        check_number(*self, info, path)
    }
    fn edit(&mut self, info: &ParamInfo, visit: &mut dyn FnMut(&ParamInfo, ParamMut<'_>)) {
        visit(info, ParamMut::Number(self));
    }
    fn number(&self) -> Option<f64> {
        Some(*self)
    }
}

impl Param for u32 {
    #[cfg(feature = "file")]
    const WHOLE: bool = true;
    fn check(&self, info: &ParamInfo, path: &str) -> Result<(), NoiseError> {
        check_number(f64::from(*self), info, path)
    }
    fn edit(&mut self, info: &ParamInfo, visit: &mut dyn FnMut(&ParamInfo, ParamMut<'_>)) {
        visit(info, ParamMut::Integer(self));
    }
    fn number(&self) -> Option<f64> {
        Some((*self).into())
    }
}

impl Param for u64 {
    fn check(&self, _info: &ParamInfo, _path: &str) -> Result<(), NoiseError> {
        Ok(())
    }
    fn edit(&mut self, info: &ParamInfo, visit: &mut dyn FnMut(&ParamInfo, ParamMut<'_>)) {
        visit(info, ParamMut::Seed(self));
    }
}

/// The number of points that a curve may have.
const POINTS: std::ops::RangeInclusive<usize> = 2..=64;

impl Param for Vec<[f64; 2]> {
    fn check(&self, info: &ParamInfo, path: &str) -> Result<(), NoiseError> {
        let path = join(path, info.name);
        if !POINTS.contains(&self.len()) {
            let allowed = format!("{} to {} points", POINTS.start(), POINTS.end());
            return Err(NoiseError::new(&path, format!("{} points", self.len()), allowed));
        }
        for (i, point) in self.iter().enumerate() {
            for (name, value) in ["x", "y"].into_iter().zip(*point) {
                let path = format!("{path}.{i}");
                check_number(value, &ParamInfo { name, ..*info }, &path)?;
            }
        }
        for (i, pair) in self.windows(2).enumerate() {
            // The points are used as 32-bit numbers, in which they must still differ.
            if pair[0][0] as f32 >= pair[1][0] as f32 {
                let path = format!("{path}.{}.x", i + 1);
                let allowed = format!("more than the x before it, {}", number(pair[0][0]));
                return Err(NoiseError::new(&path, number(pair[1][0]), allowed));
            }
        }
        Ok(())
    }
    fn edit(&mut self, info: &ParamInfo, visit: &mut dyn FnMut(&ParamInfo, ParamMut<'_>)) {
        visit(info, ParamMut::Points(self));
    }
}

/// Makes an enum of plain variants a parameter.
macro_rules! choice {
    ($type:ident { $($variant:ident),* $(,)? }) => {
        impl $crate::params::Choice for $type {
            fn names(&self) -> &'static [&'static str] {
                &[$(stringify!($variant)),*]
            }
            fn index(&self) -> usize {
                [$(matches!(self, Self::$variant { .. })),*].iter().position(|is| *is).unwrap_or(0)
            }
            fn choose(&mut self, index: usize) {
                let all = [$($crate::params::choice!(@make $type $variant)),*];
                if let Some(choice) = all.get(index) {
                    *self = *choice;
                }
            }
        }
        impl $crate::params::Param for $type {
            fn check(&self, _: &$crate::params::ParamInfo, _: &str) -> Result<(), $crate::NoiseError> {
                Ok(())
            }
            fn edit(
                &mut self,
                info: &$crate::params::ParamInfo,
                visit: &mut dyn FnMut(&$crate::params::ParamInfo, $crate::params::ParamMut<'_>),
            ) {
                visit(info, $crate::params::ParamMut::Choice(self));
            }
        }
    };
    (@make $type:ident $variant:ident) => { $type::$variant };
}
pub(crate) use choice;

macro_rules! info {
    ($field:ident, $help:literal, $min:literal ..= $max:literal $(, $unit:literal)?) => {
        $crate::params::ParamInfo {
            name: stringify!($field),
            help: $crate::params::trimmed($help),
            unit: concat!("", $($unit)?),
            min: $min as f64,
            max: $max as f64,
            default: None,
        }
    };
    ($field:ident, $help:literal, any) => {
        $crate::params::ParamInfo {
            name: stringify!($field),
            help: $crate::params::trimmed($help),
            unit: "",
            min: f64::NEG_INFINITY,
            max: f64::INFINITY,
            default: None,
        }
    };
}
pub(crate) use info;

macro_rules! range_text {
    ($min:literal ..= $max:literal) => {
        concat!("\n\nAllowed: ", stringify!($min), " to ", stringify!($max), ".")
    };
    ($min:literal ..= $max:literal, $unit:literal) => {
        concat!("\n\nAllowed: ", stringify!($min), " to ", stringify!($max), " ", $unit, ".")
    };
    (any) => {
        ""
    };
}
pub(crate) use range_text;

/// Help without the space that a doc comment starts with.
pub(crate) const fn trimmed(help: &'static str) -> &'static str {
    match help.as_bytes() {
        [b' ', ..] => help.split_at(1).1,
        _ => help,
    }
}
