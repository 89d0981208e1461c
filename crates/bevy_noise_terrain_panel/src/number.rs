//! A row for a number: slider, drag value, unit, help, reset and error.

use std::cell::RefCell;

use bevy_egui::egui;

use super::layout_probe;

/// A slider with a greater ratio of its ends is logarithmic.
const WIDE: f64 = 100.0;

/// Width of names, in points.
const NAME_WIDTH: f32 = 92.0;
/// Width of values, in points.
const VALUE_WIDTH: f32 = 66.0;
/// Width of the reset button, in points.
const RESET_WIDTH: f32 = 18.0;

/// The description of a number.
#[derive(Clone, Copy, Default)]
pub struct Row<'a> {
    /// The path of the field in faults.
    pub path: &'a str,
    pub name: &'a str,
    pub help: &'a str,
    pub unit: &'a str,
    /// Lowest and highest allowed value.
    pub range: Option<(f64, f64)>,
    /// The part of it that a slider covers; without, what is useful of it.
    pub slider: Option<(f64, f64)>,
    pub default: Option<f64>,
    /// Only integers.
    pub whole: bool,
    pub fault: Option<&'a str>,
}

/// Range of the slider and whether it is logarithmic; `None` if the range is too wide for a slider.
fn slider_range(row: &Row) -> Option<(f64, f64, bool)> {
    if let Some((low, high)) = row.slider {
        return Some((low, high, low > 0.0 && high / low >= WIDE));
    }
    let (min, max) = row.range?;
    if !(max - min).is_finite() {
        return None;
    }
    // Lengths may range from a millimetre to a million kilometres: the slider covers useful ones.
    let (low, high) = if row.unit == "m" && min >= 0.0 { (min.max(1.0), max.min(1e5)) } else { (min, max) };
    if low >= 0.0 && high - low > WIDE {
        return (high <= 1e6).then_some((low, high, true));
    }
    (high - low <= 1_000.0).then_some((low, high, low > 0.0 && high / low >= WIDE))
}

/// Shows the row.
pub fn number(ui: &mut egui::Ui, row: &Row, value: &mut f64) {
    let before = *value;
    let unreadable = RefCell::new(None);
    self::row(ui, row.name, |ui| {
        label(ui, row.name, row.help);
        let slider_width = ui.available_width() - VALUE_WIDTH - RESET_WIDTH - 2.0 * ui.spacing().item_spacing.x;
        match slider_range(row) {
            Some((min, max, logarithmic)) if slider_width > 30.0 => {
                ui.spacing_mut().slider_width = slider_width;
                let mut slider = egui::Slider::new(value, min..=max)
                    .logarithmic(logarithmic)
                    .clamping(egui::SliderClamping::Never)
                    .show_value(false);
                if row.whole {
                    slider = slider.integer();
                }
                let response = lazy_hover_text(ui.add(slider), || help(row));
                layout_probe::mark(ui.ctx(), || format!("{}.slider", row.path), response.rect);
            }
            _ => {
                ui.add_space(slider_width.max(0.0) + ui.spacing().item_spacing.x);
            }
        }
        let speed = if row.whole { 0.05 } else { (value.abs() * 0.005).max(row.range.map_or(0.01, speed)) };
        let parser = |text: &str| {
            let number = parse(text, row.unit);
            if number.is_none() {
                *unreadable.borrow_mut() = Some(text.to_owned());
            }
            number
        };
        let field = egui::DragValue::new(value)
            .speed(speed)
            .max_decimals(if row.whole { 0 } else { 4 })
            .suffix(suffix(row.unit))
            .update_while_editing(false)
            .custom_parser(parser);
        let response = lazy_hover_text(ui.add_sized([VALUE_WIDTH, ui.spacing().interact_size.y], field), || help(row));
        layout_probe::mark(ui.ctx(), || format!("{}.value", row.path), response.rect);
        remember(ui, &response, unreadable.take(), before != *value);
        if reset(ui, row.default.is_some_and(|default| default != *value), row.default) {
            *value = row.default.unwrap_or(*value);
            forget(ui, &response);
        }
        if let Some(text) = unread(ui, &response) {
            return Some(format!("“{text}” is not a number; it stays {before}"));
        }
        None
    })
    .into_iter()
    .chain(row.fault.map(str::to_owned))
    .for_each(|message| complain(ui, &message));
}

/// Widgets side by side; `salt` distinguishes rows with the same parent.
pub fn row<R>(ui: &mut egui::Ui, salt: impl egui::AsIdSalt, widgets: impl FnOnce(&mut egui::Ui) -> R) -> R {
    let size = egui::vec2(ui.available_width(), ui.spacing().interact_size.y);
    let room = egui::Rect::from_min_size(ui.cursor().min, size);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    ui.scope_builder(egui::UiBuilder::new().id_salt(salt).max_rect(room).layout(layout), widgets).inner
}

/// Adds a tooltip whose text is only created when the widget is hovered.
pub fn lazy_hover_text(response: egui::Response, text: impl FnOnce() -> String) -> egui::Response {
    if response.hovered() { response.on_hover_text(text()) } else { response }
}

/// The name of a field, with its help as a tooltip.
pub fn label(ui: &mut egui::Ui, name: &str, help: &str) {
    let (id, rect) = ui.allocate_space(egui::vec2(NAME_WIDTH, ui.spacing().interact_size.y));
    let color = ui.visuals().text_color();
    let font = egui::TextStyle::Body.resolve(ui.style());
    let mut job = egui::text::LayoutJob::simple_singleline(name.to_owned(), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(NAME_WIDTH);
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    ui.painter().galley(egui::pos2(rect.left(), rect.center().y - 0.5 * galley.size().y), galley, color);
    if !help.is_empty() && ui.rect_contains_pointer(rect) {
        ui.interact(rect, id, egui::Sense::hover()).on_hover_text(help);
    }
}

/// The reset button; its space stays empty if there is nothing to reset.
pub fn reset(ui: &mut egui::Ui, differs: bool, default: Option<f64>) -> bool {
    let size = egui::vec2(RESET_WIDTH, ui.spacing().interact_size.y);
    if !differs {
        ui.allocate_space(size);
        return false;
    }
    let button = ui.add_sized(size, egui::Button::new("⟲").frame(false));
    let text = || default.map_or_else(|| "Back to the default".to_owned(), |default| format!("Back to {default}"));
    lazy_hover_text(button, text).clicked()
}

/// An error message, below a row.
pub fn complain(ui: &mut egui::Ui, message: &str) {
    layout_probe::note(ui.ctx(), message);
    ui.add(egui::Label::new(egui::RichText::new(message).color(wrong(ui))).wrap());
}

/// The colour of errors: a red that is readable on the panel and on its selection.
pub fn wrong(ui: &egui::Ui) -> egui::Color32 {
    if ui.visuals().dark_mode { egui::Color32::from_rgb(255, 138, 122) } else { egui::Color32::from_rgb(176, 16, 8) }
}

fn help(row: &Row) -> String {
    let mut text = row.help.to_owned();
    if let Some((min, max)) = row.range.filter(|(min, max)| (max - min).is_finite()) {
        text += &format!("\nAllowed: {min} to {max}{}", suffix(row.unit));
    }
    if let Some(default) = row.default {
        text += &format!("\nDefault: {default}{}", suffix(row.unit));
    }
    text
}

fn speed((min, max): (f64, f64)) -> f64 {
    ((max - min) * 0.002).min(0.01)
}

fn suffix(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" {unit}") }
}

/// Parses a number as people type it: with its unit, with spaces, in thousands (`k`).
pub fn parse(text: &str, unit: &str) -> Option<f64> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).map(|c| if c == '−' { '-' } else { c }).collect();
    let text = if unit.is_empty() { &text } else { text.strip_suffix(unit).unwrap_or(&text) };
    let (digits, factor) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1e3),
        None => (text, 1.0),
    };
    let number: f64 = digits.parse().ok()?;
    number.is_finite().then_some(number * factor)
}

/// Keeps text that is not a number, until it is replaced.
fn remember(ui: &egui::Ui, response: &egui::Response, unreadable: Option<String>, changed: bool) {
    match unreadable {
        Some(text) => {
            ui.data_mut(|data| data.insert_temp(response.id.with("unreadable"), text));
        }
        None if changed || response.gained_focus() => forget(ui, response),
        None => {}
    }
}

fn forget(ui: &egui::Ui, response: &egui::Response) {
    ui.data_mut(|data| {
        data.remove_temp::<String>(response.id.with("unreadable"));
    });
}

fn unread(ui: &egui::Ui, response: &egui::Response) -> Option<String> {
    ui.data(|data| data.get_temp(response.id.with("unreadable")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        assert_eq!(parse(" 1 200 m", "m"), Some(1_200.0));
        assert_eq!(parse("2.5k", ""), Some(2_500.0));
        assert_eq!(parse("−3", ""), Some(-3.0));
        for broken in ["", "eight", "1..2", "NaN", "inf", "1e999"] {
            assert_eq!(parse(broken, "m"), None, "{broken}");
        }
    }

    #[test]
    fn sliders_suit_their_range() {
        let range = |unit, min, max| slider_range(&Row { unit, range: Some((min, max)), ..Row::default() });
        assert_eq!(range("m", 0.001, 1e9), Some((1.0, 1e5, true)));
        assert_eq!(range("", 1.0, 32.0), Some((1.0, 32.0, false)));
        assert_eq!(range("", 1e-6, 1e6), Some((1e-6, 1e6, true)));
        assert_eq!(range("°", -360.0, 360.0), Some((-360.0, 360.0, false)));
        assert_eq!(range("", -1e9, 1e9), None);
        assert_eq!(range("", f64::NEG_INFINITY, f64::INFINITY), None);
        let declared = |slider| slider_range(&Row { range: Some((0.01, 1e9)), slider: Some(slider), ..Row::default() });
        assert_eq!(declared((1e3, 1e5)), Some((1e3, 1e5, true)));
        assert_eq!(declared((-200.0, 2e3)), Some((-200.0, 2e3, false)));
    }
}
