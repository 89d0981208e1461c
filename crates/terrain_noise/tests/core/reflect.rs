//! What an engine sees of a tree by reflection.
#![cfg(feature = "bevy_reflect")]

use bevy_reflect::{FromReflect, PartialReflect, Reflect, Typed, structs::Struct};
use terrain_noise::{Fractal, Operand, ParamInfo, prelude::*};

#[test]
fn every_parameter_carries_its_range() {
    let info = Fractal::type_info().as_struct().unwrap();
    let octaves = info.field("octaves").unwrap().get_attribute::<ParamInfo>().unwrap();
    assert_eq!((octaves.min, octaves.max, octaves.help), (1.0, 32.0, "Number of octaves."));
    let size = info.field("feature_size").unwrap().get_attribute::<ParamInfo>().unwrap();
    assert_eq!((size.min, size.max, size.unit), (0.001, 1e9, "m"));
    for field in info.iter() {
        assert_eq!(field.get_attribute::<ParamInfo>().unwrap().name, field.name());
    }
}

#[test]
fn a_tree_is_walked_changed_and_copied() {
    let mut tree = perlin().fbm().octaves(3).scale(50.0);
    let copy = Noise::from_reflect(tree.as_partial_reflect()).unwrap();
    assert_eq!(copy, tree);
    let node = tree.reflect_mut().as_enum().unwrap().field_at_mut(0).unwrap().reflect_mut().as_struct().unwrap();
    let source = node.field_mut("source").unwrap().try_downcast_mut::<Operand>().unwrap();
    if let Noise::Fractal(fractal) = &mut **source {
        fractal.field_mut("octaves").unwrap().apply(&5u32);
    }
    assert_eq!(tree, perlin().fbm().octaves(5).scale(50.0));
    assert!(tree.as_reflect().is::<Noise>());
}
