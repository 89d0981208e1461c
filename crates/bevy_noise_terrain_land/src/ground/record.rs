//! From the settings of a layer to its record.

use super::{GroundLayer, LayerSpan};
use crate::climate::TerrainClimate;
use crate::layers::LayerRecord;
use crate::span::{ENDLESS, span};
use crate::terrain::TerrainOrigin;

/// Factor between the scales at which textures are drawn: there is detail at every distance, and each scale fades out
/// before its tiles show.
const WIDER: f64 = 13.7;

impl LayerRecord {
    /// `mean` is the layer of the array textures and their mean linear albedo, if they are loaded.
    pub(super) fn new(
        layer: &GroundLayer,
        climate: &TerrainClimate,
        origin: &TerrainOrigin,
        mean: Option<(u32, [f32; 3])>,
    ) -> Self {
        let (mut moisture, mut temperature) = (layer.moisture, layer.temperature);
        climate.narrow(&layer.biome, &mut moisture, &mut temperature);
        let color = layer.color.to_linear();
        let color = [color.red, color.green, color.blue];
        let (index, scale) = match mean {
            Some((index, mean)) => (index as f32, [0, 1, 2].map(|axis| color[axis] / mean[axis].max(1e-3))),
            None => (-1.0, color),
        };
        let sine = LayerSpan { from: slope_sine(layer.slope.from), to: slope_sine(layer.slope.to), ..layer.slope };
        let tiles = |metres: f64| {
            let offset = [origin.x, origin.z].map(|origin| (origin / metres).rem_euclid(1.0) as f32);
            [1.0 / metres as f32, 0.0, offset[0], offset[1]]
        };
        let tile = f64::from(layer.tile);
        Self {
            color: [color[0], color[1], color[2], layer.bump],
            scale: [scale[0], scale[1], scale[2], index],
            spans: [
                span(layer.height, layer.variation),
                span(sine, layer.strata),
                span(layer.curvature, 1.0 / layer.bed),
                span(moisture, f32::from(layer.patches.is_some())),
                span(temperature, 0.0),
            ],
            scales: [tile / WIDER, tile, tile * WIDER, tile * WIDER * WIDER].map(tiles),
        }
    }
}

/// Sine of a slope; ends at level or vertical become unbounded.
fn slope_sine(slope: f32) -> f32 {
    match slope {
        slope if slope <= 0.0 => -ENDLESS,
        slope if slope >= std::f32::consts::FRAC_PI_2 => ENDLESS,
        slope => libm::sinf(slope),
    }
}

#[cfg(test)]
mod tests {
    use bevy::prelude::default;

    use super::*;

    #[test]
    fn tiles_stay_where_they_are_when_the_origin_moves() {
        let layer = GroundLayer { tile: 3.0, ..default() };
        let place = |origin: f64, local: f64| {
            let near = LayerRecord::new(&layer, &default(), &TerrainOrigin { x: origin, z: 0.0 }, None).scales[1];
            (local * f64::from(near[0]) + f64::from(near[2])).rem_euclid(1.0)
        };
        assert!((place(0.0, 8_192.5) - place(8_192.0, 0.5)).abs() < 1e-3);
        assert!((place(1e9, 8_192.5) - place(1e9 + 8_192.0, 0.5)).abs() < 1e-3);
    }
}
