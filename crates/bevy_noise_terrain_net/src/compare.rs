//! Whether two machines have the same land.

use bevy::prelude::*;
use bevy_noise_terrain::Surface;
use serde::{Deserialize, Serialize};

use crate::SharedTerrain;

/// The most samples of a comparison: they are taken on the main thread.
const MOST_SAMPLES: f64 = 16_384.0;

/// Compares a region of the land of a client with that of the server. Write this message on a client to compare with the
/// server, or on the server to compare with every client; both get [`RegionCompared`].
///
/// What is compared is the same moment of the list of edits, whatever is on its way. For each client, four comparisons may be
/// under way; those that are asked for meanwhile are left out.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct CompareRegion {
    /// Which terrain.
    pub terrain: SharedTerrain,
    /// Where.
    pub region: Region,
}

/// A rectangle of the plane, and samples in it: at most 16 384, or it is not compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// The least x and z: absolute, in metres.
    pub min: [f64; 2],
    /// The greatest x and z: absolute, in metres.
    pub max: [f64; 2],
    /// Metres between samples.
    pub spacing: f64,
}

/// A region has been compared.
#[derive(Event, Clone, Copy, Debug, PartialEq)]
pub struct RegionCompared {
    /// Which terrain.
    pub terrain: SharedTerrain,
    /// On the server: the client. `None` on a client.
    pub client: Option<Entity>,
    /// Where.
    pub region: Region,
    /// The hash of this machine: that of [`Surface::hash`].
    pub own: u64,
    /// The hash of the other one.
    pub other: u64,
}

impl RegionCompared {
    /// Whether both have the same land there.
    pub fn is_equal(&self) -> bool {
        self.own == self.other
    }
}

impl Region {
    /// Its hash; `None` if it has too many samples, or cannot be.
    pub(crate) fn hash(&self, land: &Surface) -> Option<u64> {
        let samples = [0, 1].map(|axis| (self.max[axis] - self.min[axis]) / self.spacing + 1.0);
        let is_small = samples.iter().all(|&samples| samples >= 0.0) && samples[0] * samples[1] <= MOST_SAMPLES;
        is_small.then(|| land.hash(self.min, self.max, self.spacing)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use bevy_noise_terrain::NoiseTerrain;

    use super::*;

    #[test]
    fn regions_are_small() {
        let land = NoiseTerrain::default().surface().unwrap();
        let hash = |size: f64, spacing| Region { min: [0.0; 2], max: [size; 2], spacing }.hash(&land);
        assert!(hash(127.0, 1.0).is_some() && hash(1_270.0, 10.0).is_some());
        assert_eq!([hash(128.0, 1.0), hash(10.0, f64::NAN), hash(f64::INFINITY, 1.0), hash(10.0, -1.0)], [None; 4]);
        assert_eq!(hash(10.0, 0.0), None);
    }
}
