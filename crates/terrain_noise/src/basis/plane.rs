//! Perlin, value and simplex noise on the plane, where the lattice is hashed.
//!
//! An octave at a place takes three steps: the place becomes a cell and fractions in fixed point, the hashes of
//! the lattice points around it choose what they hold, and a formula makes a value of that. All three are
//! written per lane or register, so that grids, lists and single points give the same bits.

use super::fixed::{Shift, fixed};
use super::separable::{Between, Separable};
use super::simplex::{self, SKEW2, Triangles};
use super::{Basis, Curve};
use crate::lattice::plane::{PlaneKey, Seeds, window};
use crate::lattice::repeat::{LONGEST, Repeat, next, wrapped};
use crate::lattice::{Lattice, derive, floor};
use crate::real::{Jet, each};
use crate::simd::{Held, Isa, Scalar};

/// An octave on the plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planar {
    pub key: PlaneKey,
    pub site: Site,
}

/// Where an octave's lattice lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// Cells per metre in the first of the octaves that share coordinates.
    pub base: f64,
    /// Octaves since that one.
    pub shift: u32,
    /// Where the lattice begins: see [`Shift::offset`].
    pub offset: [u32; 2],
    /// Whether the axes are those of triangles.
    pub skewed: bool,
    /// After how many cells it repeats, at most [`LONGEST`]; 0 is never.
    pub period: [u32; 2],
}

impl Planar {
    /// None of a basis or a lattice that is not hashed this way.
    pub fn new(basis: Basis, seed: u64, frequency: f64, period: [i64; 3]) -> Option<Self> {
        let flat = [period[0], period[2]];
        let skewed = match basis {
            Basis::Perlin { lattice: Lattice::Hashed, .. } | Basis::Value { lattice: Lattice::Hashed, .. }
                if flat.iter().all(|&cells| cells <= i64::from(LONGEST)) =>
            {
                false
            }
            Basis::Simplex if period == [0; 3] => true,
            _ => return None,
        };
        let period = flat.map(|cells| cells as u32);
        let site = Site { base: frequency, shift: 0, offset: [0; 2], skewed, period };
        Some(Self { key: PlaneKey::new(seed), site })
    }

    /// Moves the lattice by less than a cell, derived from the seed. Coordinates come from the octave `shift`
    /// before this one, all of lacunarity 2.
    pub fn shifted(mut self, seed: u64, shift: u32) -> Self {
        self.site.base /= f64::from(1 << shift);
        self.site.shift = shift;
        self.site.offset = [1, 3].map(|part| Shift::new(shift).offset(derive(seed, part) as u32));
        self
    }

    /// The seeds of all lattice points around places between two cells of the first of the octaves that share
    /// coordinates, per axis; none if they lie in several windows.
    pub fn seeds_over(&self, cells: [[f64; 2]; 2]) -> Option<Seeds> {
        let shift = Shift::new(self.site.shift);
        let windows = each::<_, 2>(|axis| match self.site.period[axis] {
            0 => shift.reach(cells[axis][0], cells[axis][1]).map(window),
            _ => [0; 2],
        });
        windows.iter().all(|[least, most]| least == most).then(|| self.key.seeds(windows.map(|[least, _]| least)))
    }

    /// The lattice points around places between two coordinates, per axis, in cells of the first of the octaves that
    /// share them. None if they are very many or far away.
    pub fn corners_over(&self, range: [[f64; 2]; 2]) -> Option<Corners> {
        // So that rounding is less than the margin, and numbers of lattice points are.
        const NEAR: f64 = (1u64 << 30) as f64;
        const MARGIN: f64 = 1.0 / 65_536.0;
        const MOST: f64 = 512.0;
        let scale = f64::from(1u32 << self.site.shift);
        let mut corners = Corners::default();
        for axis in 0..2 {
            let [least, most] = range[axis];
            let offset = f64::from(self.site.offset[axis]) / 2_147_483_648.0;
            let [least, most] = [least, most].map(|x| (x + offset) * scale);
            // Nor is what is not a number.
            let are_near = -NEAR < least && most < NEAR && most - least < MOST;
            if !are_near || self.site.period[axis] != 0 {
                return None;
            }
            let [first, last] = [floor(least - MARGIN), floor(most + MARGIN)].map(|cell| cell as i64);
            corners.first[axis] = first as u32;
            corners.count[axis] = (last - first) as usize + 2;
        }
        Some(corners)
    }

    /// How cells between two cells of the first of the octaves that share coordinates repeat, per axis; none if
    /// they are too far apart.
    pub fn repeats_over(&self, cells: [[f64; 2]; 2]) -> Option<[Repeat; 2]> {
        let shift = Shift::new(self.site.shift);
        let [x, z] = each::<_, 2>(|axis| {
            let [least, most] = shift.reach(cells[axis][0], cells[axis][1]);
            Repeat::new(self.site.period[axis], least, most)
        });
        Some([x?, z?])
    }

    /// The octave at a place in metres; derivatives are per cell.
    #[inline]
    pub fn at(&self, basis: Basis, at: [f64; 2]) -> Jet<2> {
        with_plane_basis!(basis, kernel => self.jet(kernel, at), else Jet::default())
    }

    #[inline(always)]
    fn jet(&self, basis: impl PlaneBasis, at: [f64; 2]) -> Jet<2> {
        let (shift, at) = (Shift::new(self.site.shift), self.site.coordinates(at));
        let place = |axis: usize| {
            let (cell, fraction) = fixed(Scalar, at[axis]);
            shift.whole(self.site.offset[axis], cell, fraction)
        };
        let ((x, fx), (z, fz)) = (place(0), place(1));
        let corners = if self.site.period == [0; 2] {
            self.key.corners([x, z])
        } else {
            let near = [wrapped(x, self.site.period[0]), wrapped(z, self.site.period[1])];
            let far = each::<_, 2>(|axis| next(near[axis], self.site.period[axis]));
            self.key.parts_around(near, far)
        };
        jet(basis, corners, [fx, fz])
    }
}

/// The lattice points of a rectangle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Corners {
    /// The low words of the first along each axis.
    pub first: [u32; 2],
    pub count: [usize; 2],
}

impl Site {
    /// Converts metres to cells of the first of the octaves that share coordinates.
    #[inline(always)]
    pub fn coordinates(&self, at: [f64; 2]) -> [f64; 2] {
        let [x, z] = [at[0] * self.base, at[1] * self.base];
        if self.skewed {
            let skew = (x + z) * SKEW2;
            [x + skew, z + skew]
        } else {
            [x, z]
        }
    }
}

/// A basis on the plane, as far as it depends on what lattice points hold.
pub(crate) trait PlaneBasis: Copy {
    /// The lattice points that a place depends on.
    const POINTS: usize;
    /// The parts of their hashes; `corners` are those of the points around the cell: near left, near right, far
    /// left, far right.
    fn chosen(corners: [u32; 4], f: [f32; 2]) -> [u32; 4];
    /// What lattice points hold, from the parts of their hashes.
    fn held<const W: usize>(isa: impl Isa<W>, parts: [u32; W]) -> [[f32; W]; 2];
    /// What lattice points hold, as [`chosen`](Self::chosen) chooses them, by the place of the near left one in a
    /// table; `stride` is the length of its rows.
    fn look_up<const W: usize>(
        isa: impl Isa<W>,
        held: &Held,
        index: [u32; W],
        stride: usize,
        f: [&[f32; W]; 2],
    ) -> [[[f32; W]; 2]; 4];
    /// What lattice points hold, as [`chosen`](Self::chosen) chooses them, of places that all lie in one cell, from what the
    /// points around it hold.
    fn in_cell<const L: usize>(around: [[f32; 2]; 4], f: [&[f32; L]; 2]) -> [[[f32; L]; 2]; 4];
    /// Value and slopes, per cell.
    fn jet(self, held: [[f32; 2]; 4], f: [f32; 2]) -> Jet<2>;
}

/// One octave, from the corners of the cell and the fractions in it.
#[inline(always)]
pub(crate) fn jet<B: PlaneBasis>(basis: B, corners: [u32; 4], f: [f32; 2]) -> Jet<2> {
    let parts = B::chosen(corners, f);
    let held: [[f32; 2]; 4] = each(|point| {
        if point < B::POINTS {
            let [[a], [b]] = B::held(Scalar, [parts[point]]);
            [a, b]
        } else {
            [0.0; 2]
        }
    });
    basis.jet(held, f)
}

/// A basis that interpolates per axis, with its fade.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faded<S, C>(pub S, pub C);

impl<S: Separable, C: Curve> PlaneBasis for Faded<S, C> {
    const POINTS: usize = 4;

    #[inline(always)]
    fn chosen(corners: [u32; 4], _f: [f32; 2]) -> [u32; 4] {
        corners
    }
    #[inline(always)]
    fn held<const W: usize>(isa: impl Isa<W>, parts: [u32; W]) -> [[f32; W]; 2] {
        S::held(isa, parts)
    }
    #[inline(always)]
    fn look_up<const W: usize>(
        isa: impl Isa<W>,
        held: &Held,
        index: [u32; W],
        stride: usize,
        _f: [&[f32; W]; 2],
    ) -> [[[f32; W]; 2]; 4] {
        isa.corners(held, index, stride)
    }
    #[inline(always)]
    fn in_cell<const L: usize>(around: [[f32; 2]; 4], _f: [&[f32; L]; 2]) -> [[[f32; L]; 2]; 4] {
        let [a, b, c, d] = around;
        [[[a[0]; L], [a[1]; L]], [[b[0]; L], [b[1]; L]], [[c[0]; L], [c[1]; L]], [[d[0]; L], [d[1]; L]]]
    }
    #[inline(always)]
    fn jet(self, held: [[f32; 2]; 4], [fx, fz]: [f32; 2]) -> Jet<2> {
        S::between(held, Between::new(self.1, fx), Between::new(self.1, fz))
    }
}

impl PlaneBasis for Triangles {
    const POINTS: usize = 3;

    #[inline(always)]
    fn chosen([near, right, far, last]: [u32; 4], f: [f32; 2]) -> [u32; 4] {
        [near, if f[1] > f[0] { far } else { right }, last, 0]
    }
    #[inline(always)]
    fn held<const W: usize>(isa: impl Isa<W>, parts: [u32; W]) -> [[f32; W]; 2] {
        isa.directions(&simplex::DIRECTIONS, parts)
    }
    #[inline(always)]
    fn look_up<const W: usize>(
        isa: impl Isa<W>,
        held: &Held,
        index: [u32; W],
        stride: usize,
        [fx, fz]: [&[f32; W]; 2],
    ) -> [[[f32; W]; 2]; 4] {
        if W == 4 {
            // Fewer loads.
            let [mut middle, mut last] = [[0; W]; 2];
            for lane in 0..W {
                middle[lane] = index[lane].wrapping_add(if fz[lane] > fx[lane] { stride as u32 } else { 1 });
                last[lane] = index[lane].wrapping_add(stride as u32 + 1);
            }
            return [isa.corner(held, index), isa.corner(held, middle), isa.corner(held, last), [[0.0; W]; 2]];
        }
        let [near, right, far, last] = isa.corners(held, index, stride);
        let mut middle = [[0.0; W]; 2];
        for which in 0..2 {
            for lane in 0..W {
                middle[which][lane] = if fz[lane] > fx[lane] { far[which][lane] } else { right[which][lane] };
            }
        }
        [near, middle, last, [[0.0; W]; 2]]
    }
    #[inline(always)]
    fn in_cell<const L: usize>(
        [near, right, far, last]: [[f32; 2]; 4],
        [fx, fz]: [&[f32; L]; 2],
    ) -> [[[f32; L]; 2]; 4] {
        let mut middle = [[0.0; L]; 2];
        for which in 0..2 {
            for lane in 0..L {
                middle[which][lane] = if fz[lane] > fx[lane] { far[which] } else { right[which] };
            }
        }
        [[[near[0]; L], [near[1]; L]], middle, [[last[0]; L], [last[1]; L]], [[0.0; L]; 2]]
    }
    #[inline(always)]
    fn jet(self, [a, b, c, _]: [[f32; 2]; 4], f: [f32; 2]) -> Jet<2> {
        simplex::triangle([a, b, c], f)
    }
}

/// Runs the same code for a basis on the plane, compiled once for each; `$else` for others.
macro_rules! with_plane_basis {
    ($basis:expr, $kernel:ident => $body:expr, else $else:expr) => {{
        use $crate::basis::plane::Faded;
        use $crate::basis::{Basis, Quintic, perlin::Perlin, simplex::Triangles, value::Value};
        use $crate::interpolation::Fade;
        match $basis {
            Basis::Perlin { fade: Fade::Quintic, .. } => {
                let $kernel = Faded(Perlin, Quintic);
                $body
            }
            Basis::Perlin { fade, .. } => {
                let $kernel = Faded(Perlin, fade);
                $body
            }
            Basis::Value { fade: Fade::Quintic, .. } => {
                let $kernel = Faded(Value, Quintic);
                $body
            }
            Basis::Value { fade, .. } => {
                let $kernel = Faded(Value, fade);
                $body
            }
            Basis::Simplex => {
                let $kernel = Triangles;
                $body
            }
            _ => $else,
        }
    }};
}
pub(crate) use with_plane_basis;
