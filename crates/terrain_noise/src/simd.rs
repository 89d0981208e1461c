//! Instruction sets, chosen at run time.
//!
//! A kernel is written once, as loops over [`LANES`] numbers that the compiler vectorises, and is
//! compiled for every set. None of them has a fused multiply-add and none reorders: every set gives
//! the same bits.

/// Numbers that a kernel handles together: one register of the widest set.
pub(crate) const LANES: usize = 16;

/// Numbers side by side.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Lanes(pub [f32; LANES]);

/// Coordinates side by side.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Wide(pub [f64; LANES]);

/// A set of instructions that grids and points are computed with. All give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Instructions {
    /// What every processor of the architecture has: SSE2, NEON.
    Baseline,
    /// 256 bits, on x86-64.
    Avx2,
    /// 512 bits, on x86-64.
    Avx512,
}

impl Instructions {
    /// The widest set that this machine has.
    #[must_use]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
            {
                return Self::Avx512;
            }
            if is_x86_feature_detected!("avx2") {
                return Self::Avx2;
            }
        }
        Self::Baseline
    }

    /// The sets that this machine has, narrowest first.
    pub fn available() -> impl Iterator<Item = Self> {
        let all = [Self::Baseline, Self::Avx2, Self::Avx512];
        all.into_iter().filter(|&set| set <= Self::best())
    }
}

/// A set that is known to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Checked(Instructions);

impl Checked {
    /// The wanted set, or the best there is below it.
    pub fn new(wanted: Instructions) -> Self {
        Self(wanted.min(Instructions::best()))
    }

    pub fn get(self) -> Instructions {
        self.0
    }

    /// Runs a kernel as compiled for this set.
    #[inline(always)]
    #[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "code for a set may run only where the set is"))]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            // SAFETY: a checked set is one that this machine has.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { x86::avx512(kernel) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { x86::avx2(kernel) },
            _ => kernel.run(Plain),
        }
    }
}

/// Work that is compiled for every set. `run` must be `#[inline(always)]`, and so must all that it
/// calls in its loops: only what is inlined is compiled for the set.
pub(crate) trait Kernel {
    type Output;
    fn run(self, isa: impl Isa) -> Self::Output;
}

/// What the compiler does not find by itself.
pub(crate) trait Isa: Copy {
    /// Whether there are 32 registers.
    const MANY_REGISTERS: bool = false;
    /// `table[index]`, lane by lane; an index is below 16.
    fn pick(self, table: &[f32; LANES], index: &[u32; LANES]) -> [f32; LANES];
    /// As `pick`, where every index is below 8.
    #[inline(always)]
    fn pick_narrow(self, table: &[f32; LANES], index: &[u32; LANES]) -> [f32; LANES] {
        self.pick(table, index)
    }
}

/// No particular set.
#[derive(Clone, Copy)]
pub(crate) struct Plain;

impl Isa for Plain {
    #[inline(always)]
    fn pick(self, table: &[f32; LANES], index: &[u32; LANES]) -> [f32; LANES] {
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            out[lane] = table[index[lane] as usize % LANES];
        }
        out
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![expect(unsafe_code, reason = "a table in registers is read 10 times as fast as one in memory")]

    use std::arch::x86_64::*;

    use super::{Isa, Kernel, LANES};

    /// Exists only inside [`avx512`].
    #[derive(Clone, Copy)]
    struct Avx512;

    /// Exists only inside [`avx2`].
    #[derive(Clone, Copy)]
    struct Avx2;

    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn avx512<K: Kernel>(kernel: K) -> K::Output {
        kernel.run(Avx512)
    }

    #[target_feature(enable = "avx2")]
    pub fn avx2<K: Kernel>(kernel: K) -> K::Output {
        kernel.run(Avx2)
    }

    impl Isa for Avx512 {
        const MANY_REGISTERS: bool = true;

        #[inline(always)]
        fn pick(self, table: &[f32; LANES], index: &[u32; LANES]) -> [f32; LANES] {
            let mut out = [0.0; LANES];
            // SAFETY: the set is there (see the type), and all three are 64 bytes long.
            unsafe {
                let table = _mm512_loadu_ps(table.as_ptr());
                let index = _mm512_loadu_si512(index.as_ptr().cast());
                _mm512_storeu_ps(out.as_mut_ptr(), _mm512_permutexvar_ps(index, table));
            }
            out
        }
    }

    impl Isa for Avx2 {
        #[inline(always)]
        fn pick(self, table: &[f32; LANES], index: &[u32; LANES]) -> [f32; LANES] {
            let mut out = [0.0; LANES];
            // SAFETY: the set is there (see the type); each half is 32 bytes long.
            unsafe {
                let low = _mm256_loadu_ps(table.as_ptr());
                let high = _mm256_loadu_ps(table.as_ptr().add(8));
                for half in [0, 8] {
                    let index = _mm256_loadu_si256(index.as_ptr().add(half).cast());
                    // Bit 3 chooses the half of the table; blending looks at the sign.
                    let upper = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(index));
                    let low = _mm256_permutevar8x32_ps(low, index);
                    let high = _mm256_permutevar8x32_ps(high, index);
                    _mm256_storeu_ps(out.as_mut_ptr().add(half), _mm256_blendv_ps(low, high, upper));
                }
            }
            out
        }
        #[inline(always)]
        fn pick_narrow(self, table: &[f32; LANES], index: &[u32; LANES]) -> [f32; LANES] {
            let mut out = [0.0; LANES];
            // SAFETY: as above.
            unsafe {
                let table = _mm256_loadu_ps(table.as_ptr());
                for half in [0, 8] {
                    let index = _mm256_loadu_si256(index.as_ptr().add(half).cast());
                    let picked = _mm256_permutevar8x32_ps(table, index);
                    _mm256_storeu_ps(out.as_mut_ptr().add(half), picked);
                }
            }
            out
        }
    }
}
