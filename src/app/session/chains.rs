//! What the session does for chains: those of the character, and the lab.

use std::path::Path;

use glam::{Vec2, Vec3};

use super::{Action, Selection, Session};
use crate::app::chains::{ChainHandle, ChainRef, ChainSection, LabSection, MOST_LANES, Solve};
use crate::app::document::Document;
use crate::app::files::{self, Most};
use crate::app::handles::{Handle, HandleId};
use crate::app::timeline::{Cursor, Steps};
use crate::chain_ik::draw::{LimitFrame, LimitPart};
use crate::chain_ik::file::ChainFile;
use crate::chain_ik::{Chain, Limit, Settings, State};

impl Session {
    /// What the document says of chains.
    pub fn chain_section(&self) -> &ChainSection {
        &self.history.document().chain_ik
    }

    pub fn lab(&self) -> Option<&LabSection> {
        self.chain_section().lab.as_ref()
    }

    /// The chain whose steps the timeline shows; `None` is the full body.
    pub fn chain_focus(&self) -> Option<ChainRef> {
        match self.selection {
            Selection::ChainIk(chain) if self.chains.get(chain).is_some() => Some(chain),
            _ => self.lab().map(|_| ChainRef::Lane(self.chains.lane)),
        }
    }

    /// The chain in focus.
    pub fn focused_chain(&self) -> Option<&Solve> {
        self.chain_focus().and_then(|focus| self.chains.get(focus))
    }

    /// The steps of what is in focus.
    pub fn steps(&self) -> Steps<'_> {
        match self.chain_focus() {
            None => match self.motion.recording.as_ref().filter(|_| self.ground_focus()) {
                Some(recording) => Steps::Ground(recording),
                None => Steps::Body(&self.recording),
            },
            Some(focus) => match self.chains.get(focus).and_then(|solve| solve.recording.as_ref()) {
                Some(recording) => Steps::Chain(recording),
                None => Steps::Nothing,
            },
        }
    }

    /// Where a chain is: at the cursor if it is in focus, at its end if it is not. Of lanes beside the one in focus,
    /// the end of the iteration that the cursor is in.
    pub fn chain_state(&self, chain: ChainRef) -> Option<State> {
        let recording = self.chains.get(chain)?.recording.as_ref()?;
        let Some(focus) = self.chain_focus() else { return Some(recording.solve.end().clone()) };
        if focus == chain {
            let count = self.cursor.within.map_or(usize::MAX, |within| within + 1);
            return recording.state_within(self.cursor.step, count).or_else(|| Some(recording.solve.end().clone()));
        }
        let Some(iteration) = self.steps().iteration(self.cursor.step).filter(|_| self.paused) else {
            let at_start = self.paused && self.cursor.step == 0;
            return Some(if at_start { recording.solve.start.clone() } else { recording.solve.end().clone() });
        };
        let last = recording.solve.steps.iter().rfind(|step| step.step.iteration.is_some_and(|own| own <= iteration));
        Some(last.map_or_else(|| recording.solve.start.clone(), |step| step.state.clone()))
    }

    /// Where it was before the step, or move, that the cursor is at.
    pub fn chain_state_before(&self, chain: ChainRef) -> Option<State> {
        let recording = self.chains.get(chain)?.recording.as_ref()?;
        recording.state_within(self.cursor.step, self.cursor.within.unwrap_or(0))
    }

    /// How far aside a lane is drawn; model units.
    pub fn lane_offset(&self, chain: ChainRef) -> Vec3 {
        let (ChainRef::Lane(index), Some(lab)) = (chain, self.lab()) else { return Vec3::ZERO };
        if lab.over || lab.lanes.len() < 2 {
            return Vec3::ZERO;
        }
        let (right, _) = self.camera.right_and_up();
        let width = self.lab_size() * 0.85;
        right * width * (index as f32 - (lab.lanes.len() as f32 - 1.0) / 2.0)
    }

    /// Length of the lab's chain; model units.
    pub fn lab_size(&self) -> f32 {
        let input = self.chains.lanes.first().and_then(|lane| lane.input.as_ref());
        input.and_then(|input| input.as_ref().ok()).map_or(1.0, |input| input.chain.length())
    }

    /// Solves chains of the frame: of one that was recorded from what it was recorded with, unless the document's
    /// chains have changed since.
    pub(super) fn solve_chains(&mut self, is_new: bool) {
        let section = self.history.document().chain_ik.clone();
        let frame = self.debugger.tape.get(self.frame).filter(|_| !is_new);
        let recorded = frame.map(|frame| (frame.chains.clone(), frame.chain_time));
        let layers = section.chains.iter().filter(|chain| !chain.off).count();
        let lanes = section.lab.as_ref().map_or(0, |lab| lab.lanes.len());
        if let Some((inputs, time)) = &recorded {
            self.chains.time = *time;
            if !self.chains_changed && inputs.len() == layers + lanes {
                let pose = &mut self.pose_solved.bones;
                self.chains.replay(&section, &self.character, inputs, pose, self.measures_time);
                return;
            }
        }
        self.chains.solve_layers(&section, &self.character, &mut self.pose_solved.bones, self.measures_time);
        let starts = recorded.as_ref().map(|(inputs, _)| &inputs[inputs.len() - inputs.len().min(lanes)..]);
        self.chains.solve_lanes(&section, &self.character, self.character_number, starts, self.measures_time);
    }

    /// What a chain's solve left to its target.
    pub(super) fn lab_residual(&self) -> Option<f32> {
        self.lab()?;
        Some(self.chains.lanes.get(self.chains.lane)?.recording.as_ref()?.outcome.error)
    }

    /// Whether the lab's target goes on by itself.
    pub(super) fn lab_moves(&self) -> bool {
        !self.paused
            && self.clip.playing
            && self.drag.is_none()
            && self.lab().is_some_and(|lab| lab.motion != crate::app::chains::Motion::Still)
    }

    /// Changes the chains of the document, if they are valid.
    pub fn edit_chains(&mut self, label: &str, gesture: Option<u64>, chain_ik: ChainSection) {
        if let Err(error) = chain_ik.validate() {
            self.fail(error.to_string());
            return;
        }
        let (places, room) = (chain_ik.places(), self.room());
        let known = self.chain_section().places();
        if let Some(error) = places.into_iter().find_map(|(what, place)| {
            let before = known.iter().find(|(name, _)| *name == what).map(|(_, place)| *place);
            room.refuses(&what, before, Some(place))
        }) {
            self.fail(error);
            return;
        }
        let before =
            self.lab().map(|lab| (lab.chain.clone(), lab.lanes.clone(), lab.limits.clone(), lab.weights.clone()));
        let document = Document { chain_ik, ..self.history.document().clone() };
        self.history.edit(label, gesture, document);
        let after =
            self.lab().map(|lab| (lab.chain.clone(), lab.lanes.clone(), lab.limits.clone(), lab.weights.clone()));
        if before != after {
            self.chains.again = true;
            // What another solver did says nothing about this one.
            for lane in &mut self.chains.lanes {
                lane.smoothness = Default::default();
            }
        }
        self.chains_edited();
    }

    /// The document's chains are other than they were.
    pub(super) fn chains_edited(&mut self) {
        self.chains_changed = true;
        self.needs_solve = true;
    }

    /// The settings of a chain, to be edited.
    pub fn chain_settings_mut(section: &mut ChainSection, chain: ChainRef) -> Option<&mut Settings> {
        match chain {
            ChainRef::Layer(index) => section.chains.get_mut(index).map(|chain| &mut chain.settings),
            ChainRef::Lane(index) => section.lab.as_mut()?.lanes.get_mut(index),
        }
    }

    /// The limits of a chain, to be edited; at least as many as it has bones up to `bone`.
    pub fn chain_limit_mut(section: &mut ChainSection, chain: ChainRef, bone: usize) -> Option<&mut Limit> {
        let limits = match chain {
            ChainRef::Layer(index) => &mut section.chains.get_mut(index)?.limits,
            ChainRef::Lane(_) => &mut section.lab.as_mut()?.limits,
        };
        if limits.len() <= bone {
            limits.resize(bone + 1, Limit::Free);
        }
        limits.get_mut(bone)
    }

    /// The weights of a chain's bones, to be edited; at least as many as up to `bone`.
    pub fn chain_weight_mut(section: &mut ChainSection, chain: ChainRef, bone: usize) -> Option<&mut f32> {
        let weights = match chain {
            ChainRef::Layer(index) => &mut section.chains.get_mut(index)?.weights,
            ChainRef::Lane(_) => &mut section.lab.as_mut()?.weights,
        };
        if weights.len() <= bone {
            weights.resize(bone + 1, 1.0);
        }
        weights.get_mut(bone)
    }

    /// A chain and where it is.
    fn chain_of(&self, own: ChainRef) -> Option<(&Chain, State)> {
        let input = self.chains.get(own)?.input.as_ref()?.as_ref().ok()?;
        Some((&input.chain, self.chain_state(own)?))
    }

    /// The chains in the picture: the lab's lanes, or those of the character.
    pub fn chains_shown(&self) -> Vec<ChainRef> {
        match self.lab() {
            Some(_) => (0..self.chains.lanes.len()).map(ChainRef::Lane).collect(),
            None => (0..self.chains.layers.len()).map(ChainRef::Layer).collect(),
        }
    }

    /// Handles of chains that can be grabbed now: every target, and of the chain in focus bend goal and limit.
    pub(super) fn chain_handles(&self) -> Vec<Handle> {
        let mut found = Vec::new();
        for own in self.chains_shown() {
            self.handles_of(own, &mut found);
        }
        found
    }

    fn handles_of(&self, own: ChainRef, found: &mut Vec<Handle>) {
        let projector = self.projector();
        let Some(solve) = self.chains.get(own) else { return };
        let (Some((chain, state)), Some(Ok(input))) = (self.chain_of(own), &solve.input) else { return };
        let offset = self.lane_offset(own);
        let mut add = |id: ChainHandle, position: Vec3| {
            let screen = projector.to_screen(position + offset);
            if let Some(screen) = screen.filter(|&screen| projector.viewport.contains(screen)) {
                found.push(Handle { id: HandleId::Chain(own, id), position, screen, weight: 1.0, is_set: true });
            }
        };
        for (index, goal) in input.goals.iter().enumerate().filter(|_| self.view.targets) {
            add(ChainHandle::Target(index), goal.position);
        }
        if self.chain_focus() != Some(own) {
            return;
        }
        if let Some(goal) = input.settings.bend_goal {
            add(ChainHandle::BendGoal, goal);
        }
        if let Some(bone) = chain.bones().get(self.chains.bone).filter(|_| self.view.limits) {
            let frame = LimitFrame::new(chain, &state, self.chains.bone);
            let parts = [LimitPart::Min, LimitPart::Max, LimitPart::Swing, LimitPart::TwistMin, LimitPart::TwistMax];
            for part in parts {
                if let Some(place) = frame.handle(&bone.limit, part) {
                    add(ChainHandle::Limit { bone: self.chains.bone, part }, place);
                }
            }
        }
    }

    /// A handle of a chain was dragged there.
    pub(super) fn place_chain_handle(&mut self, own: ChainRef, id: ChainHandle, position: Vec3) {
        let Some((chain, state)) = self.chain_of(own) else { return };
        let mut section = self.chain_section().clone();
        let label = match id {
            ChainHandle::Target(index) => {
                match own {
                    ChainRef::Layer(layer) => {
                        if let Some(own) = section.chains.get_mut(layer) {
                            own.target = Some(position);
                        }
                    }
                    ChainRef::Lane(_) => {
                        if let Some(lab) = &mut section.lab {
                            let offset = lab.motion.offset(self.chains.time, 0.3 * chain.length());
                            if lab.targets.len() <= index {
                                lab.targets.resize(index + 1, position - offset);
                            }
                            lab.targets[index] = position - offset;
                        }
                    }
                }
                "move the chain's target"
            }
            ChainHandle::BendGoal => {
                if let Some(settings) = Self::chain_settings_mut(&mut section, own) {
                    settings.bend_goal = Some(position);
                }
                "move the chain's bend goal"
            }
            ChainHandle::Limit { bone, part } => {
                let Some(limited) = chain.bones().get(bone) else { return };
                let dragged = LimitFrame::new(chain, &state, bone).dragged(&limited.limit, part, position);
                if let Some(limit) = Self::chain_limit_mut(&mut section, own, bone) {
                    *limit = dragged;
                }
                "move a limit"
            }
        };
        self.edit_chains(label, Some(self.gesture_count), section);
    }

    /// How far from its place a handle is drawn: lanes lie beside each other.
    pub(super) fn handle_offset(&self, id: HandleId) -> Vec3 {
        match id {
            HandleId::Chain(own, _) => self.lane_offset(own),
            _ => Vec3::ZERO,
        }
    }

    /// A handle of a chain was grabbed: its chain comes into focus.
    pub(super) fn grab_chain(&mut self, own: ChainRef) {
        if self.chain_focus() != Some(own) {
            if let ChainRef::Lane(lane) = own {
                self.chains.lane = lane;
            }
            self.set_selection(Selection::ChainIk(own));
            self.cursor = Cursor::end(self.steps());
        }
        self.set_selection(Selection::ChainIk(own));
    }

    /// Opens or closes the lab.
    pub(super) fn toggle_lab(&mut self) {
        let mut section = self.chain_section().clone();
        section.lab = match section.lab {
            Some(_) => None,
            None => Some(LabSection::default()),
        };
        let label = if section.lab.is_some() { "open the lab" } else { "close the lab" };
        self.enter_lab(label, section);
    }

    /// Opens the lab that is in the section, or closes the one that was there.
    fn enter_lab(&mut self, label: &str, section: ChainSection) {
        let is_open = section.lab.is_some();
        // What the scene has to say is about the character, or about the lab that is closed.
        self.scene = None;
        self.chains.reset_lanes();
        self.set_selection(Selection::Nothing);
        self.edit_chains(label, None, section);
        self.update(0.0);
        self.cursor = Cursor::end(self.steps());
        if is_open {
            self.requests.push(super::Request::ShowPane(crate::app::layout::Pane::Lab));
        }
        self.frame_all();
    }

    /// A chain file, as a lane of the lab that does what the file says.
    fn open_chain(&mut self, path: &Path) {
        let read = files::read_text(path, Most::CHAIN).and_then(|text| {
            let file = ChainFile::from_json(&text);
            file.and_then(|file| LabSection::of_file(&file)).map_err(|fault| format!("{}: {fault}", path.display()))
        });
        match read {
            Ok(lab) => {
                let section = ChainSection { lab: Some(lab), ..self.chain_section().clone() };
                self.enter_lab("open a chain", section);
                self.notify(format!("opened {} in the lab", path.display()));
            }
            Err(error) => self.fail(error),
        }
    }

    pub(super) fn apply_chains(&mut self, action: Action) {
        match action {
            Action::OpenChain(path) => self.open_chain(&path),
            Action::EditChains { label, gesture, section } => self.edit_chains(&label, gesture, *section),
            Action::Lane(lane) => {
                self.chains.lane = lane;
                self.set_selection(Selection::ChainIk(ChainRef::Lane(lane)));
                self.cursor = Cursor::end(self.steps());
            }
            Action::ChainBone(bone) => self.chains.bone = bone,
            Action::AddLane(settings) => {
                let mut section = self.chain_section().clone();
                if let Some(lab) = section.lab.as_mut().filter(|lab| lab.lanes.len() < MOST_LANES) {
                    lab.lanes.push(settings);
                    self.edit_chains("add a lane", None, section);
                }
            }
            Action::RemoveLane(index) => {
                let mut section = self.chain_section().clone();
                if let Some(lab) = section.lab.as_mut().filter(|lab| lab.lanes.len() > 1 && index < lab.lanes.len()) {
                    lab.lanes.remove(index);
                    self.set_selection(Selection::Nothing);
                    self.edit_chains("remove a lane", None, section);
                }
            }
            Action::ResetLab => {
                self.chains.reset_lanes();
                self.chains_edited();
            }
            _ => {}
        }
    }

    /// The middle and the radius of what the lab shows, lanes beside each other included.
    pub(super) fn lab_bounds(&self) -> Option<(Vec3, f32)> {
        self.lab()?;
        let (mut least, mut most) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for (index, lane) in self.chains.lanes.iter().enumerate() {
            let Some(Ok(input)) = &lane.input else { continue };
            let offset = self.lane_offset(ChainRef::Lane(index));
            let targets = input.goals.iter().map(|goal| goal.position);
            let solved = lane.recording.as_ref().map_or(input.chain.rest(), |recording| recording.solve.end());
            let places = solved.positions.iter().copied().chain(targets);
            for place in places.map(|place| place + offset) {
                (least, most) = (least.min(place), most.max(place));
            }
        }
        let size = most - least;
        // Names stand below the roots.
        let middle = (least + most) / 2.0 - Vec3::Y * 0.06 * size.y;
        size.is_finite().then_some((middle, (0.55 * size.length()).max(0.4 * self.lab_size())))
    }

    /// The lane under the pointer: clicking one brings its steps up.
    pub(super) fn lane_at(&self, pointer: Vec2) -> Option<usize> {
        let projector = self.projector();
        let lanes = 0..self.chains.lanes.len();
        let near = lanes.filter_map(|lane| {
            let chain = ChainRef::Lane(lane);
            let offset = self.lane_offset(chain);
            let state = self.chain_state(chain)?;
            let screens = state.positions.iter().filter_map(|&place| projector.to_screen(place + offset));
            let distance = screens.map(|screen| screen.distance(pointer)).fold(f32::INFINITY, f32::min);
            Some((lane, distance))
        });
        let nearest = near.min_by(|a, b| a.1.total_cmp(&b.1))?;
        (nearest.1 < 30.0).then_some(nearest.0)
    }
}
