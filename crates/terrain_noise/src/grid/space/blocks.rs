//! Numbers and positions in space, in blocks of [`LANES`](crate::simd::LANES).

use crate::grid::scratch::{Buffers, Scratch};
use crate::real::{Field, Jet, Moving};
use crate::simd::{Lanes, Wide};

/// A number that depends on a position in space.
pub(in crate::grid) trait SpaceReal: Field<3> {
    /// Numbers side by side.
    type Block: Copy + Default;
    /// Positions side by side.
    type Spot: Copy + Default;

    fn get(block: &Self::Block, lane: usize) -> Self;
    fn set(block: &mut Self::Block, lane: usize, value: Self);
    fn place_of(spot: &Self::Spot, lane: usize) -> Self::Place;
    fn put(spot: &mut Self::Spot, lane: usize, place: Self::Place);
    fn buffers(scratch: &mut Scratch) -> &mut Buffers<Self::Block, Self::Spot>;
}

impl SpaceReal for f32 {
    type Block = Lanes;
    type Spot = [Wide; 3];

    #[inline(always)]
    fn get(block: &Lanes, lane: usize) -> Self {
        block.0[lane]
    }
    #[inline(always)]
    fn set(block: &mut Lanes, lane: usize, value: Self) {
        block.0[lane] = value;
    }
    #[inline(always)]
    fn place_of(spot: &Self::Spot, lane: usize) -> Self::Place {
        [spot[0].0[lane], spot[1].0[lane], spot[2].0[lane]]
    }
    #[inline(always)]
    fn put(spot: &mut Self::Spot, lane: usize, place: Self::Place) {
        [spot[0].0[lane], spot[1].0[lane], spot[2].0[lane]] = place;
    }
    fn buffers(scratch: &mut Scratch) -> &mut Buffers<Self::Block, Self::Spot> {
        &mut scratch.space
    }
}

/// Values, and slopes along x, y and z.
pub(in crate::grid) type SpaceJets = [Lanes; 4];

/// Positions with their derivatives.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::grid) struct MovingSpace {
    at: [Wide; 3],
    jacobian: [[Lanes; 3]; 3],
}

impl SpaceReal for Jet<3> {
    type Block = SpaceJets;
    type Spot = MovingSpace;

    #[inline(always)]
    fn get(block: &SpaceJets, lane: usize) -> Self {
        let [value, x, y, z] = block;
        Self { value: value.0[lane], gradient: [x.0[lane], y.0[lane], z.0[lane]] }
    }
    #[inline(always)]
    fn set(block: &mut SpaceJets, lane: usize, value: Self) {
        block[0].0[lane] = value.value;
        for axis in 0..3 {
            block[axis + 1].0[lane] = value.gradient[axis];
        }
    }
    #[inline(always)]
    fn place_of(spot: &MovingSpace, lane: usize) -> Self::Place {
        let mut place = Moving { at: [0.0; 3], jacobian: [[0.0; 3]; 3] };
        for i in 0..3 {
            place.at[i] = spot.at[i].0[lane];
            for j in 0..3 {
                place.jacobian[i][j] = spot.jacobian[i][j].0[lane];
            }
        }
        place
    }
    #[inline(always)]
    fn put(spot: &mut MovingSpace, lane: usize, place: Self::Place) {
        for i in 0..3 {
            spot.at[i].0[lane] = place.at[i];
            for j in 0..3 {
                spot.jacobian[i][j].0[lane] = place.jacobian[i][j];
            }
        }
    }
    fn buffers(scratch: &mut Scratch) -> &mut Buffers<Self::Block, Self::Spot> {
        &mut scratch.space_jets
    }
}
