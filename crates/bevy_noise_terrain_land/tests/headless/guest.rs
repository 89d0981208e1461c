//! A random guest: an app of drawn parts does drawn things to terrains, viewers and bodies. Afterwards the land is whole, and
//! answers as its settings say.
//!
//! `GUESTS=500` sends that many, `GUEST=17` the one with this seed alone.

mod check;

use std::fmt::Write as _;
use std::time::Duration;

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::edits::{Edit, EditId, Hole, TerrainEdits, TerrainHoles};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::prelude::*;
use bevy_noise_terrain::tiles::{TerrainBody, TerrainTile, TerrainTiles, TerrainTilesPlugin, TileAnchor, TileObject};
use bevy_noise_terrain::volumes::{TerrainVolume, TerrainVolumes, VolumeId, VolumeShape};
use bevy_noise_terrain::{FreezeViewers, SpawnNoTerrain, TerrainSave, TerrainStreaming};

/// Guests of every run of the tests, and those that once found something.
const GUESTS: u64 = 20;
const KEPT: &[u64] = &[1_007, 1_011, 1_017, 1_019, 1_025];

/// Frames in which a guest does something.
const FRAMES: u32 = 160;

#[test]
fn whatever_guests_do_the_land_is_whole_afterwards() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds: Vec<u64> = match number("GUEST") {
        Some(seed) => vec![seed],
        None => KEPT.iter().copied().chain(1_000..1_000 + number("GUESTS").unwrap_or(GUESTS)).collect(),
    };
    let mut findings = String::new();
    for seed in seeds {
        if let Err(finding) = Guest::new(seed).stay() {
            let _ = writeln!(findings, "guest {seed}: {finding}");
        }
    }
    assert!(findings.is_empty(), "{findings}");
}

/// Draws numbers.
struct Dice(u64);

impl Dice {
    /// Less than `end`.
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (bits ^ (bits >> 31)) % end
    }

    fn one_in(&mut self, chances: u64) -> bool {
        self.below(chances) == 0
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.below(1 << 32) as f64 / (1u64 << 32) as f64
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize].clone()
    }
}

/// A terrain, and its last valid settings.
struct Land {
    entity: Entity,
    settings: NoiseTerrain,
}

/// What is put back after the next frame.
enum Undo {
    Transform(Entity, Transform),
    Origin(Entity, TerrainOrigin),
}

struct Guest {
    dice: Dice,
    app: App,
    lands: Vec<Land>,
    viewers: Vec<Entity>,
    bodies: Vec<Entity>,
    undo: Vec<Undo>,
    /// A save, and of which settings.
    saved: Option<(TerrainSave, NoiseTerrain)>,
    diary: Vec<&'static str>,
}

impl Guest {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin));
        // In any order.
        let mut plugins = [0, 1, 2];
        plugins.rotate_left(dice.below(3) as usize);
        for plugin in plugins {
            match plugin {
                0 => drop(app.add_plugins(NoiseTerrainPlugin)),
                1 => drop(app.add_plugins(TerrainTilesPlugin::new(Update))),
                #[cfg(feature = "sky")]
                2 => drop(app.add_plugins(TerrainSkyPlugin)),
                _ => {}
            }
        }
        app.insert_resource(SpawnNoTerrain)
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(16)));
        app.finish();
        app.cleanup();
        let (lands, viewers, bodies) = (Vec::new(), Vec::new(), Vec::new());
        let mut guest = Self { dice, app, lands, viewers, bodies, undo: Vec::new(), saved: None, diary: Vec::new() };
        for _ in 0..1 + guest.dice.below(2) {
            guest.spawn_land();
        }
        for _ in 0..guest.dice.below(4) {
            guest.spawn_viewer();
        }
        for _ in 0..guest.dice.below(3) {
            guest.spawn_body();
        }
        guest
    }

    fn stay(mut self) -> Result<(), String> {
        for _ in 0..FRAMES {
            for _ in 0..self.dice.below(3) {
                self.act();
            }
            self.app.update();
            self.put_back();
        }
        self.settle()?;
        self.check().map_err(|finding| format!("{finding}\n  after {:?}", self.diary))
    }

    fn world(&mut self) -> &mut World {
        self.app.world_mut()
    }

    fn settings(&mut self) -> NoiseTerrain {
        let dice = &mut self.dice;
        let noise = match dice.below(3) {
            0 => NoiseTerrain::default().noise,
            1 => constant(dice.between(-50.0, 50.0).round()),
            _ => perlin().fbm().octaves(4).feature_size(300.0).scale(60.0).add(20.0),
        };
        let spacing = dice.of(&[0.5, 1.0, 2.0]);
        let view_distance = dice.of(&[640.0, 1_500.0, 3_000.0]);
        let detail = dice.of(&[4.0, 4.0, 6.0]);
        NoiseTerrain {
            noise,
            seed: dice.below(100),
            lod: TerrainLod { spacing, view_distance, detail },
            streaming: TerrainStreaming { keep_vertices: true, ..default() },
            ..default()
        }
    }

    fn place(&mut self) -> Vec3 {
        let dice = &mut self.dice;
        let reach = dice.of(&[50.0, 500.0, 500.0, 5_000.0]);
        let [x, y, z] = [dice.between(-reach, reach), dice.between(-200.0, 800.0), dice.between(-reach, reach)];
        Vec3::new(x as f32, y as f32, z as f32)
    }

    fn spawn_land(&mut self) {
        if self.lands.len() == 3 {
            return;
        }
        let settings = self.settings();
        let dice = &mut self.dice;
        let mut transform = Transform::from_xyz(0.0, dice.of(&[0.0, 0.0, 300.0]), 0.0);
        transform.rotation = Quat::from_rotation_y(dice.of(&[0.0, 0.0, 1.0]));
        transform.scale = Vec3::splat(dice.of(&[1.0, 1.0, 0.5, 2.0]));
        let far = dice.of(&[0.0, 0.0, 1e6]);
        let entity = self.world().spawn((settings.clone(), transform, TerrainOrigin { x: far, z: -far })).id();
        self.lands.push(Land { entity, settings });
        for _ in 0..3 {
            self.add_part(entity);
        }
    }

    /// Gives a terrain a part, or takes it away.
    fn add_part(&mut self, land: Entity) {
        let dice = &mut self.dice;
        let (part, takes_away, objects) = (dice.below(6), dice.one_in(4), dice.one_in(2));
        let level = dice.between(-40.0, 60.0) as f32;
        let mut entity = self.app.world_mut().entity_mut(land);
        match (part, takes_away) {
            (0, false) if !entity.contains::<TerrainEdits>() => drop(entity.insert(TerrainEdits::default())),
            (0, true) => drop(entity.remove::<TerrainEdits>()),
            (1, false) if !entity.contains::<TerrainHoles>() => drop(entity.insert(TerrainHoles::default())),
            (1, true) => drop(entity.remove::<TerrainHoles>()),
            (2, false) if !entity.contains::<TerrainVolumes>() => drop(entity.insert(TerrainVolumes::default())),
            (2, true) => drop(entity.remove::<TerrainVolumes>()),
            (3, false) => drop(entity.insert(TerrainWater { level, ..default() })),
            (3, true) => drop(entity.remove::<TerrainWater>()),
            (4, false) => {
                // Grass would be very many.
                let kinds = vec![ScatterKind::conifer(), ScatterKind::rock()];
                entity.insert(TerrainScatter { kinds, ..default() });
            }
            (4, true) => drop(entity.remove::<TerrainScatter>()),
            (5, _) => drop(entity.insert(TerrainTiles { objects, spare: 16, ..default() })),
            _ => {}
        }
    }

    fn spawn_viewer(&mut self) {
        let place = Transform::from_translation(self.place()).looking_to(Vec3::new(0.3, -1.0, 0.1), Vec3::Z);
        let viewer = self.world().spawn((TerrainViewer, place)).id();
        #[cfg(feature = "render")]
        if self.dice.one_in(4) {
            let area = Rect::from_center_size(Vec2::ZERO, Vec2::splat(200.0));
            let map = OrthographicProjection { area, ..OrthographicProjection::default_3d() };
            self.world().entity_mut(viewer).insert(Projection::Orthographic(map));
        }
        self.viewers.push(viewer);
    }

    fn spawn_body(&mut self) {
        let position = self.place();
        let anchor = TileAnchor { position, radius: 1.0, velocity: Vec3::X * 20.0 };
        let body = self.world().spawn((anchor, TerrainBody::new(5.0))).id();
        self.bodies.push(body);
    }

    fn act(&mut self) {
        let Some(index) = (!self.lands.is_empty()).then(|| self.dice.below(self.lands.len() as u64) as usize) else {
            self.spawn_land();
            return;
        };
        let land = self.lands[index].entity;
        let action = self.dice.below(28);
        let words = match action {
            0..=5 => {
                let step = self.place().normalize_or_zero() * 30.0;
                for viewer in self.viewers.clone() {
                    self.world().get_mut::<Transform>(viewer).unwrap().translation += step;
                }
                for body in self.bodies.clone() {
                    self.world().get_mut::<TileAnchor>(body).unwrap().position += 0.1 * step;
                }
                "move"
            }
            6 => {
                let place = self.place();
                if let Some(&viewer) = self.viewers.first() {
                    self.world().get_mut::<Transform>(viewer).unwrap().translation = place;
                }
                if let Some(&body) = self.bodies.last() {
                    self.world().get_mut::<TileAnchor>(body).unwrap().position = place;
                }
                "jump"
            }
            7 if self.viewers.len() < 10 => {
                self.spawn_viewer();
                "spawn a viewer"
            }
            8 if !self.viewers.is_empty() => {
                let at = self.dice.below(self.viewers.len() as u64) as usize;
                let viewer = self.viewers.remove(at);
                self.world().despawn(viewer);
                "despawn a viewer"
            }
            9 if self.bodies.len() < 6 => {
                self.spawn_body();
                "spawn a body"
            }
            10 if !self.bodies.is_empty() => {
                let body = self.bodies.remove(0);
                self.world().despawn(body);
                "despawn a body"
            }
            11 if !self.viewers.is_empty() => {
                let viewer = self.viewers[0];
                self.spoil_transform(viewer);
                "a viewer is nowhere for a frame"
            }
            12 => {
                self.spoil_transform(land);
                "a terrain is nowhere for a frame"
            }
            13 => {
                let x = self.dice.of(&[f64::NAN, f64::INFINITY, -1e300]);
                let mut entity = self.app.world_mut().entity_mut(land);
                let mut origin = entity.get_mut::<TerrainOrigin>().unwrap();
                if origin.x.is_finite() && origin.x.abs() < 1e12 {
                    self.undo.push(Undo::Origin(land, *origin));
                    origin.x = x;
                }
                "an origin is none for a frame"
            }
            14 => {
                let [dx, dz] = [0, 1].map(|_| self.dice.between(-500.0, 500.0).round());
                let mut entity = self.app.world_mut().entity_mut(land);
                let mut origin = entity.get_mut::<TerrainOrigin>().unwrap();
                (origin.x, origin.z) = (origin.x + dx, origin.z + dz);
                "shift the origin"
            }
            15 => {
                let all = self.entities::<With<TerrainChunk>>();
                for chunk in all.into_iter().filter(|_| self.dice.one_in(3)).collect::<Vec<_>>() {
                    self.world().despawn(chunk);
                }
                "despawn a third of the chunks"
            }
            16 => {
                if let Some(chunk) = self.entities::<With<TerrainChunk>>().pop() {
                    self.world().entity_mut(chunk).remove::<TerrainChunk>();
                }
                "strip a chunk"
            }
            17 => {
                let all = self.entities::<Or<(With<TerrainTile>, With<TileObject>)>>();
                for entity in all.into_iter().filter(|_| self.dice.one_in(4)).collect::<Vec<_>>() {
                    self.world().try_despawn(entity).ok();
                }
                "despawn tiles and objects"
            }
            18 => {
                let settings = self.settings();
                *self.world().get_mut::<NoiseTerrain>(land).unwrap() = settings.clone();
                self.lands[index].settings = settings;
                "other settings"
            }
            19 => {
                self.world().get_mut::<NoiseTerrain>(land).unwrap().lod.spacing = f64::NAN;
                self.app.update();
                let settings = self.lands[index].settings.clone();
                *self.world().get_mut::<NoiseTerrain>(land).unwrap() = settings;
                "settings that are not valid"
            }
            20 | 21 => self.edit(land),
            22 => {
                self.add_part(land);
                "parts"
            }
            23 => {
                self.spawn_land();
                "spawn a terrain"
            }
            24 if self.lands.len() > 1 => {
                self.lands.remove(index);
                self.undo.retain(|undo| !matches!(undo, Undo::Transform(of, _) | Undo::Origin(of, _) if *of == land));
                self.world().despawn(land);
                "despawn a terrain"
            }
            25 => {
                let settings = self.lands[index].settings.clone();
                self.world().entity_mut(land).remove::<NoiseTerrain>();
                if self.dice.one_in(2) {
                    self.app.update();
                }
                self.world().entity_mut(land).insert(settings);
                "take the settings away, and give them back"
            }
            26 => {
                let mut entity = self.app.world_mut().entity_mut(land);
                if entity.contains::<FreezeViewers>() {
                    entity.remove::<FreezeViewers>();
                } else {
                    entity.insert(FreezeViewers);
                }
                "freeze viewers"
            }
            27 => match self.saved.take() {
                Some((save, settings)) => {
                    save.apply(self.app.world_mut().commands().entity(land));
                    self.app.world_mut().flush();
                    self.lands[index].settings = settings;
                    "load"
                }
                None => {
                    let text = TerrainSave::of(self.app.world(), land).map(|save| save.to_ron().unwrap());
                    let settings = self.lands[index].settings.clone();
                    self.saved = text.map(|text| (TerrainSave::from_ron(&text).unwrap(), settings));
                    "save"
                }
            },
            _ => return,
        };
        self.diary.push(words);
    }

    fn entities<F: bevy::ecs::query::QueryFilter>(&mut self) -> Vec<Entity> {
        self.app.world_mut().query_filtered::<Entity, F>().iter(self.app.world()).collect()
    }

    fn spoil_transform(&mut self, entity: Entity) {
        let is_nowhere = |undo: &Undo| matches!(undo, Undo::Transform(of, _) if *of == entity);
        if self.undo.iter().any(is_nowhere) {
            return;
        }
        let translation = self.dice.of(&[
            Vec3::NAN,
            Vec3::new(f32::NAN, 0.0, 0.0),
            Vec3::splat(f32::INFINITY),
            Vec3::splat(1e30),
            Vec3::ZERO,
        ]);
        let mut transform = self.app.world_mut().get_mut::<Transform>(entity).unwrap();
        self.undo.push(Undo::Transform(entity, *transform));
        transform.translation = translation;
        if translation == Vec3::ZERO {
            transform.scale = Vec3::ZERO;
        }
    }

    fn put_back(&mut self) {
        for undo in std::mem::take(&mut self.undo) {
            match undo {
                Undo::Transform(entity, before) => {
                    if let Some(mut transform) = self.world().get_mut::<Transform>(entity) {
                        *transform = before;
                    }
                }
                Undo::Origin(entity, before) => {
                    if let Some(mut origin) = self.world().get_mut::<TerrainOrigin>(entity) {
                        *origin = before;
                    }
                }
            }
        }
    }

    /// Changes edits, holes or volumes of a terrain, near its first viewer.
    fn edit(&mut self, land: Entity) -> &'static str {
        let origin = *self.app.world().get::<TerrainOrigin>(land).unwrap();
        if !(origin.x.abs() < 1e9 && origin.z.abs() < 1e9) {
            return "edit nothing";
        }
        let [dx, dz] = [0, 1].map(|_| self.dice.between(-150.0, 150.0));
        let at = DVec3::new(origin.x + dx, self.dice.between(-20.0, 60.0), origin.z + dz);
        let (radius, choice) = (self.dice.between(3.0, 40.0), self.dice.below(7));
        let mut entity = self.app.world_mut().entity_mut(land);
        match choice {
            0 | 1 => {
                if let Some(mut edits) = entity.get_mut::<TerrainEdits>() {
                    let edit = if choice == 0 { Edit::raise(at, radius, 8.0) } else { Edit::flatten(at, radius) };
                    edits.apply(edit).unwrap();
                }
                "edit"
            }
            2 => {
                if let Some(mut edits) = entity.get_mut::<TerrainEdits>() {
                    let last: Option<EditId> = edits.iter().next_back().map(|(id, _)| id);
                    last.and_then(|id| edits.undo(id));
                }
                "undo an edit"
            }
            3 => {
                if let Some(mut holes) = entity.get_mut::<TerrainHoles>() {
                    holes.apply(Hole::disc(at, 0.3 * radius)).unwrap();
                }
                "cut a hole"
            }
            4 => {
                if let Some(mut holes) = entity.get_mut::<TerrainHoles>() {
                    holes.clear();
                }
                "fill holes"
            }
            5 => {
                if let Some(mut volumes) = entity.get_mut::<TerrainVolumes>() {
                    let shapes = vec![VolumeShape::dig(at + 30.0 * DVec3::Y, at - 30.0 * DVec3::Y, 5.0)];
                    volumes.apply(TerrainVolume { center: [at.x, at.z], shapes, ..default() }).unwrap();
                }
                "dig"
            }
            _ => {
                if let Some(mut volumes) = entity.get_mut::<TerrainVolumes>() {
                    let last: Option<VolumeId> = volumes.iter().next_back().map(|(id, _)| id);
                    last.and_then(|id| volumes.undo(id));
                }
                "fill a cave"
            }
        }
    }
}
