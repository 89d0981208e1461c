//! Who walks: keys, or nobody at all.

use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;

use crate::camera::Follow;
use crate::person::{MIDDLE, Person};

/// W, A, S, D or the arrows, Shift and the space bar; ahead is where the camera looks.
pub fn read_keys(keys: Res<ButtonInput<KeyCode>>, camera: Single<&Follow>, mut people: Query<&mut Person>) {
    let axis = |more: [KeyCode; 2], less: [KeyCode; 2]| {
        f32::from(i8::from(keys.any_pressed(more)) - i8::from(keys.any_pressed(less)))
    };
    let ahead = axis([KeyCode::KeyW, KeyCode::ArrowUp], [KeyCode::KeyS, KeyCode::ArrowDown]);
    let aside = axis([KeyCode::KeyD, KeyCode::ArrowRight], [KeyCode::KeyA, KeyCode::ArrowLeft]);
    let wish = Quat::from_rotation_y(camera.yaw) * Vec3::new(aside, 0.0, -ahead);
    for mut person in &mut people {
        person.wish = wish.xz();
        person.runs = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
        person.jumps = keys.pressed(KeyCode::Space);
    }
}

/// Climbs the hill, over as gentle ground as there is, and wanders on from the top.
pub fn climb(time: Res<Time>, terrain: TerrainQuery, mut people: Query<(&mut Person, &Transform)>) {
    /// Metres over which it judges the land.
    const SIGHT: f32 = 12.0;
    let Some(surface) = terrain.surface() else { return };
    for (mut person, transform) in &mut people {
        let at = transform.translation;
        let heading = if person.wish == Vec2::ZERO { 0.0 } else { person.wish.to_angle() };
        // The land all around, the way it came left out.
        let ways: Vec<f32> = (-6..=6).map(|turn| heading + 0.35 * turn as f32).collect();
        let places: Vec<[f64; 2]> =
            ways.iter().map(|&way| (at.xz() + SIGHT * Vec2::from_angle(way)).as_dvec2().to_array()).collect();
        // Neither up a cliff nor into the water.
        let effort = |height: f64| {
            let rise = (height as f32 - at.y + MIDDLE) / SIGHT;
            let wet = if height < 0.5 { 4.0 - 0.2 * height as f32 } else { 0.0 };
            (rise - 0.3).abs() + 4.0 * (rise - 0.7).max(0.0) + wet
        };
        let efforts = surface.heights(&places).into_iter().map(effort);
        let best = ways.iter().zip(efforts).min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((&way, _)) = best {
            let turn = (way - heading).clamp(-2.0 * time.delta_secs(), 2.0 * time.delta_secs());
            person.wish = Vec2::from_angle(heading + turn);
        }
        // Now and then a few metres at a run, and a jump.
        let beat = time.elapsed_secs() % 12.0;
        person.runs = beat < 5.0;
        person.jumps = (4.0..4.1).contains(&beat);
    }
}
