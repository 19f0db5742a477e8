//! Repair of animations: their channels and samplers.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::document::{FLOAT, Mend, Use, index, list, list_mut};

impl Mend<'_, '_> {
    pub(super) fn animations(&mut self) {
        for at in 0..self.count("animations") {
            let mut animation = self.root["animations"][at].take();
            if !animation.is_object() {
                animation = json!({});
            }
            let samplers = list(&animation, "samplers").to_vec();
            let channels = list(&animation, "channels").to_vec();
            let (mut kept, mut targets) = (Vec::new(), BTreeSet::new());
            for (number, channel) in channels.into_iter().enumerate() {
                let sampler = index(channel.get("sampler")).and_then(|sampler| samplers.get(sampler));
                let problem = match sampler {
                    None => Err("its sampler does not exist"),
                    Some(_) if targets.contains(&channel["target"].to_string()) => {
                        Err("another channel moves the same property")
                    }
                    Some(sampler) => self.channel(&channel, sampler),
                };
                match problem {
                    Ok(()) => {
                        targets.insert(channel["target"].to_string());
                        kept.push(channel);
                    }
                    Err(problem) => {
                        self.notes.add(format!("animation {at}, channel {number} is left out: {problem}"));
                    }
                }
            }
            animation["channels"] = kept.into();
            prune_samplers(&mut animation);
            self.root["animations"][at] = animation;
        }
    }

    /// Records the use of a channel's accessors, and writes integer times as floats. Returns the fault of a channel
    /// that cannot be repaired. The keys of a pointer and compressed keys are not read; the use of compressed keys is
    /// not recorded either.
    pub(super) fn channel(&mut self, channel: &Value, sampler: &Value) -> Result<(), &'static str> {
        let accessors = self.count("accessors");
        let accessor = |key: &str| index(sampler.get(key)).filter(|&index| index < accessors);
        let (Some(input), Some(output)) = (accessor("input"), accessor("output")) else {
            return Err("its keys do not exist");
        };
        let target = channel.get("target").filter(|target| target.is_object()).ok_or("it moves nothing")?;
        let path = target.get("path").and_then(Value::as_str).ok_or("it moves nothing")?;
        let is_cubic = match sampler.get("interpolation").map(Value::as_str) {
            None | Some(Some("LINEAR" | "STEP")) => false,
            Some(Some("CUBICSPLINE")) => true,
            _ => return Err("its interpolation is unknown"),
        };
        let mut morphs = 0;
        if let Some(node) = target.get("node") {
            let node = index(Some(node))
                .and_then(|node| list(&self.root, "nodes").get(node))
                .ok_or("its node does not exist")?;
            let mesh = index(node.get("mesh")).map(|mesh| &self.root["meshes"][mesh]);
            morphs =
                mesh.and_then(|mesh| list(mesh, "primitives").first()).map_or(0, |first| list(first, "targets").len());
        }
        let (widths, used): (&[usize], _) = match path {
            "translation" | "scale" => (&[3], Use::Keys),
            "rotation" => (&[4], Use::Rotation { cubic: is_cubic }),
            "weights" if morphs > 0 => (&[1], Use::Keys),
            "weights" => return Err("its node has no morph targets"),
            "pointer" if target.pointer("/extensions/KHR_animation_pointer").is_some() => {
                self.uses.insert(input, Use::Times);
                self.uses.insert(output, Use::Keys);
                return Ok(());
            }
            _ => return Err("it moves an unknown property"),
        };
        if self.store.is_compressed(input) || self.store.is_compressed(output) {
            return Ok(());
        }
        let times = self.store.read(input, "key times", &[1]).map_err(|_| "its times cannot be read")?.values;
        let values = self.store.read(output, "key values", widths).map_err(|_| "its values cannot be read")?;
        let parts = if is_cubic { 3 } else { 1 } * if path == "weights" { morphs } else { 1 };
        if times.is_empty() || times.len() * parts != values.len() || is_cubic && times.len() < 2 {
            return Err("it has too few keys, or the numbers of times and values do not match");
        }
        if !values.values.iter().all(|value| value.is_finite()) {
            return Err("a key's value is not finite");
        }
        if !times.iter().all(|time| time.is_finite() && *time >= 0.0) {
            return Err("a key's time is before 0 or not finite");
        }
        if times.windows(2).any(|pair| pair[1] < pair[0]) {
            return Err("its key times decrease");
        }
        let component = |accessor: usize| self.root["accessors"][accessor].get("componentType").and_then(Value::as_u64);
        if component(input) != Some(FLOAT) && self.done.insert(input) {
            self.write(input, Use::Times, FLOAT, false, 1, &times);
        }
        self.uses.insert(input, Use::Times);
        self.uses.insert(output, used);
        Ok(())
    }
}

pub(crate) fn prune_samplers(animation: &mut Value) {
    let samplers = list(animation, "samplers").to_vec();
    let mut kept = Vec::new();
    let mut places: BTreeMap<usize, usize> = BTreeMap::new();
    for channel in list_mut(animation, "channels") {
        let Some(old) = index(channel.get("sampler")).filter(|&old| old < samplers.len()) else { continue };
        let new = *places.entry(old).or_insert_with(|| {
            kept.push(samplers[old].clone());
            kept.len() - 1
        });
        channel["sampler"] = new.into();
    }
    animation["samplers"] = kept.into();
}
