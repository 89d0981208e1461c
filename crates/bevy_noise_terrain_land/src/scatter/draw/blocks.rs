//! The objects of a cell in blocks, as pages hold them.

use super::removal::Removal;
use crate::scatter::placement::{Cell, Instance, PlaceScratch, PlacementContext, Rule, SampledGround};

/// The objects of one square part of a cell, sorted by rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Index of the part along x and z.
    pub index: [u16; 2],
    /// At most [`Lattice::capacity`] objects.
    pub instances: Vec<Instance>,
}

/// The result of a job for one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// Lowest and highest ground.
    pub heights: [f32; 2],
    /// For each requested kind: its index and its non-empty blocks.
    pub kinds: Vec<(usize, Vec<Block>)>,
}

impl Placed {
    /// Bytes of its objects.
    pub fn bytes(&self) -> usize {
        let blocks = self.kinds.iter().flat_map(|(_, blocks)| blocks);
        blocks.map(|block| block.instances.len() * size_of::<Instance>()).sum()
    }
}

/// The objects of the kinds whose bits are set in `kinds` in `cell`, without those that are removed.
pub fn place(
    context: &PlacementContext,
    removal: &Removal,
    cell: Cell,
    kinds: u32,
    scratch: &mut PlaceScratch,
) -> Placed {
    let mut placed = Vec::new();
    let heights = context.visit(cell, kinds, scratch, |index, rule, ground| {
        placed.push((index, fill(rule, cell, ground, removal.in_cell(rule, cell, context.quads))));
    });
    Placed { heights, kinds: placed }
}

/// The non-empty blocks of a cell.
fn fill(rule: &Rule, cell: Cell, ground: &SampledGround, is_gone: impl Fn(u32, [f32; 2]) -> bool) -> Vec<Block> {
    let blocks = rule.lattice.blocks();
    let mut filled = Vec::new();
    for index in (0..blocks).flat_map(|z| (0..blocks).map(move |x| [x, z])) {
        let objects = rule.objects(cell, index.map(|index| rule.lattice.block(index)), ground);
        let mut instances: Vec<Instance> = objects
            .filter(|(candidate, instance)| !is_gone(*candidate, instance.place))
            .map(|(_, instance)| instance)
            .collect();
        if !instances.is_empty() {
            instances.sort_by_key(|instance| instance.rank);
            filled.push(Block { index: index.map(|index| index as u16), instances });
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::NoiseTerrain;
    use crate::scatter::{RemovedScatter, ScatterId, ScatterKind, ScatterMap, TerrainScatter};
    use crate::source::NoiseSource;

    const WIDTH: f64 = 64.0;

    fn context(kind: &ScatterKind, quads: u32, most: u32) -> PlacementContext {
        let noise = terrain_noise::constant(5.0).build(1).unwrap();
        let rules = [Rule::new(0, kind, f64::from(quads), most)].into();
        PlacementContext {
            source: Arc::new(NoiseSource(noise)),
            climate: Default::default(),
            spacing: 1.0,
            quads,
            rules,
        }
    }

    fn instances(context: &PlacementContext, removal: &Removal, cell: Cell) -> Vec<Instance> {
        let placed = place(context, removal, cell, 1, &mut PlaceScratch::default());
        placed.kinds[0].1.iter().flat_map(|block| block.instances.clone()).collect()
    }

    #[test]
    fn blocks_hold_no_more_than_a_page_by_rising_rank() {
        for (density, most) in [(5.0, 900), (0.02, 40), (64.0, 1_024), (0.0001, 64), (0.1, 7)] {
            let kind = ScatterKind { density, ..ScatterKind::grass() };
            let context = context(&kind, 64, most);
            let lattice = context.rules[0].lattice;
            assert!(lattice.capacity() <= most, "{lattice:?}");
            let placed = place(&context, &Removal::default(), [7, -2], 1, &mut PlaceScratch::default());
            let width = lattice.block_width(WIDTH) as f32;
            for block in &placed.kinds[0].1 {
                assert!(block.instances.len() <= lattice.capacity() as usize);
                assert!(block.instances.is_sorted_by_key(|instance| instance.rank));
                for instance in &block.instances {
                    for axis in 0..2 {
                        let at = instance.place[axis] / width - f32::from(block.index[axis]);
                        assert!((-1e-3..=1.001).contains(&at), "{at}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_map_has_what_is_drawn_and_nothing_that_is_removed() {
        let kind = ScatterKind { density: 0.05, max_slope: 1.5, ..ScatterKind::conifer() };
        let terrain = NoiseTerrain { noise: terrain_noise::constant(5.0), ..Default::default() };
        let scatter = TerrainScatter { kinds: vec![kind.clone()], ..Default::default() };
        let map = ScatterMap::new(&scatter, &terrain.surface().unwrap()).unwrap();
        let (cell, min, max) = ([-3, 2], [-192.0, 128.0], [-128.0, 192.0]);
        let context = context(&kind, 64, 13);
        let sorted = |mut places: Vec<[f32; 2]>| {
            places.sort_by(|a, b| a.partial_cmp(b).unwrap());
            places
        };
        let drawn =
            |removal| sorted(instances(&context, &removal, cell).iter().map(|instance| instance.place).collect());
        let told = |map: &ScatterMap| {
            let places = map.objects(min, max, |_| true);
            sorted(
                places
                    .map(|object| [(object.position.x - min[0]) as f32, (object.position.z - min[1]) as f32])
                    .collect(),
            )
        };
        let all: Vec<ScatterId> = map.objects(min, max, |_| true).map(|object| object.id).collect();
        assert!(all.len() > 100, "{}", all.len());
        assert_eq!(drawn(Removal::default()), told(&map));
        let removed: RemovedScatter = all.iter().copied().step_by(3).collect();
        let left = told(&map.clone().without(&removed));
        assert_eq!(left.len(), all.len() - removed.len());
        assert_eq!(drawn(Removal::near(removed)), left);
    }

    #[test]
    fn far_trees_leave_where_near_ones_are_gone() {
        let near = ScatterKind { density: 0.05, ..ScatterKind::conifer() };
        let rules = context(&near, 64, 100).rules;
        let far = context(&ScatterKind { density: 0.02, ..near.clone() }, 256, 100);
        let all: Vec<ScatterId> = {
            let terrain = NoiseTerrain { noise: terrain_noise::constant(5.0), ..Default::default() };
            let scatter = TerrainScatter { kinds: vec![near], ..Default::default() };
            let map = ScatterMap::new(&scatter, &terrain.surface().unwrap()).unwrap();
            // The western half of the far cell, and what is around it.
            map.objects([-300.0, -300.0], [-128.0, 300.0], |_| true).map(|object| object.id).collect()
        };
        let before = instances(&far, &Removal::default(), [-1, -1]);
        let removed: RemovedScatter = all.into_iter().collect();
        let mut removal = Removal::far(RemovedScatter::default(), rules, 64);
        assert!(removal.replace(&removed, 256).iter().any(|(cell, kinds)| *cell == [-1, -1] && *kinds == 1));
        let after = instances(&far, &removal, [-1, -1]);
        let west = |of: &[Instance]| of.iter().filter(|instance| instance.place[0] < 120.0).count();
        let east = |of: &[Instance]| of.iter().filter(|instance| instance.place[0] > 140.0).count();
        assert!(10 * west(&after) < 2 * west(&before), "{} of {} are left", west(&after), west(&before));
        assert_eq!(east(&after), east(&before));
    }
}
