//! Any positions: the tree is walked over blocks of them, as over rows of a grid.

use super::blocks::{RowReal, blocks};
use super::fill::{Extremes, NonFinite, Store, StoreJets, replace_non_finite};
use super::rows::Pass;
use super::scattered::BATCH;
use super::scratch::{Buffered, Scratch, give, give_spots, take, take_spots};
use crate::bounds::Bounds;
use crate::real::{Field, Jet, reachable};
use crate::sampler::Sampler;
use crate::simd::{Isa, Kernel, LANES, block_by_block};

impl Sampler {
    /// Writes the heights at positions on the ground, in metres, and returns the lowest and the highest. No
    /// positions give [`Bounds::EMPTY`]. `footprint` is what the samples can show, in metres: see
    /// [`sample_filtered`](Self::sample_filtered), whose bits the heights have.
    ///
    /// This is many times as fast as single calls. Positions may come in any order. With
    /// [gullies](crate::Gullies), positions within some kilometres of those asked for before take less time than
    /// others: a thread keeps what it sampled there, at most 128 KiB. The scratch is grown by the first calls; further
    /// calls do not allocate.
    ///
    /// # Panics
    /// If `heights` is not as long as `positions`.
    ///
    /// ```
    /// use terrain_noise::prelude::*;
    /// let land = perlin().fbm().feature_size(500.0).scale(80.0).build(1)?;
    /// let trees = [[12.5, -3.0], [1.0e9, 7.25], [-40.0, 90.0]];
    /// let mut heights = [0.0; 3];
    /// land.fill_points(&trees, 0.0, &mut Scratch::default(), &mut heights);
    /// assert_eq!(heights[1], land.sample(trees[1]));
    /// # Ok::<(), NoiseError>(())
    /// ```
    pub fn fill_points(
        &self,
        positions: &[[f64; 2]],
        footprint: f64,
        scratch: &mut Scratch,
        heights: &mut [f32],
    ) -> Bounds {
        assert_eq!(heights.len(), positions.len(), "heights must have one place a position");
        let mut extremes = Extremes::default();
        each_batch::<f32>(self, positions, footprint, scratch, |blocks, places| {
            let heights = &mut heights[places];
            self.instructions.run(Store { blocks, heights, extremes: &mut extremes });
        });
        extremes.bounds()
    }

    /// As [`fill_points`](Self::fill_points), and the slopes along x and z, per metre: the bits of
    /// [`sample_with_gradient`](Self::sample_with_gradient).
    ///
    /// # Panics
    /// If a slice is not as long as `positions`.
    ///
    /// ```
    /// use terrain_noise::prelude::*;
    /// let land = perlin().fbm().feature_size(500.0).scale(80.0).build(1)?;
    /// let positions = [[12.5, -3.0], [-40.0, 90.0]];
    /// let [mut heights, mut dx, mut dz] = [[0.0; 2]; 3];
    /// land.fill_points_with_gradient(&positions, 1.0, &mut Scratch::default(), &mut heights, &mut dx, &mut dz);
    /// assert_eq!([dx[1], dz[1]], land.sample_with_gradient(positions[1], 1.0).gradient);
    /// # Ok::<(), NoiseError>(())
    /// ```
    pub fn fill_points_with_gradient(
        &self,
        positions: &[[f64; 2]],
        footprint: f64,
        scratch: &mut Scratch,
        heights: &mut [f32],
        dx: &mut [f32],
        dz: &mut [f32],
    ) -> Bounds {
        for slice in [heights.len(), dx.len(), dz.len()] {
            assert_eq!(slice, positions.len(), "every slice must have one place a position");
        }
        let (mut extremes, mut non_finite) = (Extremes::default(), NonFinite::default());
        each_batch::<Jet<2>>(self, positions, footprint, scratch, |blocks, places| {
            let out = [&mut heights[places.clone()], &mut dx[places.clone()], &mut dz[places]];
            self.instructions.run(StoreJets { blocks, out, extremes: &mut extremes, non_finite: &mut non_finite });
        });
        if non_finite.any() {
            replace_non_finite(self, |i| positions[i], footprint, dx, dz);
        }
        extremes.bounds()
    }
}

/// Evaluates positions batch by batch; `store` gets each batch and which positions it holds.
fn each_batch<R: Buffered>(
    sampler: &Sampler,
    positions: &[[f64; 2]],
    footprint: f64,
    scratch: &mut Scratch,
    mut store: impl FnMut(&[R::Block], std::ops::Range<usize>),
) {
    for (batch, positions) in positions.chunks(BATCH * LANES).enumerate() {
        let blocks = blocks(positions.len());
        let mut spots = take_spots::<R>(scratch, blocks);
        let mut out = take::<R>(scratch, blocks);
        sampler.instructions.run(Places::<R> { positions, spots: &mut spots });
        Pass { set: sampler.instructions, scratch }.points::<R>(&sampler.root, &spots, footprint, &mut out);
        let from = batch * BATCH * LANES;
        store(&out, from..from + positions.len());
        give::<R>(scratch, out);
        give_spots::<R>(scratch, spots);
    }
}

/// Positions as places, in whole blocks: the last one is filled up with its last position.
struct Places<'a, R: RowReal> {
    positions: &'a [[f64; 2]],
    spots: &'a mut [R::Spot],
}

impl<R: RowReal> Kernel for Places<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        let (whole, rest) = self.positions.as_chunks::<LANES>();
        let mut spots = self.spots.iter_mut();
        // In this order: a pair that is not complete takes nothing from the second.
        for (positions, spot) in whole.iter().zip(spots.by_ref()) {
            block::<R>(spot, positions);
        }
        if let (Some(spot), Some(last)) = (spots.next(), rest.last()) {
            let mut positions = [*last; LANES];
            positions[..rest.len()].copy_from_slice(rest);
            block::<R>(spot, &positions);
        }
    }
}

#[inline(always)]
fn block<R: RowReal>(spot: &mut R::Spot, positions: &[[f64; 2]; LANES]) {
    block_by_block();
    let mut axes = [[0.0; LANES]; 2];
    for lane in 0..LANES {
        [axes[0][lane], axes[1][lane]] = positions[lane];
    }
    let mut all = R::Spot::default();
    for lane in 0..LANES {
        R::put(&mut all, lane, <R as Field<2>>::place(reachable([axes[0][lane], axes[1][lane]])));
    }
    *spot = all;
}
