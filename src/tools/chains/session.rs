use std::path::Path;
use std::path::PathBuf;

use glam::{Vec2, Vec3};

use crate::session::{Action, Now, Selection, Session};
use crate::system::files::{self, SizeLimit};
use crate::tools::body_lab;
use crate::tools::chains::words as text;
use crate::tools::chains::{self, ChainHandle};
use crate::tools::pose::handles::{Handle, HandleId};
use crate::world::World;
use kinescope_ik::chain_ik::draw::{LimitFrame, LimitPart};
use kinescope_ik::chain_ik::file::ChainFile;
use kinescope_ik::chain_ik::{Chain, Limit, Settings, State};
use kinescope_ik::rig::LimbName;
use kinescope_ik::stack::{ChainSection, LabSection, LayerId, MOST_LANES, TargetMotion};
use kinescope_ik::stepped::Run;
use kinescope_ik::stepped::run::{Cursor, iteration};

#[derive(Clone, Debug)]
pub enum ChainAction {
    ShowLane(usize),
    /// Selects the bone of the chain in focus whose limit and weight the pane shows, and whose bend the plots
    /// highlight.
    ShowBone(usize),
    /// Chooses the root (0) or the end (1) of the chain that [`Self::AddChain`] adds.
    ChooseEnd(usize, Option<kinescope_ik::rig::BoneIndex>),
    AddChain,
    AddLane(kinescope_ik::chain_ik::Settings),
    RemoveLane(usize),
    OpenFile(PathBuf),
    ResetLab,
}

/// Number of points of a moving target's path that framing the lab includes.
const PATH_POINTS: usize = 24;
/// Time from one of the [`PATH_POINTS`] to the next, seconds.
const PATH_STEP: f32 = 0.25;

impl Session {
    pub fn chain_focus(&self) -> Option<LayerId> {
        Some(self.focus()).filter(|focus| matches!(focus, LayerId::Chain(_) | LayerId::Lane(_)))
    }

    /// Returns the step at which a chain is drawn; `None` if the chain was not solved. While the user steps a lane,
    /// other lanes show the same iteration.
    pub(crate) fn chain_cursor(&self, chain: LayerId) -> Option<Cursor> {
        let run = self.world.solved.chain(chain)?;
        let focus = self.focus();
        if focus == chain {
            return Some(self.world.time.cursor);
        }
        let is_another_lane =
            matches!((focus, chain), (LayerId::Lane(_), LayerId::Lane(_))) && self.world.time.is_paused();
        let shown = self.shown_run().filter(|_| is_another_lane).map(|run| iteration(run, self.world.time.cursor.step));
        let Some(shown) = shown else { return Some(Cursor::end(run)) };
        let last = match shown {
            Some(shown) => (0..run.steps()).rfind(|&step| iteration(run, step).is_some_and(|own| own <= shown)),
            None if self.world.time.cursor.step == 0 => None,
            None => return Some(Cursor::end(run)),
        };
        Some(Cursor { step: last.unwrap_or(0), within: None })
    }

    pub fn chain_state(&self, chain: LayerId) -> Option<State> {
        Some(self.world.solved.chain(chain)?.state(self.chain_cursor(chain)?))
    }

    /// Returns the largest distance of an end of a chain from its target at [`Self::chain_cursor`], model units.
    pub fn chain_error(&self, chain: LayerId) -> Option<f32> {
        let run = self.world.solved.chain(chain)?;
        Some(run.recording.error(&self.chain_state(chain)?))
    }

    /// Returns the offset at which a lane is drawn, model units. Zero for layers that are no lanes, for overlaid
    /// lanes, and for a single lane of the chain lab.
    pub fn lane_offset(&self, chain: LayerId) -> Vec3 {
        if let LayerId::BodyLane(lane) = chain {
            return body_lab::picture::offset(self, lane);
        }
        let (LayerId::Lane(index), Some(lab)) = (chain, self.world.lab()) else { return Vec3::ZERO };
        if lab.over || lab.lanes.len() < 2 {
            return Vec3::ZERO;
        }
        let (right, _) = self.look.camera.right_and_up();
        let width = self.world.lab_size() * 0.85;
        right * width * (index as f32 - (lab.lanes.len() as f32 - 1.0) / 2.0)
    }

    pub(crate) fn follow_lanes(&mut self) {
        let lanes = self.world.lab().map_or(0, |lab| lab.lanes.len());
        self.tools.chains.lane = self.tools.chains.lane.min(lanes.saturating_sub(1));
        self.tools.chains.smoothness.resize_with(lanes, Default::default);
        for (lane, smoothness) in self.tools.chains.smoothness.iter_mut().enumerate() {
            if let Some(run) = self.world.solved.chain(LayerId::Lane(lane)) {
                let target = run.recording.targets.first().copied().unwrap_or_default();
                smoothness.add(&run.recording.solve.end().positions, target);
            }
        }
    }

    pub(crate) fn lab_moves(&self) -> bool {
        !self.world.time.is_paused()
            && self.world.clip.playing
            && self.interaction.drag.is_none()
            && self.world.lab().is_some_and(|lab| lab.motion != TargetMotion::Still)
    }

    pub fn edit_chains(&mut self, label: &str, gesture: Option<u64>, chain_ik: ChainSection) {
        self.edit(label, gesture, self.world.history.document().with_chains(chain_ik));
    }

    fn chain_of(&self, own: LayerId) -> Option<(&Chain, State)> {
        Some((&self.world.solved.chain(own)?.recording.chain, self.chain_state(own)?))
    }

    pub(crate) fn chain_handles(&self) -> Vec<Handle> {
        let mut found = Vec::new();
        for own in self.world.chains_shown() {
            self.handles_of(own, &mut found);
        }
        found
    }

    fn handles_of(&self, own: LayerId, found: &mut Vec<Handle>) {
        let projector = self.projector();
        let Some(recording) = self.world.solved.chain(own).map(|run| &run.recording) else { return };
        let Some((chain, state)) = self.chain_of(own) else { return };
        let offset = self.lane_offset(own);
        let mut add = |id: ChainHandle, position: Vec3| {
            let screen = projector.to_screen(position + offset);
            if let Some(screen) = screen.filter(|&screen| projector.viewport.contains(screen)) {
                found.push(Handle { id: HandleId::Chain(own, id), position, screen, weight: 1.0, is_set: true });
            }
        };
        let follows = match own {
            LayerId::Chain(index) => {
                self.world.chain_section().chains.get(index).is_some_and(|chain| !chain.target_source.is_own())
            }
            _ => false,
        };
        for (index, goal) in recording.goals.iter().enumerate().filter(|_| self.look.view.targets && !follows) {
            add(ChainHandle::Target(index), goal.position);
        }
        if self.chain_focus() != Some(own) {
            return;
        }
        if let Some(goal) = recording.settings.bend_goal {
            add(ChainHandle::BendGoal, goal);
        }
        if let Some(bone) = chain.bones().get(self.tools.chains.bone).filter(|_| self.look.view.limits) {
            let frame = LimitFrame::new(chain, &state, self.tools.chains.bone);
            let parts = [LimitPart::Min, LimitPart::Max, LimitPart::Swing, LimitPart::TwistMin, LimitPart::TwistMax];
            for part in parts {
                if let Some(place) = frame.handle(&bone.limit, part) {
                    add(ChainHandle::Limit { bone: self.tools.chains.bone, part }, place);
                }
            }
        }
    }

    pub(crate) fn place_chain_handle(&mut self, own: LayerId, id: ChainHandle, position: Vec3) {
        let Some((chain, state)) = self.chain_of(own) else { return };
        let mut section = self.world.chain_section().clone();
        let label = match id {
            ChainHandle::Target(index) => {
                match own {
                    LayerId::Chain(layer) => {
                        if let Some(own) = section.chains.get_mut(layer) {
                            own.target = Some(position);
                        }
                    }
                    _ => {
                        if let Some(lab) = &mut section.lab {
                            let offset = lab.motion.offset(self.tools.chains.time, 0.3 * chain.length());
                            if lab.targets.len() <= index {
                                lab.targets.resize(index + 1, position - offset);
                            }
                            lab.targets[index] = position - offset;
                        }
                    }
                }
                text::EDIT_MOVE_TARGET
            }
            ChainHandle::BendGoal => {
                if let Some(settings) = chain_settings_mut(&mut section, own) {
                    settings.bend_goal = Some(position);
                }
                text::EDIT_MOVE_BEND_GOAL
            }
            ChainHandle::Limit { bone, part } => {
                let Some(limited) = chain.bones().get(bone) else { return };
                let dragged = LimitFrame::new(chain, &state, bone).dragged(&limited.limit, part, position);
                if let Some(limit) = chain_limit_mut(&mut section, own, bone) {
                    *limit = dragged;
                }
                text::EDIT_MOVE_LIMIT
            }
        };
        self.edit_chains(label, Some(self.interaction.gestures), section);
    }

    pub(crate) fn handle_offset(&self, id: HandleId) -> Vec3 {
        match id {
            HandleId::Chain(own, _) => self.lane_offset(own),
            _ => Vec3::ZERO,
        }
    }

    pub(crate) fn grab_chain(&mut self, own: LayerId) {
        self.focus_lane(own);
        self.set_selection(Selection::Layer(own));
    }

    fn focus_lane(&mut self, own: LayerId) {
        let before = self.focus();
        if let LayerId::Lane(lane) = own {
            self.tools.chains.lane = lane;
        }
        self.refocused(before);
    }

    pub(crate) fn toggle_lab(&mut self) {
        let mut section = self.world.chain_section().clone();
        section.lab = match section.lab {
            Some(_) => None,
            None => Some(LabSection::with_plain_lanes()),
        };
        let label = if section.lab.is_some() { text::EDIT_OPEN_LAB } else { text::EDIT_CLOSE_LAB };
        self.enter_lab(label, section);
    }

    fn enter_lab(&mut self, label: &str, section: ChainSection) {
        let is_open = section.lab.is_some();
        // The scene ends, because its hint no longer applies.
        self.started_scene.scene = None;
        self.world.motion.forget_lanes();
        self.tools.chains.time = 0.0;
        self.set_selection(Selection::Nothing);
        self.edit_chains(label, None, section);
        // The paused instant belongs to the previous stack, so the session goes live.
        self.world.time.now = Now::Live;
        self.update(0.0);
        self.world.time.cursor = self.end();
        if is_open {
            self.window.requests.push(crate::session::Request::ShowPane(crate::session::Pane::Lab));
        }
        self.frame_all();
    }

    fn add_chain(&mut self) {
        let bones = match chains::between(&self.world.character, self.tools.chains.ends) {
            Ok(bones) => bones,
            Err(error) => return self.fail(error),
        };
        let name = match (bones.first(), bones.last()) {
            (Some(root), Some(end)) => text::chain_name(&root, &end),
            (None, _) | (_, None) => String::new(),
        };
        let mut section = self.world.chain_section().clone();
        section.chains.push(chains::new_chain(&self.world.character, &self.world.picture.pose, name, bones));
        let last = section.chains.len() - 1;
        self.edit_chains(text::EDIT_ADD_CHAIN, None, section);
        self.apply(Action::Select(Selection::Layer(LayerId::Chain(last))));
    }

    fn open_chain(&mut self, path: &Path) {
        let read = files::read_text(path, SizeLimit::CHAIN).and_then(|text| {
            let file = ChainFile::from_json(&text);
            file.and_then(|file| LabSection::of_file(&file)).map_err(|fault| format!("{}: {fault}", path.display()))
        });
        match read {
            Ok(lab) => {
                let section = ChainSection { lab: Some(lab), ..self.world.chain_section().clone() };
                self.enter_lab(text::EDIT_OPEN_CHAIN, section);
                self.notify(text::opened_in_lab(&path.display()));
            }
            Err(error) => self.fail(error),
        }
    }

    pub(crate) fn apply_chains(&mut self, action: ChainAction) {
        match action {
            ChainAction::OpenFile(path) => self.open_chain(&path),
            ChainAction::ShowLane(lane) => {
                self.grab_chain(LayerId::Lane(lane));
                self.show();
            }
            ChainAction::ShowBone(bone) => self.tools.chains.bone = bone,
            ChainAction::ChooseEnd(which, bone) => {
                if let Some(end) = self.tools.chains.ends.get_mut(which) {
                    *end = bone;
                }
            }
            ChainAction::AddChain => self.add_chain(),
            ChainAction::AddLane(settings) => {
                let mut section = self.world.chain_section().clone();
                if let Some(lab) = section.lab.as_mut().filter(|lab| lab.lanes.len() < MOST_LANES) {
                    lab.lanes.push(settings);
                    self.edit_chains(text::EDIT_ADD_LANE, None, section);
                }
            }
            ChainAction::RemoveLane(index) => {
                let mut section = self.world.chain_section().clone();
                if let Some(lab) = section.lab.as_mut().filter(|lab| lab.lanes.len() > 1 && index < lab.lanes.len()) {
                    lab.lanes.remove(index);
                    self.set_selection(Selection::Nothing);
                    self.edit_chains(text::EDIT_REMOVE_LANE, None, section);
                }
            }
            ChainAction::ResetLab => {
                self.world.motion.forget_lanes();
                self.tools.chains.time = 0.0;
                self.world.time.needs_solve = true;
            }
        }
    }

    pub(crate) fn lab_points(&self) -> Vec<Vec3> {
        let Some(lab) = self.world.lab() else { return Vec::new() };
        let mut points = Vec::new();
        for own in self.world.chains_shown() {
            let Some(recording) = self.world.solved.chain(own).map(|run| &run.recording) else { continue };
            let aside = self.lane_offset(own);
            let size = 0.3 * recording.chain.length();
            let offset = |seconds: f32| lab.motion.offset(seconds, size);
            for goal in &recording.goals {
                let still = goal.position - offset(self.tools.chains.time);
                points.extend((0..PATH_POINTS).map(|point| still + offset(point as f32 * PATH_STEP) + aside));
                points.push(goal.position + aside);
            }
            // The start of the solve is included, because the first step shows it.
            let ends = [&recording.solve.start.positions, &recording.solve.end().positions];
            points.extend(ends.into_iter().flatten().map(|&place| place + aside));
        }
        points
    }

    pub(crate) fn lane_at(&self, pointer: Vec2) -> Option<usize> {
        let projector = self.projector();
        let lanes = 0..self.world.lab()?.lanes.len();
        let near = lanes.filter_map(|lane| {
            let chain = LayerId::Lane(lane);
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

impl World {
    /// Returns the distance of a limb's end to its target in the picture, model units. `None` if limbs are not solved
    /// individually.
    pub fn limb_error(&self, limb: LimbName) -> Option<f32> {
        let goal = self.solved.limbs()?.frame.limbs.get(limb.index())?;
        let end = self.picture.pose.bones.get(goal.bones[2])?;
        Some(end.position.distance(goal.target))
    }
}

pub(crate) fn chain_settings_mut(section: &mut ChainSection, chain: LayerId) -> Option<&mut Settings> {
    match chain {
        LayerId::Chain(index) => section.chains.get_mut(index).map(|chain| &mut chain.settings),
        LayerId::Lane(index) => section.lab.as_mut()?.lanes.get_mut(index),
        _ => None,
    }
}

pub(crate) fn chain_limit_mut(section: &mut ChainSection, chain: LayerId, bone: usize) -> Option<&mut Limit> {
    let limits = match chain {
        LayerId::Chain(index) => &mut section.chains.get_mut(index)?.limits,
        _ => &mut section.lab.as_mut()?.limits,
    };
    if limits.len() <= bone {
        limits.resize(bone + 1, Limit::Free);
    }
    limits.get_mut(bone)
}

pub(crate) fn chain_weight_mut(section: &mut ChainSection, chain: LayerId, bone: usize) -> Option<&mut f32> {
    let weights = match chain {
        LayerId::Chain(index) => &mut section.chains.get_mut(index)?.weights,
        _ => &mut section.lab.as_mut()?.weights,
    };
    if weights.len() <= bone {
        weights.resize(bone + 1, 1.0);
    }
    weights.get_mut(bone)
}
