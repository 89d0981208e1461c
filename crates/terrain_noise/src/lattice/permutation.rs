//! Tables of 256 values, drawn by the minimal standard generator.

/// The minimal standard random number generator (Park and Miller 1988).
///
/// ```
/// let mut generator = terrain_noise::ParkMiller::new(123456);
/// assert_eq!(generator.next_number(), 0.9662122432759146);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParkMiller(u64);

impl ParkMiller {
    const MODULUS: u64 = 2_147_483_647;

    /// Starts from a seed. One that would stay at 0 forever is moved by one period.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(match seed % Self::MODULUS {
            0 => Self::MODULUS - 1,
            seed => seed,
        })
    }

    /// The next number in 0 .. 1.
    pub fn next_number(&mut self) -> f64 {
        self.0 = self.0 * 16807 % Self::MODULUS;
        (self.0 - 1) as f64 / (Self::MODULUS - 1) as f64
    }
}

/// 256 bytes, looked up by cell modulo 256.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation([u8; 256]);

impl Permutation {
    /// The table as blog posts fill it, `floor(256·next())`: not a permutation.
    ///
    /// ```
    /// let table = terrain_noise::Permutation::classic(1);
    /// assert_eq!(table.values()[..4], [0, 33, 193, 117]);
    /// ```
    #[must_use]
    pub fn classic(seed: u64) -> Self {
        let mut generator = ParkMiller::new(seed);
        Self(std::array::from_fn(|_| (generator.next_number() * 256.0) as u8))
    }

    /// A true permutation, shuffled by Fisher and Yates' method.
    #[must_use]
    pub fn shuffled(seed: u64) -> Self {
        let mut generator = ParkMiller::new(seed);
        let mut table: [u8; 256] = std::array::from_fn(|i| i as u8);
        for last in (1..256).rev() {
            let other = (generator.next_number() * (last + 1) as f64) as usize;
            table.swap(last, other.min(last));
        }
        Self(table)
    }

    /// The seed that the original makes of a text: the sum of its character codes, so
    /// anagrams collide. [`seed_from_str`](crate::seed_from_str) does better.
    #[must_use]
    pub fn classic_seed(text: &str) -> u64 {
        text.chars().map(|character| u64::from(u32::from(character))).sum()
    }

    /// The table.
    #[must_use]
    pub fn values(&self) -> &[u8; 256] {
        &self.0
    }

    /// `table[… table[table[x] + y] + z …]`, all modulo 256.
    pub(crate) fn look_up(&self, cells: &[i64]) -> u8 {
        cells.iter().fold(0u8, |hash, &cell| self.0[usize::from(hash.wrapping_add(cell as u8))])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        let mut generator = ParkMiller::new(123_456);
        let first: [f64; 3] = std::array::from_fn(|_| generator.next_number());
        assert_eq!(first, [0.966_212_243_275_914_6, 0.129_173_002_326_090_83, 0.010_656_909_561_396_493]);
        assert_eq!(Permutation::classic(1).0[..8], [0, 33, 193, 117, 136, 56, 12, 173]);
        assert_eq!(Permutation::classic(123_456).0[..8], [247, 33, 2, 28, 79, 211, 240, 236]);
        assert_eq!(Permutation::classic(Permutation::classic_seed("terrain")).0[..4], [1, 146, 254, 50]);
    }

    #[test]
    fn shuffling_keeps_every_value() {
        let mut table = Permutation::shuffled(123_456).0;
        assert_ne!(table[..4], [0, 1, 2, 3]);
        table.sort_unstable();
        assert!(table.iter().enumerate().all(|(i, &value)| i == usize::from(value)));
        let mut classic = Permutation::classic(123_456).0;
        classic.sort_unstable();
        assert!(classic.iter().enumerate().any(|(i, &value)| i != usize::from(value)));
    }
}
