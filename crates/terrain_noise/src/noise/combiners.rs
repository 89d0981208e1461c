//! Nodes that make one noise of several.

use crate::params::node;

node! {
    /// The sum of two noises.
    Add {}
    operands {
        /// One term.
        a,
        /// The other term.
        b,
    }
}
node! {
    /// The product of two noises.
    Mul {}
    operands {
        /// One factor.
        a,
        /// The other factor.
        b,
    }
}
node! {
    /// The lower of two noises.
    Min {}
    operands {
        /// One noise.
        a,
        /// The other noise.
        b,
    }
}
node! {
    /// The higher of two noises.
    Max {}
    operands {
        /// One noise.
        a,
        /// The other noise.
        b,
    }
}
node! {
    /// The lower of two noises, with the crease rounded off (Quilez's polynomial minimum).
    SmoothMin {
        /// Values that differ by less than this are blended.
        radius: f64 = 1.0, [1e-6..=1e9];
    }
    operands {
        /// One noise.
        a,
        /// The other noise.
        b,
    }
}
node! {
    /// The higher of two noises, with the crease rounded off.
    SmoothMax {
        /// Values that differ by less than this are blended.
        radius: f64 = 1.0, [1e-6..=1e9];
    }
    operands {
        /// One noise.
        a,
        /// The other noise.
        b,
    }
}
node! {
    /// `a` where the mask is 0, `b` where it is 1, a blend between; the mask is clamped to 0 ..= 1.
    Blend {}
    operands {
        /// Where the mask is 0.
        a,
        /// Where the mask is 1.
        b,
        /// Which of the two, and how much.
        mask,
    }
}
