//! The order in which terrains and viewers were spawned. Entities do not tell it: Bevy reuses their numbers.

use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;

/// Less than that of any terrain or viewer that was spawned later.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[component(on_add = assign)]
pub struct SpawnOrder(u64);

/// How many terrains and viewers have been spawned.
#[derive(Resource, Default)]
pub(crate) struct Spawned(u64);

fn assign(mut world: DeferredWorld, context: HookContext) {
    let Some(mut spawned) = world.get_resource_mut::<Spawned>() else { return };
    spawned.0 += 1;
    let order = SpawnOrder(spawned.0);
    if let Some(mut own) = world.get_mut::<SpawnOrder>(context.entity) {
        *own = order;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_spawning_also_where_entities_are_used_again() {
        let mut world = World::new();
        world.init_resource::<Spawned>();
        let [a, b, c] = std::array::from_fn(|_| world.spawn(SpawnOrder::default()).id());
        world.despawn(a);
        let d = world.spawn(SpawnOrder::default()).id();
        let mut found = [d, c, b];
        found.sort_by_key(|entity| *world.get::<SpawnOrder>(*entity).unwrap());
        assert_eq!(found, [b, c, d]);
    }
}
