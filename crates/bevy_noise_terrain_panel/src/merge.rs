//! Applies a change to a world that others have changed meanwhile, field by field.

use bevy::reflect::{PartialReflect, Reflect, ReflectMut, ReflectRef};
use bevy_noise_terrain::TerrainPreset;

/// Applies the differences between `from` and `to`, and leaves everything else of `onto` as it is.
pub fn merge(from: &TerrainPreset, to: &TerrainPreset, onto: &mut TerrainPreset) {
    whole(&from.terrain, &to.terrain, &mut onto.terrain);
    whole(&from.ground, &to.ground, &mut onto.ground);
    part(&from.water, &to.water, &mut onto.water);
    part(&from.scatter, &to.scatter, &mut onto.scatter);
    part(&from.volumes, &to.volumes, &mut onto.volumes);
    part(&from.wind, &to.wind, &mut onto.wind);
    part(&from.sky, &to.sky, &mut onto.sky);
}

fn part<T: Reflect + Clone + PartialEq>(from: &Option<T>, to: &Option<T>, onto: &mut Option<T>) {
    match (from, to, onto) {
        (Some(from), Some(to), Some(onto)) => whole(from, to, onto),
        (from, to, onto) if from != to => onto.clone_from(to),
        _ => {}
    }
}

fn whole<T: Reflect + Clone + PartialEq>(from: &T, to: &T, onto: &mut T) {
    if from != to && transfer(from, to, onto).is_none() {
        onto.clone_from(to);
    }
}

/// `None` if a value cannot be cloned by reflection.
fn transfer(from: &dyn PartialReflect, to: &dyn PartialReflect, onto: &mut dyn PartialReflect) -> Option<()> {
    if from.reflect_partial_eq(to) == Some(true) {
        return Some(());
    }
    match (from.reflect_ref(), to.reflect_ref(), onto.reflect_mut()) {
        (ReflectRef::Struct(from), ReflectRef::Struct(to), ReflectMut::Struct(onto)) => (0..onto.field_len())
            .try_for_each(|at| transfer(from.field_at(at)?, to.field_at(at)?, onto.field_at_mut(at)?)),
        (ReflectRef::TupleStruct(from), ReflectRef::TupleStruct(to), ReflectMut::TupleStruct(onto)) => {
            (0..onto.field_len()).try_for_each(|at| transfer(from.field(at)?, to.field(at)?, onto.field_mut(at)?))
        }
        (ReflectRef::Enum(from), ReflectRef::Enum(to), ReflectMut::Enum(onto))
            if from.variant_index() == to.variant_index() && onto.variant_index() == to.variant_index() =>
        {
            (0..onto.field_len())
                .try_for_each(|at| transfer(from.field_at(at)?, to.field_at(at)?, onto.field_at_mut(at)?))
        }
        (ReflectRef::Array(from), ReflectRef::Array(to), ReflectMut::Array(onto)) => {
            (0..onto.len()).try_for_each(|at| transfer(from.get(at)?, to.get(at)?, onto.get_mut(at)?))
        }
        (ReflectRef::List(from), ReflectRef::List(to), ReflectMut::List(onto))
            if from.len() == to.len() && onto.len() == to.len() =>
        {
            (0..onto.len()).try_for_each(|at| transfer(from.get(at)?, to.get(at)?, onto.get_mut(at)?))
        }
        _ => onto.try_as_reflect_mut()?.set(to.reflect_clone().ok()?).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_noise_terrain::scatter::{ScatterKind, TerrainScatter};
    use bevy_noise_terrain::sky::TerrainSky;
    use terrain_noise::Fractal;

    #[test]
    fn only_what_was_changed_is_changed_back() {
        let mut before = TerrainPreset { sky: Some(TerrainSky::default()), ..TerrainPreset::default() };
        before.scatter = Some(TerrainScatter {
            kinds: vec![ScatterKind::grass(), ScatterKind::rock()],
            ..TerrainScatter::default()
        });
        before.terrain.noise = Fractal { octaves: 4, ..Default::default() }.into();
        let mut after = before.clone();
        after.sky.as_mut().unwrap().cloud_cover = 0.9;
        after.scatter.as_mut().unwrap().kinds[1].density = 0.5;
        after.terrain.noise = Fractal { octaves: 7, ..Default::default() }.into();
        after.water = Some(Default::default());
        // Meanwhile others have changed neighbouring fields.
        let mut now = after.clone();
        now.sky.as_mut().unwrap().time = 20.0;
        now.scatter.as_mut().unwrap().kinds[0].density = 0.25;
        now.scatter.as_mut().unwrap().kinds[1].tint[1] = 0.5;
        now.terrain.seed = 9;
        let mut expected = before.clone();
        expected.sky.as_mut().unwrap().time = 20.0;
        expected.scatter.as_mut().unwrap().kinds[0].density = 0.25;
        expected.scatter.as_mut().unwrap().kinds[1].tint[1] = 0.5;
        expected.terrain.seed = 9;
        let unchanged = now.clone();
        merge(&after, &before, &mut now);
        assert_eq!(now, expected);
        merge(&before, &after, &mut now);
        assert_eq!(now, unchanged);
    }
}
