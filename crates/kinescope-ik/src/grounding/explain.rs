//! Formula of a single step of grounding, with the numbers of its frame: from the state before the step and the hits of
//! its casts to the value that the step computes.

use glam::Vec3;

use super::event::{Contact, Purpose};
use super::explain_lines::Lines;
use super::foot_ik::{self, FootHeight, FootIkState};
use super::frame::Passing;
use super::leg::{FASTEST_FOOT, VELOCITY_TIME, lift_over_plane, rotation, sole_points};
use super::pelvis::{DAMPER_FALL, DAMPER_RISE};
use super::predictive;
use super::recording::{Recording, SolverState, SolverStep, Work};
use super::settings::Quality;
use super::state::{Frame, LegState, Plane, State, WALL, flat};
use crate::math;
use crate::math::filter::Update;
use crate::names::Side;
use crate::notation::{
    Degrees, Expression, Named, Point, Sheet, Term, about, angle, arc, chase, clamp, cross, half, identity, largest,
    less, max, min, rad, shorten, smallest, turn, unit, zero,
};
use crate::rig::RigidTransform;

/// Returns the formula of a step of the recording; `None` if there is no such step, or if a casting step cast nothing.
pub fn formula(recording: &Recording, step: usize) -> Option<Sheet> {
    let recorded = recording.solve.steps.get(step)?;
    let (before, after) = (recording.solve.state_before(step), &recorded.state);
    let events = recording.solve.events_of(step);
    match (recording.work(), before, after, recorded.step) {
        (
            Work::Predictive(frame, _),
            SolverState::Predictive(before),
            SolverState::Predictive(after),
            SolverStep::Predictive(step),
        ) => {
            Predictive { frame: &frame, before, after, lines: Lines::new(&frame.root, frame.dt, events) }.formula(step)
        }
        (Work::FootIk(frame, _), SolverState::FootIk(before), SolverState::FootIk(after), SolverStep::FootIk(step)) => {
            FootIk { frame: &frame, before, after, lines: Lines::new(&frame.root, frame.dt, events) }.formula(step)
        }
        _ => None,
    }
}

struct Predictive<'a> {
    frame: &'a Frame,
    before: &'a State,
    after: &'a State,
    lines: Lines<'a>,
}

impl Predictive<'_> {
    fn formula(self, step: predictive::Step) -> Option<Sheet> {
        match (step.stage, step.side) {
            (predictive::Stage::RootCheck, None) => self.root_check(),
            (predictive::Stage::Pelvis, None) => Some(self.pelvis()),
            (predictive::Stage::Predict, Some(side)) => Some(self.predict(side)),
            (predictive::Stage::Cast, Some(side)) => self.cast(side),
            (predictive::Stage::FootPlane, Some(side)) => Some(self.foot_plane(side)),
            (predictive::Stage::Rotation, Some(side)) => Some(self.rotate(side)),
            (predictive::Stage::Offset, Some(side)) => Some(self.lift(side)),
            _ => None,
        }
    }

    fn setting(&mut self, name: &'static str, value: f32, what: &str, key: &str) -> Named<f32> {
        self.lines.sheet.given(name, value, format!("{what} (grounding.predictive.{key})."))
    }

    fn highest_step(&mut self) -> Named<f32> {
        self.setting("step", self.frame.settings.max_step, "Largest step up or down, in metres", "max_step")
    }

    fn largest_tilt(&mut self) -> Named<Degrees> {
        let meaning = "Largest rotation of a foot, in degrees (grounding.predictive.max_foot_rotation_angle).";
        self.lines.sheet.given("β", Degrees(self.frame.settings.max_foot_rotation_angle), meaning)
    }

    fn ankle(&mut self, side: Side) -> Named<f32> {
        let height = self.frame.legs[side as usize].geometry.ankle_height;
        self.lines.sheet.given("ankle", height, "Height of the foot bone over the sole, in metres.")
    }

    fn runs(&self) -> bool {
        self.frame.passing == Passing::Run
    }

    fn root_check(mut self) -> Option<Sheet> {
        let cast = self.lines.cast(Purpose::Root)?;
        let step = self.highest_step();
        let (distance, meaning) = match Contact::of(cast.hit, -self.frame.root.up) {
            Contact::Hit(hit) => (
                hit.distance,
                "Distance that the cast moves down until it touches the ground, in metres. The cast begins max_step \
                 above the middle of the soles, or above the root if neither foot has a valid position.",
            ),
            Contact::Buried => (0.0, "Distance to the ground in metres: 0, as the cast began inside the ground."),
            Contact::None => {
                (cast.from.distance(cast.to), "The whole length of the cast, which hit nothing, in metres.")
            }
        };
        let d = self.lines.sheet.given("d", distance, meaning);
        let meaning = "Whether the cast touches the ground before it has moved down by twice max_step.";
        Some(self.lines.sheet.end_with("root check", "grounded", less(d, 2.0 * step), meaning))
    }

    fn predict(mut self, side: Side) -> Sheet {
        let before = &self.before.legs[side as usize];
        let title = format!("predict, {}", side.foot_label());
        let meaning = "Predicted position of the foot, in metres.";
        let lines = &mut self.lines;
        let last =
            lines.sheet.given("p₀", Point(before.position), "Last known position of the animated foot, in metres.");
        let Some(foot) = self.frame.legs[side as usize].foot else {
            let meaning = "Last known position of the foot, in metres: the animated foot has no valid position.";
            return self.lines.sheet.end_with(title, "q", last, meaning);
        };
        let p = lines.foot(side, foot);
        if !before.tracked || self.frame.passing != Passing::Run {
            let meaning = "Current position of the foot, in metres. The foot has no velocity in the first frame, in a \
                           long one, after a jump of the root, or if it had no valid position in the previous frame.";
            return self.lines.sheet.end_with(title, "q", p, meaning);
        }
        let dt = lines.seconds();
        let time =
            lines.sheet.given("τ", VELOCITY_TIME, "Time constant with which the velocity is smoothed, in seconds.");
        let [k, m] = lines.lag(["k", "m"], &(dt / time));
        let was = lines.sheet.given("v₀", before.velocity, "Velocity of the foot a frame ago, in metres per second.");
        let mut velocity: Term<Vec3> = was * k + (p - last) * (m / time);
        if math::length(velocity.get()) > FASTEST_FOOT {
            velocity = shorten(velocity, FASTEST_FOOT);
        }
        let v = lines.sheet.define("v", velocity, "Velocity of the foot, smoothed; metres per second.");
        let up = lines.up();
        let over = lines.sheet.define("f", v - up * (v * up), "The part of v orthogonal to up, in metres per second.");
        let ahead = self.frame.settings.prediction;
        let ahead = self.setting("ahead", ahead, "Time that the prediction looks ahead, in seconds", "prediction");
        self.lines.sheet.end_with(title, "q", p + over * ahead, meaning)
    }

    fn cast(mut self, side: Side) -> Option<Sheet> {
        let cast = self.lines.cast(Purpose::Heel)?;
        let settings = self.frame.settings;
        let foot = self.frame.legs[side as usize].foot?;
        let (step, ankle) = (self.highest_step(), self.ankle(side));
        let (up, p) = (self.lines.up(), self.lines.foot(side, foot));
        let mut begin = p - up * ankle + up * step;
        if settings.quality == Quality::Fastest {
            let meaning = "Predicted position of the foot, in metres.";
            let q = self.lines.sheet.given("q", Point(self.before.legs[side as usize].predicted), meaning);
            begin = begin + (q - p);
        } else if settings.invert_foot_center {
            let meaning = "Direction that the root faces; unit.";
            let forward = self.lines.sheet.given("forward", self.frame.root.forward, meaning);
            let what = "Half the foot's width, at most max_step, in metres";
            let radius = self.setting("radius", settings.foot_radius, what, "foot_radius");
            let what = "Additional distance of the foot's middle behind the foot bone, in metres";
            let center = self.setting("center", settings.foot_center_offset, what, "foot_center_offset");
            let meaning = "Vector from the foot's middle to the foot bone, in metres.";
            begin = begin - self.lines.sheet.define("c", forward * (radius + center), meaning);
        }
        let begin =
            self.lines.sheet.define("b", begin, "Start of the ray, max_step above the height of the sole; metres.");
        let title = format!("cast, {}", side.foot_label());
        Some(self.lines.end_cast(title, cast, begin, 2.0 * step))
    }

    fn foot_plane(mut self, side: Side) -> Sheet {
        let (before, after) = (&self.before.legs[side as usize], &self.after.legs[side as usize]);
        let (up, most) = (self.lines.up(), self.largest_tilt());
        let sheet = &mut self.lines.sheet;
        let LegState { heel, front, beside, .. } = *before;
        let n = match (self.frame.settings.quality, heel, front, beside) {
            (Quality::Simple, Some(heel), Some(front), Some(beside)) => {
                let heel = sheet.given("heel", Point(heel.point), "Point of the ground under the foot, in metres.");
                let meaning = "Point of the ground under the predicted middle of the foot, in metres.";
                let front = sheet.given("front", Point(front.point), meaning);
                let beside =
                    sheet.given("beside", Point(beside.point), "Point of the ground beside the foot, in metres.");
                let normal = cross(front - heel, beside - heel);
                let is_plane = math::unit(normal.get()).is_some();
                let normal = match math::unit(normal.get()) {
                    None => up.term(),
                    Some(unit_normal) if unit_normal.dot(up.get()) < 0.0 => unit(cross(beside - heel, front - heel)),
                    Some(_) => unit(normal),
                };
                let meaning = match is_plane {
                    true => "Unit normal of the plane through the three points.",
                    false => "Up direction, because the three points are on one line.",
                };
                sheet.define("n", normal, meaning)
            }
            _ => match after.plane {
                Some(plane) => sheet.given("n", plane.normal, "Unit normal of the ground that was hit."),
                None => {
                    let meaning = "Up direction, because no cast under the foot or on its path hit the surface of the \
                                   ground.";
                    sheet.define("n", up, meaning)
                }
            },
        };
        let steep = sheet.define("α", angle(up, n), "Slope of the ground, in degrees.");
        let meaning = "Rotation from up to n, at most β: axis times radians. Zero unless n points upwards.";
        let tilt = match up.get().dot(n.get()) > 0.0 {
            true => unit(cross(up, n)) * min(rad(steep), rad(most)),
            false => zero(),
        };
        self.lines.sheet.end_with(format!("foot plane, {}", side.foot_label()), "T", tilt, meaning)
    }

    fn rotate(mut self, side: Side) -> Sheet {
        let leg = &self.before.legs[side as usize];
        let most = self.largest_tilt();
        let meaning = "Rotation of the foot to the plane of the ground; axis times radians.";
        let target = self.lines.sheet.given("T", leg.tilt_target, meaning);
        let wanted = match self.runs() {
            false => target,
            true => {
                let what = "Speed of the rotation: fraction of the remaining rotation per second";
                let speed = self.frame.settings.foot_rotation_speed;
                let speed = self.setting("speed", speed, what, "foot_rotation_speed");
                let lines = &mut self.lines;
                let dt = lines.seconds();
                let was = lines.sheet.given("s₀", leg.tilt, "The foot's rotation a frame ago; axis times radians.");
                let turned = match self.frame.settings.update {
                    Update::Exact => {
                        let meaning = "Target rotation a frame ago; axis times radians.";
                        let from = lines.sheet.given("T₀", leg.last_tilt_target, meaning);
                        let [k, m] = lines.lag(["k", "m"], &(speed * dt));
                        was * k + from * (m - k) + target * (1.0 - m)
                    }
                    Update::PerFrame => arc(was, target, min(speed * dt, 1.0)),
                };
                lines.sheet.define("s", turned, "The foot's smoothed rotation; axis times radians.")
            }
        };
        let meaning = "The foot's rotation before foot_rotation_weight scales it, at most β; axis times radians.";
        self.lines.sheet.end_with(format!("rotation, {}", side.foot_label()), "t", shorten(wanted, rad(most)), meaning)
    }

    fn wanted_height(&mut self, side: Side, p: Named<Point>, sole: Named<f32>) -> Named<f32> {
        const WANTED: &str = "Wanted offset of the foot from its animated position, in metres.";
        let leg = &self.before.legs[side as usize];
        let Some(plane) = leg.plane else {
            let falls = self.frame.settings.overstep_falls_down && !leg.buried;
            let step = self.highest_step();
            let height = if falls { sole - step } else { 0.0.term() };
            let meaning = match (falls, leg.buried) {
                (true, _) => {
                    "Wanted offset without ground under the foot, in metres: the ground counts as max_step below the \
                     animated sole."
                }
                (_, true) => "Wanted offset, in metres: 0, as a cast began inside the ground.",
                _ => "Wanted offset without ground under the foot, in metres: 0, as overstep_falls_down is off.",
            };
            return self.lines.sheet.define("h", height, meaning);
        };
        let lines = &mut self.lines;
        let up = lines.up();
        let c = lines.sheet.given("c", Point(plane.point), "A point of the ground's plane, in metres.");
        let is_wall = plane.normal.dot(self.frame.root.up) < WALL;
        let under = match is_wall {
            true => lines.height(c),
            false => {
                let n = lines.sheet.given("n", plane.normal, "Unit normal of the ground's plane.");
                lines.height(p) - (p - c) * n / (n * up)
            }
        };
        let meaning = match is_wall {
            true => "Height of c over the root's level, in metres; used because the plane is too steep.",
            false => "Height of the ground's plane under the foot bone, over the root's level; metres.",
        };
        let under = lines.sheet.define("g", under, meaning);
        let mut heights = vec![under.term()];
        if let Some(heel) = leg.heel.filter(|_| self.frame.settings.quality != Quality::Fastest) {
            let heel = lines.sheet.given("heel", Point(heel.point), "Point of the ground under the foot, in metres.");
            let height = lines.height(heel);
            heights.push(
                lines.sheet.define("e", height, "Height of the point heel over the root's level, in metres.").term(),
            );
        }
        let names = ["z₁", "z₂", "z₃"];
        for (name, (part, height)) in names.into_iter().zip(self.heights_of_sole(side, &plane)) {
            let meaning = format!("Offset h at which the {part} of the turned foot stands on its ground, in metres.");
            heights.extend(height.map(|height| self.lines.sheet.given(name, height, meaning).term()));
        }
        self.lines.sheet.define("h", largest(&heights), WANTED)
    }

    /// Returns for heel, middle and toe the offset of the foot at which that part of the turned sole stands on its
    /// ground, in metres; `None` if the cast below that part hit nothing or began inside the ground.
    fn heights_of_sole(&self, side: Side, plane: &Plane) -> [(&'static str, Option<f32>); 3] {
        let (frame, leg) = (self.frame, &self.before.legs[side as usize]);
        let (root, geometry) = (&frame.root, &frame.legs[side as usize].geometry);
        let foot = frame.legs[side as usize].foot.unwrap_or(RigidTransform::IDENTITY);
        let turn = rotation(frame, leg);
        let points = sole_points(geometry, foot.rotation, root);
        let heights = points.map(|(purpose, point, _)| {
            let turned = turn * point;
            let ground = match self.lines.cast(purpose) {
                Some(cast) => Contact::of(cast.hit, -root.up).hit().map(|hit| root.height(hit.point)),
                None => Some(plane.height(foot.position + flat(turned, root.up), root)),
            };
            ground.map(|ground| ground - geometry.ankle_height - turned.dot(root.up))
        });
        [("heel", heights[0]), ("middle", heights[1]), ("toe", heights[2])]
    }

    fn lift(mut self, side: Side) -> Sheet {
        let settings = self.frame.settings;
        let leg = &self.before.legs[side as usize];
        let step = self.highest_step();
        let mut highest = step.term();
        let mut target = 0.0.term();
        if let Some(foot) = self.frame.legs[side as usize].foot {
            let (p, ankle) = (self.lines.foot(side, foot), self.ankle(side));
            let sole = self.lines.height(p) - ankle;
            let sole =
                self.lines.sheet.define("s", sole, "Height of the animated sole over the root's level, in metres.");
            highest = clamp(step - sole, 0.0, step);
            if self.before.root_grounded {
                let wanted = self.wanted_height(side, p, sole);
                let what = "Offset of both feet, in metres";
                let lift = self.setting("raise", settings.height_offset, what, "height_offset");
                target = clamp(wanted + lift, -step, step);
            }
        }
        let meaning = "Target of the foot's offset, in metres.";
        let mut way = self.lines.sheet.define("t", target, meaning);
        if self.runs() {
            let what = "Speed of a foot: metres per second, plus this fraction of the remaining distance per second";
            let speed = self.setting("speed", settings.foot_speed, what, "foot_speed");
            let lines = &mut self.lines;
            let dt = lines.seconds();
            let meaning = match settings.update {
                Update::Exact => "The smoothed offset x a frame ago, in metres.",
                Update::PerFrame => "The foot's offset a frame ago, in metres.",
            };
            let was = lines.sheet.given("x₀", leg.free_offset, meaning);
            let moved = match settings.update {
                Update::Exact => {
                    let meaning = "Target of the offset a frame ago, in metres.";
                    let from = lines.sheet.given("t₀", leg.offset_target, meaning);
                    chase(was, from, way, speed, dt).evaluated()
                }
                Update::PerFrame => {
                    let meaning = "Offset after moving at constant speed; metres.";
                    let even = clamp(way, was - speed * dt, was + speed * dt);
                    let even = lines.sheet.define("a", even, meaning);
                    even + (way - even) * min(speed * dt, 1.0)
                }
            };
            way = lines.sheet.define("y", moved, "The foot's smoothed offset, in metres.");
        }
        let sheet = &mut self.lines.sheet;
        let free = sheet.define("x", clamp(way, -step, step), "The smoothed offset, limited to ±max_step; metres.");
        let meaning = "The foot's offset; lifts the sole at most to max_step over the root; metres.";
        self.lines.sheet.end_with(format!("offset, {}", side.foot_label()), "o", min(free, highest), meaning)
    }

    fn pelvis(mut self) -> Sheet {
        let (frame, settings) = (self.frame, self.frame.settings);
        let (before, step) = (&self.before.pelvis, self.highest_step());
        let mut feet = Vec::new();
        for (side, [name, offset, weight]) in Side::ALL.into_iter().zip([["a", "o_l", "w_l"], ["b", "o_r", "w_r"]]) {
            let (foot, sheet) = (side.foot_label(), &mut self.lines.sheet);
            let meaning = format!("Offset of the {foot}, in metres.");
            let offset = sheet.given(offset, self.before.legs[side as usize].offset, meaning);
            let meaning = format!("Weight of the leg of the {foot}, 0 to 1.");
            let weight = sheet.given(weight, frame.legs[side as usize].weight, meaning);
            feet.push(
                sheet
                    .define(name, offset * weight, format!("Offset of the {foot} times its weight, in metres."))
                    .term(),
            );
        }
        feet.push(0.0.term());
        let what = "How much the pelvis follows the lower foot down, 0 to 1";
        let lower = self.setting("lower", settings.lower_pelvis_weight, what, "lower_pelvis_weight");
        let what = "How much the pelvis follows the higher foot up, 0 to 1";
        let lift = self.setting("lift", settings.lift_pelvis_weight, what, "lift_pelvis_weight");
        let target = match self.before.root_grounded {
            true => smallest(&feet) * lower + largest(&feet) * lift,
            false => 0.0.term(),
        };
        let target = self.lines.sheet.define("t", target, "Target of the pelvis's offset, in metres.");
        let mut height = target;
        if self.runs() {
            let what = "Fraction of the root's rise and fall that the damper cancels";
            let damped = self.setting("damper", settings.pelvis_damper, what, "pelvis_damper");
            let what = "Speed of the pelvis: fraction of the remaining distance per second";
            let speed = self.setting("speed", settings.pelvis_speed, what, "pelvis_speed");
            let lines = &mut self.lines;
            let (dt, up) = (lines.seconds(), lines.up());
            let damper = lines.sheet.given("D₀", before.damper, "Strength of the damper a frame ago, 0 to 1.");
            let damper_now = match self.before.legs.iter().any(|leg| leg.grounded) {
                true => min(damper + dt * DAMPER_RISE, 1.0),
                false => max(damper - dt * DAMPER_FALL, 0.0),
            };
            let meaning = "Strength of the damper, 0 to 1: rises while a foot has ground, else falls.";
            let damper_now = lines.sheet.define("D", damper_now, meaning);
            let meaning = "Displacement of the root since the last frame, in metres.";
            let moved = lines.sheet.given("moved", frame.root_moved, meaning);
            let was = "The pelvis's smoothed offset a frame ago, in metres.";
            let way = match settings.update {
                Update::Exact => {
                    let [k, m] = lines.lag(["k", "m"], &(speed * dt));
                    let kept_back = moved * up * damped * (damper + damper_now) * half() * m;
                    let meaning = "Part of the root's rise or fall that the damper still cancels at the end of the frame, in metres.";
                    let kept_back = lines.sheet.define("B", kept_back, meaning);
                    let was = lines.sheet.given("x₀", before.free_height, was);
                    let meaning = "Target of the pelvis's offset a frame ago, in metres.";
                    let from = lines.sheet.given("t₀", before.target, meaning);
                    was * k + from * (m - k) + target * (1.0 - m) - kept_back
                }
                Update::PerFrame => {
                    let kept_back = moved * up * damped * damper_now;
                    let meaning = "Part of the root's rise or fall that the damper cancels, in metres.";
                    let kept_back = lines.sheet.define("B", kept_back, meaning);
                    let was = lines.sheet.given("x₀", before.free_height, was);
                    was + (target - was) * min(speed * dt, 1.0) - kept_back
                }
            };
            height = lines.sheet.define("x", way, "The pelvis's smoothed offset, in metres.");
        }
        let meaning = "Offset of the pelvis, limited to ±max_step, before the reach of a leg lowers it; metres.";
        self.lines.sheet.end_with("pelvis", "h", clamp(height, -step, step), meaning)
    }
}

struct FootIk<'a> {
    frame: &'a foot_ik::Frame,
    before: &'a FootIkState,
    after: &'a FootIkState,
    lines: Lines<'a>,
}

impl FootIk<'_> {
    fn formula(self, step: foot_ik::Step) -> Option<Sheet> {
        match (step.stage, step.side) {
            (foot_ik::Stage::Cast, Some(side)) => self.cast(side),
            (foot_ik::Stage::Rotation, Some(side)) => Some(self.rotate(side)),
            (foot_ik::Stage::Offset, Some(side)) => Some(self.lift(side)),
            (foot_ik::Stage::Pelvis, None) => Some(self.pelvis()),
            _ => None,
        }
    }

    fn setting(&mut self, name: &'static str, value: f32, what: &str, key: &str) -> Named<f32> {
        self.lines.sheet.given(name, value, format!("{what} (grounding.foot_ik.{key})."))
    }

    fn cast(mut self, side: Side) -> Option<Sheet> {
        let cast = self.lines.cast(Purpose::Heel)?;
        let settings = self.frame.settings;
        let (up, p) = (self.lines.up(), self.lines.foot(side, self.frame.legs[side as usize].foot?));
        let what = "Height of the ray's start over the root's level, in metres";
        let height = self.setting("height", settings.height_from_ground_raycast, what, "height_from_ground_raycast");
        let what = "Length of the ray below the root's level, in metres";
        let depth = self.setting("depth", settings.raycast_down_distance, what, "raycast_down_distance");
        let begin = p + up * (height - self.lines.height(p));
        let begin = self.lines.sheet.define("b", begin, "Start of the ray, in metres.");
        Some(self.lines.end_cast(format!("cast, {}", side.foot_label()), cast, begin, height + depth))
    }

    fn rotate(mut self, side: Side) -> Sheet {
        let settings = self.frame.settings;
        let title = format!("rotation, {}", side.foot_label());
        let Some((plane, _)) = foot_ik::slope(self.frame, &self.before.legs[side as usize]) else {
            let meaning =
                "The foot's rotation, in degrees: none, as rotate_feet is off or no ground that faces up was hit.";
            return self.lines.sheet.end_with(title, "R", identity(), meaning);
        };
        let (up, sheet) = (self.lines.up(), &mut self.lines.sheet);
        let n = sheet.given("n", plane.normal, "Unit normal of the ground that was hit.");
        let slope = sheet.define("S", turn(up, n), "Rotation from up to the normal of the ground, in degrees.");
        let (degrees, key) = match side {
            Side::Left => (settings.left_foot_angle_offset, "left_foot_angle_offset"),
            Side::Right => (settings.right_foot_angle_offset, "right_foot_angle_offset"),
        };
        let meaning = format!("Rotation of the foot about up, in degrees (grounding.foot_ik.{key}).");
        let aside = sheet.given("δ", Degrees(degrees), meaning);
        self.lines.sheet.end_with(title, "R", about(up, aside) * slope, "The foot's rotation, in degrees.")
    }

    fn lift(mut self, side: Side) -> Sheet {
        let frame = self.frame;
        let (leg, at) = (&self.before.legs[side as usize], &frame.legs[side as usize]);
        let title = format!("offset, {}", side.foot_label());
        let (runs, update) = (frame.passing == Passing::Run, frame.settings.update);
        if leg.hit.is_none() && update == Update::PerFrame {
            let meaning = "The foot's offset, in metres: without ground the foot jumps to its animated position.";
            return self.lines.sheet.end_with(title, "o", 0.0.term(), meaning);
        }
        let mut target = 0.0.term();
        if let Some(hit) = leg.hit {
            let what = "Offset of feet and pelvis, in metres";
            let lift = self.setting("lift", frame.settings.pelvis_offset, what, "pelvis_offset");
            let hit = self.lines.sheet.given("hit", Point(hit.point), "Point of the ground under the foot, in metres.");
            target = self.lines.height(hit) + lift;
        }
        if let (Some(foot), Some((plane, slope))) = (at.foot, foot_ik::slope(frame, leg)) {
            let geometry = &at.geometry;
            let size = geometry.ankle_height + geometry.heel_offset + geometry.toe_offset;
            let sheet = &mut self.lines.sheet;
            let meaning = "Lift that keeps the sole of the turned foot out of the ground, in metres.";
            let over = sheet.given("z", lift_over_plane(&plane, geometry, foot, slope, &frame.root), meaning);
            let size = sheet.given("size", size, "Limit of z: ankle height plus heel and toe offset, in metres.");
            target = target + min(over, size);
        }
        let what = match frame.settings.foot_height {
            FootHeight::Added => "offset",
            FootHeight::Replaced => "height",
        };
        let target = self.lines.sheet.define("t", target, format!("Target of the foot's {what}, in metres."));
        let (share, key) = (frame.settings.feet_to_ik_position_speed, "feet_to_ik_position_speed");
        let was = match update {
            Update::Exact => format!("The foot's {what} a frame ago, in metres."),
            Update::PerFrame => format!("The foot's {what} in the last frame with ground, in metres."),
        };
        let way = match (runs, update) {
            (true, Update::PerFrame) => {
                let share = self.share(share, key);
                let was = self.lines.sheet.given("x₀", leg.level(), was);
                was + (target - was) * share
            }
            _ => match self.follow(share, key) {
                None => target.term(),
                Some(rate) => {
                    let lines = &mut self.lines;
                    let was = lines.sheet.given("x₀", leg.level(), was);
                    let from =
                        lines.sheet.given("t₀", leg.target, format!("Target of the {what} a frame ago, in metres."));
                    let dt = lines.seconds();
                    let [k, m] = lines.lag(["k", "m"], &(rate * dt));
                    was * k + from * (m - k) + target * (1.0 - m)
                }
            },
        };
        match (at.foot, leg.hit, frame.settings.foot_height) {
            (Some(foot), Some(_), FootHeight::Replaced) => {
                let meaning = "Height in this frame that replaces the height of the animated foot, in metres.";
                let way = self.lines.sheet.define("x", way, meaning);
                let p = self.lines.foot(side, foot);
                let height = self.lines.height(p);
                let meaning = "The foot's offset from the animation, in metres.";
                self.lines.sheet.end_with(title, "o", way - height, meaning)
            }
            _ => {
                let meaning = "The foot's offset in this frame, in metres.";
                self.lines.sheet.end_with(title, "x", way, meaning)
            }
        }
    }

    fn share(&mut self, share: f32, key: &str) -> Named<f32> {
        self.setting("share", share, "Share of the remaining distance covered in a frame, 0 to 1", key)
    }

    fn follow(&mut self, share: f32, key: &str) -> Option<Named<f32>> {
        if self.frame.passing == Passing::Run { self.lines.rate(share, key) } else { None }
    }

    fn pelvis(mut self) -> Sheet {
        const HEIGHT: &str = "Smoothed offset of the pelvis toward the lower foot; metres.";
        let (before, after) = (self.before, self.after);
        let sheet = &mut self.lines.sheet;
        let targets = [("l", 0, "left"), ("r", 1, "right")].map(|(name, leg, side)| {
            let meaning =
                format!("Pelvis offset required by the {side} foot, in metres; 0 unless both feet have ground.");
            sheet.given(name, after.pelvis_targets[leg], meaning)
        });
        let [l, r] = targets;
        let (share, key) = (self.frame.settings.pelvis_up_and_down_speed, "pelvis_up_and_down_speed");
        if self.frame.passing == Passing::Run && self.frame.settings.update == Update::PerFrame {
            if before.legs.iter().any(|leg| leg.hit.is_none()) {
                let meaning = "The pelvis's offset, in metres: 0, its animated position, as not both feet have ground.";
                return self.lines.sheet.end_with("pelvis", "x", 0.0.term(), meaning);
            }
            let body = foot_ik::body(self.frame);
            let share = self.share(share, key);
            let lines = &mut self.lines;
            let up = lines.up();
            let meaning = "Position of the animated pelvis: the middle between the hips, the only known hip, or else \
                           the root; metres.";
            let now = lines.sheet.given("b", Point(body), meaning);
            let meaning = "Position of the animated pelvis a frame ago, in metres.";
            let last = lines.sheet.given("b₀", Point(before.body.unwrap_or(body)), meaning);
            let meaning = "Rise of the animated pelvis since the frame before, in metres.";
            let rise = lines.sheet.define("u", (now - last) * up, meaning);
            let was = lines.sheet.given("x₀", before.pelvis, "The pelvis's smoothed offset a frame ago, in metres.");
            let meaning = "The smoothed offset x₀, measured from the current animated pelvis; metres.";
            let was = lines.sheet.define("y", was - rise, meaning);
            let to = lines.sheet.define("t", min(l, r), "Pelvis offset required by the lower foot, in metres.");
            return self.lines.sheet.end_with("pelvis", "x", was + (to - was) * share, HEIGHT);
        }
        let Some(rate) = self.follow(share, key) else {
            let meaning = "Pelvis offset required by the lower foot, in metres; the pelvis takes it at once.";
            return self.lines.sheet.end_with("pelvis", "x", min(l, r), meaning);
        };
        let lines = &mut self.lines;
        let [l0, r0] = [("l₀", 0, "left"), ("r₀", 1, "right")].map(|(name, leg, side)| {
            let meaning = format!("Pelvis offset required by the {side} foot a frame ago, in metres.");
            lines.sheet.given(name, before.pelvis_targets[leg], meaning)
        });
        let (dt, was) = (
            lines.seconds(),
            lines.sheet.given("x₀", before.pelvis, "The pelvis's smoothed offset a frame ago, in metres."),
        );
        let (apart, apart_now) = (l0.get() - r0.get(), l.get() - r.get());
        let part = apart / (apart - apart_now);
        if apart * apart_now >= 0.0 || dt.get() * part <= 0.0 || dt.get() * (1.0 - part) <= 0.0 {
            let meaning = "Pelvis offset required by the lower foot a frame ago, in metres.";
            let from = lines.sheet.define("t₀", min(l0, r0), meaning);
            let to = lines.sheet.define("t", min(l, r), "Pelvis offset required by the lower foot, in metres.");
            let [k, m] = lines.lag(["k", "m"], &(rate * dt));
            return self.lines.sheet.end_with("pelvis", "x", was * k + from * (m - k) + to * (1.0 - m), HEIGHT);
        }
        // The lower foot of the last frame is the higher one now.
        let (from, to) = if apart < 0.0 { (l0, r) } else { (r0, l) };
        let part = (l0 - r0) / (l0 - r0 - (l - r));
        let meaning = "Fraction of the frame after which both feet require the same offset, 0 to 1.";
        let part = lines.sheet.define("s", part, meaning);
        let meaning = "Pelvis offset required by both feet at the time s, in metres.";
        let kink = lines.sheet.define("c", l0 + (l - l0) * part, meaning);
        let [k, m] = lines.lag_during(["k₁", "m₁"], &(rate * dt * part), "the part of the frame up to s");
        let way = was * k + from * (m - k) + kink * (1.0 - m);
        let meaning = "The pelvis's offset at the time s, after following the foot that was lower; metres.";
        let way = lines.sheet.define("y", way, meaning);
        let [k, m] = lines.lag_during(["k₂", "m₂"], &(rate * dt * (1.0 - part)), "the part of the frame after s");
        self.lines.sheet.end_with("pelvis", "x", way * k + kink * (m - k) + to * (1.0 - m), HEIGHT)
    }
}
