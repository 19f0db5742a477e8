//! The solver on top of the picture, in pixels: whatever the distance, a mark keeps its size.

use std::sync::Arc;

use egui_macroquad::egui::{self, Align2, Color32, FontId, Galley, Pos2, Rect, Shape, Stroke, Vec2, vec2};
use glam::Vec3;

use crate::app::camera::Projector;
use crate::app::theme::{Theme, fade, node_mark};
use crate::debug_draw::{DebugDraw, Subject};
use crate::full_body::Node;
use crate::grounding::Side;

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

impl<'a> Overlay<'a> {
    /// With nothing on it; labels keep clear of what is at `taken` already. `chain_bone` is the bone of a chain whose
    /// limit is brought out.
    pub(super) fn new(
        theme: &'a Theme,
        projector: &'a Projector,
        painter: egui::Painter,
        taken: Vec<Rect>,
        chain_bone: usize,
    ) -> Self {
        let (shapes, texts) = (Vec::new(), Vec::new());
        Self { theme, projector, painter, shapes, labels: taken, texts, chain_color: theme.bend, chain_bone }
    }

    /// Where it is painted.
    pub(super) fn picture(&self) -> Rect {
        self.painter.clip_rect()
    }

    /// Hands everything to the painter.
    pub(super) fn finish(mut self) {
        self.shapes.sort_by_key(|(layer, _)| *layer);
        self.painter.extend(self.shapes.into_iter().map(|(_, shape)| shape));
    }
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
    pub(super) fn dotted(&mut self, layer: Layer, [from, to]: [Vec3; 2], color: Color32, spacing: f32, radius: f32) {
        if let Some(ends) = self.segment(from, to) {
            self.shapes
                .extend(Shape::dotted_line(&ends, color, spacing, radius).into_iter().map(|shape| (layer, shape)));
        }
    }

    /// An arrow of pixels' width with a filled head.
    pub(super) fn pixel_arrow(&mut self, layer: Layer, from: Vec3, to: Vec3, width: f32, color: Color32) {
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
        let picture = self.picture().shrink(4.0);
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
    pub(super) fn place_texts(&mut self) {
        const GAPS: [f32; 5] = [9.0, 20.0, 34.0, 52.0, 76.0];
        const DIRECTIONS: usize = 16;
        let picture = self.picture().shrink(4.0);
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
    pub(super) fn label_below(&mut self, at: Pos2, text: &str) {
        const ASIDE: f32 = 100.0;
        let has_room = at.y + ASIDE + 50.0 < self.picture().bottom();
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
            Subject::MirrorLine => self.dashed(Layer::Arrows, [from, to], Stroke::new(1.6, theme.accent), [6.0, 4.0]),
            Subject::BendCircle => self.stroke(Layer::Ghost, from, to, 1.4, fade(theme.accent, 0.8)),
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
            Subject::Triangle(limb) | Subject::DefaultChildNormal(limb) => self.theme.limb(limb),
            Subject::TwistDial { .. } | Subject::SwingAxis | Subject::DefaultDirection(_) => self.theme.bend,
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
            Subject::DefaultChildNormal(limb) => {
                self.pixel_arrow(Layer::Arrows, from, to, 2.0, self.theme.limb(limb));
            }
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
