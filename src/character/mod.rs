pub mod body;
pub mod body_mesh;
pub mod motion_file;
pub mod preset_model;
pub mod roles;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{Mat4, Vec3};
use serde::{Deserialize, Serialize};

use crate::character::body_mesh::BodyMesh;
use crate::character::motion_file::MotionFile;
use crate::character::roles::{Roles, make_rig, workspace_of};
use crate::system::files::{self, ModelResources, SizeLimit};
use kinescope_ik::animation::Clip;
use kinescope_ik::full_body::{Node, Workspace};
use kinescope_ik::ground::Ground;
use kinescope_ik::grounding::Legs;
use kinescope_ik::locomotion::Walker;
use kinescope_ik::parameter::units_per_metre;
use kinescope_ik::rig::detect::{Detection, Mapping, ReferenceChoice};
use kinescope_ik::rig::import::{ImportError, Source, import, import_in_slices};
use kinescope_ik::rig::{
    Biped, Bone, Joint, LengthUnit, LimbName, LocalPose, LocalTransform, Mesh, Model, ModelPose, RigidTransform,
    Skeleton,
};
use kinescope_ik::slices::{finish, pause};
use kinescope_ik::stack::{self, Frame, Input, Rig, Tools};
use kinescope_ik::stepped::run::Unit;
use kinescope_ik::timing::Clock;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuiltIn {
    #[default]
    Mannequin,
    Faun,
}

impl BuiltIn {
    pub const ALL: [Self; 2] = [Self::Mannequin, Self::Faun];

    pub const fn name(self) -> &'static str {
        ["mannequin", "faun"][self as usize]
    }

    const fn file(self) -> (&'static str, &'static [u8]) {
        match self {
            Self::Mannequin => ("biped.glb", include_bytes!("../../assets/biped.glb")),
            Self::Faun => ("faun.glb", include_bytes!("../../assets/faun.glb")),
        }
    }
}

pub struct Character {
    pub model: Arc<Model>,
    /// File of the model. `None` for built-in characters, and for the bones of a trace, a capsule or a game.
    pub path: Option<PathBuf>,
    /// All files read for the model, including `path`, or for the chosen body mesh of a character made of bones.
    pub files: Vec<PathBuf>,
    origin: Origin,
    pub detection: Detection,
    pub rig: Rig,
    /// Measures of the legs and of the model's own clips, not of clips of another file. `None` without legs and for
    /// [`Self::from_bones`].
    pub walker: Option<Arc<Walker>>,
    pub workspace: Option<Workspace>,
    pub rest: LocalPose,
    /// Height as drawn, model units.
    pub height: f32,
    /// Mapping and reference pose that the rig was made with.
    mapped: (Mapping, ReferenceChoice),
    /// Whether a trace, a capsule or a game gave the roles.
    has_given_roles: bool,
    body: Option<Body>,
    pub motion: Option<MotionFile>,
}

#[derive(Clone)]
struct Body {
    mesh: Arc<BodyMesh>,
    capsules: Vec<Mesh>,
}

/// Progress of loading a model, 0 to 1, once its file is read.
const READ: f32 = 0.8;

impl Character {
    pub fn built_in() -> Result<Self, String> {
        Self::from_built_in(BuiltIn::default())
    }

    pub fn from_built_in(built_in: BuiltIn) -> Result<Self, String> {
        let (name, bytes) = built_in.file();
        let model = import(name, bytes, &mut |uri| Err(format!("{uri} is not built in")));
        let model = Model { name: built_in.name().to_owned(), ..model.map_err(|error| error.to_string())? };
        let new = Self::new(model, None, &Mapping::default(), ReferenceChoice::Auto);
        Ok(Self { origin: Origin::BuiltIn(built_in), ..new })
    }

    pub fn built_in_kind(&self) -> Option<BuiltIn> {
        if let Origin::BuiltIn(built_in) = self.origin { Some(built_in) } else { None }
    }

    pub fn load(path: &Path) -> Result<Self, String> {
        Self::load_in_unit(path, None)
    }

    /// Loads a model whose lengths are in `unit`, if its format does not state the unit. `None` guesses it.
    pub(crate) fn load_in_unit(path: &Path, unit: Option<LengthUnit>) -> Result<Self, String> {
        finish(Self::load_in_slices(path, unit, &mut |_| true))
    }

    /// Does the same as [`Self::load_in_unit`], with [pauses](kinescope_ik::slices). Reports progress from 0 to 1.
    /// Fails if `progress` returns false while an FBX or BVH file is read.
    pub async fn load_in_slices(
        path: &Path,
        unit: Option<LengthUnit>,
        progress: &mut dyn FnMut(f32) -> bool,
    ) -> Result<Self, String> {
        let (model, origin, mut files) = load_model(path, unit, &mut |done| progress(done * READ)).await?;
        files.push(path.to_owned());
        progress(READ);
        let (mapping, reference) = (Mapping::default(), ReferenceChoice::Auto);
        let mut measured = |done: f32| {
            progress(READ + (1.0 - READ) * done);
        };
        let roles = Roles::find_in_slices(&model, &mapping, reference, &mut measured).await;
        pause().await;
        Ok(Self { files, origin, ..Self::with_roles(model, Some(path.to_owned()), roles) })
    }

    pub fn copy(&self) -> Self {
        Self {
            model: self.model.clone(),
            path: self.path.clone(),
            files: self.files.clone(),
            origin: self.origin.clone(),
            detection: self.detection.clone(),
            rig: self.rig.clone(),
            walker: self.walker.clone(),
            workspace: self.rig.full_body.as_ref().ok().map(|solver| solver.workspace()),
            rest: self.rest.clone(),
            height: self.height,
            mapped: self.mapped.clone(),
            has_given_roles: self.has_given_roles,
            body: self.body.clone(),
            motion: self.motion.clone(),
        }
    }

    fn new(model: Model, path: Option<PathBuf>, mapping: &Mapping, reference: ReferenceChoice) -> Self {
        let roles = Roles::find(&model, mapping, reference);
        Self::with_roles(model, path, roles)
    }

    fn with_roles(model: Model, path: Option<PathBuf>, Roles { detection, rig, walker, mapped }: Roles) -> Self {
        Self {
            workspace: workspace_of(&rig),
            rig,
            walker,
            rest: model.skeleton.rest_pose(),
            height: detection.height.max(1e-6),
            model: Arc::new(model),
            path,
            files: Vec::new(),
            origin: Origin::Bones,
            detection,
            mapped,
            has_given_roles: false,
            body: None,
            motion: None,
        }
    }

    /// Returns the model to draw: the character's own or, if it has no meshes, its bones with capsules along them.
    pub fn drawn(&self) -> Cow<'_, Model> {
        if !self.model.meshes.is_empty() {
            return Cow::Borrowed(&self.model);
        }
        let (skeleton, biped) = (&self.model.skeleton, self.detection.biped.as_ref());
        let rest = ModelPose::from_local(skeleton, &self.rest);
        let meshes = body::capsules(skeleton, &rest, biped, self.height).into_iter().collect();
        Cow::Owned(Model { skeleton: skeleton.clone(), meshes, ..Model::default() })
    }

    pub fn is_of_bones(&self) -> bool {
        self.has_given_roles
    }

    pub fn body(&self) -> Option<&Arc<BodyMesh>> {
        self.body.as_ref().map(|body| &body.mesh)
    }

    /// Draws a mesh instead of capsules. `None` restores the capsules. Does nothing unless [`Self::is_of_bones`].
    pub(crate) fn set_body(&mut self, mesh: Option<Arc<BodyMesh>>) {
        if !self.has_given_roles {
            return;
        }
        let model = Arc::make_mut(&mut self.model);
        if let Some(body) = self.body.take() {
            model.meshes = body.capsules;
        }
        (model.materials, model.images, model.morphs, self.files) = Default::default();
        if let Some(mesh) = mesh {
            let capsules = std::mem::replace(&mut model.meshes, mesh.meshes.clone());
            (model.materials, model.images) = (mesh.materials.clone(), mesh.images.clone());
            model.morphs.clone_from(&mesh.morphs);
            self.files.clone_from(&mesh.files);
            self.body = Some(Body { mesh, capsules });
        }
        // Retargeted clips move morph targets of the mesh, so they are retargeted again.
        if let Some(motion) = &mut self.motion {
            motion.outdate();
        }
    }

    /// Returns the measures of the legs and of all clips, or `None` without legs. Each call measures again what no
    /// background job has measured.
    pub fn measured(&self) -> Option<Arc<Walker>> {
        self.rig.legs?;
        let mut walker = match &self.walker {
            Some(walker) => walker.clone(),
            None => Arc::new(self.walker_without_clips()?),
        };
        if let Some(motion) = self.motion.as_ref().filter(|motion| motion.first() == walker.strides.len()) {
            Arc::make_mut(&mut walker).strides.extend_from_slice(motion.strides());
        }
        for clip in self.model.clips.iter().skip(walker.strides.len()) {
            Arc::make_mut(&mut walker).measure(&self.model.skeleton, &self.rest, clip);
        }
        Some(walker)
    }

    fn walker_without_clips(&self) -> Option<Walker> {
        let reference = &self.detection.reference.bones;
        Some(Walker::new(&self.model.skeleton, reference, &self.rest, &[], self.rig.legs?))
    }

    pub(crate) fn mapped(&self) -> &(Mapping, ReferenceChoice) {
        &self.mapped
    }

    pub(crate) fn needs_roles(&self, mapping: &Mapping, reference: ReferenceChoice) -> bool {
        !self.has_given_roles && (&self.mapped.0, self.mapped.1) != (mapping, reference)
    }

    /// Makes the rig again if `mapping` or `reference` differ from those that it was made with, which is slow: see
    /// [`Roles::find`]. Returns whether it did. Roles that a trace, a capsule or a game gave stay.
    pub fn remap(&mut self, mapping: &Mapping, reference: ReferenceChoice) -> bool {
        let is_needed = self.needs_roles(mapping, reference);
        if is_needed {
            self.take_roles(Roles::find(&self.model, mapping, reference));
        }
        is_needed
    }

    pub fn take_roles(&mut self, roles: Roles) {
        self.workspace = workspace_of(&roles.rig);
        (self.detection, self.rig, self.mapped) = (roles.detection, roles.rig, roles.mapped);
        self.walker = roles.walker;
        // The measures of another file's clips are dropped, because these clips are retargeted again.
        if let Some((walker, motion)) = self.walker.as_mut().zip(self.motion.as_ref()) {
            Arc::make_mut(walker).strides.truncate(motion.first());
        }
        self.map_motion();
    }

    /// Makes a character of bones with given roles, from a trace, a capsule or a game. `rest` becomes its rest pose.
    pub fn from_bones(
        name: &str,
        bones: &Skeleton,
        biped: Option<Biped>,
        reference: &[RigidTransform],
        legs: Option<Legs>,
        rest: &ModelPose,
    ) -> Self {
        let like = LocalPose { bones: vec![LocalTransform::IDENTITY; bones.len()] };
        let rest = rest.to_local(bones, &like);
        let rested = bones.bones().iter().zip(&rest.bones).map(|(bone, &rest)| Bone { rest, ..bone.clone() });
        let skeleton = Skeleton::new(rested.collect()).unwrap_or_else(|_| bones.clone());
        let model = Model { name: name.to_owned(), skeleton: skeleton.into(), ..Model::default() };
        // Detection of roles would block the window for thousands of bones, so it is skipped.
        let detection = Detection::given(&model, biped, ModelPose::rigid(reference.to_vec()), "given with the bones");
        let rig = make_rig(&model, &detection);
        let mut character = Self {
            workspace: workspace_of(&rig),
            rig,
            walker: None,
            rest,
            height: detection.height.max(1e-6),
            model: Arc::new(model),
            path: None,
            files: Vec::new(),
            origin: Origin::Bones,
            detection,
            mapped: Default::default(),
            has_given_roles: true,
            body: None,
            motion: None,
        };
        // The given legs were measured on the original mesh, and this character has no mesh. So they take precedence.
        let legs = legs.or(character.rig.legs);
        character.rig = character.rig.with_legs(legs);
        if let Ok(solver) = &character.rig.full_body {
            character.detection.facing = solver.facing();
        }
        // The capsules come last, so that they are not measured as the character's surface.
        let (model, biped) = (Arc::make_mut(&mut character.model), character.detection.biped.as_ref());
        let rest = ModelPose::from_local(&model.skeleton, &character.rest);
        let body = body::capsules(&model.skeleton, &rest, biped, character.height);
        // Bones end at the head joint and the ankles, so the drawn body is taller.
        let heights = body.iter().flat_map(|body| &body.positions).map(|at| at.dot(character.detection.up));
        let [low, high] = heights.fold([f32::MAX, f32::MIN], |[low, high], at| [low.min(at), high.max(at)]);
        character.height = character.height.max(high - low);
        model.meshes.extend(body);
        character
    }

    /// Returns the model's file for writing it with a pose or clip, and a note for each image that is a copy of a
    /// file outside the model's folder. A character of bones gets a source of its skeleton alone.
    pub fn source(&self) -> Result<(Source, Vec<String>), String> {
        let name = &self.model.name;
        let (path, (print, prints)) = match (&self.origin, &self.path) {
            (Origin::File { print, resources }, Some(path)) => (path, (print, resources)),
            (Origin::BuiltIn(built_in), _) => {
                let read = Source::read(name, built_in.file().1, &mut |uri| Err(format!("{uri} is not built in")));
                return read.map(|source| (source, Vec::new())).map_err(|error| error.to_string());
            }
            _ => return Ok((Source::of_bones(&self.model.skeleton), Vec::new())),
        };
        let changed = |file: &str| format!("{file}: the file has changed since the model was opened. Open it again");
        let bytes = files::read(path, SizeLimit::MODEL)?;
        if files::fingerprint_of(&bytes) != *print {
            return Err(changed(&path.display().to_string()));
        }
        let (mut resources, mut other) = (ModelResources::new(path), None);
        let read = Source::read_in_unit(name, &bytes, self.model.unit, &mut |uri| {
            let bytes = resources.read(uri);
            let known = prints.iter().find(|(name, _)| name == uri);
            if known.is_some_and(|(_, print)| bytes.as_ref().map(|bytes| files::fingerprint_of(bytes)) != Ok(*print)) {
                other = Some(uri.to_owned());
            }
            bytes
        });
        match other {
            Some(uri) => Err(changed(&format!("{}: {uri}", path.display()))),
            None => read.map(|source| (source, resources.notes)).map_err(|error| error.to_string()),
        }
    }

    pub fn solve(&mut self, input: &Input, ground: Option<&dyn Ground>, clock: Option<Clock>) -> Frame {
        stack::solve(&self.rig, Tools { workspace: self.workspace.as_mut(), ground, clock }, input)
    }

    pub fn find_clip(&self, name: &str) -> Result<usize, String> {
        find_clip(&self.model.clips, name).map_err(|message| format!("{}: {message}", self.model.name))
    }

    pub(crate) fn length_unit(&self) -> (f32, &'static str) {
        unit(self.height)
    }

    pub fn factor(&self, unit: Unit) -> f32 {
        match unit {
            Unit::Length => self.length_unit().0,
            Unit::Fraction | Unit::Excess => 100.0,
            Unit::Number => 1.0,
            Unit::Angle => 1f32.to_degrees(),
        }
    }

    pub fn unit_name(&self, unit: Unit) -> &'static str {
        match unit {
            Unit::Length => self.length_unit().1,
            Unit::Fraction | Unit::Excess => "%",
            Unit::Number => "",
            Unit::Angle => "°",
        }
    }

    pub fn model_unit(&self) -> &'static str {
        model_unit(self.height)
    }

    pub fn length(&self, length: f32) -> String {
        let (factor, unit) = self.length_unit();
        let digits = length_digits(unit);
        format!("{:.digits$} {unit}", length * factor)
    }

    /// Formats a length that differs from `other` by `gap`, so that the three displayed numbers agree: beside 540.0 mm
    /// and a gap of 101.5 mm it is 641.5 mm, even if it is exactly 641.44 mm. The gap has the same rounding here as
    /// everywhere else. A length with another difference from `other` is displayed as it is.
    pub fn length_beside(&self, length: f32, other: f32, gap: f32) -> String {
        let (factor, unit) = self.length_unit();
        let scale = 10f32.powi(length_digits(unit) as i32);
        let is_apart = ((length - other).abs() - gap).abs() * factor * scale < 0.5;
        let [shown, apart] = [other, gap].map(|length| (length * factor * scale).round());
        let sum = if length < other { shown - apart } else { shown + apart };
        self.length(if is_apart { sum / scale / factor } else { length })
    }

    /// Returns the height in a pose, model units. It differs from [`Self::height`] if the limbs are less than half or
    /// at least twice as long as in the reference pose, because a clip then scales the whole character.
    pub(crate) fn height_in(&self, pose: &ModelPose) -> f32 {
        let Ok(solver) = &self.rig.full_body else { return self.height };
        let length = |pose: &ModelPose| -> f32 {
            let limb = |limb| Node::of_limb(limb).map(|node| pose.position(solver.bone_of(node)));
            LimbName::ALL.into_iter().map(limb).map(|[a, b, c]| a.distance(b) + b.distance(c)).sum()
        };
        let ratio = length(pose) / length(&self.detection.reference);
        // Smaller changes are stretched limbs, not another size.
        match ratio.is_finite() && ratio > 0.0 && !(0.5..2.0).contains(&ratio) {
            true => self.height * ratio,
            false => self.height,
        }
    }

    /// Returns every vertex in a pose, model space. Morph targets have the weights of the file.
    pub fn surface(&self, pose: &ModelPose) -> Vec<Vec3> {
        let mut points = Vec::with_capacity(self.model.meshes.iter().map(|mesh| mesh.positions.len()).sum());
        self.model.meshes.iter().for_each(|mesh| self.skin(mesh, pose, &mut points));
        points
    }

    pub fn skin(&self, mesh: &Mesh, pose: &ModelPose, points: &mut Vec<Vec3>) {
        let matrices = joint_matrices(&mesh.joints, pose);
        let weights = mesh.morph.and_then(|morph| self.model.morphs.get(morph));
        let positions = mesh.morphed(weights.map_or(&[], |morph| &morph.weights));
        let vertices = positions.iter().zip(&mesh.vertex_joints).zip(&mesh.vertex_weights);
        points.extend(vertices.map(|((&position, joints), weights)| {
            let influences = joints.iter().zip(weights).filter(|&(_, &weight)| weight > 0.0);
            influences
                .filter_map(|(&joint, &weight)| Some((matrices.get(usize::from(joint))?, weight)))
                .map(|(matrix, weight)| matrix.transform_point3(position) * weight)
                .sum::<Vec3>()
        }));
    }

    /// Returns points of the character in a pose, model space. With a solver, these are its nodes, because helper bones
    /// may be anywhere, and the vertices of the capsules if there are no meshes. Without a solver, they are the
    /// vertices of meshes on bones, or else the bones.
    fn bounding_points(&self, pose: &ModelPose) -> Vec<Vec3> {
        if let Ok(solver) = &self.rig.full_body {
            let mut points = Node::ALL.into_iter().map(|node| pose.position(solver.bone_of(node))).collect();
            if self.model.meshes.is_empty() {
                self.drawn().meshes.iter().for_each(|mesh| self.skin(mesh, pose, &mut points));
            }
            return points;
        }
        let mut points = Vec::new();
        let on_bones = |mesh: &&Mesh| mesh.joints.iter().any(|joint| joint.bone.is_some());
        self.model.meshes.iter().filter(on_bones).for_each(|mesh| self.skin(mesh, pose, &mut points));
        match points.iter().any(|point| point.is_finite()) {
            true => points,
            false => pose.bones.iter().map(|bone| bone.position).collect(),
        }
    }

    /// Returns centre and radius of a sphere around the character in a pose, for framing; model units.
    pub fn bounds(&self, pose: &ModelPose) -> (Vec3, f32) {
        let points = self.bounding_points(pose);
        let points: Vec<_> = points.into_iter().filter(|point| point.is_finite()).collect();
        let Some(&first) = points.first() else { return (Vec3::ZERO, 1.0) };
        let (low, high) = points.iter().fold((first, first), |(low, high), &point| (low.min(point), high.max(point)));
        let height = self.height_in(pose);
        let mut center = (low + high) / 2.0;
        let mut radius = (high - low).length() / 2.0;
        if self.rig.full_body.is_ok() && self.detection.up == Vec3::Y && !self.model.meshes.is_empty() {
            // The nodes extend from the ankles to the shoulders. Most of the remaining height is the head.
            center.y = low.y + height * 0.455;
            radius = radius.max(height * 0.56);
        }
        (center, radius.max(height * 0.05))
    }
}

/// Returns the matrices of a mesh's joints in a pose, from its bind pose to model space. A joint without a bone in the
/// pose keeps its place.
pub(crate) fn joint_matrices(joints: &[Joint], pose: &ModelPose) -> Vec<Mat4> {
    let matrix = |joint: &Joint| match joint.bone.filter(|&bone| bone < pose.bones.len()) {
        Some(bone) => pose.model_from_bone(bone) * joint.bone_from_mesh,
        None => joint.bone_from_mesh,
    };
    joints.iter().map(matrix).collect()
}

/// Returns the factor from model units to display units, and the display unit: mm if the height is that of a person in
/// metres, centimetres or millimetres, and otherwise percent of the height.
pub(crate) fn unit(height: f32) -> (f32, &'static str) {
    match units_per_metre(height) {
        Some(metre) => (1000.0 / metre, "mm"),
        None => (100.0 / height.max(f32::MIN_POSITIVE), "% of height"),
    }
}

fn model_unit(height: f32) -> &'static str {
    match units_per_metre(height) {
        Some(1.0) => "m",
        Some(100.0) => "cm",
        Some(_) => "mm",
        None => "units",
    }
}

fn length_digits(unit: &str) -> usize {
    if unit == "mm" { 1 } else { 2 }
}

/// Returns the length of a model unit in centimetres, judged by the height. Models without the height of a person are in
/// metres, as glTF demands.
pub fn centimetres(height: f32) -> f64 {
    100.0 / f64::from(units_per_metre(height).unwrap_or(1.0))
}

/// Returns whether two characters' heights in model units are similar enough for targets to fit both: the second is 0.8
/// to 1.25 times the first.
pub(crate) fn are_as_tall([a, b]: [f32; 2]) -> bool {
    (0.8..1.25).contains(&(b / a))
}

pub(crate) fn find_clip(clips: &[Clip], name: &str) -> Result<usize, String> {
    clips.iter().position(|clip| clip.name == name).ok_or_else(|| {
        let names: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
        match names.is_empty() {
            true => format!("has no clip {name:?} and no other clips"),
            false => format!("has no clip {name:?}; it has {}", names.join(", ")),
        }
    })
}

/// Source of the model's bytes. Exports read them again, because keeping them would double the memory.
#[derive(Clone)]
enum Origin {
    Bones,
    BuiltIn(BuiltIn),
    /// The file at [`Character::path`]: its fingerprint, and those of the files it refers to, by their URIs.
    File {
        print: u64,
        resources: Vec<(String, u64)>,
    },
}

async fn load_model(
    path: &Path,
    unit: Option<LengthUnit>,
    progress: &mut dyn FnMut(f32) -> bool,
) -> Result<(Model, Origin, Vec<PathBuf>), String> {
    let bytes = files::read(path, SizeLimit::MODEL)?;
    let name = files::name_of(path);
    let (mut others, mut resources) = (ModelResources::new(path), Vec::new());
    let print = files::fingerprint_of(&bytes);
    pause().await;
    let mut read = |uri: &str| {
        let bytes = others.read(uri)?;
        resources.push((uri.to_owned(), files::fingerprint_of(&bytes)));
        Ok(bytes)
    };
    let model = import_in_slices(&name, &bytes, unit, &mut read, progress).await;
    let mut model = model.map_err(|error| ImportError { file: path.display().to_string(), ..error }.to_string())?;
    model.notes.append(&mut others.notes);
    Ok((model, Origin::File { print, resources }, others.files))
}
