//! Who may change what.

use std::collections::HashMap;
use std::time::Duration;

use bevy::ecs::system::SystemId;
use bevy::prelude::*;
use bevy_replicon::prelude::ClientId;

use crate::request::{EditChange, Refusal};

/// A change that somebody wants, as [`rules`](EditRulesAppExt::add_edit_rule) see it. All fields of an edit are valid.
#[derive(Clone, Debug, PartialEq)]
pub struct EditAsk {
    /// Who asks.
    pub client: ClientId,
    /// The entity of the terrain.
    pub terrain: Entity,
    /// What to change.
    pub change: EditChange,
}

/// Lets a game say which changes are allowed.
pub trait EditRulesAppExt {
    /// Adds a system that the server runs for every change that a client wants: it happens if all rules return `Ok`. Without
    /// any, everything valid is allowed, and everybody may undo everything.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_noise_terrain::edits::EditArea;
    /// # use bevy_noise_terrain_net::{EditAsk, EditChange, EditRulesAppExt, Refusal};
    /// /// Players reach 10 m far.
    /// fn within_reach(InRef(ask): InRef<EditAsk>, players: Query<&Transform>) -> Result<(), Refusal> {
    ///     let (EditChange::Apply(edit), Some(client)) = (&ask.change, ask.client.entity()) else { return Ok(()) };
    ///     let EditArea::Disc { center: [x, z], .. } = edit.area else { return Err(Refusal::OutOfReach) };
    ///     let player = players.get(client).map_err(|_| Refusal::OutOfReach)?;
    ///     let away = player.translation.xz() - Vec2::new(x as f32, z as f32);
    ///     if away.length() > 10.0 { Err(Refusal::OutOfReach) } else { Ok(()) }
    /// }
    /// # let mut app = App::new();
    /// app.add_edit_rule(within_reach);
    /// ```
    fn add_edit_rule<M>(
        &mut self,
        rule: impl IntoSystem<InRef<'static, EditAsk>, Result<(), Refusal>, M> + 'static,
    ) -> &mut Self;
}

impl EditRulesAppExt for App {
    fn add_edit_rule<M>(
        &mut self,
        rule: impl IntoSystem<InRef<'static, EditAsk>, Result<(), Refusal>, M> + 'static,
    ) -> &mut Self {
        let rule = self.world_mut().register_system(rule);
        self.world_mut().get_resource_or_init::<EditRules>().0.push(rule);
        self
    }
}

/// What the server takes from each client. Resource; change it at any time.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Resource, Default)]
pub struct EditLimits {
    /// Changes a second, on average. Comparing a region counts as 30.
    pub per_second: u32,
    /// Changes at once, after a while without any.
    pub at_once: u32,
}

impl Default for EditLimits {
    fn default() -> Self {
        Self { per_second: 60, at_once: 120 }
    }
}

/// The rules of the game.
#[derive(Resource, Default)]
pub struct EditRules(Vec<SystemId<InRef<'static, EditAsk>, Result<(), Refusal>>>);

/// Asks all rules.
pub fn judge(world: &mut World, ask: &EditAsk) -> Result<(), Refusal> {
    let rules = world.get_resource::<EditRules>().map(|rules| rules.0.clone()).unwrap_or_default();
    for rule in rules {
        world.run_system_with(rule, ask).unwrap_or_else(|error| {
            error!("a rule for edits cannot be asked: {error}");
            Err(Refusal::Rule("a rule cannot be asked".to_owned()))
        })?;
    }
    Ok(())
}

/// What each client still has of its allowance.
#[derive(Resource, Default)]
pub struct Allowances(HashMap<ClientId, Allowance>);

struct Allowance {
    left: f64,
    at: Duration,
}

impl Allowances {
    /// Takes some of a client's allowance; whether it had as much. `now` is any clock.
    pub fn take(&mut self, client: ClientId, cost: u32, now: Duration, limits: &EditLimits) -> bool {
        let most = f64::from(limits.at_once);
        let allowance = self.0.entry(client).or_insert(Allowance { left: most, at: now });
        let passed = now.saturating_sub(allowance.at).as_secs_f64();
        allowance.left = (allowance.left + passed * f64::from(limits.per_second)).min(most);
        allowance.at = now;
        let is_enough = allowance.left >= f64::from(cost);
        if is_enough {
            allowance.left -= f64::from(cost);
        }
        is_enough
    }

    /// Forgets a client that is gone.
    pub fn forget(&mut self, client: ClientId) {
        self.0.remove(&client);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_grows_with_time() {
        let limits = EditLimits { per_second: 10, at_once: 20 };
        let mut allowances = Allowances::default();
        let mut take = |seconds| allowances.take(ClientId::Server, 1, Duration::from_secs_f64(seconds), &limits);
        assert_eq!((0..50).filter(|_| take(5.0)).count(), 20);
        assert_eq!((0..50).filter(|_| take(5.5)).count(), 5);
        assert_eq!((0..50).filter(|_| take(900.0)).count(), 20);
    }
}
