//! In which schedule an engine runs.

use bevy::ecs::schedule::{InternedScheduleLabel, Schedules};
use bevy::prelude::*;

/// The schedule that a system set has been configured in, such as that of a physics engine's step. The first in the order of
/// their names, if there are several.
pub fn schedule_of(app: &App, set: impl SystemSet) -> Option<InternedScheduleLabel> {
    let schedules = app.world().get_resource::<Schedules>()?;
    let set = set.intern();
    let holds = |schedule: &Schedule| schedule.graph().system_sets.contains(set);
    let labels = schedules.iter().filter(|(_, schedule)| holds(schedule)).map(|(_, schedule)| schedule.label());
    labels.min_by_key(|label| format!("{label:?}"))
}

#[cfg(test)]
mod tests {
    use bevy::ecs::schedule::ScheduleLabel;

    use super::*;

    #[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
    struct Step;

    #[test]
    fn a_set_is_found_where_it_is() {
        let mut app = App::new();
        assert_eq!(schedule_of(&app, Step), None);
        app.add_systems(FixedUpdate, (|| ()).in_set(Step));
        assert_eq!(schedule_of(&app, Step), Some(FixedUpdate.intern()));
    }
}
