//! How much of each layer there is at a place: the shader's rules (`render/ground.wesl`, `render/ground/layers.wesl`), for
//! questions without a picture.

use super::TerrainGround;
use crate::climate::{ClimateField, Site};
use crate::edits::Painted;
use crate::layers::{LayerRecord, Place};
use crate::query::Surface;
use crate::terrain::TerrainOrigin;

/// As the shader's.
const LOWEST: f32 = 1.25;
const HIGHEST: f32 = 2.25;
/// The factor of a layer's share in the middle of its surface's height.
const MIDDLE: f32 = 0.5 * (LOWEST + HIGHEST);
const NEGLIGIBLE: f32 = 0.02;
const FADE: f32 = 4.0;

impl TerrainGround {
    /// How much of each layer a viewer near by sees at an absolute position, x and z: a share from 0 to 1 for each of
    /// [`layers`](Self::layers), 1 together. What footsteps, wheels and crops ask.
    ///
    /// The shares are those that the shader draws where all textures have their middle height. At a seam it shows more of
    /// the texture that is higher in that pixel. For settings that [`validate`](Self::validate) accepts.
    ///
    /// ```
    /// # use bevy_noise_terrain_land as bevy_noise_terrain;
    /// # use bevy_noise_terrain::prelude::*;
    /// let (land, ground) = (NoiseTerrain::default().surface()?, TerrainGround::default());
    /// let shares = ground.shares(&land, 120.0, -40.0);
    /// let most = (0..shares.len()).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap_or(0);
    /// println!("one walks on {}", ground.layers[most].name);
    /// # Ok::<(), bevy_noise_terrain::SettingsError>(())
    /// ```
    pub fn shares(&self, land: &Surface, x: f64, z: f64) -> Vec<f32> {
        // As the finest pages hold them: at the middles of quarters of quads, and linear between.
        let texel = 0.5 * land.spacing();
        let [east, south] = [x, z].map(|metres| metres / texel - 0.5);
        let [west, north] = [east.floor(), south.floor()];
        let mut shares = vec![0.0; self.layers.len()];
        for (dx, dz) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            let weight = ((1.0 - (east - west - dx).abs()) * (1.0 - (south - north - dz).abs())) as f32;
            if weight > 0.0 {
                let covered = self.covered(land, (west + dx + 0.5) * texel, (north + dz + 0.5) * texel);
                shares.iter_mut().zip(covered).for_each(|(share, covered)| *share += weight * covered);
            }
        }
        self.weigh(&mut shares);
        shares
    }

    /// How much of a place each layer covers.
    fn covered(&self, land: &Surface, x: f64, z: f64) -> Vec<f32> {
        // The uniforms of a terrain whose origin is here: noises and heights are looked up at 0.
        let here = TerrainOrigin { x, z };
        let mut field = ClimateField::new(land.climate_settings(), [x, z]);
        let local = field.local([0.0; 2]);
        let height = land.height(x, z) as f32;
        let shade = land.shade(x, z);
        let [dx, dz] = shade.horizontal;
        // The sine of the slope.
        let steepness = (dx * dx + dz * dz).min(1.0).sqrt();
        let place = Place {
            height,
            slope: steepness + 0.06 * local.rough,
            curvature: shade.curvature,
            climate: field.at(0.0, Site { height, facing: dz }, local),
        };
        let mut shares = Vec::with_capacity(self.layers.len());
        for (index, layer) in self.layers.iter().enumerate() {
            let covered = if index == 0 {
                1.0
            } else {
                LayerRecord::new(layer, land.climate_settings(), &here, None).coverage(&place)
                    * layer.patches.map_or(1.0, |patches| patches.cover(x, z))
            };
            shares.iter_mut().for_each(|below| *below *= 1.0 - covered);
            shares.push(covered);
        }
        if let Some(Painted(painted)) = land.painted(x, z) {
            let by_nature = (1.0 - painted.iter().sum::<f32>()).max(0.0);
            shares.iter_mut().zip(painted).for_each(|(share, painted)| *share = by_nature * *share + painted);
        }
        // Pages have eight bits for each.
        shares.iter_mut().for_each(|share| *share = (*share * 255.0).round() / 255.0);
        shares
    }

    /// Turns what layers cover into what of them is seen where their surfaces have their middle height.
    fn weigh(&self, shares: &mut [f32]) {
        let most = shares.iter().copied().fold(0.0, f32::max);
        let mut highest: f32 = 0.0;
        for share in shares.iter_mut() {
            if *share <= NEGLIGIBLE || HIGHEST * *share <= LOWEST * most - self.softness {
                *share = 0.0;
            }
            highest = highest.max(*share * MIDDLE);
        }
        let mut sum = 0.0;
        for share in shares.iter_mut().filter(|share| **share > 0.0) {
            *share = libm::exp2f((*share * MIDDLE - highest) * FADE / self.softness);
            sum += *share;
        }
        shares.iter_mut().for_each(|share| *share /= sum);
    }
}
