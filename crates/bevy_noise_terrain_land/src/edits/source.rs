//! Heights with edits.

use std::any::Any;
use std::sync::Arc;

use terrain_noise::{Grid, Scratch};

use super::holes::{HoleSet, LandHoles, Outline};
use super::land::LandEdits;
use super::points::Points;
use super::prepared::Prepared;
use super::tree::{EditTree, Effect, Item, Rect};
use crate::source::HeightSource;
#[cfg(feature = "scatter")]
use crate::source::NoiseSource;

/// A list of points with more edits than this is split.
const MOST_EDITS: usize = 64;

/// The heights of another source, with edits; and the holes of the land, which leave heights as they are.
#[derive(Clone)]
pub(crate) struct EditedSource {
    base: Arc<dyn HeightSource>,
    land: LandEdits,
}

impl EditedSource {
    /// The land of `base` with `land`: `base` itself if nothing is changed.
    pub fn compose(base: &Arc<dyn HeightSource>, land: &LandEdits) -> Arc<dyn HeightSource> {
        if land.is_empty() {
            return base.clone();
        }
        Arc::new(Self { base: base.clone(), land: land.clone() })
    }

    /// The edits.
    pub fn edits(&self) -> &EditTree {
        &self.land.edits
    }

    /// The holes of a source; `None` if it has none.
    pub fn holes_of(source: &dyn HeightSource) -> Option<LandHoles<'_>> {
        let edited = <dyn Any>::downcast_ref::<Self>(source)?;
        (!edited.land.holes.is_empty()).then(|| edited.land.holes.on(edited.base.as_ref()))
    }

    /// The snapshot of the holes of a source.
    pub fn hole_set_of(source: &dyn HeightSource) -> HoleSet {
        <dyn Any>::downcast_ref::<Self>(source).map(|edited| edited.land.holes.clone()).unwrap_or_default()
    }

    /// The same land with other holes.
    pub fn with_holes(source: &Arc<dyn HeightSource>, holes: HoleSet) -> Arc<dyn HeightSource> {
        let (base, edits) = match <dyn Any>::downcast_ref::<Self>(source.as_ref()) {
            Some(Self { base, land }) => (base, land.edits.clone()),
            None => (source, EditTree::default()),
        };
        Self::compose(base, &LandEdits { edits, holes })
    }

    fn edit(&self, points: &Points, scratch: &mut Scratch, heights: &mut [f32]) {
        let Some((rect, items)) = points.rect().map(|rect| (rect, self.items(&rect, points.footprint()))) else {
            return;
        };
        if items.is_empty() {
            return self.sample(points, scratch, heights);
        }
        if let Points::List { positions, footprint } = *points
            && items.len() > MOST_EDITS
            && positions.len() > 1
        {
            // Points far apart have few edits in common.
            let (first, second) = positions.split_at(positions.len() / 2);
            let (low, high) = heights.split_at_mut(first.len());
            self.edit(&Points::List { positions: first, footprint }, scratch, low);
            return self.edit(&Points::List { positions: second, footprint }, scratch, high);
        }
        let scales = scales(&items, points.footprint());
        let mut edits = by_edit(&items);
        // What lies under a level area that covers everything need not be looked at.
        let widest = scales.iter().copied().fold(0.0, f64::max);
        let hidden = edits.iter().rposition(|(edit, _)| edit.hides(&rect, widest));
        edits.drain(..hidden.unwrap_or(0));
        // The same land as each scale shows it, finest first.
        let mut layers: Vec<Vec<f32>> = scales
            .iter()
            .map(|&scale| {
                let mut layer = vec![0.0; heights.len()];
                if hidden.is_none() {
                    self.sample(&points.at(scale), scratch, &mut layer);
                }
                layer
            })
            .collect();
        for (edit, parts) in &edits {
            let to = match edit.smooths() {
                None => None,
                // What samples this far apart do not show need not be smoothed away.
                Some(scale) if scale <= scales[0] => continue,
                Some(scale) => scales.iter().position(|&other| other == scale),
            };
            let smoother = to.map(|to| layers[to].clone());
            for (layer, &scale) in layers[..to.unwrap_or(scales.len())].iter_mut().zip(&scales) {
                edit.apply(parts, &points.at(scale), smoother.as_deref(), scratch, layer);
            }
        }
        heights.copy_from_slice(&layers[0]);
    }

    /// The edits that matter within a rectangle: those that reach it, and what these smooth together.
    fn items(&self, rect: &Rect, footprint: f64) -> Vec<Item> {
        let mut widest = footprint;
        loop {
            let items = self.land.edits.items(Effect::Heights, &rect.grown(0.5 * (widest - footprint)), footprint);
            let next = scales(&items, footprint).into_iter().fold(widest, f64::max);
            if next == widest {
                return items;
            }
            widest = next;
        }
    }

    /// Samples the land without edits.
    fn sample(&self, points: &Points, scratch: &mut Scratch, heights: &mut [f32]) {
        match points {
            Points::Grid(grid) => self.base.fill(grid, scratch, heights),
            // A list of one takes longer than one height.
            Points::List { positions: [position], footprint } => {
                heights.fill(self.base.height(*position, *footprint));
            }
            Points::List { positions, footprint } => self.base.fill_points(positions, *footprint, scratch, heights),
        }
    }
}

/// Edits and holes that take plants away within a rectangle.
pub struct Clearings {
    edits: Vec<Item>,
    holes: Vec<Arc<Outline>>,
    source: EditedSource,
}

impl Clearings {
    /// Those of a source; `None` if there are none.
    pub fn within(source: &dyn HeightSource, rect: &Rect) -> Option<Self> {
        let edited = <dyn Any>::downcast_ref::<EditedSource>(source)?;
        let edits = &edited.land.edits;
        let (edits, holes) =
            (edits.items(Effect::Plants, rect, 0.0), edited.land.holes.on(edited.base.as_ref()).within(rect));
        (!edits.is_empty() || !holes.is_empty()).then(|| Self { edits, holes, source: edited.clone() })
    }

    /// Whether plants are taken away at a position.
    pub fn contains(&self, at: [f64; 2]) -> bool {
        self.edits.iter().any(|item| item.edit.strength(&item.part, at) >= 0.5)
            || self.holes.iter().any(|hole| hole.is_hole(at, &self.source))
    }
}

/// The footprints at which the land is needed: that of the samples, and those that edits smooth to. In rising order.
fn scales(items: &[Item], footprint: f64) -> Vec<f64> {
    let mut scales: Vec<f64> = items.iter().filter_map(|item| item.edit.smooths()).collect();
    scales.retain(|&scale| scale > footprint);
    scales.sort_by(f64::total_cmp);
    scales.dedup();
    scales.insert(0, footprint);
    scales
}

/// The parts of each edit together, in the order of the edits.
pub(super) fn by_edit(items: &[Item]) -> Vec<(&Prepared, &[Item])> {
    items.chunk_by(|a, b| a.order == b.order).map(|items| (items[0].edit.as_ref(), items)).collect()
}

impl HeightSource for EditedSource {
    fn fill(&self, grid: &Grid, scratch: &mut Scratch, heights: &mut [f32]) {
        self.edit(&Points::Grid(*grid), scratch, heights);
    }

    fn height(&self, position: [f64; 2], footprint: f64) -> f32 {
        let mut height = [0.0];
        self.fill_points(&[position], footprint, &mut Scratch::default(), &mut height);
        height[0]
    }

    fn fill_points(&self, positions: &[[f64; 2]], footprint: f64, scratch: &mut Scratch, heights: &mut [f32]) {
        self.edit(&Points::List { positions, footprint }, scratch, heights);
    }
}

/// Whether two sources return the same heights everywhere. Noises are compared by their compiled form; any other source
/// only equals itself.
#[cfg(feature = "scatter")]
pub fn is_same_land(a: &Arc<dyn HeightSource>, b: &Arc<dyn HeightSource>) -> bool {
    let noise = |source: &dyn Any| source.downcast_ref::<NoiseSource>().map(|NoiseSource(noise)| format!("{noise:?}"));
    let is_same = || noise(a.as_ref()).is_some_and(|a| Some(a) == noise(b.as_ref()));
    let edited = |source| <dyn Any>::downcast_ref::<EditedSource>(source);
    let are_both_edited = || {
        let both = edited(a.as_ref()).zip(edited(b.as_ref()));
        both.is_some_and(|(a, b)| a.land.is(&b.land) && is_same_land(&a.base, &b.base))
    };
    Arc::ptr_eq(a, b) || is_same() || are_both_edited()
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use proptest::prelude::*;
    use terrain_noise::{Compose, perlin};

    use super::*;
    use crate::NoiseTerrain;
    use crate::edits::{Edit, EditAction, EditArea, StampImage, TerrainEdits};
    use crate::source::NoiseSource;

    #[cfg(feature = "scatter")]
    #[test]
    fn land_is_the_same_by_its_noise_and_seed() {
        let land = |terrain: &NoiseTerrain| -> Arc<dyn HeightSource> {
            Arc::new(NoiseSource(terrain.noise.build(terrain.seed).unwrap()))
        };
        let terrain = NoiseTerrain::default();
        let began = std::time::Instant::now();
        assert!(is_same_land(&land(&terrain), &land(&terrain)));
        println!("compared in {:?}", began.elapsed());
        let other_seed = NoiseTerrain { seed: 2, ..terrain.clone() };
        assert!(!is_same_land(&land(&terrain), &land(&other_seed)));
        let higher =
            NoiseTerrain { noise: terrain.noise.clone().add(terrain_noise::constant(1e-6)), ..terrain.clone() };
        assert!(!is_same_land(&land(&terrain), &land(&higher)));
    }

    /// Some checks.
    fn checks() -> StampImage {
        StampImage::new([9, 7], &(0..63).map(|pixel| pixel % 2 * 60_000).collect::<Vec<u16>>()).unwrap()
    }

    /// An edit of any kind near the origin.
    fn edit() -> impl Strategy<Value = Edit> {
        let at = (-120.0..120.0f64, -9.0..9.0f64, -120.0..120.0f64).prop_map(DVec3::from);
        (at, 0.05..90.0f64, 0.0..60.0f64, 0u32..8).prop_map(|(at, radius, falloff, kind)| {
            let edit = match kind {
                0 => Edit::raise(at, radius, 7.0),
                1 => Edit::flatten(at, radius),
                2 => Edit::flatten(at, radius).with_action(EditAction::Flatten { height: 3.0, slope: [0.25, -0.5] }),
                3 => Edit::smooth(at, radius, 6.0),
                4 => Edit::smooth(at, radius, 40.0),
                5 => Edit::stamp(at, radius, checks(), 6.0).turned(radius),
                6 => Edit::add(at, radius, perlin().fbm().octaves(3).feature_size(9.0), 5),
                _ => Edit::path([at, DVec3::new(-at.z, 4.0, at.x), 0.5 * at], 0.3 * radius).shoulder(0.1 * radius),
            };
            edit.falloff(falloff)
        })
    }

    proptest! {
        #[test]
        fn heights_depend_on_the_place_alone(
            edits in prop::collection::vec(edit(), 1..24),
            start in (-60i64..40, -60i64..40),
            size in (1usize..60, 1usize..60),
            level in 0u32..6,
            far in prop::bool::ANY,
        ) {
            // Far out, coordinates still are exact to less than a millimetre.
            let shift = if far { 1e9 } else { 0.0 };
            let mut list = TerrainEdits::default();
            for mut edit in edits {
                match &mut edit.area {
                    EditArea::Disc { center, .. } => center[0] += shift,
                    EditArea::Path { points, .. } => points.iter_mut().for_each(|point| point[0] += shift),
                }
                list.apply(edit).unwrap();
            }
            let noise = perlin().fbm().octaves(4).feature_size(80.0).scale(30.0);
            let base: Arc<dyn HeightSource> = Arc::new(NoiseSource(noise.build(9).unwrap()));
            let source = EditedSource::compose(&base, &list.tree().clone().into());
            let spacing = f64::from(1u32 << level);
            let grid = Grid::new([start.0 + (shift / spacing) as i64, start.1], spacing, [size.0, size.1]);
            let (mut scratch, mut heights) = (Scratch::default(), vec![0.0; grid.len()]);
            source.fill(&grid, &mut scratch, &mut heights);
            let positions: Vec<[f64; 2]> =
                (0..grid.len()).map(|index| [grid.x(index % size.0), grid.z(index / size.0)]).collect();
            let mut listed = vec![0.0; grid.len()];
            source.fill_points(&positions, spacing, &mut scratch, &mut listed);
            prop_assert_eq!(&heights, &listed);
            for (&position, &height) in positions.iter().zip(&heights).step_by(7) {
                prop_assert_eq!(source.height(position, spacing), height);
            }
            // Nothing of what has been taken away is left.
            for id in list.iter().map(|(id, _)| id).collect::<Vec<_>>() {
                list.undo(id);
            }
            EditedSource::compose(&base, &list.tree().clone().into()).fill(&grid, &mut scratch, &mut heights);
            base.fill(&grid, &mut scratch, &mut listed);
            prop_assert_eq!(heights, listed);
        }
    }

    #[test]
    fn edits_are_applied_in_their_order_whenever_they_come() {
        let (raise, level) = (Edit::raise(DVec3::ZERO, 20.0, 5.0), Edit::flatten(DVec3::new(0.0, 40.0, 0.0), 20.0));
        let surface = NoiseTerrain::default().surface().unwrap();
        let height = |edits: &TerrainEdits| surface.with_edits(edits).height(3.0, 4.0);
        let mut edits = TerrainEdits::default();
        let first = edits.apply(raise.clone()).unwrap();
        edits.apply(level).unwrap();
        assert_eq!(height(&edits), 40.0);
        let last = edits.apply(raise).unwrap();
        assert_eq!(height(&edits), 45.0);
        let again = edits.undo(first).unwrap();
        edits.undo(last);
        assert_eq!(height(&edits), 40.0);
        edits.insert(first, again).unwrap();
        assert_eq!(height(&edits), 40.0, "it comes back before the others");
        assert!(edits.apply(Edit::raise(DVec3::ZERO, -1.0, 5.0)).is_err() && edits.len() == 2);
    }

    #[test]
    fn smoothing_leaves_out_what_is_fine() {
        let mut edits = TerrainEdits::default();
        edits.apply(Edit::smooth(DVec3::ZERO, 100.0, 64.0)).unwrap();
        let surface = NoiseTerrain::default().surface().unwrap();
        let land = surface.with_edits(&edits);
        let roughness = |land: &crate::Surface| -> f64 {
            let heights: Vec<f64> = (-40..40).map(|x| land.height(f64::from(x), 0.0)).collect();
            heights.windows(3).map(|h| (h[0] - 2.0 * h[1] + h[2]).abs()).sum()
        };
        assert!(roughness(&land) < 0.2 * roughness(&surface), "{} {}", roughness(&land), roughness(&surface));
        assert_eq!(land.height(200.0, 0.0), surface.height(200.0, 0.0));
    }
}
