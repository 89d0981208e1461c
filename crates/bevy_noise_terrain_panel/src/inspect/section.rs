//! Collapsible sections. On a long page only visible sections take time.

use bevy_egui::egui;

/// Shows a header and, if it is open, the body below. Sections outside the visible area keep their space without being
/// laid out.
pub fn section(
    ui: &mut egui::Ui,
    title: &str,
    salt: impl egui::AsIdSalt,
    open: bool,
    body: impl FnOnce(&mut egui::Ui),
) {
    ui.push_id(salt, |ui| {
        let all = ui.data(|data| data.get_temp::<bool>(open_all())).unwrap_or_default();
        let id = ui.id().with("height");
        let height = ui.data(|data| data.get_temp::<(bool, f32)>(id)).filter(|(then, _)| *then == all);
        if height.is_some_and(|(_, height)| skip_unseen(ui, height)) {
            return;
        }
        let top = ui.cursor().top();
        egui::CollapsingHeader::new(title).default_open(open).open(all.then_some(true)).show(ui, body);
        let height = (ui.cursor().top() - top - ui.spacing().item_spacing.y).max(0.0);
        ui.data_mut(|data| data.insert_temp(id, (all, height)));
    });
}

/// Key of a flag that opens every section, for measurements.
pub fn open_all() -> egui::Id {
    egui::Id::new("open every header of the terrain panel")
}

/// If the next `height` points are outside the visible area, allocates them and returns true.
pub fn skip_unseen(ui: &mut egui::Ui, height: f32) -> bool {
    let size = egui::vec2(1.0, height);
    let unseen = !ui.is_rect_visible(egui::Rect::from_min_size(ui.cursor().min, size));
    if unseen {
        ui.allocate_space(size);
    }
    unseen
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_egui::egui::{Pos2, RawInput, Rect, vec2};

    /// The height of a page with many sections, and how many of them were laid out.
    fn page(context: &egui::Context, offset: f32) -> (f32, usize) {
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(300.0, 200.0)));
        context.begin_pass(RawInput { screen_rect, ..RawInput::default() });
        let mut made = 0;
        let height = egui::Area::new("page".into()).fixed_pos(Pos2::ZERO).show(context, |ui| {
            let area = egui::ScrollArea::vertical().max_height(200.0).vertical_scroll_offset(offset);
            let area = area.show(ui, |ui| {
                for index in 0..50 {
                    section(ui, "section", index, true, |ui| {
                        made += 1;
                        (0..=index % 3).for_each(|_| drop(ui.label("field")));
                    });
                }
            });
            area.content_size.y
        });
        context.end_pass().textures_delta.clear();
        (height.inner, made)
    }

    #[test]
    fn invisible_sections_keep_their_space_and_are_skipped() {
        let context = egui::Context::default();
        // The first frame lays out all sections and stores their heights; the second settles.
        page(&context, 0.0);
        let (whole, _) = page(&context, 0.0);
        for offset in [0.0, 700.0, 1_500.0, 0.0] {
            let (height, made) = page(&context, offset);
            assert!((height - whole).abs() < 0.5, "{height} {whole} at {offset}");
            assert!((1..20).contains(&made), "{made} sections were made at {offset}");
        }
    }
}
