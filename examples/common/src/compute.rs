//! Compute shaders on a device of their own, without an app and without a window.

use std::borrow::Cow;
use std::error::Error;
use std::time::{Duration, Instant};

use bevy::tasks::block_on;
use wgpu::{
    Backends, BindGroupDescriptor, BindGroupEntry, Buffer, BufferDescriptor, BufferUsages, ComputePipeline,
    ComputePipelineDescriptor, Device, DeviceDescriptor, Instance, InstanceDescriptor, MapMode, PollError, PollType,
    Queue, RequestAdapterOptions, ShaderModuleDescriptor, ShaderSource,
};

/// A device with what WebGPU guarantees.
pub struct Compute {
    device: Device,
    queue: Queue,
    name: String,
}

impl Compute {
    /// The fastest adapter there is; none if there is none.
    #[must_use]
    pub fn open() -> Option<Self> {
        let backends = Backends::from_env().unwrap_or(Backends::PRIMARY);
        let instance =
            Instance::new(InstanceDescriptor { backends, ..InstanceDescriptor::new_without_display_handle() });
        let adapter = block_on(instance.request_adapter(&RequestAdapterOptions::default())).ok()?;
        let (device, queue) = block_on(adapter.request_device(&DeviceDescriptor::default())).ok()?;
        Some(Self { device, queue, name: adapter.get_info().name })
    }

    /// The adapter's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Compiles a shader's entry point. Its bindings are those of group 0.
    #[must_use]
    pub fn pipeline(&self, source: &str, entry: &str) -> ComputePipeline {
        let source = ShaderSource::Wgsl(Cow::Borrowed(source));
        let module = self.device.create_shader_module(ShaderModuleDescriptor { label: None, source });
        self.device.create_compute_pipeline(&ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some(entry),
            compilation_options: Default::default(),
            cache: None,
        })
    }

    /// Runs a shader over so many workgroups. The bindings 0 and on are `inputs`, uniform or storage buffers; the last
    /// one is a storage buffer of so many words for the result. The time is that of the shader alone.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn run(
        &self,
        pipeline: &ComputePipeline,
        inputs: &[&[u32]],
        words: usize,
        groups: [u32; 2],
    ) -> Result<(Vec<u32>, Duration), Box<dyn Error>> {
        let mut buffers = Vec::new();
        for input in inputs {
            let buffer =
                self.buffer(input.len(), BufferUsages::STORAGE | BufferUsages::UNIFORM | BufferUsages::COPY_DST);
            let bytes: Vec<u8> = input.iter().flat_map(|word| word.to_le_bytes()).collect();
            self.queue.write_buffer(&buffer, 0, &bytes);
            buffers.push(buffer);
        }
        let output = self.buffer(words, BufferUsages::STORAGE | BufferUsages::COPY_SRC);
        let entries: Vec<_> = buffers
            .iter()
            .chain([&output])
            .enumerate()
            .map(|(binding, buffer)| BindGroupEntry { binding: binding as u32, resource: buffer.as_entire_binding() })
            .collect();
        let layout = &pipeline.get_bind_group_layout(0);
        let group = self.device.create_bind_group(&BindGroupDescriptor { label: None, layout, entries: &entries });
        // The inputs are there before time is taken.
        self.queue.submit([]);
        self.wait()?;

        let begun = Instant::now();
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(groups[0], groups[1], 1);
        drop(pass);
        self.queue.submit([encoder.finish()]);
        self.wait()?;
        let took = begun.elapsed();

        let back = self.buffer(words, BufferUsages::MAP_READ | BufferUsages::COPY_DST);
        let mut encoder = self.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(&output, 0, &back, 0, 4 * words as u64);
        self.queue.submit([encoder.finish()]);
        back.map_async(MapMode::Read, .., |_| {});
        self.wait()?;
        let bytes = back.get_mapped_range(..)?;
        let result =
            bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
        Ok((result, took))
    }

    fn buffer(&self, words: usize, usage: BufferUsages) -> Buffer {
        let size = 4 * words as u64;
        self.device.create_buffer(&BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
    }

    fn wait(&self) -> Result<(), PollError> {
        self.device.poll(PollType::wait_indefinitely()).map(|_| ())
    }
}
