//! The character in the window: what was loaded, what was made of it, and its solver.

pub mod body;
pub mod body_mesh;
pub mod preset_model;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{Mat4, Vec3};
use serde::{Deserialize, Serialize};

use crate::character::body_mesh::BodyMesh;
use crate::system::files::{self, Beside, Most};
use kinescope_ik::animation::Clip;
use kinescope_ik::full_body::{FullBody, Node, Workspace};
use kinescope_ik::ground::Ground;
use kinescope_ik::grounding::Legs;
use kinescope_ik::modifiers::Figure;
use kinescope_ik::rig::detect::{Detection, Mapping, ReferenceChoice, detect};
use kinescope_ik::rig::import::{ImportError, Source, import};
use kinescope_ik::rig::{
    Biped, Bone, LimbName, LocalPose, LocalTransform, Mesh, Model, ModelPose, RigidTransform, Skeleton,
};
use kinescope_ik::stack::{self, Frame, Input, Rig, Tools};
use kinescope_ik::stepped::run::Unit;
use kinescope_ik::timing::Clock;

/// A character that comes along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuiltIn {
    /// A human, with which the program starts.
    #[default]
    Mannequin,
    /// The same on digitigrade legs.
    Faun,
}

impl BuiltIn {
    /// The name of its model.
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

/// A model and all that was derived from it.
pub struct Character {
    /// Shared with work off the drawing thread.
    pub model: Arc<Model>,
    /// Where it came from; `None` for the built-in biped.
    pub path: Option<PathBuf>,
    /// All files that were read for it, that one among them.
    pub files: Vec<PathBuf>,
    origin: Origin,
    pub detection: Detection,
    /// What it is to the layers of a stack.
    pub rig: Rig,
    /// Buffers of its full body.
    pub workspace: Option<Workspace>,
    pub rest: LocalPose,
    /// Of the drawn character, in model units: what sizes of handles, arrows and steps go by.
    pub height: f32,
    /// What the solver was made with.
    mapped: (Mapping, ReferenceChoice),
    /// Its roles came with it and are not looked for.
    is_fixed: bool,
    /// The mesh that the user chose for bones that come without one.
    body: Option<Body>,
}

/// A mesh that the user chose.
#[derive(Clone)]
struct Body {
    mesh: Arc<BodyMesh>,
    /// What is drawn without it.
    capsules: Vec<Mesh>,
}

/// The roles that were found in a model, and the rig that follows from them.
pub struct Roles {
    detection: Detection,
    rig: Rig,
    mapped: (Mapping, ReferenceChoice),
}

impl Roles {
    /// Finds the roles of a model. With thousands of bones this takes many frames: the window does it off the drawing thread.
    pub fn find(model: &Model, mapping: &Mapping, reference: ReferenceChoice) -> Self {
        let detection = detect(model, mapping, reference);
        Self { rig: make_rig(model, &detection), detection, mapped: (mapping.clone(), reference) }
    }
}

fn workspace_of(rig: &Rig) -> Option<Workspace> {
    rig.full_body.as_ref().ok().map(|solver| solver.workspace())
}

/// The rig of a model whose roles are known. Without a biped it has no full body, and says why.
fn make_rig(model: &Model, detection: &Detection) -> Rig {
    let (skeleton, reference) = (&model.skeleton, &detection.reference);
    let full_body = match &detection.biped {
        None => Err(match detection.problems.first() {
            Some(problem) => format!("no biped: {problem}"),
            None => "no biped was found".to_owned(),
        }),
        Some(biped) => {
            FullBody::new(skeleton, biped, &reference.bones).map(Arc::new).map_err(|error| error.to_string())
        }
    };
    let biped = detection.biped.as_ref();
    let legs = biped.and_then(|biped| Legs::new(model, biped, reference, detection.facing).ok());
    let of_biped = |biped| Figure::new(skeleton, biped, &reference.bones).ok();
    let figure = biped.filter(|_| full_body.is_ok()).and_then(of_biped).map(Arc::new);
    let rig = Rig {
        figure,
        name: model.name.clone(),
        skeleton: skeleton.clone(),
        reference: Arc::new(reference.bones.clone()),
        full_body,
        ..Rig::default()
    };
    rig.with_legs(legs)
}

impl Character {
    /// The built-in biped.
    ///
    /// # Errors
    /// Never with the asset that is committed: a test loads it.
    pub fn built_in() -> Result<Self, String> {
        Self::that_comes_along(BuiltIn::default())
    }

    /// The one that is meant.
    ///
    /// # Errors
    /// As [`Self::built_in`].
    pub fn that_comes_along(built_in: BuiltIn) -> Result<Self, String> {
        let (name, bytes) = built_in.file();
        let model = import(name, bytes, &mut |uri| Err(format!("{uri} is not built in")));
        let model = Model { name: built_in.name().to_owned(), ..model.map_err(|error| error.to_string())? };
        let new = Self::new(model, None, &Mapping::default(), ReferenceChoice::Auto);
        Ok(Self { origin: Origin::BuiltIn(built_in), ..new })
    }

    /// Which of those that come along it is.
    pub fn comes_along(&self) -> Option<BuiltIn> {
        if let Origin::BuiltIn(built_in) = self.origin { Some(built_in) } else { None }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// One line that names the file, the place in it and what is wrong.
    pub fn load(path: &Path) -> Result<Self, String> {
        let (model, origin, mut files) = load_model(path)?;
        files.push(path.to_owned());
        let new = Self::new(model, Some(path.to_owned()), &Mapping::default(), ReferenceChoice::Auto);
        Ok(Self { files, origin, ..new })
    }

    /// The same character with buffers of its own.
    pub fn copy(&self) -> Self {
        Self {
            model: self.model.clone(),
            path: self.path.clone(),
            files: self.files.clone(),
            origin: self.origin.clone(),
            detection: self.detection.clone(),
            rig: self.rig.clone(),
            workspace: self.rig.full_body.as_ref().ok().map(|solver| solver.workspace()),
            rest: self.rest.clone(),
            height: self.height,
            mapped: self.mapped.clone(),
            is_fixed: self.is_fixed,
            body: self.body.clone(),
        }
    }

    fn new(model: Model, path: Option<PathBuf>, mapping: &Mapping, reference: ReferenceChoice) -> Self {
        let Roles { detection, rig, mapped } = Roles::find(&model, mapping, reference);
        Self {
            workspace: workspace_of(&rig),
            rig,
            rest: model.skeleton.rest_pose(),
            height: detection.height.max(1e-6),
            model: Arc::new(model),
            path,
            files: Vec::new(),
            origin: Origin::Bones,
            detection,
            mapped,
            is_fixed: false,
            body: None,
        }
    }

    /// Whether it came with a trace or a capsule, without a model.
    pub fn is_of_bones(&self) -> bool {
        self.is_fixed
    }

    /// The mesh that the user chose for it; `None` where its own or capsules are drawn.
    pub fn body(&self) -> Option<&Arc<BodyMesh>> {
        self.body.as_ref().map(|body| &body.mesh)
    }

    /// Draws that mesh in place of capsules; `None` draws capsules again. Does nothing to a model with a mesh of its own.
    pub fn set_body(&mut self, mesh: Option<Arc<BodyMesh>>) {
        if !self.is_fixed {
            return;
        }
        let model = Arc::make_mut(&mut self.model);
        if let Some(body) = self.body.take() {
            model.meshes = body.capsules;
        }
        (model.materials, model.images, self.files) = Default::default();
        if let Some(mesh) = mesh {
            let capsules = std::mem::replace(&mut model.meshes, mesh.meshes.clone());
            (model.materials, model.images) = (mesh.materials.clone(), mesh.images.clone());
            self.files.clone_from(&mesh.files);
            self.body = Some(Body { mesh, capsules });
        }
    }

    /// What its roles were found with.
    pub fn mapped(&self) -> &(Mapping, ReferenceChoice) {
        &self.mapped
    }

    /// Whether other roles or another reference pose make another solver. Roles that came with a trace or a capsule stay.
    pub fn needs_roles(&self, mapping: &Mapping, reference: ReferenceChoice) -> bool {
        !self.is_fixed && (&self.mapped.0, self.mapped.1) != (mapping, reference)
    }

    /// Takes other roles or another reference pose. Returns whether the solver is another one now. Searches the model: see
    /// [`Roles::find`].
    pub fn remap(&mut self, mapping: &Mapping, reference: ReferenceChoice) -> bool {
        let is_needed = self.needs_roles(mapping, reference);
        if is_needed {
            self.take_roles(Roles::find(&self.model, mapping, reference));
        }
        is_needed
    }

    /// Takes roles that were found in its model.
    pub fn take_roles(&mut self, roles: Roles) {
        self.workspace = workspace_of(&roles.rig);
        (self.detection, self.rig, self.mapped) = (roles.detection, roles.rig, roles.mapped);
    }

    /// A character of bones alone, with its roles as given: from a trace or a capsule. `rest` is the pose it stands in.
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
        // Traces know no rest pose of their own: it becomes that of the bones.
        let rested = bones.bones().iter().zip(&rest.bones).map(|(bone, &rest)| Bone { rest, ..bone.clone() });
        let skeleton = Skeleton::new(rested.collect()).unwrap_or_else(|_| bones.clone());
        let model = Model { name: name.to_owned(), skeleton: skeleton.into(), ..Model::default() };
        // Nothing is searched for: with thousands of bones that would hold up the window.
        let detection = Detection::given(&model, biped, ModelPose::rigid(reference.to_vec()), "as the file has it");
        let rig = make_rig(&model, &detection);
        let mut character = Self {
            workspace: workspace_of(&rig),
            rig,
            rest,
            height: detection.height.max(1e-6),
            model: Arc::new(model),
            path: None,
            files: Vec::new(),
            origin: Origin::Bones,
            detection,
            mapped: Default::default(),
            is_fixed: true,
            body: None,
        };
        // Measured on a surface that is not here.
        let legs = legs.or(character.rig.legs);
        character.rig = character.rig.with_legs(legs);
        if let Ok(solver) = &character.rig.full_body {
            character.detection.facing = solver.facing();
        }
        // Only now: what was measured above is measured on the file's own surface, and there is none.
        let (model, biped) = (Arc::make_mut(&mut character.model), character.detection.biped.as_ref());
        let rest = ModelPose::from_local(&model.skeleton, &character.rest);
        let body = body::capsules(&model.skeleton, &rest, biped, character.height);
        // Bones end at the head's joint and the ankles; what is drawn is taller.
        let heights = body.iter().flat_map(|body| &body.positions).map(|at| at.dot(character.detection.up));
        let [low, high] = heights.fold([f32::MAX, f32::MIN], |[low, high], at| [low.min(at), high.max(at)]);
        character.height = character.height.max(high - low);
        model.meshes.extend(body);
        character
    }

    /// The model's file, to be written again with a pose or a clip, and a note on each image in it that is a copy of a
    /// file from outside the model's folder. Those are more than the window shows: it reads base colour textures alone.
    ///
    /// # Errors
    /// One line: a file that is gone, or is not any more what it was when it was opened.
    pub fn source(&self) -> Result<(Source, Vec<String>), String> {
        let name = &self.model.name;
        let (path, (print, prints)) = match (&self.origin, &self.path) {
            (Origin::File { print, beside }, Some(path)) => (path, (print, beside)),
            (Origin::BuiltIn(built_in), _) => {
                let read = Source::read(name, built_in.file().1, &mut |uri| Err(format!("{uri} is not built in")));
                return read.map(|source| (source, Vec::new())).map_err(|error| error.to_string());
            }
            _ => return Ok((Source::of_bones(&self.model.skeleton), Vec::new())),
        };
        let changed = |file: &str| format!("{file}: has changed since the model was opened; open it again");
        let bytes = files::read(path, Most::MODEL)?;
        if files::fingerprint_of(&bytes) != *print {
            return Err(changed(&path.display().to_string()));
        }
        let (mut beside, mut other) = (Beside::new(path), None);
        let read = Source::read(name, &bytes, &mut |uri| {
            let bytes = beside.read(uri);
            let known = prints.iter().find(|(name, _)| name == uri);
            if known.is_some_and(|(_, print)| bytes.as_ref().map(|bytes| files::fingerprint_of(bytes)) != Ok(*print)) {
                other = Some(uri.to_owned());
            }
            bytes
        });
        match other {
            Some(uri) => Err(changed(&format!("{}: {uri}", path.display()))),
            None => read.map(|source| (source, beside.notes)).map_err(|error| error.to_string()),
        }
    }

    /// Solves a frame.
    pub fn solve(&mut self, input: &Input, ground: Option<&dyn Ground>, clock: Option<Clock>) -> Frame {
        stack::solve(&self.rig, Tools { workspace: self.workspace.as_mut(), ground, clock }, input)
    }

    /// The clip of that name.
    ///
    /// # Errors
    /// Names the clips that there are.
    pub fn find_clip(&self, name: &str) -> Result<usize, String> {
        find_clip(&self.model.clips, name).map_err(|message| format!("{}: {message}", self.model.name))
    }

    /// What lengths of this character are shown in: see [`unit`].
    pub fn length_unit(&self) -> (f32, &'static str) {
        unit(self.height)
    }

    /// What values of a unit are shown multiplied by.
    pub fn factor(&self, unit: Unit) -> f32 {
        match unit {
            Unit::Length => self.length_unit().0,
            Unit::Fraction | Unit::Excess => 100.0,
            Unit::Angle => 1f32.to_degrees(),
        }
    }

    /// What they are shown in then.
    pub fn unit_name(&self, unit: Unit) -> &'static str {
        match unit {
            Unit::Length => self.length_unit().1,
            Unit::Fraction | Unit::Excess => "%",
            Unit::Angle => "°",
        }
    }

    /// A length with its unit.
    pub fn length(&self, length: f32) -> String {
        let (factor, unit) = self.length_unit();
        let digits = if unit == "mm" { 1 } else { 2 };
        format!("{:.digits$} {unit}", length * factor)
    }

    /// Its height in a pose, model units: a clip may scale the whole character, which the length of its limbs tells.
    pub fn height_in(&self, pose: &ModelPose) -> f32 {
        let Ok(solver) = &self.rig.full_body else { return self.height };
        let length = |pose: &ModelPose| -> f32 {
            let limb = |limb| Node::of_limb(limb).map(|node| pose.position(solver.bone_of(node)));
            LimbName::ALL.into_iter().map(limb).map(|[a, b, c]| a.distance(b) + b.distance(c)).sum()
        };
        let ratio = length(pose) / length(&self.detection.reference);
        // Stretched limbs are a pose, not another size.
        match ratio.is_finite() && ratio > 0.0 && !(0.5..2.0).contains(&ratio) {
            true => self.height * ratio,
            false => self.height,
        }
    }

    /// Every vertex of the meshes in a pose, model space: the surface as it is drawn.
    pub fn surface(&self, pose: &ModelPose) -> Vec<Vec3> {
        let mut points = Vec::with_capacity(self.model.meshes.iter().map(|mesh| mesh.positions.len()).sum());
        for mesh in &self.model.meshes {
            let matrices: Vec<Mat4> = mesh
                .joints
                .iter()
                .map(|joint| match joint.bone.filter(|&bone| bone < pose.bones.len()) {
                    Some(bone) => pose.model_from_bone(bone) * joint.bone_from_mesh,
                    None => joint.bone_from_mesh,
                })
                .collect();
            let vertices = mesh.positions.iter().zip(&mesh.vertex_joints).zip(&mesh.vertex_weights);
            points.extend(vertices.map(|((&position, joints), weights)| {
                let influences = joints.iter().zip(weights).filter(|&(_, &weight)| weight > 0.0);
                influences
                    .filter_map(|(&joint, &weight)| Some((matrices.get(usize::from(joint))?, weight)))
                    .map(|(matrix, weight)| matrix.transform_point3(position) * weight)
                    .sum::<Vec3>()
            }));
        }
        points
    }

    /// The smallest sphere about the character in a pose that a camera should show: centre and radius.
    pub fn bounds(&self, pose: &ModelPose) -> (Vec3, f32) {
        let points: Vec<_> = match &self.rig.full_body {
            // The character itself: helpers and decoys may be anywhere.
            Ok(solver) => Node::ALL.into_iter().map(|node| pose.position(solver.bone_of(node))).collect(),
            Err(_) => pose.bones.iter().map(|bone| bone.position).collect(),
        };
        let points: Vec<_> = points.into_iter().filter(|point| point.is_finite()).collect();
        let Some(&first) = points.first() else { return (Vec3::ZERO, 1.0) };
        let (low, high) = points.iter().fold((first, first), |(low, high), &point| (low.min(point), high.max(point)));
        let height = self.height_in(pose);
        let mut center = (low + high) / 2.0;
        let mut radius = (high - low).length() / 2.0;
        if self.rig.full_body.is_ok() && self.detection.up == Vec3::Y {
            // Nodes go from ankles to shoulders; the rest of the height is mostly head.
            center.y = low.y + height * 0.455;
            radius = radius.max(height * 0.56);
        }
        (center, radius.max(height * 0.05))
    }
}

/// What to multiply a length with, and the unit it is in then. Files say metres but mean many things: millimetres where
/// the character is as tall as a person in metres or centimetres, parts of its height otherwise.
pub fn unit(height: f32) -> (f32, &'static str) {
    match height {
        0.4..4.0 => (1000.0, "mm"),
        40.0..400.0 => (10.0, "mm"),
        _ => (100.0 / height.max(f32::MIN_POSITIVE), "% of height"),
    }
}

/// Whether characters of these heights (model units) are near enough in size that targets set on one fit the other.
pub fn are_as_tall([a, b]: [f32; 2]) -> bool {
    (0.8..1.25).contains(&(b / a))
}

/// The clip of that name.
///
/// # Errors
/// Names the clips that there are.
pub fn find_clip(clips: &[Clip], name: &str) -> Result<usize, String> {
    clips.iter().position(|clip| clip.name == name).ok_or_else(|| {
        let names: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
        match names.is_empty() {
            true => format!("has no clip {name:?}: it has none"),
            false => format!("has no clip {name:?}; it has {}", names.join(", ")),
        }
    })
}

/// Where a model is read from again when it is to be written with a pose or a clip: kept, its files would take their
/// size a second time.
#[derive(Clone)]
enum Origin {
    /// Nowhere: there are bones alone.
    Bones,
    BuiltIn(BuiltIn),
    /// From its path. The fingerprints are those of the file, and of what belongs to it by its URI.
    File {
        print: u64,
        beside: Vec<(String, u64)>,
    },
}

/// Reads a .glb, .gltf or .vrm and what belongs to it beside it: the model, and the names of those other files.
fn load_model(path: &Path) -> Result<(Model, Origin, Vec<PathBuf>), String> {
    let bytes = files::read(path, Most::MODEL)?;
    let name = files::name_of(path);
    let (mut others, mut beside) = (Beside::new(path), Vec::new());
    let mut model = import(&name, &bytes, &mut |uri| {
        let bytes = others.read(uri)?;
        beside.push((uri.to_owned(), files::fingerprint_of(&bytes)));
        Ok(bytes)
    })
    .map_err(|error| ImportError { file: path.display().to_string(), ..error }.to_string())?;
    model.notes.append(&mut others.notes);
    Ok((model, Origin::File { print: files::fingerprint_of(&bytes), beside }, others.files))
}
