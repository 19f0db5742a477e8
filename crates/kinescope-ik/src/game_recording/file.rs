//! The lines of a recording as JSON.

use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use serde::de::value::MapAccessDeserializer;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::data::{
    FORMAT, GameCharacter, GameFrame, Header, Mark, VERSION, check_characters, check_nodes, has_as_many,
};
use crate::error::{Fault, Problem};
use crate::full_body::{Part, Settings, Step};
use crate::json::check_header_of;
use crate::rig::{RigidTransform, Skeleton};
use crate::trace::{
    FileBiped, FileStep, check_stages, check_write_stages, checked_at, parent_number, read_biped, read_bones,
    read_write,
};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileHeader {
    format: String,
    version: u64,
    #[serde(default)]
    producer: String,
    #[serde(default)]
    characters: Vec<FileCharacter>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileCharacter {
    pub(super) name: String,
    rig: FileRig,
    /// The roles of bones. `rig` may have them instead; a character with both is rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    biped: Option<FileBiped>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileRig {
    bones: Vec<FileBone>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    biped: Option<FileBiped>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileBone {
    name: String,
    /// The index of the parent; −1 for a root.
    parent: i64,
    reference: Seven,
}

/// A line after the header: a mark, a join, a leave, or a frame. The large parts are generic, so that [`Sketch`] can
/// skip them.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileLine<P = Settings, R = Vec<Seven>, S = Vec<FileStep>, W = Vec<FileWrite>> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mark: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) join: Option<Box<FileCharacter>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) leave: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) character: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) frame: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) parameters: Option<P>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) animated: Option<R>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) steps: Option<S>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) writes: Option<W>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<R>,
}

/// A line whose poses and stages are skipped.
pub(super) type Sketch<P> = FileLine<P, IgnoredAny, IgnoredAny, IgnoredAny>;

/// The kind of a line. A mark, a join or a leave has its content; that of a frame stays in the [`FileLine`].
pub(super) enum Kind {
    Mark(Mark),
    Join(Box<FileCharacter>),
    Leave(String),
    Frame(f64),
}

impl<P, R, S, W> FileLine<P, R, S, W> {
    /// Takes the content of the line's kind. A line with a field of another kind is an error, because the reader would
    /// have to drop the field.
    pub(super) fn take_kind(&mut self) -> Result<Kind, Fault> {
        let Self { mark, join, leave, character, frame, time, parameters, animated, steps, writes, result } = self;
        let fields = [
            ("mark", mark.is_some()),
            ("join", join.is_some()),
            ("leave", leave.is_some()),
            ("time", time.is_some()),
            ("character", character.is_some()),
            ("frame", frame.is_some()),
            ("parameters", parameters.is_some()),
            ("animated", animated.is_some()),
            ("steps", steps.is_some()),
            ("writes", writes.is_some()),
            ("result", result.is_some()),
        ];
        if let Some((kind, _)) = fields[..3].iter().find(|(_, is_there)| *is_there) {
            let fits = |field: &str| field == *kind || (field == "time" && *kind == "mark");
            if let Some((field, _)) = fields.iter().find(|(field, is_there)| *is_there && !fits(field)) {
                let message = format!("is not allowed in the line of a `{kind}`; remove it or move it to another line");
                return Err(Fault::new(*field, message));
            }
        }
        Ok(match (mark.take(), join.take(), leave.take()) {
            (Some(mark), ..) => Kind::Mark(Mark { mark, time: seconds(*time)? }),
            (None, Some(join), _) => Kind::Join(join),
            (None, None, Some(leave)) => Kind::Leave(leave),
            (None, None, None) => Kind::Frame(seconds(*time)?),
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileWrite {
    pub(super) stage: Part,
    pub(super) bones: BTreeMap<usize, Seven>,
}

/// A transform as seven numbers. Reading also accepts the form in traces, `{ "position": …, "rotation": … }`.
#[derive(Clone, Copy)]
pub(super) struct Seven(pub(super) RigidTransform);

impl Serialize for Seven {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (p, r) = (self.0.position, self.0.rotation);
        [p.x, p.y, p.z, r.x, r.y, r.z, r.w].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Seven {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Numbers;
        impl<'de> Visitor<'de> for Numbers {
            type Value = Seven;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("seven numbers: position, then rotation [x, y, z, w]")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Seven, A::Error> {
                let mut numbers = [0.0; 7];
                for (index, number) in numbers.iter_mut().enumerate() {
                    let next = list.next_element()?;
                    *number = next.ok_or_else(|| serde::de::Error::invalid_length(index, &self))?;
                }
                let mut count = numbers.len();
                while list.next_element::<IgnoredAny>()?.is_some() {
                    count += 1;
                }
                if count > numbers.len() {
                    return Err(serde::de::Error::invalid_length(count, &self));
                }
                let [x, y, z, a, b, c, d] = numbers;
                Ok(Seven(RigidTransform { position: Vec3::new(x, y, z), rotation: Quat::from_xyzw(a, b, c, d) }))
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Seven, A::Error> {
                RigidTransform::deserialize(MapAccessDeserializer::new(fields)).map(Seven)
            }
        }
        deserializer.deserialize_any(Numbers)
    }
}

impl From<&GameCharacter> for FileCharacter {
    fn from(own: &GameCharacter) -> Self {
        let bones = own.skeleton.bones().iter().zip(&own.reference).map(|(bone, at)| FileBone {
            name: bone.name.clone(),
            parent: parent_number(bone),
            reference: Seven(*at),
        });
        let rig = FileRig { bones: bones.collect(), biped: None };
        Self { name: own.name.clone(), rig, biped: Some((&own.biped).into()) }
    }
}

impl FileCharacter {
    /// Returns the character as headers have it, with the roles within the rig.
    fn in_header(own: &GameCharacter) -> Self {
        let mut file = Self::from(own);
        file.rig.biped = file.biped.take();
        file
    }
}

impl From<&Header> for FileHeader {
    fn from(header: &Header) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            producer: header.producer.clone(),
            characters: header.characters.iter().map(FileCharacter::in_header).collect(),
        }
    }
}

impl FileHeader {
    pub(super) fn read(self) -> Result<(Header, u64), Fault> {
        check_header_of(Some(self.format.into()), Some(self.version.into()), FORMAT, 1..=VERSION)?;
        if self.version == 1 && self.characters.is_empty() {
            return Err(Fault::new("characters", Problem::Empty("in version 1 all characters are in the header")));
        }
        // Checked before the bones are read, because reading many bones takes long.
        check_characters(self.characters.iter().map(|own| (own.name.as_str(), own.bones())))?;
        let characters = self
            .characters
            .into_iter()
            .enumerate()
            .map(|(index, file)| file.read().map_err(|fault| fault.within(format!("characters[{index}]"))));
        let characters = characters.collect::<Result<Vec<_>, _>>()?;
        Ok((Header { producer: self.producer, characters }, self.version))
    }
}

impl FileCharacter {
    pub(super) fn bones(&self) -> usize {
        self.rig.bones.len()
    }

    pub(super) fn read(self) -> Result<GameCharacter, Fault> {
        let is_beside = self.biped.is_some();
        if is_beside && self.rig.biped.is_some() {
            return Err(Fault::new("biped", "is given beside `rig` and within `rig`; remove one of the two"));
        }
        let bones = self.rig.bones.into_iter().map(|bone| (bone.name, bone.parent, bone.reference.0));
        let (skeleton, reference) = read_bones(bones)?;
        let biped = self.biped.or(self.rig.biped).map(|biped| read_biped(biped, &reference)).transpose();
        let biped = biped.map_err(|fault| match fault.place.strip_prefix("rig.").filter(|_| is_beside) {
            Some(place) => Fault::new(place, fault.problem),
            None => fault,
        })?;
        GameCharacter::new(&self.name, &skeleton, biped, reference)
    }
}

/// The parts of a character's last frame that reading its next frame depends on.
#[derive(Clone, Debug, Default)]
pub(super) struct Last {
    pub(super) frame: Option<u64>,
    pub(super) time: f64,
    pub(super) parameters: Settings,
}

impl Last {
    pub(super) fn check(&self, time: f64) -> Result<(), Fault> {
        match self.frame.is_some() && time < self.time {
            true => {
                let message = format!(
                    "is {time}, before {}, the time of this character's previous frame; start a new recording or connection for \
                     a new run",
                    self.time
                );
                Err(Fault::new("time", message))
            }
            false => Ok(()),
        }
    }

    /// Returns the number of a frame whose line has none.
    pub(super) fn next(&self) -> u64 {
        self.frame.map_or(0, |frame| frame.saturating_add(1))
    }
}

pub(super) fn name_of_frame(name: Option<&str>) -> Result<&str, Fault> {
    const WANTED: &str = "the name of a character, or `mark`, `join` or `leave` instead of a frame";
    name.ok_or_else(|| Fault::new("character", Problem::Missing(WANTED)))
}

pub(crate) fn seconds(time: Option<f64>) -> Result<f64, Fault> {
    let time = time.ok_or_else(|| Fault::new("time", Problem::Missing("seconds, as in 13.5")))?;
    match time.is_finite() {
        true => Ok(time),
        false => Err(Fault::new("time", Problem::NotFinite("expected a number of seconds"))),
    }
}

fn read_pose(bones: Vec<Seven>, skeleton: &Skeleton, place: &str) -> Result<Vec<RigidTransform>, Fault> {
    has_as_many(bones.len(), skeleton.len(), place)?;
    let read = |(index, bone): (usize, Seven)| {
        checked_at(bone.0, skeleton, index).map_err(|fault| fault.within(format!("{place}[{index}]")))
    };
    bones.into_iter().enumerate().map(read).collect()
}

impl FileLine {
    pub(super) fn frame(
        self,
        (character, skeleton): (usize, &Skeleton),
        last: &Last,
        time: f64,
    ) -> Result<GameFrame, Fault> {
        last.check(time)?;
        if let Some(parameters) = &self.parameters {
            parameters.validate().map_err(|fault| fault.within("parameters"))?;
        }
        let animated =
            self.animated.ok_or_else(|| Fault::new("animated", Problem::Missing("a transform for each bone")))?;
        let animated = read_pose(animated, skeleton, "animated")?;
        let file_steps = self.steps.unwrap_or_default();
        let mut steps = Vec::with_capacity(file_steps.len());
        for (index, step) in file_steps.into_iter().enumerate() {
            check_nodes(index, step.nodes.iter().map(|(node, at)| (*node, *at)))?;
            steps.push((Step { iteration: step.iteration, stage: step.stage }, step.nodes));
        }
        check_stages(steps.iter().map(|(step, _)| *step))?;
        let file_writes = self.writes.unwrap_or_default();
        let mut writes = Vec::with_capacity(file_writes.len());
        for (index, write) in file_writes.into_iter().enumerate() {
            let bones = write.bones.into_iter().map(|(bone, at)| (bone, at.0));
            writes.push((write.stage, read_write(bones, index, skeleton)?));
        }
        check_write_stages(writes.iter().map(|(part, _)| *part))?;
        Ok(GameFrame {
            character,
            frame: self.frame.unwrap_or_else(|| last.next()),
            time,
            parameters: self.parameters.unwrap_or(last.parameters),
            animated,
            steps,
            writes,
            result: self.result.map(|result| read_pose(result, skeleton, "result")).transpose()?,
        })
    }
}
