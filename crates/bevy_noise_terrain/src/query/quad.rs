//! A quad of the finest land: two triangles along the diagonal from lesser to greater x and z.

use bevy::math::DVec3;

use crate::volumes::LandPoint;

/// The finest quad around a position.
pub(crate) struct Quad {
    /// Heights of its corners, counter-clockwise seen from below (−x −z, +x −z, +x +z, −x +z).
    pub corners: [f64; 4],
    /// The place within it from 0 to 1.
    pub place: [f64; 2],
}

impl Quad {
    /// The cell of the quad around an absolute position, and the place in it.
    pub fn cell([x, z]: [f64; 2], spacing: f64) -> ([f64; 2], [f64; 2]) {
        let cell = [x, z].map(|metres| (metres / spacing).floor());
        (cell, [x / spacing - cell[0], z / spacing - cell[1]])
    }

    /// Its height in metres at the place.
    pub fn height(&self) -> f64 {
        let ([a, b, c, d], [u, v]) = (self.corners, self.place);
        if u >= v { a + u * (b - a) + v * (c - b) } else { a + v * (d - a) + u * (c - d) }
    }

    /// Unit normal of the triangle at the place.
    pub fn normal(&self, spacing: f64) -> DVec3 {
        let [dx, dz] = self.rise();
        DVec3::new(-dx, spacing, -dz).normalize()
    }

    /// An absolute position over or under the place, and the land there.
    pub fn land_point(&self, at: DVec3, spacing: f64) -> LandPoint {
        LandPoint { at: at.to_array(), height: self.height(), slope: self.rise().map(|rise| rise / spacing) }
    }

    /// How much the triangle at the place rises over the quad's width along x and z.
    fn rise(&self) -> [f64; 2] {
        let ([a, b, c, d], [u, v]) = (self.corners, self.place);
        if u >= v { [b - a, c - b] } else { [c - d, d - a] }
    }
}
