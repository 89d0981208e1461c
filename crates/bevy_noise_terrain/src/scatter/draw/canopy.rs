//! What of trees is seen beyond the last drawn tree: see `render/ground/canopy.wgsl`.

use super::pages::Layer;
use super::shapes::Shape;
use crate::patches::PatchesRecord;
use crate::render::{CanopyRecord, CanopyUniforms, MAX_CANOPIES};
use crate::scatter::placement::Rule;
use crate::terrain::TerrainOrigin;

/// Share of the circle around a crown that the crown fills.
const FILLED: f32 = 0.7;

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
}

/// The canopies of the far band's layers and rules.
pub fn canopies<'a>(far: impl Iterator<Item = (&'a Layer, &'a Rule)>, origin: &TerrainOrigin) -> CanopyUniforms {
    let mut uniforms = CanopyUniforms::default();
    for (record, (layer, rule)) in uniforms.canopies.iter_mut().zip(far.take(MAX_CANOPIES)) {
        *record = canopy(layer, rule, origin);
        uniforms.count += 1;
    }
    uniforms
}

fn canopy(layer: &Layer, rule: &Rule, origin: &TerrainOrigin) -> CanopyRecord {
    let (kind, crown) = (&layer.kind, &layer.crown);
    // The mean of the squares of sizes that are spread evenly.
    let (low, high) = (kind.min_size, kind.max_size);
    let square = (low * low + low * high + high * high) / 3.0;
    let widen = layer.reach.widen;
    let habitat = rule.habitat();
    CanopyRecord {
        color: std::array::from_fn(|channel| crown.color[channel] * kind.tint[channel]),
        top: rule.density() * square * crown.top * widen * widen,
        side: rule.density() * square * crown.side * widen,
        reach: layer.reach.to,
        spread: 1.0 - layer.reach.full_share,
        padding: 0.0,
        height: [kind.min_height, kind.max_height, 1.0 / kind.height_fade.max(1e-3), 0.0],
        slope: [habitat.slopes[0], habitat.slopes[1], 0.0, 0.0],
        moisture: habitat.moisture,
        temperature: habitat.temperature,
        patches: PatchesRecord::new(rule.mask.as_ref(), [origin.x, origin.z]),
    }
}
