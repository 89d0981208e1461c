//! The formulas of a chunk, vertex by vertex, and that the rows give the same bits.

use proptest::prelude::*;

use super::detail_normals::{self, Texels};
use super::heights::{FINE, OWN, PARENT};
use super::instructions;
use super::rows::Samples;
use super::vertices::Vertices;
use super::{PooledVec, Shade, Vertex};
use crate::chunk::CHUNK_VERTICES;

/// Gradient (∂x, ∂z) and curvature at vertex (`i`, `j`).
fn derivatives(samples: &Samples, i: usize, j: usize) -> ([f32; 2], f32) {
    let at = |i: usize, j: usize| samples.heights[j * samples.stride + i];
    let scale = (0.5 / samples.spacing) as f32;
    let gradient = [(at(i + 2, j + 1) - at(i, j + 1)) * scale, (at(i + 1, j + 2) - at(i + 1, j)) * scale];
    let around = (at(i + 2, j + 1) + at(i, j + 1)) + (at(i + 1, j + 2) + at(i + 1, j));
    (gradient, (around - 4.0 * at(i + 1, j + 1)) / samples.spacing as f32)
}

fn horizontal_normal([dx, dz]: [f32; 2]) -> [f32; 2] {
    let length = (1.0 + dx * dx + dz * dz).sqrt();
    [-dx / length, -dz / length]
}

fn shade(gradient: [f32; 2], curvature: f32) -> Shade {
    let signed = |value: f32, steps: f32| (value.clamp(-1.0, 1.0) * steps).round_ties_even() as i32 as u32;
    let [x, z] = horizontal_normal(gradient).map(|part| signed(part, 2047.0) & 0xFFF);
    Shade(x | z << 12 | signed(curvature, 127.0) << 24)
}

fn vertex(own: &Samples, parent: Option<&Samples>, i: usize, j: usize) -> Vertex {
    let height = |samples: &Samples, i: usize, j: usize| samples.heights[(j + 1) * samples.stride + i + 1];
    let (gradient, curvature) = derivatives(own, i, j);
    let (own_height, own_shade) = (height(own, i, j), shade(gradient, curvature));
    let Some(parent) = parent else {
        return Vertex { height: own_height, parent_height: own_height, shade: own_shade, parent_shade: own_shade };
    };
    let (low_i, low_j, high_i, high_j) = (i / 2, j / 2, i.div_ceil(2), j.div_ceil(2));
    let (low, low_curvature) = derivatives(parent, low_i, low_j);
    let (high, high_curvature) = derivatives(parent, high_i, high_j);
    Vertex {
        height: own_height,
        parent_height: 0.5 * (height(parent, low_i, low_j) + height(parent, high_i, high_j)),
        shade: own_shade,
        parent_shade: shade(
            [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])],
            0.5 * (low_curvature + high_curvature),
        ),
    }
}

fn texel(own: &Samples, fine: &Samples, i: usize, j: usize) -> [i8; 2] {
    let normal = |samples, i, j| horizontal_normal(derivatives(samples, i, j).0);
    let corners = [(i / 2, j / 2), (i.div_ceil(2), j / 2), (i / 2, j.div_ceil(2)), (i.div_ceil(2), j.div_ceil(2))];
    let corners = corners.map(|(i, j)| normal(own, i, j));
    let detail = normal(fine, i, j);
    [0, 1].map(|axis| {
        let mesh = 0.25 * corners.iter().map(|corner| corner[axis]).sum::<f32>();
        ((detail[axis] - mesh) / 0.75 * 127.0).round_ties_even().clamp(-127.0, 127.0) as i8
    })
}

/// Heights of a slope, waves and steps; a few are no numbers, infinite or huge.
fn heights(side: usize, seed: u32, rough: f32, odd_ones: u32) -> Vec<f32> {
    let hash = |index: usize, salt: u32| {
        let bits = (index as u32 ^ seed.rotate_left(7) ^ salt).wrapping_mul(0x9E37_79B1);
        (bits ^ bits >> 15).wrapping_mul(0x85EB_CA77) >> 8
    };
    let height = |index: usize| {
        let (i, j) = ((index % side) as f32, (index / side) as f32);
        300.0 + 0.3 * i - 0.7 * j + rough * (hash(index, 1) as f32 / 16_777_216.0 - 0.5)
    };
    let mut heights: Vec<f32> = (0..side * side).map(height).collect();
    for odd in 0..odd_ones as usize {
        // A number that is none may carry bits of its own.
        let values =
            [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -f32::MAX, f32::from_bits(0xFFC1_2345), -0.0];
        heights[hash(odd, 2) as usize % (side * side)] = values[odd % values.len()];
    }
    heights
}

/// The bits, as NaN is not even equal to itself.
fn bits(vertex: &Vertex) -> [u32; 4] {
    let Vertex { height, parent_height, shade, parent_shade } = *vertex;
    // What bits a sum with NaN has is up to the processor.
    let number = |height: f32| if height.is_nan() { f32::NAN.to_bits() } else { height.to_bits() };
    [number(height), number(parent_height), shade.0, parent_shade.0]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn rows_give_the_bits_of_single_vertices(
        seed: u32,
        rough in prop::sample::select(vec![0.0f32, 1e-4, 0.3, 5.0, 100.0, 3e4]),
        odd_ones in prop::sample::select(vec![0u32, 0, 3, 40]),
        spacing in prop::sample::select(vec![0.01, 0.7, 1.0, 64.0]),
    ) {
        let grids = [OWN, PARENT, FINE].map(|side| heights(side, seed ^ side as u32, rough, odd_ones));
        let samples = |index: usize, stride, spacing| Samples { heights: &grids[index], stride, spacing };
        let own = samples(0, OWN, spacing);
        let parent = samples(1, PARENT, 2.0 * spacing);
        let fine = samples(2, FINE, 0.5 * spacing);
        for parent in [None, Some(&parent)] {
            let mesh = instructions::run(Vertices { own: &own, parent, buffer: PooledVec::default() });
            let mut is_finite = true;
            let (mut min, mut max) = (f32::INFINITY, f32::NEG_INFINITY);
            for (index, found) in mesh.vertices.iter().enumerate() {
                let (i, j) = (index % CHUNK_VERTICES, index / CHUNK_VERTICES);
                let expected = vertex(&own, parent, i, j);
                prop_assert_eq!(bits(found), bits(&expected), "vertex {}, {}: {:?} is not {:?}", i, j, found, expected);
                for height in [expected.height, expected.parent_height] {
                    is_finite &= height.is_finite();
                    (min, max) = (min.min(height), max.max(height));
                }
            }
            prop_assert_eq!(mesh.vertices.len(), CHUNK_VERTICES * CHUNK_VERTICES);
            prop_assert_eq!((mesh.min_height, mesh.max_height, mesh.is_finite), (min, max, is_finite));
        }
        let texels = instructions::run(Texels { own: &own, fine: &fine, buffer: PooledVec::default() });
        let side = detail_normals::DETAIL_NORMAL_TEXELS;
        prop_assert_eq!(texels.len(), detail_normals::SLOT_TEXELS);
        for (index, &found) in texels[..side * side].iter().enumerate() {
            let (i, j) = (index % side, index / side);
            prop_assert_eq!(found, texel(&own, &fine, i, j), "texel {}, {}", i, j);
        }
    }
}
