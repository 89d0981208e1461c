//! Parameters that are one of several names.

use crate::basis::Basis;
use crate::basis::cellular::CellOutput;
use crate::error::{NoiseError, join};
use crate::fractal::FractalKind;
use crate::interpolation::{Cubic, Fade};
use crate::lattice::Lattice;
use crate::mapping::CurveEnds;
use crate::params::{Choice, Param, ParamInfo, ParamMut, choice, info};

choice!(FractalKind {
    Fbm,
    Billow,
    Ridged,
    Multifractal,
    PrintedMultifractal,
    RidgedMultifractal,
    PrintedRidgedMultifractal,
    HybridMultifractal,
});
choice!(Fade { Linear, Cosine, Smoothstep, Quintic });
choice!(Cubic { Lagrange, Elias, CatmullRom });
choice!(Lattice { Hashed, IntNoise, ClassicTable, Permutation });
choice!(CurveEnds { Level, Straight });
choice!(CellOutput { F1, F2, F2MinusF1, CellValue });

impl Choice for Basis {
    fn names(&self) -> &'static [&'static str] {
        &["Value", "SmoothedValue", "CubicValue", "Perlin", "ClassicPerlin", "Simplex", "Cellular"]
    }
    fn index(&self) -> usize {
        match self {
            Self::Value { .. } => 0,
            Self::SmoothedValue { .. } => 1,
            Self::CubicValue { .. } => 2,
            Self::Perlin { .. } => 3,
            Self::ClassicPerlin => 4,
            Self::Simplex => 5,
            Self::Cellular { .. } => 6,
        }
    }
    fn choose(&mut self, index: usize) {
        let (fade, lattice) = (Fade::default(), Lattice::default());
        *self = match index {
            0 => Self::Value { fade, lattice },
            1 => Self::SmoothedValue { fade, lattice },
            2 => Self::CubicValue { cubic: Cubic::default(), lattice },
            3 => Self::Perlin { fade, lattice },
            4 => Self::ClassicPerlin,
            5 => Self::Simplex,
            6 => Self::Cellular { output: CellOutput::F1, jitter: 1.0 },
            _ => return,
        }
    }
}

const FADE: ParamInfo = info!(fade, " The curve between two lattice points.", any);
const LATTICE: ParamInfo = info!(lattice, " Where the random values come from.", any);
const CUBIC: ParamInfo = info!(cubic, " The curve through four lattice points.", any);
const OUTPUT: ParamInfo = info!(output, " What is measured.", any);
const JITTER: ParamInfo = info!(jitter, " How far points stray from the middle of their cell.", 0.0..=1.0);

/// The numeric parameters of cellular noise, in the form of a node's `PARAMS`.
#[cfg(feature = "file")]
pub(super) const CELLULAR: &[(ParamInfo, bool)] = &[(JITTER, false)];

impl Param for Basis {
    fn check(&self, info: &ParamInfo, path: &str) -> Result<(), NoiseError> {
        match self {
            Self::Cellular { jitter, .. } => jitter.check(&JITTER, &join(path, info.name)),
            _ => Ok(()),
        }
    }
    fn edit(&mut self, info: &ParamInfo, visit: &mut dyn FnMut(&ParamInfo, ParamMut<'_>)) {
        visit(info, ParamMut::Choice(self));
        match self {
            Self::Value { fade, lattice } | Self::SmoothedValue { fade, lattice } | Self::Perlin { fade, lattice } => {
                fade.edit(&FADE, visit);
                lattice.edit(&LATTICE, visit);
            }
            Self::CubicValue { cubic, lattice } => {
                cubic.edit(&CUBIC, visit);
                lattice.edit(&LATTICE, visit);
            }
            Self::Cellular { output, jitter } => {
                output.edit(&OUTPUT, visit);
                jitter.edit(&JITTER, visit);
            }
            Self::ClassicPerlin | Self::Simplex => {}
        }
    }
}
