//! What stands where: the objects of a terrain anywhere, without a renderer.

use std::sync::Arc;

use bevy::math::{DVec3, Mat3, Quat, Vec3};
use bevy::prelude::*;

use super::id::ScatterId;
use super::placement::{Cell, Instance, PlaceScratch, PlacementContext, Rule, SampledGround, cell_quads};
use super::removed::RemovedScatter;
use super::settings::{ScatterKind, TerrainScatter};
use super::solids::{self, ScatterSolid};
use crate::chunk::{CHUNK_QUADS, ChunkKey};
use crate::edits::Rect;
use crate::query::{ChunkGround, Surface};
use crate::settings::SettingsError;

/// Steps of [`Instance::yaw`] in a full turn.
const FULL_TURN: f32 = 65_536.0;

/// An object that stands on a terrain.
///
/// Also a component of entities that stand for one, such as those with its collider.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct ScatterObject {
    /// Which it is.
    pub id: ScatterId,
    /// Its foot: an absolute position, sunk into the ground as it is drawn up close.
    pub position: DVec3,
    /// How it is turned, and how it leans.
    pub rotation: Quat,
    /// Its height in metres: its shape is one metre high.
    pub size: f32,
    /// Angle about the vertical, which also picks the variant of the shape.
    yaw: u16,
}

/// The objects of a terrain: what is drawn near viewers, with the same bits on every machine, on servers too.
///
/// Positions are absolute, in metres, in the terrain's own frame. Cheap to clone, and can be sent to tasks.
/// [`ScatterQuery`](super::ScatterQuery) has that of a running terrain.
///
/// ```
/// # use bevy_noise_terrain_land as bevy_noise_terrain;
/// # use bevy_noise_terrain::{prelude::*, scatter::ScatterMap};
/// let (land, scatter) = (NoiseTerrain::default().surface()?, TerrainScatter::temperate());
/// let map = ScatterMap::new(&scatter, &land)?;
/// let is_tree = |kind: &ScatterKind| matches!(kind.shape, ScatterShape::Conifer | ScatterShape::Broadleaf);
/// for tree in map.objects([-100.0, -100.0], [100.0, 100.0], is_tree) {
///     println!("{:?} is {:.1} m high, at {}", tree.id, tree.size, tree.position);
/// }
/// # Ok::<(), bevy_noise_terrain::SettingsError>(())
/// ```
#[derive(Clone)]
pub struct ScatterMap {
    kinds: Arc<[ScatterKind]>,
    context: PlacementContext,
    land: Surface,
    removed: RemovedScatter,
}

/// The rules of kinds on land, with water at a level, in cells of this width in metres.
fn rules(kinds: &[ScatterKind], land: &Surface, water: Option<f32>, width: f64) -> Arc<[Rule]> {
    let kinds = kinds.iter().map(|kind| kind.on_land(land.climate_settings(), water));
    kinds.enumerate().map(|(index, kind)| Rule::new(index, &kind, width, u32::MAX)).collect()
}

impl ScatterMap {
    /// The objects of these settings on this land.
    ///
    /// # Errors
    /// If the settings are not valid.
    pub fn new(scatter: &TerrainScatter, land: &Surface) -> Result<Self, SettingsError> {
        scatter.validate()?;
        let quads = cell_quads(land.spacing());
        let width = f64::from(quads) * land.spacing();
        let rules = rules(&scatter.kinds, land, None, width);
        let (source, climate) = (land.shared_source(), land.shared_climate());
        let context = PlacementContext { source, climate, spacing: land.spacing(), quads, rules };
        let kinds = scatter.kinds.as_slice().into();
        Ok(Self { kinds, context, land: land.clone(), removed: RemovedScatter::default() })
    }

    /// The objects where water stands at this level, in metres: see [`ScatterKind::above_water`]. A running terrain has that of
    /// its [`TerrainWater`](crate::water::TerrainWater).
    pub fn with_water(mut self, level: f32) -> Self {
        self.context.rules = rules(&self.kinds, &self.land, Some(level), self.context.width());
        self
    }

    /// The same objects without these.
    pub fn without(mut self, removed: &RemovedScatter) -> Self {
        self.removed = removed.clone();
        self
    }

    /// Metres between the vertices of its land.
    pub(super) fn spacing(&self) -> f64 {
        self.land.spacing()
    }

    /// Whether these rules hold on other land.
    pub(super) fn fits(&self, land: &Surface) -> bool {
        land.spacing() == self.spacing() && *land.climate_settings() == *self.context.climate
    }

    /// The same rules on other land; `None` if they do not hold there.
    pub(super) fn on(&self, land: Surface) -> Option<Self> {
        let context = PlacementContext { source: land.shared_source(), ..self.context.clone() };
        self.fits(&land).then(|| Self { context, land, ..self.clone() })
    }

    /// The objects whose foot is in an area, from its least x and z to its greatest, of the kinds that `wants` accepts.
    ///
    /// They are placed cell by cell as the iterator advances: take the first few, and the rest costs nothing. There are very
    /// many of grass.
    pub fn objects(
        &self,
        min: [f64; 2],
        max: [f64; 2],
        wants: impl Fn(&ScatterKind) -> bool,
    ) -> impl Iterator<Item = ScatterObject> {
        self.objects_on(None, [min, max], self.bits(wants))
    }

    /// The kinds that are accepted, as bits.
    fn bits(&self, wants: impl Fn(&ScatterKind) -> bool) -> u32 {
        self.kinds.iter().enumerate().filter(|(_, kind)| wants(kind)).fold(0, |bits, (at, _)| bits | 1 << at)
    }

    /// The objects whose foot is in an area, of the kinds that are set as bits. Land whose heights are known need not be asked.
    fn objects_on<'a>(
        &'a self,
        known: Option<ChunkGround<'a>>,
        [min, max]: [[f64; 2]; 2],
        kinds: u32,
    ) -> impl Iterator<Item = ScatterObject> + 'a {
        let within = move |object: &ScatterObject| {
            let [x, z] = [object.position.x, object.position.z];
            x >= min[0] && x < max[0] && z >= min[1] && z < max[1]
        };
        let mut scratch = PlaceScratch::default();
        self.cells(min, max).flat_map(move |cell| self.in_cell(cell, kinds, known, &mut scratch)).filter(within)
    }

    /// The objects in an area that have a solid part, with it.
    pub fn solid_objects(&self, min: [f64; 2], max: [f64; 2]) -> impl Iterator<Item = (ScatterObject, ScatterSolid)> {
        self.solid_objects_on(None, [min, max])
    }

    /// The same on a chunk of its land whose heights are known.
    pub(crate) fn solid_objects_of(&self, chunk: ChunkGround) -> Vec<(ScatterObject, ScatterSolid)> {
        let square = chunk.key.square(chunk.spacing);
        let area = [square.min, square.min.map(|metres| metres + square.width)];
        self.solid_objects_on(Some(chunk), area).collect()
    }

    fn solid_objects_on<'a>(
        &'a self,
        known: Option<ChunkGround<'a>>,
        area: [[f64; 2]; 2],
    ) -> impl Iterator<Item = (ScatterObject, ScatterSolid)> + 'a {
        let kinds = self.bits(|kind| solids::of(&kind.shape, 0).is_some());
        self.objects_on(known, area, kinds).filter_map(|object| Some((object, self.solid(&object)?)))
    }

    /// One object; `None` if there is none, as when it has been removed or the land does not bear it any more.
    pub fn object(&self, id: ScatterId) -> Option<ScatterObject> {
        self.kinds.get(usize::from(id.kind))?;
        let mut scratch = PlaceScratch::default();
        self.in_cell(id.cell, 1 << id.kind, None, &mut scratch).into_iter().find(|object| object.id == id)
    }

    /// The kind of an object.
    pub fn kind(&self, id: ScatterId) -> Option<&ScatterKind> {
        self.kinds.get(usize::from(id.kind))
    }

    /// What of an object is solid: the trunk of a tree, all of a rock, nothing of grass and of custom meshes.
    pub fn solid(&self, object: &ScatterObject) -> Option<ScatterSolid> {
        solids::of(&self.kind(object.id)?.shape, object.yaw)
    }

    /// The area that the solid objects of a cell can reach, of the kinds that are set as bits; `None` if none is solid.
    pub(crate) fn solid_reach(&self, cell: Cell, kinds: u32) -> Option<Rect> {
        let kinds = self.kinds.iter().enumerate().filter(|(index, _)| (kinds >> index) & 1 == 1).map(|(_, kind)| kind);
        let sizes = kinds.filter(|kind| solids::of(&kind.shape, 0).is_some()).map(|kind| kind.max_size);
        let size = sizes.reduce(f32::max)?;
        let width = self.context.width();
        let min = cell.map(|cell| cell as f64 * width);
        let whole = Rect { min, max: min.map(|metres| metres + width) };
        // Rocks lean, and may be wider than high.
        Some(whole.grown(2.0 * f64::from(size)))
    }

    /// Whether a cell lies in a chunk of level 0: cells are as wide, or narrower.
    pub(crate) fn is_in(&self, cell: Cell, chunk: ChunkKey) -> bool {
        let cells = (CHUNK_QUADS as i64 / i64::from(self.context.quads)).max(1);
        cell.map(|cell| cell.div_euclid(cells)) == [chunk.x, chunk.z]
    }

    /// The cells that an area reaches into; none if it is not finite.
    fn cells(&self, min: [f64; 2], max: [f64; 2]) -> impl Iterator<Item = Cell> + use<> {
        const FARTHEST: f64 = (1u64 << 48) as f64;
        let width = self.context.width();
        let low = min.map(|metres| (metres / width).floor());
        let high = max.map(|metres| (metres / width).ceil() - 1.0);
        let is_sound = low.iter().chain(&high).all(|cell| cell.abs() < FARTHEST);
        let [low, high] =
            if is_sound { [low, high].map(|cell| cell.map(|cell| cell as i64)) } else { [[0; 2], [-1; 2]] };
        (low[1]..=high[1]).flat_map(move |z| (low[0]..=high[0]).map(move |x| [x, z]))
    }

    fn in_cell(
        &self,
        cell: Cell,
        kinds: u32,
        known: Option<ChunkGround>,
        scratch: &mut PlaceScratch,
    ) -> Vec<ScatterObject> {
        let mut found: Vec<(ScatterId, Instance)> = Vec::new();
        if kinds != 0 {
            self.context.visit(cell, kinds, scratch, |_, rule, ground: &SampledGround| {
                let all = 0..rule.lattice.candidates;
                let objects = rule.objects(cell, [all.clone(), all], ground);
                let objects = objects
                    .map(|(candidate, instance)| (ScatterId { kind: rule.index as u8, cell, candidate }, instance));
                found.extend(objects.filter(|(id, _)| !self.removed.contains(id)));
            });
        }
        let corner = cell.map(|cell| cell as f64 * self.context.width());
        let places: Vec<[f64; 2]> = found
            .iter()
            .map(|(_, instance)| [0, 1].map(|axis| corner[axis] + f64::from(instance.place[axis])))
            .collect();
        let known_height = |&place: &[f64; 2]| known.and_then(|known| known.height(place));
        let heights: Option<Vec<f64>> = places.iter().map(known_height).collect();
        let heights = heights.unwrap_or_else(|| self.land.heights(&places));
        let objects = found.into_iter().zip(places).zip(heights);
        objects.map(|(((id, instance), place), height)| self.stand(id, instance, place, height, known)).collect()
    }

    /// An object on the ground, as `placed` in `scatter.wesl` puts it.
    fn stand(
        &self,
        id: ScatterId,
        instance: Instance,
        [x, z]: [f64; 2],
        height: f64,
        known: Option<ChunkGround>,
    ) -> ScatterObject {
        let kind = &self.kinds[usize::from(id.kind)];
        let share = f32::from(instance.size) / 65_535.0;
        let up = if kind.tilt > 0.0 {
            let known = known.and_then(|known| known.shade([x, z]));
            let [x, z] = known.unwrap_or_else(|| self.land.shade(x, z)).horizontal;
            let normal = Vec3::new(x, (1.0 - x * x - z * z).max(0.0).sqrt(), z);
            Vec3::Y.lerp(normal, kind.tilt).normalize_or(Vec3::Y)
        } else {
            Vec3::Y
        };
        let angle = f32::from(instance.yaw) * (std::f32::consts::TAU / FULL_TURN);
        let turn = Vec3::new(libm::cosf(angle), 0.0, libm::sinf(angle));
        let across = (turn - up * up.dot(turn)).normalize_or(Vec3::X);
        ScatterObject {
            id,
            position: DVec3::new(x, height - f64::from(kind.sink), z),
            rotation: Quat::from_mat3(&Mat3::from_cols(across, up, across.cross(up))),
            size: kind.min_size + (kind.max_size - kind.min_size) * share,
            yaw: instance.yaw,
        }
    }
}
