//! A server and its clients in one process, each an app of its own, with a bad network between them.

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::time::{Duration, Instant, SystemTime};

use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy_noise_terrain::edits::{Edit, TerrainEdits};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::{Compose, perlin};
use bevy_noise_terrain_net::lossy::{LossyLink, LossySettings};
use bevy_noise_terrain_net::{
    EditAccepted, EditChange, EditRefused, EditRequest, EditsJoined, EditsSync, LandDiffers, RegionCompared,
    SharedTerrain, TerrainEditsNetPlugin,
};
use bevy_replicon::prelude::*;
use bevy_replicon_renet::netcode::{
    ClientAuthentication, NetcodeClientTransport, NetcodeServerTransport, ServerAuthentication, ServerConfig,
};
use bevy_replicon_renet::renet::ConnectionConfig;
use bevy_replicon_renet::{RenetChannelsExt, RenetClient, RenetServer, RepliconRenetPlugins};

pub const LAND: SharedTerrain = SharedTerrain(7);

/// Everything that a machine is told.
#[derive(Resource, Default, Debug)]
pub struct Heard {
    pub accepted: Vec<EditAccepted>,
    pub refused: Vec<EditRefused>,
    pub joined: Vec<EditsJoined>,
    pub differs: Vec<LandDiffers>,
    pub compared: Vec<RegionCompared>,
}

/// Bytes that have been given to the transport.
#[derive(Resource, Default)]
pub struct Sent(pub usize);

/// A machine with one terrain.
pub struct Machine {
    pub app: App,
    pub terrain: Entity,
}

pub struct Client {
    pub machine: Machine,
    pub link: LossyLink,
}

/// A small land of hills.
pub fn land() -> NoiseTerrain {
    let mut land = NoiseTerrain { noise: perlin().fbm().octaves(4).feature_size(90.0).scale(30.0), ..default() };
    land.lod.view_distance = 2_000.0;
    land
}

impl Machine {
    pub fn new(settings: NoiseTerrain) -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, StatesPlugin, TransformPlugin, NoiseTerrainPlugin))
            .add_plugins((RepliconPlugins.set(ServerPlugin::new(PostUpdate)), RepliconRenetPlugins))
            .add_plugins(TerrainEditsNetPlugin)
            .init_resource::<Heard>()
            .init_resource::<Sent>()
            .add_observer(|event: On<EditAccepted>, mut heard: ResMut<Heard>| heard.accepted.push(*event))
            .add_observer(|event: On<EditRefused>, mut heard: ResMut<Heard>| heard.refused.push(event.clone()))
            .add_observer(|event: On<EditsJoined>, mut heard: ResMut<Heard>| heard.joined.push(*event))
            .add_observer(|event: On<LandDiffers>, mut heard: ResMut<Heard>| heard.differs.push(*event))
            .add_observer(|event: On<RegionCompared>, mut heard: ResMut<Heard>| heard.compared.push(*event))
            .add_systems(
                PostUpdate,
                count
                    .after(ServerSystems::Send)
                    .after(ClientSystems::Send)
                    .before(ServerSystems::SendPackets)
                    .before(ClientSystems::SendPackets),
            );
        let terrain = app.world_mut().spawn((settings, LAND)).id();
        app.finish();
        app.cleanup();
        app.update();
        Self { app, terrain }
    }

    pub fn edits(&mut self) -> Mut<'_, TerrainEdits> {
        self.app.world_mut().get_mut(self.terrain).unwrap()
    }

    pub fn list(&self) -> &TerrainEdits {
        self.app.world().get(self.terrain).unwrap()
    }

    pub fn heard(&self) -> &Heard {
        self.app.world().resource()
    }

    pub fn sent(&self) -> usize {
        self.app.world().resource::<Sent>().0
    }

    pub fn is_live(&self) -> bool {
        self.app.world().get::<EditsSync>(self.terrain).unwrap().is_live()
    }

    pub fn request(&mut self, tag: u32, change: EditChange) {
        self.app.world_mut().write_message(EditRequest { terrain: LAND, tag, change });
    }

    pub fn apply(&mut self, tag: u32, edit: Edit) {
        self.request(tag, EditChange::Apply(edit));
    }

    fn config(&self) -> ConnectionConfig {
        let channels = self.app.world().resource::<RepliconChannels>();
        ConnectionConfig {
            server_channels_config: channels.server_configs(),
            client_channels_config: channels.client_configs(),
            ..default()
        }
    }

    fn serve(&mut self) -> SocketAddr {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = socket.local_addr().unwrap();
        let config = ServerConfig {
            current_time: SystemTime::UNIX_EPOCH.elapsed().unwrap(),
            max_clients: 8,
            protocol_id: 1,
            public_addresses: vec![address],
            authentication: ServerAuthentication::Unsecure,
        };
        let server = RenetServer::new(self.config());
        self.app.insert_resource(server).insert_resource(NetcodeServerTransport::new(config, socket).unwrap());
        address
    }

    pub fn connect(&mut self, address: SocketAddr, client_id: u64) {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let now = SystemTime::UNIX_EPOCH.elapsed().unwrap();
        let authentication =
            ClientAuthentication::Unsecure { protocol_id: 1, client_id, server_addr: address, user_data: None };
        let client = RenetClient::new(self.config());
        self.app
            .insert_resource(client)
            .insert_resource(NetcodeClientTransport::new(now, authentication, socket).unwrap());
    }

    pub fn disconnect(&mut self) {
        self.app.world_mut().resource_mut::<RenetClient>().disconnect();
    }
}

fn count(mut sent: ResMut<Sent>, server: Res<ServerMessages>, client: Res<ClientMessages>) {
    sent.0 += server.iter_sent().map(|(_, _, bytes)| bytes.len()).sum::<usize>();
    sent.0 += client.iter_sent().map(|(_, bytes)| bytes.len()).sum::<usize>();
}

/// A server with clients.
pub struct Net {
    pub server: Machine,
    pub clients: Vec<Client>,
    pub address: SocketAddr,
}

impl Net {
    pub fn new() -> Self {
        let mut server = Machine::new(land());
        let address = server.serve();
        Self { server, clients: Vec::new(), address }
    }

    /// Adds a client; returns its index.
    pub fn join(&mut self, settings: NoiseTerrain) -> usize {
        let index = self.clients.len();
        let bad = LossySettings { seed: index as u64 + 1, ..default() };
        let link = LossyLink::new(self.address, bad).unwrap();
        let mut machine = Machine::new(settings);
        machine.connect(link.address().unwrap(), index as u64 + 1);
        self.clients.push(Client { machine, link });
        index
    }

    /// Connects a client again. It comes from another address: the server may still wait for it at the old one.
    pub fn come_back(&mut self, index: usize) {
        let bad = LossySettings { seed: index as u64 + 101, ..default() };
        let client = &mut self.clients[index];
        client.link = LossyLink::new(self.address, bad).unwrap();
        // Replicon only sees a client of Renet that is added, not one that takes another's place.
        client.machine.app.world_mut().remove_resource::<RenetClient>();
        client.machine.connect(client.link.address().unwrap(), index as u64 + 101);
    }

    /// A frame of everybody.
    pub fn update(&mut self) {
        self.server.app.update();
        for Client { machine, link } in &mut self.clients {
            link.update();
            machine.app.update();
            link.update();
        }
        std::thread::sleep(Duration::from_millis(2));
    }

    /// Updates until it is so.
    pub fn until(&mut self, what: &str, mut is_so: impl FnMut(&mut Self) -> bool) {
        let began = Instant::now();
        while !is_so(self) {
            assert!(began.elapsed().as_secs() < 60, "never: {what}");
            self.update();
        }
    }

    pub fn for_a_while(&mut self, seconds: f64) {
        let began = Instant::now();
        while began.elapsed().as_secs_f64() < seconds {
            self.update();
        }
    }

    /// Updates until every client has the list of the server.
    pub fn until_equal(&mut self) {
        self.until("every client has the same list", |net| {
            let list = net.server.list();
            net.clients.iter().all(|client| client.machine.list() == list)
        });
    }
}
