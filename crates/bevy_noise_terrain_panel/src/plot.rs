//! Small plots, painted directly with a few shapes each, so that many of them are cheap.

use bevy_egui::egui::{self, Align2, Color32, FontId, Mesh, Pos2, Rect, Response, Sense, Shape, Stroke, pos2, vec2};

/// An empty plot: allocates its space and paints the background.
fn frame(ui: &mut egui::Ui, height: f32) -> (Rect, Response) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    ui.painter().rect_filled(rect, 3.0, ui.visuals().extreme_bg_color);
    (rect, response)
}

fn note(ui: &egui::Ui, at: Pos2, anchor: Align2, text: &str) {
    ui.painter().text(at, anchor, text, FontId::proportional(10.0), ui.visuals().weak_text_color());
}

/// The next round number above, so that a plot's scale does not jitter.
pub fn round_up(value: f32) -> f32 {
    if value.is_nan() || value <= 0.0 {
        return 1.0;
    }
    let power = 10f32.powf(value.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power).find(|&step| step >= value).unwrap_or(value)
}

/// Values over time, the newest at the right; `format` formats a value.
pub fn series(ui: &mut egui::Ui, title: &str, values: &[f32], most: usize, format: impl Fn(f32) -> String) {
    let (rect, response) = frame(ui, 46.0);
    let top = round_up(values.iter().copied().fold(0.0, f32::max));
    let at = |index: usize| {
        let x = rect.right() - rect.width() * (values.len() - 1 - index) as f32 / (most.max(2) - 1) as f32;
        pos2(x, rect.bottom() - 2.0 - (rect.height() - 14.0) * values[index] / top)
    };
    let points: Vec<Pos2> = (0..values.len()).map(at).collect();
    let color = ui.visuals().selection.stroke.color;
    ui.painter().with_clip_rect(rect).add(Shape::line(points, Stroke::new(1.0, color)));
    note(ui, rect.left_top() + vec2(4.0, 2.0), Align2::LEFT_TOP, title);
    let newest = values.last().map_or_else(String::new, |value| format(*value));
    note(ui, rect.right_top() + vec2(-4.0, 2.0), Align2::RIGHT_TOP, &format!("{newest} of {}", format(top)));
    if let Some(pointer) = response.hover_pos() {
        let back = ((rect.right() - pointer.x) / rect.width() * (most - 1) as f32).round() as usize;
        if let Some(index) = (values.len()).checked_sub(back + 1) {
            ui.painter().circle_filled(at(index), 2.5, color);
            response.on_hover_text(format(values[index]));
        }
    }
}

/// A histogram from `low` to `high`.
pub fn histogram(ui: &mut egui::Ui, counts: &[u32], low: f32, high: f32) {
    let (rect, response) = frame(ui, 64.0);
    let most = counts.iter().copied().max().unwrap_or(0).max(1) as f32;
    let width = rect.width() / counts.len().max(1) as f32;
    let floor = rect.bottom() - 12.0;
    let color = ui.visuals().selection.bg_fill;
    let mut mesh = Mesh::default();
    for (index, &count) in counts.iter().enumerate() {
        let left = rect.left() + index as f32 * width;
        let top = floor - (rect.height() - 16.0) * count as f32 / most;
        mesh.add_colored_rect(Rect::from_min_max(pos2(left, top), pos2(left + width - 0.5, floor)), color);
    }
    ui.painter().add(Shape::mesh(mesh));
    note(ui, rect.left_bottom() + vec2(4.0, 0.0), Align2::LEFT_BOTTOM, &format!("{low:.0} m"));
    note(ui, rect.right_bottom() + vec2(-4.0, 0.0), Align2::RIGHT_BOTTOM, &format!("{high:.0} m"));
    if let Some(pointer) = response.hover_pos() {
        let share = (pointer.x - rect.left()) / rect.width();
        let index = ((share * counts.len() as f32) as usize).min(counts.len().saturating_sub(1));
        let all = counts.iter().sum::<u32>().max(1) as f32;
        let percent = counts.get(index).map_or(0.0, |&count| 100.0 * count as f32 / all);
        response.on_hover_text(format!("{percent:.1} % around {:.0} m", low + share * (high - low)));
    }
}

/// The heights along a line of `length` metres. Returns the hovered position along it, 0 to 1.
pub fn section(ui: &mut egui::Ui, heights: &[f32], length: f64) -> Option<f32> {
    let (rect, response) = frame(ui, 84.0);
    let low = heights.iter().copied().fold(f32::INFINITY, f32::min);
    let high = heights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if !low.is_finite() || heights.len() < 2 {
        return None;
    }
    let (floor, room) = (rect.bottom() - 12.0, rect.height() - 28.0);
    let at = |index: usize| {
        let x = rect.left() + rect.width() * index as f32 / (heights.len() - 1) as f32;
        pos2(x, floor - 4.0 - room * (heights[index] - low) / (high - low).max(1.0))
    };
    let ground = ui.visuals().selection.bg_fill;
    let mut mesh = Mesh::default();
    for index in 0..heights.len() {
        let top = at(index);
        mesh.colored_vertex(top, ground);
        mesh.colored_vertex(pos2(top.x, floor), ground.gamma_multiply(0.4));
        if index > 0 {
            let last = 2 * index as u32;
            mesh.add_triangle(last - 2, last - 1, last);
            mesh.add_triangle(last - 1, last, last + 1);
        }
    }
    ui.painter().add(Shape::mesh(mesh));
    note(ui, rect.left_top() + vec2(4.0, 2.0), Align2::LEFT_TOP, &format!("{high:.0} m"));
    note(ui, rect.left_bottom() + vec2(4.0, 0.0), Align2::LEFT_BOTTOM, &format!("{low:.0} m"));
    note(ui, rect.right_bottom() + vec2(-4.0, 0.0), Align2::RIGHT_BOTTOM, &distance(length));
    let pointer = response.hover_pos()?;
    let share = ((pointer.x - rect.left()) / rect.width()).clamp(0.0, 1.0);
    let index = (share * (heights.len() - 1) as f32).round() as usize;
    ui.painter().circle_filled(at(index), 3.0, Color32::WHITE);
    let text = format!("{:.0} m high, {} on", heights[index], distance(length * f64::from(share)));
    response.on_hover_text(text);
    Some(share)
}

/// A distance in m or km.
pub fn distance(metres: f64) -> String {
    if metres.abs() < 1_000.0 { format!("{metres:.0} m") } else { format!("{:.1} km", metres / 1e3) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_round() {
        assert_eq!([0.0, 0.9, 1.0, 1.1, 3.0, 7.0, 480.0].map(round_up), [1.0, 1.0, 1.0, 2.0, 5.0, 10.0, 500.0]);
        assert_eq!((distance(250.4), distance(-1_500.0)), ("250 m".into(), "-1.5 km".into()));
    }
}
