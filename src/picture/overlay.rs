//! The solver's drawing on top of the picture. It is in logical pixels, so that marks keep their size at any distance.

use std::sync::Arc;

use egui_macroquad::egui::{self, Color32, FontId, Galley, Pos2, Rect, Shape, Stroke, Vec2, vec2};
use glam::Vec3;

use crate::picture::camera::Projector;
use crate::picture::labels::{self, Density, Label, Memory, Obstacles, Rank};
use crate::ui::theme::{Theme, fade, node_mark, semibold};
use kinescope_ik::debug_draw::{DebugDraw, Subject};
use kinescope_ik::full_body::Node;
use kinescope_ik::grounding::Side;

/// Drawing order from back to front.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Layer {
    Planes,
    Ghost,
    Bones,
    Constraints,
    Arrows,
    Nodes,
    Targets,
    Labels,
}

pub(crate) struct Overlay<'a> {
    pub(crate) theme: &'a Theme,
    projector: &'a Projector,
    painter: egui::Painter,
    shapes: Vec<(Layer, Shape)>,
    notes: Vec<Note>,
    /// Number of texts added so far, by the letters in them. Texts with the same letters may differ in their numbers.
    texts: std::collections::HashMap<String, u32>,
    /// Bones of a limb or chain, which no label covers.
    pub(crate) study: Vec<[Pos2; 2]>,
    /// Bones of another body. Labels prefer places that do not cover them.
    pub(crate) other_body: Vec<[Pos2; 2]>,
    /// Discs that labels do not cover: centres and radii in logical pixels.
    keep_clear: Vec<(Pos2, f32)>,
    pub(crate) chain_color: Color32,
    chain_bone: usize,
}

const MARK_WIDTH: f32 = 10.0;
/// Largest width of a label's text: a fraction of the picture's width, and a number of logical pixels. The smaller one
/// applies.
const WIDEST: (f32, f32) = (0.45, 320.0);

pub(crate) struct Note {
    rank: Rank,
    key: u64,
    at: Pos2,
    text: String,
    shorter: Vec<String>,
    mark: Option<Color32>,
    is_selected: bool,
    toward: Vec2,
    clear: f32,
    apart: f32,
    is_tag: bool,
}

impl Note {
    /// Creates a note of the selection, with a dot at its point and no mark before its text. `of` identifies the note
    /// across frames.
    pub(crate) fn new(rank: Rank, of: impl std::hash::Hash, at: Pos2, text: impl Into<String>) -> Self {
        Self {
            rank,
            key: labels::key(of),
            at,
            text: text.into(),
            shorter: Vec::new(),
            mark: None,
            is_selected: true,
            toward: Vec2::ZERO,
            clear: 2.0,
            apart: 0.0,
            is_tag: false,
        }
    }

    pub(crate) fn or(self, shorter: Vec<String>) -> Self {
        Self { shorter, ..self }
    }

    pub(crate) fn mark(self, mark: Color32) -> Self {
        Self { mark: Some(mark), ..self }
    }

    pub(crate) fn selected(self, is_selected: bool) -> Self {
        Self { is_selected, ..self }
    }

    pub(crate) fn toward(self, x: f32, y: f32) -> Self {
        Self { toward: vec2(x, y).normalized(), ..self }
    }

    pub(crate) fn clear(self, clear: f32) -> Self {
        Self { clear, ..self }
    }

    pub(crate) fn apart(self, apart: f32) -> Self {
        Self { apart, ..self }
    }

    pub(crate) fn tag(self) -> Self {
        Self { is_tag: true, ..self }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Painted {
    pub text: String,
    pub rect: Rect,
    pub anchor: Pos2,
    pub rank: Rank,
}

pub(crate) fn pos(screen: glam::Vec2) -> Pos2 {
    Pos2::new(screen.x, screen.y)
}

impl<'a> Overlay<'a> {
    /// `chain_bone` is the bone whose limit is highlighted.
    pub(crate) fn new(theme: &'a Theme, projector: &'a Projector, painter: egui::Painter, chain_bone: usize) -> Self {
        Self {
            theme,
            projector,
            painter,
            shapes: Vec::new(),
            notes: Vec::new(),
            texts: Default::default(),
            study: Vec::new(),
            other_body: Vec::new(),
            keep_clear: Vec::new(),
            chain_color: theme.bend,
            chain_bone,
        }
    }

    pub(crate) fn picture(&self) -> Rect {
        self.painter.clip_rect()
    }

    pub(crate) fn finish(mut self) {
        self.shapes.sort_by_key(|(layer, _)| *layer);
        self.painter.extend(self.shapes.into_iter().map(|(_, shape)| shape));
    }
}

impl Overlay<'_> {
    pub(crate) fn at(&self, point: Vec3) -> Option<Pos2> {
        self.projector.in_picture(point).map(pos)
    }

    pub(crate) fn segment(&self, from: Vec3, to: Vec3) -> Option<[Pos2; 2]> {
        self.projector.segment(from, to).map(|ends| ends.map(pos))
    }

    pub(crate) fn add(&mut self, layer: Layer, shape: impl Into<Shape>) {
        self.shapes.push((layer, shape.into()));
    }

    pub(crate) fn stroke(&mut self, layer: Layer, from: Vec3, to: Vec3, width: f32, color: Color32) {
        if let Some([from, to]) = self.segment(from, to) {
            self.pixel_stroke(layer, from, to, width, color);
        }
    }

    pub(crate) fn plain(&mut self, layer: Layer, from: Vec3, to: Vec3, stroke: Stroke) {
        if let Some(ends) = self.segment(from, to) {
            self.add(layer, Shape::line_segment(ends, stroke));
        }
    }

    fn pixel_stroke(&mut self, layer: Layer, from: Pos2, to: Pos2, width: f32, color: Color32) {
        let halo = fade(self.theme.halo, 0.55 * f32::from(color.a()) / 255.0);
        self.add(layer, Shape::line_segment([from, to], Stroke::new(width + 2.6, halo)));
        self.add(layer, Shape::line_segment([from, to], Stroke::new(width, color)));
    }

    fn dashed(&mut self, layer: Layer, [from, to]: [Vec3; 2], stroke: Stroke, [dash, gap]: [f32; 2]) {
        let halo = Stroke::new(stroke.width + 2.4, fade(self.theme.halo, 0.5));
        for stroke in [halo, stroke] {
            self.plain_dashed(layer, [from, to], stroke, [dash, gap]);
        }
    }

    pub(crate) fn plain_dashed(&mut self, layer: Layer, [from, to]: [Vec3; 2], stroke: Stroke, [dash, gap]: [f32; 2]) {
        if let Some(ends) = self.segment(from, to) {
            self.shapes.extend(Shape::dashed_line(&ends, stroke, dash, gap).into_iter().map(|shape| (layer, shape)));
        }
    }

    pub(crate) fn dotted(&mut self, layer: Layer, [from, to]: [Vec3; 2], color: Color32, spacing: f32, radius: f32) {
        if let Some(ends) = self.segment(from, to) {
            self.shapes
                .extend(Shape::dotted_line(&ends, color, spacing, radius).into_iter().map(|shape| (layer, shape)));
        }
    }

    pub(crate) fn pixel_arrow(&mut self, layer: Layer, from: Vec3, to: Vec3, width: f32, color: Color32) {
        let Some([from, end]) = self.segment(from, to) else { return };
        let along = end - from;
        let length = along.length();
        if length < 2.0 {
            return;
        }
        // The head of an arrow that leaves the picture is not visible.
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

    /// Keeps labels off a sphere; `radius` is in model units.
    pub(crate) fn keep_clear(&mut self, center: Vec3, radius: f32) {
        if let Some(at) = self.at(center) {
            self.keep_clear.push((at, radius / self.projector.units_per_pixel(center)));
        }
    }

    pub(crate) fn note(&mut self, note: Note) {
        self.notes.push(note);
    }

    fn label_size(&self, note: &Note, text: &str) -> (Arc<Galley>, Vec2) {
        let (font, color) = match note.mark.filter(|_| note.is_tag) {
            Some(color) => (FontId::new(15.0, semibold()), color),
            None => (FontId::proportional(11.5), self.theme.text[0]),
        };
        let widest = (self.picture().width() * WIDEST.0).min(WIDEST.1);
        // A number and its unit stay on one line.
        let galley = self.painter.layout(text.replace(" mm", "\u{a0}mm"), font, color, widest);
        let has_dot = note.mark.is_some() && !note.is_tag;
        let size = galley.size() + vec2(12.0 + if has_dot { MARK_WIDTH } else { 0.0 }, 5.0);
        (galley, size.ceil())
    }

    /// `rects` are those of caption, axes and hint. Leaves out notes without room.
    pub(crate) fn place_labels(&mut self, density: Density, rects: Vec<Rect>, memory: &mut Memory) -> Vec<Painted> {
        let notes = std::mem::take(&mut self.notes);
        let shown: Vec<Note> = notes.into_iter().filter(|note| density.shows(note.rank, note.is_selected)).collect();
        type Forms = Vec<(Arc<Galley>, Vec2)>;
        let forms = |note: &Note| -> Forms {
            std::iter::once(&note.text).chain(&note.shorter).map(|text| self.label_size(note, text)).collect()
        };
        let texts: Vec<Forms> = shown.iter().map(forms).collect();
        let label = |(note, forms): (&Note, &Forms)| Label {
            key: note.key,
            sizes: forms.iter().map(|(_, size)| *size).collect(),
            anchor: note.at,
            clear: note.clear,
            apart: note.apart,
            toward: note.toward,
            rank: note.rank,
        };
        let labels: Vec<Label> = shown.iter().zip(&texts).map(label).collect();
        let obstacles = Obstacles {
            picture: self.picture().shrink(4.0),
            rects,
            discs: self.discs(),
            segments: self.study.clone(),
            drawn: self.drawn(),
        };
        let placed = labels::place(&labels, &obstacles, memory);
        let mut painted = Vec::with_capacity(placed.len());
        for own in placed {
            let (note, (galley, _)) = (&shown[own.label], &texts[own.label][own.form]);
            let color = note.mark.unwrap_or(self.theme.text[1]);
            let line = |width, color| Shape::line_segment(own.leader, Stroke::new(width, color));
            self.add(Layer::Labels, line(2.6, fade(self.theme.halo, 0.6)));
            self.add(Layer::Labels, line(1.0, fade(color, 0.8)));
            if note.clear <= 2.0 {
                self.add(Layer::Labels, Shape::circle_filled(note.at, 2.0, color));
            }
            self.label_in(own.rect, galley.clone(), note);
            let text = galley.text().replace('\u{a0}', " ");
            painted.push(Painted { text, rect: own.rect, anchor: note.at, rank: note.rank });
        }
        painted
    }

    fn label_in(&mut self, rect: Rect, galley: Arc<Galley>, note: &Note) {
        self.add(Layer::Labels, Shape::rect_filled(rect, 3.0, fade(self.theme.panel, 0.86)));
        let dot = note.mark.filter(|_| !note.is_tag);
        match (note.mark, dot) {
            (_, Some(mark)) => {
                self.add(Layer::Labels, Shape::circle_filled(rect.left_center() + vec2(9.0, 0.0), 3.0, mark));
            }
            (Some(mark), None) => {
                let edge = Stroke::new(1.5, mark);
                self.add(Layer::Labels, Shape::rect_stroke(rect, 3.0, edge, egui::StrokeKind::Inside));
            }
            (None, None) => {}
        }
        let text_at = rect.min + vec2(if dot.is_some() { 6.0 + MARK_WIDTH } else { 6.0 }, 2.5);
        self.add(Layer::Labels, Shape::galley(text_at, galley, self.theme.text[0]));
    }

    fn discs(&self) -> Vec<(Pos2, f32)> {
        let is_mark = |shape: &Shape| match shape {
            Shape::Circle(_) | Shape::Rect(_) => true,
            Shape::Path(path) => path.closed,
            _ => false,
        };
        let marks = self
            .shapes
            .iter()
            .filter(|(layer, shape)| matches!(layer, Layer::Nodes | Layer::Targets) && is_mark(shape));
        let rects = marks.map(|(_, shape)| shape.visual_bounding_rect());
        let marks = rects.map(|rect| (rect.center(), 0.5 * rect.size().max_elem()));
        marks.chain(self.keep_clear.iter().copied()).collect()
    }

    /// Samples the lines and marks drawn so far, without planes, every few pixels. Labels prefer places that cover few
    /// of these points.
    fn drawn(&self) -> Vec<Pos2> {
        const APART: f32 = 7.0;
        let mut points = Vec::new();
        let mut line = |from: Pos2, to: Pos2| {
            let count = (from.distance(to) / APART).ceil().clamp(1.0, 400.0) as usize;
            points.extend((0..=count).map(|index| from.lerp(to, index as f32 / count as f32)));
        };
        self.other_body.iter().for_each(|&[from, to]| line(from, to));
        for (layer, shape) in &self.shapes {
            match shape {
                _ if *layer == Layer::Planes => {}
                Shape::LineSegment { points, .. } => line(points[0], points[1]),
                Shape::Path(path) => path.points.windows(2).for_each(|pair| line(pair[0], pair[1])),
                // A circle counts as two lines, so that labels cover a line rather than a node.
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

    /// Adds a triangle, with an outline unless `edge` is none. It is not filled if a corner is behind the eye. The
    /// filling is a mesh, because egui's polygon smoothing would spread thin triangles over the whole picture.
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

    /// Draws a child constraint. A rigid one is a bar with stops at both ends, and one that only pushes is dashes
    /// between arrowheads that point outwards. The larger the strain, up to 5 %, the wider and more opaque are bar or
    /// dashes.
    fn constraint(&mut self, from: Vec3, to: Vec3, rigid: bool, strain: f32) {
        let theme = self.theme;
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

    fn ghost(&self) -> Color32 {
        self.theme.previous
    }
}

/// Returns the node whose colour and mark are drawn for a foot. `None` stands for root and pelvis.
pub(crate) fn foot_node(side: Option<Side>) -> Node {
    match side {
        Some(Side::Left) => Node::LeftFoot,
        Some(Side::Right) => Node::RightFoot,
        None => Node::Body,
    }
}

/// Returns the outline of a node's mark: a square for the right limbs, a circle for all other nodes.
pub(crate) fn hollow(node: Node, at: Pos2, radius: f32, stroke: Stroke) -> Shape {
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
            Subject::GhostBone(_) | Subject::GhostChain | Subject::SourceBone => {
                self.plain(Layer::Ghost, from, to, Stroke::new(2.2, fade(self.ghost(), 0.7)));
            }
            Subject::ChildConstraint { rigid, strain, .. } => self.constraint(from, to, rigid, strain),
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
                // The sole's line covers the foot, so the line is faint at low weight.
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
        // Numbers change from frame to frame, so only the letters identify the text.
        let about: String = text.chars().filter(|letter| letter.is_alphabetic()).collect();
        let same = self.texts.entry(about.clone()).or_default();
        *same += 1;
        let of = ("text", about, *same);
        self.note(Note::new(Rank::Study, of, at, text).mark(mark));
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
            // The edges are separate lines.
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
            Subject::LimbBone(_)
            | Subject::RootBone(_)
            | Subject::SpineBone
            | Subject::NodeOff(_)
            | Subject::UpperTorso
            | Subject::LowerTorso
            | Subject::LimbPlane(_)
            | Subject::ChildConstraint { .. }
            | Subject::BendDirection { .. }
            | Subject::BendGoal { .. }
            | Subject::Target { .. }
            | Subject::TargetError(_)
            | Subject::GhostBone(_)
            | Subject::GhostTorso
            | Subject::Displacement(_)
            | Subject::BendCone(_)
            | Subject::DefaultDirection(_)
            | Subject::DefaultChildNormal(_)
            | Subject::BendAngle { .. }
            | Subject::Triangle(_)
            | Subject::WritePlane(_)
            | Subject::GhostPlane
            | Subject::WrittenBone
            | Subject::GhostWritten
            | Subject::VirtualSpine
            | Subject::SwingAxis
            | Subject::TwistDial { .. }
            | Subject::TurnArc
            | Subject::TurnAxis
            | Subject::ChainBone(_)
            | Subject::GhostChain
            | Subject::ChainError
            | Subject::ChainMove
            | Subject::MirrorLine
            | Subject::BendCircle
            | Subject::LimitRange(_)
            | Subject::LimitAxis(_)
            | Subject::LimitNow(_)
            | Subject::Cast { .. }
            | Subject::GhostFoot(_)
            | Subject::FootOffset(_)
            | Subject::SourceBone
            | Subject::PelvisOffset => {}
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
