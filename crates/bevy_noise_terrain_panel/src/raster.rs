//! A map of the land: heights or climate with hillshade, histogram and cross-section. Pure functions, run on the task pool.

use bevy_egui::egui::{Color32, ColorImage};
use bevy_noise_terrain::internal::{ClimateField, Site};
use bevy_noise_terrain::{Climate, Surface, TerrainClimate};
use terrain_noise::{Grid, Scratch};

/// Number of bars of the histogram.
pub const BARS: usize = 64;
/// Number of steps of the cross-section.
const STEPS: usize = 256;

/// The part of the plane that a map shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapView {
    /// Absolute x and z of the centre, in metres.
    pub center: [f64; 2],
    /// Metres per pixel.
    pub scale: f64,
}

/// The finest and the coarsest scale.
const SCALES: [f64; 2] = [0.25, 4_096.0];

impl MapView {
    /// The absolute position of a point on the map, given in pixels from its centre.
    pub fn place(&self, [x, y]: [f32; 2]) -> [f64; 2] {
        [self.center[0] + f64::from(x) * self.scale, self.center[1] + f64::from(y) * self.scale]
    }

    /// The point on the map of an absolute position, in pixels from its centre.
    pub fn pixel(&self, [x, z]: [f64; 2]) -> [f32; 2] {
        [((x - self.center[0]) / self.scale) as f32, ((z - self.center[1]) / self.scale) as f32]
    }

    /// Scales the view; the position at `pixel` stays there.
    pub fn zoom(&mut self, factor: f64, pixel: [f32; 2]) {
        let fixed = self.place(pixel);
        self.scale = (self.scale * factor).clamp(SCALES[0], SCALES[1]);
        let moved = self.place(pixel);
        self.center = [0, 1].map(|axis| self.center[axis] + fixed[axis] - moved[axis]);
    }
}

/// What the colours of a map tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colors {
    #[default]
    Height,
    Temperature,
    Moisture,
    Biome,
}

impl Colors {
    pub const ALL: [Self; 4] = [Self::Height, Self::Temperature, Self::Moisture, Self::Biome];

    pub fn name(self) -> &'static str {
        match self {
            Self::Height => "height",
            Self::Temperature => "temperature",
            Self::Moisture => "moisture",
            Self::Biome => "biome",
        }
    }
}

/// The inputs of a map.
pub struct Request {
    pub surface: Surface,
    pub colors: Colors,
    pub view: MapView,
    /// Pixels along x and z.
    pub size: [usize; 2],
    /// Absolute ends of the cross-section.
    pub section: [[f64; 2]; 2],
}

/// A painted map.
pub struct Map {
    /// Snapped to whole pixels of the plane, so that panning does not change samples.
    pub view: MapView,
    pub image: ColorImage,
    pub low: f32,
    pub high: f32,
    pub histogram: [u32; BARS],
    pub section: Vec<f32>,
    pub section_length: f64,
}

/// Paints a map.
pub fn paint(request: &Request) -> Map {
    let Request { surface, colors, view, size: [columns, rows], section } = request;
    // A border of one sample, for the slopes.
    let (wide, tall) = (columns + 2, rows + 2);
    let first = [0, 1].map(|axis| {
        let half = [columns, rows][axis] / 2;
        (view.center[axis] / view.scale).round() as i64 - half as i64 - 1
    });
    let grid = Grid::new(first, view.scale, [wide, tall]);
    let mut heights = vec![0.0; grid.len()];
    surface.source().fill(&grid, &mut Scratch::default(), &mut heights);

    let inside = || (0..*rows).flat_map(|row| (0..*columns).map(move |column| (row + 1) * wide + column + 1));
    let (low, high) = inside().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), index| {
        (low.min(heights[index]), high.max(heights[index]))
    });
    let mut histogram = [0; BARS];
    for index in inside() {
        let bar = (heights[index] - low) / (high - low).max(1e-6) * BARS as f32;
        histogram[(bar as usize).min(BARS - 1)] += 1;
    }
    let slope_scale = 0.5 / view.scale as f32;
    // The climate is that around the middle of the map.
    let middle = [0, 1].map(|axis| (first[axis] + 1 + ([columns, rows][axis] / 2) as i64) as f64 * view.scale);
    let mut field = ClimateField::new(surface.climate_settings(), middle);
    let mut climate = |index: usize, facing: f32| {
        let place = [grid.x(index % wide) - middle[0], grid.z(index / wide) - middle[1]].map(|metres| metres as f32);
        let local = field.local(place);
        field.at(place[1], Site { height: heights[index], facing }, local)
    };
    let pixels = inside()
        .map(|index| {
            let dx = (heights[index + 1] - heights[index - 1]) * slope_scale;
            let dz = (heights[index + wide] - heights[index - wide]) * slope_scale;
            let facing = || -dz / (1.0 + dx * dx + dz * dz).sqrt();
            let color = match colors {
                Colors::Height => tint(heights[index], low, high),
                Colors::Temperature => warmth(climate(index, facing())),
                Colors::Moisture => wetness(climate(index, facing())),
                Colors::Biome => biome(surface.climate_settings(), climate(index, facing())),
            };
            shade(color, light(dx, dz))
        })
        .collect();
    let length = f64::hypot(section[1][0] - section[0][0], section[1][1] - section[0][1]);
    let step = (length / STEPS as f64).max(0.01);
    let section = (0..=STEPS)
        .map(|index| {
            let share = index as f64 / STEPS as f64;
            let at = [0, 1].map(|axis| section[0][axis] + share * (section[1][axis] - section[0][axis]));
            surface.source().height(at, step)
        })
        .collect();
    Map {
        view: MapView { center: middle, scale: view.scale },
        image: ColorImage::new([*columns, *rows], pixels),
        low,
        high,
        histogram,
        section,
        section_length: length,
    }
}

/// Light from the north-west on a slope, 0 to 1; level ground gets about 0.7.
fn light(dx: f32, dz: f32) -> f32 {
    const SUN: [f32; 3] = [-0.5, std::f32::consts::FRAC_1_SQRT_2, -0.5];
    let length = (1.0 + dx * dx + dz * dz).sqrt();
    ((-dx * SUN[0] + SUN[1] - dz * SUN[2]) / length).max(0.0)
}

/// The colours of an atlas by height: water blue, lowlands green, highlands brown, then white.
fn tint(height: f32, low: f32, high: f32) -> [f32; 3] {
    const SEA: [[f32; 3]; 2] = [[28.0, 58.0, 110.0], [122.0, 172.0, 208.0]];
    const LAND: [[f32; 3]; 5] = [
        [96.0, 140.0, 84.0],
        [170.0, 178.0, 112.0],
        [198.0, 168.0, 116.0],
        [150.0, 118.0, 94.0],
        [244.0, 244.0, 246.0],
    ];
    if height < 0.0 {
        return blend(&SEA, 1.0 - height / low.min(-1.0));
    }
    let floor = low.max(0.0);
    blend(&LAND, (height - floor) / (high - floor).max(1.0))
}

/// From −20 °C, white, over 0, blue, 10, green, and 20, yellow, to 30 °C, red.
fn warmth(climate: Climate) -> [f32; 3] {
    const COLORS: [[f32; 3]; 6] = [
        [244.0, 244.0, 250.0],
        [168.0, 190.0, 226.0],
        [72.0, 118.0, 190.0],
        [92.0, 160.0, 92.0],
        [226.0, 204.0, 92.0],
        [196.0, 70.0, 50.0],
    ];
    blend(&COLORS, (climate.temperature + 20.0) / 50.0)
}

/// From dry, ochre, to wet, teal.
fn wetness(climate: Climate) -> [f32; 3] {
    const COLORS: [[f32; 3]; 3] = [[206.0, 164.0, 96.0], [150.0, 178.0, 98.0], [30.0, 110.0, 116.0]];
    blend(&COLORS, climate.moisture)
}

/// A colour for each biome, mixed where they meet; grey where there is none.
fn biome(settings: &TerrainClimate, climate: Climate) -> [f32; 3] {
    let mut sum = [150.0 * 1e-3; 3];
    let mut all = 1e-3;
    for (index, biome) in settings.biomes.iter().enumerate() {
        let share = biome.share(climate);
        // Far apart on the colour wheel.
        let hue = (index as f32 * 0.381_966).fract() * 6.0;
        let wheel = [(hue - 3.0).abs() - 1.0, 2.0 - (hue - 2.0).abs(), 2.0 - (hue - 4.0).abs()];
        sum = [0, 1, 2].map(|c| sum[c] + share * (70.0 + 150.0 * wheel[c].clamp(0.0, 1.0)));
        all += share;
    }
    sum.map(|channel| channel / all)
}

fn blend(colors: &[[f32; 3]], share: f32) -> [f32; 3] {
    let place = share.clamp(0.0, 1.0) * (colors.len() - 1) as f32;
    let index = (place as usize).min(colors.len() - 2);
    [0, 1, 2].map(|c| colors[index][c] + (place - index as f32) * (colors[index + 1][c] - colors[index][c]))
}

fn shade(color: [f32; 3], light: f32) -> Color32 {
    let [r, g, b] = color.map(|channel| (channel * (0.35 + 0.9 * light)).clamp(0.0, 255.0) as u8);
    Color32::from_rgb(r, g, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_noise_terrain::NoiseTerrain;

    fn map(view: MapView) -> Map {
        let surface = NoiseTerrain::default().surface().unwrap();
        let colors = Colors::Height;
        paint(&Request { surface, colors, view, size: [40, 30], section: [[0.0, 0.0], [300.0, 400.0]] })
    }

    #[test]
    fn a_map_counts_every_pixel_and_measures_its_section() {
        let map = map(MapView { center: [1_000.0, -2_000.0], scale: 16.0 });
        assert_eq!(map.image.size, [40, 30]);
        assert_eq!(map.histogram.iter().sum::<u32>(), 1_200);
        assert!(map.low < map.high);
        assert_eq!((map.section.len(), map.section_length), (STEPS + 1, 500.0));
        let height = NoiseTerrain::default().surface().unwrap().height(300.0, 400.0);
        assert!((f64::from(map.section[STEPS]) - height).abs() < 5.0);
    }

    #[test]
    fn a_map_of_the_climate_tells_cold_from_warm() {
        let at = |temperature: f32| {
            let settings = bevy_noise_terrain::TerrainClimate { temperature, ..Default::default() };
            let surface = NoiseTerrain::default().surface().unwrap().with_climate(settings);
            let view = MapView { center: [1e6, 0.0], scale: 16.0 };
            paint(&Request { surface, colors: Colors::Temperature, view, size: [8, 8], section: [[0.0; 2]; 2] }).image
        };
        let (cold, warm) = (at(-5.0), at(30.0));
        let is_warmer = |(cold, warm): (&Color32, &Color32)| warm.r() > warm.b() && cold.b() >= cold.r();
        assert!(cold.pixels.iter().zip(&warm.pixels).all(is_warmer));
    }

    #[test]
    fn panning_moves_by_whole_pixels() {
        let view = MapView { center: [0.0, 0.0], scale: 8.0 };
        let (here, there) = (map(view), map(MapView { center: [80.0, 0.0], ..view }));
        assert_eq!(there.view.center[0] - here.view.center[0], 80.0);
        assert_eq!(here.section, there.section);
    }

    #[test]
    fn positions_and_pixels_are_inverse_and_zoom_keeps_the_position_under_the_pointer() {
        let mut view = MapView { center: [1e6, -2e6], scale: 4.0 };
        let pixel = view.pixel(view.place([33.0, -21.0]));
        assert_eq!(pixel, [33.0, -21.0]);
        let fixed = view.place([50.0, 10.0]);
        view.zoom(0.5, [50.0, 10.0]);
        assert_eq!((view.scale, view.place([50.0, 10.0])), (2.0, fixed));
        view.zoom(1e-9, [0.0, 0.0]);
        assert_eq!(view.scale, SCALES[0]);
    }

    #[test]
    fn slopes_that_face_the_light_are_bright() {
        assert!(light(1.0, 1.0) > light(0.0, 0.0) && light(0.0, 0.0) > light(-1.0, -1.0));
    }
}
