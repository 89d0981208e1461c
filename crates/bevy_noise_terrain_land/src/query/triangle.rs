//! The triangles of the finest land: two in each quad, along the diagonal from lesser to greater x and z.

use bevy::math::DVec3;

use crate::volumes::LandPoint;

/// Where a position lies in the finest land.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// The quad around it: its least x and z, in spacings.
    pub quad: [f64; 2],
    /// The place within the quad, from 0 to 1.
    pub within: [f64; 2],
}

/// The triangle around a place.
pub(crate) struct Triangle {
    /// Heights of its vertices, in the order of [`Place::corners`].
    heights: [f64; 3],
    within: [f64; 2],
}

impl Place {
    /// That of an absolute position.
    pub fn new([x, z]: [f64; 2], spacing: f64) -> Self {
        let quad = [x, z].map(|metres| (metres / spacing).floor());
        Self { quad, within: [x / spacing - quad[0], z / spacing - quad[1]] }
    }

    /// The quad's corners that are those of the triangle around it: those with the least and the greatest x and z, and the one
    /// between them.
    pub fn corners(&self) -> [[u8; 2]; 3] {
        [[0, 0], if self.is_beyond_diagonal() { [0, 1] } else { [1, 0] }, [1, 1]]
    }

    /// Absolute positions of those corners.
    pub fn vertices(&self, spacing: f64) -> [[f64; 2]; 3] {
        self.corners().map(|corner| [0, 1].map(|axis| (self.quad[axis] + f64::from(corner[axis])) * spacing))
    }

    /// Whether another place is in the same triangle.
    pub fn is_in_triangle_of(&self, other: &Self) -> bool {
        self.quad == other.quad && self.is_beyond_diagonal() == other.is_beyond_diagonal()
    }

    fn is_beyond_diagonal(&self) -> bool {
        let [u, v] = self.within;
        v > u
    }
}

impl Triangle {
    /// That around a place, with the heights of [`Place::corners`].
    pub fn new(place: Place, heights: [f64; 3]) -> Self {
        Self { heights, within: place.within }
    }

    /// Height in metres at the place.
    pub fn height(&self) -> f64 {
        let ([least, between, greatest], [u, v]) = (self.heights, self.within);
        let [first, second] = if v > u { [v, u] } else { [u, v] };
        least + first * (between - least) + second * (greatest - between)
    }

    /// Unit normal.
    pub fn normal(&self, spacing: f64) -> DVec3 {
        let [dx, dz] = self.rise();
        DVec3::new(-dx, spacing, -dz).normalize()
    }

    /// An absolute position over or under the place, and the land there.
    pub fn land_point(&self, at: DVec3, spacing: f64) -> LandPoint {
        LandPoint { at: at.to_array(), height: self.height(), slope: self.rise().map(|rise| rise / spacing) }
    }

    /// How much it rises over the quad's width along x and z.
    fn rise(&self) -> [f64; 2] {
        let ([least, between, greatest], [u, v]) = (self.heights, self.within);
        let [first, second] = [between - least, greatest - between];
        if v > u { [second, first] } else { [first, second] }
    }
}
