//! A bad network between a client and a server, for tests (feature `lossy`).
//!
//! A [`LossyLink`] stands between two UDP sockets: the client connects to it instead of to the server. It loses, doubles, delays
//! and reorders packets by random numbers of a seed.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

/// The largest packet.
const MOST_BYTES: usize = 2_048;

/// How bad a network is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossySettings {
    /// The share of packets that are lost, 0 to 1.
    pub lost: f64,
    /// The share of packets that arrive twice, 0 to 1.
    pub doubled: f64,
    /// The shortest and the longest time that a packet takes: each takes its own, so that later ones overtake others.
    pub delay: [Duration; 2],
    /// Chooses the random numbers.
    pub seed: u64,
}

impl Default for LossySettings {
    /// A poor mobile connection.
    fn default() -> Self {
        Self { lost: 0.1, doubled: 0.05, delay: [Duration::from_millis(10), Duration::from_millis(80)], seed: 1 }
    }
}

/// What has passed a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LossyTraffic {
    /// Packets that came, in both directions.
    pub packets: u64,
    /// Bytes that came, in both directions.
    pub bytes: u64,
    /// Packets that were lost.
    pub lost: u64,
    /// Packets that were sent before one that had come earlier.
    pub overtaken: u64,
}

/// A bad network between one client and its server.
#[derive(Debug)]
pub struct LossyLink {
    settings: LossySettings,
    random: u64,
    to_client: UdpSocket,
    to_server: UdpSocket,
    client: Option<SocketAddr>,
    under_way: Vec<Packet>,
    traffic: LossyTraffic,
}

#[derive(Debug)]
struct Packet {
    number: u64,
    due: Instant,
    is_for_server: bool,
    bytes: Vec<u8>,
}

impl LossyLink {
    /// A link to a server.
    ///
    /// # Errors
    /// If no sockets can be had.
    pub fn new(server: SocketAddr, settings: LossySettings) -> io::Result<Self> {
        let socket = || {
            let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
            socket.set_nonblocking(true)?;
            io::Result::Ok(socket)
        };
        let (to_client, to_server) = (socket()?, socket()?);
        to_server.connect(server)?;
        Ok(Self {
            settings,
            random: settings.seed,
            to_client,
            to_server,
            client: None,
            under_way: Vec::new(),
            traffic: LossyTraffic::default(),
        })
    }

    /// Where the client connects to.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.to_client.local_addr()
    }

    /// What has passed.
    pub fn traffic(&self) -> LossyTraffic {
        self.traffic
    }

    /// Changes how bad it is from now on.
    pub fn set(&mut self, settings: LossySettings) {
        self.settings = settings;
    }

    /// Moves packets. Call it often, as once a frame.
    pub fn update(&mut self) {
        let now = Instant::now();
        let mut buffer = [0; MOST_BYTES];
        while let Ok((length, client)) = self.to_client.recv_from(&mut buffer) {
            self.client = Some(client);
            self.take(&buffer[..length], true, now);
        }
        // An error says that the server is not there yet: its packets are lost, as any others.
        while let Ok(length) = self.to_server.recv(&mut buffer) {
            self.take(&buffer[..length], false, now);
        }
        let (mut due, under_way): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.under_way).into_iter().partition(|packet| packet.due <= now);
        self.under_way = under_way;
        due.sort_by_key(|packet| packet.due);
        for packet in due {
            let earlier = |other: &Packet| other.is_for_server == packet.is_for_server && other.number < packet.number;
            self.traffic.overtaken += u64::from(self.under_way.iter().any(earlier));
            // A packet that cannot be sent is lost.
            let _ = match self.client {
                _ if packet.is_for_server => self.to_server.send(&packet.bytes),
                Some(client) => self.to_client.send_to(&packet.bytes, client),
                None => continue,
            };
        }
    }

    fn take(&mut self, bytes: &[u8], is_for_server: bool, now: Instant) {
        self.traffic.packets += 1;
        self.traffic.bytes += bytes.len() as u64;
        if self.next() < self.settings.lost {
            self.traffic.lost += 1;
            return;
        }
        let copies = if self.next() < self.settings.doubled { 2 } else { 1 };
        for _ in 0..copies {
            let [shortest, longest] = self.settings.delay;
            let due = now + shortest + longest.saturating_sub(shortest).mul_f64(self.next());
            self.under_way.push(Packet { number: self.traffic.packets, due, is_for_server, bytes: bytes.to_vec() });
        }
    }

    /// A number from 0 to 1 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014).
    fn next(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.random;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_lost_doubled_and_overtaken() {
        let server = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        server.set_nonblocking(true).unwrap();
        let settings = LossySettings {
            lost: 0.2,
            doubled: 0.2,
            delay: [Duration::ZERO, Duration::from_millis(20)],
            ..LossySettings::default()
        };
        let mut link = LossyLink::new(server.local_addr().unwrap(), settings).unwrap();
        let client = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        client.connect(link.address().unwrap()).unwrap();
        let (mut arrived, mut buffer) = (Vec::new(), [0; 4]);
        for number in 0u32..1_100 {
            if number < 1_000 {
                client.send(&number.to_le_bytes()).unwrap();
            }
            link.update();
            while server.recv(&mut buffer).is_ok() {
                arrived.push(u32::from_le_bytes(buffer));
            }
            std::thread::sleep(Duration::from_micros(if number < 1_000 { 100 } else { 1_000 }));
        }
        let known: std::collections::BTreeSet<_> = arrived.iter().collect();
        assert!((700..900).contains(&known.len()), "{} of 1000", known.len());
        assert!(arrived.len() > known.len() + 80, "{} copies", arrived.len() - known.len());
        assert!(!arrived.is_sorted() && link.traffic().overtaken > 100, "{:?}", link.traffic());
        assert_eq!(link.traffic().packets, 1_000);
    }
}
