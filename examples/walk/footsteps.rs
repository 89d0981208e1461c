//! Footsteps: at each, what is underfoot.

use std::collections::VecDeque;

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_noise_terrain::prelude::*;

use super::person::{MIDDLE, Person};

/// A foot has been put down: where a game would choose a sound, dust or a splash.
#[derive(Event, Clone, Debug)]
pub struct Footstep {
    pub position: Vec3,
    pub heading: Quat,
    /// Name and colour of the layer that there is most of.
    pub layer: String,
    pub color: Color,
    /// How much of it, from 0 to 1.
    pub share: f32,
    /// Metres of water over the ground.
    pub depth: f64,
}

/// Metres of a step at a walk and at a run.
const STEPS: [f32; 2] = [0.75, 1.3];
/// Prints that are left.
const PRINTS: usize = 60;

/// Counts the way, and steps.
pub fn step(
    mut commands: Commands,
    terrain: TerrainQuery,
    lands: Query<(&TerrainGround, Option<&TerrainWater>)>,
    people: Query<(&Person, &Transform)>,
    mut last: Local<Option<Vec3>>,
    mut steps: Local<u32>,
) {
    let (Some(surface), Some(land)) = (terrain.surface(), terrain.first()) else { return };
    let (Ok((person, transform)), Ok((ground, water))) = (people.single(), lands.get(land)) else { return };
    let feet = transform.translation - MIDDLE * Vec3::Y;
    let length = STEPS[usize::from(person.runs)];
    if !person.is_grounded || last.is_some_and(|last| last.distance(feet) < length) {
        return;
    }
    *last = Some(feet);
    *steps += 1;
    // Left, right, left, …
    let side = if steps.is_multiple_of(2) { 0.14 } else { -0.14 };
    let position = feet + transform.rotation * Vec3::new(side, 0.0, 0.0);
    let [x, z] = [position.x, position.z].map(f64::from);
    let shares = ground.shares(&surface, x, z);
    let Some((layer, share)) = ground.layers.iter().zip(shares).max_by(|a, b| a.1.total_cmp(&b.1)) else { return };
    commands.trigger(Footstep {
        position: position.with_y(surface.height(x, z) as f32),
        heading: transform.rotation,
        layer: layer.name.clone(),
        color: layer.color,
        share,
        depth: water.map_or(0.0, |water| water.depth(&surface, x, z)),
    });
}

/// Leaves a print in a darker colour than the ground.
pub fn leave_print(
    step: On<Footstep>,
    mut commands: Commands,
    meshes: Option<ResMut<Assets<Mesh>>>,
    materials: Option<ResMut<Assets<StandardMaterial>>>,
    mut shape: Local<Option<Handle<Mesh>>>,
    mut prints: Local<VecDeque<Entity>>,
) {
    let (Some(mut meshes), Some(mut materials)) = (meshes, materials) else { return };
    let shape = shape.get_or_insert_with(|| meshes.add(Capsule3d::new(0.06, 0.18)));
    let color = Color::from(step.color.to_linear() * 0.25).with_alpha(1.0);
    let lying = step.heading * Quat::from_rotation_x(core::f32::consts::FRAC_PI_2);
    let print = commands.spawn((
        Mesh3d(shape.clone()),
        MeshMaterial3d(materials.add(StandardMaterial { perceptual_roughness: 1.0, ..color.into() })),
        Transform::from_translation(step.position).with_rotation(lying).with_scale(Vec3::new(1.0, 1.0, 0.4)),
    ));
    prints.push_back(print.id());
    if prints.len() > PRINTS
        && let Some(oldest) = prints.pop_front()
    {
        commands.entity(oldest).try_despawn();
    }
}

/// Tells a step in the window's title.
pub fn tell(step: On<Footstep>, window: Option<Single<&mut Window, With<PrimaryWindow>>>) {
    let Some(mut window) = window else { return };
    let water = if step.depth > 0.0 { format!(", {:.1} m of water", step.depth) } else { String::new() };
    window.title = format!("{} ({:.0} %){water}", step.layer, 100.0 * step.share);
}
