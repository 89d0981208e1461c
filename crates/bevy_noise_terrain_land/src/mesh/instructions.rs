//! Meshing with AVX2 where the processor has it.

/// Work whose loops are compiled once for each set of instructions. All give the same bits: none fuses a multiplication with an
/// addition, and roots and divisions are rounded alike.
pub trait Kernel {
    /// What it makes.
    type Output;

    /// Does it. Implementations are `#[inline(always)]`, as a function of its own would be compiled for the baseline.
    fn run(self) -> Self::Output;
}

/// Runs a kernel with the best set that the processor has. With AVX2, vertices and detail normals take two fifths fewer
/// instructions.
pub fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[expect(unsafe_code, reason = "code for a set may run only where the set is")]
        // SAFETY: the processor has the set.
        return unsafe { with_avx2(kernel) };
    }
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkKey;
    use crate::mesh::detail_normals::Texels;
    use crate::mesh::vertices::Vertices;
    use crate::mesh::{ChunkHeights, PooledVec, SampleScratch};
    use crate::source::NoiseSource;
    use crate::terrain::NoiseTerrain;

    #[test]
    fn all_sets_give_the_same_bits() {
        let terrain = NoiseTerrain::default();
        let source = NoiseSource(terrain.noise.build(terrain.seed).unwrap());
        let mut scratch = SampleScratch::default();
        for key in [ChunkKey::new(1, 5, -9), ChunkKey::new(3, -40, 7)] {
            let own = ChunkHeights::sample(&source, key, 1.0, &mut scratch);
            let parent = ChunkHeights::sample(&source, key.parent(), 1.0, &mut scratch);
            let (own, parent) = (own.samples(key, 1.0), parent.under_child(key, 1.0));
            let vertices = || Vertices { own: &own, parent: Some(&parent), buffer: PooledVec::default() };
            assert_eq!(run(vertices()), vertices().run());
            let fine = scratch.sample_fine(&source, key, 1.0);
            let texels = || Texels { own: &own, fine: &fine, buffer: PooledVec::default() };
            assert_eq!(run(texels()), texels().run());
        }
    }
}
