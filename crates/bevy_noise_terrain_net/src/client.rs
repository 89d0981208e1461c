//! A client: it asks, and takes over what the server sends.

use bevy::prelude::*;
use bevy_noise_terrain::edits::TerrainEdits;
use bevy_replicon::prelude::*;

use crate::compare::{CompareRegion, RegionCompared};
use crate::land::BaseLand;
use crate::request::{EditAccepted, EditChange, EditRefused, EditRequest, Refusal};
use crate::wire::{self, ToClient, ToServer, WireChange, WireEdit};
use crate::{EditsTraffic, SharedTerrain};

/// How far a client is in getting the edits of a terrain. Component beside [`SharedTerrain`].
#[derive(Component, Default)]
pub struct EditsSync {
    stage: Stage,
    /// The land that the server has been told of.
    told: Option<u64>,
}

#[derive(Default)]
enum Stage {
    /// Nothing has come yet.
    #[default]
    Waiting,
    /// The first part of the list; the land stays as it is until all have come.
    Joining(TerrainEdits),
    /// All have come, and changes go on coming.
    Live,
}

impl EditsSync {
    /// Whether all edits of the server have come, and changes are followed.
    pub fn is_live(&self) -> bool {
        matches!(self.stage, Stage::Live)
    }

    /// How many edits have come, until all have; 0 before and after that.
    pub fn received(&self) -> usize {
        if let Stage::Joining(edits) = &self.stage { edits.len() } else { 0 }
    }
}

/// On a client: all edits of the server have come. What the terrain had before is gone.
#[derive(Event, Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditsJoined {
    /// Which terrain.
    pub terrain: SharedTerrain,
    /// How many edits there are.
    pub edits: usize,
}

/// On a client: the server has another land under this number. No edits come, as they would be nonsense here. Once the
/// settings are the same, they do.
#[derive(Event, Clone, Copy, Debug, PartialEq, Eq)]
pub struct LandDiffers {
    /// Which terrain.
    pub terrain: SharedTerrain,
    /// A hash of this client's land without edits.
    pub own: u64,
    /// That of the server's.
    pub server: u64,
}

/// Tells the server which terrains there are.
pub fn join(mut terrains: Query<(&SharedTerrain, &BaseLand, &mut EditsSync)>, mut messages: MessageWriter<ToServer>) {
    for (&terrain, land, mut sync) in &mut terrains {
        let Some(fingerprint) = land.fingerprint() else { continue };
        if sync.told != Some(fingerprint) {
            sync.told = Some(fingerprint);
            sync.stage = Stage::Waiting;
            messages.write(ToServer::Join { terrain, fingerprint });
        }
    }
}

/// Passes on what the game wants.
pub fn ask(
    state: Res<State<ClientState>>,
    mut requests: MessageReader<EditRequest>,
    mut messages: MessageWriter<ToServer>,
    mut commands: Commands,
) {
    for EditRequest { terrain, tag, change } in requests.read() {
        let (terrain, tag) = (*terrain, *tag);
        let change = match change {
            // Replicon would drop the message.
            _ if *state == ClientState::Connecting => Err(Refusal::NotJoined),
            EditChange::Apply(edit) => WireEdit::new(edit).map(WireChange::Apply).map_err(Refusal::from),
            EditChange::Undo(id) => Ok(WireChange::Undo(*id)),
        };
        match change {
            Ok(change) => _ = messages.write(ToServer::Request { terrain, tag, change }),
            Err(reason) => commands.trigger(EditRefused { terrain, tag, reason }),
        }
    }
}

/// Passes on what the game wants to be compared.
pub fn compare(mut wanted: MessageReader<CompareRegion>, mut messages: MessageWriter<ToServer>) {
    let asks = wanted.read().map(|&CompareRegion { terrain, region }| ToServer::Compare { terrain, region });
    messages.write_batch(asks);
}

/// Takes over what the server has sent.
pub fn receive(
    mut received: ResMut<Messages<ToClient>>,
    mut terrains: Query<(&SharedTerrain, &mut TerrainEdits, &BaseLand, &mut EditsSync, &mut EditsTraffic)>,
    mut messages: MessageWriter<ToServer>,
    mut commands: Commands,
) {
    for message in received.drain() {
        match message {
            ToClient::Accepted { terrain, tag, id } => commands.trigger(EditAccepted { terrain, tag, id }),
            ToClient::Refused { terrain, tag, reason } => commands.trigger(EditRefused { terrain, tag, reason }),
            ToClient::Differs { terrain, fingerprint } => {
                if let Some((_, _, land, mut sync, _)) = terrains.iter_mut().find(|land| *land.0 == terrain) {
                    sync.stage = Stage::Waiting;
                    let own = land.fingerprint().unwrap_or_default();
                    commands.trigger(LandDiffers { terrain, own, server: fingerprint });
                }
            }
            ToClient::Piece { terrain, begins, completes, entries } => {
                // Whatever becomes of it: the server waits for it.
                messages.write(ToServer::Received { terrain });
                let Some((_, mut edits, _, mut sync, mut traffic)) =
                    terrains.iter_mut().find(|land| *land.0 == terrain)
                else {
                    continue;
                };
                traffic.bytes += entries.len() as u64;
                if begins {
                    sync.stage = Stage::Joining(TerrainEdits::default());
                }
                let target = match &mut sync.stage {
                    // Of a list that is no longer wanted: that of the present land begins anew.
                    Stage::Waiting => continue,
                    Stage::Joining(joining) => joining,
                    Stage::Live => &mut *edits,
                };
                if let Err(error) = take(entries, target, &mut traffic) {
                    error!("edits of {terrain:?} cannot be read: {error}");
                }
                if completes && let Stage::Joining(joined) = &mut sync.stage {
                    let joined = std::mem::take(joined);
                    commands.trigger(EditsJoined { terrain, edits: joined.len() });
                    edits.set_if_neq(joined);
                    sync.stage = Stage::Live;
                }
            }
            ToClient::Compare { terrain, region, hash } => {
                let Some((_, edits, land, ..)) = terrains.iter().find(|land| *land.0 == terrain) else { continue };
                let Some(own) = land.with_edits(edits).and_then(|land| region.hash(&land)) else { continue };
                messages.write(ToServer::Compared { terrain, hash: own });
                commands.trigger(RegionCompared { terrain, client: None, region, own, other: hash });
            }
        }
    }
}

fn take(entries: Vec<u8>, edits: &mut TerrainEdits, traffic: &mut EditsTraffic) -> Result {
    wire::take(entries, |id, edit| {
        traffic.entries += 1;
        match edit {
            Some(edit) => edits.insert(id, edit)?,
            None => _ = edits.undo(id),
        }
        Ok(())
    })
}

/// The connection is lost: the land stays, until a new one brings the list anew.
pub fn reset(mut terrains: Query<&mut EditsSync>) {
    terrains.iter_mut().for_each(|mut sync| *sync = default());
}
