//! Chunks as jobs of the task pools.

use std::mem::Discriminant;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy::platform::time::Instant;
use bevy::tasks::{ComputeTaskPool, TaskPool};

use super::TerrainDescriptor;
use crate::chunk::ChunkKey;
use crate::edits::ChunkPaint;
use crate::mesh::{self, ChunkHeights, ChunkMesh, PooledVec, SampleScratch, Texel};
use crate::tasks::{self, Job as _};
use crate::terrain::ChunkFailure;

/// Which part of a chunk to build, and the heights of chunks in memory, which need not be sampled again.
#[derive(Clone)]
pub enum Part {
    /// Its vertices, without which it cannot be drawn.
    Mesh { parent: Option<ChunkHeights> },
    /// Its detail normals, which are added later.
    DetailNormals { own: ChunkHeights, children: Option<[ChunkHeights; 4]> },
    /// Its vertices once more, on land that edits have changed, with detail normals if it had them.
    Again { detail_normals: bool },
}

/// A part of a chunk to build.
#[derive(Clone)]
pub struct Job {
    pub generation: u64,
    /// How often edits had changed the generation.
    pub revision: u64,
    pub key: ChunkKey,
    pub part: Part,
    pub shape: TerrainDescriptor,
}

/// A chunk that can be drawn.
pub struct BuiltChunk {
    pub mesh: ChunkMesh,
    pub heights: ChunkHeights,
    /// If edits paint it.
    pub paint: Option<ChunkPaint>,
}

/// The result of a job.
pub enum Built {
    Mesh(BuiltChunk),
    DetailNormals(PooledVec<Texel>),
    Again(BuiltChunk, Option<PooledVec<Texel>>),
    Nothing(ChunkFailure),
}

/// A part of a chunk that has been built, or why it has not.
pub struct Done {
    pub generation: u64,
    pub revision: u64,
    pub key: ChunkKey,
    pub built: Built,
    /// Time on one core.
    pub milliseconds: f32,
}

impl tasks::Job for Job {
    type JobKey = (u64, u64, ChunkKey, Discriminant<Part>);
    type Scratch = SampleScratch;
    type Done = Done;

    fn job_key(&self) -> Self::JobKey {
        (self.generation, self.revision, self.key, std::mem::discriminant(&self.part))
    }

    fn run(self, scratch: &mut SampleScratch) -> Done {
        let Self { generation, revision, key, part, shape } = self;
        let began = Instant::now();
        let (source, spacing) = (shape.source.as_ref(), shape.lod.spacing);
        // Unwind safe: the scratch buffers are overwritten by the next job.
        let built = catch_unwind(AssertUnwindSafe(|| match part {
            Part::Mesh { parent } => {
                let top = shape.lod.top_level();
                let (mesh, heights) = mesh::build(source, key, spacing, top, parent.as_ref(), scratch);
                let is_finite = mesh.is_finite;
                let paint = ChunkPaint::new(&shape.land.edits, key, spacing);
                let chunk = BuiltChunk { mesh, heights, paint };
                if is_finite { Built::Mesh(chunk) } else { Built::Nothing(ChunkFailure::NotFinite) }
            }
            Part::DetailNormals { own, children } => {
                Built::DetailNormals(mesh::detail_normals(source, key, spacing, &own, children.as_ref(), scratch))
            }
            Part::Again { detail_normals } => {
                let (mesh, heights) = mesh::build(source, key, spacing, shape.lod.top_level(), None, scratch);
                let texels =
                    detail_normals.then(|| mesh::detail_normals(source, key, spacing, &heights, None, scratch));
                let is_finite = mesh.is_finite;
                let paint = ChunkPaint::new(&shape.land.edits, key, spacing);
                let chunk = BuiltChunk { mesh, heights, paint };
                if is_finite { Built::Again(chunk, texels) } else { Built::Nothing(ChunkFailure::NotFinite) }
            }
        }))
        .unwrap_or(Built::Nothing(ChunkFailure::Panic));
        Done { generation, revision, key, built, milliseconds: began.elapsed().as_secs_f32() * 1e3 }
    }
}

/// Builds `jobs` at once, on all cores.
pub fn run_now(jobs: Vec<Job>) -> Vec<Done> {
    let pool = ComputeTaskPool::get_or_init(TaskPool::default);
    let share = jobs.len().div_ceil(pool.thread_num().max(1)).max(1);
    pool.scope(|scope| {
        for jobs in jobs.chunks(share) {
            scope.spawn(async move {
                let mut scratch = SampleScratch::default();
                jobs.iter().map(|job| job.clone().run(&mut scratch)).collect::<Vec<_>>()
            });
        }
    })
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::NoiseTerrain;
    use crate::source::NoiseSource;

    #[test]
    fn memory_of_parts_that_were_taken_serves_the_next() {
        let settings = NoiseTerrain::default();
        let source = Arc::new(NoiseSource(settings.noise.build(1).unwrap()));
        let shape = TerrainDescriptor::new(source, Default::default(), settings.lod);
        let key = ChunkKey::new(3, 1, -2);
        let mut scratch = SampleScratch::default();
        let mut run =
            |part| Job { generation: 1, revision: 0, key, part, shape: shape.clone() }.run(&mut scratch).built;
        let Built::Mesh(chunk) = run(Part::Mesh { parent: None }) else { panic!("no mesh") };
        let normals = run(Part::DetailNormals { own: chunk.heights.clone(), children: None });
        assert!(matches!(normals, Built::DetailNormals(_)));
        drop((chunk, normals));
        assert!(scratch.vertices.take().capacity() > 0);
        assert!(scratch.texels.take().capacity() > 0);
    }
}
