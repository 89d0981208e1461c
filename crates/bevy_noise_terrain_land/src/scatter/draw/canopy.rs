//! What of trees, bushes and rocks is seen beyond the last one that is drawn: see `render/ground/canopy.wesl`.

use super::pages::Layer;
use super::shapes::Shape;
use crate::patches::PatchesRecord;
use crate::render::{CanopyRecord, CanopyUniforms};
use crate::scatter::placement::Rule;
use crate::scatter::settings::ScatterKind;
use crate::scatter::shape::ScatterShape;
use crate::terrain::TerrainOrigin;

/// Share of the circle around a crown that the crown fills.
const FILLED: f32 = 0.7;
/// Kinds that hide less of the ground than this from eyes low over it are not seen from afar.
const NEGLIGIBLE: f32 = 0.01;
/// Kinds whose crowns cover less of the ground than this from above are as dense everywhere as on average: a pixel need not ask
/// for groups that hardly tint it.
const SCANTY: f32 = 0.06;
/// Sideways metres of such a look for each metre that it falls; `STEEPEST` in `wood_light.wesl`.
const LOW: f32 = 5.0;

/// A crown: mean colour, and areas from above and from the side for a tree of one metre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crown {
    color: [f32; 3],
    top: f32,
    side: f32,
}

impl Crown {
    /// The mean crown of some shapes.
    pub fn of(shapes: &[Shape]) -> Self {
        let corners = || shapes.iter().flat_map(|shape| &shape.corners);
        let count = corners().count().max(1) as f32;
        let color = corners().map(|corner| corner.color).sum::<bevy::math::Vec3>() / count;
        let reach = |shape: &Shape| {
            shape.corners.iter().map(|corner| corner.position.x.hypot(corner.position.z)).fold(0.0, f32::max)
        };
        let radius = shapes.iter().map(reach).sum::<f32>() / shapes.len().max(1) as f32;
        // From the side: between a cone and an ellipse, a metre high.
        Self { color: color.to_array(), top: FILLED * std::f32::consts::PI * radius * radius, side: 1.2 * radius }
    }

    /// Optical depth of a wood of a kind in the best conditions, for a sun at 45 degrees.
    pub fn shade(&self, kind: &ScatterKind) -> f32 {
        opacity(&kind.shape) * kind.density * mean_square(kind) * (self.top + self.side)
    }
}

/// How much of the light that meets a crown does not come through: so much that woods without shadow maps are as dark as with
/// them, which the test `wood_light` measures.
fn opacity(shape: &ScatterShape) -> f32 {
    match shape {
        ScatterShape::Broadleaf | ScatterShape::Bush => 0.6,
        _ => 1.0,
    }
}

/// The mean of the squares of a kind's sizes, which are spread evenly.
fn mean_square(&ScatterKind { min_size: low, max_size: high, .. }: &ScatterKind) -> f32 {
    (low * low + low * high + high * high) / 3.0
}

/// The canopies of all bands' layers and rules. Near trees that the far band continues have no area here: their `widen` is 0.
pub fn canopies<'a>(kinds: impl Iterator<Item = (&'a Layer, &'a Rule)>, origin: &TerrainOrigin) -> CanopyUniforms {
    let hidden = |canopy: &CanopyRecord| canopy.top + LOW * canopy.side;
    let mut records: Vec<_> = kinds
        .filter(|(layer, _)| is_seen_from_afar(&layer.kind.shape))
        .map(|(layer, rule)| canopy(layer, rule, origin))
        .filter(|record| hidden(record) > NEGLIGIBLE)
        .collect();
    records.sort_by(|a, b| hidden(b).total_cmp(&hidden(a)));
    let mut uniforms = CanopyUniforms::default();
    for (place, record) in uniforms.canopies.iter_mut().zip(records) {
        *place = record;
        uniforms.count += 1;
    }
    uniforms
}

/// Grass ends where the ground's own colour stands for it, and what a user's mesh looks like is not known.
fn is_seen_from_afar(shape: &ScatterShape) -> bool {
    use ScatterShape::{Broadleaf, Bush, Conifer, Rock};
    matches!(shape, Rock | Conifer | Broadleaf | Bush)
}

fn canopy(layer: &Layer, rule: &Rule, origin: &TerrainOrigin) -> CanopyRecord {
    let (kind, crown) = (&layer.kind, &layer.crown);
    let square = mean_square(kind);
    let widen = layer.reach.widen;
    let habitat = rule.habitat();
    let [shade_from, shade_to] = layer.shade_span();
    let mut density = rule.density();
    let mut patches = PatchesRecord::new(rule.mask.as_ref(), [origin.x, origin.z]);
    if density * square * crown.top < SCANTY {
        density *= patches.mean();
        patches = PatchesRecord::default();
    }
    CanopyRecord {
        color: std::array::from_fn(|channel| crown.color[channel] * kind.tint[channel]),
        top: density * square * crown.top * widen * widen,
        side: density * square * crown.side * widen,
        reach: layer.reach.to,
        spread: 1.0 - layer.reach.full_share,
        ground_color: if kind.shape == ScatterShape::Rock { kind.ground_color } else { 0.0 },
        height: [kind.min_height, kind.max_height, 1.0 / kind.height_fade.max(1e-3), opacity(&kind.shape)],
        slope: [habitat.slopes[0], habitat.slopes[1], shade_from, shade_to],
        moisture: habitat.moisture,
        temperature: habitat.temperature,
        patches,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scatter::draw::bands::{Band, Share, shares};
    use crate::scatter::draw::pages::CLIFF;
    use crate::scatter::draw::shapes::Model;

    const WIDTHS: [f64; 2] = [64.0, 256.0];

    fn canopies_of(kinds: &[ScatterKind]) -> CanopyUniforms {
        let layer = |Share { band, index, kind, reach }: Share| {
            let model = Model::of(&kind.shape).unwrap();
            let rule = Rule::new(index, &kind, WIDTHS[usize::from(band == Band::Far)], 400);
            (Layer::new(&kind, index, rule.lattice, &model, reach, 1), rule)
        };
        let layers: Vec<_> = shares(kinds, WIDTHS[0], WIDTHS[1]).into_iter().map(layer).collect();
        canopies(layers.iter().map(|(layer, rule)| (layer, rule)), &TerrainOrigin::default())
    }

    fn bush() -> ScatterKind {
        ScatterKind { density: 0.03, distance: 600.0, ..ScatterKind::bush() }
    }

    #[test]
    fn each_kind_is_seen_beyond_the_band_that_shows_it_furthest() {
        let tree = ScatterKind { distance: 5_000.0, ..ScatterKind::conifer() };
        let boulder = ScatterKind { density: 0.04, distance: 400.0, ground_color: 0.8, ..ScatterKind::rock() };
        let found = canopies_of(&[ScatterKind::grass(), boulder, bush(), tree]);
        assert_eq!(found.count, 3);
        let records = &found.canopies[..3];
        let mut reaches: Vec<_> = records.iter().map(|record| (record.reach, record.ground_color)).collect();
        reaches.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert_eq!(reaches, [(400.0, 0.8), (600.0, 0.0), (5_000.0, 0.0)]);
    }

    #[test]
    fn shade_sets_in_where_shadows_end() {
        let tree = ScatterKind { distance: 5_000.0, ..ScatterKind::conifer() };
        let span = |kind: ScatterKind| {
            let [.., from, to] = canopies_of(&[kind]).canopies[0].slope;
            [from, to]
        };
        assert_eq!(span(tree.clone()), [900.0, 1_200.0], "far trees are in no shadow map");
        assert_eq!(span(ScatterKind { full_share: 0.5, shadows: true, ..bush() }), [300.0, 600.0]);
        assert_eq!(span(ScatterKind { shadows: false, ..tree }), [f32::MAX; 2]);
    }

    #[test]
    fn kinds_that_cover_next_to_nothing_are_left_out_and_of_many_the_densest_stay() {
        assert_eq!(canopies_of(&[ScatterKind { density: 1e-4, ..bush() }]).count, 0);
        let many: Vec<_> = (1..=12).map(|count| ScatterKind { density: 0.01 * count as f32, ..bush() }).collect();
        let found = canopies_of(&many);
        assert_eq!(found.count as usize, found.canopies.len());
        assert!(found.canopies.is_sorted_by(|a, b| a.top > b.top));
        let densest = canopies_of(&many[11..]).canopies[0];
        assert_eq!(found.canopies[0], densest);
    }

    #[test]
    fn the_shader_has_the_same_constants() {
        let (canopy, light) =
            (include_str!("../../render/ground/canopy.wesl"), include_str!("../../gpu/wood_light.wesl"));
        assert!(canopy.contains(&format!("const CLIFF: f32 = {CLIFF};")));
        assert!(light.contains(&format!("const STEEPEST: f32 = {LOW:.1};")));
    }
}
