//! The clouds as seen from above them.

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;

use super::material::SkyLayer;

/// How far clouds are drawn from above, in metres; must match `deck.wgsl`.
const REACH: f32 = 240_000.0;
/// Sides of the mesh.
const SIDES: u32 = 32;
/// Rings of the mesh, from near to far, each twice as wide as the one before.
const RINGS: u32 = 10;

/// The clouds seen from above. The land hides them where it is higher.
#[derive(TypePath, Clone, Debug)]
pub struct CloudDeck;

impl SkyLayer for CloudDeck {
    const SHADER: &'static str = "sky/deck.wgsl";
    // Drawn after the water, which lies below.
    const DEPTH_BIAS: f32 = 1e6;
}

/// A disc around the camera, finer towards its middle; the shader moves it to the height of the clouds.
pub(super) fn mesh() -> Mesh {
    let mut positions = vec![[0.0; 3]];
    for ring in 0..RINGS {
        let radius = REACH / (1 << (RINGS - 1 - ring)) as f32;
        for side in 0..SIDES {
            let (sin, cos) = (side as f32 / SIDES as f32 * std::f32::consts::TAU).sin_cos();
            positions.push([radius * cos, 0.0, radius * sin]);
        }
    }
    let at = |ring: u32, side: u32| 1 + ring * SIDES + side % SIDES;
    let mut corners = Vec::new();
    for side in 0..SIDES {
        corners.extend([0, at(0, side), at(0, side + 1)]);
        for ring in 1..RINGS {
            let [a, b, c, d] = [at(ring - 1, side), at(ring - 1, side + 1), at(ring, side), at(ring, side + 1)];
            corners.extend([a, c, b, b, c, d]);
        }
    }
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_indices(Indices::U32(corners))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_ends_where_the_mesh_does() {
        assert!(include_str!("deck.wgsl").contains(&format!("REACH: f32 = {REACH:.1}")));
        let mesh = mesh();
        assert_eq!(mesh.count_vertices() as u32, 1 + RINGS * SIDES);
        assert_eq!(mesh.indices().unwrap().len() as u32, 3 * SIDES * (2 * RINGS - 1));
    }
}
