//! A world as a file: all settings of a terrain as an asset with hot reload (feature `presets`).

use bevy::asset::io::Reader;
use bevy::asset::{AssetEventSystems, AssetLoader, LoadContext};
use bevy::ecs::component::Mutable;
use bevy::prelude::*;
use bevy::reflect::TypePath;
use serde::{Deserialize, Serialize};
use terrain_noise::FileError;

use crate::ground::TerrainGround;
use crate::scatter::TerrainScatter;
use crate::settings::SettingsError;
#[cfg(feature = "sky")]
use crate::sky::TerrainSky;
use crate::terrain::NoiseTerrain;
use crate::volumes::VolumeScatter;
use crate::water::TerrainWater;
use crate::wind::TerrainWind;

/// A whole world: the contents of a file `NAME.terrain.ron`. Omitted fields have their defaults.
///
/// ```
/// # use bevy_noise_terrain_land as bevy_noise_terrain;
/// use bevy_noise_terrain::TerrainPreset;
/// let preset = TerrainPreset::from_ron("(terrain: (seed: 7, noise: Fractal(octaves: 9, feature_size: 1500.0)))")?;
/// assert_eq!(preset.terrain.seed, 7);
/// assert_eq!(TerrainPreset::from_ron(&preset.to_ron()?)?, preset);
///
/// let error = TerrainPreset::from_ron("(terrain: (seed: seven))").unwrap_err();
/// assert!(error.to_string().starts_with("terrain.seed, line 1, column 18: "), "{error}");
/// # Ok::<(), bevy_noise_terrain::PresetError>(())
/// ```
#[derive(Asset, TypePath, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TerrainPreset {
    /// Shape, seed, level of detail and streaming.
    pub terrain: NoiseTerrain,
    /// The layers of the ground.
    pub ground: TerrainGround,
    /// The water, if there is any.
    #[serde(alias = "sea")]
    pub water: Option<TerrainWater>,
    /// Scattered objects, if there are any.
    pub scatter: Option<TerrainScatter>,
    /// Caves and the like that the land has, if there are any.
    pub volumes: Option<VolumeScatter>,
    /// The wind; `None` leaves the app's wind as it is.
    pub wind: Option<TerrainWind>,
    /// The sky and the time of day; `None` leaves the app's sky as it is.
    #[cfg(feature = "sky")]
    #[serde(alias = "air")]
    pub sky: Option<TerrainSky>,
    /// Programs without that feature, such as servers, skip the field.
    #[cfg(not(feature = "sky"))]
    #[serde(rename = "sky", alias = "air", skip_serializing)]
    pub(crate) weather: serde::de::IgnoredAny,
}

/// Why a preset cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PresetError {
    /// The text is not a preset.
    #[error(transparent)]
    File(#[from] FileError),
    /// A value is invalid.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// The file is not text.
    #[error("byte {} is not UTF-8 text", .0.valid_up_to())]
    Text(#[from] std::str::Utf8Error),
    /// The preset cannot be written as text.
    #[error("{0}")]
    Write(String),
}

impl TerrainPreset {
    /// Reads and validates a preset.
    ///
    /// # Errors
    /// If the text is not a valid preset; with the path, the line and the reason.
    pub fn from_ron(text: &str) -> Result<Self, PresetError> {
        let preset: Self = terrain_noise::read_ron(text)?;
        preset.validate()?;
        Ok(preset)
    }

    /// Writes every field.
    ///
    /// # Errors
    /// If RON cannot express a value.
    pub fn to_ron(&self) -> Result<String, PresetError> {
        terrain_noise::write_ron(self).map_err(PresetError::Write)
    }

    /// Checks every field.
    ///
    /// # Errors
    /// Names the first invalid field, its value and what is allowed.
    pub fn validate(&self) -> Result<(), SettingsError> {
        self.terrain.validate()?;
        self.ground.validate()?;
        let climate = &self.terrain.climate;
        for (index, layer) in self.ground.layers.iter().enumerate() {
            let known = climate.check_biome(&layer.biome);
            known.map_err(|error| error.below(index).below("layers").below("ground"))?;
        }
        self.water.iter().try_for_each(TerrainWater::validate)?;
        self.scatter.iter().try_for_each(TerrainScatter::validate)?;
        for (index, kind) in self.scatter.iter().flat_map(|scatter| &scatter.kinds).enumerate() {
            let known = climate.check_biome(&kind.biome);
            known.map_err(|error| error.below(index).below("kinds").below("scatter"))?;
        }
        self.volumes.iter().try_for_each(VolumeScatter::validate)?;
        self.wind.iter().try_for_each(TerrainWind::validate)?;
        #[cfg(feature = "sky")]
        self.sky.iter().try_for_each(TerrainSky::validate)?;
        Ok(())
    }
}

/// On a terrain: its settings follow this preset. When the file changes, so does the world; changes of
/// the components stay until then.
#[derive(Component, Clone, Debug)]
pub struct BoundPreset(pub Handle<TerrainPreset>);

/// Loads presets, and applies them to terrains with a [`BoundPreset`].
pub struct TerrainPresetPlugin;

impl Plugin for TerrainPresetPlugin {
    fn build(&self, app: &mut App) {
        // Without assets there are no presets.
        if !app.world().contains_resource::<AssetServer>() {
            return;
        }
        app.init_asset::<TerrainPreset>()
            .register_asset_loader(PresetLoader)
            .add_systems(PostUpdate, apply_presets.after(AssetEventSystems).before(crate::TerrainSystems::Apply));
    }
}

#[derive(TypePath)]
struct PresetLoader;

impl AssetLoader for PresetLoader {
    type Asset = TerrainPreset;
    type Settings = ();
    type Error = PresetError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _: &mut LoadContext<'_>,
    ) -> Result<TerrainPreset, PresetError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        TerrainPreset::from_ron(std::str::from_utf8(&bytes)?)
    }

    fn extensions(&self) -> &[&str] {
        &["terrain.ron"]
    }
}

/// Applies presets that were loaded, changed on disk or newly bound to their terrains.
fn apply_presets(
    mut commands: Commands,
    mut events: MessageReader<AssetEvent<TerrainPreset>>,
    presets: Res<Assets<TerrainPreset>>,
    terrains: Query<(Entity, Ref<BoundPreset>), With<NoiseTerrain>>,
) {
    let loaded: Vec<AssetId<TerrainPreset>> = events
        .read()
        .filter_map(|event| match event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    for (terrain, bound) in &terrains {
        if (bound.is_changed() || loaded.contains(&bound.0.id()))
            && let Some(preset) = presets.get(&bound.0)
        {
            preset.clone().apply(commands.entity(terrain));
        }
    }
}

impl TerrainPreset {
    /// Applies the preset to a terrain. Components that do not differ are not marked as changed.
    pub fn apply(self, mut terrain: EntityCommands) {
        terrain.queue(move |mut terrain: EntityWorldMut| {
            set(&mut terrain, Some(self.terrain));
            set(&mut terrain, Some(self.ground));
            set(&mut terrain, self.water);
            #[cfg_attr(not(feature = "scatter"), expect(unused_mut, reason = "without a renderer there are no meshes"))]
            let mut scatter = self.scatter;
            #[cfg(feature = "scatter")]
            if let (Some(scatter), Some(present)) = (&mut scatter, terrain.get::<TerrainScatter>()) {
                scatter.take_meshes(present);
            }
            set(&mut terrain, scatter);
            set(&mut terrain, self.volumes);
            terrain.world_scope(|world| {
                if let (Some(wind), Some(mut present)) = (self.wind, world.get_resource_mut::<TerrainWind>()) {
                    present.set_if_neq(wind);
                }
            });
            // An app without the sky plugin stays without a sky.
            #[cfg(feature = "sky")]
            terrain.world_scope(|world| {
                if let (Some(sky), Some(mut present)) = (self.sky, world.get_resource_mut::<TerrainSky>()) {
                    present.set_if_neq(sky);
                }
            });
        });
    }
}

fn set<C: Component<Mutability = Mutable> + PartialEq>(terrain: &mut EntityWorldMut, value: Option<C>) {
    match (value, terrain.get_mut::<C>()) {
        (Some(value), Some(mut component)) => {
            component.set_if_neq(value);
        }
        (Some(value), None) => {
            terrain.insert(value);
        }
        (None, Some(_)) => {
            terrain.remove::<C>();
        }
        (None, None) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "scatter")]
    use crate::scatter::{ScatterKind, ScatterShape};

    #[test]
    fn a_preset_survives_its_file() {
        let mut preset = TerrainPreset::default();
        preset.terrain.seed = 77;
        preset.terrain.lod.spacing = 2.0;
        assert_eq!(TerrainPreset::from_ron(&preset.to_ron().unwrap()).unwrap(), preset);
    }

    #[test]
    fn omitted_fields_have_their_defaults() {
        assert_eq!(TerrainPreset::from_ron("()").unwrap(), TerrainPreset::default());
        let preset = TerrainPreset::from_ron("(terrain: (seed: 3), ground: ())").unwrap();
        assert_eq!(preset.terrain, NoiseTerrain { seed: 3, ..default() });
    }

    #[cfg(feature = "scatter")]
    #[test]
    fn meshes_that_a_file_cannot_hold_stay_with_their_kinds() {
        let mesh = Assets::<Mesh>::default().add(Cuboid::default());
        let kind = |shape| ScatterKind { shape, density: 0.5, ..ScatterKind::rock() };
        let own = TerrainScatter { kinds: vec![ScatterKind::grass(), kind(ScatterShape::Custom(mesh))], ..default() };
        let preset = TerrainPreset { scatter: Some(own.clone()), ..default() };
        let read = TerrainPreset::from_ron(&preset.to_ron().unwrap()).unwrap();
        let nameless = kind(ScatterShape::Custom(Handle::default()));
        let without = TerrainScatter { kinds: vec![ScatterKind::grass(), nameless], ..default() };
        assert_eq!(read.scatter, Some(without.clone()));
        let mut world = World::new();
        // The denser posts of the game have the mesh, and the file has their number.
        let mut denser = own.clone();
        denser.kinds[1].density = 2.0;
        for (present, expected) in
            [(Some(denser), own), (Some(TerrainScatter::temperate()), without.clone()), (None, without)]
        {
            let terrain = world.spawn_empty().id();
            if let Some(present) = present {
                world.entity_mut(terrain).insert(present);
            }
            read.clone().apply(world.commands().entity(terrain));
            world.flush();
            assert_eq!(world.get::<TerrainScatter>(terrain), Some(&expected));
        }
    }

    #[cfg(feature = "sky")]
    #[test]
    fn files_with_old_names_are_read() {
        let old = "(ground: (relief: 0.25), sea: (level: 7.0), air: (time: 9.0))";
        let preset = TerrainPreset::from_ron(old).unwrap();
        assert_eq!(preset.ground, TerrainGround { detail_normals: 0.25, ..default() });
        assert_eq!(preset.water.unwrap().level, 7.0);
        assert_eq!(preset.sky.unwrap().time, 9.0);
    }

    #[test]
    fn errors_have_path_and_line() {
        let message = |text: &str| TerrainPreset::from_ron(text).unwrap_err().to_string();
        let broken = message("(\n  terrain: (\n    noise: Fractal(octaves: many),\n  ),\n)");
        assert!(broken.starts_with("terrain.noise.octaves, line 3, column "), "{broken}");
        let unknown = message("(terrain: (sead: 3))");
        assert!(unknown.contains("sead"), "{unknown}");
        let value = message("(terrain: (noise: Fractal(octaves: 99)))");
        assert_eq!(value, "terrain.noise.octaves: found 99, allowed is 1 to 32");
        let lod = message("(terrain: (lod: (spacing: 0.0)))");
        assert_eq!(lod, "terrain.lod.spacing: found 0, allowed is 0.01 to 1000 m");
    }
}
