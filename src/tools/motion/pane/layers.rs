//! Pose layers on top of the clip.

use egui_macroquad::egui::{self, RichText, Ui, vec2};
use egui_phosphor::regular as icon;

use super::{Editor, labelled, name_list};
use crate::tools::motion::words as text;
use crate::ui::help::Help;
use crate::ui::jump::{self, Target};
use crate::ui::number::Number;
use crate::ui::theme::Theme;
use crate::ui::widgets::{Changed, choose_name, parameter_help, segmented, slider_row};
use kinescope_ik::animation::{Base, Binding, Clip, LayerInput, LayerKind, PoseLayer};
use kinescope_ik::parameter::{Field, Parameter, Unit, find, find_field};
use kinescope_ik::rig::Skeleton;

const WHOLE_BODY: &str = text::WHOLE_BODY;

pub(super) fn layers(ui: &mut Ui, editor: &mut Editor) {
    let (theme, session) = (editor.theme, editor.session);
    let clips = &session.world.character.model.clips;
    let skeleton: &Skeleton = &session.world.character.model.skeleton;
    let (mut changed, mut removed) = (None, None);
    for (index, layer) in editor.document.motion.layers.iter_mut().enumerate() {
        ui.push_id(("layer", index), |ui| {
            let mut rows = LayerRows { index, theme, clips, skeleton, changed: None, removed: false };
            rows.title(ui, layer);
            rows.numbers(ui, layer);
            rows.time(ui, layer);
            rows.bones(ui, layer);
            changed = rows.changed.or(changed);
            removed = rows.removed.then_some(index).or(removed);
        });
    }
    if let Some(index) = removed {
        editor.document.motion.layers.remove(index);
        changed = Some((text::EDIT_REMOVE_LAYER, None));
    }
    let first = clips.first().map(|clip| clip.name.clone());
    let add = ui.add_enabled(first.is_some(), egui::Button::new(text::ADD_LAYER));
    if add.help(text::ADD_LAYER_HELP).clicked() {
        let clip = first.unwrap_or_default();
        editor.document.motion.layers.push(PoseLayer { clip, weight: 1.0, ..PoseLayer::default() });
        changed = Some((text::EDIT_ADD_LAYER, None));
    }
    if let Some((label, gesture)) = changed {
        editor.note(label, Some(Changed { gesture }));
    }
}

struct LayerRows<'a> {
    index: usize,
    theme: &'a Theme,
    clips: &'a [Clip],
    skeleton: &'a Skeleton,
    changed: Option<(&'static str, Option<u64>)>,
    removed: bool,
}

impl LayerRows<'_> {
    /// Returns the duration of the layer's clip, seconds. 0 if the character has no such clip.
    pub(super) fn length(&self, layer: &PoseLayer) -> f32 {
        self.clips.iter().find(|clip| clip.name == layer.clip).map_or(0.0, |clip| clip.duration)
    }

    fn title(&mut self, ui: &mut Ui, layer: &mut PoseLayer) {
        let theme = self.theme;
        ui.horizontal(|ui| {
            ui.set_height(26.0);
            let mut on = !layer.off;
            let switch = ui.checkbox(&mut on, "").help(text::LAYER_ON_HELP);
            let named = |name: &str| text::name_numbered(&name, &(self.index + 1));
            switch.describe(&|| egui::WidgetInfo::selected(egui::WidgetType::Checkbox, true, on, named("layer")));
            jump::land(&switch, const { find_field(PoseLayer::FIELDS, "off") });
            if switch.changed() {
                layer.off = !on;
                self.changed = Some((text::EDIT_LAYER_ON, None));
            }
            let kinds = [
                (LayerKind::Blend, text::BLEND, text::BLEND_HELP.to_owned()),
                (LayerKind::Additive, text::ADD, text::ADD_HELP.to_owned()),
            ];
            if let Some(kind) = segmented(ui, theme, layer.kind, &kinds) {
                layer.kind = kind;
                layer.weight = layer.weight_parameter().clamp(layer.weight);
                self.changed = Some((text::EDIT_LAYER_KIND, None));
            }
            let names: Vec<&str> = self.clips.iter().map(|clip| clip.name.as_str()).collect();
            let now = (layer.clip.as_str(), names.iter().position(|name| *name == layer.clip));
            if let Some(clip) = choose_name(ui, &named(text::NAME_LAYER_CLIP), now, 76.0, &names).inner {
                names[clip].clone_into(&mut layer.clip);
                self.changed = Some((text::EDIT_LAYER_CLIP, None));
            }
            let bones = self.skeleton.bones().iter().map(|bone| bone.name.as_str());
            let names: Vec<&str> = std::iter::once(WHOLE_BODY).chain(bones).collect();
            let under = layer.under.as_deref().unwrap_or(WHOLE_BODY);
            let now = (under, names.iter().position(|name| *name == under));
            const UNDER: &Field = find_field(PoseLayer::FIELDS, "under");
            let list = choose_name(ui, &named(text::NAME_LAYER_BONES), now, 76.0, &names);
            list.response.setting(UNDER, UNDER.help);
            if let Some(bone) = list.inner {
                layer.under = (bone > 0).then(|| names[bone].to_owned());
                self.changed = Some((text::EDIT_LAYER_BONES, None));
            }
            let takes = ui.button(icon::TRASH).help(text::REMOVE_LAYER_HELP);
            takes.describe(&|| {
                egui::WidgetInfo::labeled(egui::WidgetType::Button, true, named(text::NAME_REMOVE_LAYER))
            });
            if takes.clicked() {
                self.removed = true;
            }
        });
    }

    fn numbers(&mut self, ui: &mut Ui, layer: &mut PoseLayer) {
        let theme = self.theme;
        let info = layer.weight_parameter();
        let row = ui.scope(|ui| slider_row(ui, theme, info.key, &mut layer.weight, info.range(), info));
        // The parameter of the weight depends on the kind of the layer, but the field does not.
        jump::land(&row.response, const { find_field(PoseLayer::FIELDS, "weight") });
        if let Some(weight) = row.inner {
            self.changed = Some((text::EDIT_LAYER_WEIGHT, weight.gesture));
        }
        let name = text::name_weight_by(&(self.index + 1));
        let ends = [info.min.max(-1.0), info.max.min(1.0)];
        let kind = (text::WEIGHT_BY, name.as_str(), info.range(), info.unit, ends);
        if let Some(bound) = binding(ui, theme, &mut layer.weight_by, kind) {
            self.changed = Some((text::EDIT_WEIGHT_INPUT, bound.gesture));
        }
        let length = self.length(layer);
        let name = text::name_time_by(&(self.index + 1));
        let kind = (text::TIME_BY, name.as_str(), 0.0..=length, Unit::Seconds, [0.0, length]);
        if let Some(bound) = binding(ui, theme, &mut layer.time_by, kind) {
            self.changed = Some((text::EDIT_TIME_INPUT, bound.gesture));
        }
        if layer.kind == LayerKind::Additive
            && let Some(base) = base(ui, theme, &mut layer.base, length)
        {
            self.changed = Some((text::EDIT_LAYER_BASE, base.gesture));
        }
    }

    pub(super) fn time(&mut self, ui: &mut Ui, layer: &mut PoseLayer) {
        let (length, mut chosen, mut scaled) = (self.length(layer), None, None);
        ui.horizontal(|ui| {
            ui.set_height(24.0);
            let mut runs = layer.time.is_none();
            if ui.checkbox(&mut runs, text::RUNS).help(text::RUNS_HELP).changed() {
                layer.time = if runs { None } else { Some(length) };
                self.changed = Some((text::EDIT_LAYER_TIME, None));
            }
            if let Some(time) = &mut layer.time {
                let drag = Number::new(time).range(0.0..=length).speed(0.01).decimals(2, 2).of(Unit::Seconds);
                let response = ui.add(drag).help(text::MOMENT_HELP);
                if response.changed() {
                    self.changed = Some((text::EDIT_LAYER_TIME, Changed::of(&response).gesture));
                }
            }
            ui.menu_button(text::MASK, |ui| {
                egui::ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
                    for bone in self.skeleton.bones().iter().filter(|bone| !layer.mask.contains_key(&bone.name)) {
                        if ui.button(&bone.name).clicked() {
                            chosen = Some(bone.name.clone());
                            ui.close_menu();
                        }
                    }
                });
            })
            .response
            .help(text::MASK_HELP);
            ui.menu_button(text::SCALE_BUTTON, |ui| {
                egui::ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
                    for bone in self.skeleton.bones().iter().filter(|bone| !layer.scale.contains_key(&bone.name)) {
                        if ui.button(&bone.name).clicked() {
                            scaled = Some(bone.name.clone());
                            ui.close_menu();
                        }
                    }
                });
            })
            .response
            .help(text::SCALE_HELP);
            if layer.under.is_some() {
                const FEATHER: &Parameter = find(PoseLayer::PARAMETERS, "feather");
                let drag = Number::new(&mut layer.feather).range(0..=FEATHER.usual_max as u32).speed(0.05);
                let response = ui.add(drag.prefix(text::FEATHER_PREFIX)).help(parameter_help(
                    ui,
                    FEATHER,
                    &(0.0..=FEATHER.usual_max),
                ));
                jump::land(&response, &FEATHER.field());
                if response.changed() {
                    self.changed = Some((text::EDIT_FEATHER, Changed::of(&response).gesture));
                }
            }
        });
        if let Some(bone) = chosen {
            layer.mask.insert(bone, 0.0);
            self.changed = Some((text::EDIT_MASK, None));
        }
        if let Some(bone) = scaled {
            layer.scale.insert(bone, PoseLayer::SCALE.default);
            self.changed = Some((text::EDIT_SCALE, None));
        }
    }

    fn bones(&mut self, ui: &mut Ui, layer: &mut PoseLayer) {
        let theme = self.theme;
        let mut unscaled = None;
        for (bone, scale) in &mut layer.scale {
            ui.horizontal(|ui| {
                let width = ui.available_width() - 28.0;
                let row = ui.allocate_ui(vec2(width, 24.0), |ui| {
                    const SCALE: &Parameter = PoseLayer::SCALE;
                    slider_row(ui, theme, &text::name_scale_of(&bone), scale, SCALE.min..=SCALE.usual_max, SCALE)
                });
                if let Some(scale) = row.inner {
                    self.changed = Some((text::EDIT_SCALE, scale.gesture));
                }
                let takes = ui.button(icon::X).help(text::SCALE_RESET_HELP);
                let name = text::name_remove_scale(&bone, &(self.index + 1));
                takes.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &name));
                if takes.clicked() {
                    unscaled = Some(bone.clone());
                }
            });
        }
        if let Some(bone) = unscaled {
            layer.scale.remove(&bone);
            self.changed = Some((text::EDIT_SCALE, None));
        }
        let mut unmasked = None;
        for (bone, weight) in &mut layer.mask {
            ui.horizontal(|ui| {
                let width = ui.available_width() - 28.0;
                let row = ui.allocate_ui(vec2(width, 24.0), |ui| {
                    slider_row(ui, theme, bone, weight, 0.0..=1.0, PoseLayer::MASK)
                });
                if let Some(weight) = row.inner {
                    self.changed = Some((text::EDIT_MASK, weight.gesture));
                }
                let takes = ui.button(icon::X).help(text::MASK_RESET_HELP);
                let name = text::name_remove_mask(&bone, &(self.index + 1));
                takes.describe(&|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &name));
                if takes.clicked() {
                    unmasked = Some(bone.clone());
                }
            });
        }
        if let Some(bone) = unmasked {
            layer.mask.remove(&bone);
            self.changed = Some((text::EDIT_MASK, None));
        }
    }
}

fn base(ui: &mut Ui, theme: &Theme, base: &mut Base, length: f32) -> Option<Changed> {
    let mut changed = None;
    labelled(ui, theme, text::BASE, |ui| {
        const FIELD: &Field = find_field(PoseLayer::FIELDS, "base");
        let sources = jump::source_lines(FIELD.sources);
        let own = match *base {
            Base::Time(time) => Base::Time(time),
            Base::Rest => Base::Time(0.0),
        };
        let options = [
            (own, text::AT_TIME, text::base_time_help(&sources)),
            (Base::Rest, text::REST_POSE, text::base_rest_help(&sources)),
        ];
        let row = ui.scope(|ui| segmented(ui, theme, *base, &options));
        jump::land(&row.response, FIELD);
        if let Some(chosen) = row.inner {
            *base = chosen;
            changed = Some(Changed { gesture: None });
        }
        if let Base::Time(time) = base {
            let drag = Number::new(time).range(0.0..=length).speed(0.01).decimals(2, 2).of(Unit::Seconds);
            let response = ui.add(drag).help(text::BASE_TIME_HELP);
            if response.changed() {
                changed = Some(Changed::of(&response));
            }
        }
    });
    changed
}

/// Shows the binding of a layer's number to an input, and returns the user's change, if any. `kind` has the number's
/// label, accessible name, range and unit, and the initial values at both ends of the input.
fn binding(
    ui: &mut Ui,
    theme: &Theme,
    binding: &mut Option<Binding>,
    kind: (&str, &str, std::ops::RangeInclusive<f32>, Unit, [f32; 2]),
) -> Option<Changed> {
    let (label, name, range, unit, [low, high]) = kind;
    let mut changed = None;
    const OPTIONS: [(Option<LayerInput>, &str); 3] =
        [(None, text::BY_NOTHING), (Some(LayerInput::Pace), text::BY_PACE), (Some(LayerInput::Keys), text::BY_KEYS)];
    labelled(ui, theme, label, |ui| {
        let now = binding.map(|binding| binding.input);
        let text = OPTIONS.iter().find(|(input, _)| *input == now).map_or("", |(_, text)| text);
        let list = egui::ComboBox::from_id_salt(label).selected_text(text).width(110.0).show_ui(ui, |ui| {
            for (input, text) in OPTIONS {
                if ui.selectable_label(input == now, text).clicked() && input != now {
                    *binding = input.map(|input| Binding::of(input, low, high));
                    changed = Some(Changed { gesture: None });
                }
            }
        });
        name_list(&list.response, name, text);
    });
    let Some(binding) = binding else { return changed };
    let input_unit = match binding.input {
        LayerInput::Pace => Unit::MetresPerSecond,
        LayerInput::Keys => Unit::Share,
    };
    let mut row = |ui: &mut Ui, text: &str, input: &mut f32, value: &mut f32| {
        labelled(ui, theme, text, |ui| {
            let drag = Number::new(input).range(Binding::INPUTS).speed(0.01).decimals(2, 2).of(input_unit);
            let response = ui.add(drag).help(text::INPUT_HELP);
            if response.changed() {
                changed = Some(Changed::of(&response));
            }
            ui.label(RichText::new(icon::ARROW_RIGHT).color(theme.text[2]));
            let drag = Number::new(value).range(range.clone()).speed(0.01).decimals(2, 2).of(unit);
            let response = ui.add(drag).help(text::OUTPUT_HELP);
            if response.changed() {
                changed = Some(Changed::of(&response));
            }
        });
    };
    let Binding { from, to, low, high, .. } = binding;
    row(ui, text::CURVE_FROM, from, low);
    row(ui, text::CURVE_TO, to, high);
    changed
}
