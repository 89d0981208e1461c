//! Seeds of the parts of a tree: no two parts have the same random numbers.

use std::collections::HashMap;

use crate::lattice::derive;
use crate::noise::Noise;

/// Keeps the seeds of repeated parts apart from those of octaves.
const FURTHER: u64 = 0x1_0000;

/// The seeds given out so far.
#[derive(Default)]
pub(super) struct Seeds<'a> {
    /// For each seed the parts that would get it, in the order in which they were met.
    parts: HashMap<u64, Vec<&'a Noise>>,
}

impl<'a> Seeds<'a> {
    /// The seed of a part, from the seed `place` of its place in the tree and its `own`. The first part to
    /// get a seed keeps it, as if it were alone.
    pub fn of(&mut self, part: &'a Noise, place: u64, own: u64) -> u64 {
        // Keeps a part's own seed apart from the constants that derive seeds of places.
        let seed = derive(place, own.wrapping_add(0x1_0000_0000));
        let parts = self.parts.entry(seed).or_default();
        // Gullies compile their land twice, for the grid and for their lattice: it is the same part each time.
        let before = parts.iter().position(|known| std::ptr::eq(*known, part)).unwrap_or_else(|| {
            parts.push(part);
            parts.len() - 1
        });
        if before == 0 { seed } else { derive(seed, FURTHER + before as u64) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::prelude::*;

    /// The keys of all lattices of a compiled tree, and how often each is there.
    fn keys(noise: &Noise) -> BTreeMap<String, usize> {
        let compiled = format!("{:?}", noise.build(1).unwrap().root);
        let mut keys = BTreeMap::new();
        for key in compiled.split("Key(").skip(1) {
            *keys.entry(key.split(')').next().unwrap().to_owned()).or_default() += 1;
        }
        keys
    }

    #[test]
    fn every_octave_of_a_tree_has_random_numbers_of_its_own() {
        let part = || Noise::from(simplex().fbm().octaves(3));
        let single = || Noise::from(simplex());
        for (name, lattices, noise) in [
            ("sum", 12, part().add(part()).add(part()).add(part())),
            ("single and fractal", 5, single().add(part()).add(single())),
            ("warp of warp", 3 + 2 * 9, part().warp(part(), 1.0).warp(part(), 1.0)),
            ("warp by a sum", 3 + 18, part().warp(part().add(part()), 1.0)),
            ("swirl and warp", 3 + 3 + 9, part().swirl(part(), 1.0).warp(part(), 1.0)),
            ("blends", 9, single().blend(single(), single()).blend(single(), single()).min(single()).add(part())),
            ("dunes", 3, dunes(9.0).add(dunes(9.0)).max(dunes(9.0))),
            ("damped", 18, Noise::from(simplex().damped()).add(simplex().damped())),
        ] {
            let keys = keys(&noise);
            assert_eq!(keys.len(), lattices, "{name}");
            assert!(keys.values().all(|&times| times == 1), "{name}: {keys:?}");
        }
    }

    #[test]
    fn gullies_see_one_land_all_around_and_have_other_numbers() {
        let land = || Noise::from(simplex()).add(simplex()).add(simplex()).warp(simplex().add(simplex()), 1.0);
        let carved = Noise::from(land().gullies(9.0, 90.0));
        let mut expected = keys(&land());
        expected.values_mut().for_each(|times| *times *= 2);
        for (key, times) in keys(&carved) {
            assert_eq!(times, expected.remove(&key).unwrap_or(1), "{key}");
        }
        assert!(expected.is_empty(), "{expected:?}");
        // Gullies on gullies: the inner ones are part of the land.
        let twice = keys(&carved.gullies(3.0, 30.0).into());
        assert_eq!(twice.values().filter(|&&times| times == 1).count(), 5, "{twice:?}");
        assert_eq!(twice.values().filter(|&&times| times == 2).count(), 5, "{twice:?}");
    }
}
