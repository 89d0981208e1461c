//! Random edits, flights and undos, each frame looked at vertex by vertex.

use std::collections::BTreeMap;

use bevy::math::DVec3;
use bevy::prelude::Vec3;
use bevy_noise_terrain::edits::{Edit, EditId};
use bevy_noise_terrain::terrain_noise::perlin;
use bevy_noise_terrain::validation::{DrawnFrame, Motion};
use bevy_noise_terrain::{ChunkKey, DrawnChunks, SettingsError, TerrainStreaming, Vertex};

use crate::world::{RATE, World};

/// Frames between two that are looked at: a look takes longer than a frame.
const EVERY: u32 = 8;

pub struct Audit {
    pub defects: usize,
    pub frames: usize,
    pub undo_exact: bool,
}

/// Edits `count` times, while the viewer flies in a circle and now and then takes edits away; then takes all away.
pub fn run(count: u32) -> Result<Audit, SettingsError> {
    let mut world = World::new(4_000.0, true)?;
    let start = world.ground([0.0, 0.0]).as_vec3() + 30.0 * Vec3::Y;
    let before = vertices(&world);
    let (mut defects, mut frames) = (0, 0);
    let mut random = Random(1);
    let mut ids: Vec<EditId> = Vec::new();
    for index in 0..count {
        let angle = 0.002 * index as f32;
        world.place(start + 200.0 * Vec3::new(angle.sin(), 0.1, 1.0 - angle.cos()));
        if random.next() < 0.3 && !ids.is_empty() {
            let which = (random.next() * ids.len() as f64) as usize;
            world.undo(ids.swap_remove(which));
        } else {
            let at = DVec3::new(400.0 * (random.next() - 0.5), 0.0, 400.0 * (random.next() - 0.5));
            let at = world.ground([at.x, at.z]);
            ids.extend(world.apply(edit(&mut random, at))?);
        }
        world.app.update();
        if index % EVERY == 0 {
            defects += look(&mut world);
            frames += 1;
        }
    }
    for id in ids {
        world.undo(id);
    }
    world.place(start);
    world.settle();
    Ok(Audit { defects, frames, undo_exact: vertices(&world) == before })
}

/// Looks at this frame, and at the next one unless the land changes in it.
fn look(world: &mut World) -> usize {
    let frame = |world: &World| DrawnFrame::of(world.app.world().entity(world.terrain));
    let (Some(first), changes) = (frame(world), world.changes()) else { return 1 };
    world.app.update();
    let Some(second) = frame(world) else { return 1 };
    let mut defects = first.defects().len() + second.defects().len();
    let source = world.state().and_then(|state| state.source());
    if let Some(source) = source.filter(|_| world.changes() == changes && first.generation == second.generation) {
        let growth = TerrainStreaming::default().fastest_growth() / RATE as f32;
        defects += second.pops(&first, source, Motion { moved: 5.0, growth }).len();
    }
    defects
}

fn edit(random: &mut Random, at: DVec3) -> Edit {
    let radius = 1.0 + 20.0 * random.next();
    let edit = match (random.next() * 5.0) as u32 {
        0 => Edit::raise(at, radius, 3.0),
        1 => Edit::raise(at, radius, -3.0),
        2 => Edit::flatten(at, radius),
        3 => Edit::smooth(at, radius, 8.0),
        _ => Edit::add(at, radius, perlin().fbm().octaves(3).feature_size(15.0), 1),
    };
    edit.falloff(10.0 * random.next())
}

/// The vertices of all chunks that are drawn.
fn vertices(world: &World) -> BTreeMap<ChunkKey, Vec<Vertex>> {
    let drawn = world.app.world().get::<DrawnChunks>(world.terrain);
    let keys = drawn.into_iter().flat_map(DrawnChunks::keys);
    let chunk = |&key: &ChunkKey| Some((key, world.state()?.vertices(key)?.to_vec()));
    keys.filter_map(chunk).collect()
}

/// Numbers from 0 to 1 that are the same in every run (Steele, Lea and Flood, *Fast splittable pseudorandom number
/// generators*, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}
