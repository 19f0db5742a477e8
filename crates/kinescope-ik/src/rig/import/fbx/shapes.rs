//! Blend shapes as morph targets. Each keyframe of a blend channel, an in-between shape or the whole shape, is one
//! target.

use glam::{DMat3, DMat4, DVec3, Vec3};
use serde_json::Value;
use ufbx::{BlendChannel, BlendShape, Mesh};

use super::writer::Writer;
use crate::rig::import::notes::Outcome;

/// The largest count of numbers of all morph targets in a file. The import of glTF allows 100 million numbers in total.
pub(super) const MOST_NUMBERS: usize = 60_000_000;
/// The largest count of numbers that sparse accessors may expand to. The import of glTF allows 10 million.
const MOST_SPARSE: usize = 9_000_000;

pub(super) struct Morphs {
    pub node: usize,
    pub channels: Vec<Channel>,
}

#[derive(Clone)]
pub(super) struct Channel {
    pub element: u32,
    /// For each target, the weight of the channel at which the target is fully on. Increasing.
    pub full_at: Vec<f64>,
    /// The weight outside clips.
    pub rest: f64,
}

impl Channel {
    /// Returns the weight of each target at a weight of the channel, as in ufbx: linear between two neighbours,
    /// extrapolated beyond the last target, and 0 on a side of 0 without targets.
    pub fn shares(&self, weight: f64) -> Vec<f32> {
        let mut shares = vec![0.0; self.full_at.len()];
        // The targets on the weight's side of 0, from 0 outwards.
        let mut side: Vec<usize> =
            (0..shares.len()).filter(|&target| self.full_at[target] * weight.signum() > 0.0).collect();
        if weight < 0.0 {
            side.reverse();
        }
        let Some(&last) = side.last() else { return shares };
        let place = side.iter().position(|&target| self.full_at[target].abs() > weight.abs());
        let place = place.unwrap_or(side.len() - 1);
        let next = side.get(place).copied().unwrap_or(last);
        let previous = place.checked_sub(1).map(|place| side[place]);
        let from = previous.map_or(0.0, |previous| self.full_at[previous]);
        let span = self.full_at[next] - from;
        if span != 0.0 {
            let share = (weight - from) / span;
            shares[next] = share as f32;
            if let Some(previous) = previous {
                shares[previous] = (1.0 - share) as f32;
            }
        }
        shares
    }
}

pub(super) struct Shapes<'a> {
    pub channels: Vec<Channel>,
    targets: Vec<(&'a BlendShape, String)>,
}

impl<'a> Shapes<'a> {
    pub fn read(mesh: &'a Mesh) -> Self {
        let mut new = Self { channels: Vec::new(), targets: Vec::new() };
        for deformer in mesh.blend_deformers.as_ref() {
            for channel in deformer.channels.as_ref() {
                new.add(channel);
            }
        }
        new
    }

    fn add(&mut self, channel: &'a BlendChannel) {
        let keyframes = channel.keyframes.as_ref();
        let is_sound = |at: f64| at.is_finite() && at != 0.0;
        if keyframes.is_empty() || !keyframes.iter().all(|one| is_sound(one.target_weight)) {
            return;
        }
        let name = &*channel.element.name;
        for keyframe in keyframes {
            let shape: &BlendShape = &keyframe.shape;
            let own = if name.is_empty() { &*shape.element.name } else { name };
            let is_whole = keyframes.len() == 1;
            let own = if is_whole { own.to_owned() } else { format!("{own} {:.0} %", keyframe.target_weight * 100.0) };
            self.targets.push((shape, own));
        }
        let rest = if channel.weight.is_finite() { channel.weight } else { 0.0 };
        let full_at = keyframes.iter().map(|one| one.target_weight).collect();
        self.channels.push(Channel { element: channel.element.element_id, full_at, rest });
    }

    /// Removes the last channels until at most `count` targets remain. Returns the number of removed targets.
    pub fn limit(&mut self, count: usize) -> usize {
        let before = self.targets.len();
        let mut kept = before;
        while kept > count {
            let Some(last) = self.channels.pop() else { break };
            kept -= last.full_at.len();
        }
        self.targets.truncate(kept);
        before - kept
    }

    pub fn names(&self) -> Vec<&str> {
        self.targets.iter().map(|target| target.1.as_str()).collect()
    }

    pub fn weights(&self) -> Vec<f32> {
        self.channels.iter().flat_map(|channel| channel.shares(channel.rest)).collect()
    }

    /// Writes the targets of a part. `corners` has, for each vertex of the part, the vertex of the mesh and the bits of
    /// the normal; `place` is the matrix from the space of the mesh to that of the part.
    pub fn write(
        &self,
        corners: &[(u32, [u32; 3])],
        place: DMat4,
        budget: &mut Budget,
        writer: &mut Writer,
    ) -> Outcome<Vec<Value>> {
        let normal_matrix = DMat3::from_mat4(place).inverse().transpose();
        let unplace = normal_matrix.inverse();
        let mut list = Vec::with_capacity(self.targets.len());
        for (shape, _) in &self.targets {
            let mut moved: Vec<(u32, Vec3)> = Vec::new();
            let mut turned: Vec<(u32, Vec3)> = Vec::new();
            for (index, &(vertex, normal_bits)) in corners.iter().enumerate() {
                let offset = ufbx::get_blend_shape_offset_index(shape, vertex as usize) as usize;
                let Some(position) = shape.position_offsets.as_ref().get(offset) else { continue };
                let position = DVec3::new(position.x, position.y, position.z);
                moved.push((index as u32, place.transform_vector3(position).as_vec3()));
                if let Some(normal) = shape.normal_offsets.as_ref().get(offset) {
                    let old = DVec3::from_array(normal_bits.map(f32::from_bits).map(f64::from));
                    let unplaced = (unplace * old).normalize_or_zero();
                    let new = normal_matrix * (unplaced + DVec3::new(normal.x, normal.y, normal.z));
                    turned.push((index as u32, (new.normalize_or_zero() - old).as_vec3()));
                }
            }
            let count = corners.len();
            let mut target = serde_json::json!({ "POSITION": budget.write(count, &moved, writer)? });
            if !turned.is_empty() {
                target["NORMAL"] = budget.write(count, &turned, writer)?.into();
            }
            list.push(target);
        }
        Ok(list)
    }
}

pub(super) struct Budget {
    numbers: usize,
    sparse: usize,
}

impl Budget {
    pub fn new() -> Self {
        Self { numbers: MOST_NUMBERS, sparse: MOST_SPARSE }
    }

    /// Returns the number of targets that a mesh with `vertices` vertices may have, each with positions and normals.
    pub fn targets(&self, vertices: usize) -> usize {
        self.numbers / (vertices * 6).max(1)
    }

    /// Writes the offsets of a target for `count` vertices, at least 1, and returns the accessor. It is sparse as long
    /// as all sparse accessors together expand to at most [`MOST_SPARSE`] numbers.
    fn write(&mut self, count: usize, offsets: &[(u32, Vec3)], writer: &mut Writer) -> Outcome<usize> {
        let is_sound = |offset: &Vec3| offset.is_finite() && *offset != Vec3::ZERO;
        let offsets: Vec<(u32, Vec3)> = offsets.iter().copied().filter(|(_, offset)| is_sound(offset)).collect();
        self.numbers = self.numbers.saturating_sub(count * 3);
        let accessor = match self.sparse.checked_sub(count * 3) {
            Some(left) => {
                self.sparse = left;
                writer.sparse(count, &offsets)?
            }
            None => {
                let mut all = vec![Vec3::ZERO; count];
                offsets.iter().for_each(|&(vertex, offset)| all[vertex as usize] = offset);
                writer.floats("VEC3", count, all.iter().flat_map(|offset| offset.to_array()))?
            }
        };
        // The bounds include the 0 of vertices without an offset.
        let first = if offsets.len() == count { offsets[0].1 } else { Vec3::ZERO };
        let (low, high) = offsets.iter().fold((first, first), |(low, high), (_, at)| (low.min(*at), high.max(*at)));
        writer.bounds(accessor, &low.to_array(), &high.to_array());
        Ok(accessor)
    }
}

#[cfg(test)]
mod tests {
    use super::Channel;

    #[test]
    fn weights_of_in_between_shapes_meet_at_their_targets() {
        let channel = |full_at: &[f64]| Channel { element: 0, full_at: full_at.to_vec(), rest: 0.0 };
        assert_eq!(channel(&[1.0]).shares(0.25), [0.25]);
        assert_eq!(channel(&[1.0]).shares(1.5), [1.5]);
        assert_eq!(channel(&[1.0]).shares(-0.5), [0.0]);
        let both = channel(&[-1.0, 0.5, 1.0]);
        for (weight, expected) in [
            (0.0, [0.0, 0.0, 0.0]),
            (0.25, [0.0, 0.5, 0.0]),
            (0.5, [0.0, 1.0, 0.0]),
            (0.75, [0.0, 0.5, 0.5]),
            (1.0, [0.0, 0.0, 1.0]),
            (-0.5, [0.5, 0.0, 0.0]),
        ] {
            assert_eq!(both.shares(weight), expected, "at {weight}");
        }
    }
}
