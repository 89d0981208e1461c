//! A person: a capsule that slides along what it meets, by Avian's move and slide.

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::{AwaitTerrain, Surface, TerrainReady};
use bevy_noise_terrain_avian::TerrainBody;

/// What the person wants, and how it moves.
#[derive(Component, Default)]
pub struct Person {
    /// Direction on the plane, x and z, up to a length of 1.
    pub wish: Vec2,
    pub runs: bool,
    pub jumps: bool,
    pub velocity: Vec3,
    /// Whether it stands on ground that is not too steep.
    pub is_grounded: bool,
    /// The land around it is there: it may go.
    pub is_released: bool,
}

const RADIUS: f32 = 0.35;
/// From the feet to the middle of the capsule, in metres.
pub const MIDDLE: f32 = 0.9;
/// Metres a second.
const WALK: f32 = 2.0;
const RUN: f32 = 5.5;
const JUMP: f32 = 4.5;
const GRAVITY: f32 = 9.81;
/// Steepest ground to stand on, as the cosine of 48°.
const STEEPEST: f32 = 0.669;
/// Metres between the capsule and what it touches.
const SKIN: f32 = 0.01;
/// Metres down to which the feet follow the ground.
const STEP: f32 = 0.35;

pub fn spawn(
    mut commands: Commands,
    terrain: TerrainQuery,
    meshes: Option<ResMut<Assets<Mesh>>>,
    materials: Option<ResMut<Assets<StandardMaterial>>>,
) {
    let Some(surface) = terrain.surface() else { return };
    let start = shore(&surface);
    let ground = surface.height(start[0], start[1]) as f32;
    let mut person = commands.spawn((
        Person::default(),
        RigidBody::Kinematic,
        Collider::capsule(RADIUS, 2.0 * (MIDDLE - RADIUS)),
        TerrainBody::new(3.0),
        TerrainViewer,
        AwaitTerrain::new(start, 100.0),
        Transform::from_xyz(start[0] as f32, ground + MIDDLE, start[1] as f32),
        TransformInterpolation,
        Visibility::default(),
    ));
    person.observe(|ready: On<TerrainReady>, mut people: Query<&mut Person>| {
        if let Ok(mut person) = people.get_mut(ready.entity) {
            person.is_released = true;
        }
    });
    let (Some(mut meshes), Some(mut materials)) = (meshes, materials) else { return };
    let coat = materials.add(StandardMaterial { perceptual_roughness: 0.9, ..Color::srgb(0.75, 0.32, 0.06).into() });
    let skin = materials.add(StandardMaterial { perceptual_roughness: 0.8, ..Color::srgb(0.80, 0.62, 0.50).into() });
    let body = meshes.add(Capsule3d::new(0.26, 0.95));
    let head = meshes.add(Sphere::new(0.15));
    person.with_children(|parts| {
        parts.spawn((Mesh3d(body), MeshMaterial3d(coat), Transform::from_xyz(0.0, -0.18, 0.0)));
        parts.spawn((Mesh3d(head), MeshMaterial3d(skin), Transform::from_xyz(0.0, 0.72, 0.0)));
    });
}

/// A beach to begin on, below a hill: the first on a spiral around the origin.
fn shore(surface: &Surface) -> [f64; 2] {
    let places: Vec<[f64; 2]> = (0..20_000_u32)
        .map(|index| {
            let (angle, radius) = (2.4 * f64::from(index), 12.0 * f64::from(index).sqrt());
            [radius * angle.cos(), radius * angle.sin()]
        })
        .collect();
    let rises = |[x, z]: [f64; 2]| {
        let around: Vec<[f64; 2]> = (0..8)
            .map(|turn| Vec2::from_angle(0.785 * turn as f32).as_dvec2() * 70.0)
            .map(|way| [x + way.x, z + way.y])
            .collect();
        surface.heights(&around).into_iter().any(|height| (15.0..35.0).contains(&height))
    };
    let beaches = surface.heights(&places).into_iter().zip(places).filter(|(height, _)| (1.0..2.0).contains(height));
    beaches.map(|(_, place)| place).find(|&place| rises(place)).unwrap_or_default()
}

/// Moves people by what they want, gravity and what is in their way.
pub fn walk(
    time: Res<Time>,
    slide: MoveAndSlide,
    space: SpatialQuery,
    mut people: Query<(Entity, &mut Person, &Collider, &mut Transform)>,
) {
    for (entity, mut person, collider, mut transform) in &mut people {
        if !person.is_released {
            continue;
        }
        let filter = SpatialQueryFilter::from_excluded_entities([entity]);
        // Metres down to where the capsule rests, which on a slope is not its lowest point, and the ground's normal.
        let below = |middle: Vec3| {
            let hit = space.cast_ray(middle, Dir3::NEG_Y, MIDDLE + 2.0 * STEP, true, &filter)?;
            let rest = RADIUS / hit.normal.y.max(STEEPEST) - RADIUS + SKIN;
            Some((hit.distance - MIDDLE - rest, hit.normal))
        };
        let ground = below(transform.translation);
        let was_grounded = person.is_grounded;
        person.is_grounded = ground.is_some_and(|(gap, normal)| gap < 0.08 && normal.y > STEEPEST);
        let speed = if person.runs { RUN } else { WALK };
        let wish = speed * person.wish.clamp_length_max(1.0);
        match ground {
            Some((_, normal)) if person.is_grounded => {
                // Along the ground, uphill as fast as downhill.
                let along = Vec3::new(wish.x, 0.0, wish.y);
                let on_slope = along.reject_from_normalized(normal).normalize_or_zero() * along.length();
                person.velocity = on_slope;
                if person.jumps {
                    person.velocity.y = JUMP;
                    person.is_grounded = false;
                }
            }
            _ => person.velocity.y -= GRAVITY * time.delta_secs(),
        }
        let moved = slide.move_and_slide(
            collider,
            transform.translation,
            transform.rotation,
            person.velocity,
            time.delta(),
            &MoveAndSlideConfig::default(),
            &filter,
            |_| MoveAndSlideHitResponse::Accept,
        );
        transform.translation = moved.position;
        person.velocity = moved.projected_velocity;
        // Feet stay on the ground where it falls away, unless they have jumped off.
        let stays = person.is_grounded || was_grounded && person.velocity.y <= 0.0;
        if stays
            && let Some((gap, normal)) = below(transform.translation)
            && normal.y > STEEPEST
            && gap < STEP
        {
            transform.translation.y -= gap;
            person.is_grounded = true;
        }
        if let Ok(ahead) = Dir3::new(Vec3::new(wish.x, 0.0, wish.y)) {
            transform.rotation = Transform::default().looking_to(ahead, Vec3::Y).rotation;
        }
    }
}
