//! A row for a [`LayerSpan`]: its ends, which may be open, and their softness.

use bevy_egui::egui;
use bevy_noise_terrain::ground::LayerSpan;

use super::number;

/// Shows and edits a span.
pub fn ui(ui: &mut egui::Ui, name: &str, help: &str, span: &mut LayerSpan, default: Option<&LayerSpan>) {
    ui.horizontal(|ui| {
        number::label(ui, name, help);
        end(ui, &mut span.from, f32::NEG_INFINITY, "Lower end; type “any” for none");
        ui.label("to");
        end(ui, &mut span.to, f32::INFINITY, "Upper end; type “any” for none");
        let speed = (span.soft.abs() * 0.01).max(0.005);
        ui.add(egui::DragValue::new(&mut span.soft).speed(speed).prefix("± ").max_decimals(3))
            .on_hover_text("Width of each end");
        if let Some(default) = default
            && number::reset(ui, span != default, None)
        {
            *span = *default;
        }
    });
}

fn end(ui: &mut egui::Ui, value: &mut f32, open: f32, help: &str) {
    let speed = if value.is_finite() { (value.abs() * 0.01).max(0.005) } else { 0.0 };
    let field = egui::DragValue::new(value)
        .speed(speed)
        .max_decimals(3)
        .update_while_editing(false)
        .custom_formatter(|value, decimals| {
            if value.is_finite() { egui::emath::format_with_decimals_in_range(value, decimals) } else { "any".into() }
        })
        .custom_parser(move |text| read(text, open));
    ui.add(field).on_hover_text(help);
}

/// A number, or `open`.
fn read(text: &str, open: f32) -> Option<f64> {
    if matches!(text.trim(), "" | "any") { Some(f64::from(open)) } else { number::parse(text, "") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_may_be_open() {
        assert_eq!(read("any", f32::INFINITY), Some(f64::INFINITY));
        assert_eq!(read(" ", f32::NEG_INFINITY), Some(f64::NEG_INFINITY));
        assert_eq!((read("12.5", f32::INFINITY), read("much", f32::INFINITY)), (Some(12.5), None));
    }
}
