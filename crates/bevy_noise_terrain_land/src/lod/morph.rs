//! The morph of a vertex, in the same arithmetic as `render/morph.wesl`, so that tests check what is drawn.

use crate::chunk::{CHUNK_QUADS, CHUNK_VERTICES};
use crate::mesh::Vertex;

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
/// A vertex between those that the parent draws slides to the one of them with the smallest indices, within the triangle of
/// the parent that it lies on, so heights along its way are linear. `step` is that of the parent's mesh, see [`step`](crate::mesh::step).
#[cfg_attr(not(feature = "validation"), expect(dead_code, reason = "what the shader does, for the validation"))]
pub fn displayed_vertex(vertices: &[Vertex], [i, j]: [usize; 2], step: usize, morph: Morph) -> [f32; 3] {
    let own = &vertices[j * CHUNK_VERTICES + i];
    let width = 2 * step;
    let (beyond_i, beyond_j) = (i % width, j % width);
    let target = target_height(vertices, [i, j], step);
    let end = vertices[(j - beyond_j) * CHUNK_VERTICES + (i - beyond_i)].parent_height;
    [
        i as f32 - morph.slide * beyond_i as f32,
        // Both ends are exact: two chunks meet without cracks only if they compute the same bits.
        if morph.slide >= 1.0 {
            end
        } else if morph.height >= 1.0 {
            target + morph.slide * (end - target)
        } else {
            own.height + morph.height * (target - own.height)
        },
        j as f32 - morph.slide * beyond_j as f32,
    ]
}

/// The height of the parent's drawn surface at a vertex.
fn target_height(vertices: &[Vertex], [i, j]: [usize; 2], step: usize) -> f32 {
    if step == 1 {
        return vertices[j * CHUNK_VERTICES + i].parent_height;
    }
    let width = 2 * step;
    let (low_i, low_j) = (i - i % width, j - j % width);
    let (high_i, high_j) = ((low_i + width).min(CHUNK_QUADS), (low_j + width).min(CHUNK_QUADS));
    let height = |i: usize, j: usize| vertices[j * CHUNK_VERTICES + i].parent_height;
    let [x, z] = [i % width, j % width].map(|part| part as f32 / width as f32);
    let (a, c) = (height(low_i, low_j), height(high_i, high_j));
    let b = if x >= z { height(high_i, low_j) } else { height(low_i, high_j) };
    a + x.max(z) * (b - a) + x.min(z) * (c - b)
}

#[cfg(test)]
mod tests {
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
}
