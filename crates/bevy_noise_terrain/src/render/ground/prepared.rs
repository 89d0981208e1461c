//! The ground as the shader gets it. `bindings.wgsl` declares the same.

use bevy::prelude::*;
use bytemuck::{Pod, Zeroable};

use super::patches::{PATCHES, PatchesRecord};
use super::{GroundLayer, GroundRejected, GroundTextures, LayerSpan, MAX_LAYERS, TerrainGround};
use crate::terrain::TerrainOrigin;

/// The textures are drawn again and again, each time this much wider: there is detail at every distance, and no
/// scale is seen from so far that its tiles show.
const WIDER: f64 = 13.7;
/// How many times. `bindings.wgsl` has the same number.
const SCALES: usize = 3;
/// Stands for infinity, which is not portable in shaders.
const ENDLESS: f32 = 1e9;

/// A layer in the frame buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct LayerRecord {
    /// Linear colour and strength of the normals.
    pub color: [f32; 4],
    /// What the texture's albedo is multiplied with to have that colour on average, and the layer of the array
    /// textures or −1.
    pub scale: [f32; 4],
    /// Spans of height, sine of slope, curvature and moisture: from, to, reciprocal of the soft width, nothing.
    pub spans: [[f32; 4]; 4],
    /// Tiles per metre, nothing, and the origin's place in a tile, for each scale.
    pub scales: [[f32; 4]; SCALES],
}

/// All that the ground's shader needs besides heights.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct GroundHeader {
    /// The layers, lowest first.
    pub layers: [LayerRecord; MAX_LAYERS],
    /// The noises that decide where they lie.
    pub patches: [PatchesRecord; PATCHES],
    /// Metres by which warmth moves heights.
    pub warmth: f32,
    /// Softness of the seams.
    pub softness: f32,
    /// Strength of the textures' normals.
    pub bump: f32,
    /// Strength of the relief.
    pub relief: f32,
    /// Layers in use.
    pub layer_count: u32,
    /// Bits: 1 tints by level, 2 by morph, 4 draws the mesh.
    pub flags: u32,
    /// Keep the size a multiple of 16 bytes.
    pub padding: [u32; 2],
}

/// The last valid [`TerrainGround`] of a terrain.
#[derive(Component, Clone, Default)]
pub struct PreparedGround(TerrainGround);

/// Takes changed grounds over, or refuses them by name.
pub fn prepare_ground(
    mut commands: Commands,
    mut grounds: Query<(Entity, &TerrainGround, &mut PreparedGround), Changed<TerrainGround>>,
) {
    for (entity, ground, mut prepared) in &mut grounds {
        match ground.validate() {
            Ok(()) => prepared.0 = ground.clone(),
            Err(error) => {
                warn!("terrain {entity}: ground refused, the land looks as it did: {error}");
                commands.trigger(GroundRejected { entity, error });
            }
        }
    }
}

impl PreparedGround {
    /// The valid ground.
    pub fn ground(&self) -> &TerrainGround {
        &self.0
    }

    /// The ground as the shader gets it.
    pub fn header(&self, origin: &TerrainOrigin, textures: &GroundTextures) -> GroundHeader {
        let ground = &self.0;
        let mut layers = [LayerRecord::default(); MAX_LAYERS];
        for (record, layer) in layers.iter_mut().zip(&ground.layers) {
            *record = LayerRecord::new(layer, origin, textures.find(&layer.albedo, &layer.normal));
        }
        let flags = [ground.show_levels, ground.show_morph, ground.show_mesh];
        GroundHeader {
            layers,
            patches: PatchesRecord::all(origin, ground.moisture_size),
            warmth: ground.warmth,
            softness: ground.softness,
            bump: ground.bump,
            relief: ground.relief,
            layer_count: ground.layers.len() as u32,
            flags: flags.iter().enumerate().map(|(bit, &is_on)| u32::from(is_on) << bit).sum(),
            padding: [0; 2],
        }
    }
}

impl LayerRecord {
    /// `mean` is the linear mean albedo of the layer's texture, if it is there.
    fn new(layer: &GroundLayer, origin: &TerrainOrigin, mean: Option<(u32, [f32; 3])>) -> Self {
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

/// Sine of a slope; beyond level and upright, beyond every sine.
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

    #[test]
    fn the_records_are_laid_out_as_the_shader_declares() {
        assert_eq!(size_of::<LayerRecord>(), 144);
        assert_eq!(size_of::<GroundHeader>(), MAX_LAYERS * 144 + PATCHES * 32 + 32);
        assert_eq!(std::mem::offset_of!(GroundHeader, patches) % 8, 0);
    }

    #[test]
    fn a_refused_ground_leaves_the_last_valid_one() {
        #[derive(Resource, Default)]
        struct Refused(u32);
        let mut app = App::new();
        app.init_resource::<Refused>().add_systems(Update, prepare_ground);
        app.add_observer(|_: On<GroundRejected>, mut refused: ResMut<Refused>| refused.0 += 1);
        let terrain = app.world_mut().spawn(TerrainGround { bump: 0.5, ..default() }).id();
        app.update();
        app.world_mut().get_mut::<TerrainGround>(terrain).unwrap().bump = -1.0;
        app.update();
        assert_eq!(app.world().get::<PreparedGround>(terrain).unwrap().ground().bump, 0.5);
        assert_eq!(app.world().resource::<Refused>().0, 1);
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
