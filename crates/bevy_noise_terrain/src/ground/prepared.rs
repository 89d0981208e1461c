//! Validates the settings and converts them to uniforms.

use bevy::prelude::*;

use super::{GroundLayer, GroundTextures, LayerSpan, TerrainGround};
use crate::render::{ENDLESS, GroundUniforms, LayerRecord, MAX_LAYERS, PatchesRecord};
use crate::settings;
use crate::terrain::TerrainOrigin;

/// Factor between the scales at which textures are drawn: there is detail at every distance, and each scale fades out
/// before its tiles show.
const WIDER: f64 = 13.7;

/// The last valid [`TerrainGround`] of a terrain.
#[derive(Component, Clone, Default)]
pub struct PreparedGround(TerrainGround);

/// Applies changed settings, or rejects invalid ones.
pub fn prepare_ground(
    mut commands: Commands,
    mut grounds: Query<(Entity, &TerrainGround, &mut PreparedGround), Changed<TerrainGround>>,
) {
    for (entity, ground, mut prepared) in &mut grounds {
        match ground.validate() {
            Ok(()) => prepared.0 = ground.clone(),
            Err(error) => settings::reject(&mut commands, Some(entity), error),
        }
    }
}

/// Updates the renderer's uniforms.
pub fn update_uniforms(mut grounds: Query<(&PreparedGround, &GroundTextures, &TerrainOrigin, &mut GroundUniforms)>) {
    for (ground, textures, origin, mut uniforms) in &mut grounds {
        uniforms.set_if_neq(ground.uniforms(origin, textures));
    }
}

impl PreparedGround {
    /// The last valid settings.
    pub fn ground(&self) -> &TerrainGround {
        &self.0
    }

    /// The settings as uniforms.
    fn uniforms(&self, origin: &TerrainOrigin, textures: &GroundTextures) -> GroundUniforms {
        let ground = &self.0;
        let mut layers = [LayerRecord::default(); MAX_LAYERS];
        for (record, layer) in layers.iter_mut().zip(&ground.layers) {
            *record = LayerRecord::new(layer, origin, textures.find(&layer.albedo, &layer.normal));
        }
        let flags = [ground.show_levels, ground.show_morph, ground.show_mesh];
        GroundUniforms {
            layers,
            patches: PatchesRecord::all(origin, ground.moisture_size),
            warmth: ground.warmth,
            softness: ground.softness,
            bump: ground.bump,
            detail_normals: ground.detail_normals,
            layer_count: ground.layers.len() as u32,
            flags: flags.iter().enumerate().map(|(bit, &is_on)| u32::from(is_on) << bit).sum(),
            padding: [0; 2],
        }
    }
}

impl LayerRecord {
    /// `mean` is the layer of the array textures and their mean linear albedo, if they are loaded.
    pub(super) fn new(layer: &GroundLayer, origin: &TerrainOrigin, mean: Option<(u32, [f32; 3])>) -> Self {
        let color = layer.color.to_linear();
        let color = [color.red, color.green, color.blue];
        let (index, scale) = match mean {
            Some((index, mean)) => (index as f32, [0, 1, 2].map(|axis| color[axis] / mean[axis].max(1e-3))),
            None => (-1.0, color),
        };
        let span = |span: LayerSpan| {
            let end = |end: f32| end.clamp(-ENDLESS, ENDLESS);
            [end(span.from), end(span.to), 1.0 / span.soft.max(1e-6), 0.0]
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
            spans: [span(layer.height), span(sine), span(layer.curvature), span(layer.moisture)],
            scales: [tile, tile * WIDER, tile * WIDER * WIDER].map(tiles),
        }
    }
}

/// Sine of a slope; ends at level or vertical become unbounded.
fn slope_sine(slope: f32) -> f32 {
    match slope {
        slope if slope <= 0.0 => -ENDLESS,
        slope if slope >= std::f32::consts::FRAC_PI_2 => ENDLESS,
        slope => slope.sin(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SettingsRejected;

    #[test]
    fn a_refused_ground_leaves_the_last_valid_one() {
        #[derive(Resource, Default)]
        struct Refused(Vec<(Option<Entity>, String)>);
        let mut app = App::new();
        app.init_resource::<Refused>().add_systems(Update, prepare_ground);
        app.add_observer(|rejected: On<SettingsRejected>, mut refused: ResMut<Refused>| {
            refused.0.push((rejected.entity, rejected.error.path.clone()));
        });
        let terrain = app.world_mut().spawn(TerrainGround { bump: 0.5, ..default() }).id();
        app.update();
        app.world_mut().get_mut::<TerrainGround>(terrain).unwrap().bump = -1.0;
        app.update();
        assert_eq!(app.world().get::<PreparedGround>(terrain).unwrap().ground().bump, 0.5);
        assert_eq!(app.world().resource::<Refused>().0, [(Some(terrain), "ground.bump".to_owned())]);
    }

    #[test]
    fn tiles_stay_where_they_are_when_the_origin_moves() {
        let layer = GroundLayer { tile: 3.0, ..default() };
        let place = |origin: f64, local: f64| {
            let near = LayerRecord::new(&layer, &TerrainOrigin { x: origin, z: 0.0 }, None).scales[0];
            (local * f64::from(near[0]) + f64::from(near[2])).rem_euclid(1.0)
        };
        assert!((place(0.0, 8_192.5) - place(8_192.0, 0.5)).abs() < 1e-3);
        assert!((place(1e9, 8_192.5) - place(1e9 + 8_192.0, 0.5)).abs() < 1e-3);
    }
}
