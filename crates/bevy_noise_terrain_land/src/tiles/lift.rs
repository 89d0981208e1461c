//! No body falls through: those below the ground are lifted.

use bevy::ecs::change_detection::Tick;
use bevy::ecs::system::SystemChangeTick;
use bevy::prelude::*;

use super::anchor::{BodyShape, TerrainBody, TileAnchor};
use super::near_ground::NearGround;
use super::slots::Slots;
use super::store::TileStore;
use crate::chunk::ChunkKey;
use crate::edits::Rect;
use crate::query::Triangle;

/// A body was below the ground and has been lifted, by the plugin of its physics engine. Targets the body.
///
/// It happens where changed settings raise the land under a body, where a body has been put below the ground, and where
/// a physics engine has let it pass through. A body that gets below one of several terrains is lifted too, unless it
/// came from below.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct BodyLifted {
    /// The body.
    pub entity: Entity,
    /// The terrain that it was below.
    pub terrain: Entity,
    /// The way it has been lifted, in the scene.
    pub by: Vec3,
}

/// The land somewhere under a body has changed, or what stands on it there: if it sleeps, it should wake up. Targets the body.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct GroundChanged {
    /// The body.
    pub entity: Entity,
    /// The terrain that has changed.
    pub terrain: Entity,
}

/// A change of the ground, in metres, that no body notices.
const UNNOTICED: f64 = 1e-4;

/// How a body came to be below the ground, if it may be there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Passage {
    /// It may not.
    #[default]
    None,
    /// It was in a hole when it was last looked at.
    InHole,
    /// It has left a hole below the land.
    Below,
}

/// Where a body was when it was last looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LastSeen {
    /// Whether it was above the ground.
    above: bool,
    /// Height of the ground there, before the land changed.
    ground_before: Option<f64>,
    near: Option<NearGround>,
    passage: Passage,
    /// Whether the land has changed since.
    is_land_new: bool,
}

impl LastSeen {
    /// Notes the ground at a position, before the land changes.
    pub fn note(&mut self, slots: &Slots, spacing: f64, position: [f64; 2]) {
        self.ground_before = self.ground(slots, spacing, position).map(|ground| ground.height());
    }

    /// The land has changed.
    pub fn forget_ground(&mut self) {
        self.near = None;
        self.is_land_new = true;
    }

    /// Notes a body's height over the land, and whether it is in a hole. Returns whether it may be below the land.
    fn pass(&mut self, height: f64, is_hole: bool) -> bool {
        let is_land_new = std::mem::take(&mut self.is_land_new);
        self.passage = match self.passage {
            _ if is_hole => Passage::InHole,
            _ if height >= 0.0 => Passage::None,
            // The hole is filled.
            Passage::InHole if is_land_new => Passage::None,
            Passage::None => Passage::None,
            Passage::InHole | Passage::Below => Passage::Below,
        };
        self.passage != Passage::None
    }

    /// The triangle of the ground at a position, if a tile is there.
    fn ground(&mut self, slots: &Slots, spacing: f64, position: [f64; 2]) -> Option<Triangle> {
        if let Some(triangle) = self.near.and_then(|near| near.triangle(spacing, position)) {
            return Some(triangle);
        }
        let key = ChunkKey::at(0, position[0], position[1], spacing);
        self.near = NearGround::around(slots.heights([key.x, key.z])?, key, spacing, position);
        self.near?.triangle(spacing, position)
    }
}

/// A body and one terrain; in the terrain's metres.
#[derive(Clone, Copy, Debug)]
struct Clearance {
    terrain: Entity,
    /// From the ground up to the body's position.
    height: f64,
    /// That height when the body's lowest point touches the ground.
    standing: f64,
    /// How far the ground has risen since the last time.
    rise: f64,
    /// Whether the body was above when it was last looked at.
    was_above: bool,
    /// Whether it is in a hole, or has come below through one.
    may_be_below: bool,
}

impl Clearance {
    /// How far the body must rise to be above this ground, if it came from above.
    fn lift(&self) -> Option<f64> {
        let sunk = self.standing - self.height;
        if !self.was_above || sunk <= 0.0 {
            return None;
        }
        // A body that stood on the ground stands on it as before.
        let with_ground = self.rise.clamp(0.0, sunk);
        let lift = if self.height + with_ground < 0.0 { sunk } else { with_ground };
        (lift > 0.0).then_some(lift)
    }
}

/// The terrain onto which a body must be lifted, and how far.
fn lift(clearances: &[Clearance]) -> Option<(Entity, f64)> {
    let from_above = clearances.iter().find_map(|clearance| Some((clearance.terrain, clearance.lift()?)));
    from_above.or_else(|| {
        // Below all land there is nothing to stand on.
        let nearest = clearances.iter().max_by(|a, b| a.height.total_cmp(&b.height))?;
        (nearest.height < 0.0).then_some((nearest.terrain, nearest.standing - nearest.height))
    })
}

/// When bodies were looked at last. The two systems that do share it, so that each body is looked at once after a motion.
#[derive(Resource, Default)]
pub(crate) struct LastLook(Tick);

/// Finds bodies below the ground, and those under which it has changed.
pub(crate) fn lift_bodies(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut TileStore)>,
    bodies: Query<(Entity, Ref<TileAnchor>, Ref<TerrainBody>, Option<&BodyShape>)>,
    mut last: ResMut<LastLook>,
    ticks: SystemChangeTick,
) {
    let last = std::mem::replace(&mut last.0, ticks.this_run());
    let is_new = |changed: Tick| changed.is_newer_than(last, ticks.this_run());
    let has_new_land =
        terrains.iter_mut().fold(false, |any, (_, mut store)| std::mem::take(&mut store.has_new_land) || any);
    let mut clearances = Vec::new();
    for (entity, anchor, body, shape) in &bodies {
        if !(has_new_land || is_new(anchor.last_changed()) || is_new(body.last_changed())) {
            continue;
        }
        clearances.clear();
        for (terrain, mut store) in &mut terrains {
            let Some(clearance) = clearance(terrain, &mut store, entity, &anchor, shape) else { continue };
            if clearance.rise.abs() > UNNOTICED || lies_on_touched(&store, &anchor) {
                commands.trigger(GroundChanged { entity, terrain });
            }
            if !clearance.may_be_below {
                clearances.push(clearance);
            }
        }
        if let Some((terrain, height)) = lift(&clearances).filter(|_| body.keep_above)
            && let Ok((_, mut store)) = terrains.get_mut(terrain)
            && let Some(frame) = store.frame
        {
            store.last_seen.entry(entity).or_default().above = true;
            commands.trigger(BodyLifted { entity, terrain, by: frame.rise(height) });
        }
    }
    if has_new_land {
        terrains.iter_mut().for_each(|(_, mut store)| store.touched.clear());
    }
}

/// Whether edits have changed the land somewhere below a body, or objects have come or gone.
fn lies_on_touched(store: &TileStore, anchor: &TileAnchor) -> bool {
    let Some(frame) = store.frame.filter(|_| !store.touched.is_empty()) else { return false };
    let position = frame.position(anchor.position);
    let below = Rect::point([position.x, position.z]).grown(frame.length(anchor.radius));
    store.touched.iter().any(|rect| rect.touches(&below))
}

/// Looks at a body and one terrain; `None` if no tile is there.
fn clearance(
    terrain: Entity,
    store: &mut TileStore,
    body: Entity,
    anchor: &TileAnchor,
    shape: Option<&BodyShape>,
) -> Option<Clearance> {
    let frame = store.frame?;
    let position = frame.position(anchor.position);
    let spacing = store.spacing()?;
    let is_hole = store.holes().is_some_and(|holes| holes.contains([position.x, position.z]));
    let seen = store.last_seen.entry(body).or_default();
    let ground = seen.ground(&store.slots, spacing, [position.x, position.z])?;
    let height = position.y - ground.height();
    let may_be_below = seen.pass(height, is_hole);
    let was_above = std::mem::replace(&mut seen.above, height >= 0.0);
    let rise = seen.ground_before.take().map_or(0.0, |before| ground.height() - before);
    // No shape reaches farther than the ball around it.
    let radius = frame.length(anchor.radius);
    let along_ground = |shape: &BodyShape| frame.standing(ground.normal(spacing), |direction| shape.reach(direction));
    let standing = shape.map(along_ground).filter(|standing| standing.abs() < radius).unwrap_or(radius);
    Some(Clearance { terrain, height, standing, rise, was_above, may_be_below })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ON_GROUND: Clearance = Clearance {
        terrain: Entity::PLACEHOLDER,
        height: 1.0,
        standing: 1.0,
        rise: 0.0,
        was_above: true,
        may_be_below: false,
    };

    fn height(clearances: &[Clearance]) -> Option<f64> {
        lift(clearances).map(|(_, height)| height)
    }

    #[test]
    fn bodies_rise_with_the_ground() {
        assert_eq!(height(&[ON_GROUND]), None);
        assert_eq!(height(&[Clearance { height: -4.0, rise: 5.0, ..ON_GROUND }]), Some(5.0));
        // One that lay low stays as low, one that flew rises as far as it must.
        assert_eq!(height(&[Clearance { height: 0.5 - 5.0, rise: 5.0, ..ON_GROUND }]), Some(5.0));
        assert_eq!(height(&[Clearance { height: 3.0 - 5.0, rise: 5.0, ..ON_GROUND }]), Some(3.0));
        assert_eq!(height(&[Clearance { height: 30.0, rise: 5.0, ..ON_GROUND }]), None);
        assert_eq!(height(&[Clearance { height: 6.0, rise: -5.0, ..ON_GROUND }]), None);
    }

    #[test]
    fn bodies_that_fell_through_stand_on_the_ground() {
        assert_eq!(height(&[Clearance { height: -0.25, ..ON_GROUND }]), Some(1.25));
        assert_eq!(height(&[Clearance { height: -9.0, rise: 0.5, ..ON_GROUND }]), Some(10.0));
        // A long body that lies flat rises by no more than its thickness.
        assert_eq!(height(&[Clearance { height: -0.25, standing: 0.125, ..ON_GROUND }]), Some(0.375));
        // Half in the ground is the engine's business.
        assert_eq!(height(&[Clearance { height: 0.25, ..ON_GROUND }]), None);
    }

    #[test]
    fn bodies_between_two_terrains_stay() {
        let over = Clearance { height: -50.0, was_above: false, ..ON_GROUND };
        assert_eq!(height(&[ON_GROUND, over]), None);
        assert_eq!(height(&[over, Clearance { height: 20.0, ..ON_GROUND }]), None);
        assert_eq!(height(&[Clearance { was_above: true, ..over }, ON_GROUND]), Some(51.0));
        assert_eq!(height(&[over, Clearance { height: -2.0, ..over }]), Some(3.0), "onto the nearest");
    }
}
