//! The user's choice of bones, which overrides detection.

use std::collections::BTreeMap;

use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::rig::biped::Role;

/// The user's choice of bones: the section `mapping` of a preset.
///
/// A role that is not listed is detected. `null` states that there is no such bone, which only optional roles allow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mapping {
    /// The bones that play each role, by name.
    pub roles: BTreeMap<Role, MappedBones>,
    /// The name of the bone for the solver's `body` node, pelvis or spine; selected by position if `None`. The key in
    /// files is `root_node`, next to the roles.
    pub root_node: Option<String>,
}

const KEYS: [&str; Role::ALL.len() + 1] = {
    let mut keys = [ROOT_NODE; Role::ALL.len() + 1];
    let mut at = 0;
    while at < Role::ALL.len() {
        keys[at] = Role::ALL[at].key();
        at += 1;
    }
    keys
};
const ROOT_NODE: &str = "root_node";

impl Serialize for Mapping {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (role, bones) in &self.roles {
            map.serialize_entry(role, bones)?;
        }
        if let Some(bone) = &self.root_node {
            map.serialize_entry(ROOT_NODE, bone)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Mapping {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Mapping;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("bone names by role")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Mapping, A::Error> {
                let mut mapping = Mapping::default();
                while let Some(key) = map.next_key::<String>()? {
                    if key == ROOT_NODE {
                        mapping.root_node = map.next_value()?;
                        continue;
                    }
                    let role = Role::from_key(&key).ok_or_else(|| A::Error::unknown_variant(&key, &KEYS))?;
                    mapping.roles.insert(role, map.next_value()?);
                }
                Ok(mapping)
            }
        }
        deserializer.deserialize_map(Keys)
    }
}

/// Bone names for a role: none, one, or for the spine several from the pelvis up. In files `null`, a string or a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MappedBones(pub Vec<String>);

impl Serialize for MappedBones {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [] => serializer.serialize_none(),
            [one] => serializer.serialize_str(one),
            many => many.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for MappedBones {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = MappedBones;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("a bone's name, a list of names, or null")
            }

            fn visit_unit<E>(self) -> Result<MappedBones, E> {
                Ok(MappedBones::default())
            }

            fn visit_none<E>(self) -> Result<MappedBones, E> {
                Ok(MappedBones::default())
            }

            fn visit_str<E>(self, name: &str) -> Result<MappedBones, E> {
                Ok(MappedBones(vec![name.to_owned()]))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<MappedBones, A::Error> {
                let mut names = Vec::new();
                while let Some(name) = list.next_element()? {
                    names.push(name);
                }
                Ok(MappedBones(names))
            }
        }
        deserializer.deserialize_any(Names)
    }
}
