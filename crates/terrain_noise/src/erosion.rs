//! Landforms shaped by water and wind: more than a sum of octaves, and still a function of the position alone.
//!
//! What erosion leaves behind follows the slope. These nodes use the slope of what is there so far,
//! so they need no simulation, no neighbours and no memory.

pub(crate) mod damped;
pub(crate) mod dunes;
pub(crate) mod gullies;
pub(crate) mod spline;
pub(crate) mod stripes;
