//! Contents of the palette: commands, scenes and settings, found by their letters.
//!
//! The palette finds a setting by its name, its owner and its names in the sources, and opens the pane with its
//! control.

use crate::scenes::{SCENES, Scene};
use crate::session::commands::{COMMANDS, CommandInfo};
use crate::session::{Pane, Selection, Session};
use crate::shell::panes::words as text;
use crate::system::order::sort_by_key;
use crate::world::crowd::CrowdSection;
use crate::world::motion::MotionSection;
use kinescope_ik::animation::PoseLayer;
use kinescope_ik::chain_ik::{self, Solver};
use kinescope_ik::full_body::{Chain, ChainSettings, Effector, EffectorSettings, Settings, SolverSettings};
use kinescope_ik::grounding::{
    DriveWeights, FootIkSettings, FootprintSettings, LimbSettings, LockSettings, PredictiveSettings, SpeedSettings,
    WeightSource,
};
use kinescope_ik::key::label;
use kinescope_ik::parameter::{Field, find_field};
use kinescope_ik::stack::{Drive, GroundingSection, LayerId, Method};

#[derive(Clone, Debug)]
pub enum Entry {
    Command(&'static CommandInfo),
    Scene(&'static Scene),
    Setting(Setting),
}

impl Entry {
    pub fn group(&self) -> String {
        match self {
            Self::Command(info) => info.menu.to_owned(),
            Self::Scene(scene) => text::scenes_of(&scene.topic()),
            Self::Setting(_) => text::SETTINGS_GROUP.to_owned(),
        }
    }

    pub fn why_not(&self, session: &Session) -> Option<&'static str> {
        match self {
            Self::Command(info) => session.why_not(info.command),
            Self::Scene(_) | Self::Setting(_) => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    Inspector(Selection),
    Pane(Pane),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    pub field: Field,
    /// The part that has the setting, such as a limb or a modifier. Empty for the whole full-body solver.
    pub owner: String,
    pub place: Place,
    /// The field whose control is shown. It is the setting's own field, or the field that enables the setting.
    pub control: Field,
    /// Instruction for the user, if the setting has no effect yet.
    pub first: Option<&'static str>,
}

impl Setting {
    pub fn label(&self) -> String {
        let name = label(self.field.key);
        if self.owner.is_empty() { name } else { format!("{}, {name}", self.owner) }
    }
}

#[derive(Clone, Debug)]
pub struct Found {
    pub entry: Entry,
    /// The name in a source that matched the query. `None` if the row's own name matches at least as well.
    pub by: Option<&'static str>,
}

/// Returns the matching rows, the best match first: see [`cost`]. Without a query, returns all commands, then all
/// scenes.
pub fn matching(query: &str, settings: &[Setting]) -> Vec<Found> {
    let rows = COMMANDS.iter().map(Entry::Command).chain(SCENES.iter().map(Entry::Scene));
    if query.trim().is_empty() {
        return rows.map(|entry| Found { entry, by: None }).collect();
    }
    let query = letters(query);
    let rows = rows.chain(settings.iter().cloned().map(Entry::Setting));
    let mut found: Vec<_> = rows.filter_map(|entry| ranked(&query, entry)).collect();
    sort_by_key(&mut found, |(rank, _)| *rank);
    found.into_iter().map(|(_, found)| found).collect()
}

/// Rank of a match, of which the smallest is best: cost of the letters, then length of the searched text.
type Rank = (usize, usize);

fn ranked(query: &[Letter], entry: Entry) -> Option<(Rank, Found)> {
    let rank = |text: &str| {
        let text = letters(text);
        Some((cost(query, &text)?, text.len()))
    };
    let (rank, by) = match &entry {
        Entry::Command(info) => (rank(info.label)?, None),
        Entry::Scene(scene) => (rank(scene.name)?, None),
        Entry::Setting(setting) => {
            let name = label(setting.field.key);
            let own = [rank(&name), rank(&setting.label()), rank(&format!("{name} {}", setting.owner))];
            let own = own.into_iter().flatten().min().map(|own| (own, None));
            let sources = setting.field.sources.iter();
            let named = sources.filter_map(|own| Some((rank(own.name)?, Some(own.name)))).min();
            match (own, named) {
                // The setting's own name takes precedence if it matches equally well.
                (Some(own), Some(named)) if own.0 <= named.0 => own,
                (own, named) => named.or(own)?,
            }
        }
    };
    Some((rank, Found { entry, by }))
}

/// A letter or digit in lower case, and whether a word begins with it.
type Letter = (char, bool);

/// Returns the letters and digits of a text. Words begin after any other character, and at a capital after a lower-case
/// letter.
pub fn letters(text: &str) -> Vec<Letter> {
    let mut before = ' ';
    let mut found = Vec::new();
    for own in text.chars() {
        if own.is_alphanumeric() {
            let begins = !before.is_alphanumeric() || (own.is_uppercase() && before.is_lowercase());
            found.extend(own.to_lowercase().map(|own| (own, begins)));
        }
        before = own;
    }
    found
}

/// Returns the cost of matching the letters of `query` in order in `text`. Returns `None` if letters are missing, or if
/// the cost exceeds the number of letters of `query`. The first letter costs 0 at the beginning of a word, otherwise 2.
/// Each further letter costs 0 directly after the previous match, 1 at the beginning of a word, and otherwise one more
/// than the number of skipped letters.
pub fn cost(query: &[Letter], text: &[Letter]) -> Option<usize> {
    if query.is_empty() {
        return None;
    }
    // For each letter of the text, `best` has the least cost of the query so far if the query's last letter is matched
    // there.
    let mut best: Vec<Option<usize>> = Vec::new();
    for (index, &(wanted, _)) in query.iter().enumerate() {
        // These are the least cost at all earlier places, and the least difference of cost and place.
        let (mut anywhere, mut nearest): (Option<usize>, Option<isize>) = (None, None);
        let next = text.iter().enumerate().map(|(at, &(own, begins))| {
            let found = if own != wanted {
                None
            } else if index == 0 {
                Some(if begins { 0 } else { 2 })
            } else {
                let beside = at.checked_sub(1).and_then(|before| best[before]);
                let begun = anywhere.filter(|_| begins).map(|cost| cost + 1);
                let skipped = nearest.and_then(|cost| usize::try_from(cost + at as isize).ok());
                [beside, begun, skipped].into_iter().flatten().min()
            };
            if let Some(cost) = best.get(at).copied().flatten() {
                anywhere = Some(anywhere.map_or(cost, |least| least.min(cost)));
                let own = cost as isize - at as isize;
                nearest = Some(nearest.map_or(own, |least| least.min(own)));
            }
            found
        });
        best = next.collect();
    }
    best.into_iter().flatten().min().filter(|&cost| cost <= query.len())
}

pub fn settings(session: &Session) -> Vec<Setting> {
    let mut all = Vec::new();
    full_body(session, &mut all);
    grounding(session, &mut all);
    chains(session, &mut all);
    for layer in LayerId::with_settings().filter(|layer| layer.has_own_section()) {
        let place = Place::Inspector(Selection::Layer(layer));
        all.extend(layer.fields().iter().map(|&field| shown(field, &layer.label(), place)));
    }
    for (index, modifier) in session.world.stack().modifiers.iter().enumerate() {
        let owner = format!("{} {}", modifier.name(), index + 1);
        let place = Place::Inspector(Selection::of_modifier(index, modifier));
        all.extend(modifier.parameters().parameters().iter().map(|own| shown(own.field(), &owner, place)));
    }
    motion(session, &mut all);
    all
}

fn shown(field: Field, owner: &str, place: Place) -> Setting {
    Setting { field, owner: owner.to_owned(), place, control: field, first: None }
}

fn full_body(session: &Session, all: &mut Vec<Setting>) {
    let from = all.len();
    let mut add = |fields: &[Field], owner: &str, selection| {
        all.extend(fields.iter().map(|&field| shown(field, owner, Place::Inspector(selection))));
    };
    // The inspector also shows the settings of the full body for these selections.
    let selection = match session.interaction.selection {
        own @ (Selection::Effector(_) | Selection::Chain(_) | Selection::BendGoal(_)) => own,
        Selection::Nothing | Selection::Layer(_) | Selection::Modifier(..) => Selection::Nothing,
    };
    add(SolverSettings::FIELDS, "", selection);
    let limb = session.interaction.selection.limb();
    let mut chains = Chain::ALL;
    sort_by_key(&mut chains, |chain| limb.is_some() && chain.limb() != limb);
    let mut effectors = Effector::ALL;
    sort_by_key(&mut effectors, |&effector| session.interaction.selection != Selection::Effector(effector));
    for chain in chains {
        let fields = if chain.limb().is_some() { ChainSettings::FIELDS } else { PIN };
        add(fields, &label(chain.key()), Selection::Chain(chain));
    }
    for effector in effectors {
        // Only hands and feet have a rotation target, and can keep their place relative to the torso.
        let of_ends = ["rotation", "rotation_weight", "maintain_relative_position"];
        let fields = EffectorSettings::FIELDS.iter().copied();
        let fields = fields.filter(|field| effector.limb().is_some() || !of_ends.contains(&field.key));
        add(&fields.collect::<Vec<_>>(), &label(effector.key()), Selection::Effector(effector));
    }
    if session.world.lab().is_some() {
        for setting in &mut all[from..] {
            (setting.place, setting.first) = (Place::Pane(Pane::Lab), Some(text::FIRST_CLOSE_LAB));
        }
    }
}

const PIN: &[Field] = &[*find_field(Settings::FIELDS, "pin")];

fn grounding(session: &Session, all: &mut Vec<Setting>) {
    const fn of_section(key: &str) -> Field {
        *find_field(GroundingSection::FIELDS, key)
    }
    const METHOD: Field = of_section("method");
    const DRIVE: Field = of_section("drive");
    const SOURCE: Field = of_section("weight_source");
    const RULES: Field = of_section("rules");
    const LOCK: Field = *find_field(LockSettings::FIELDS, "on");
    const SOLVER: Field = *find_field(LimbSettings::FIELDS, "solver");
    let own = &session.world.stack().grounding;
    let (method, is_on) = (own.method, own.method != Method::Off);
    let inspector = Place::Inspector(Selection::Layer(LayerId::Grounding));
    let motion = Place::Pane(Pane::Motion);
    // A setting of grounding that has no effect yet is listed with the control that enables it.
    let choose = |field: Field, owner: &str, first: &'static str| Setting {
        control: METHOD,
        first: Some(first),
        ..shown(field, owner, motion)
    };
    const CHOOSE: &str = text::FIRST_CHOOSE_METHOD;
    let is_there = is_on && session.world.ground_recording().is_some();
    // Only experiments of the stack set these fields, so they have no control.
    let of_experiments = ["update", "foot_height"];
    let mut add = |fields: &[Field], owner: &str, is_shown: bool, first: &'static str| {
        let fields = fields.iter().filter(|field| !of_experiments.contains(&field.key));
        all.extend(fields.map(|&field| match is_shown && is_there {
            true => shown(field, owner, inspector),
            false => choose(field, owner, first),
        }));
    };
    let predicts = matches!(method, Method::Predictive | Method::Path);
    add(FootIkSettings::FIELDS, text::OWNER_FOOT_IK, method == Method::FootIk, text::FIRST_FOOT_IK);
    add(PredictiveSettings::FIELDS, text::OWNER_PREDICTIVE, predicts, text::FIRST_PREDICTIVE);
    add(FootprintSettings::FIELDS, "footprints", method == Method::Path, text::FIRST_PATH);
    add(DriveWeights::FIELDS, text::OWNER_WEIGHTS, true, CHOOSE);
    let everywhere = ["environment", "rotate_solver", "cast_rate", "weight_source", "rules"].map(of_section);
    add(&everywhere, "grounding", true, CHOOSE);
    all.push(shown(METHOD, "grounding", motion));
    all.push(if is_on { shown(DRIVE, "grounding", motion) } else { choose(DRIVE, "grounding", CHOOSE) });

    // Adds a setting. `control` is the control that must enable the setting first, if there is one.
    let mut behind = |field: Field, owner: &str, control: Option<(Field, Place, &'static str)>| {
        all.push(match control {
            _ if !is_there => choose(field, owner, CHOOSE),
            None => shown(field, owner, inspector),
            Some((control, place, first)) => Setting { control, first: Some(first), ..shown(field, owner, place) },
        });
    };
    let by_speed = own.weight_source == WeightSource::Speed;
    for &field in SpeedSettings::FIELDS {
        let first = text::FIRST_BY_SPEED;
        behind(field, text::OWNER_FOOT_WEIGHT, (!by_speed).then_some((SOURCE, inspector, first)));
    }
    for &field in LimbSettings::FIELDS {
        let control = match own.drive {
            Drive::FullBody => Some((DRIVE, motion, text::FIRST_FOUR_LIMBS)),
            Drive::Limbs if field == SOLVER || own.limbs.solver.iterates() => None,
            Drive::Limbs => Some((SOLVER, inspector, text::FIRST_ITERATING_SOLVER)),
        };
        behind(field, "limbs", control);
    }
    let has_rules = !own.rules.is_empty();
    behind(of_section("blend"), "grounding", (!has_rules).then_some((RULES, inspector, text::FIRST_ADD_RULE)));
    for &field in LockSettings::FIELDS {
        let is_off = !own.lock.on && field != LOCK;
        behind(field, text::OWNER_FOOT_LOCK, is_off.then_some((LOCK, inspector, text::FIRST_FOOT_LOCK)));
    }
    let curves = match method {
        Method::FootIk => by_speed.then_some((SOURCE, inspector, text::FIRST_BY_CURVES)),
        Method::Off | Method::Predictive | Method::Path => Some((METHOD, motion, text::FIRST_FOOT_IK)),
    };
    behind(of_section("curves"), text::OWNER_FOOT_IK, curves);
    // While the lab is open, the inspector shows a lane.
    if session.world.lab().is_some() {
        for setting in all.iter_mut().filter(|setting| setting.place == inspector) {
            (setting.place, setting.first) = (Place::Pane(Pane::Lab), Some(text::FIRST_CLOSE_LAB));
        }
    }
}

fn chains(session: &Session, all: &mut Vec<Setting>) {
    let section = session.world.chain_section();
    // The inspector shows only the lane in focus.
    let shown_lane = session.world.lab().and_then(|lab| lab.lanes.get(session.tools.chains.lane));
    let lane = shown_lane.map(|own| (LayerId::Lane(session.tools.chains.lane), *own));
    let chains = section.chains.iter().enumerate().map(|(index, own)| (LayerId::Chain(index), own.settings));
    for (layer, settings) in chains.filter(|_| session.world.lab().is_none()).chain(lane) {
        let owner = layer.label_in(session.world.stack());
        let fields = chain_ik::Settings::FIELDS.iter().filter(|field| has_control(&settings, field.key));
        let place = Place::Inspector(Selection::Layer(layer));
        all.extend(fields.map(|&field| shown(field, &owner, place)));
    }
}

fn has_control(settings: &chain_ik::Settings, key: &str) -> bool {
    let solver = settings.solver;
    match key {
        "maximum_stretch" | "soft_zone" | "bend_goal" => !solver.iterates(),
        "change_tolerance" | "max_iterations" | "accelerate" | "weighting" => solver.iterates(),
        "ccd_turn" => matches!(solver, Solver::Ccd | Solver::CcdGrowing),
        "map_turn" => solver == Solver::Fabrik,
        "bend_normal" => matches!(solver, Solver::Fabrik | Solver::TwoBone),
        "bend_rule" => solver == Solver::Fabrik && settings.bend_normal.is_some(),
        "rotations" => false,
        _ => true,
    }
}

fn motion(session: &Session, all: &mut Vec<Setting>) {
    let place = Place::Pane(Pane::Motion);
    let plan = session.world.plan();
    for field in MotionSection::FIELDS {
        let has_control = match field.key {
            "fade" | "travel" | "frame_rate" => true,
            "lean" => plan.terrain.is_some(),
            "pace" => !plan.motion.gaits.is_empty(),
            "start" => plan.motion.travel == crate::world::motion::Travel::InPlace,
            "closed" => plan.motion.travel == crate::world::motion::Travel::Path,
            _ => false,
        };
        if has_control {
            all.push(shown(*field, "motion", place));
        }
    }
    for (index, layer) in plan.motion.layers.iter().enumerate() {
        let owner = text::owner_pose_layer(&(index + 1));
        for field in PoseLayer::FIELDS {
            let has_control = match field.key {
                "feather" => layer.under.is_some(),
                "base" => layer.kind == kinescope_ik::animation::LayerKind::Additive,
                _ => true,
            };
            if has_control {
                all.push(shown(*field, &owner, place));
            }
        }
    }
    const COUNT: &Field = find_field(CrowdSection::FIELDS, "count");
    all.push(shown(*COUNT, "crowd", Place::Pane(Pane::Crowd)));
}
