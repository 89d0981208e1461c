//! Builds models, meshes and rules on the task pool, before cells can be placed.

use std::sync::Arc;

use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, Task, TaskPool};

use super::bands::{Band, Share};
use super::batch_mesh::{CornerRecord, SIZES};
use super::shapes::Model;
use crate::scatter::placement::Rule;

/// The source of a model.
pub enum ModelSource {
    /// Built before, with meshes for blocks of `capacity` objects.
    Known { model: Arc<Model>, capacity: u32 },
    /// A custom mesh.
    Mesh(Model),
    /// One of the built-in shapes.
    Shape,
}

/// A share of a kind to prepare.
pub struct PrepareRequest {
    pub share: Share,
    pub source: ModelSource,
    /// Width of a cell in metres.
    pub width: f64,
}

/// A share of a kind that can be placed and drawn.
pub struct Prepared {
    pub share: Share,
    pub width: f64,
    pub model: Arc<Model>,
    pub rule: Rule,
    /// `None`: the existing ones can be used.
    pub new_assets: Option<NewAssets>,
}

/// Meshes and corners of a model.
pub struct NewAssets {
    pub meshes: Vec<[Mesh; SIZES]>,
    pub corners: Vec<CornerRecord>,
}

/// Prepares `requests` in the background; shapes that are never drawn there are left out.
pub fn spawn(requests: Vec<PrepareRequest>) -> Task<Vec<Prepared>> {
    let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
    pool.spawn(async move { requests.into_iter().filter_map(prepare).collect() })
}

fn prepare(PrepareRequest { share, source, width }: PrepareRequest) -> Option<Prepared> {
    let (model, known) = match source {
        ModelSource::Known { model, capacity } => (model, Some(capacity)),
        ModelSource::Mesh(model) => (Arc::new(model), None),
        ModelSource::Shape => {
            let shape = &share.kind.shape;
            let model = if share.band == Band::Near { Model::of(shape) } else { Model::distant(shape) };
            (Arc::new(model?), None)
        }
    };
    let rule = Rule::new(share.index, &share.kind, width, model.max_copies());
    let capacity = rule.lattice.capacity();
    let is_new = known != Some(capacity);
    let new_assets = is_new.then(|| NewAssets { meshes: model.meshes(capacity), corners: model.corner_records() });
    Some(Prepared { share, width, model, rule, new_assets })
}
