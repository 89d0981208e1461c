//! The nodes there are: name, help, and how to make one.

use terrain_noise::{
    Abs, Add, AddAbove, Affine, Bias, Blend, Clamp, Compose, Curve, CurveEnds, Damped, Dunes, Fractal, Gain, Max, Min,
    Mul, Noise, Operand, Power, Range, Shore, Single, SmoothMax, SmoothMin, Strata, Swirl, Terrace, Transform, Warp,
    perlin,
};

/// A kind of node.
pub struct Kind {
    /// As in files and in [`Noise::name`].
    pub name: &'static str,
    pub group: Group,
    pub help: &'static str,
    /// Makes one over a noise; nodes without operands leave it out.
    pub over: fn(Operand) -> Noise,
}

/// What a kind of node is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Source,
    Place,
    Height,
    Combine,
}

impl Group {
    pub const ALL: [Self; 4] = [Self::Source, Self::Place, Self::Height, Self::Combine];

    pub const fn title(self) -> &'static str {
        match self {
            Self::Source => "Source",
            Self::Place => "Place",
            Self::Height => "Height",
            Self::Combine => "Combine",
        }
    }
}

const fn kind(name: &'static str, group: Group, help: &'static str, over: fn(Operand) -> Noise) -> Kind {
    Kind { name, group, help, over }
}

fn nothing() -> Operand {
    Operand::new(0.0)
}

/// Beyond what land reaches, in metres.
const HIGH: f64 = 10_000.0;

fn height(metres: f64) -> Operand {
    Operand::new(metres)
}

fn one() -> Operand {
    Operand::new(1.0)
}

/// Something to see at once where a second noise is asked for.
fn broad() -> Operand {
    Operand::new(perlin().fbm().octaves(4).feature_size(2_000.0))
}

/// Every kind. A node that is put over another changes as little as it can: sums add nothing, products
/// multiply by one.
pub const KINDS: [Kind; 28] = [
    kind("Constant", Group::Source, "The same value everywhere", |_| 0.0.into()),
    kind("Single", Group::Source, "One octave of a basis: hills of one size", |_| Single::default().into()),
    kind("Fractal", Group::Source, "Octaves of a basis, combined: land", |_| Fractal::default().into()),
    kind("Damped", Group::Source, "Octaves that fade where it is steep: smooth slopes, rough heights", |_| {
        Damped::default().into()
    }),
    kind("Dunes", Group::Source, "Ridges across the wind, from 0 in the hollows to 1 on the crests", |_| {
        Dunes::default().into()
    }),
    kind("Gullies", Group::Height, "What running water leaves: gullies down the slopes of a land", |source| {
        source.into_noise().gullies(60.0, 500.0)
    }),
    kind("Transform", Group::Place, "Turns, moves and stretches the ground", |source| {
        let (scale_x, scale_y, scale_z) = (1.0, 1.0, 1.0);
        Transform { scale_x, scale_y, scale_z, rotation: 0.0, move_x: 0.0, move_y: 0.0, move_z: 0.0, source }.into()
    }),
    kind("Warp", Group::Place, "Looks the noise up at a place displaced by another", |source| {
        Warp { amount: 100.0, source, by: broad() }.into()
    }),
    kind("Swirl", Group::Place, "Turns the place by an angle that follows another noise", |source| {
        Swirl { angle: 45.0, source, by: broad() }.into()
    }),
    kind("Affine", Group::Height, "factor · source + offset", |source| {
        Affine { factor: 1.0, offset: 0.0, source }.into()
    }),
    kind("Range", Group::Height, "Maps what the source could reach to a range", |source| {
        Range { min: 0.0, max: 1.0, source }.into()
    }),
    kind("Clamp", Group::Height, "Cuts off what leaves a range", |source| {
        Clamp { min: -HIGH, max: HIGH, source }.into()
    }),
    kind("Abs", Group::Height, "The absolute value: folds valleys into creases", |source| Abs { source }.into()),
    kind("Bias", Group::Height, "Moves the middle of the heights", |source| Bias { amount: 0.5, source }.into()),
    kind("Gain", Group::Height, "Steepens or flattens the middle of the heights", |source| {
        Gain { amount: 0.5, source }.into()
    }),
    kind("Power", Group::Height, "Flattens low or high ground", |source| Power { exponent: 1.0, source }.into()),
    kind("Terrace", Group::Height, "Steps of equal height", |source| {
        Terrace { step: 40.0, sharpness: 0.8, source }.into()
    }),
    kind("Curve", Group::Height, "A curve through points", |source| {
        Curve { points: vec![[-HIGH, -HIGH], [HIGH, HIGH]], ends: CurveEnds::Straight, source }.into()
    }),
    kind("Shore", Group::Height, "Different scales above and below a level", |source| {
        Shore { level: 0.0, above: 1.0, below: 1.0, source }.into()
    }),
    kind("Add", Group::Combine, "The sum of two noises", |a| Add { a, b: nothing() }.into()),
    kind("Mul", Group::Combine, "The product of two noises", |a| Mul { a, b: one() }.into()),
    kind("Min", Group::Combine, "The lower of two noises", |a| Min { a, b: height(HIGH) }.into()),
    kind("Max", Group::Combine, "The higher of two noises", |a| Max { a, b: height(-HIGH) }.into()),
    kind("SmoothMin", Group::Combine, "The lower of two noises, rounded off", |a| {
        SmoothMin { radius: 1.0, a, b: height(HIGH) }.into()
    }),
    kind("SmoothMax", Group::Combine, "The higher of two noises, rounded off", |a| {
        SmoothMax { radius: 1.0, a, b: height(-HIGH) }.into()
    }),
    kind(
        "Strata",
        Group::Height,
        "Steps in layers of rock that are lifted and differ in how hard they are",
        |source| Strata { step: 40.0, sharpness: 0.8, variety: 0.7, seed: 0, source, lift: nothing() }.into(),
    ),
    kind("AddAbove", Group::Combine, "A noise, and another on top of it where it is high", |a| {
        AddAbove { low: 0.0, high: 1.0, a, b: nothing() }.into()
    }),
    kind("Blend", Group::Combine, "One noise or another, by a mask", |a| {
        Blend { b: a.clone(), a, mask: nothing() }.into()
    }),
];

/// The kind of a node.
pub fn kind_of(noise: &Noise) -> &'static Kind {
    // Every kind is there, as a test holds; the first would do for none.
    KINDS.iter().find(|kind| kind.name == noise.name()).unwrap_or(&KINDS[0])
}

/// A new node of a kind.
pub fn fresh(kind: &Kind) -> Noise {
    (kind.over)(Operand::new(Fractal::default()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::reflect::{TypeInfo, Typed};

    #[test]
    fn every_node_of_the_core_is_there_once() {
        let TypeInfo::Enum(noise) = Noise::type_info() else { panic!("a noise is an enum") };
        assert_eq!(KINDS.map(|kind| kind.name).as_slice(), noise.variant_names());
        for kind in &KINDS {
            let node = fresh(kind);
            assert_eq!(node.name(), kind.name);
            assert_eq!(node.operands().is_empty(), kind.group == Group::Source);
            node.validate().unwrap();
        }
    }

    #[test]
    fn what_is_put_over_a_noise_need_not_change_it() {
        let land = Noise::from(perlin().fbm().feature_size(300.0));
        let sample = |noise: &Noise| noise.build(5).unwrap().sample([120.0, -77.0]);
        for name in [
            "Affine",
            "Transform",
            "Clamp",
            "Power",
            "Curve",
            "Shore",
            "Add",
            "Mul",
            "Min",
            "Max",
            "SmoothMin",
            "Blend",
            "AddAbove",
        ] {
            let kind = KINDS.iter().find(|kind| kind.name == name).unwrap();
            let over = (kind.over)(Operand::new(land.clone()));
            assert!((sample(&over) - sample(&land)).abs() < 1e-3, "{name}");
        }
    }
}
