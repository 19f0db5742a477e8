//! The solver on top of the picture, in pixels: whatever the distance, a mark keeps its size.

use std::sync::Arc;

use egui_macroquad::egui::{self, Align2, Color32, FontId, Galley, Pos2, Rect, Shape, Stroke, Vec2, vec2};
use glam::Vec3;

use super::chains::{self, Aside};
use super::{doctor, motion, places};
use crate::app::camera::Projector;
use crate::app::chains::ChainHandle;
use crate::app::debugger::CompareStyle;
use crate::app::handles::{Handle, HandleId, node_of};
use crate::app::session::{Selection, Session};
use crate::app::theme::{Theme, fade, node_mark, semibold};
use crate::app::words::{self, capital, counted, step_title};
use crate::debug_draw::{DebugDraw, Subject};
use crate::full_body::Node;
use crate::full_body::bend_constraint::BendSource;
use crate::full_body::child_constraint::PAIRS;
use crate::full_body::draw::draw_step;
use crate::grounding::Side;
use crate::stack::{self, LayerId};
use crate::stepped::Run;
use crate::stepped::run::{Cursor, Shown};

/// From back to front.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Layer {
    Planes,
    Ghost,
    Bones,
    Constraints,
    Arrows,
    Nodes,
    Targets,
    Labels,
}

/// Collects marks and hands them to the painter in order.
pub(super) struct Overlay<'a> {
    pub(super) theme: &'a Theme,
    projector: &'a Projector,
    painter: egui::Painter,
    shapes: Vec<(Layer, Shape)>,
    /// Where labels are, so that none covers another.
    labels: Vec<Rect>,
    /// What is to be written beside a place once all else is there: the place, the text and the mark's colour.
    texts: Vec<(Pos2, String, Color32)>,
    /// Of the chain that is drawn now.
    pub(super) chain_color: Color32,
    /// Whose limit is brought out.
    chain_bone: usize,
}

/// Room for the mark before a label's text.
const MARK_WIDTH: f32 = 10.0;

pub(super) fn pos(screen: glam::Vec2) -> Pos2 {
    Pos2::new(screen.x, screen.y)
}

impl Overlay<'_> {
    /// Where a mark is to be; `None` if nothing of it would be seen.
    pub(super) fn at(&self, point: Vec3) -> Option<Pos2> {
        self.projector.in_picture(point).map(pos)
    }

    /// What there is to be drawn of a line. Everything with a length goes through this.
    pub(super) fn segment(&self, from: Vec3, to: Vec3) -> Option<[Pos2; 2]> {
        self.projector.segment(from, to).map(|ends| ends.map(pos))
    }

    pub(super) fn add(&mut self, layer: Layer, shape: impl Into<Shape>) {
        self.shapes.push((layer, shape.into()));
    }

    /// A line over its halo.
    pub(super) fn stroke(&mut self, layer: Layer, from: Vec3, to: Vec3, width: f32, color: Color32) {
        if let Some([from, to]) = self.segment(from, to) {
            self.pixel_stroke(layer, from, to, width, color);
        }
    }

    /// A line without a halo.
    pub(super) fn plain(&mut self, layer: Layer, from: Vec3, to: Vec3, stroke: Stroke) {
        if let Some(ends) = self.segment(from, to) {
            self.add(layer, Shape::line_segment(ends, stroke));
        }
    }

    fn pixel_stroke(&mut self, layer: Layer, from: Pos2, to: Pos2, width: f32, color: Color32) {
        let halo = fade(self.theme.halo, 0.55 * f32::from(color.a()) / 255.0);
        self.add(layer, Shape::line_segment([from, to], Stroke::new(width + 2.6, halo)));
        self.add(layer, Shape::line_segment([from, to], Stroke::new(width, color)));
    }

    /// A line of dashes and gaps, in pixels, over its halo.
    fn dashed(&mut self, layer: Layer, [from, to]: [Vec3; 2], stroke: Stroke, [dash, gap]: [f32; 2]) {
        let halo = Stroke::new(stroke.width + 2.4, fade(self.theme.halo, 0.5));
        for stroke in [halo, stroke] {
            self.plain_dashed(layer, [from, to], stroke, [dash, gap]);
        }
    }

    /// The same without a halo.
    pub(super) fn plain_dashed(&mut self, layer: Layer, [from, to]: [Vec3; 2], stroke: Stroke, [dash, gap]: [f32; 2]) {
        if let Some(ends) = self.segment(from, to) {
            self.shapes.extend(Shape::dashed_line(&ends, stroke, dash, gap).into_iter().map(|shape| (layer, shape)));
        }
    }

    /// A line of dots, in pixels.
    fn dotted(&mut self, layer: Layer, [from, to]: [Vec3; 2], color: Color32, spacing: f32, radius: f32) {
        if let Some(ends) = self.segment(from, to) {
            self.shapes
                .extend(Shape::dotted_line(&ends, color, spacing, radius).into_iter().map(|shape| (layer, shape)));
        }
    }

    /// An arrow of pixels' width with a filled head.
    fn pixel_arrow(&mut self, layer: Layer, from: Vec3, to: Vec3, width: f32, color: Color32) {
        let Some([from, end]) = self.segment(from, to) else { return };
        let along = end - from;
        let length = along.length();
        if length < 2.0 {
            return;
        }
        // One that points out of the picture has its head there.
        if self.at(to).is_none() {
            return self.pixel_stroke(layer, from, end, width, color);
        }
        let (along, to) = (along / length, end);
        let head = (width * 4.2).min(length);
        let neck = to - along * head;
        self.pixel_stroke(layer, from, neck + along, width, color);
        let aside = vec2(-along.y, along.x) * head * 0.42;
        let halo = Stroke::new(1.3, fade(self.theme.halo, 0.6));
        self.add(layer, Shape::convex_polygon(vec![to, neck + aside, neck - aside], color, halo));
    }

    /// A label's text, and how large it is with its margins and the mark before it.
    fn label_size(&self, text: &str, has_mark: bool) -> (Arc<Galley>, Vec2) {
        let galley = self.painter.layout_no_wrap(text.to_owned(), FontId::proportional(11.5), self.theme.text[0]);
        let size = galley.size() + vec2(12.0 + if has_mark { MARK_WIDTH } else { 0.0 }, 5.0);
        (galley, size)
    }

    pub(super) fn label(&mut self, at: Pos2, align: Align2, text: &str, mark: Option<Color32>) {
        let (galley, size) = self.label_size(text, mark.is_some());
        let mut rect = align.anchor_size(at, size);
        let picture = self.painter.clip_rect().shrink(4.0);
        rect = rect.translate(vec2((picture.right() - rect.right()).min(0.0), 0.0));
        rect = rect.translate(vec2((picture.left() - rect.left()).max(0.0), 0.0));
        for _ in 0..8 {
            let Some(under) = self.labels.iter().find(|other| other.intersects(rect)) else { break };
            rect = rect.translate(vec2(0.0, under.bottom() + 1.0 - rect.top()));
        }
        self.label_in(rect, galley, mark);
    }

    fn label_in(&mut self, rect: Rect, galley: Arc<Galley>, mark: Option<Color32>) {
        self.labels.push(rect);
        self.add(Layer::Labels, Shape::rect_filled(rect, 3.0, fade(self.theme.panel, 0.86)));
        if let Some(mark) = mark {
            self.add(Layer::Labels, Shape::circle_filled(rect.left_center() + vec2(9.0, 0.0), 3.0, mark));
        }
        let text_at = rect.min + vec2(if mark.is_some() { 6.0 + MARK_WIDTH } else { 6.0 }, 2.5);
        self.add(Layer::Labels, Shape::galley(text_at, galley, self.theme.text[0]));
    }

    /// Writes what is to be written beside a place: where it covers least, with a line to the place.
    fn place_texts(&mut self) {
        const GAPS: [f32; 5] = [9.0, 20.0, 34.0, 52.0, 76.0];
        const DIRECTIONS: usize = 16;
        let picture = self.painter.clip_rect().shrink(4.0);
        let drawn = self.drawn();
        for (at, text, color) in std::mem::take(&mut self.texts) {
            let (galley, size) = self.label_size(&text, true);
            let near: Vec<Pos2> = drawn.iter().copied().filter(|point| point.distance(at) < 180.0).collect();
            let cost = |gap: f32, rect: Rect| {
                let labels = self.labels.iter().filter(|other| other.intersects(rect.expand(1.0))).count();
                let covered = near.iter().filter(|&&point| rect.contains(point)).count();
                let outside = if picture.contains_rect(rect) { 0.0 } else { 1e4 };
                gap + 3.0 * covered as f32 + 1e3 * labels as f32 + outside
            };
            let beside = GAPS.into_iter().flat_map(|gap| {
                (0..DIRECTIONS).map(move |index| {
                    let way = Vec2::angled(std::f32::consts::TAU * index as f32 / DIRECTIONS as f32);
                    // As far off as the nearest of its sides is from its centre in that direction.
                    let half = (size.x / (2.0 * way.x.abs().max(1e-3))).min(size.y / (2.0 * way.y.abs().max(1e-3)));
                    (gap, Rect::from_center_size(at + way * (half + gap), size))
                })
            });
            let best = beside.min_by(|a, b| cost(a.0, a.1).total_cmp(&cost(b.0, b.1)));
            let Some((_, rect)) = best else { continue };
            let end = rect.clamp(at);
            self.add(Layer::Labels, Shape::line_segment([at, end], Stroke::new(2.6, fade(self.theme.halo, 0.6))));
            self.add(Layer::Labels, Shape::line_segment([at, end], Stroke::new(1.0, fade(color, 0.8))));
            self.add(Layer::Labels, Shape::circle_filled(at, 2.0, color));
            self.label_in(rect, galley, Some(color));
        }
    }

    /// Points of what is drawn so far, some pixels apart: what labels are not to cover.
    fn drawn(&self) -> Vec<Pos2> {
        const APART: f32 = 7.0;
        let mut points = Vec::new();
        let mut line = |from: Pos2, to: Pos2| {
            let count = (from.distance(to) / APART).ceil().clamp(1.0, 400.0) as usize;
            points.extend((0..=count).map(|index| from.lerp(to, index as f32 / count as f32)));
        };
        for (layer, shape) in &self.shapes {
            match shape {
                _ if *layer == Layer::Planes => {}
                Shape::LineSegment { points, .. } => line(points[0], points[1]),
                Shape::Path(path) => path.points.windows(2).for_each(|pair| line(pair[0], pair[1])),
                // A node hides more than a line does.
                Shape::Circle(circle) => {
                    let aside = vec2(circle.radius, 0.0);
                    line(circle.center - aside, circle.center + aside);
                    line(circle.center - aside.rot90(), circle.center + aside.rot90());
                }
                Shape::Rect(rect) => line(rect.rect.left_top(), rect.rect.right_bottom()),
                _ => {}
            }
        }
        points
    }

    /// A label below a place, or above it where there is no room.
    fn label_below(&mut self, at: Pos2, text: &str) {
        const ASIDE: f32 = 100.0;
        let has_room = at.y + ASIDE + 50.0 < self.painter.clip_rect().bottom();
        match has_room {
            true => self.label(at + vec2(0.0, ASIDE), Align2::CENTER_TOP, text, None),
            false => self.label(at - vec2(0.0, ASIDE), Align2::CENTER_BOTTOM, text, None),
        }
    }

    /// A triangle with its outline; not filled if a corner is behind the eye. Not a polygon of the painter's: smoothing
    /// the corners of one as thin as a straight limb's plane would spread it over the whole picture.
    fn fill(&mut self, corners: [Vec3; 3], fill: Color32, edge: Stroke) {
        let points: Option<Vec<Pos2>> =
            corners.iter().map(|&corner| self.projector.to_screen(corner).map(pos)).collect();
        if let Some(points) = points {
            let mut mesh = egui::Mesh::default();
            for point in points {
                mesh.colored_vertex(point, fill);
            }
            mesh.add_triangle(0, 1, 2);
            self.add(Layer::Planes, Shape::mesh(mesh));
        }
        if edge != Stroke::NONE {
            let [a, b, c] = corners;
            for (from, to) in [(a, b), (b, c), (c, a)] {
                self.plain(Layer::Planes, from, to, edge);
            }
        }
    }

    fn ghost(&self) -> Color32 {
        self.theme.previous
    }
}

/// The node whose colour and mark stand for a foot, or for root and pelvis.
pub(super) fn foot_node(side: Option<Side>) -> Node {
    match side {
        Some(Side::Left) => Node::LeftFoot,
        Some(Side::Right) => Node::RightFoot,
        None => Node::Body,
    }
}

/// The outline of a node's mark: square on the right, else a circle.
pub(super) fn hollow(node: Node, at: Pos2, radius: f32, stroke: Stroke) -> Shape {
    match node.limb() {
        Some(limb) if !limb.is_left() => {
            let square = Rect::from_center_size(at, Vec2::splat(radius * 1.76));
            Shape::rect_stroke(square, 0.0, stroke, egui::StrokeKind::Middle)
        }
        _ => Shape::circle_stroke(at, radius, stroke),
    }
}

impl DebugDraw for Overlay<'_> {
    fn line(&mut self, from: Vec3, to: Vec3, subject: Subject) {
        let theme = self.theme;
        match subject {
            Subject::LimbBone(limb) => self.stroke(Layer::Bones, from, to, 3.2, theme.limb(limb)),
            Subject::NodeOff(node) => self.dotted(Layer::Ghost, [from, to], theme.node(node), 5.0, 1.3),
            Subject::SpineBone => self.stroke(Layer::Bones, from, to, 2.0, theme.body),
            Subject::RootBone(limb) => self.stroke(Layer::Bones, from, to, 1.6, fade(theme.limb(limb), 0.75)),
            Subject::GhostBone(_) | Subject::GhostChain => {
                self.plain(Layer::Ghost, from, to, Stroke::new(2.2, fade(self.ghost(), 0.7)));
            }
            Subject::ChildConstraint { rigid, strain, .. } => {
                let loud = (strain.abs() / 0.05).min(1.0);
                if rigid {
                    let color = fade(theme.rigid, 0.85 + 0.15 * loud);
                    self.stroke(Layer::Constraints, from, to, 3.2 + 2.4 * loud, color);
                    self.plain(Layer::Constraints, from, to, Stroke::new(1.1, fade(Color32::WHITE, 0.8)));
                    if let Some([start, end]) = self.segment(from, to) {
                        let along = (end - start).normalized();
                        for end in [from, to].into_iter().filter_map(|end| self.at(end)).collect::<Vec<_>>() {
                            let aside = vec2(-along.y, along.x) * 6.5;
                            self.pixel_stroke(Layer::Constraints, end - aside, end + aside, 2.2, color);
                        }
                    }
                } else {
                    let color = fade(theme.push_only, 0.85 + 0.15 * loud);
                    let width = 2.2 + 2.4 * loud;
                    self.dashed(Layer::Constraints, [from, to], Stroke::new(width, color), [6.0, 4.0]);
                    if let Some([start, end]) = self.segment(from, to) {
                        let along = (end - start).normalized();
                        for (end, out) in [(from, -along), (to, along)] {
                            let Some(end) = self.at(end) else { continue };
                            for side in [-1.0, 1.0] {
                                let barb = end - out * 8.0 + vec2(-out.y, out.x) * (5.0 * side);
                                self.pixel_stroke(Layer::Constraints, end, barb, 2.0, color);
                            }
                        }
                    }
                }
            }
            Subject::BendGoal { .. } => {
                self.dashed(Layer::Arrows, [from, to], Stroke::new(1.4, theme.bend), [2.0, 4.0])
            }
            Subject::TargetError(_) => {
                self.dashed(Layer::Targets, [from, to], Stroke::new(1.5, theme.target), [4.0, 3.0])
            }
            Subject::ChainBone(_) => self.stroke(Layer::Bones, from, to, 4.0, self.chain_color),
            Subject::ChainError => self.dashed(Layer::Targets, [from, to], Stroke::new(1.5, theme.target), [4.0, 3.0]),
            Subject::ChainMove => self.stroke(Layer::Arrows, from, to, 1.6, theme.text[0]),
            Subject::LimitRange(bone) if bone != self.chain_bone => {
                self.plain(Layer::Planes, from, to, Stroke::new(1.0, fade(theme.push_only, 0.35)));
            }
            Subject::LimitRange(_) => self.stroke(Layer::Constraints, from, to, 1.6, fade(theme.push_only, 0.9)),
            Subject::LimitAxis(bone) if bone == self.chain_bone => {
                self.dashed(Layer::Constraints, [from, to], Stroke::new(1.6, theme.push_only), [5.0, 3.0])
            }
            Subject::LimitNow(bone) if bone == self.chain_bone => {
                self.stroke(Layer::Constraints, from, to, 2.2, theme.text[0])
            }
            Subject::LimitAxis(_) | Subject::LimitNow(_) => {}
            Subject::LimitViolation => self.stroke(Layer::Arrows, from, to, 4.0, theme.rigid),
            Subject::Cast { side, hit: true } => {
                self.stroke(Layer::Constraints, from, to, 1.2, theme.node(foot_node(side)));
            }
            Subject::Cast { side, hit: false } => {
                let stroke = Stroke::new(1.2, fade(theme.node(foot_node(side)), 0.5));
                self.dashed(Layer::Constraints, [from, to], stroke, [3.0, 4.0]);
            }
            Subject::GhostFoot(_) => {
                self.plain(Layer::Ghost, from, to, Stroke::new(1.4, fade(self.ghost(), 0.8)));
            }
            Subject::FootGoal { side, weight } => {
                // The sole lies along the foot, and is not to hide it.
                let color = fade(theme.limb(side.limb()), 0.35 + 0.65 * weight);
                self.stroke(Layer::Targets, from, to, 2.0, color);
            }
            Subject::FootOffset(side) => {
                let stroke = Stroke::new(1.5, theme.limb(side.limb()));
                self.dashed(Layer::Targets, [from, to], stroke, [4.0, 3.0]);
            }
            Subject::WrittenBone => self.stroke(Layer::Arrows, from, to, 4.4, theme.accent),
            Subject::VirtualSpine => self.stroke(Layer::Arrows, from, to, 1.2, theme.bend),
            Subject::GhostWritten => self.dashed(Layer::Ghost, [from, to], Stroke::new(2.0, self.ghost()), [5.0, 3.0]),
            Subject::SwingAxis | Subject::TurnAxis => {
                self.dashed(Layer::Arrows, [from, to], Stroke::new(1.2, theme.text[1]), [5.0, 3.0])
            }
            Subject::TwistDial { weight } => {
                self.stroke(Layer::Arrows, from, to, 1.2 + 1.4 * weight, fade(theme.bend, 0.4 + 0.6 * weight))
            }
            Subject::TurnArc => self.stroke(Layer::Arrows, from, to, 2.6, theme.accent),
            Subject::Triangle(limb) => self.stroke(Layer::Arrows, from, to, 1.4, theme.limb(limb)),
            Subject::BendAngle { before: true, .. } => {
                self.dashed(Layer::Arrows, [from, to], Stroke::new(1.6, self.ghost()), [4.0, 3.0])
            }
            Subject::BendAngle { before: false, .. } => self.stroke(Layer::Arrows, from, to, 2.2, theme.accent),
            Subject::BendCone(limb) => {
                self.plain(Layer::Planes, from, to, Stroke::new(1.2, fade(theme.limb(limb), 0.7)))
            }
            _ => self.stroke(Layer::Bones, from, to, 1.2, theme.text[1]),
        }
    }

    fn text(&mut self, at: Vec3, text: &str, subject: Subject) {
        let Some(at) = self.at(at) else { return };
        let mark = match subject {
            Subject::GhostPlane => self.ghost(),
            Subject::Triangle(limb) => self.theme.limb(limb),
            Subject::TwistDial { .. } | Subject::SwingAxis => self.theme.bend,
            Subject::WritePlane(limb) => limb.map_or(self.theme.body, |limb| self.theme.limb(limb)),
            Subject::BendAngle { before: true, .. } => self.ghost(),
            _ => self.theme.accent,
        };
        self.texts.push((at, text.to_owned(), mark));
    }

    fn triangle(&mut self, corners: [Vec3; 3], subject: Subject) {
        let is_other = matches!(subject, Subject::LimitRange(bone) if bone != self.chain_bone);
        let theme = self.theme;
        match subject {
            Subject::GhostTorso => {
                let color = fade(self.ghost(), 0.8);
                let [a, b, c] = corners;
                for side in [[a, b], [b, c], [c, a]] {
                    self.dotted(Layer::Ghost, side, color, 4.0, 0.9);
                }
            }
            // The edges are lines of their own.
            Subject::LimitRange(_) => {
                let color = fade(theme.push_only, if is_other { 0.05 } else { 0.14 });
                self.fill(corners, color, Stroke::NONE);
            }
            Subject::GhostPlane => {
                let [a, b, c] = corners;
                for side in [[a, b], [b, c], [c, a]] {
                    self.dashed(Layer::Ghost, side, Stroke::new(1.4, self.ghost()), [4.0, 3.0]);
                }
            }
            Subject::WritePlane(limb) => {
                let color = limb.map_or(theme.body, |limb| theme.limb(limb));
                let [a, b, c] = corners;
                self.fill(corners, fade(color, 0.3), Stroke::NONE);
                for [from, to] in [[a, b], [b, c], [c, a]] {
                    self.stroke(Layer::Ghost, from, to, 1.6, color);
                }
            }
            Subject::LimbPlane(limb) => {
                let color = theme.limb(limb);
                self.fill(corners, fade(color, 0.16), Stroke::new(1.0, fade(color, 0.5)));
            }
            _ => self.fill(corners, fade(theme.body, 0.20), Stroke::new(1.25, fade(theme.body, 0.55))),
        }
    }

    fn point(&mut self, at: Vec3, _size: f32, subject: Subject) {
        let Some(at) = self.at(at) else { return };
        match subject {
            Subject::Node(node) => {
                let radius = if node == Node::Body { 7.5 } else { 6.0 };
                let outline = Stroke::new(1.8, fade(self.theme.halo, 0.9));
                self.add(Layer::Nodes, Shape::circle_filled(at, radius + 2.5, fade(self.theme.halo, 0.5)));
                self.add(Layer::Nodes, node_mark(self.theme, node, at, radius, outline));
            }
            Subject::GhostNode(node) => {
                self.add(Layer::Ghost, hollow(node, at, 4.2, Stroke::new(1.4, self.ghost())));
            }
            Subject::ChainJoint(joint) => {
                let radius = if joint == 0 { 6.5 } else { 4.5 };
                self.add(Layer::Nodes, Shape::circle_filled(at, radius + 2.0, fade(self.theme.halo, 0.6)));
                self.add(Layer::Nodes, Shape::circle_filled(at, radius, self.chain_color));
                // The root stays where it is: a square says so.
                if joint == 0 {
                    let square = Rect::from_center_size(at, Vec2::splat(17.0));
                    let stroke = Stroke::new(1.6, self.chain_color);
                    self.add(Layer::Nodes, Shape::rect_stroke(square, 2.0, stroke, egui::StrokeKind::Middle));
                }
            }
            Subject::VirtualJoint => {
                self.add(Layer::Nodes, Shape::circle_filled(at, 3.0, self.theme.bend));
            }
            Subject::ChainTarget => {
                self.add(Layer::Targets, Shape::circle_stroke(at, 9.0, Stroke::new(2.2, fade(self.theme.target, 0.8))));
            }
            Subject::LimitViolation => {
                self.add(Layer::Targets, Shape::circle_stroke(at, 8.0, Stroke::new(2.4, self.theme.rigid)));
            }
            Subject::CastHit(side) => {
                let outline = Stroke::new(1.4, fade(self.theme.halo, 0.9));
                self.add(Layer::Nodes, node_mark(self.theme, foot_node(side), at, 3.6, outline));
            }
            Subject::FootGoal { side, weight } => {
                let (theme, node) = (self.theme, foot_node(Some(side)));
                self.add(
                    Layer::Nodes,
                    match weight < 0.5 {
                        true => hollow(node, at, 4.0, Stroke::new(1.6, theme.node(node))),
                        false => node_mark(theme, node, at, 4.0, Stroke::new(1.4, fade(theme.halo, 0.9))),
                    },
                );
            }
            Subject::PredictedFoot(side) => {
                let stroke = Stroke::new(1.8, self.theme.limb(side.limb()));
                self.add(Layer::Nodes, hollow(foot_node(Some(side)), at, 6.0, stroke));
            }
            _ => {}
        }
    }

    fn arrow(&mut self, from: Vec3, to: Vec3, subject: Subject) {
        match subject {
            Subject::DefaultDirection(_) => self.pixel_arrow(Layer::Arrows, from, to, 2.0, self.theme.bend),
            Subject::SwingAxis => self.pixel_arrow(Layer::Arrows, from, to, 1.8, self.theme.bend),
            Subject::VirtualJoint => self.pixel_arrow(Layer::Arrows, from, to, 1.8, self.theme.bend),
            Subject::BendDirection { .. } => self.pixel_arrow(Layer::Arrows, from, to, 2.6, self.theme.bend),
            Subject::Displacement(_) | Subject::ChainMove => {
                self.pixel_arrow(Layer::Arrows, from, to, 2.2, self.theme.text[0]);
            }
            Subject::CastHit(side) => {
                self.pixel_arrow(Layer::Arrows, from, to, 1.3, fade(self.theme.node(foot_node(side)), 0.9));
            }
            Subject::PredictedFoot(side) => {
                self.pixel_arrow(Layer::Arrows, from, to, 2.2, self.theme.limb(side.limb()));
            }
            Subject::PelvisOffset => self.pixel_arrow(Layer::Arrows, from, to, 3.0, self.theme.body),
            _ => self.pixel_arrow(Layer::Arrows, from, to, 2.0, self.theme.text[1]),
        }
    }
}

/// Paints everything over the picture.
pub fn paint(ctx: &egui::Context, session: &Session, picture: Rect) {
    let theme = Theme::of(session.view.light_theme);
    let painter = ctx.layer_painter(egui::LayerId::background()).with_clip_rect(picture);
    let projector = session.projector();
    let mut overlay = Overlay {
        theme,
        projector: &projector,
        painter: painter.clone(),
        shapes: Vec::new(),
        // These are there already.
        labels: vec![places::caption(picture), places::axes(picture)],
        texts: Vec::new(),
        chain_color: theme.bend,
        chain_bone: session.chains.bone,
    };
    if session.in_doctor() {
        doctor::draw(session, &mut overlay);
    } else {
        layers(session, &mut overlay);
        motion::path(session, &mut overlay);
        if session.focus() == LayerId::FullBody {
            beside_the_body(session, &mut overlay);
        }
        if session.time.is_paused() && session.view.attribution {
            attribution(session, &mut overlay);
        }
        handles(session, &mut overlay);
        if session.time.is_paused() && session.body_step().is_some() {
            bend_labels(session, &mut overlay);
        }
        overlay.place_texts();
    }
    motion::brush(session, motion::pointer(ctx, picture), &mut overlay);
    overlay.shapes.sort_by_key(|(layer, _)| *layer);
    painter.extend(overlay.shapes.into_iter().map(|(_, shape)| shape));
    title(&painter, theme, session, picture);
    axes(&painter, theme, &projector, picture);
}

/// Every layer that was solved: the one in focus at the cursor, the others where they end.
fn layers(session: &Session, overlay: &mut Overlay) {
    let focus = session.focus();
    let view = &session.view;
    // Two ghosts at once could not be told apart.
    let has_other = view.other && session.debugger.other().is_some();
    for layer in &session.solved.layers {
        let (id, Some(run)) = (layer.id, layer.run().filter(|run| run.steps() > 0)) else { continue };
        let is_focus = id == focus;
        // What the full body makes of it comes after.
        if id == LayerId::FullBody && !is_focus {
            continue;
        }
        let at = match is_focus {
            true => session.time.cursor,
            false => session.chain_cursor(id).unwrap_or(Cursor::end(run)),
        };
        let is_stepped = is_focus && session.time.is_paused();
        let shown = Shown {
            layers: view.solver_layers(session.time.is_paused()),
            before: is_stepped && view.previous_step && !has_other,
            moved: is_stepped && view.displacements,
            limits: is_focus && view.limits,
            casts: view.casts && (is_focus || session.time.is_paused()),
            goals: view.foot_goals,
            size: session.character.height,
        };
        overlay.chain_color = match id {
            LayerId::Lane(lane) => overlay.theme.lane(lane),
            _ if is_focus => overlay.theme.bend,
            _ => overlay.theme.text[2],
        };
        let hides = [!view.bones, !view.nodes, !view.targets];
        run.draw(at, &shown, &mut Aside { to: overlay, by: session.lane_offset(id), hides, is_faint: false });
        chains::lane_label(session, id, overlay);
    }
}

/// What stands beside the full body: the second result, the reachable volume, strains.
fn beside_the_body(session: &Session, overlay: &mut Overlay) {
    let Some(state) = session.state() else { return };
    let layers = session.view.solver_layers(session.time.is_paused());
    other(session, layers.nodes, overlay);
    volume_label(session, overlay);
    // Constraints have no part in writing.
    let has_constraints = layers.rigid_constraints || layers.push_only_constraints;
    if session.time.is_paused() && has_constraints && session.body_step().is_some() {
        strain_pills(session, &state.nodes, overlay);
    }
}

/// How far aside the second result is drawn: nothing where it lies over the first.
pub fn aside(session: &Session) -> Vec3 {
    let is_beside = session.debugger.what_if.is_none()
        && session.debugger.port.is_none()
        && session.debugger.compare.as_ref().is_some_and(|compare| compare.style == CompareStyle::SideBySide);
    let (right, _) = session.look.camera.right_and_up();
    if is_beside { right * session.character.height * 0.75 } else { Vec3::ZERO }
}

/// What the reachable volume in the picture is of, and whether it is true still.
fn volume_label(session: &Session, overlay: &mut Overlay) {
    let Some(volume) = session.debugger.reach.volume.as_ref().filter(|_| session.view.reach) else { return };
    let Some(limb) = volume.limb else { return };
    let highest = volume.points.iter().max_by(|a, b| a.position.y.total_cmp(&b.position.y));
    let Some(at) = highest.and_then(|point| overlay.at(point.position)) else { return };
    let name = crate::key::label(crate::full_body::Effector::END[limb.index()].key());
    let (text, color) = match session.reach_is_stale() {
        Some(why) => (format!("what the {name} reached: stale, {why}; V makes it anew"), overlay.theme.warning),
        None => (format!("what the {name} reaches"), overlay.theme.limb(limb)),
    };
    overlay.label(at - vec2(0.0, 10.0), Align2::CENTER_BOTTOM, &text, Some(color));
}

/// The nodes of the second result, hollow, and how far each end is from that of the first.
fn other(session: &Session, with_nodes: bool, overlay: &mut Overlay) {
    let Some(other) = session.debugger.other().filter(|_| session.view.other) else { return };
    let (run, at) = (session.shown_run(), session.time.cursor);
    let theirs = other.cursor(LayerId::FullBody, at, run).and_then(|at| Some(other.frame.full_body()?.state(at)));
    let (Some(mut theirs), Some(own)) = (theirs, session.state()) else { return };
    let aside = aside(session);
    let apart = Node::ALL.map(|node| own.nodes[node].distance(theirs.nodes[node]));
    for node in &mut theirs.nodes.0 {
        *node += aside;
    }
    if with_nodes {
        draw_step(&theirs.nodes, &theirs.nodes, f32::INFINITY, false, overlay);
    }
    let furthest = Node::ALL.into_iter().zip(apart).max_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((node, distance)) = furthest.filter(|(_, distance)| *distance > session.character.height * 1e-4)
        && let Some(at) = overlay.at(theirs.nodes[node])
    {
        let name = crate::key::label(node.key());
        let text = format!("{name} {} apart", session.character.length(distance));
        overlay.label(at + vec2(18.0, -18.0), Align2::LEFT_CENTER, &text, Some(overlay.theme.previous));
    }
}

/// What moved the point, part after part, from where it was to where it is.
fn attribution(session: &Session, overlay: &mut Overlay) {
    let table = &session.debugger.attribution.table;
    let mut at = table.from;
    for (index, row) in table.rows.iter().enumerate() {
        let to = at + row.sum.to_vec3();
        let color = overlay.theme.tint(row.tint).unwrap_or(overlay.theme.text[1]);
        overlay.pixel_arrow(Layer::Arrows, at, to, 2.6, color);
        if index < 3
            && let (Some(from), Some(end)) = (overlay.at(at), overlay.at(to))
            && from.distance(end) > 24.0
        {
            overlay.label(from.lerp(end, 0.5) + vec2(0.0, -12.0), Align2::CENTER_BOTTOM, &row.label, Some(color));
        }
        at = to;
    }
}

fn strain_pills(session: &Session, nodes: &crate::full_body::Nodes, overlay: &mut Overlay) {
    for (pair, constraint) in PAIRS.iter().zip(&session.body_frame().constraints) {
        let rigid = constraint.is_rigid();
        let shown = if rigid { session.view.rigid_constraints } else { session.view.push_only_constraints };
        let [a, b] = pair.map(|node| nodes[node]);
        let strain = constraint.strain(a.distance(b)) * 100.0;
        if !shown || strain.abs() < 0.05 {
            continue;
        }
        let color = if rigid { overlay.theme.rigid } else { overlay.theme.push_only };
        // A third along, where the diagonals are apart.
        let (from, to) = if rigid { (a, b) } else { (b, a) };
        if let Some(at) = overlay.at(from.lerp(to, if rigid { 0.5 } else { 0.3 })) {
            let at = at + if rigid { vec2(0.0, -16.0) } else { vec2(0.0, 12.0) };
            overlay.label(at, Align2::CENTER_CENTER, &format!("{strain:+.1} %"), Some(color));
        }
    }
}

fn bend_labels(session: &Session, overlay: &mut Overlay) {
    let Some(state) = session.state().filter(|_| session.view.bend_directions) else { return };
    let frame = &session.body_frame();
    for limb in crate::rig::LimbName::ALL {
        let direction = crate::full_body::draw::shown_bend_direction(frame, &state, limb);
        let from = state.nodes[Node::of_limb(limb)[1]];
        if let Some(at) = overlay.at(from + direction * session.character.height * 0.11) {
            let source = crate::full_body::bend_constraint::bend_source(frame, limb);
            // What is as ever is told of the limb that is looked at alone.
            if source == BendSource::Animation && session.hands.selection.limb() != Some(limb) {
                continue;
            }
            overlay.label(at + vec2(0.0, 14.0), Align2::CENTER_CENTER, source.label(), Some(overlay.theme.bend));
        }
    }
}

fn handles(session: &Session, overlay: &mut Overlay) {
    let state = session.state().unwrap_or_default();
    let theme = overlay.theme;
    for handle in session.handles() {
        let at = pos(handle.screen);
        let hot =
            session.hands.hovered == Some(handle.id) || session.hands.drag.is_some_and(|drag| drag.id == handle.id);
        let selected = match handle.id {
            HandleId::Effector(effector) => session.selected_effectors().contains(effector),
            HandleId::BendGoal(limb) => session.hands.selection == Selection::BendGoal(limb),
            HandleId::Chain(..) | HandleId::PathPoint(_) => false,
        };
        match handle.id {
            HandleId::Effector(effector) => {
                if handle.weight > 0.0 {
                    target_ring(overlay, &handle, at, selected, hot);
                    let gap = session.gap(effector);
                    if let Some(why) = session.why_of(effector)
                        && gap > session.character.height * if selected { 5e-4 } else { 3e-3 }
                        && (handle.weight >= 1.0 || selected)
                    {
                        let bone = session.bone_position(effector);
                        let stroke = Stroke::new(1.5, theme.target);
                        overlay.plain_dashed(Layer::Targets, [bone, handle.position], stroke, [4.0, 3.0]);
                        let name = crate::key::label(effector.key());
                        let missed = session.character.length(gap);
                        let mut text = format!("{name}, {missed} {}", why.miss.word());
                        if selected {
                            text += &format!("\n{}", words::reason(&why, &session.character).replace("; ", "\n"));
                        }
                        // Clear of the gizmo, which only the one in the inspector has.
                        match session.hands.selection == Selection::Effector(effector) {
                            true => overlay.label_below(at, &text),
                            false if at.x > overlay.painter.clip_rect().center().x => {
                                overlay.label(at + vec2(24.0, 14.0), Align2::LEFT_CENTER, &text, None);
                            }
                            false => overlay.label(at + vec2(-24.0, 14.0), Align2::RIGHT_CENTER, &text, None),
                        }
                    }
                } else {
                    let radius = if hot || selected { 9.0 } else { 6.0 };
                    let (fill, edge) =
                        (fade(theme.halo, 0.45), if hot || selected { theme.accent } else { theme.text[1] });
                    overlay.add(Layer::Targets, Shape::circle_filled(at, radius, fill));
                    overlay.add(Layer::Targets, Shape::circle_stroke(at, radius, Stroke::new(1.6, edge)));
                }
            }
            HandleId::BendGoal(_) => bend_goal(overlay, &handle, at, &state, hot || selected),
            HandleId::Chain(_, ChainHandle::Target(_)) => target_ring(overlay, &handle, at, false, hot),
            HandleId::Chain(_, ChainHandle::BendGoal) => bend_goal(overlay, &handle, at, &state, hot),
            HandleId::Chain(_, ChainHandle::Limit { .. }) | HandleId::PathPoint(_) => {
                let radius = if hot { 9.0 } else { 6.5 };
                overlay.add(Layer::Targets, Shape::circle_filled(at, radius, fade(theme.halo, 0.6)));
                let edge = if let HandleId::PathPoint(_) = handle.id { theme.text[1] } else { theme.push_only };
                overlay.add(Layer::Targets, Shape::circle_stroke(at, radius, Stroke::new(2.6, edge)));
            }
        }
        if hot && !selected {
            let name = words::handle_label(handle.id);
            overlay.label(at + vec2(18.0, 18.0), Align2::LEFT_TOP, &name, None);
        }
    }
}

/// A ring with four ticks; its bright arc is the weight.
fn target_ring(overlay: &mut Overlay, handle: &Handle, at: Pos2, selected: bool, hot: bool) {
    let theme = overlay.theme;
    let radius = if selected || hot { 15.0 } else { 12.0 };
    let layer = Layer::Targets;
    overlay.add(layer, Shape::circle_stroke(at, radius, Stroke::new(6.0, fade(theme.halo, 0.5))));
    overlay.add(layer, Shape::circle_stroke(at, radius, Stroke::new(3.0, fade(theme.target, 0.32))));
    let pieces = (handle.weight.clamp(0.0, 1.0) * 48.0).ceil() as usize;
    let arc = (0..=pieces).map(|piece| {
        let angle =
            handle.weight * piece as f32 / pieces.max(1) as f32 * std::f32::consts::TAU - std::f32::consts::FRAC_PI_2;
        at + vec2(angle.cos(), angle.sin()) * radius
    });
    overlay.add(layer, Shape::line(arc.collect(), Stroke::new(3.0, theme.target)));
    for direction in [vec2(1.0, 0.0), vec2(-1.0, 0.0), vec2(0.0, 1.0), vec2(0.0, -1.0)] {
        let tick = [at + direction * radius, at + direction * (radius + 5.0)];
        overlay.add(layer, Shape::line_segment(tick, Stroke::new(2.0, theme.target)));
    }
    if selected || hot {
        overlay.add(layer, Shape::circle_stroke(at, radius + 2.6, Stroke::new(1.2, theme.accent)));
    }
}

/// A diamond with a dotted line to elbow or knee; faint where no goal is set.
fn bend_goal(overlay: &mut Overlay, handle: &Handle, at: Pos2, state: &crate::full_body::State, strong: bool) {
    let theme = overlay.theme;
    let is_on = handle.is_set && handle.weight > 0.0;
    let color = if is_on || strong { theme.bend } else { fade(theme.bend, 0.38) };
    let radius = if strong {
        10.0
    } else if is_on {
        8.5
    } else {
        4.5
    };
    if let Some(node) = node_of(handle.id).filter(|_| is_on || strong) {
        overlay.dotted(Layer::Arrows, [state.nodes[node], handle.position], color, 5.0, 1.2);
    }
    let corners = [vec2(0.0, -radius), vec2(radius, 0.0), vec2(0.0, radius), vec2(-radius, 0.0)];
    let corners = corners.map(|corner| at + corner).to_vec();
    let fill = fade(theme.halo, 0.55);
    overlay.add(
        Layer::Targets,
        Shape::convex_polygon(corners.clone(), fill, Stroke::new(if is_on { 2.4 } else { 1.4 }, color)),
    );
    if is_on {
        overlay.add(Layer::Targets, Shape::circle_filled(at, 2.2, color));
        if handle.weight < 1.0 {
            overlay.label(
                at - vec2(radius + 5.0, 0.0),
                Align2::RIGHT_CENTER,
                &format!("bend goal {:.2}", handle.weight),
                None,
            );
        }
    }
}

/// Name of the stage and what it does, or what live posing is.
fn title(painter: &egui::Painter, theme: &Theme, session: &Session, picture: Rect) {
    let place = places::caption(picture).shrink2(places::CAPTION_MARGIN);
    let run = session.shown_run();
    let (title, text) = match run.filter(|run| session.time.cursor.step < run.steps()) {
        _ if session.in_doctor() => {
            let text = "All bones of the file: those that play a role in its colour, with a ring where it is not sure. \
                        Click a bone to see its role, or to give it the one that is chosen.";
            ("Rig doctor".to_owned(), text.to_owned())
        }
        None => unsolved(session),
        Some(_) if !session.time.is_paused() => live(session),
        Some(run) => {
            let step = run.step(session.time.cursor.step);
            let left = run.main_measure().map(|measure| {
                let name = run.measures()[measure].label.clone();
                format!(" {}: {}.", capital(&name), session.character.length(run.measure(measure, session.time.cursor)))
            });
            (step_title(step.iteration, &step.name), format!("{}{}", step.sentence, left.unwrap_or_default()))
        }
    };
    let at = place.min;
    let shadow = |text: String, font: FontId, color: Color32, at: Pos2| {
        let galley = painter.layout(text, font, color, place.width());
        let size = galley.size();
        painter.rect_filled(Rect::from_min_size(at, size).expand(4.0), 4.0, fade(theme.picture_top, 0.88));
        painter.galley(at, galley, color);
        size.y
    };
    let used = shadow(title, FontId::new(17.0, semibold()), theme.text[0], at);
    let used = used + 5.0 + shadow(text, FontId::proportional(12.5), theme.text[1], at + vec2(0.0, used + 5.0));
    let mut used = used;
    if let Some(run) = run.filter(|_| session.time.is_paused() && !session.in_doctor()) {
        let line = what_moved(session, run);
        used += 6.0 + shadow(line, FontId::proportional(12.0), theme.text[1], at + vec2(0.0, used + 6.0));
    }
    if let Some(line) = second_line(session) {
        shadow(line, FontId::proportional(12.0), theme.text[1], at + vec2(0.0, used + 6.0));
    }
    let on_terrain = session.plan().terrain.is_some() && session.view.ground;
    let hint = match session.in_doctor() {
        true => "left click a bone   right drag orbit   middle pan   wheel zoom   F frame   Esc close",
        false => "left drag a handle   right drag orbit   middle pan   wheel zoom   Tab hide panes   ? keys",
    };
    let small = |at: Pos2, align: Align2, text: String| {
        let galley = painter.layout_no_wrap(text, FontId::proportional(11.0), theme.text[2]);
        let rect = align.anchor_size(at, galley.size());
        // Ground may be under it.
        if on_terrain {
            painter.rect_filled(rect.expand2(vec2(6.0, 3.0)), 4.0, fade(theme.picture_top, 0.8));
        }
        painter.galley(rect.min, galley, theme.text[2]);
        rect
    };
    let strip = places::hint(picture).shrink2(places::HINT_MARGIN);
    let hinted = small(strip.left_bottom(), Align2::LEFT_BOTTOM, hint.to_owned());
    let spacing = super::grid_spacing(session);
    let unit = if (0.4..4.0).contains(&session.character.height) { " m" } else { "" };
    let grid = format!("grid {spacing}{unit}");
    // In a narrow picture what can be done is worth more than how wide the grid is.
    if strip.right() - hinted.right() > 90.0 {
        small(strip.right_bottom(), Align2::RIGHT_BOTTOM, grid);
    }
}

/// What the second result in the picture is.
fn second_line(session: &Session) -> Option<String> {
    let debugger = &session.debugger;
    let other = debugger.other().filter(|_| session.view.other)?;
    Some(match (&debugger.what_if, &debugger.port) {
        (Some(what_if), _) => {
            let changes = what_if.changes.len();
            format!("What if: solid with {}, ghost as recorded", counted(changes, "change"))
        }
        (None, Some(_)) => format!("Solid: Kinescope. Hollow: {}", other.name),
        (None, None) if aside(session) != Vec3::ZERO => format!("Left: A. Right: B, {}", other.name),
        (None, None) => format!("Solid: A. Ghost: B, {}", other.name),
    })
}

/// Why there is nothing to step through.
fn unsolved(session: &Session) -> (String, String) {
    let focus = session.focus();
    let layer = session.solved.layer(focus);
    match (layer.and_then(stack::Layer::problem), &session.character.rig.full_body) {
        (Some(problem), Err(_)) if focus == LayerId::FullBody => {
            ("Not solvable".to_owned(), format!("{problem}. Press D for the rig doctor."))
        }
        (Some(problem), _) => ("Not solvable".to_owned(), format!("{problem}.")),
        (None, _) if layer.is_none_or(|layer| layer.solved.is_none()) => {
            ("Off".to_owned(), format!("The {} is switched off: it is not solved.", focus.label()))
        }
        _ if focus == LayerId::Grounding => {
            ("Grounding".to_owned(), "No time passed in this frame: nothing was grounded anew.".to_owned())
        }
        _ => ("Weight 0".to_owned(), "The weight is 0: what was handed in is left as it is.".to_owned()),
    }
}

/// What live posing is.
fn live(session: &Session) -> (String, String) {
    let focus = session.focus();
    let text = match (session.hands.drag, session.begun.scene) {
        (Some(drag), _) if focus == LayerId::FullBody => {
            let name = words::handle_label(drag.id);
            let moved = session.handle_position(drag.id).map(|at| at - drag.start).unwrap_or_default();
            let moved = words::dragged(moved, session.motion.root.rotation, &session.character);
            format!("Dragging the {name} on the camera plane. The body follows; every frame is solved anew.\n{moved}")
        }
        (_, Some(scene)) => format!("{} {}", scene.purpose, scene.hint),
        (_, None) => {
            let what = match focus {
                LayerId::FullBody => "Drag a ring. ",
                LayerId::Grounding => "",
                _ => "Drag the target. ",
            };
            format!("{what}Press . to pause and go through the solve step by step.")
        }
    };
    let title = match focus {
        LayerId::FullBody => "Posing, live".to_owned(),
        LayerId::Lane(_) => "Chain lab, live".to_owned(),
        LayerId::Chain(_) => "Chain, live".to_owned(),
        LayerId::Grounding => "Grounding, live".to_owned(),
    };
    (title, text)
}

/// How many moves the step at the cursor has, and which of its points went furthest.
fn what_moved(session: &Session, run: &dyn Run) -> String {
    let step = Cursor { within: None, ..session.time.cursor };
    let count = run.events(step.step);
    let name = run.events_name().trim_end_matches('s');
    let before = step.before().map_or_else(|| run.start(), |before| run.places(before));
    let ways = run.places(step).into_iter().zip(before).map(|(now, before)| now.distance(before)).enumerate();
    match ways.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, way)| *way > 0.0) {
        Some((point, way)) => {
            let (point, way) = (&run.points()[point].label, session.character.length(way));
            format!("{}; furthest in all: {point} {way}", counted(count, name))
        }
        None if count > 0 => counted(count, name),
        None => "nothing moved".to_owned(),
    }
}

/// A small ball that shows where the axes point. Letters, not colours: those mean something else here.
fn axes(painter: &egui::Painter, theme: &Theme, projector: &Projector, picture: Rect) {
    let ball = places::axes(picture);
    let center = ball.center();
    painter.circle_filled(center, 0.5 * ball.width(), fade(theme.panel, 0.6));
    let (right, up) = projector.camera.right_and_up();
    let back = projector.camera.back();
    let mut ends: Vec<(f32, Pos2, Option<&str>)> = Vec::new();
    for (axis, name) in [(Vec3::X, "x"), (Vec3::Y, "y"), (Vec3::Z, "z")] {
        for (axis, name) in [(axis, Some(name)), (-axis, None)] {
            ends.push((axis.dot(back), center + vec2(axis.dot(right), -axis.dot(up)) * 28.0, name));
        }
    }
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, at, name) in ends {
        match name {
            Some(name) => {
                painter.line_segment([center, at], Stroke::new(1.6, theme.text[2]));
                painter.circle_filled(at, 9.0, theme.fill);
                painter.text(at, Align2::CENTER_CENTER, name, FontId::new(11.0, semibold()), theme.on_accent);
            }
            None => drop(painter.circle_stroke(at, 5.0, Stroke::new(1.2, theme.text[2]))),
        }
    }
}
