//! An affine change of coordinates.

use crate::noise;

/// An affine change of coordinates. Without a rotation a grid stays a grid.
#[derive(Clone, Debug)]
pub(crate) struct Transform {
    /// Metres of the source per metre, along x, y and z.
    pub scale: [f64; 3],
    pub offset: [f64; 3],
    /// Cosine and sine of the rotation about y.
    pub turn: [f64; 2],
}

impl Transform {
    pub fn new(node: &noise::Transform) -> Self {
        let scale = [1.0 / node.scale_x, 1.0 / node.scale_y, 1.0 / node.scale_z];
        let radians = node.rotation.to_radians();
        // Whole quarter turns are exact, so that 360° is no rotation at all.
        let turn = match node.rotation {
            0.0 | 360.0 | -360.0 => [1.0, 0.0],
            90.0 | -270.0 => [0.0, 1.0],
            180.0 | -180.0 => [-1.0, 0.0],
            270.0 | -90.0 => [0.0, -1.0],
            _ => [libm::cos(radians), libm::sin(radians)],
        };
        let [c, s] = turn;
        let (x, z) = (-node.move_x, -node.move_z);
        let offset = [(c * x + s * z) * scale[0], -node.move_y * scale[1], (c * z - s * x) * scale[2]];
        Self { scale, offset, turn }
    }

    pub fn keeps_axes(&self) -> bool {
        self.turn == [1.0, 0.0]
    }

    /// The footprint in the source's own metres.
    pub fn footprint(&self, footprint: f64) -> f64 {
        footprint * self.scale[0].max(self.scale[2])
    }

    /// The matrix and offset over the axes of `D` dimensions: x, or x and z, or x, y and z.
    #[inline(always)]
    pub fn over<const D: usize>(&self) -> ([[f64; D]; D], [f64; D]) {
        let [c, s] = if D == 1 { [1.0, 0.0] } else { self.turn };
        let last = D - 1;
        // The place of a dimension's axis among x, y, z.
        let axis = |i: usize| if i == last && D > 1 { 2 } else { i };
        let mut matrix = [[0.0; D]; D];
        let mut offset = [0.0; D];
        for i in 0..D {
            matrix[i][i] = self.scale[axis(i)];
            offset[i] = self.offset[axis(i)];
        }
        if !self.keeps_axes() && D > 1 {
            matrix[0][0] = c * self.scale[0];
            matrix[0][last] = s * self.scale[0];
            matrix[last][0] = -s * self.scale[2];
            matrix[last][last] = c * self.scale[2];
        }
        (matrix, offset)
    }
}
