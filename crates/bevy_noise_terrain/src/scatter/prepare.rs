//! What takes time before the first cell can be placed: models, meshes and rules, made on the task pool.

use std::sync::Arc;

use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, Task, TaskPool};

use super::bands::{Band, Share};
use super::batch_mesh::{CornerRecord, SIZES};
use super::placement::Rule;
use super::shapes::Model;

/// Where a model comes from.
pub enum Origin {
    /// Made before, for blocks of so many objects.
    Known { model: Arc<Model>, capacity: u32 },
    /// A mesh of the user's.
    Mesh(Model),
    /// One of the built-in shapes.
    Shape,
}

/// What to prepare.
pub struct Order {
    pub share: Share,
    pub origin: Origin,
    /// Width of a cell in metres.
    pub width: f64,
}

/// A share of a kind that can be placed and drawn.
pub struct Prepared {
    pub share: Share,
    pub width: f64,
    pub model: Arc<Model>,
    pub rule: Rule,
    /// None: those from before will do.
    pub fresh: Option<Fresh>,
}

/// What the renderer gets of a model.
pub struct Fresh {
    pub meshes: Vec<[Mesh; SIZES]>,
    pub corners: Vec<CornerRecord>,
}

/// Prepares `orders` in the background; what cannot be is left out.
pub fn spawn(orders: Vec<Order>) -> Task<Vec<Prepared>> {
    let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
    pool.spawn(async move { orders.into_iter().filter_map(prepare).collect() })
}

fn prepare(Order { share, origin, width }: Order) -> Option<Prepared> {
    let (model, known) = match origin {
        Origin::Known { model, capacity } => (model, Some(capacity)),
        Origin::Mesh(model) => (Arc::new(model), None),
        Origin::Shape => {
            let shape = &share.kind.shape;
            let model = if share.band == Band::Near { Model::of(shape) } else { Model::distant(shape) };
            (Arc::new(model?), None)
        }
    };
    match Rule::new(&share.kind, width, model.most_copies()) {
        Ok(rule) => {
            let capacity = rule.lattice.capacity();
            let is_fresh = known != Some(capacity);
            let fresh = is_fresh.then(|| Fresh { meshes: model.meshes(capacity), corners: model.corner_records() });
            Some(Prepared { share, width, model, rule, fresh })
        }
        Err(error) => {
            // Ranges are validated: there is no way here that is known.
            error!("scatter: {error}");
            None
        }
    }
}
