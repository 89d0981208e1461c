//! An edit that is ready to be applied.

use std::ops::Range;

use terrain_noise::{Grid, Sampler, Scratch};

use super::edit::{Edit, EditAction, EditArea};
use super::mask::Profile;
use super::painted::Painted;
use super::path::{Segment, runs, segments};
use super::stamp::StampImage;
use super::tree::Rect;
use crate::settings::SettingsError;

/// An edit with what it takes to apply it.
#[derive(Debug)]
pub struct Prepared {
    pub edit: Edit,
    profile: Profile,
    /// The profile of its paint, which leaves out the shoulders of a path.
    paint: Profile,
    /// Of a path.
    segments: Vec<Segment>,
    /// Of an added noise.
    noise: Option<Sampler>,
    /// Cosine and sine of a stamp's turn.
    turn: [f64; 2],
}

/// A part of an edit that is found by itself: all of a disc, some segments of a path.
#[derive(Clone, Debug)]
pub struct Part {
    pub index: u32,
    /// Its segments.
    segments: [u32; 2],
    /// What it reaches, but for the edges that coarse samples widen.
    pub rect: Rect,
    /// Half of the area's width.
    pub largest: f64,
}

impl Part {
    /// The middle of what it reaches.
    pub fn middle(&self) -> [f64; 2] {
        [0, 1].map(|axis| 0.5 * (self.rect.min[axis] + self.rect.max[axis]))
    }
}

/// Points whose heights are edited, in rows or as a list.
#[derive(Clone, Copy)]
pub enum Points<'a> {
    Grid(Grid),
    List { positions: &'a [[f64; 2]], footprint: f64 },
}

impl Points<'_> {
    /// What samples can show, in metres.
    pub fn footprint(&self) -> f64 {
        match self {
            Self::Grid(grid) => grid.footprint,
            Self::List { footprint, .. } => *footprint,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Grid(grid) => grid.len(),
            Self::List { positions, .. } => positions.len(),
        }
    }

    /// The same points as samples another distance apart show them.
    pub fn at(self, footprint: f64) -> Self {
        match self {
            Self::Grid(grid) => Self::Grid(Grid { footprint, ..grid }),
            Self::List { positions, .. } => Self::List { positions, footprint },
        }
    }

    /// The rectangle they lie in; `None` without points.
    pub fn rect(&self) -> Option<Rect> {
        match self {
            Self::Grid(grid) if grid.is_empty() => None,
            Self::Grid(grid) => {
                Some(Rect { min: [grid.x(0), grid.z(0)], max: [grid.x(grid.size[0] - 1), grid.z(grid.size[1] - 1)] })
            }
            Self::List { positions, .. } => {
                // Positions that are not numbers are in no rectangle: no edit reaches them.
                positions.iter().map(|&at| Rect::point(at)).reduce(Rect::join)
            }
        }
    }

    /// The points within a rectangle, in their own order.
    fn within(&self, rect: &Rect) -> Within<'_> {
        match self {
            Self::Grid(grid) => {
                let columns = span(|column| grid.x(column), grid.size[0], grid.spacing, [rect.min[0], rect.max[0]]);
                let rows = span(|row| grid.z(row), grid.size[1], grid.spacing, [rect.min[1], rect.max[1]]);
                Within::Grid { grid, columns, rows }
            }
            Self::List { positions, footprint } => Within::List { positions, footprint: *footprint },
        }
    }
}

/// Some of the points.
enum Within<'a> {
    /// These columns and rows.
    Grid { grid: &'a Grid, columns: Range<usize>, rows: Range<usize> },
    /// All of a list.
    List { positions: &'a [[f64; 2]], footprint: f64 },
}

impl Within<'_> {
    /// Calls `edit` with the position of each, its index among all points, and its number among these.
    fn visit(&self, mut edit: impl FnMut([f64; 2], usize, usize)) {
        match self {
            Self::Grid { grid, columns, rows } => {
                let mut number = 0;
                for row in rows.clone() {
                    let z = grid.z(row);
                    for column in columns.clone() {
                        edit([grid.x(column), z], row * grid.size[0] + column, number);
                        number += 1;
                    }
                }
            }
            Self::List { positions, .. } => {
                positions.iter().enumerate().for_each(|(index, &at)| edit(at, index, index));
            }
        }
    }

    /// A noise at each.
    fn sample(&self, noise: &Sampler, scratch: &mut Scratch) -> Vec<f32> {
        match self {
            Self::Grid { grid, columns, rows } => {
                let start = [grid.start[0] + columns.start as i64, grid.start[1] + rows.start as i64];
                let part = Grid { start, size: [columns.len(), rows.len()], ..**grid };
                let mut heights = vec![0.0; part.len()];
                noise.fill(&part, scratch, &mut heights);
                heights
            }
            Self::List { positions, footprint } => {
                let mut heights = vec![0.0; positions.len()];
                noise.fill_points(positions, *footprint, scratch, &mut heights);
                heights
            }
        }
    }
}

/// The indices of a row of points, `spacing` metres apart, that lie between two ends.
fn span(at: impl Fn(usize) -> f64, size: usize, spacing: f64, [low, high]: [f64; 2]) -> Range<usize> {
    // Near enough, but for rounding.
    let guess = |end: f64| (((end - at(0)) / spacing).clamp(0.0, size as f64)) as usize;
    let mut first = guess(low).saturating_sub(1);
    while first < size && at(first) < low {
        first += 1;
    }
    let mut end = guess(high).saturating_sub(1).max(first);
    while end < size && at(end) <= high {
        end += 1;
    }
    first..end
}

impl Prepared {
    /// Checks and prepares an edit.
    pub fn new(edit: Edit) -> Result<Self, SettingsError> {
        edit.validate()?;
        let (radius, shoulder, segments) = match &edit.area {
            EditArea::Disc { radius, .. } => (*radius, 0.0, Vec::new()),
            EditArea::Path { points, width, shoulder } => (0.5 * width, *shoulder, segments(points)),
        };
        let noise = match &edit.action {
            EditAction::Add { noise, seed } => {
                Some(noise.build(*seed).map_err(|error| SettingsError::of_noise(&error, "edit.action.noise"))?)
            }
            _ => None,
        };
        let turn = match &edit.action {
            EditAction::Stamp { turn, .. } => [libm::cos(*turn), libm::sin(*turn)],
            _ => [1.0, 0.0],
        };
        let profile = Profile { radius: radius + shoulder, falloff: edit.falloff };
        let paint = Profile { radius, falloff: edit.paint.map_or(0.0, |paint| paint.falloff) };
        Ok(Self { edit, profile, paint, segments, noise, turn })
    }

    /// Its parts, each of which is found by itself.
    pub fn parts(&self) -> Vec<Part> {
        let reach = self.profile.reach(0.0).max(self.paint.reach(0.0));
        let largest = self.profile.middle().max(self.paint.middle());
        match &self.edit.area {
            EditArea::Disc { center, .. } => {
                vec![Part { index: 0, segments: [0; 2], rect: Rect::point(*center).grown(reach), largest }]
            }
            EditArea::Path { .. } => runs(&self.segments)
                .enumerate()
                .map(|(index, (range, rect))| Part {
                    index: index as u32,
                    segments: [range.start as u32, range.end as u32],
                    rect: rect.grown(reach),
                    largest,
                })
                .collect(),
        }
    }

    /// The scale below which it smooths, in metres.
    pub fn smooths(&self) -> Option<f64> {
        match self.edit.action {
            EditAction::Smooth { scale } => Some(scale),
            _ => None,
        }
    }

    /// Whether nothing of the land before it is left within a rectangle.
    pub fn hides(&self, rect: &Rect, footprint: f64) -> bool {
        let (EditArea::Disc { center, .. }, EditAction::Flatten { .. }) = (&self.edit.area, &self.edit.action) else {
            return false;
        };
        let far = [0, 1].map(|axis| (rect.max[axis] - center[axis]).abs().max((rect.min[axis] - center[axis]).abs()));
        self.profile.mask(footprint).is_full(length(far))
    }

    /// Its strength at a position, 0 to 1, as exact as can be.
    pub fn strength(&self, part: &Part, at: [f64; 2]) -> f64 {
        self.profile.mask(0.0).at(self.nearest(&self.segments_of(std::slice::from_ref(part)), at).0)
    }

    /// Changes heights. `smoother` are the heights of the same points at the scale that the edit smooths to.
    pub fn apply(
        &self,
        parts: &[Part],
        points: &Points,
        smoother: Option<&[f32]>,
        scratch: &mut Scratch,
        heights: &mut [f32],
    ) {
        let mask = self.profile.mask(points.footprint());
        let Some(rect) = parts.iter().map(|part| part.rect).reduce(Rect::join) else { return };
        if mask.is_nothing() || self.edit.action == EditAction::Keep {
            return;
        }
        let within = points.within(&rect.grown(0.5 * points.footprint()));
        let added = self.noise.as_ref().map(|noise| within.sample(noise, scratch));
        let segments = self.segments_of(parts);
        within.visit(|at, index, number| {
            let (distance, grade) = self.nearest(&segments, at);
            let share = mask.at(distance);
            if share <= 0.0 {
                return;
            }
            let (share, height) = (share as f32, &mut heights[index]);
            *height = match &self.edit.action {
                EditAction::Keep => *height,
                EditAction::Raise { by } => *height + share * by,
                EditAction::Flatten { height: middle, slope } => {
                    let offset = self.offset(at);
                    mix(*height, middle + (slope[0] * offset[0] + slope[1] * offset[1]), share)
                }
                EditAction::Grade => mix(*height, grade as f32, share),
                EditAction::Smooth { .. } => smoother.map_or(*height, |smoother| mix(*height, smoother[index], share)),
                EditAction::Add { .. } => *height + share * added.as_ref().map_or(0.0, |added| added[number]),
                EditAction::Stamp { image, height: white, .. } => {
                    *height + share * white * self.stamped(image, at, points.footprint())
                }
            };
        });
    }

    /// Paints over what is painted at points.
    pub fn paint(&self, parts: &[Part], points: &Points, painted: &mut [Painted]) {
        let mask = self.paint.mask(points.footprint());
        let Some((rect, paint)) = parts.iter().map(|part| part.rect).reduce(Rect::join).zip(self.edit.paint) else {
            return;
        };
        if mask.is_nothing() {
            return;
        }
        let segments = self.segments_of(parts);
        points.within(&rect.grown(0.5 * points.footprint())).visit(|at, index, _| {
            let share = mask.at(self.nearest(&segments, at).0);
            painted[index].cover(paint.layer, share as f32);
        });
    }

    /// The segments of some parts.
    fn segments_of(&self, parts: &[Part]) -> Vec<&Segment> {
        parts.iter().flat_map(|part| &self.segments[part.segments[0] as usize..part.segments[1] as usize]).collect()
    }

    /// The distance from the middle of the area to a point, and the height of the path there.
    fn nearest(&self, segments: &[&Segment], at: [f64; 2]) -> (f64, f64) {
        match &self.edit.area {
            EditArea::Disc { center, .. } => (length([at[0] - center[0], at[1] - center[1]]), 0.0),
            EditArea::Path { .. } => {
                // The first of equally near segments, whatever else is in the list.
                let nearest = segments.iter().map(|segment| segment.nearest(at)).min_by(|a, b| a.0.total_cmp(&b.0));
                nearest.map_or((f64::INFINITY, 0.0), |(square, height)| (square.sqrt(), height))
            }
        }
    }

    /// The brightness of an image that covers the area.
    fn stamped(&self, image: &StampImage, at: [f64; 2], footprint: f64) -> f32 {
        let EditArea::Disc { center, radius } = &self.edit.area else { return 0.0 };
        let width = 2.0 * radius;
        let [x, z] = [0, 1].map(|axis| (at[axis] - center[axis]) / width);
        let [cos, sin] = self.turn;
        image.at([0.5 + cos * x + sin * z, 0.5 + cos * z - sin * x], footprint / width)
    }

    /// From the middle of the area to a point.
    fn offset(&self, [x, z]: [f64; 2]) -> [f32; 2] {
        let middle = match &self.edit.area {
            EditArea::Disc { center, .. } => *center,
            EditArea::Path { points, .. } => points.first().map_or([0.0; 2], |&[x, _, z]| [x, z]),
        };
        [(x - middle[0]) as f32, (z - middle[1]) as f32]
    }
}

/// From `from` to `to`, which it is exactly at a share of 1.
fn mix(from: f32, to: f32, share: f32) -> f32 {
    if share >= 1.0 { to } else { from + share * (to - from) }
}

fn length([x, z]: [f64; 2]) -> f64 {
    (x * x + z * z).sqrt()
}
