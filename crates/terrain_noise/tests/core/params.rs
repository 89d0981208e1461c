//! What an editor sees of a tree.

use crate::common::worlds;
use terrain_noise::{ParamMut, prelude::*};

#[test]
fn every_parameter_has_help_and_a_default_in_its_range() {
    fn visit(noise: &mut Noise, seen: &mut usize) {
        noise.edit_params(|info, param| {
            *seen += 1;
            assert!(info.help.len() > 10 && !info.help.starts_with(' '), "{info:?}");
            if let ParamMut::Number(_) | ParamMut::Integer(_) = param {
                assert!(info.min < info.max, "{info:?}");
                assert!(info.default.is_none_or(|default| (info.min..=info.max).contains(&default)), "{info:?}");
            }
        });
        for (_, operand) in noise.operands_mut() {
            visit(operand, seen);
        }
    }
    let mut seen = 0;
    for (_, mut noise) in worlds() {
        visit(&mut noise, &mut seen);
    }
    assert!(seen > 500, "{seen}");
}

#[test]
fn an_editor_changes_the_tree_through_them() {
    let mut noise: Noise = perlin().fbm().into();
    let mut names = Vec::new();
    noise.edit_params(|info, param| {
        names.push(info.name);
        match (info.name, param) {
            ("octaves", ParamMut::Integer(octaves)) => {
                assert_eq!((info.default, info.min, info.max), (Some(8.0), 1.0, 32.0));
                *octaves = 3;
            }
            ("feature_size", ParamMut::Number(size)) => {
                assert_eq!(info.unit, "m");
                *size = 70.0;
            }
            ("kind", ParamMut::Choice(kind)) => {
                assert_eq!(kind.names()[kind.index()], "Fbm");
                let ridged = kind.names().iter().position(|name| *name == "Ridged").unwrap();
                kind.choose(ridged);
                kind.choose(usize::MAX);
            }
            ("basis", ParamMut::Choice(basis)) => basis.choose(5),
            _ => {}
        }
    });
    assert_eq!(noise, simplex().ridged().octaves(3).feature_size(70.0).into());
    assert!(names.contains(&"lacunarity") && names.contains(&"seed"), "{names:?}");
}
