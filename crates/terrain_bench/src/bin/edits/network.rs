//! A server and two clients over a network that loses, doubles, delays and reorders packets.

use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::time::{Duration, Instant, SystemTime};

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy_noise_terrain::edits::{Edit, TerrainEdits};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain_net::lossy::{LossyLink, LossySettings};
use bevy_noise_terrain_net::{
    EditChange, EditLimits, EditRequest, EditsSync, EditsTraffic, SharedTerrain, TerrainEditsNetPlugin,
};
use bevy_replicon::prelude::*;
use bevy_replicon_renet::netcode::{
    ClientAuthentication, NetcodeClientTransport, NetcodeServerTransport, ServerAuthentication, ServerConfig,
};
use bevy_replicon_renet::renet::ConnectionConfig;
use bevy_replicon_renet::{RenetChannelsExt, RenetClient, RenetServer, RepliconRenetPlugins};

/// Edits of each machine in a frame.
const EDITS: u32 = 4;
/// Metres from side to side of the land that is edited and compared, vertex by vertex.
const WIDTH: f64 = 400.0;
/// Seconds after which messages that do not come never will.
const PATIENCE: u64 = 120;

pub struct Network {
    /// Whether all three have the same list, and land with the same hash.
    pub is_equal: bool,
    /// Bytes of an edit for a client.
    pub bytes_an_edit: f64,
    /// The same as UDP packets, in both directions, with all that is sent again.
    pub packet_bytes_an_edit: f64,
    /// Bytes that all three give to the transport in a second in which nobody edits.
    pub unedited_bytes: usize,
    /// From the first edit to the same list everywhere.
    pub seconds: f64,
    /// The share of packets that were lost, and of those that were overtaken.
    pub lost: f64,
    pub overtaken: f64,
}

/// Edits `count` times: a third on the server, a third for each client.
pub fn run(count: u32) -> Result<Network, Box<dyn Error>> {
    let mut net = Net::new()?;
    net.until("both clients join", Net::are_live)?;
    // What it takes to join has been sent by then.
    net.during(Duration::from_millis(500));
    let before = net.sent();
    net.during(Duration::from_secs(1));
    let unedited_bytes = net.sent() - before;
    let packets = net.packet_bytes();
    let began = Instant::now();
    for first in (0..count).step_by(3 * EDITS as usize) {
        for number in first..count.min(first + 3 * EDITS) {
            let edit = edit(number);
            match net.clients.get_mut(number as usize % 3) {
                Some(client) => client.machine.ask(number, edit),
                None => net.server.apply(edit)?,
            }
        }
        net.update();
    }
    net.until("all edits arrive", |net| net.server.edits().is_some_and(|edits| edits.len() == count as usize))?;
    net.until("the lists are equal", Net::are_equal)?;
    let seconds = began.elapsed().as_secs_f64();
    let hashes = [&net.server, &net.clients[0].machine, &net.clients[1].machine].map(Machine::hash);
    let traffic = net.server.app.world().get::<EditsTraffic>(net.server.terrain).copied().unwrap_or_default();
    let clients = net.clients.len() as f64;
    let links = net.clients.iter().map(|client| client.link.traffic());
    let (mut all, mut lost, mut overtaken) = (0, 0, 0);
    links.for_each(|link| (all, lost, overtaken) = (all + link.packets, lost + link.lost, overtaken + link.overtaken));
    Ok(Network {
        is_equal: hashes[0].is_some() && hashes.iter().all(|hash| *hash == hashes[0]),
        bytes_an_edit: traffic.bytes as f64 / clients / f64::from(count),
        packet_bytes_an_edit: (net.packet_bytes() - packets) as f64 / clients / f64::from(count),
        unedited_bytes,
        seconds,
        lost: lost as f64 / all as f64,
        overtaken: overtaken as f64 / all as f64,
    })
}

/// Pits and pads, close enough that their order matters.
fn edit(number: u32) -> Edit {
    let place = |share: f64| (f64::from(number) * share).fract() * WIDTH - 0.5 * WIDTH;
    // Even spread (Roberts, *The unreasonable effectiveness of quasirandom sequences*, 2018).
    let at = DVec3::new(place(0.754_877_666), f64::from(number % 40), place(0.569_840_291));
    let radius = 2.0 + f64::from(number % 8);
    let edit = if number.is_multiple_of(4) { Edit::flatten(at, radius) } else { Edit::raise(at, radius, 0.5) };
    edit.falloff(3.0)
}

/// Bytes that have been given to the transport.
#[derive(Resource, Default)]
struct Sent(usize);

struct Machine {
    app: App,
    terrain: Entity,
}

struct Client {
    machine: Machine,
    link: LossyLink,
}

struct Net {
    server: Machine,
    clients: [Client; 2],
}

impl Net {
    fn new() -> Result<Self, Box<dyn Error>> {
        let mut server = Machine::new();
        server.app.insert_resource(EditLimits { per_second: 100_000, at_once: 100_000 });
        let address = server.serve()?;
        Ok(Self { clients: [Client::new(address, 1)?, Client::new(address, 2)?], server })
    }

    fn update(&mut self) {
        self.server.app.update();
        for Client { machine, link } in &mut self.clients {
            link.update();
            machine.app.update();
            link.update();
        }
        std::thread::sleep(Duration::from_millis(2));
    }

    fn during(&mut self, time: Duration) {
        let began = Instant::now();
        while began.elapsed() < time {
            self.update();
        }
    }

    fn until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) -> Result<(), String> {
        let began = Instant::now();
        while !is_so(self) {
            if began.elapsed().as_secs() > PATIENCE {
                return Err(format!("not within {PATIENCE} s: {what}"));
            }
            self.update();
        }
        Ok(())
    }

    fn are_live(&self) -> bool {
        let sync = |machine: &Machine| machine.app.world().get::<EditsSync>(machine.terrain).map(EditsSync::is_live);
        self.clients.iter().all(|client| sync(&client.machine) == Some(true))
    }

    fn are_equal(&self) -> bool {
        self.clients.iter().all(|client| client.machine.edits() == self.server.edits())
    }

    fn sent(&self) -> usize {
        let sent = |machine: &Machine| machine.app.world().resource::<Sent>().0;
        sent(&self.server) + self.clients.iter().map(|client| sent(&client.machine)).sum::<usize>()
    }

    fn packet_bytes(&self) -> u64 {
        self.clients.iter().map(|client| client.link.traffic().bytes).sum()
    }
}

impl Client {
    fn new(server: SocketAddr, id: u64) -> Result<Self, Box<dyn Error>> {
        let mut machine = Machine::new();
        let link = LossyLink::new(server, LossySettings { seed: id, ..default() })?;
        machine.connect(link.address()?, id)?;
        Ok(Self { machine, link })
    }
}

impl Machine {
    fn new() -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, StatesPlugin, TransformPlugin, NoiseTerrainPlugin))
            .add_plugins((RepliconPlugins.set(ServerPlugin::new(PostUpdate)), RepliconRenetPlugins))
            .add_plugins(TerrainEditsNetPlugin)
            .init_resource::<Sent>()
            .add_systems(
                PostUpdate,
                count
                    .after(ServerSystems::Send)
                    .after(ClientSystems::Send)
                    .before(ServerSystems::SendPackets)
                    .before(ClientSystems::SendPackets),
            );
        let terrain = app.world_mut().spawn((NoiseTerrain::default(), SharedTerrain(0))).id();
        app.finish();
        app.cleanup();
        app.update();
        Self { app, terrain }
    }

    fn edits(&self) -> Option<&TerrainEdits> {
        self.app.world().get(self.terrain)
    }

    fn apply(&mut self, edit: Edit) -> Result<(), Box<dyn Error>> {
        if let Some(mut edits) = self.app.world_mut().get_mut::<TerrainEdits>(self.terrain) {
            edits.apply(edit)?;
        }
        Ok(())
    }

    fn ask(&mut self, tag: u32, edit: Edit) {
        let change = EditChange::Apply(edit);
        self.app.world_mut().write_message(EditRequest { terrain: SharedTerrain(0), tag, change });
    }

    /// The hash of the land that is edited.
    fn hash(&self) -> Option<u64> {
        let land = NoiseTerrain::default().surface().ok()?.with_edits(self.edits()?);
        land.hash([-0.5 * WIDTH; 2], [0.5 * WIDTH; 2], land.spacing())
    }

    fn config(&self) -> ConnectionConfig {
        let channels = self.app.world().resource::<RepliconChannels>();
        ConnectionConfig {
            server_channels_config: channels.server_configs(),
            client_channels_config: channels.client_configs(),
            ..default()
        }
    }

    fn serve(&mut self) -> Result<SocketAddr, Box<dyn Error>> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = socket.local_addr()?;
        let config = ServerConfig {
            current_time: SystemTime::UNIX_EPOCH.elapsed()?,
            max_clients: 2,
            protocol_id: 0,
            public_addresses: vec![address],
            authentication: ServerAuthentication::Unsecure,
        };
        let server = RenetServer::new(self.config());
        self.app.insert_resource(server).insert_resource(NetcodeServerTransport::new(config, socket)?);
        Ok(address)
    }

    fn connect(&mut self, server_addr: SocketAddr, client_id: u64) -> Result<(), Box<dyn Error>> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        let now = SystemTime::UNIX_EPOCH.elapsed()?;
        let authentication = ClientAuthentication::Unsecure { protocol_id: 0, client_id, server_addr, user_data: None };
        let client = RenetClient::new(self.config());
        self.app.insert_resource(client).insert_resource(NetcodeClientTransport::new(now, authentication, socket)?);
        Ok(())
    }
}

fn count(mut sent: ResMut<Sent>, server: Res<ServerMessages>, client: Res<ClientMessages>) {
    sent.0 += server.iter_sent().map(|(_, _, bytes)| bytes.len()).sum::<usize>();
    sent.0 += client.iter_sent().map(|(_, bytes)| bytes.len()).sum::<usize>();
}
