//! What must hold after a guest's stay.

use std::time::Duration;

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_noise_terrain::edits::{TerrainEdits, TerrainHoles};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::ScatterQuery;
use bevy_noise_terrain::tiles::{TerrainTile, TerrainTiles, TileAnchor, TileObject};
use bevy_noise_terrain::validation::DrawnFrame;
use bevy_noise_terrain::volumes::TerrainVolumes;
use bevy_noise_terrain::{Coarseness, DrawnChunks, FreezeViewers};

use super::{Guest, Land};

impl Guest {
    /// Waits until nothing is outstanding.
    pub fn settle(&mut self) -> Result<(), String> {
        if self.viewers.is_empty() {
            self.spawn_viewer();
        }
        let frozen = self.entities::<With<FreezeViewers>>();
        for land in frozen {
            self.world().entity_mut(land).remove::<FreezeViewers>();
        }
        let mut calm = 0;
        for frame in 0..40_000 {
            self.app.update();
            let stats = |land: &Land| self.app.world().get::<TerrainStats>(land.entity).unwrap();
            let is_settled = |land: &Land| {
                let stats = stats(land);
                let waits = stats.missing > 0 || stats.retuning || stats.fading || stats.drawn_total() == 0;
                matches!(stats.coarseness(), None | Some(Coarseness::Memory)) && !waits
            };
            calm = if self.lands.iter().all(is_settled) { calm + 1 } else { 0 };
            if calm > 40 {
                return Ok(());
            }
            if frame > 200 {
                std::thread::sleep(Duration::from_micros(300));
            }
        }
        let stats: Vec<_> =
            self.lands.iter().map(|land| self.app.world().get::<TerrainStats>(land.entity).unwrap()).collect();
        Err(format!("the land does not come: {stats:?}\n  after {:?}", self.diary))
    }

    /// Looks for what is wrong.
    pub fn check(&mut self) -> Result<(), String> {
        let wanted: Vec<Entity> = self.lands.iter().map(|land| land.entity).collect();
        let found = self.world().run_system_once(|terrains: TerrainQuery| terrains.entities()).unwrap();
        ensure(found == wanted, || format!("terrains {found:?} instead of {wanted:?}"))?;
        for index in 0..self.lands.len() {
            self.check_land(index)?;
        }
        Ok(())
    }

    fn check_land(&mut self, index: usize) -> Result<(), String> {
        let Land { entity: land, settings } = &self.lands[index];
        let (land, settings) = (*land, settings.clone());
        let defects = DrawnFrame::of(self.app.world().entity(land)).map(|frame| frame.defects());
        ensure(defects.as_ref().is_some_and(Vec::is_empty), || format!("{defects:?}"))?;
        let children: Vec<Entity> = self.app.world().get::<Children>(land).map_or(Vec::new(), |list| list.to_vec());
        let chunks = children.iter().filter_map(|&child| self.app.world().get::<TerrainChunk>(child));
        let (count, stats) = (chunks.count(), self.app.world().get::<TerrainStats>(land).unwrap());
        ensure(count == stats.loaded as usize && stats.loaded <= stats.capacity, || format!("{count}: {stats:?}"))?;
        let drawn = self.app.world().get::<DrawnChunks>(land).unwrap().keys().len();
        ensure(drawn == stats.drawn_total() as usize, || format!("{drawn} drawn: {stats:?}"))?;
        // Everything wanted around the viewers, and little more.
        ensure(count < 4_000, || format!("{count} chunks for {} viewers", stats.viewers))?;

        // The land is that of its settings.
        let world = self.app.world();
        let mut expected = settings.surface().unwrap();
        if let Some(edits) = world.get::<TerrainEdits>(land) {
            expected = expected.with_edits(edits);
        }
        if let Some(holes) = world.get::<TerrainHoles>(land) {
            expected = expected.with_holes(holes);
        }
        if let Some(volumes) = world.get::<TerrainVolumes>(land) {
            expected = expected.with_volumes(volumes);
        }
        let origin = *world.get::<TerrainOrigin>(land).unwrap();
        let surface = self.world().run_system_once(move |terrains: TerrainQuery| terrains.surface_of(land)).unwrap();
        let Some(surface) = surface else { return Err("it has no surface".into()) };
        for _ in 0..30 {
            let [x, z] = [origin.x, origin.z].map(|metres| metres + self.dice.between(-200.0, 200.0));
            let [found, wanted] = [&surface, &expected].map(|surface| (surface.height(x, z), surface.ground(x, z)));
            ensure(found == wanted, || format!("{found:?} instead of {wanted:?} at {x}, {z}"))?;
        }
        self.check_tiles(land, &expected)
    }

    /// Every body has the finest land under it, and what stands there.
    fn check_tiles(&mut self, land: Entity, expected: &bevy_noise_terrain::Surface) -> Result<(), String> {
        for _ in 0..20 {
            self.app.update();
        }
        let world = self.app.world();
        let (origin, transform) = (world.get::<TerrainOrigin>(land).unwrap(), world.get::<Transform>(land).unwrap());
        let to_land = transform.compute_affine().inverse();
        let children = world.get::<Children>(land).map_or(Vec::new(), |list| list.to_vec());
        let tiles: Vec<(Entity, &TerrainTile)> =
            children.iter().filter_map(|&child| Some((child, world.get::<TerrainTile>(child)?))).collect();
        let width = 64.0 * expected.spacing();
        for &body in &self.bodies {
            let at = to_land.transform_point3(world.get::<TileAnchor>(body).unwrap().position).as_dvec3();
            let cell = [origin.x + at.x, origin.z + at.z].map(|metres| (metres / width).floor() as i64);
            let has_ground = tiles.iter().any(|(_, tile)| [tile.key().x, tile.key().z] == cell);
            ensure(has_ground, || format!("no tile under {body} at {cell:?}, {} tiles", tiles.len()))?;
        }
        let mut keys: Vec<_> = tiles.iter().map(|(_, tile)| [tile.key().x, tile.key().z]).collect();
        keys.sort_unstable();
        keys.dedup();
        ensure(keys.len() == tiles.len(), || "a tile is there twice".into())?;
        for (_, tile) in &tiles {
            let square = tile.key().square(tile.spacing());
            let found = tile.vertex(7, 9).map(f64::from);
            let wanted = expected.height(square.min[0] + 7.0 * tile.spacing(), square.min[1] + 9.0 * tile.spacing());
            ensure(found == Some(wanted), || format!("a tile has {found:?} instead of {wanted}"))?;
        }
        let mut standing: Vec<_> = tiles.iter().flat_map(|(tile, _)| world.get::<Children>(*tile)).flatten().collect();
        standing.retain(|&&child| world.get::<TileObject>(child).is_some());
        let squares: Vec<_> = tiles.iter().map(|(_, tile)| tile.key().square(tile.spacing())).collect();
        let (has_objects, count) = (world.get::<TerrainTiles>(land).is_some_and(|tiles| tiles.objects), standing.len());
        let wanted = move |scatter: ScatterQuery| {
            let map = scatter.map_of(land).filter(|_| has_objects)?;
            let max = |square: &bevy_noise_terrain::Square| square.min.map(|metres| metres + square.width);
            Some(squares.iter().map(|square| map.solid_objects(square.min, max(square)).count()).sum::<usize>())
        };
        let wanted = self.world().run_system_once(wanted).unwrap().unwrap_or(0);
        ensure(count == wanted, || format!("{count} objects stand on tiles instead of {wanted}"))
    }
}

fn ensure(holds: bool, finding: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(finding()) }
}
