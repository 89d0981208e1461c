//! Opening a server, and connecting to it: the transport's own business. Any other that Replicon knows will do.

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::time::SystemTime;

use bevy::prelude::*;
use bevy_replicon::prelude::*;
use bevy_replicon_renet::netcode::{
    ClientAuthentication, NetcodeClientTransport, NetcodeServerTransport, ServerAuthentication, ServerConfig,
};
use bevy_replicon_renet::renet::ConnectionConfig;
use bevy_replicon_renet::{RenetChannelsExt, RenetClient, RenetServer};

use crate::Error;

/// Tells this game from others.
const PROTOCOL: u64 = 0x7E44_A111;

/// Opens a server for everybody on the network; 0 takes any free port. Returns its address for players on this machine.
pub fn serve(app: &mut App, port: u16) -> Result<SocketAddr, Error> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, port))?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, socket.local_addr()?.port()));
    let config = ServerConfig {
        current_time: SystemTime::UNIX_EPOCH.elapsed()?,
        max_clients: 16,
        protocol_id: PROTOCOL,
        public_addresses: vec![address],
        // A real game uses `Secure`, with a key.
        authentication: ServerAuthentication::Unsecure,
    };
    let server = RenetServer::new(channels(app));
    app.insert_resource(server).insert_resource(NetcodeServerTransport::new(config, socket)?);
    Ok(address)
}

/// Connects to a server.
pub fn connect(app: &mut App, server_addr: SocketAddr) -> Result<(), Error> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    let now = SystemTime::UNIX_EPOCH.elapsed()?;
    let client_id = now.as_nanos() as u64;
    let authentication =
        ClientAuthentication::Unsecure { protocol_id: PROTOCOL, client_id, server_addr, user_data: None };
    let client = RenetClient::new(channels(app));
    app.insert_resource(client).insert_resource(NetcodeClientTransport::new(now, authentication, socket)?);
    Ok(())
}

fn channels(app: &App) -> ConnectionConfig {
    let channels = app.world().resource::<RepliconChannels>();
    ConnectionConfig {
        server_channels_config: channels.server_configs(),
        client_channels_config: channels.client_configs(),
        ..default()
    }
}
