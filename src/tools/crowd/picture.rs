//! Draws the crowd: whole bodies when near, solid figures farther away, flat figures beyond. The colour of a member's
//! level of detail tints its body and fills a disc under its feet.

use glam::{Vec3, Vec4};
use macroquad::models::Vertex;
use macroquad::prelude as mq;

use crate::picture::LARGEST_CALL;
use crate::picture::surface::Surface;
use crate::session::{MeshStyle, Session};
use crate::system::order::sort_by;
use crate::ui::theme::Theme;
use kinescope_ik::rig::{BoneIndex, LimbName, ModelPose, RigidTransform};

/// Largest number of members drawn whole, and their largest distance in character heights.
const WHOLE: (usize, f32) = (12, 7.0);
/// Largest number of members drawn as whole or solid figures, and their largest distance in character heights. All
/// others are flat.
const SOLID: (usize, f32) = (160, 16.0);
const SIDES: usize = 6;
const CORNERS: u16 = 14;
const FEW_CORNERS: u16 = 6;

/// A straight piece of a figure, from one bone to another. Its radius is `thickness` times the character's height.
struct Stick {
    from: BoneIndex,
    to: BoneIndex,
    thickness: f32,
}

fn sticks(session: &Session) -> Vec<Stick> {
    let Some(biped) = &session.world.character.detection.biped else { return Vec::new() };
    let mut sticks = Vec::new();
    let mut stick = |from: BoneIndex, to: BoneIndex, thickness: f32| sticks.push(Stick { from, to, thickness });
    let mut below = biped.pelvis;
    for &bone in &biped.spine {
        stick(below, bone, 0.085);
        below = bone;
    }
    if let Some(head) = biped.head {
        stick(below, head, 0.03);
    }
    for limb in LimbName::ALL {
        let own = biped.limb(limb);
        let root = if limb.is_arm() { own.clavicle.unwrap_or(below) } else { biped.pelvis };
        let [first, second, last] = own.bones;
        let thickness = if limb.is_arm() { 0.022 } else { 0.036 };
        stick(root, first, if limb.is_arm() { 0.04 } else { 0.07 });
        stick(first, second, thickness);
        stick(second, last, thickness * 0.8);
        // Hands and feet extend to a finger or a toe.
        let skeleton = &session.world.character.model.skeleton;
        if let Some(end) = (0..skeleton.len()).find(|&bone| skeleton.parent(bone) == Some(last)) {
            stick(last, end, thickness * 0.7);
        }
    }
    sticks
}

struct Figures {
    meshes: Vec<mq::Mesh>,
}

impl Figures {
    fn mesh(&mut self, vertices: usize, indices: usize) -> &mut mq::Mesh {
        let is_full = |mesh: &mq::Mesh| {
            mesh.vertices.len() + vertices > LARGEST_CALL || mesh.indices.len() + indices > 3 * LARGEST_CALL
        };
        if self.meshes.last().is_none_or(is_full) {
            self.meshes.push(mq::Mesh { vertices: Vec::new(), indices: Vec::new(), texture: None });
        }
        let last = self.meshes.len() - 1;
        &mut self.meshes[last]
    }

    fn vertex(position: Vec3, normal: Vec3, color: [u8; 4]) -> Vertex {
        let normal = mq::vec4(normal.x, normal.y, normal.z, 0.0);
        Vertex { position: position.to_array().into(), uv: mq::Vec2::ZERO, color, normal }
    }

    fn limb(&mut self, [from, to]: [Vec3; 2], radius: f32, color: [u8; 4]) {
        let along = (to - from).normalize_or(Vec3::Y);
        let rounded = along * radius * 0.6;
        let rings = [(from, radius), (to, radius * 0.8)];
        self.turned([from - rounded, to + rounded], &rings, color);
    }

    fn head(&mut self, [chin, crown]: [Vec3; 2], radius: f32, color: [u8; 4]) {
        let ring = |share: f32, radius: f32| (chin.lerp(crown, share), radius);
        let rings = [ring(0.15, radius * 0.62), ring(0.5, radius), ring(0.8, radius * 0.82)];
        self.turned([chin, crown], &rings, color);
    }

    /// Adds a body of revolution with rings (centre and radius) around the line between two tips, from the first tip to
    /// the last.
    fn turned(&mut self, [first_tip, last_tip]: [Vec3; 2], rings: &[(Vec3, f32)], color: [u8; 4]) {
        let along = (last_tip - first_tip).normalize_or(Vec3::Y);
        let (aside, across) = along.any_orthonormal_pair();
        let mesh = self.mesh(rings.len() * SIDES + 2, 6 * rings.len() * SIDES);
        let first = mesh.vertices.len() as u16;
        for &(center, radius) in rings {
            for side in 0..SIDES {
                let turn = side as f32 * std::f32::consts::TAU / SIDES as f32;
                let normal = aside * turn.cos() + across * turn.sin();
                mesh.vertices.push(Self::vertex(center + normal * radius, normal, color));
            }
        }
        let tips = mesh.vertices.len() as u16;
        mesh.vertices.push(Self::vertex(first_tip, -along, color));
        mesh.vertices.push(Self::vertex(last_tip, along, color));
        let sides = SIDES as u16;
        let last = tips - sides;
        for side in 0..sides {
            let next = (side + 1) % sides;
            mesh.indices.extend([tips, first + side, first + next, tips + 1, last + next, last + side]);
            for ring in (first..last).step_by(SIDES) {
                let [a, b] = [ring + side, ring + next];
                mesh.indices.extend([a, a + sides, b, b, a + sides, b + sides]);
            }
        }
    }

    fn ribbon(&mut self, [from, to]: [Vec3; 2], radius: f32, eye: Vec3, color: [u8; 4]) {
        let toward = (eye - from).normalize_or(Vec3::Z);
        let across = (to - from).cross(toward).normalize_or(Vec3::X) * radius;
        let mesh = self.mesh(4, 6);
        let first = mesh.vertices.len() as u16;
        let aside = across * (0.85 / radius.max(f32::MIN_POSITIVE));
        let normals = [toward * 0.53 - aside, toward * 0.53 + aside];
        for (corner, side) in [(from - across, 0), (from + across, 1), (to + across, 1), (to - across, 0)] {
            mesh.vertices.push(Self::vertex(corner, normals[side], color));
        }
        mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|index| first + index));
    }

    fn disc(&mut self, mark: &Mark, radius: f32, corners: u16) {
        let [r, g, b, _] = mark.level;
        let color = [r, g, b, 150];
        let mesh = self.mesh(usize::from(corners) + 1, 3 * usize::from(corners));
        let first = mesh.vertices.len() as u16;
        mesh.vertices.push(Self::vertex(mark.feet, Vec3::Y, color));
        for corner in 0..corners {
            let turn = f32::from(corner) * std::f32::consts::TAU / f32::from(corners);
            let at = mark.feet + Vec3::new(turn.cos(), 0.0, turn.sin()) * radius;
            mesh.vertices.push(Self::vertex(at, Vec3::Y, color));
        }
        for corner in 0..corners {
            mesh.indices.extend([first, first + 1 + (corner + 1) % corners, first + 1 + corner]);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    pub member: usize,
    /// Distance from the eye, model units.
    pub away: f32,
    /// Centre of the member's disc: between the ankles, 4.5 % of the height below the lower one. Without a biped, the
    /// first bone's position.
    pub feet: Vec3,
    pub level: [u8; 4],
}

/// Returns the members in front of the eye or less than two character heights away from it, the nearest first. Leaves
/// out the followed member.
pub fn marks(session: &Session, theme: &Theme) -> Vec<Mark> {
    let Some(crowd) = session.tools.crowd.crowd() else { return Vec::new() };
    let (height, eye) = (session.world.character.height, session.look.camera.eye());
    let projector = session.projector();
    let biped = session.world.character.detection.biped.as_ref();
    let root = biped.map_or(0, |biped| biped.pelvis);
    let mut marks = Vec::new();
    for (index, member) in crowd.members().iter().enumerate() {
        // The character is drawn instead of the followed member.
        if session.tools.crowd.followed == Some(index) {
            continue;
        }
        let pose = member.pose();
        let Some(bone) = pose.get(root) else { continue };
        let away = bone.position.distance(eye);
        if away >= 2.0 * height && projector.to_screen(bone.position).is_none() {
            continue;
        }
        let feet = biped.map_or(bone.position, |biped| {
            let [left, right] =
                [LimbName::LeftLeg, LimbName::RightLeg].map(|limb| pose[biped.limb(limb).bones[2]].position);
            ((left + right) * 0.5).with_y(left.y.min(right.y)) - Vec3::Y * height * 0.045
        });
        marks.push(Mark { member: index, away, feet, level: theme.level(member.rule()).to_array() });
    }
    sort_by(&mut marks, |a, b| a.away.total_cmp(&b.away));
    marks
}

pub(crate) fn draw(session: &Session, theme: &Theme, surface: &mut Surface, solid: &mq::Material, flat: &mq::Material) {
    let Some(crowd) = session.tools.crowd.crowd() else { return };
    if session.look.view.mesh == MeshStyle::Hidden || crowd.members().is_empty() {
        return;
    }
    let (height, eye) = (session.world.character.height, session.look.camera.eye());
    let sticks = sticks(session);
    let members = marks(session, theme);
    let is_among = |(count, distance): (usize, f32), rank: usize, away: f32| rank < count && away < distance * height;
    let body = Vec4::from_array(theme.solid_body.to_array().map(f32::from));
    let mut figures = Figures { meshes: Vec::new() };
    let mut discs = Figures { meshes: Vec::new() };
    for (rank, mark) in members.iter().enumerate() {
        let (index, away) = (mark.member, mark.away);
        let pose = crowd.members()[index].pose();
        let tint = Vec4::from_array(mark.level.map(f32::from));
        // The brightness varies, to distinguish neighbours.
        let shade = 0.8 + 0.3 * (index as f32 * 0.618_034).fract();
        let color = (body.lerp(tint, 0.45) * shade).to_array().map(|part| part as u8);
        let is_solid = is_among(SOLID, rank, away);
        discs.disc(mark, height * 0.13, if is_solid { CORNERS } else { FEW_CORNERS });
        if is_among(WHOLE, rank, away) {
            continue;
        }
        let at = |bone: BoneIndex| pose.get(bone).map_or(Vec3::ZERO, |bone: &RigidTransform| bone.position);
        for stick in &sticks {
            let (ends, radius) = ([at(stick.from), at(stick.to)], stick.thickness * height);
            match is_solid {
                true => figures.limb(ends, radius, color),
                false => figures.ribbon(ends, radius, eye, color),
            }
        }
        if let Some(head) = session.world.character.detection.biped.as_ref().and_then(|biped| biped.head) {
            let chin = pose[head].position - Vec3::Y * height * 0.012;
            let ends = [chin, chin + Vec3::Y * height * 0.135];
            match is_solid {
                true => figures.head(ends, height * 0.054, color),
                false => figures.ribbon(ends, height * 0.04, eye, color),
            }
        }
    }
    mq::gl_use_material(flat);
    discs.meshes.iter().for_each(mq::draw_mesh);
    mq::gl_use_material(solid);
    figures.meshes.iter().for_each(mq::draw_mesh);
    let mut shown = ModelPose { bones: Vec::new(), stretch: session.world.picture.pose.stretch.clone() };
    let whole = members.iter().enumerate().filter(|(rank, mark)| is_among(WHOLE, *rank, mark.away));
    for (_, mark) in whole {
        shown.bones.clear();
        shown.bones.extend_from_slice(crowd.members()[mark.member].pose());
        surface.pose(&shown, glam::Vec3::ZERO);
        surface.draw_mixed(theme, mark.level);
    }
}
