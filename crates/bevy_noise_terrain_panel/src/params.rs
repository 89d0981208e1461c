//! Editors for the parameters of a node, from the metadata of `terrain_noise`.

use bevy_egui::egui;
use terrain_noise::{Fractal, Noise, ParamInfo, ParamMut};

use super::curve;
use super::fault::Fault;
use super::number::{self, Row, number};
use super::tree::{self, Value};

/// Shows the parameters of a node; `path` is its path in a preset.
pub fn ui(ui: &mut egui::Ui, path: &str, noise: &mut Noise, fault: Option<&Fault>) {
    let defaults = defaults(ui, noise);
    if let Some(message) = Fault::at(fault, path) {
        number::complain(ui, message);
    }
    noise.edit_params(|info, param| {
        let default = defaults.iter().find(|(name, _)| *name == info.name).map(|(_, value)| value);
        let path = format!("{path}.{}", info.name);
        row(ui, &path, info, default, param, fault);
    });
    if let Noise::Fractal(fractal) = noise {
        // The same parameter in another form: persistence = lacunarity ^ -H.
        let lacunarity = fractal.lacunarity.max(1.01).ln();
        let before = -fractal.persistence.max(1e-4).ln() / lacunarity;
        let mut hurst = before;
        let help = "Hurst exponent: persistence as a power of the lacunarity, lacunarity^-H";
        let row = Row { name: "H", help, range: Some((0.0, 2.0)), default: None, ..Row::default() };
        number(ui, &row, &mut hurst);
        if hurst != before {
            fractal.persistence = (-hurst * lacunarity).exp();
        }
    }
}

/// The parameters of a new node of this kind, cached between frames.
fn defaults(ui: &egui::Ui, noise: &Noise) -> std::sync::Arc<Vec<(&'static str, Value)>> {
    let id = egui::Id::new(("defaults of", noise.name()));
    let kept = ui.data(|data| data.get_temp(id));
    kept.unwrap_or_else(|| {
        let values = std::sync::Arc::new(tree::values(&noise.kind().over(Fractal::default())));
        ui.data_mut(|data| data.insert_temp(id, values.clone()));
        values
    })
}

fn row(
    ui: &mut egui::Ui,
    path: &str,
    info: &ParamInfo,
    default: Option<&Value>,
    param: ParamMut<'_>,
    fault: Option<&Fault>,
) {
    let name = words(info.name);
    let mut row = Row {
        path,
        name: &name,
        help: info.help,
        unit: info.unit,
        range: Some((info.min, info.max)),
        slider: None,
        default: info.default,
        whole: false,
        fault: Fault::at(fault, path),
    };
    match param {
        ParamMut::Number(value) => number(ui, &row, value),
        ParamMut::Integer(value) => {
            row.whole = true;
            let mut real = f64::from(*value);
            number(ui, &row, &mut real);
            // Rounded to a non-negative integer; the range is validated with the draft.
            *value = real.round() as u32;
        }
        ParamMut::Seed(value) => {
            number::row(ui, info.name, |ui| {
                number::label(ui, &name, info.help);
                ui.add(egui::DragValue::new(value).speed(0.1)).on_hover_text(info.help);
                if ui.button("Random").on_hover_text("Another seed").clicked() {
                    *value = random_seed(ui, *value);
                }
                if let Some(Value::Seed(default)) = default
                    && number::reset(ui, default != value, None)
                {
                    *value = *default;
                }
            });
        }
        ParamMut::Points(points) => {
            number::label(ui, &name, info.help);
            ui.push_id(info.name, |ui| curve::ui(ui, points));
            // An error of one of the points.
            if let Some(message) = Fault::below(fault, path) {
                number::complain(ui, &message);
            }
        }
        ParamMut::Choice(choice) => {
            number::row(ui, info.name, |ui| {
                number::label(ui, &name, info.help);
                let names = choice.names();
                let mut index = choice.index();
                egui::ComboBox::from_id_salt("choice")
                    .width(ui.available_width() - 30.0)
                    .selected_text(spaced(names.get(index).copied().unwrap_or_default()))
                    .show_ui(ui, |ui| {
                        for (other, name) in names.iter().enumerate() {
                            ui.selectable_value(&mut index, other, spaced(name));
                        }
                    })
                    .response
                    .on_hover_text(info.help);
                if let Some(Value::Choice(_, default)) = default
                    && number::reset(ui, *default != index, None)
                {
                    index = *default;
                }
                if index != choice.index() {
                    choice.choose(index);
                }
            });
        }
    }
}

/// Another seed at each click.
pub fn random_seed(ui: &egui::Ui, seed: u64) -> u64 {
    let time = ui.input(|input| input.time);
    terrain_noise::seed_from_str(&format!("{seed} {time}")) >> 32
}

/// `feature_size` → `feature size`.
pub fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// `RidgedMultifractal` → `Ridged multifractal`.
pub fn spaced(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    let mut before = 'A';
    for letter in name.chars() {
        if letter.is_uppercase() && before.is_lowercase() {
            text.push(' ');
            text.extend(letter.to_lowercase());
        } else {
            text.push(letter);
        }
        before = letter;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_words() {
        assert_eq!(words("feature_size"), "feature size");
        assert_eq!(spaced("RidgedMultifractal"), "Ridged multifractal");
    }
}
