//! stub
pub fn mountains() -> terrain_noise::Noise { terrain_noise::Noise::Constant }
