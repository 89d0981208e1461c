//! The morph of a vertex, in the same arithmetic as `render/morph.wesl`, so that tests check what is drawn.

use crate::chunk::{CHUNK_QUADS, CHUNK_VERTICES};
use crate::mesh::{Vertex, is_turned};

/// Fraction of the range at which a vertex has reached its parent's surface.
pub const MORPH_END: f32 = 0.98;

/// Fraction of the range at which an odd vertex has slid onto a vertex of its parent. The rest allows for rounding.
pub const SLIDE_END: f32 = 0.99;

/// How far a vertex has morphed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Morph {
    /// 0: its own height and normal; 1: those of its parent's surface.
    pub height: f32,
    /// 0: at its own position; 1: on a vertex of its parent. Above 0 only once `height` is 1, so that the vertex
    /// slides along an edge or diagonal of the parent and the surface does not change.
    pub slide: f32,
}

/// The morph at distance `d` of a level that reaches to `range` and begins to morph at `start · range`.
pub fn morph(d: f32, range: f32, start: f32) -> Morph {
    if range.is_infinite() {
        return Morph { height: 0.0, slide: 0.0 };
    }
    // A range of 0 morphs everything; avoids 0 / 0.
    let share = if range > 0.0 { d / range } else { 1.0 };
    Morph {
        height: ((share - start) / (MORPH_END - start)).clamp(0.0, 1.0),
        slide: ((share - MORPH_END) / (SLIDE_END - MORPH_END)).clamp(0.0, 1.0),
    }
}

/// The displayed position of vertex (`i`, `j`) of a chunk: x and z in quads of the chunk from its corner, height in
/// metres.
///
/// A vertex between those that the parent draws slides to one of them within the triangle of the parent that it lies on, so heights
/// along its way are linear. `step` is that of the parent's mesh, see [`step`](crate::mesh::step).
#[cfg_attr(not(feature = "validation"), expect(dead_code, reason = "what the shader does, for the validation"))]
pub fn displayed_vertex(vertices: &[Vertex], [i, j]: [usize; 2], step: usize, morph: Morph) -> [f32; 3] {
    let own = &vertices[j * CHUNK_VERTICES + i];
    let (target, [end_i, end_j]) = target_of(vertices, [i, j], step);
    let end = vertices[end_j * CHUNK_VERTICES + end_i].parent_height;
    [
        i as f32 - morph.slide * (i as f32 - end_i as f32),
        // Both ends are exact: two chunks meet without cracks only if they compute the same bits.
        if morph.slide >= 1.0 {
            end
        } else if morph.height >= 1.0 {
            target + morph.slide * (end - target)
        } else {
            own.height + morph.height * (target - own.height)
        },
        j as f32 - morph.slide * (j as f32 - end_j as f32),
    ]
}

/// The height of the parent's drawn surface at a vertex, and the vertex of the parent's mesh to which it slides.
fn target_of(vertices: &[Vertex], [i, j]: [usize; 2], step: usize) -> (f32, [usize; 2]) {
    let width = 2 * step;
    let (low_i, low_j) = (i - i % width, j - j % width);
    let height = |i: usize, j: usize| vertices[j * CHUNK_VERTICES + i].parent_height;
    if step == 1 {
        return (height(i, j), [low_i, low_j]);
    }
    let (high_i, high_j) = ((low_i + width).min(CHUNK_QUADS), (low_j + width).min(CHUNK_QUADS));
    let [x, z] = [i % width, j % width].map(|part| part as f32 / width as f32);
    let corners = [[low_i, low_j], [high_i, low_j], [high_i, high_j], [low_i, high_j]];
    let [a, b, c, d] = corners.map(|[i, j]| height(i, j));
    if is_turned([a, b, c, d]) {
        let end = if x > 0.0 && z > 0.0 { [high_i, low_j] } else { [low_i, low_j] };
        let near = a + x * (b - a) + z * (d - a);
        let far = c + (1.0 - x) * (d - c) + (1.0 - z) * (b - c);
        return (if x + z <= 1.0 { near } else { far }, end);
    }
    let side = if x >= z { b } else { d };
    (a + x.max(z) * (side - a) + x.min(z) * (c - side), [low_i, low_j])
}

#[cfg(test)]
mod tests {
    use bevy::utils::default;

    use super::*;

    #[test]
    fn morph_runs_from_own_to_parent_then_slides() {
        let at = |share: f32| morph(share * 100.0, 100.0, 0.86);
        assert_eq!(at(0.5), Morph { height: 0.0, slide: 0.0 });
        assert_eq!(at(0.86), Morph { height: 0.0, slide: 0.0 });
        assert!((at(0.92).height - 0.5).abs() < 1e-5 && at(0.92).slide == 0.0);
        assert!(at(0.985).height == 1.0 && (at(0.985).slide - 0.5).abs() < 1e-4);
        assert_eq!(at(0.995), Morph { height: 1.0, slide: 1.0 });
    }

    #[test]
    fn a_level_without_range_is_its_parent_and_the_top_is_itself() {
        assert_eq!(morph(0.0, 0.0, 0.86), Morph { height: 1.0, slide: 1.0 });
        assert_eq!(morph(1e9, f32::INFINITY, 0.86), Morph { height: 0.0, slide: 0.0 });
    }

    /// A chunk with random heights.
    fn rough(seed: u32) -> Vec<Vertex> {
        let random = |index: u32| {
            let mixed = (index ^ seed << 16).wrapping_mul(0x9e37_79b9);
            ((mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca6b) >> 12) as f32 / 1e4
        };
        (0..(CHUNK_VERTICES * CHUNK_VERTICES) as u32)
            .map(|index| Vertex { height: random(2 * index), parent_height: random(2 * index + 1), ..default() })
            .collect()
    }

    /// The two triangles of a quad between four corners.
    fn triangles(corners: [[f32; 3]; 4], is_turned: bool) -> [[[f32; 3]; 3]; 2] {
        let [a, b, c, d] = corners;
        if is_turned { [[b, a, d], [b, d, c]] } else { [[a, d, c], [a, c, b]] }
    }

    const CORNERS: [[usize; 2]; 4] = [[0, 0], [1, 0], [1, 1], [0, 1]];

    /// The height of a triangle at a position, and twice its area on the plane; `None` outside.
    fn height_on([a, b, c]: [[f32; 3]; 3], at: [f32; 2]) -> Option<f32> {
        let side = |p: [f32; 3], q: [f32; 3]| (q[2] - p[2]) * (at[0] - p[0]) - (q[0] - p[0]) * (at[1] - p[2]);
        let parts = [side(b, c), side(c, a), side(a, b)];
        let sum: f32 = parts.iter().sum();
        (sum > 1e-3 && parts.iter().all(|part| *part > -1e-4))
            .then(|| (parts[0] * a[1] + parts[1] * b[1] + parts[2] * c[1]) / sum)
    }

    #[test]
    fn a_half_mesh_that_has_morphed_is_its_parents_and_stays_so_as_it_slides() {
        let mut turned = 0;
        for (seed, width) in [(1, 2), (2, 2), (3, 1), (4, 1)] {
            let vertices = rough(seed);
            // Those of the parent lie four vertices apart, as the step of half meshes is 2.
            let parent_corners = |i: usize, j: usize| {
                CORNERS.map(|[x, z]| {
                    let [i, j] = [i + 4 * x, j + 4 * z];
                    [i as f32, vertices[j * CHUNK_VERTICES + i].parent_height, j as f32]
                })
            };
            for (i, j) in [(0, 0), (4, 8), (20, 12), (32, 40), (60, 60)] {
                let parent = parent_corners(i, j);
                let is_parent_turned = is_turned(parent.map(|corner| corner[1]));
                turned += u32::from(is_parent_turned);
                let parent = triangles(parent, is_parent_turned);
                for slide in [0.0, 0.35, 0.8, 1.0] {
                    let shown = |i, j, slide| displayed_vertex(&vertices, [i, j], 2, Morph { height: 1.0, slide });
                    let quads = (0..4).step_by(width).flat_map(|z| (0..4).step_by(width).map(move |x| [i + x, j + z]));
                    let own: Vec<_> = quads
                        .flat_map(|[i, j]| {
                            let corners = CORNERS.map(|[x, z]| [i + width * x, j + width * z]);
                            let before = corners.map(|[i, j]| shown(i, j, 0.0)[1]);
                            triangles(corners.map(|[i, j]| shown(i, j, slide)), is_turned(before))
                        })
                        .collect();
                    for (x, z) in [(0.3, 0.2), (1.7, 0.9), (2.2, 1.9), (1.1, 3.3), (3.6, 3.1), (0.7, 2.9), (3.4, 0.4)] {
                        let at = [i as f32 + x, j as f32 + z];
                        let expected = parent.iter().find_map(|triangle| height_on(*triangle, at)).unwrap();
                        let found: Vec<_> = own.iter().filter_map(|triangle| height_on(*triangle, at)).collect();
                        assert!(!found.is_empty(), "a hole at {at:?}, slide {slide}");
                        for height in found {
                            assert!(
                                (height - expected).abs() < 0.02,
                                "{height} for {expected} at {at:?}, slide {slide}"
                            );
                        }
                    }
                }
            }
        }
        assert!((5..15).contains(&turned), "{turned} of 20 are turned");
    }
}
