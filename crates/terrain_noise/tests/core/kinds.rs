//! What an editor can make of every kind of node, without knowing any of them.
#![allow(clippy::unwrap_used, reason = "helpers of tests may stop too")]

use proptest::prelude::*;
use terrain_noise::{NodeGroup, NodeKind, ParamMut, prelude::*};

fn kind(name: &str) -> &'static NodeKind {
    Noise::kinds().iter().find(|kind| kind.name == name).unwrap()
}

#[test]
fn every_kind_makes_a_valid_node_of_its_name() {
    for kind in Noise::kinds() {
        let node = kind.over(perlin().fbm());
        assert_eq!((node.name(), node.kind()), (kind.name, kind));
        assert_eq!(node.operands().is_empty(), kind.group == NodeGroup::Source, "{kind:?}");
        assert!(kind.help.len() > 10 && kind.help.ends_with('.') && !kind.help.starts_with(' '), "{kind:?}");
        node.validate().unwrap();
    }
    let mut names: Vec<_> = Noise::kinds().iter().map(|kind| kind.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Noise::kinds().len());
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
        "SmoothMax",
        "Blend",
        "AddAbove",
    ] {
        let over = kind(name).over(land.clone());
        assert!((sample(&over) - sample(&land)).abs() < 1e-3, "{name}");
    }
}

/// Sets every number of a node to a share of its range, as an editor's user would.
fn shuffle(node: &mut Noise, shares: &[f64]) {
    let mut shares = shares.iter().copied().cycle();
    node.edit_params(|info, param| {
        let share = shares.next().unwrap_or_default();
        // Ranges reach far beyond what land has: stay near the default where there is one.
        let near = info.default.unwrap_or_default();
        let (min, max) = (info.min.max(near - 50.0), info.max.min(near + 50.0));
        let value = min + share * (max - min);
        match param {
            ParamMut::Number(number) => *number = value,
            ParamMut::Integer(number) if info.name == "octaves" => *number = value.clamp(1.0, 4.0) as u32,
            ParamMut::Integer(_) => {}
            ParamMut::Seed(seed) => *seed = (share * 1000.0) as u64,
            ParamMut::Points(points) => *points = vec![[-1.0, value], [share, 0.5], [2.0, -value]],
            ParamMut::Choice(choice) => choice.choose((share * choice.names().len() as f64) as usize),
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_kind_keeps_the_promises(
        which in 0..Noise::kinds().len(),
        shares in prop::collection::vec(0.0..1.0f64, 16),
        seed: u64,
    ) {
        let mut noise = Noise::kinds()[which].over(perlin().fbm().octaves(3).feature_size(90.0).scale(30.0));
        shuffle(&mut noise, &shares);
        for (_, operand) in noise.operands_mut().into_iter().skip(1) {
            *operand = simplex().feature_size(70.0).into();
        }
        // Fields that do not go with one another are refused, which is all they must be.
        let Ok(sampler) = noise.build(seed) else { return Ok(()) };
        let grid = Grid::new([-900, 400], 3.0, [21, 5]);
        let [mut heights, mut again, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; grid.len()]);
        let mut scratch = Scratch::default();
        sampler.fill(&grid, &mut scratch, &mut heights);
        sampler.fill_with_gradient(&grid, &mut scratch, &mut again, &mut dx, &mut dz);
        for (i, &height) in heights.iter().enumerate() {
            let at = [grid.x(i % 21), grid.z(i / 21)];
            prop_assert!(sampler.bounds().contains(height), "{} {:?}", height, sampler.bounds());
            prop_assert_eq!(height.to_bits(), again[i].to_bits());
            prop_assert_eq!(height.to_bits(), sampler.sample_filtered(at, grid.footprint).to_bits());
            prop_assert_eq!(sampler.sample_with_gradient(at, grid.footprint).gradient, [dx[i], dz[i]]);
        }
    }
}
