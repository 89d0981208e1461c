//! Every parameter of every node, from the core's own metadata.

use bevy_egui::egui;
use terrain_noise::{Noise, ParamInfo, ParamMut};

/// Above this ratio of the ends a slider is logarithmic, and above the square of it there is none.
const WIDE: f64 = 1e3;

/// Shows a node and what lies below it. `role` is what the node is to the one above.
pub fn ui(ui: &mut egui::Ui, role: &str, noise: &mut Noise) {
    ui.push_id(role, |ui| {
        noise.edit_params(|info, param| {
            row(ui, info, param);
        });
        for (role, operand) in noise.operands_mut() {
            let title = format!("{} ({})", operand.name(), words(role));
            egui::CollapsingHeader::new(title)
                .id_salt(role)
                .default_open(true)
                .show(ui, |ui| self::ui(ui, role, operand));
        }
    });
}

fn row(ui: &mut egui::Ui, info: &ParamInfo, param: ParamMut<'_>) {
    ui.horizontal(|ui| {
        match param {
            ParamMut::Number(value) => number(ui, info, value),
            ParamMut::Integer(value) => {
                let range = info.min as u32..=info.max as u32;
                ui.add(egui::Slider::new(value, range).clamping(egui::SliderClamping::Never).suffix(suffix(info)))
            }
            ParamMut::Seed(value) => ui.add(egui::DragValue::new(value)),
            ParamMut::Points(points) => {
                let edit = |ui: &mut egui::Ui| {
                    for [input, output] in points.iter_mut() {
                        ui.horizontal(|ui| {
                            ui.add(egui::DragValue::new(input).speed(0.01));
                            ui.label("to");
                            ui.add(egui::DragValue::new(output).speed(0.01));
                        });
                    }
                };
                ui.vertical(edit).response
            }
            ParamMut::Choice(choice) => {
                let names = choice.names();
                let mut index = choice.index();
                let response =
                    egui::ComboBox::from_id_salt(info.name)
                        .show_index(ui, &mut index, names.len(), |index| names.get(index).copied().unwrap_or_default());
                choice.choose(index);
                response
            }
        }
        .on_hover_text(info.help);
        ui.label(words(info.name)).on_hover_text(info.help);
    });
}

fn number(ui: &mut egui::Ui, info: &ParamInfo, value: &mut f64) -> egui::Response {
    let positive = info.min > 0.0;
    if !(info.max - info.min).is_finite() || (info.min < 0.0 && info.max - info.min > WIDE) {
        // A slider over such a range would be useless: drag in steps that fit the value.
        let speed = (value.abs() * 0.01).max(0.01);
        return ui.add(egui::DragValue::new(value).speed(speed).suffix(suffix(info)));
    }
    let logarithmic = positive && info.max / info.min >= WIDE;
    // Metres from a millimetre to a million kilometres: the slider covers what land is made of.
    let (min, max) =
        if logarithmic && info.unit == "m" { (info.min.max(1.0), info.max.min(1e5)) } else { (info.min, info.max) };
    let slider = egui::Slider::new(value, min..=max).logarithmic(logarithmic).clamping(egui::SliderClamping::Never);
    ui.add(slider.max_decimals(3).suffix(suffix(info)))
}

fn suffix(info: &ParamInfo) -> String {
    if info.unit.is_empty() { String::new() } else { format!(" {}", info.unit) }
}

/// `feature_size` as people write it.
fn words(name: &str) -> String {
    name.replace('_', " ")
}
