//! An editing session for one terrain: a draft that may be invalid, its history, and two worlds to compare.

use bevy_noise_terrain::ground::TerrainGround;
use bevy_noise_terrain::scatter::TerrainScatter;
use bevy_noise_terrain::sky::TerrainSky;
use bevy_noise_terrain::volumes::VolumeScatter;
use bevy_noise_terrain::water::TerrainWater;
use bevy_noise_terrain::wind::TerrainWind;
use bevy_noise_terrain::{NoiseTerrain, TerrainPreset};

use super::edit_step::{EditStep, Way};
use super::fault::Fault;
use super::history::{History, Merge};
use super::merge::merge;

/// One of the two worlds that can be compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slot {
    #[default]
    A,
    B,
}

/// The state that undo restores.
#[derive(Clone, Debug, Default, PartialEq)]
struct Snapshot {
    world: TerrainPreset,
    slot: Slot,
    /// The world of the other slot, once it has been shown.
    other: Option<Box<TerrainPreset>>,
}

impl Merge for Snapshot {
    fn merged(&self, from: &Self, to: &Self) -> Self {
        let mut merged = self.clone();
        merge(&from.world, &to.world, &mut merged.world);
        if merged.world.validate().is_err() {
            // The result is inconsistent with changes by others: use the whole snapshot.
            merged.world.clone_from(&to.world);
        }
        if from.slot != to.slot {
            merged.slot = to.slot;
        }
        if from.other != to.other {
            merged.other.clone_from(&to.other);
        }
        merged
    }
}

/// The world in the running app.
#[derive(Clone, Copy)]
pub struct Live<'a> {
    pub terrain: &'a NoiseTerrain,
    pub ground: &'a TerrainGround,
    pub water: Option<&'a TerrainWater>,
    pub scatter: Option<&'a TerrainScatter>,
    pub volumes: Option<&'a VolumeScatter>,
    pub wind: Option<&'a TerrainWind>,
    pub sky: Option<&'a TerrainSky>,
}

impl Live<'_> {
    /// A copy of it.
    pub fn world(&self) -> TerrainPreset {
        let mut world = TerrainPreset::default();
        self.copy(&TerrainPreset::default(), &mut world);
        world
    }

    /// Whether it differs from `world`. A preset without wind or sky does not differ by it.
    pub fn differs(&self, world: &TerrainPreset) -> bool {
        let wind = world.wind.is_some() && self.wind.is_some() && self.wind != world.wind.as_ref();
        let sky = world.sky.is_some() && self.sky.is_some() && self.sky != world.sky.as_ref();
        *self.terrain != world.terrain
            || *self.ground != world.ground
            || self.water != world.water.as_ref()
            || self.scatter != world.scatter.as_ref()
            || self.volumes != world.volumes.as_ref()
            || wind
            || sky
    }

    /// Whether anything has changed since `seen`. Unlike in [`differs`](Self::differs), removed wind or sky counts.
    fn changed(&self, seen: &TerrainPreset) -> bool {
        self.differs(seen) || self.wind != seen.wind.as_ref() || self.sky != seen.sky.as_ref()
    }

    /// Copies what has changed since `seen`.
    fn copy(&self, seen: &TerrainPreset, to: &mut TerrainPreset) {
        if *self.terrain != seen.terrain {
            to.terrain.clone_from(self.terrain);
        }
        if *self.ground != seen.ground {
            to.ground.clone_from(self.ground);
        }
        if self.water != seen.water.as_ref() {
            to.water = self.water.cloned();
        }
        if self.scatter != seen.scatter.as_ref() {
            to.scatter = self.scatter.cloned();
        }
        if self.volumes != seen.volumes.as_ref() {
            to.volumes = self.volumes.cloned();
        }
        if self.wind != seen.wind.as_ref() {
            to.wind = self.wind.cloned();
        }
        if self.sky != seen.sky.as_ref() {
            to.sky = self.sky.cloned();
        }
    }
}

/// An editing session for one terrain.
pub struct Session {
    /// What the fields show, valid or not.
    pub draft: TerrainPreset,
    /// The draft's error.
    pub fault: Option<Fault>,
    history: History<Snapshot>,
}

impl Session {
    pub fn new(world: TerrainPreset) -> Self {
        let history = History::new(Snapshot { world: world.clone(), ..Snapshot::default() });
        Self { draft: world, fault: None, history }
    }

    /// The last valid draft.
    pub fn accepted(&self) -> &TerrainPreset {
        &self.history.now().world
    }

    /// Adopts changes made elsewhere, by a file or another system. They are no step of the history, and the draft keeps
    /// its edits except in the changed fields.
    pub fn follow(&mut self, live: &Live) {
        // Called every frame, and nearly always nothing has changed.
        if !live.changed(self.accepted()) {
            return;
        }
        let seen = self.accepted().clone();
        let mut world = seen.clone();
        live.copy(&seen, &mut world);
        merge(&seen, &world, &mut self.draft);
        let mut next = Snapshot { world, ..self.history.now().clone() };
        if let Some(other) = &mut next.other {
            // Both worlds share the sky: its time of day advances in either.
            let mut apart = seen.clone();
            apart.sky.clone_from(&next.world.sky);
            merge(&seen, &apart, other);
        }
        self.history.follow(next);
    }

    /// Replaces the draft by a world that the user has chosen. A world without wind or sky keeps the current one.
    pub fn choose(&mut self, mut world: TerrainPreset) {
        world.wind = world.wind.or_else(|| self.accepted().wind.clone());
        world.sky = world.sky.or_else(|| self.accepted().sky.clone());
        self.draft = world;
    }

    /// Accepts the draft if it is valid. Changes of one `gesture` are undone together.
    pub fn settle(&mut self, gesture: Option<u64>) {
        if self.draft == *self.accepted() {
            self.fault = None;
            return;
        }
        self.fault = self.draft.validate().err().map(Fault::from);
        if self.fault.is_none() {
            let next = Snapshot { world: self.draft.clone(), ..self.history.now().clone() };
            self.history.step(next, gesture);
        }
    }

    /// Ends the gesture: nothing is being dragged or typed.
    pub fn end_gesture(&mut self) {
        self.history.end_gesture();
    }

    /// Discards an invalid draft.
    pub fn revert(&mut self) {
        self.draft = self.accepted().clone();
        self.fault = None;
    }

    /// Discards an invalid draft, or undoes a step.
    pub fn undo(&mut self) {
        if self.fault.is_none() {
            self.history.undo();
        }
        self.revert();
    }

    pub fn redo(&mut self) {
        self.history.redo();
        self.revert();
    }

    /// Adds a step that has changed edits of the land.
    pub fn step_edits(&mut self, step: EditStep) {
        self.history.step_edits(step);
    }

    /// Steps of edits that were undone or redone since the last call: apply them in this order.
    pub fn take_edits(&mut self) -> Vec<(EditStep, Way)> {
        self.history.take_edits()
    }

    /// How many steps can be undone and redone.
    pub fn steps(&self) -> (usize, usize) {
        let (back, forth) = self.history.steps();
        (back + usize::from(self.fault.is_some()), forth)
    }

    pub fn slot(&self) -> Slot {
        self.history.now().slot
    }

    /// Switches to a slot; at the first switch it is a copy of the other.
    pub fn compare(&mut self, slot: Slot) {
        self.revert();
        let Snapshot { world, slot: now, other } = self.history.now().clone();
        if slot != now {
            let next = other.map_or_else(|| world.clone(), |other| *other);
            self.history.step(Snapshot { world: next, slot, other: Some(Box::new(world)) }, None);
            self.revert();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn live(world: &TerrainPreset) -> Live<'_> {
        Live {
            terrain: &world.terrain,
            ground: &world.ground,
            water: world.water.as_ref(),
            scatter: world.scatter.as_ref(),
            volumes: world.volumes.as_ref(),
            wind: world.wind.as_ref(),
            sky: world.sky.as_ref(),
        }
    }

    fn seeded(seed: u64) -> TerrainPreset {
        let mut world = TerrainPreset::default();
        world.terrain.seed = seed;
        world
    }

    #[test]
    fn an_invalid_draft_is_rejected_with_a_message_and_a_valid_one_is_accepted() {
        let mut session = Session::new(seeded(1));
        session.draft.terrain.lod.spacing = -1.0;
        session.settle(None);
        let fault = session.fault.clone().unwrap();
        let message = "found -1, allowed is 0.01 to 1000 m";
        assert_eq!((fault.path.as_str(), fault.message.as_str()), ("terrain.lod.spacing", message));
        assert_eq!(*session.accepted(), seeded(1));
        session.draft.terrain.lod.spacing = 2.0;
        session.settle(None);
        assert_eq!((session.fault.clone(), session.accepted().terrain.lod.spacing), (None, 2.0));
        session.draft.terrain.noise = terrain_noise::Fractal { octaves: 99, ..Default::default() }.into();
        session.settle(None);
        let message = "found 99, allowed is 1 to 32".to_owned();
        assert_eq!(session.fault, Some(Fault { path: "terrain.noise.octaves".into(), message }));
        session.undo();
        assert_eq!((session.fault.clone(), session.draft.terrain.lod.spacing), (None, 2.0));
    }

    #[test]
    fn changes_made_elsewhere_win_and_are_no_history() {
        let mut session = Session::new(seeded(1));
        session.draft.terrain.lod.spacing = -1.0;
        session.settle(None);
        let mut elsewhere = seeded(9);
        elsewhere.terrain.lod.spacing = 2.0;
        session.follow(&live(&elsewhere));
        session.settle(None);
        assert_eq!((session.draft.clone(), session.fault.clone()), (elsewhere.clone(), None));
        session.follow(&live(&elsewhere));
        assert_eq!(session.steps(), (0, 0));
        session.undo();
        assert_eq!(session.draft, elsewhere);
    }

    #[test]
    fn changes_by_systems_are_no_steps_and_keep_the_draft() {
        let mut world = TerrainPreset { sky: Some(TerrainSky::default()), ..seeded(1) };
        let mut session = Session::new(live(&world).world());
        assert_eq!(session.draft, world);
        session.draft.terrain.lod.spacing = -1.0;
        session.draft.sky.as_mut().unwrap().cloud_cover = 7.0;
        for _ in 0..100 {
            world.sky.as_mut().unwrap().time += 0.01;
            session.follow(&live(&world));
            session.end_gesture();
            session.settle(None);
        }
        assert_eq!((session.draft.terrain.lod.spacing, session.steps()), (-1.0, (1, 0)));
        assert_eq!(session.draft.sky.as_ref().unwrap().cloud_cover, 7.0);
        assert_eq!(session.accepted(), &world);
        world.terrain.seed = 2;
        session.follow(&live(&world));
        session.revert();
        assert_eq!(session.steps(), (0, 0));
    }

    #[test]
    fn a_preset_that_was_chosen_can_be_undone() {
        let mut session = Session::new(seeded(1));
        session.choose(seeded(5));
        session.settle(Some(1));
        // From here on its file is followed; it has not changed yet.
        session.follow(&live(&seeded(5)));
        assert_eq!(session.steps(), (1, 0));
        session.undo();
        assert_eq!(session.draft, seeded(1));
    }

    #[test]
    fn two_worlds_are_compared_and_keep_their_changes() {
        let mut session = Session::new(seeded(1));
        session.compare(Slot::B);
        assert_eq!(session.draft, seeded(1));
        session.draft = seeded(2);
        session.settle(None);
        session.compare(Slot::A);
        assert_eq!((session.draft.clone(), session.slot()), (seeded(1), Slot::A));
        session.compare(Slot::B);
        assert_eq!((session.draft.clone(), session.slot()), (seeded(2), Slot::B));
        for (seed, slot) in [(1, Slot::A), (2, Slot::B), (1, Slot::B), (1, Slot::A)] {
            session.undo();
            assert_eq!((session.draft.clone(), session.slot()), (seeded(seed), slot));
        }
        assert_eq!(session.steps(), (0, 4));
    }

    #[test]
    fn a_drag_is_one_step() {
        let mut session = Session::new(seeded(1));
        for seed in 2..20 {
            session.draft = seeded(seed);
            session.settle(Some(1));
        }
        assert_eq!(session.steps(), (1, 0));
    }

    #[test]
    fn undo_and_redo_work_while_the_time_of_day_advances() {
        let mut world = TerrainPreset { sky: Some(TerrainSky::default()), ..seeded(1) };
        let mut session = Session::new(live(&world).world());
        let mut hour = world.sky.as_ref().unwrap().time;
        let mut frame = |session: &mut Session| {
            // The app applies what the panel accepted, and advances the time of day.
            world = session.accepted().clone();
            hour += 0.01;
            world.sky.as_mut().unwrap().time = hour;
            session.follow(&live(&world));
            session.end_gesture();
            session.settle(None);
            assert_eq!(session.accepted().sky.as_ref().unwrap().time, hour, "the time of day was set back");
        };
        let mut run = |session: &mut Session| (0..20).for_each(|_| frame(session));
        run(&mut session);
        for seed in [2, 3] {
            session.draft.terrain.seed = seed;
            session.settle(None);
            run(&mut session);
        }
        assert_eq!(session.steps(), (2, 0));
        for (seed, steps) in [(2, (1, 1)), (1, (0, 2))] {
            session.undo();
            run(&mut session);
            assert_eq!((session.draft.terrain.seed, session.steps()), (seed, steps));
        }
        session.redo();
        run(&mut session);
        assert_eq!((session.draft.terrain.seed, session.steps()), (2, (1, 1)));
    }
}
