//! Octaves at arbitrary points, whatever the basis.

use std::marker::PhantomData;

use super::bases;
use super::blocks::RowReal;
use super::fixed::FixedBlock;
use super::octaves::{AtPoints, Convert, Sink, TurnBack};
use super::positions::Places;
use crate::basis::plane::{Planar, with_plane_basis};
use crate::basis::{Octave, with_kernel};
use crate::lattice::floor;
use crate::sampler::Leaf;
use crate::simd::{DetectedIsa, Held, LANES};

/// Blocks of points that are evaluated through all octaves before the next: few enough to stay in the
/// innermost cache.
pub(super) const BATCH: usize = 64;

/// Blocks whose coordinates fit the stack.
const FEW: usize = 8;

/// One octave at points, with slopes by their coordinates.
pub(super) fn octave<P: Places<R>, R: RowReal>(
    set: DetectedIsa,
    leaf: &Leaf,
    octave: &Octave,
    mut places: P,
    out: &mut [R::Block],
) {
    let [mut xs, mut zs] = [[FixedBlock::default(); FEW]; 2];
    for out in out.chunks_mut(FEW) {
        let fixed = [&mut xs[..out.len()], &mut zs[..out.len()]];
        Points::<_, R>::new(set, leaf, places, fixed, None).store(octave, out);
        places = places.skip(out.len());
    }
}

/// Points, and what their octaves share.
pub(super) struct Points<'a, P, R> {
    set: DetectedIsa,
    leaf: &'a Leaf,
    places: P,
    /// The coordinates in fixed point, as many as there are places.
    fixed: [&'a mut [FixedBlock]; 2],
    /// Room for what lattice points hold, where there may be fewer of them than places.
    held: Option<&'a mut Held>,
    /// Of which octaves the coordinates are, by cells per metre and rotation, and between which they lie.
    converted: Option<(f64, Option<[f64; 2]>, [[f64; 2]; 2])>,
    _real: PhantomData<R>,
}

impl<'a, P: Places<R>, R: RowReal> Points<'a, P, R> {
    /// There is room for as many fixed coordinates as places are wanted. Those that are not in memory are for
    /// leaves on the plane.
    pub fn new(
        set: DetectedIsa,
        leaf: &'a Leaf,
        places: P,
        fixed: [&'a mut [FixedBlock]; 2],
        held: Option<&'a mut Held>,
    ) -> Self {
        Self { set, leaf, places, fixed, held, converted: None, _real: PhantomData }
    }

    /// Writes one octave. Slopes are by the coordinates of the places, not yet by the original position.
    pub fn store(&mut self, octave: &Octave, out: &mut [R::Block]) {
        if let Some(plane) = &octave.plane {
            self.on_plane(plane, octave, Sink::Store, out);
        } else if let Some(spots) = self.places.stored()
            && !bases::octave::<R>(self.set, self.leaf.basis, octave, spots, out)
        {
            one_by_one::<R>(self.leaf, octave, spots, out);
        }
    }

    /// Adds one octave of a basis on the plane, or writes it. A turned one can only be written: all slopes are turned back.
    pub fn on_plane(&mut self, plane: &Planar, octave: &Octave, sink: Sink, out: &mut [R::Block]) {
        let range = self.convert(plane, octave);
        let Some(seeds) = plane.seeds_over(range.map(|ends| ends.map(floor))) else {
            // Their lattice points lie in several windows.
            return self.in_windows(octave, sink, out);
        };
        let site = &plane.site;
        let held = self.held.as_deref_mut().and_then(|held| Some((plane.corners_over(range)?, held)));
        let fixed = self.fixed.each_ref().map(|fixed| &**fixed);
        // Slopes of a turned octave are converted as they are turned back.
        let frequency = if octave.turn.is_some() { 1.0 } else { octave.frequency as f32 };
        with_plane_basis!(
            self.leaf.basis,
            basis => self.set.run(AtPoints::<_, R> { basis, sink, site, seeds, held, frequency, fixed, out }),
            else {}
        );
        turn_back::<R>(self.set, octave, out);
    }

    /// Brings the coordinates to those that an octave takes; gives the least and the greatest, per axis.
    fn convert(&mut self, plane: &Planar, octave: &Octave) -> [[f64; 2]; 2] {
        match self.converted {
            Some((base, turn, range)) if base == plane.site.base && turn == octave.turn => range,
            _ => {
                let [xs, zs] = &mut self.fixed;
                let (site, turn) = (&plane.site, octave.turned::<2>());
                let range = self.set.run(Convert { positions: self.places, site, turn, fixed: [xs, zs] });
                self.converted = Some((plane.site.base, octave.turn, range));
                range
            }
        }
    }

    #[cold]
    fn in_windows(&self, octave: &Octave, sink: Sink, out: &mut [R::Block]) {
        let mut places = self.places;
        for out in out {
            let [xs, zs] = places.next();
            for lane in 0..LANES {
                let noise = self.leaf.noise::<2, R>(octave, &R::place([xs.0[lane], zs.0[lane]]));
                R::set(out, lane, sink.put(R::get(out, lane), noise));
            }
        }
    }
}

/// Converts slopes that are by the coordinates and per cell of an octave, if it is turned.
pub(super) fn turn_back<R: RowReal>(set: DetectedIsa, octave: &Octave, out: &mut [R::Block]) {
    if let Some(turn) = octave.turned::<2>().filter(|_| R::SLOPES) {
        let place = R::moved(&R::place([0.0; 2]), &turn, &[0.0; 2]);
        set.run(TurnBack::<R> { frequency: octave.frequency, place, out });
    }
}

/// A basis that has no vectorised formula.
fn one_by_one<R: RowReal>(leaf: &Leaf, octave: &Octave, spots: &[R::Spot], out: &mut [R::Block]) {
    let turn = octave.turned::<2>();
    with_kernel!(octave, leaf.basis, kernel => {
        for (out, spot) in out.iter_mut().zip(spots) {
            for lane in 0..LANES {
                let place = turned::<R>(&turn, spot, lane);
                let [x, z] = R::at(&place);
                let local = kernel([octave.coordinate(0, x), octave.coordinate(1, z)]);
                R::set(out, lane, R::lift(local, octave.frequency, &place));
            }
        }
    });
}

/// A place in the octave's own coordinates, with slopes by the coordinates of the point.
#[inline(always)]
pub(super) fn turned<R: RowReal>(turn: &Option<[[f64; 2]; 2]>, spot: &R::Spot, lane: usize) -> R::Place {
    let place = R::place(R::at(&R::place_of(spot, lane)));
    match turn {
        None => place,
        Some(matrix) => R::moved(&place, matrix, &[0.0; 2]),
    }
}
