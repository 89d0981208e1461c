//! Pennants on poles, which turn with the wind and rise in it.

use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;

/// A cloth that hangs from the top of its pole.
#[derive(Component)]
pub struct Pennant {
    /// Absolute x and z.
    pub place: [f64; 2],
}

/// Height of a pole, and length of a cloth, in metres.
const POLE: f32 = 3.2;
const CLOTH: f32 = 1.4;

/// Poles in rows before the camera, on the ground.
pub fn spawn(
    mut commands: Commands,
    terrain: TerrainQuery,
    meshes: Option<ResMut<Assets<Mesh>>>,
    materials: Option<ResMut<Assets<StandardMaterial>>>,
) {
    let Some(surface) = terrain.surface() else { return };
    let looks = meshes.zip(materials).map(|(mut meshes, mut materials)| {
        let pole = (meshes.add(Cylinder::new(0.05, POLE)), materials.add(Color::srgb(0.45, 0.36, 0.26)));
        // It hangs from one of its short edges.
        let cloth = Cuboid::new(CLOTH, 0.5, 0.03).mesh().build().translated_by(Vec3::new(0.5 * CLOTH, 0.0, 0.0));
        (pole, (meshes.add(cloth), materials.add(Color::srgb(0.85, 0.2, 0.1))))
    });
    for row in 0..4 {
        for column in -2..=2 {
            let (ahead, aside) = (14.0 + 11.0 * f64::from(row), 9.0 * f64::from(column));
            let [x, z] = [-300.0 - 0.8 * ahead - 0.6 * aside, 360.0 + 0.6 * ahead - 0.8 * aside];
            let foot = Vec3::new(x as f32, surface.height(x, z) as f32, z as f32);
            let mut cloth = commands.spawn((
                Pennant { place: [x, z] },
                Transform::from_translation(foot + (POLE - 0.3) * Vec3::Y),
                Visibility::default(),
            ));
            if let Some((_, (mesh, material))) = &looks {
                cloth.insert((Mesh3d(mesh.clone()), MeshMaterial3d(material.clone())));
            }
            let mut pole =
                commands.spawn((Transform::from_translation(foot + 0.5 * POLE * Vec3::Y), Visibility::default()));
            if let Some(((mesh, material), _)) = &looks {
                pole.insert((Mesh3d(mesh.clone()), MeshMaterial3d(material.clone())));
            }
        }
    }
}

/// Turns cloths downwind: without wind they hang, in a gale they fly level.
pub fn turn(wind: Res<Wind>, mut pennants: Query<(&Pennant, &mut Transform)>) {
    for (pennant, mut transform) in &mut pennants {
        let here = wind.at(pennant.place[0], pennant.place[1]);
        let drop = (-here.length() / 6.0).exp() * 1.4;
        transform.rotation = Quat::from_rotation_y(-here.y.atan2(here.x)) * Quat::from_rotation_z(-drop);
    }
}
