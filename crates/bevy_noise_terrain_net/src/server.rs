//! The server: it decides, and sends what has changed.

use std::collections::{BTreeMap, VecDeque};

use bevy::prelude::*;
use bevy_noise_terrain::Revision;
use bevy_noise_terrain::edits::{EditId, TerrainEdits};
use bevy_replicon::prelude::*;

use crate::compare::{CompareRegion, RegionCompared};
use crate::follower::{Follower, Join, Written};
use crate::land::BaseLand;
use crate::request::{EditAccepted, EditChange, EditGranted, EditRefused, Refusal};
use crate::rules::{self, Allowances, EditAsk, EditLimits};
use crate::wire::{ToClient, ToServer, WireChange};
use crate::{EditsTraffic, SharedTerrain};

/// What a comparison costs a client of its allowance.
const COMPARE_COST: u32 = 30;
/// Terrains that a client may join.
const MOST_JOINED: usize = 64;

/// Which terrains clients want the edits of.
#[derive(Resource, Default)]
pub struct Joins(BTreeMap<(Entity, SharedTerrain), Join>);

/// The clients of a terrain.
#[derive(Component, Default)]
pub struct Followers {
    /// The state of the edits that all of them have been told of.
    sent: Revision,
    list: Vec<Follower>,
}

impl Followers {
    fn of(&mut self, client: Entity) -> Option<&mut Follower> {
        self.list.iter_mut().find(|follower| follower.client == client)
    }

    /// Follows who joins and leaves.
    fn update(&mut self, joins: &Joins, terrain: SharedTerrain) {
        self.list.retain(|follower| joins.0.contains_key(&(follower.client, terrain)));
        for (&(client, _), &join) in joins.0.iter().filter(|((_, joined), _)| *joined == terrain) {
            match self.of(client) {
                Some(follower) => follower.update(join),
                None => self.list.push(Follower::new(client, join)),
            }
        }
    }
}

/// Handles all messages from clients, in their order.
pub fn receive(
    world: &mut World,
    terrains: &mut QueryState<(Entity, &SharedTerrain)>,
    mut messages: Local<VecDeque<FromClient<ToServer>>>,
) {
    let Some(mut received) = world.get_resource_mut::<Messages<FromClient<ToServer>>>() else { return };
    messages.extend(received.drain());
    for FromClient { client_id: client, message } in messages.drain(..) {
        let terrain = message.terrain();
        let entity = terrains.iter(world).find(|(_, shared)| **shared == terrain).map(|(entity, _)| entity);
        let origin = Origin { client, terrain, entity };
        match message {
            ToServer::Join { fingerprint, .. } => join(world, &origin, fingerprint),
            ToServer::Request { tag, change, .. } => request(world, &origin, tag, change),
            ToServer::Received { .. } => {
                if let Some(mut follower) = origin.follower(world) {
                    follower.confirm();
                }
            }
            ToServer::Compare { region, .. } => {
                if allowance(world, client, COMPARE_COST).is_ok()
                    && let Some(mut follower) = origin.follower(world)
                {
                    follower.compare(region);
                }
            }
            ToServer::Compared { hash, .. } => {
                let compared = origin.follower(world).and_then(|mut follower| follower.take_compared());
                if let Some((region, own)) = compared {
                    world.trigger(RegionCompared { terrain, client: client.entity(), region, own, other: hash });
                }
            }
        }
    }
}

/// Who has sent a message, and which terrain it is about.
struct Origin {
    client: ClientId,
    terrain: SharedTerrain,
    /// `None` if the server has no such terrain.
    entity: Option<Entity>,
}

impl Origin {
    /// The client as a follower of the terrain.
    fn follower<'w>(&self, world: &'w mut World) -> Option<Mut<'w, Follower>> {
        let followers = world.get_mut::<Followers>(self.entity?)?;
        let client = self.client.entity()?;
        followers.filter_map_unchanged(|followers| followers.of(client))
    }
}

fn join(world: &mut World, origin: &Origin, fingerprint: u64) {
    let Some(client) = origin.client.entity() else { return };
    let mut joins = world.resource_mut::<Joins>();
    let joined = joins.0.range((client, SharedTerrain(0))..=(client, SharedTerrain(u32::MAX))).count();
    if joined < MOST_JOINED || joins.0.contains_key(&(client, origin.terrain)) {
        let join = joins.0.entry((client, origin.terrain)).or_default();
        *join = Join { fingerprint, number: join.number.wrapping_add(1) };
    }
}

/// Takes from a client's allowance; the server itself has no limit.
fn allowance(world: &mut World, client: ClientId, cost: u32) -> Result<(), Refusal> {
    let (now, limits) = (world.resource::<Time<Real>>().elapsed(), *world.resource::<EditLimits>());
    let is_allowed = client == ClientId::Server || world.resource_mut::<Allowances>().take(client, cost, now, &limits);
    if is_allowed { Ok(()) } else { Err(Refusal::TooFast { per_second: limits.per_second }) }
}

/// Does what a client wants, or refuses it, and tells it so.
fn request(world: &mut World, origin: &Origin, tag: u32, change: WireChange) {
    let &Origin { client, terrain, .. } = origin;
    let done = decide(world, origin, change);
    if let Ok(granted) = &done {
        world.trigger(*granted);
    }
    match (done, client) {
        (Ok(EditGranted { id, .. }), ClientId::Server) => world.trigger(EditAccepted { terrain, tag, id }),
        (Err(reason), ClientId::Server) => world.trigger(EditRefused { terrain, tag, reason }),
        (Ok(EditGranted { id, .. }), ClientId::Client(_)) => {
            if let Some(mut follower) = origin.follower(world) {
                follower.grant(tag, id);
            }
        }
        (Err(reason), ClientId::Client(_)) => {
            let message = ToClient::Refused { terrain, tag, reason };
            world.write_message(ToClients { targets: SendTargets::Single(client), message });
        }
    }
}

fn decide(world: &mut World, origin: &Origin, change: WireChange) -> Result<EditGranted, Refusal> {
    let &Origin { client, terrain, entity } = origin;
    allowance(world, client, 1)?;
    let entity = entity.ok_or(Refusal::NotJoined)?;
    let has_joined = client == ClientId::Server || origin.follower(world).is_some_and(|follower| follower.has_joined());
    if !has_joined {
        return Err(Refusal::NotJoined);
    }
    let change = match change {
        WireChange::Apply(edit) => EditChange::Apply(edit.into_edit()?),
        WireChange::Undo(id) => EditChange::Undo(id),
    };
    let ask = EditAsk { client, terrain: entity, change };
    rules::judge(world, &ask)?;
    let mut edits = world.get_mut::<TerrainEdits>(entity).ok_or(Refusal::NotJoined)?;
    match ask.change {
        EditChange::Apply(edit) => Ok(EditGranted { client, terrain, id: edits.apply(edit)?, undone: false }),
        EditChange::Undo(id) if edits.get(id).is_none() => Err(Refusal::NoSuchEdit(id)),
        EditChange::Undo(id) => {
            edits.undo(id);
            Ok(EditGranted { client, terrain, id, undone: true })
        }
    }
}

/// Compares regions with every client.
pub fn compare(mut wanted: MessageReader<CompareRegion>, mut terrains: Query<(&SharedTerrain, &mut Followers)>) {
    for &CompareRegion { terrain, region } in wanted.read() {
        for (_, mut followers) in terrains.iter_mut().filter(|(shared, _)| **shared == terrain) {
            followers.list.iter_mut().for_each(|follower| follower.compare(region));
        }
    }
}

/// Sends what has changed, whoever changed it.
pub fn send(
    mut terrains: Query<(&SharedTerrain, &TerrainEdits, &BaseLand, &mut Followers, &mut EditsTraffic)>,
    joins: Res<Joins>,
    authorized: Query<(), With<AuthorizedClient>>,
    mut messages: MessageWriter<ToClients<ToClient>>,
) {
    for (&terrain, edits, land, mut followers, mut traffic) in &mut terrains {
        // Where too much has changed, the list goes out anew.
        let changes = edits.changes_since(followers.sent).filter(|changes| !changes.cleared);
        let changed: Option<Vec<EditId>> = changes.map(|changes| changes.edits.into_iter().map(|(id, _)| id).collect());
        followers.sent = edits.revision();
        followers.update(&joins, terrain);
        let mut written = Written::default();
        for follower in &mut followers.list {
            match &changed {
                Some(names) => follower.note(names),
                None => follower.begin_anew(),
            }
            if authorized.contains(follower.client) {
                let targets = SendTargets::Single(follower.client.into());
                let sent = follower.messages(terrain, edits, land, &mut written);
                messages.write_batch(sent.into_iter().map(|message| ToClients { targets, message }));
            }
        }
        if written != default() {
            traffic.entries += written.entries;
            traffic.bytes += written.bytes;
        }
    }
}

/// Forgets a client that is gone.
pub fn leave(gone: On<Remove<ConnectedClient>>, mut joins: ResMut<Joins>, mut allowances: ResMut<Allowances>) {
    joins.0.retain(|(client, _), _| *client != gone.entity);
    allowances.forget(gone.entity.into());
}

/// Forgets all clients.
pub fn stop(mut joins: ResMut<Joins>, mut allowances: ResMut<Allowances>, mut terrains: Query<&mut Followers>) {
    (*joins, *allowances) = default();
    terrains.iter_mut().for_each(|mut followers| followers.list.clear());
}
