//! Which cells are there: what is near the viewers comes, what is far goes.

use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::NoAutoAabb;
use bevy::light::NotShadowCaster;
use bevy::mesh::MeshTag;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;

use super::copies::SIZES;
use super::jobs::{Done, Job, Workers};
use super::material::ScatterMaterial;
use super::pages::{Layer, NO_SLOT, Page, PageRecord};
use super::place::{Block, Cell, Ground, cell_quads};
use crate::chunk::{CHUNK_QUADS, ChunkKey, Square};
use crate::lod::{Viewer, distance};
use crate::terrain::TerrainOrigin;

/// Bytes of objects that may enter the world in one frame.
const UPLOAD_BYTES: usize = 1_000_000;
/// Seconds in which objects that come late grow in.
const GROW_SECONDS: f64 = 0.5;
/// After a viewer has moved by this share of a cell, it is looked at anew what is near.
const STEP: f64 = 0.125;

/// What blocks are drawn with.
#[derive(Clone)]
pub struct Look {
    /// Near, then far; each in all sizes.
    pub meshes: Vec<[Handle<Mesh>; SIZES]>,
    pub material: Handle<ScatterMaterial>,
}

/// A block of scattered objects: one entity for each of its shapes, a child of the terrain.
#[derive(Component, Clone, Copy, Debug)]
pub struct ScatterBlock {
    /// Absolute x and z of its corner.
    pub(super) corner: [f64; 2],
}

/// One kind's objects in a cell.
struct Part {
    pages: Vec<Page>,
    /// Some blocks had no room.
    is_cut: bool,
    born: f64,
}

struct Loaded {
    heights: [f32; 2],
    /// The drawn chunk beneath, as of the last frame.
    cover: Option<ChunkKey>,
    /// What all its records say, once everything has grown in.
    settled: Option<([i32; 2], u32)>,
    parts: Vec<Option<Part>>,
}

impl Loaded {
    fn enter(&mut self, kind: usize, part: Part) {
        self.parts[kind] = Some(part);
        self.settled = None;
    }
}

/// The cells of one world.
pub struct Cells {
    pub epoch: u64,
    pub ground: Ground,
    pub layers: Vec<Layer>,
    pub looks: Vec<Look>,
    cells: HashMap<Cell, Loaded>,
    /// Viewers when it was last looked at what is near; `None`: it must be done now.
    reviewed: Option<Vec<Viewer>>,
    /// Cells wanted and not there, as of the last look.
    pub missing: u32,
    pub cell_ms: f32,
    pub built: u64,
}

/// Where entities go.
#[derive(Clone, Copy)]
pub struct Home {
    pub terrain: Entity,
    pub origin: TerrainOrigin,
}

impl Cells {
    pub fn new(epoch: u64, ground: Ground, layers: Vec<Layer>, looks: Vec<Look>) -> Self {
        Self {
            epoch,
            ground,
            layers,
            looks,
            cells: HashMap::default(),
            reviewed: None,
            missing: 0,
            cell_ms: 0.0,
            built: 0,
        }
    }

    fn square(&self, cell: Cell) -> Square {
        let width = self.ground.width();
        Square { min: cell.map(|cell| cell as f64 * width), width }
    }

    /// Objects in memory.
    pub fn objects(&self) -> u64 {
        let parts = self.cells.values().flat_map(|loaded| loaded.parts.iter().flatten());
        parts.flat_map(|part| &part.pages).map(|page| u64::from(page.count)).sum()
    }

    /// Cells in memory.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Pages in use, of how many.
    pub fn pages(&self) -> [u32; 2] {
        self.layers.iter().fold([0; 2], |[used, all], layer| [used + layer.pages.used(), all + layer.pages.capacity()])
    }

    /// Lets all entities go.
    pub fn clear(&mut self, commands: &mut Commands) {
        for (_, loaded) in self.cells.drain() {
            for part in loaded.parts.into_iter().flatten() {
                hide(&part.pages, commands);
            }
        }
    }

    /// Takes finished cells from the tasks.
    pub fn receive(&mut self, workers: &Workers, viewers: &[Viewer], now: f64, commands: &mut Commands) {
        for done in workers.take(UPLOAD_BYTES) {
            // Tasks that had to pause go on with the next request.
            self.reviewed = None;
            if done.epoch == self.epoch {
                self.enter(done, viewers, now, commands);
            }
        }
    }

    fn enter(&mut self, done: Done, viewers: &[Viewer], now: f64, commands: &mut Commands) {
        self.built += 1;
        self.cell_ms += (done.milliseconds - self.cell_ms) * if self.built == 1 { 1.0 } else { 0.02 };
        let count = self.layers.len();
        let heights = done.placed.as_ref().map_or([0.0; 2], |placed| placed.heights);
        // A source that panicked leaves its cell bare.
        let filled = match done.placed {
            Some(placed) => placed.kinds,
            None => {
                (0..count).filter(|index| done.kinds & (1 << index) != 0).map(|index| (index, Vec::new())).collect()
            }
        };
        for (kind, blocks) in filled {
            let there = |cells: &Self| cells.cells.get(&done.cell).is_some_and(|loaded| loaded.parts[kind].is_some());
            if there(self) {
                continue;
            }
            self.make_room(kind, blocks.len() as u32, done.cell, viewers, commands);
            let part = self.fill(kind, blocks, now);
            let empty = || Loaded { heights, cover: None, settled: None, parts: (0..count).map(|_| None).collect() };
            self.cells.entry(done.cell).or_insert_with(empty).enter(kind, part);
        }
    }

    fn fill(&mut self, kind: usize, blocks: Vec<Block>, now: f64) -> Part {
        let layer = &mut self.layers[kind];
        let mut part = Part { pages: Vec::with_capacity(blocks.len()), is_cut: false, born: now };
        for Block { index, instances } in blocks {
            let Some(page) = layer.pages.take() else {
                part.is_cut = true;
                break;
            };
            part.pages.push(Page::new(page, index, &instances));
            if layer.records.len() <= page as usize {
                layer.records.resize(page as usize + 1, PageRecord::default());
            }
            layer.uploads.push((page, instances));
        }
        part
    }

    /// Lets a kind's furthest cells go until there is room, if they are further away than `cell`.
    fn make_room(&mut self, kind: usize, needed: u32, cell: Cell, viewers: &[Viewer], commands: &mut Commands) {
        let here = distance(viewers, &self.square(cell));
        while self.layers[kind].pages.free() < needed {
            let furthest = self
                .cells
                .iter()
                .filter(|(_, loaded)| loaded.parts[kind].as_ref().is_some_and(|part| !part.pages.is_empty()))
                .map(|(&cell, _)| (distance(viewers, &self.square(cell)), cell))
                .max_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, furthest)) = furthest.filter(|(distance, _)| *distance > here) else { return };
            if let Some(part) = self.release(furthest, kind, commands)
                && let Some(loaded) = self.cells.get_mut(&furthest)
            {
                // It stays known, lest it be asked for again at once.
                loaded.parts[kind] = Some(Part { pages: Vec::new(), is_cut: true, ..part });
            }
        }
    }

    /// Gives the pages of a part back.
    fn release(&mut self, cell: Cell, kind: usize, commands: &mut Commands) -> Option<Part> {
        let part = self.cells.get_mut(&cell)?.parts.get_mut(kind)?.take()?;
        let layer = &mut self.layers[kind];
        hide(&part.pages, commands);
        for page in &part.pages {
            layer.pages.give(page.page);
            layer.records[page.page as usize] = PageRecord::default();
        }
        Some(part)
    }

    /// Looks what is near, if a viewer has moved or something has come.
    pub fn review(&mut self, workers: &Workers, viewers: &[Viewer], home: Home, commands: &mut Commands) {
        let width = self.ground.width();
        let step = STEP * width;
        let is_near = |before: &Viewer, now: &Viewer| {
            let away = [0, 1].map(|axis| before.position[axis] - now.position[axis]);
            (away[0] * away[0] + away[1] * away[1] + (before.height - now.height).powi(2)).sqrt() < step
        };
        if let Some(before) = &self.reviewed
            && before.len() == viewers.len()
            && before.iter().zip(viewers).all(|(before, now)| is_near(before, now))
        {
            return;
        }
        self.reviewed = Some(viewers.to_vec());
        self.forget(viewers, commands);
        self.request(workers, viewers);
        self.show(viewers, step, home, commands);
    }

    /// Lets go what is out of reach, and what was cut short once there is room for it.
    fn forget(&mut self, viewers: &[Viewer], commands: &mut Commands) {
        let width = self.ground.width();
        let mut leaving = Vec::new();
        for (&cell, loaded) in &self.cells {
            let away = distance(viewers, &self.square(cell));
            for (kind, part) in loaded.parts.iter().enumerate() {
                let Some(part) = part else { continue };
                let layer = &self.layers[kind];
                let room = layer.pages.free() > layer.pages.capacity() / 4;
                if away > f64::from(layer.reach) + 0.75 * width || part.is_cut && room {
                    leaving.push((cell, kind));
                }
            }
        }
        for (cell, kind) in leaving {
            self.release(cell, kind, commands);
        }
        self.cells.retain(|_, loaded| loaded.parts.iter().any(Option::is_some));
    }

    fn request(&mut self, workers: &Workers, viewers: &[Viewer]) {
        let width = self.ground.width();
        let margin = 2.0 * STEP * width;
        let reaches: Vec<f64> = self.layers.iter().map(|layer| f64::from(layer.reach) + margin).collect();
        let furthest = reaches.iter().copied().fold(0.0, f64::max);
        let mut missing: HashMap<Cell, (f64, u32)> = HashMap::default();
        for viewer in viewers.iter().filter(|viewer| viewer.height < furthest) {
            // From a height, less of the plane is within reach.
            let flat = (furthest * furthest - viewer.height * viewer.height).sqrt();
            let low = viewer.position.map(|at| ((at - flat) / width).floor() as i64);
            let high = viewer.position.map(|at| ((at + flat) / width).floor() as i64);
            for cell in (low[1]..=high[1]).flat_map(|z| (low[0]..=high[0]).map(move |x| [x, z])) {
                let away = distance(viewers, &self.square(cell));
                let loaded = self.cells.get(&cell);
                let kinds = reaches.iter().enumerate().filter(|(kind, reach)| {
                    away < **reach && loaded.is_none_or(|loaded| loaded.parts[*kind].is_none())
                });
                let kinds = kinds.fold(0, |bits, (kind, _)| bits | 1 << kind);
                if kinds != 0 {
                    missing.insert(cell, (away, kinds));
                }
            }
        }
        self.missing = missing.len() as u32;
        let mut missing: Vec<_> = missing.into_iter().collect();
        missing.sort_unstable_by(|a, b| a.1.0.total_cmp(&b.1.0).then(a.0.cmp(&b.0)));
        let (epoch, ground) = (self.epoch, &self.ground);
        workers.submit(missing.into_iter().map(|(cell, (_, kinds))| Job {
            epoch,
            cell,
            kinds,
            ground: ground.clone(),
        }));
    }

    /// Spawns and despawns the entities of blocks as they come near.
    fn show(&mut self, viewers: &[Viewer], step: f64, home: Home, commands: &mut Commands) {
        let width = self.ground.width();
        for (&cell, loaded) in &mut self.cells {
            for (kind, part) in loaded.parts.iter_mut().enumerate() {
                let (layer, Some(part)) = (&self.layers[kind], part) else { continue };
                let Some(look) = self.looks.get(kind) else { continue };
                let block = layer.block_width(width);
                for page in &mut part.pages {
                    let min = [0, 1].map(|axis| cell[axis] as f64 * width + f64::from(page.index[axis]) * block);
                    let square = Square { min, width: block };
                    let away = distance(viewers, &square);
                    let wanted = layer.sizes(page, away as f32, furthest(viewers, &square) as f32, 1.2 * step as f32);
                    for (shape, (shown, wanted)) in page.shown.iter_mut().zip(wanted).enumerate() {
                        match (*shown, wanted) {
                            (None, None) => {}
                            (Some((entity, _)), None) => {
                                commands.entity(entity).try_despawn();
                                *shown = None;
                            }
                            (Some((_, size)), Some(wanted)) if size == wanted => {}
                            (Some((entity, _)), Some(wanted)) => {
                                commands.entity(entity).try_insert(Mesh3d(look.meshes[shape][wanted].clone()));
                                *shown = Some((entity, wanted));
                            }
                            (None, Some(wanted)) => {
                                let bundle =
                                    dress(layer, look, page.page, shape, wanted, &square, loaded.heights, home);
                                let mut entity = commands.spawn(bundle);
                                if !layer.kind.shadows {
                                    entity.insert(NotShadowCaster);
                                }
                                *shown = Some((entity.id(), wanted));
                            }
                        }
                    }
                }
            }
        }
    }

    /// Renews what the shader knows of each page. `slot` yields the slot of a chunk if it is drawn.
    pub fn record(&mut self, origin_quad: [i64; 2], top: u8, now: f64, slot: impl Fn(ChunkKey) -> Option<u32>) {
        let quads = i64::from(cell_quads(self.ground.spacing));
        for (&cell, loaded) in &mut self.cells {
            let first = cell.map(|cell| cell * quads);
            let found = loaded.cover.and_then(|key| Some((key, slot(key)?))).or_else(|| {
                let above = |level: u8| {
                    let [x, z] = first.map(|first| first.div_euclid((CHUNK_QUADS as i64) << level));
                    ChunkKey::new(level, x, z)
                };
                (0..=top).map(above).find_map(|key| Some((key, slot(key)?)))
            });
            loaded.cover = found.map(|(key, _)| key);
            let first_quad = [0, 1].map(|axis| (first[axis] - origin_quad[axis]) as i32);
            let slot = found.map_or(NO_SLOT, |(_, slot)| slot);
            if loaded.settled == Some((first_quad, slot)) {
                continue;
            }
            let mut is_grown = true;
            for (part, layer) in loaded.parts.iter().zip(&mut self.layers) {
                let Some(part) = part else { continue };
                let grown = ((now - part.born) / GROW_SECONDS).clamp(0.0, 1.0);
                is_grown &= grown >= 1.0;
                let grow = (grown * 65_535.0) as u16;
                for page in &part.pages {
                    layer.records[page.page as usize] = PageRecord { first_quad, slot, count: page.count, grow };
                }
            }
            loaded.settled = is_grown.then_some((first_quad, slot));
        }
    }
}

fn hide(pages: &[Page], commands: &mut Commands) {
    for (entity, _) in pages.iter().flat_map(|page| page.shown.iter().flatten()) {
        // The terrain may have been despawned with all that stood on it.
        commands.entity(*entity).try_despawn();
    }
}

/// Distance to the furthest point of a square from the viewer nearest to that point: at most this.
fn furthest(viewers: &[Viewer], square: &Square) -> f64 {
    let of = |viewer: &Viewer| {
        let [x, z] = [0, 1]
            .map(|axis| (viewer.position[axis] - square.min[axis] - 0.5 * square.width).abs() + 0.5 * square.width);
        (x * x + z * z + viewer.height * viewer.height).sqrt()
    };
    viewers.iter().map(of).fold(f64::INFINITY, f64::min)
}

fn dress(
    layer: &Layer,
    look: &Look,
    page: u32,
    shape: usize,
    size: usize,
    square: &Square,
    heights: [f32; 2],
    home: Home,
) -> impl Bundle + use<> {
    let width = square.width as f32;
    let tall = layer.kind.max_size;
    // Objects reach out of their block, and coarse land lies beside the finest by less than this.
    let (aside, slack) = (0.6 * tall, 0.5 * tall + 8.0 + 0.02 * layer.reach);
    let low = Vec3::new(-aside, heights[0] - slack, -aside);
    let high = Vec3::new(width + aside, heights[1] + tall + slack, width + aside);
    (
        ScatterBlock { corner: square.min },
        Mesh3d(look.meshes[shape][size].clone()),
        MeshMaterial3d(look.material.clone()),
        MeshTag(page),
        Transform::from_translation(place(square.min, &home.origin)),
        Aabb::from_min_max(low, high),
        // The mesh has no place of its own.
        NoAutoAabb,
        ChildOf(home.terrain),
    )
}

/// A block's corner relative to the terrain's origin.
pub fn place(corner: [f64; 2], origin: &TerrainOrigin) -> Vec3 {
    Vec3::new((corner[0] - origin.x) as f32, 0.0, (corner[1] - origin.z) as f32)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bevy::ecs::world::CommandQueue;
    use terrain_noise::{Grid, Scratch};

    use super::super::place::{Instance, Rule};
    use super::super::settings::ScatterKind;
    use super::super::stream::share_pages;
    use super::*;
    use crate::source::HeightSource;

    struct Flat;

    impl HeightSource for Flat {
        fn fill(&self, _: &Grid, _: &mut Scratch, heights: &mut [f32]) {
            heights.fill(5.0);
        }

        fn height(&self, _: [f64; 2], _: f64) -> f32 {
            5.0
        }
    }

    /// A world of cells, its tasks done at once.
    struct Bench {
        world: World,
        cells: Cells,
        home: Home,
        now: f64,
    }

    const WIDTH: f64 = 64.0;

    fn kinds() -> Vec<ScatterKind> {
        vec![
            ScatterKind { density: 0.5, ..ScatterKind::grass() },
            ScatterKind { density: 0.01, distance: 300.0, ..ScatterKind::conifer() },
        ]
    }

    fn at(x: f64, z: f64) -> Vec<Viewer> {
        vec![Viewer { position: [x, z], altitude: 7.0, height: 2.0, ..Viewer::default() }]
    }

    impl Bench {
        fn new(kinds: &[ScatterKind], bytes: u64) -> Self {
            let rules: Vec<Rule> = kinds.iter().map(|kind| Rule::new(kind, WIDTH, 400).unwrap()).collect();
            let pairs: Vec<_> = kinds.iter().zip(&rules).collect();
            let pages = share_pages(&pairs, WIDTH, 1, bytes, u64::MAX);
            let layers = pairs
                .iter()
                .zip(&pages)
                .map(|((kind, rule), &pages)| Layer::new(kind, rule.lattice, true, WIDTH, pages))
                .collect();
            let look = Look { meshes: vec![default(), default()], material: default() };
            let ground = Ground { source: Arc::new(Flat), spacing: 1.0, rules: rules.into() };
            let cells = Cells::new(1, ground, layers, vec![look; kinds.len()]);
            let mut world = World::new();
            let home = Home { terrain: world.spawn_empty().id(), origin: default() };
            Self { world, cells, home, now: 0.0 }
        }

        /// One frame: what is asked for is there in the next.
        fn frame(&mut self, viewers: &[Viewer]) {
            let mut queue = CommandQueue::default();
            let workers = Workers::default();
            let mut commands = Commands::new(&mut queue, &self.world);
            self.cells.review(&workers, viewers, self.home, &mut commands);
            for done in workers.finish() {
                self.cells.enter(done, viewers, self.now, &mut commands);
                self.cells.reviewed = None;
            }
            queue.apply(&mut self.world);
            self.now += 1.0 / 60.0;
        }

        fn settle(&mut self, viewers: &[Viewer]) {
            for _ in 0..4 {
                self.frame(viewers);
            }
        }

        fn entities(&mut self) -> Vec<(u32, Vec3)> {
            let mut blocks = self.world.query::<(&MeshTag, &Transform)>();
            blocks.iter(&self.world).map(|(tag, transform)| (tag.0, transform.translation)).collect()
        }

        fn bytes(&self) -> usize {
            self.cells.layers.iter().map(|layer| layer.pages.capacity() as usize * layer.page_bytes()).sum()
        }
    }

    #[test]
    fn what_is_within_reach_is_there_and_nothing_else() {
        let mut bench = Bench::new(&kinds(), 100_000_000);
        for place in [[0.0, 0.0], [1_000.0, -3_000.0], [1_010.0, -3_020.0], [1e9, 1e9]] {
            let viewers = at(place[0], place[1]);
            bench.settle(&viewers);
            assert_eq!(bench.cells.missing, 0);
            for (kind, layer) in bench.cells.layers.iter().enumerate() {
                let reach = f64::from(layer.reach);
                for (&cell, loaded) in &bench.cells.cells {
                    let away = distance(&viewers, &bench.cells.square(cell));
                    assert!(loaded.parts[kind].is_none() || away < reach + 0.76 * WIDTH);
                    for page in loaded.parts[kind].iter().flat_map(|part| &part.pages) {
                        let block = layer.block_width(WIDTH);
                        let min = [0, 1].map(|axis| cell[axis] as f64 * WIDTH + f64::from(page.index[axis]) * block);
                        let away = distance(&viewers, &Square { min, width: block });
                        let is_shown = page.shown.iter().any(Option::is_some);
                        assert!(
                            is_shown || away > reach * f64::from(layer.kind.full_share),
                            "{away} m away and hidden"
                        );
                        assert!(!is_shown || away < reach + 0.3 * WIDTH, "{away} m away and shown");
                    }
                }
                let full = (reach / WIDTH) as i64;
                let here = place.map(|at| (at / WIDTH).floor() as i64);
                for x in -full..=full {
                    assert!(bench.cells.cells[&[here[0] + x, here[1]]].parts[kind].is_some());
                }
            }
        }
    }

    #[test]
    fn entities_come_and_go_with_their_pages() {
        let mut bench = Bench::new(&kinds(), 100_000_000);
        for step in 0..60 {
            bench.frame(&at(37.0 * f64::from(step), 11.0 * f64::from(step)));
        }
        let viewers = at(37.0 * 59.0, 11.0 * 59.0);
        bench.settle(&viewers);
        let parts = || bench.cells.cells.values().flat_map(|loaded| loaded.parts.iter().flatten());
        let shown = parts().flat_map(|part| &part.pages).flat_map(|page| page.shown.iter().flatten()).count();
        let used: u32 = bench.cells.layers.iter().map(|layer| layer.pages.used()).sum();
        assert_eq!(used as usize, parts().map(|part| part.pages.len()).sum::<usize>());
        assert_eq!(bench.entities().len(), shown);
        let mut queue = CommandQueue::default();
        bench.cells.clear(&mut Commands::new(&mut queue, &bench.world));
        queue.apply(&mut bench.world);
        assert_eq!(bench.entities(), []);
    }

    #[test]
    fn memory_has_a_bound_and_the_nearest_keep_their_place() {
        let mut bench = Bench::new(&kinds(), 60_000);
        assert!(bench.bytes() <= 60_000, "{} bytes", bench.bytes());
        let viewers = at(0.0, 0.0);
        for _ in 0..10 {
            bench.frame(&viewers);
        }
        let layer = &bench.cells.layers[1];
        assert_eq!(layer.pages.free(), 0, "what there is is used");
        let has = |cell: Cell| {
            bench.cells.cells[&cell].parts[1].as_ref().is_some_and(|part| !part.pages.is_empty() && !part.is_cut)
        };
        assert!(has([0, 0]) && has([-1, -1]), "the nearest are there");
        assert!(!has([4, 0]), "the furthest are not");
        // With more than enough, nothing is left out.
        let plenty = Bench::new(&kinds(), 100_000_000);
        assert!(plenty.bytes() < 10_000_000, "no more than can be needed: {}", plenty.bytes());
    }

    fn record_of(bench: &Bench, cell: Cell) -> PageRecord {
        let page = &bench.cells.cells[&cell].parts[0].as_ref().unwrap().pages[0];
        bench.cells.layers[0].records[page.page as usize]
    }

    #[test]
    fn records_name_the_drawn_chunk_beneath() {
        let mut bench = Bench::new(&kinds(), 100_000_000);
        let viewers = at(-100.0, 30.0);
        bench.settle(&viewers);
        let drawn = [(ChunkKey::new(0, -2, 0), 7), (ChunkKey::new(1, -1, -1), 8), (ChunkKey::new(2, 0, 0), 9)];
        let slot = |key: ChunkKey| drawn.iter().find(|(drawn, _)| *drawn == key).map(|(_, slot)| *slot);
        let origin_quad = [1_000, -500];
        bench.cells.record(origin_quad, 3, bench.now + 0.25, slot);
        for (cell, slot) in [([-2, 0], 7), ([-1, -1], 8), ([-2, -1], 8), ([-3, 0], NO_SLOT)] {
            let found = record_of(&bench, cell);
            assert_eq!(found.slot, slot, "{cell:?}");
            assert_eq!(found.first_quad, [0, 1].map(|axis| (cell[axis] * 64 - origin_quad[axis]) as i32));
            assert_eq!(found.count, bench.cells.cells[&cell].parts[0].as_ref().unwrap().pages[0].count);
            assert!((30_000..45_000).contains(&found.grow), "half grown in: {}", found.grow);
        }
        // The chunk splits or leaves: the next frame knows.
        bench.cells.record(origin_quad, 3, bench.now + 1.0, slot);
        assert_eq!(record_of(&bench, [-2, 0]).grow, 65_535);
        bench.cells.record(origin_quad, 3, bench.now + 2.0, |key| (key == ChunkKey::new(3, -1, 0)).then_some(70));
        assert_eq!(record_of(&bench, [-2, 0]).slot, 70);
    }

    #[test]
    fn a_still_viewer_costs_no_second_look() {
        let mut bench = Bench::new(&kinds(), 100_000_000);
        bench.settle(&at(0.0, 0.0));
        let before = bench.entities();
        bench.cells.missing = 99;
        bench.frame(&at(3.0, 3.0));
        assert_eq!(bench.cells.missing, 99, "it has looked");
        assert_eq!(bench.entities(), before);
        bench.frame(&at(9.0, 3.0));
        assert_ne!(bench.cells.missing, 99, "it has not looked");
    }

    #[test]
    fn uploads_carry_what_the_pages_hold() {
        let mut bench = Bench::new(&kinds(), 100_000_000);
        bench.settle(&at(0.0, 0.0));
        for layer in &bench.cells.layers {
            let held: usize = layer.uploads.iter().map(|(_, objects)| objects.len()).sum();
            assert!(held > 0 && layer.uploads.iter().all(|(page, _)| *page < layer.pages.capacity()));
            assert!(
                layer.uploads.iter().all(|(_, objects)| objects.len() * size_of::<Instance>() <= layer.page_bytes())
            );
        }
    }
}
