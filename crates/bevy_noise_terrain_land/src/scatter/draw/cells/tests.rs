use std::sync::Arc;

use bevy::ecs::world::CommandQueue;
use bevy::mesh::MeshTag;
use terrain_noise::{Grid, Scratch};

use super::*;
use crate::scatter::draw::bands::{Need, share_pages};
use crate::scatter::draw::pages::{NO_SLOT, Reach};
use crate::scatter::draw::shapes::Model;
use crate::scatter::placement::Instance;
use crate::scatter::settings::ScatterKind;
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

/// Cells in a world, whose jobs are run synchronously.
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
        let rule = |(index, kind)| Rule::new(index, kind, WIDTH, 400);
        let rules: Vec<Rule> = kinds.iter().enumerate().map(rule).collect();
        let need =
            |(kind, rule): (&ScatterKind, &Rule)| Need { reach: kind.distance, lattice: rule.lattice, width: WIDTH };
        let needs: Vec<Need> = kinds.iter().zip(&rules).map(need).collect();
        let pages = share_pages(&needs, 1, bytes, u64::MAX);
        let layer = |index: usize| {
            let kind = &kinds[index];
            let model = Model::of(&kind.shape).unwrap();
            let reach = Reach { from: 0.0, to: kind.distance, full_share: kind.full_share, widen: 1.0 };
            Layer::new(kind, index, rules[index].lattice, &model, reach, pages[index])
        };
        let layers = (0..kinds.len()).map(layer).collect();
        let lod_meshes = vec![vec![LodMeshes::default(); 2]; kinds.len()];
        let (source, climate) = (Arc::new(Flat), default());
        let ground = PlacementContext { source, climate, spacing: 1.0, quads: 64, rules: rules.into() };
        let cells = Cells::new(1, ground, Removal::default(), layers, lod_meshes, 1);
        let mut world = World::new();
        let home = Home { terrain: world.spawn_empty().id(), origin: default() };
        Self { world, cells, home, now: 0.0 }
    }

    /// One frame: requested cells arrive in the next.
    fn frame(&mut self, viewers: &[Viewer]) {
        let mut queue = CommandQueue::default();
        let mut commands = Commands::new(&mut queue, &self.world);
        self.cells.update(viewers, self.home, &mut commands);
        let mut furthest = vec![None; self.cells.layers.len()];
        for done in self.cells.workers.finish() {
            self.cells.enter(done, viewers, self.now, &mut furthest, &mut commands);
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
        blocks.iter(&self.world).map(|(tag, transform)| (tag.value, transform.translation)).collect()
    }

    fn bytes(&self) -> usize {
        self.cells.layers.iter().map(|layer| layer.pages.capacity() as usize * layer.page_bytes()).sum()
    }
}

#[test]
fn cells_within_reach_are_loaded_and_no_others() {
    let mut bench = Bench::new(&kinds(), 100_000_000);
    for place in [[0.0, 0.0], [1_000.0, -3_000.0], [1_010.0, -3_020.0], [1e9, 1e9]] {
        let viewers = at(place[0], place[1]);
        bench.settle(&viewers);
        assert_eq!(bench.cells.missing, 0);
        for (kind, layer) in bench.cells.layers.iter().enumerate() {
            let reach = f64::from(layer.reach.to);
            for (&cell, loaded) in &bench.cells.cells {
                let away = distance(&viewers, &bench.cells.square(cell));
                assert!(loaded.parts[kind].is_none() || away < reach + 0.76 * WIDTH);
                for page in loaded.parts[kind].iter().flat_map(|part| &part.pages) {
                    let block = layer.block_width(WIDTH);
                    let min = [0, 1].map(|axis| cell[axis] as f64 * WIDTH + f64::from(page.index[axis]) * block);
                    let away = distance(&viewers, &Square { min, width: block });
                    let is_shown = page.shown.iter().any(Option::is_some);
                    assert!(is_shown || away > reach * f64::from(layer.kind.full_share), "{away} m away and hidden");
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
    bench.cells.hide(&mut Commands::new(&mut queue, &bench.world));
    queue.apply(&mut bench.world);
    assert_eq!(bench.entities(), []);
}

#[test]
fn memory_is_bounded_and_the_nearest_cells_stay() {
    let mut bench = Bench::new(&kinds(), 60_000);
    assert!(bench.bytes() <= 60_000, "{} bytes", bench.bytes());
    let viewers = at(0.0, 0.0);
    for _ in 0..10 {
        bench.frame(&viewers);
    }
    let layer = &bench.cells.layers[1];
    assert_eq!(layer.pages.free(), 0, "all pages are used");
    let has = |cell: Cell| {
        bench.cells.cells[&cell].parts[1].as_ref().is_some_and(|part| !part.pages.is_empty() && !part.is_cut)
    };
    assert!(has([0, 0]) && has([-1, -1]), "the nearest are loaded");
    assert!(!has([4, 0]), "the furthest are not");
    // With plenty of memory, no more than needed is allocated.
    let plenty = Bench::new(&kinds(), 100_000_000);
    assert!(plenty.bytes() < 10_000_000, "no more than can be needed: {}", plenty.bytes());
}

fn record_of(bench: &Bench, cell: Cell) -> PageRecord {
    let page = &bench.cells.cells[&cell].parts[0].as_ref().unwrap().pages[0];
    bench.cells.layers[0].records.get(page.page)
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
    // When the chunk is replaced, the next frame's records follow.
    bench.cells.record(origin_quad, 3, bench.now + 1.0, slot);
    assert_eq!(record_of(&bench, [-2, 0]).grow, 65_535);
    bench.cells.record(origin_quad, 3, bench.now + 2.0, |key| (key == ChunkKey::new(3, -1, 0)).then_some(70));
    assert_eq!(record_of(&bench, [-2, 0]).slot, 70);
}

#[test]
fn a_still_viewer_causes_no_full_update() {
    let mut bench = Bench::new(&kinds(), 100_000_000);
    bench.settle(&at(0.0, 0.0));
    let before = bench.entities();
    bench.cells.missing = 99;
    bench.frame(&at(3.0, 3.0));
    assert_eq!(bench.cells.missing, 99, "a full update ran");
    assert_eq!(bench.entities(), before);
    bench.frame(&at(9.0, 3.0));
    assert_ne!(bench.cells.missing, 99, "no full update ran");
}

#[test]
fn uploads_hold_the_objects_of_the_pages() {
    let mut bench = Bench::new(&kinds(), 100_000_000);
    bench.settle(&at(0.0, 0.0));
    for layer in &bench.cells.layers {
        let held: usize = layer.uploads.iter().map(|(_, objects)| objects.len()).sum();
        assert!(held > 0 && layer.uploads.iter().all(|(page, _)| *page < layer.pages.capacity()));
        assert!(layer.uploads.iter().all(|(_, objects)| objects.len() * size_of::<Instance>() <= layer.page_bytes()));
    }
}

#[test]
fn removed_objects_leave_without_new_entities_and_come_back() {
    let mut bench = Bench::new(&kinds(), 100_000_000);
    let viewers = at(32.0, 32.0);
    bench.settle(&viewers);
    let (before, entities) = (bench.cells.objects, bench.entities().len());
    let candidates: Vec<u32> = {
        let mut found = Vec::new();
        bench.cells.ground.visit([0, 0], 0b10, &mut default(), |_, rule, ground| {
            let all = 0..rule.lattice.candidates;
            found.extend(rule.objects([0, 0], [all.clone(), all], ground).map(|(candidate, _)| candidate));
        });
        found
    };
    assert!(candidates.len() > 10);
    let ids = candidates.iter().map(|&candidate| crate::scatter::ScatterId { kind: 1, cell: [0, 0], candidate });
    let some: RemovedScatter = ids.clone().skip(1).step_by(2).collect();
    bench.cells.remove(&some);
    bench.settle(&viewers);
    assert_eq!(bench.cells.objects, before - some.len() as u64);
    assert_eq!(bench.entities().len(), entities, "the same blocks");
    assert!(bench.cells.outdated.is_empty());
    let all: RemovedScatter = ids.collect();
    bench.cells.remove(&all);
    bench.settle(&viewers);
    assert_eq!(bench.cells.objects, before - all.len() as u64);
    assert!(bench.entities().len() < entities, "empty blocks are not drawn");
    bench.cells.remove(&RemovedScatter::default());
    bench.settle(&viewers);
    assert_eq!((bench.cells.objects, bench.cells.missing), (before, 0));
    assert_eq!(bench.entities().len(), entities);
}
