//! Chunks as jobs of the task pools.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy::platform::time::Instant;
use bevy::tasks::{ComputeTaskPool, TaskPool};

use super::TerrainDescriptor;
use crate::chunk::ChunkKey;
use crate::mesh::{self, ChunkMesh, DetailNormalsScratch, MeshScratch, Texel};
use crate::tasks::{self, Job as _};
use crate::terrain::ChunkFailure;

/// Which part of a chunk to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Its vertices, without which it cannot be drawn.
    Mesh,
    /// Its detail normals, which are added later.
    DetailNormals,
}

/// A part of a chunk to build.
#[derive(Clone)]
pub struct Job {
    pub generation: u64,
    pub key: ChunkKey,
    pub part: Part,
    pub shape: TerrainDescriptor,
}

/// The result of a job.
pub enum Built {
    Mesh(ChunkMesh),
    DetailNormals(Vec<Texel>),
    Nothing(ChunkFailure),
}

/// A part of a chunk that has been built, or why it has not.
pub struct Done {
    pub generation: u64,
    pub key: ChunkKey,
    pub built: Built,
    /// Time on one core.
    pub milliseconds: f32,
}

/// The buffers of one task.
#[derive(Default)]
pub struct JobScratch {
    mesh: MeshScratch,
    detail_normals: DetailNormalsScratch,
}

impl tasks::Job for Job {
    type JobKey = (u64, ChunkKey, Part);
    type Scratch = JobScratch;
    type Done = Done;

    fn job_key(&self) -> Self::JobKey {
        (self.generation, self.key, self.part)
    }

    fn run(self, scratch: &mut JobScratch) -> Done {
        let Self { generation, key, part, shape } = self;
        let began = Instant::now();
        let (source, spacing) = (shape.source.as_ref(), shape.lod.spacing);
        // Unwind safe: the scratch buffers are overwritten by the next job.
        let built = catch_unwind(AssertUnwindSafe(|| match part {
            Part::Mesh => {
                let mesh = mesh::build(source, key, spacing, shape.lod.top_level(), &mut scratch.mesh);
                if mesh.is_finite() { Built::Mesh(mesh) } else { Built::Nothing(ChunkFailure::NotFinite) }
            }
            Part::DetailNormals => Built::DetailNormals(mesh::detail_normals(
                source,
                key,
                spacing,
                &mut scratch.mesh.noise,
                &mut scratch.detail_normals,
            )),
        }))
        .unwrap_or(Built::Nothing(ChunkFailure::Panic));
        Done { generation, key, built, milliseconds: began.elapsed().as_secs_f32() * 1e3 }
    }
}

/// Builds `jobs` at once, on all cores.
pub fn run_now(jobs: Vec<Job>) -> Vec<Done> {
    let pool = ComputeTaskPool::get_or_init(TaskPool::default);
    let share = jobs.len().div_ceil(pool.thread_num().max(1)).max(1);
    pool.scope(|scope| {
        for jobs in jobs.chunks(share) {
            scope.spawn(async move {
                let mut scratch = JobScratch::default();
                jobs.iter().map(|job| job.clone().run(&mut scratch)).collect::<Vec<_>>()
            });
        }
    })
    .into_iter()
    .flatten()
    .collect()
}
