//! The integer noise of Hugo Elias (1998), also in the DGL wiki: 32-bit wrapping arithmetic.

/// 31 random bits of a number.
pub(super) fn bits(number: u32) -> u32 {
    let n = (number << 13) ^ number;
    let cubic = n.wrapping_mul(n.wrapping_mul(n).wrapping_mul(15731).wrapping_add(789_221));
    cubic.wrapping_add(1_376_312_589) & 0x7FFF_FFFF
}

pub(super) fn value(number: u32) -> f64 {
    1.0 - f64::from(bits(number)) / 1_073_741_824.0
}

/// Cells as one number: `x + 57·y + 57²·z`.
pub(super) fn fold(cells: &[i64]) -> u32 {
    cells.iter().rev().fold(0u32, |sum, &cell| sum.wrapping_mul(57).wrapping_add(cell as u32))
}

/// Elias' integer noise of one coordinate, in (-1, 1].
///
/// ```
/// assert_eq!(terrain_noise::int_noise(0), -0.2817909838631749);
/// ```
#[must_use]
pub fn int_noise(x: i32) -> f64 {
    value(x as u32)
}

/// Elias' integer noise of two coordinates, that of `x + 57·y`, in (-1, 1].
#[must_use]
pub fn int_noise_2d(x: i32, y: i32) -> f64 {
    value(fold(&[x.into(), y.into()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        for (x, expected) in [
            (0, -0.281_790_983_863_174_9),
            (1, -0.226_373_051_293_194_3),
            (-1, 0.900_126_288_644_969_5),
            (57, 0.204_343_984_834_849_83),
            (123_456_789, 0.166_825_997_643_172_74),
        ] {
            assert_eq!(int_noise(x), expected, "{x}");
        }
        assert_eq!(int_noise_2d(-3, 5), 0.625_854_306_854_307_7);
        assert_eq!(int_noise_2d(100, -200), -0.329_504_513_181_746);
    }
}
