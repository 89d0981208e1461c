//! An editor for a curve through points: drag them in the plot, or type.

use bevy_egui::egui::{self, Color32, Pos2, Rect, Sense, Shape, Stroke, pos2, vec2};

/// Height of the plot in points.
const HEIGHT: f32 = 110.0;

/// Shows and edits the points.
pub fn ui(ui: &mut egui::Ui, points: &mut Vec<[f64; 2]>) {
    plot(ui, points);
    let mut remove = None;
    let many = points.len() > 2;
    for (index, [input, output]) in points.iter_mut().enumerate() {
        ui.horizontal(|ui| {
            let speed = |value: f64| (value.abs() * 0.01).max(0.01);
            let (across, up) = (speed(*input), speed(*output));
            ui.add(egui::DragValue::new(input).speed(across).max_decimals(3));
            ui.label("→");
            ui.add(egui::DragValue::new(output).speed(up).max_decimals(3));
            if many && ui.small_button("✖").on_hover_text("Remove this point").clicked() {
                remove = Some(index);
            }
        });
    }
    if let Some(index) = remove {
        points.remove(index);
    }
    if ui
        .small_button("Add a point")
        .on_hover_text("In the middle of the widest gap; or double-click the plot")
        .clicked()
        && let Some(point) = between(points)
    {
        insert(points, point);
    }
}

fn plot(ui: &mut egui::Ui, points: &mut Vec<[f64; 2]>) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click_and_drag());
    ui.painter().rect_filled(rect, 3.0, ui.visuals().extreme_bg_color);
    let inner = rect.shrink(8.0);
    // While a point is dragged the plot keeps its scale.
    let frame_id = response.id.with("frame");
    let frame = match ui.data(|data| data.get_temp::<[[f64; 2]; 2]>(frame_id)).filter(|_| response.dragged()) {
        Some(frame) => frame,
        None => bounds(points),
    };
    ui.data_mut(|data| data.insert_temp(frame_id, frame));
    let to_screen = |[x, y]: [f64; 2]| {
        let share = |value: f64, axis: usize| ((value - frame[0][axis]) / (frame[1][axis] - frame[0][axis])) as f32;
        pos2(inner.left() + share(x, 0) * inner.width(), inner.bottom() - share(y, 1) * inner.height())
    };
    let from_screen = |at: Pos2| {
        let (u, v) = ((at.x - inner.left()) / inner.width(), (inner.bottom() - at.y) / inner.height());
        [u, v].map(f64::from).into_iter().enumerate().fold([0.0; 2], |mut point, (axis, share)| {
            point[axis] = frame[0][axis] + share * (frame[1][axis] - frame[0][axis]);
            point
        })
    };
    let held_id = response.id.with("held");
    if response.drag_started()
        && let Some(at) = response.interact_pointer_pos()
    {
        let nearest =
            points.iter().map(|point| to_screen(*point).distance(at)).enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        let held = nearest.filter(|(_, distance)| *distance < 14.0).map(|(index, _)| index);
        ui.data_mut(|data| data.insert_temp(held_id, held));
    }
    if response.dragged()
        && let Some(at) = response.interact_pointer_pos()
        && let Some(index) = ui.data(|data| data.get_temp::<Option<usize>>(held_id)).flatten()
        && index < points.len()
    {
        let [x, y] = from_screen(at.clamp(inner.min, inner.max));
        points[index] = [between_neighbours(points, index, x), y];
    }
    if response.double_clicked()
        && let Some(at) = response.interact_pointer_pos()
    {
        insert(points, from_screen(at));
    }
    paint(ui, rect, inner, points, to_screen);
}

fn paint(ui: &egui::Ui, rect: Rect, inner: Rect, points: &[[f64; 2]], to_screen: impl Fn([f64; 2]) -> Pos2) {
    let painter = ui.painter().with_clip_rect(rect);
    let color = ui.visuals().selection.stroke.color;
    let mut line: Vec<Pos2> = points.iter().map(|point| to_screen(*point)).collect();
    // Constant beyond the ends.
    if let (Some(first), Some(last)) = (line.first().copied(), line.last().copied()) {
        line.insert(0, pos2(rect.left(), first.y));
        line.push(pos2(inner.right() + 8.0, last.y));
    }
    painter.add(Shape::line(line, Stroke::new(1.5, color)));
    for point in points {
        painter.circle(to_screen(*point), 4.0, color, Stroke::new(1.0, Color32::BLACK));
    }
}

/// The corners of the plotted range.
fn bounds(points: &[[f64; 2]]) -> [[f64; 2]; 2] {
    let mut frame = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
    for point in points {
        for axis in 0..2 {
            frame[0][axis] = frame[0][axis].min(point[axis]);
            frame[1][axis] = frame[1][axis].max(point[axis]);
        }
    }
    let [low, high] = &mut frame;
    for (low, high) in low.iter_mut().zip(high) {
        if *high < *low + 1e-9 {
            *low -= 0.5;
            *high = *low + 1.0;
        }
    }
    frame
}

/// `x`, clamped between the neighbours of the point at `index`, with a small margin.
fn between_neighbours(points: &[[f64; 2]], index: usize, x: f64) -> f64 {
    let room = 1e-3 * (bounds(points)[1][0] - bounds(points)[0][0]);
    let low = index.checked_sub(1).map_or(f64::NEG_INFINITY, |before| points[before][0] + room);
    let high = points.get(index + 1).map_or(f64::INFINITY, |after| after[0] - room);
    if low < high { x.clamp(low, high) } else { points[index][0] }
}

/// The middle of the widest gap along x.
fn between(points: &[[f64; 2]]) -> Option<[f64; 2]> {
    let widest = points.windows(2).max_by(|a, b| (a[1][0] - a[0][0]).total_cmp(&(b[1][0] - b[0][0])))?;
    Some([0, 1].map(|axis| 0.5 * (widest[0][axis] + widest[1][axis])))
}

fn insert(points: &mut Vec<[f64; 2]>, point: [f64; 2]) {
    let place = points.partition_point(|other| other[0] < point[0]);
    points.insert(place, point);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_keep_their_order() {
        let mut points = vec![[0.0, 0.0], [10.0, 5.0], [12.0, 6.0]];
        let middle = between(&points).unwrap();
        insert(&mut points, middle);
        assert_eq!(points, [[0.0, 0.0], [5.0, 2.5], [10.0, 5.0], [12.0, 6.0]]);
        let x = between_neighbours(&points, 1, 50.0);
        assert!(x < 10.0 && x > 9.9, "{x}");
        assert_eq!(between_neighbours(&points, 1, 3.0), 3.0);
        assert_eq!(between_neighbours(&points, 3, 50.0), 50.0);
    }

    #[test]
    fn the_frame_is_never_empty() {
        let [low, high] = bounds(&[[1.0, 3.0], [1.0, 3.0]]);
        assert!(high[0] > low[0] && high[1] > low[1]);
    }
}
