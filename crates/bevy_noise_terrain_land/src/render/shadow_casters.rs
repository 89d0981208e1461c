//! Leaves out of a light's shadow maps what casts no shadow that is seen.
//!
//! A cascade's shadow map is for a part of the view between two depths. But in Bevy 0.20 all that lies in a box around that part
//! is drawn into it: for the far cascades nearly everything, also what is behind the camera, and plants at its feet whose shadows
//! end long before. So the bounds of each part of a terrain are swept along the light down to the lowest thing in sight, and have
//! to meet the part of the view.

use std::any::TypeId;

use bevy::camera::primitives::{Aabb, Frustum};
use bevy::camera::visibility::{CascadesVisibleEntities, VisibleEntities};
use bevy::light::{CascadeShadowConfig, Cascades, NotShadowReceiver, VolumetricLight};
use bevy::math::{Affine3A, Vec3A};
use bevy::prelude::*;
use bevy::shape::HalfSpace;

use super::render_layers::DrawnPart;

/// Shadows longer than this fall on nothing that is drawn, in metres.
const LONGEST: f32 = 1e6;
/// Texels around a place that its shadow may depend on: Bevy's filters look at up to thirteen.
const FILTER: f32 = 16.0;
/// Metres around it, for Bevy's experimental soft shadows.
const SOFT: f32 = 16.0;

/// The part of a camera's view for which a cascade is.
struct Slice {
    /// Their normals point into it.
    sides: [HalfSpace; 6],
    /// What is so many metres away is near enough.
    margin: f32,
}

impl Slice {
    /// Between two depths, as the eye measures them.
    fn new(eye: &GlobalTransform, view: &Frustum, [near, far]: [f32; 2], margin: f32) -> Self {
        let [left, right, top, bottom, ..] = view.half_spaces;
        let forward = -Mat4::from(eye.affine().inverse()).row(2);
        let from = HalfSpace::new(forward - Vec4::W * near);
        let to = HalfSpace::new(Vec4::W * far - forward);
        Self { sides: [left, right, top, bottom, from, to], margin }
    }

    /// Whether a box may meet it somewhere on its way along `sweep`.
    fn is_met(&self, bounds: &Aabb, world_from_local: &Affine3A, sweep: Vec3A) -> bool {
        let center = world_from_local.transform_point3a(bounds.center);
        let is_outside = |side: &HalfSpace| {
            let normal = side.normal();
            let radius = bounds.relative_radius(&normal, &world_from_local.matrix3);
            normal.dot(center) + side.d() + radius + normal.dot(sweep).max(0.0) < -self.margin
        };
        !self.sides.iter().any(is_outside)
    }
}

/// How far the light goes on from a height until it is below all that is seen, in metres.
fn shadow_length(top: f32, lowest: f32, direction: Vec3A) -> f32 {
    let falls = -direction.y;
    if falls > 0.0 { ((top - lowest).max(0.0) / falls).min(LONGEST) } else { LONGEST }
}

/// What a shadow may fall on: bounds, and whether it is a part of a terrain.
type Receiver = (Option<&'static Aabb>, &'static GlobalTransform, Has<DrawnPart>);
type IsReceiver = (With<Mesh3d>, Without<NotShadowReceiver>);

/// Heights between which a box lies.
fn heights(bounds: &Aabb, world_from_local: &Affine3A) -> [f32; 2] {
    let center = world_from_local.transform_point3a(bounds.center).y;
    let radius = bounds.relative_radius(&Vec3A::Y, &world_from_local.matrix3);
    [center - radius, center + radius]
}

/// The lowest place on which a camera may see a shadow.
fn lowest_of(visible: &VisibleEntities, receivers: &Query<Receiver, IsReceiver>) -> f32 {
    let seen = receivers.iter_many(visible.get(TypeId::of::<Mesh3d>())).matched();
    let bottoms = seen.map(|(bounds, transform, is_part)| match bounds {
        Some(bounds) => heights(bounds, &transform.affine())[0],
        // The sea to the horizon lies on land with bounds.
        None if is_part => f32::INFINITY,
        None => f32::NEG_INFINITY,
    });
    bottoms.fold(f32::INFINITY, f32::min)
}

/// Takes parts of terrains out of the lists of Bevy, cascade by cascade.
pub(super) fn leave_out_unseen(
    mut lights: Query<(
        &DirectionalLight,
        &GlobalTransform,
        &CascadeShadowConfig,
        &Cascades,
        &mut CascadesVisibleEntities,
        Has<VolumetricLight>,
    )>,
    cameras: Query<(&GlobalTransform, &Frustum, &VisibleEntities)>,
    receivers: Query<Receiver, IsReceiver>,
    parts: Query<(&Aabb, &GlobalTransform), With<DrawnPart>>,
) {
    for (light, transform, config, cascades, mut visible, is_volumetric) in &mut lights {
        if visible.entities.is_empty() {
            continue;
        }
        let direction = Vec3A::from(Vec3::from(transform.forward()));
        let overlap = 1.0 - config.overlap_proportion;
        for (view, lists) in &mut visible.entities {
            let Some(cascades) = cascades.cascades.get(view) else { continue };
            let Ok((eye, frustum, seen)) = cameras.get(*view) else { continue };
            // Shadows of beams are seen in the air as well.
            let lowest = if is_volumetric { f32::NEG_INFINITY } else { lowest_of(seen, &receivers) };
            // The first cascade is for all that is nearer than its end.
            let nears = std::iter::once(f32::NEG_INFINITY).chain(config.bounds.iter().map(|far| overlap * far));
            let depths = nears.zip(&config.bounds);
            for ((list, cascade), (near, &far)) in lists.iter_mut().zip(cascades).zip(depths) {
                let texels = std::f32::consts::SQRT_2 * light.shadow_normal_bias.abs() + FILTER;
                let margin = texels * cascade.texel_size + light.shadow_depth_bias.abs() + SOFT;
                let slice = Slice::new(eye, frustum, [near, far], margin);
                list.entities.retain(|&entity| {
                    let Ok((bounds, transform)) = parts.get(entity) else { return true };
                    let world_from_local = transform.affine();
                    let [_, top] = heights(bounds, &world_from_local);
                    slice.is_met(bounds, &world_from_local, shadow_length(top, lowest, direction) * direction)
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::camera::CameraProjection;
    use bevy::camera::visibility::VisibleMeshEntities;
    use bevy::ecs::system::RunSystemOnce;
    use bevy::light::CascadeShadowConfigBuilder;
    use bevy::light::cascade::Cascade;
    use proptest::prelude::*;

    use super::*;

    fn lens() -> PerspectiveProjection {
        PerspectiveProjection { aspect_ratio: 16.0 / 9.0, ..default() }
    }

    fn slice(eye: Transform, lens: &impl CameraProjection, depths: [f32; 2]) -> Slice {
        let eye = GlobalTransform::from(eye);
        Slice::new(&eye, &lens.compute_frustum(&eye), depths, 1.0)
    }

    fn cube(at: Vec3) -> (Aabb, Affine3A) {
        (Aabb { center: Vec3A::ZERO, half_extents: Vec3A::splat(5.0) }, Affine3A::from_translation(at))
    }

    proptest! {
        #[test]
        fn what_shades_a_seen_place_stays(
            eye in prop::array::uniform3(-2e3f32..2e3),
            angles in prop::array::uniform6(-3.0f32..3.0),
            (depth, across, up) in (100.0f32..900.0, -0.7f32..0.7, -0.4f32..0.4),
            (way, beyond) in (0.0f32..3e3, 0.0f32..3e3),
            half in prop::array::uniform3(0.1f32..300.0),
            inside in prop::array::uniform3(-1.0f32..1.0),
            (is_flat, scale) in (any::<bool>(), 0.3f32..3.0),
        ) {
            let [yaw, pitch, sun_yaw, sun_pitch, box_yaw, box_pitch] = angles;
            let look = |yaw, pitch| Quat::from_euler(EulerRot::YXZ, yaw, 0.5 * pitch, 0.0);
            let eye = Transform::from_translation(eye.into()).with_rotation(look(yaw, pitch)).with_scale(Vec3::splat(scale));
            let sunlight = Vec3A::from(look(sun_yaw, sun_pitch) * Vec3::NEG_Z);
            let widening = if is_flat { 1.0 } else { depth };
            let seen = Vec3A::from(eye.transform_point(Vec3::new(across * widening, up * widening, -depth)));
            let turn = look(box_yaw, box_pitch);
            let half_extents = Vec3A::from(half);
            let center = seen - way * sunlight + turn * (half_extents * Vec3A::from(inside));
            let bounds = Aabb { center: Vec3A::ZERO, half_extents };
            let place = Affine3A::from_rotation_translation(turn, center.into());
            let depths = [100.0, 900.0];
            let slice = if is_flat {
                slice(eye, &OrthographicProjection::default_3d(), depths)
            } else {
                slice(eye, &lens(), depths)
            };
            prop_assert!(slice.is_met(&bounds, &place, (way + beyond) * sunlight));
        }
    }

    #[test]
    fn what_shades_nothing_in_sight_is_left_out() {
        let eye = Transform::from_xyz(0.0, 2.0, 0.0);
        let (bounds, behind) = cube(Vec3::new(0.0, 60.0, 100.0));
        let [ahead, back] = [1.0, -1.0].map(|z| Vec3A::new(0.0, -0.5, z).normalize());
        let near = slice(eye, &lens(), [0.1, 120.0]);
        assert!(!near.is_met(&bounds, &behind, 800.0 * ahead), "towards the sun, shadows fall away from what is seen");
        assert!(near.is_met(&bounds, &behind, 800.0 * back), "its shadow falls into the view");
        assert!(!near.is_met(&bounds, &behind, 50.0 * back), "its shadow ends behind the camera");
        let (bounds, feet) = cube(Vec3::new(0.0, 0.0, -50.0));
        assert!(near.is_met(&bounds, &feet, 800.0 * back));
        let far = slice(eye, &lens(), [5_000.0, 40_000.0]);
        assert!(!far.is_met(&bounds, &feet, 800.0 * back), "the cascade is for far land");
    }

    #[test]
    fn shadows_end_below_all_that_is_seen() {
        let noon = Vec3A::NEG_Y;
        assert_eq!(shadow_length(300.0, 100.0, noon), 200.0);
        assert_eq!(shadow_length(50.0, 100.0, noon), 0.0);
        assert!((shadow_length(300.0, 100.0, Vec3A::new(0.0, -0.5, 0.75_f32.sqrt())) - 400.0).abs() < 1e-3);
        assert_eq!(shadow_length(300.0, 100.0, Vec3A::X), LONGEST);
        assert_eq!(shadow_length(300.0, 100.0, Vec3A::Y), LONGEST, "a light from below");
    }

    /// Depths at which a cube casts shadows into each cascade of a light from behind the camera, which looks north over land at
    /// most 35 m below the cubes' tops, and something else. The cascades end at 100, 464, 2 154 and 10 000 m, and overlap by a
    /// fifth.
    fn drawn(depths: &[f32], light: impl Bundle, something: impl Bundle) -> Vec<Vec<f32>> {
        let mut world = World::new();
        let mesh = || (Mesh3d::default(), GlobalTransform::IDENTITY);
        let within = |half: f32| Aabb::from_min_max(Vec3::splat(-half), Vec3::splat(half));
        let others = [
            world.spawn((mesh(), within(30.0))).id(),
            world.spawn((mesh(), within(1e5), NotShadowReceiver)).id(),
            world.spawn((mesh(), DrawnPart)).id(),
            world.spawn((mesh(), something)).id(),
        ];
        let mut seen = VisibleEntities::default();
        seen.entities.insert(TypeId::of::<Mesh3d>(), others.to_vec());
        let eye = Transform::from_xyz(0.0, 2.0, 0.0);
        let camera = world.spawn((GlobalTransform::from(eye), lens().compute_frustum(&eye.into()), seen)).id();
        let caster = |depth: &f32| {
            let (bounds, place) = cube(Vec3::new(0.0, 0.0, -depth));
            world.spawn((bounds, GlobalTransform::from(place), DrawnPart)).id()
        };
        let casters: Vec<Entity> = depths.iter().map(caster).collect();
        let mut visible = CascadesVisibleEntities::default();
        let list = VisibleMeshEntities { entities: [others.as_slice(), casters.as_slice()].concat() };
        visible.entities.insert(camera, vec![list; 4]);
        let mut cascades = Cascades::default();
        cascades.cascades.insert(camera, vec![Cascade { texel_size: 1.0, ..default() }; 4]);
        let config = CascadeShadowConfigBuilder {
            minimum_distance: 90.0,
            first_cascade_far_bound: 100.0,
            maximum_distance: 1e4,
            ..default()
        };
        let sun = Transform::default().looking_to(Vec3::new(0.0, -1.0, -1.0), Vec3::Y);
        let directional = DirectionalLight { shadow_normal_bias: 2.0, ..default() };
        let sun = (directional, GlobalTransform::from(sun), config.build(), cascades, visible);
        let sun = world.spawn((sun, light)).id();
        world.run_system_once(leave_out_unseen).unwrap();
        let left = world.get::<CascadesVisibleEntities>(sun).unwrap();
        let depth_of = |entity: &Entity| depths[casters.iter().position(|caster| caster == entity).unwrap()];
        let told = |list: &VisibleMeshEntities| {
            let (kept, casters) = list.entities.split_at(others.len());
            assert_eq!(kept, others, "they are no part of a terrain, or have no bounds");
            casters.iter().map(depth_of).collect()
        };
        left.entities[&camera].iter().map(told).collect()
    }

    #[test]
    fn each_cascade_keeps_what_shades_its_part_of_the_view() {
        // Shadows are 35 m long to the north, cubes reach 5 m further, and the margin is 16 m, 16 texels and the bias: the third
        // cascade begins at 371 m.
        let depths = [-300.0, 10.0, 290.0, 298.0, 2_154.0, 2_200.0];
        let lists = drawn(&depths, (), Aabb::default());
        assert_eq!(lists, [vec![10.0], vec![10.0, 290.0, 298.0], vec![298.0, 2_154.0], vec![2_154.0, 2_200.0]]);
    }

    #[test]
    fn shadows_go_on_where_they_may_be_seen() {
        let third = |lists: Vec<Vec<f32>>| lists[2].clone();
        assert_eq!(third(drawn(&[290.0], VolumetricLight, Aabb::default())), [290.0], "in the air");
        assert_eq!(third(drawn(&[290.0], (), ())), [290.0], "on a mesh that may be anywhere");
        let deep = Aabb::from_min_max(Vec3::splat(-100.0), Vec3::ZERO);
        assert_eq!(third(drawn(&[290.0], (), deep)), [290.0], "far below the land");
    }
}
