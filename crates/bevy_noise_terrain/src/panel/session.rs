//! The editing of one terrain: a draft that may be wrong, its history, and two worlds to compare.

use terrain_noise::NoiseError;

use super::history::History;
use crate::preset_asset::{PresetError, TerrainPreset};
use crate::render::Ground;
use crate::terrain::{NoiseTerrain, TerrainError};

/// Which of the two worlds that are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Letter {
    #[default]
    A,
    B,
}

/// What undo goes back to: all of it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Snapshot {
    world: TerrainPreset,
    letter: Letter,
    /// The world of the other letter, once it was looked at.
    other: Option<Box<TerrainPreset>>,
}

/// What is wrong with a draft, and at which field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// As in a preset's text: `noise.source.octaves`, `lod.spacing`.
    pub path: String,
    /// What was found, what is allowed.
    pub words: String,
}

impl Fault {
    /// The words, if the fault lies with this field.
    pub fn at<'a>(fault: Option<&'a Self>, path: &str) -> Option<&'a str> {
        fault.filter(|fault| fault.path == path).map(|fault| fault.words.as_str())
    }
}

impl From<PresetError> for Fault {
    fn from(error: PresetError) -> Self {
        match error {
            PresetError::Terrain(TerrainError::Noise(NoiseError { path, found, allowed })) => {
                let path = if path == "noise" { path } else { format!("noise.{path}") };
                Self { path, words: format!("found {found}, allowed is {allowed}") }
            }
            other => {
                // `lod.spacing is -1; it must be …`: the field comes first.
                let words = match other {
                    PresetError::Terrain(error) => error.to_string(),
                    other => other.to_string(),
                };
                let path = words.split([' ', ':']).next().unwrap_or_default().to_owned();
                let words = words.strip_prefix(&path).map_or(words.as_str(), str::trim).to_owned();
                Self { path, words }
            }
        }
    }
}

/// The editing of one terrain.
pub struct Session {
    /// What the fields show, right or wrong.
    pub draft: TerrainPreset,
    /// What is wrong with the draft.
    pub fault: Option<Fault>,
    history: History<Snapshot>,
}

impl Session {
    pub fn new(world: TerrainPreset) -> Self {
        let history = History::new(Snapshot { world: world.clone(), ..Snapshot::default() });
        Self { draft: world, fault: None, history }
    }

    /// What the world is when the draft is not.
    pub fn accepted(&self) -> &TerrainPreset {
        &self.history.now().world
    }

    /// Takes over what somebody else has changed: a file, another system. It can be undone.
    pub fn follow(&mut self, terrain: &NoiseTerrain, ground: &Ground) {
        let seen = self.accepted();
        if seen.terrain == *terrain && seen.ground == *ground {
            return;
        }
        let mut world = seen.clone();
        (world.terrain, world.ground) = (terrain.clone(), ground.clone());
        self.draft = world;
        self.settle(None);
    }

    /// Takes the draft over if it is right. Changes of one `gesture` are undone together.
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

    /// Nothing is being dragged or typed any more.
    pub fn rest(&mut self) {
        self.history.rest();
    }

    /// Gives a wrong draft up.
    pub fn revert(&mut self) {
        self.draft = self.accepted().clone();
        self.fault = None;
    }

    /// Gives a wrong draft up, or goes a step back.
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

    /// How many steps can be undone and redone.
    pub fn steps(&self) -> (usize, usize) {
        let (back, forth) = self.history.steps();
        (back + usize::from(self.fault.is_some()), forth)
    }

    pub fn letter(&self) -> Letter {
        self.history.now().letter
    }

    /// Shows the other of two worlds; the first time they are alike.
    pub fn compare(&mut self, letter: Letter) {
        self.revert();
        let Snapshot { world, letter: now, other } = self.history.now().clone();
        if letter != now {
            let next = other.map_or_else(|| world.clone(), |other| *other);
            self.history.step(Snapshot { world: next, letter, other: Some(Box::new(world)) }, None);
            self.revert();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seeded(seed: u64) -> TerrainPreset {
        let mut world = TerrainPreset::default();
        world.terrain.seed = seed;
        world
    }

    #[test]
    fn a_wrong_draft_is_refused_in_words_and_a_right_one_passes() {
        let mut session = Session::new(seeded(1));
        session.draft.terrain.lod.spacing = -1.0;
        session.settle(None);
        let fault = session.fault.clone().unwrap();
        assert_eq!((fault.path.as_str(), fault.words.as_str()), ("lod.spacing", "is -1; it must be from 0.01 to 1000"));
        assert_eq!(*session.accepted(), seeded(1));
        session.draft.terrain.lod.spacing = 2.0;
        session.settle(None);
        assert_eq!((session.fault.clone(), session.accepted().terrain.lod.spacing), (None, 2.0));
        session.draft.terrain.noise = terrain_noise::Fractal { octaves: 99, ..Default::default() }.into();
        session.settle(None);
        let words = "found 99, allowed is 1 to 32".to_owned();
        assert_eq!(session.fault, Some(Fault { path: "noise.octaves".into(), words }));
        session.undo();
        assert_eq!((session.fault.clone(), session.draft.terrain.lod.spacing), (None, 2.0));
    }

    #[test]
    fn changes_made_elsewhere_win_and_can_be_undone() {
        let mut session = Session::new(seeded(1));
        session.draft.terrain.lod.spacing = -1.0;
        session.settle(None);
        let elsewhere = seeded(9);
        session.follow(&elsewhere.terrain, &elsewhere.ground);
        assert_eq!((session.draft.clone(), session.fault.clone()), (seeded(9), None));
        session.follow(&elsewhere.terrain, &elsewhere.ground);
        assert_eq!(session.steps(), (1, 0));
        session.undo();
        assert_eq!(session.draft, seeded(1));
    }

    #[test]
    fn two_worlds_are_compared_and_keep_their_changes() {
        let mut session = Session::new(seeded(1));
        session.compare(Letter::B);
        assert_eq!(session.draft, seeded(1));
        session.draft = seeded(2);
        session.settle(None);
        session.compare(Letter::A);
        assert_eq!((session.draft.clone(), session.letter()), (seeded(1), Letter::A));
        session.compare(Letter::B);
        assert_eq!((session.draft.clone(), session.letter()), (seeded(2), Letter::B));
        for (seed, letter) in [(1, Letter::A), (2, Letter::B), (1, Letter::B), (1, Letter::A)] {
            session.undo();
            assert_eq!((session.draft.clone(), session.letter()), (seeded(seed), letter));
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
}
