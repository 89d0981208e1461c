//! Which land a machine has, before anybody changed it.

use bevy::prelude::*;
use bevy_noise_terrain::Surface;
use bevy_noise_terrain::edits::TerrainEdits;
use bevy_noise_terrain::prelude::*;

use crate::SharedTerrain;

/// The land without edits; nothing until the settings are valid.
#[derive(Component, Clone, Default)]
pub struct BaseLand(Option<Known>);

#[derive(Clone)]
struct Known {
    surface: Surface,
    fingerprint: u64,
}

impl BaseLand {
    /// A number that is the same on machines with the same land.
    pub fn fingerprint(&self) -> Option<u64> {
        self.0.as_ref().map(|known| known.fingerprint)
    }

    /// The land with edits.
    pub fn with_edits(&self, edits: &TerrainEdits) -> Option<Surface> {
        self.0.as_ref().map(|known| known.surface.with_edits(edits))
    }
}

/// Follows the settings of the land.
pub fn follow(
    mut terrains: Query<(&NoiseTerrain, Option<&TerrainSource>, &mut BaseLand)>,
    changed: Query<Entity, Or<(Changed<NoiseTerrain>, Changed<TerrainSource>, Added<SharedTerrain>)>>,
    mut removed: RemovedComponents<TerrainSource>,
) {
    for entity in changed.iter().chain(removed.read()) {
        let Ok((settings, source, mut land)) = terrains.get_mut(entity) else { continue };
        let surface = match source {
            Some(source) => Some(source.surface(settings.lod.spacing)),
            None => settings.surface().ok(),
        };
        // The land on screen stays as well while the settings are not valid.
        let Some(surface) = surface else { continue };
        land.0 = Some(Known { fingerprint: fingerprint(&surface), surface });
    }
}

/// Hashes heights all over the plane, so that a noise, an own source and another build are all told apart by what they make.
fn fingerprint(surface: &Surface) -> u64 {
    let spacing = surface.spacing();
    // The finest vertices near the origin, and ever wider apart.
    [1.0, 61.0, 4_093.0, 262_139.0].into_iter().fold(spacing.to_bits(), |hash, scale| {
        let reach = 15.0 * scale * spacing;
        let land = surface.hash([-reach; 2], [reach; 2], scale * spacing).unwrap_or_default();
        (hash.rotate_left(21) ^ land).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}

#[cfg(test)]
mod tests {
    use bevy_noise_terrain::terrain_noise::{Compose, constant};

    use super::*;

    #[test]
    fn lands_are_told_apart_by_what_they_are() {
        let print = |settings: &NoiseTerrain| fingerprint(&settings.surface().unwrap());
        let land = NoiseTerrain::default();
        let mut farther = land.clone();
        farther.lod.view_distance *= 0.5;
        assert_eq!(print(&land), print(&farther), "how far it is seen does not matter");
        assert_ne!(print(&land), print(&NoiseTerrain { seed: land.seed + 1, ..land.clone() }));
        let higher = NoiseTerrain { noise: land.noise.clone().add(constant(1e-3)), ..land.clone() };
        assert_ne!(print(&land), print(&higher));
        let mut finer = land.clone();
        finer.lod.spacing *= 0.5;
        assert_ne!(print(&land), print(&finer));
    }
}
