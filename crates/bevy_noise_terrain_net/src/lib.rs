//! Edits of [`bevy_noise_terrain`] over the network, with the replication crate [Replicon](bevy_replicon) and any transport
//! that it knows.
//!
//! Land is computed on every machine: it has the same bits everywhere. Only what players change travels, about 45 bytes a
//! change; land that nobody has changed costs nothing.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy::state::app::StatesPlugin;
//! use bevy_noise_terrain::prelude::*;
//! use bevy_noise_terrain_net::{EditAsk, EditRulesAppExt, Refusal, SharedTerrain, TerrainEditsNetPlugin};
//! use bevy_replicon::prelude::*;
//!
//! fn only_the_host_digs(InRef(ask): InRef<EditAsk>) -> Result<(), Refusal> {
//!     if ask.client == ClientId::Server { Ok(()) } else { Err(Refusal::Rule("only the host digs".into())) }
//! }
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, StatesPlugin, TransformPlugin, RepliconPlugins))
//!     .add_plugins((NoiseTerrainPlugin, TerrainEditsNetPlugin))
//!     .add_edit_rule(only_the_host_digs);
//! app.world_mut().spawn((NoiseTerrain { seed: 7, ..default() }, SharedTerrain(0)));
//! ```
//!
//! * Server and clients spawn the same terrain, with a [`SharedTerrain`] of the same number. Clients whose land is another one
//!   get no edits but the event [`LandDiffers`].
//! * The server's [`TerrainEdits`] are the truth: change them there as you like, every client follows, in the same order. A
//!   client that joins, or comes back, gets the whole list in pieces, and then what changes: [`EditsSync`], [`EditsJoined`].
//!   Clients do not change theirs.
//! * A client asks by writing an [`EditRequest`]; [`EditAccepted`] or [`EditRefused`] is the answer, with the reason. The server
//!   checks every field, your rules ([`EditRulesAppExt`]) and [`EditLimits`].
//! * [`CompareRegion`] tells whether two machines have the same land in a region: [`RegionCompared`].
//! * [`EditsTraffic`] counts what has travelled.
//!
//! Add [`TerrainEditsNetPlugin`] after Replicon's plugins, on servers and clients alike, and before the transport connects.

mod client;
mod compare;
mod follower;
mod land;
#[cfg(feature = "lossy")]
pub mod lossy;
mod request;
mod rules;
mod server;
mod wire;

pub use client::{EditsJoined, EditsSync, LandDiffers};
pub use compare::{CompareRegion, Region, RegionCompared};
pub use request::{EditAccepted, EditChange, EditGranted, EditRefused, EditRequest, Refusal};
pub use rules::{EditAsk, EditLimits, EditRulesAppExt};

use bevy::prelude::*;
use bevy_noise_terrain::edits::TerrainEdits;
use bevy_replicon::prelude::*;
use serde::{Deserialize, Serialize};

/// Shares edits between a server and its clients.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainEditsNetPlugin;

/// Which terrain this is for all machines: any number, the same on the server and its clients. Component beside
/// [`NoiseTerrain`](bevy_noise_terrain::NoiseTerrain).
#[derive(
    Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Reflect, Serialize, Deserialize,
)]
#[reflect(Component, Default)]
#[require(TerrainEdits, EditsSync, EditsTraffic, land::BaseLand, server::Followers)]
pub struct SharedTerrain(pub u32);

/// What has travelled of a terrain's edits: sent by a server to all clients together, or received by a client.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
pub struct EditsTraffic {
    /// Edits, and names of edits that were taken away.
    pub entries: u64,
    /// Bytes of them, before the transport adds its own.
    pub bytes: u64,
}

impl Plugin for TerrainEditsNetPlugin {
    fn build(&self, app: &mut App) {
        if !app.world().contains_resource::<RepliconChannels>() {
            error!("TerrainEditsNetPlugin does nothing: add it after Replicon's plugins");
            return;
        }
        wire::register(app);
        app.register_type::<SharedTerrain>()
            .register_type::<EditsTraffic>()
            .register_type::<EditLimits>()
            .init_resource::<EditLimits>()
            .init_resource::<rules::Allowances>()
            .init_resource::<server::Joins>()
            .add_message::<EditRequest>()
            .add_message::<CompareRegion>()
            .add_observer(server::leave)
            .add_systems(OnExit(ServerState::Running), server::stop)
            .add_systems(OnExit(ClientState::Connected), client::reset)
            .add_systems(
                PreUpdate,
                (
                    // Without a network as well: then a request comes from the same machine.
                    server::receive.after(ServerSystems::Receive).run_if(in_state(ClientState::Disconnected)),
                    client::receive.after(ClientSystems::Receive).run_if(in_state(ClientState::Connected)),
                ),
            )
            .add_systems(
                PostUpdate,
                (
                    land::follow,
                    (client::ask, (client::compare, client::join).run_if(in_state(ClientState::Connected)))
                        .before(ClientSystems::Send),
                    (server::compare, server::send)
                        .chain()
                        .before(ServerSystems::Send)
                        .run_if(in_state(ServerState::Running)),
                )
                    .chain(),
            );
    }
}

// A page of the plugin's guide whose lines need this crate. The published one has no such file, and no such test.
#[cfg(doctest)]
#[doc = include_str!("../../bevy_noise_terrain/src/guide/players.md")]
mod guide_players {}
