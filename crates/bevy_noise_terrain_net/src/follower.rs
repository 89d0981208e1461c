//! What a client has of a terrain's edits, and what it is sent next.
//!
//! The list goes out by rising names, in pieces, while it goes on changing: a change before the place that has been reached
//! is noted and sent again, one behind it will be met on the way. As what is noted are names, an edit that changes again
//! before it is sent is sent once, as it is then: a slow client never has more to catch up with than the list itself.

use std::collections::{BTreeSet, VecDeque};

use bevy::prelude::*;
use bevy_noise_terrain::edits::{EditId, TerrainEdits};

use crate::SharedTerrain;
use crate::compare::Region;
use crate::land::BaseLand;
use crate::wire::{self, ToClient};

/// Bytes after which a piece is full.
const PIECE: usize = 8 * 1024;
/// Pieces that a client may have on their way: what is sent faster than it is confirmed would fill the transport's memory.
const MOST_ON_WAY: u32 = 16;
/// Comparisons that wait at most.
const MOST_COMPARED: usize = 4;

/// A client that wants the edits of a terrain.
#[derive(Debug)]
pub struct Follower {
    pub client: Entity,
    join: Join,
    stage: Stage,
    /// Where the rest of the list begins; `None` once all of it has been sent.
    rest: Option<EditId>,
    /// Names before the rest whose edits have changed since they were sent.
    changed: BTreeSet<EditId>,
    /// Pieces that have not been confirmed.
    on_way: u32,
    /// Requests that have been granted, and the names of their edits.
    granted: VecDeque<(u32, EditId)>,
    /// Regions to be compared.
    regions: VecDeque<Region>,
    /// Regions that the client has been told, with the own hash.
    compared: VecDeque<(Region, u64)>,
}

/// What a client has said when it joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Join {
    /// Which land it has.
    pub fingerprint: u64,
    /// How often it has joined: each time it wants the whole list.
    pub number: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing has been sent yet.
    New,
    /// It has another land, and knows it.
    Differs,
    /// It is sent the list, and every change.
    Follows,
}

/// What has been written into messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub entries: u64,
    pub bytes: u64,
}

impl Follower {
    pub fn new(client: Entity, join: Join) -> Self {
        Self {
            client,
            join,
            stage: Stage::New,
            rest: Some(EditId(0)),
            changed: BTreeSet::new(),
            on_way: 0,
            granted: VecDeque::new(),
            regions: VecDeque::new(),
            compared: VecDeque::new(),
        }
    }

    /// Begins anew if the client has joined again.
    pub fn update(&mut self, join: Join) {
        if self.join != join {
            self.join = join;
            self.begin_anew();
        }
    }

    /// Sends the whole list again.
    pub fn begin_anew(&mut self) {
        // What is on its way stays there: joining again and again makes no more of it.
        let granted = std::mem::take(&mut self.granted);
        *self = Self { on_way: self.on_way, granted, ..Self::new(self.client, self.join) };
    }

    /// Whether all edits have been sent.
    pub fn is_complete(&self) -> bool {
        self.stage == Stage::Follows && self.rest.is_none() && self.changed.is_empty()
    }

    /// Whether it has once been sent all edits: from then on it may ask for changes.
    pub fn has_joined(&self) -> bool {
        self.stage == Stage::Follows && self.rest.is_none()
    }

    /// Notes edits that have changed.
    pub fn note(&mut self, names: &[EditId]) {
        let sent = names.iter().filter(|&&id| self.rest.is_none_or(|rest| id < rest));
        self.changed.extend(sent);
    }

    /// A piece has arrived.
    pub fn confirm(&mut self) {
        self.on_way = self.on_way.saturating_sub(1);
    }

    /// A request has been granted: the client is told after it has got the edit.
    pub fn grant(&mut self, tag: u32, id: EditId) {
        self.granted.push_back((tag, id));
    }

    /// Compares a region once the client has got all edits.
    pub fn compare(&mut self, region: Region) {
        if self.regions.len() + self.compared.len() < MOST_COMPARED {
            self.regions.push_back(region);
        }
    }

    /// The region that the client answers for, and the own hash.
    pub fn take_compared(&mut self) -> Option<(Region, u64)> {
        self.compared.pop_front()
    }

    /// What to send now, in this order.
    pub fn messages(
        &mut self,
        terrain: SharedTerrain,
        edits: &TerrainEdits,
        land: &BaseLand,
        written: &mut Written,
    ) -> Vec<ToClient> {
        let mut messages = Vec::new();
        let begins = self.stage == Stage::New;
        match land.fingerprint() {
            None => return messages,
            Some(fingerprint) if fingerprint != self.join.fingerprint => {
                if self.stage != Stage::Differs {
                    *self = Self { stage: Stage::Differs, on_way: self.on_way, ..Self::new(self.client, self.join) };
                    messages.push(ToClient::Differs { terrain, fingerprint });
                }
                return messages;
            }
            Some(_) if self.stage == Stage::Differs => {
                // The land of the server has become that of the client.
                self.stage = Stage::New;
                return self.messages(terrain, edits, land, written);
            }
            Some(_) => self.stage = Stage::Follows,
        }
        while self.on_way < MOST_ON_WAY && !self.is_complete() {
            let entries = self.entries(edits, written);
            self.on_way += 1;
            let begins = begins && messages.is_empty();
            messages.push(ToClient::Piece { terrain, begins, completes: self.is_complete(), entries });
        }
        // In the same channel: whatever they are about arrives before them.
        let has_gone = |id: EditId| !self.changed.contains(&id) && self.rest.is_none_or(|rest| id < rest);
        while let Some((tag, id)) = self.granted.pop_front_if(|granted| has_gone(granted.1)) {
            messages.push(ToClient::Accepted { terrain, tag, id });
        }
        if self.is_complete()
            && !self.regions.is_empty()
            && let Some(land) = land.with_edits(edits)
        {
            for region in self.regions.drain(..) {
                let Some(hash) = region.hash(&land) else { continue };
                self.compared.push_back((region, hash));
                messages.push(ToClient::Compare { terrain, region, hash });
            }
        }
        messages
    }

    /// The next piece.
    fn entries(&mut self, edits: &TerrainEdits, written: &mut Written) -> Vec<u8> {
        let mut entries = Vec::new();
        let mut put = |entries: &mut Vec<u8>, id, edit| {
            written.entries += 1;
            if let Err(error) = wire::put(entries, id, edit) {
                error!("edit {id:?} cannot be sent: {error}");
            }
        };
        while entries.len() < PIECE
            && let Some(id) = self.changed.pop_first()
        {
            put(&mut entries, id, edits.get(id));
        }
        if let Some(first) = self.rest {
            let mut rest = edits.range(first..);
            self.rest = loop {
                let Some((id, edit)) = rest.next() else { break None };
                if entries.len() >= PIECE {
                    break Some(id);
                }
                put(&mut entries, id, Some(edit));
            };
        }
        written.bytes += entries.len() as u64;
        entries
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use bevy_noise_terrain::NoiseTerrain;
    use bevy_noise_terrain::Revision;
    use bevy_noise_terrain::edits::Edit;
    use proptest::prelude::*;
    use proptest::test_runner::Config;

    use super::*;
    use crate::land;

    const TERRAIN: SharedTerrain = SharedTerrain(3);

    /// The land of default settings.
    fn land() -> BaseLand {
        let mut app = App::new();
        app.add_systems(Update, land::follow);
        let terrain = app.world_mut().spawn((NoiseTerrain::default(), TERRAIN)).id();
        app.update();
        app.world().get::<BaseLand>(terrain).unwrap().clone()
    }

    /// The list of a client, and what it has been told.
    #[derive(Default)]
    struct Client {
        edits: TerrainEdits,
        is_complete: bool,
        begun: usize,
        unconfirmed: u32,
        accepted: Vec<EditId>,
    }

    impl Client {
        fn receive(&mut self, message: ToClient) {
            match message {
                ToClient::Piece { begins, completes, entries, .. } => {
                    assert!(entries.len() < PIECE + 100, "a piece of {} bytes", entries.len());
                    if begins {
                        *self = Self { begun: self.begun + 1, unconfirmed: self.unconfirmed, ..default() };
                    }
                    self.unconfirmed += 1;
                    self.is_complete = completes;
                    wire::take(entries, |id, edit| {
                        match edit {
                            Some(edit) => self.edits.insert(id, edit)?,
                            None => _ = self.edits.undo(id),
                        }
                        Ok(())
                    })
                    .unwrap();
                }
                ToClient::Accepted { id, .. } => {
                    assert!(self.edits.get(id).is_some(), "the answer comes after the edit");
                    self.accepted.push(id);
                }
                other => panic!("{other:?}"),
            }
        }
    }

    proptest! {
        #![proptest_config(Config { cases: 16, ..Config::default() })]

        #[test]
        fn a_client_ends_with_the_list_of_the_server(
            before in 0u32..1_500,
            steps in prop::collection::vec((0u32..5, any::<prop::sample::Index>(), 0u32..3), 0..120),
        ) {
            let land = land();
            let mut edits = TerrainEdits::default();
            let raise = |index: u32| Edit::raise(DVec3::new(f64::from(index), 0.0, 0.0), 2.0, 1.0);
            for index in 0..before {
                edits.apply(raise(index)).unwrap();
            }
            let (mut sent, mut written) = (Revision::default(), Written::default());
            let join = Join { fingerprint: land.fingerprint().unwrap(), number: 1 };
            let mut follower = Follower::new(Entity::PLACEHOLDER, join);
            let (mut client, mut granted) = (Client::default(), Vec::new());
            for step in 0..400 {
                if let Some((kind, which, confirmed)) = steps.get(step) {
                    let names: Vec<EditId> = edits.iter().map(|(id, _)| id).collect();
                    match kind {
                        0 if !names.is_empty() => _ = edits.undo(*which.get(&names)),
                        1 if !names.is_empty() => edits.insert(*which.get(&names), raise(7)).unwrap(),
                        2 => (0..300).for_each(|index| _ = edits.apply(raise(index)).unwrap()),
                        _ => {
                            let id = edits.apply(raise(9)).unwrap();
                            follower.grant(1, id);
                            granted.push(id);
                        }
                    }
                    // Some arrive late.
                    let confirmed = (*confirmed).min(client.unconfirmed);
                    (0..confirmed).for_each(|_| follower.confirm());
                    client.unconfirmed -= confirmed;
                } else {
                    (0..std::mem::take(&mut client.unconfirmed)).for_each(|_| follower.confirm());
                }
                let changes = edits.changes_since(sent).unwrap();
                follower.note(&changes.edits.iter().map(|(id, _)| *id).collect::<Vec<_>>());
                sent = edits.revision();
                for message in follower.messages(TERRAIN, &edits, &land, &mut written) {
                    // An edit that was taken away again before it was sent is never seen.
                    if !matches!(message, ToClient::Accepted { id, .. } if edits.get(id).is_none()) {
                        client.receive(message);
                    }
                }
                prop_assert!(client.unconfirmed <= MOST_ON_WAY);
            }
            prop_assert!(client.is_complete && follower.is_complete());
            prop_assert_eq!(client.begun, 1);
            prop_assert_eq!(&client.edits, &edits);
            prop_assert!(client.accepted.is_sorted());
            // Without a change nothing is sent.
            prop_assert_eq!(follower.messages(TERRAIN, &edits, &land, &mut written), vec![]);
        }
    }

    #[test]
    fn another_land_is_told_once() {
        let (land, edits) = (land(), TerrainEdits::default());
        let mut follower = Follower::new(Entity::PLACEHOLDER, Join { fingerprint: 1, number: 1 });
        let mut messages = || follower.messages(TERRAIN, &edits, &land, &mut Written::default());
        let fingerprint = land.fingerprint().unwrap();
        assert_eq!(messages(), [ToClient::Differs { terrain: TERRAIN, fingerprint }]);
        assert_eq!(messages(), []);
        assert!(!follower.has_joined());
    }

    #[test]
    fn joining_again_and_again_does_not_flood_anybody() {
        let land = land();
        let mut edits = TerrainEdits::default();
        for _ in 0..10_000 {
            edits.apply(Edit::raise(DVec3::ZERO, 2.0, 1.0)).unwrap();
        }
        let join = |number| Join { fingerprint: land.fingerprint().unwrap(), number };
        let mut follower = Follower::new(Entity::PLACEHOLDER, join(0));
        let mut sent = 0;
        for number in 0..50 {
            follower.update(join(number));
            sent += follower.messages(TERRAIN, &edits, &land, &mut Written::default()).len();
        }
        assert_eq!(sent, MOST_ON_WAY as usize);
    }
}
