//! The lines of a recording as JSON.

use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use serde::de::value::MapAccessDeserializer;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::data::{FORMAT, GameCharacter, GameFrame, Header, Mark, check_characters, check_nodes, has_as_many};
use crate::error::{Fault, Problem};
use crate::full_body::{Part, Settings, Step};
use crate::json::check_header;
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
    characters: Vec<FileCharacter>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileCharacter {
    name: String,
    rig: FileRig,
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

/// A line after the header: a mark, or a frame. The large parts are generic, so that [`Sketch`] can skip them.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileLine<P = Settings, R = Vec<Seven>, S = Vec<FileStep>, W = Vec<FileWrite>> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mark: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) character: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) frame: Option<u64>,
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

impl<P, R, S, W> FileLine<P, R, S, W> {
    /// Returns the line's mark; `None` for a frame.
    pub(super) fn as_mark(&self, time: f64) -> Result<Option<Mark>, Fault> {
        let Some(mark) = &self.mark else { return Ok(None) };
        let Self { character, frame, parameters, animated, steps, writes, result, time: _, mark: _ } = self;
        check_mark([
            ("character", character.is_some()),
            ("frame", frame.is_some()),
            ("parameters", parameters.is_some()),
            ("animated", animated.is_some()),
            ("steps", steps.is_some()),
            ("writes", writes.is_some()),
            ("result", result.is_some()),
        ])?;
        Ok(Some(Mark { mark: mark.clone(), time }))
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
                f.write_str("seven numbers, position and rotation [x, y, z, w]")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Seven, A::Error> {
                let mut numbers = [0.0; 7];
                for (index, number) in numbers.iter_mut().enumerate() {
                    let next = list.next_element()?;
                    *number = next.ok_or_else(|| serde::de::Error::invalid_length(index, &self))?;
                }
                if list.next_element::<IgnoredAny>()?.is_some() {
                    return Err(serde::de::Error::invalid_length(8, &self));
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

impl From<&Header> for FileHeader {
    fn from(header: &Header) -> Self {
        let character = |own: &GameCharacter| FileCharacter {
            name: own.name.clone(),
            rig: FileRig {
                bones: own
                    .skeleton
                    .bones()
                    .iter()
                    .zip(&own.reference)
                    .map(|(bone, at)| FileBone {
                        name: bone.name.clone(),
                        parent: parent_number(bone),
                        reference: Seven(*at),
                    })
                    .collect(),
                biped: Some((&own.biped).into()),
            },
        };
        Self {
            format: FORMAT.to_owned(),
            version: crate::preset::VERSION,
            producer: header.producer.clone(),
            characters: header.characters.iter().map(character).collect(),
        }
    }
}

impl FileHeader {
    pub(super) fn read(self) -> Result<Header, Fault> {
        check_header(Some(self.format.into()), Some(self.version.into()), FORMAT)?;
        // Checked before the bones are read, because reading many bones takes long.
        check_characters(self.characters.iter().map(|own| (own.name.as_str(), own.rig.bones.len())))?;
        let characters = self
            .characters
            .into_iter()
            .enumerate()
            .map(|(index, file)| file.read().map_err(|fault| fault.within(format!("characters[{index}]"))));
        let characters = characters.collect::<Result<Vec<_>, _>>()?;
        Ok(Header { producer: self.producer, characters })
    }
}

impl FileCharacter {
    fn read(self) -> Result<GameCharacter, Fault> {
        let bones = self.rig.bones.into_iter().map(|bone| (bone.name, bone.parent, bone.reference.0));
        let (skeleton, reference) = read_bones(bones)?;
        let biped = self.rig.biped.map(|biped| read_biped(biped, skeleton.len())).transpose()?;
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

pub(super) fn find_character(name: Option<&str>, header: &Header) -> Result<usize, Fault> {
    const WANTED: &str = "the name of one of the header's characters, or `mark`";
    let name = name.ok_or_else(|| Fault::new("character", Problem::Missing(WANTED)))?;
    let index = header.characters.iter().position(|own| own.name == name);
    index.ok_or_else(|| Fault::new("character", format!("is {name:?}; the header has no such character")))
}

pub(crate) fn seconds(time: Option<f64>) -> Result<f64, Fault> {
    let time = time.ok_or_else(|| Fault::new("time", Problem::Missing("seconds, as in 13.5")))?;
    match time.is_finite() {
        true => Ok(time),
        false => Err(Fault::new("time", Problem::NotFinite("expected a number of seconds"))),
    }
}

/// Checks that the line of a mark has no field of a frame, which the reader would have to drop.
fn check_mark(fields: [(&str, bool); 7]) -> Result<(), Fault> {
    match fields.into_iter().find(|(_, is_there)| *is_there) {
        Some((field, _)) => {
            Err(Fault::new(field, "is not allowed in the line of a `mark`; send the frame and the mark as two lines"))
        }
        None => Ok(()),
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
    pub(super) fn frame(self, header: &Header, last: &[Last], time: f64) -> Result<GameFrame, Fault> {
        let character = find_character(self.character.as_deref(), header)?;
        let (last, skeleton) = (&last[character], &header.characters[character].skeleton);
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
