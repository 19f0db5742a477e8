use glam::{DQuat as Q, DVec3 as V};
use kinescope_ik::full_body::Part;

use super::math::{across, from_to, joint, mix, nlerp, plane};
use super::{Bone, Bug, Frame, Points, Port, of_limb};

const BODY: usize = 0;

impl Port {
    /// Writes a part. Returns false for a part that is not written.
    pub fn write(&mut self, frame: &Frame, nodes: &Points, part: Part, pose: &mut [Bone]) -> bool {
        match part {
            Part::Spine if frame.iterations > 0 => self.write_spine(frame, nodes, pose),
            Part::Head if frame.iterations > 0 => return self.write_head(frame, pose),
            Part::Spine | Part::Head => return false,
            Part::LeftArm => self.write_limb(frame, nodes, 0, pose),
            Part::RightArm => self.write_limb(frame, nodes, 1, pose),
            Part::LeftLeg => self.write_limb(frame, nodes, 2, pose),
            Part::RightLeg => self.write_limb(frame, nodes, 3, pose),
        }
        true
    }

    /// Moves a key bone and the key bones that it carries.
    fn set(&self, pose: &mut [Bone], bone: usize, to: Bone) {
        let from = pose[bone];
        let turn = to.r * from.r.conjugate();
        for &key in &self.character.keys {
            if self.character.is_under(key, bone) {
                let own = pose[key];
                pose[key] = Bone { p: to.p + turn * (own.p - from.p), r: turn * own.r };
            }
        }
        pose[bone] = to;
    }

    fn turn(&self, pose: &mut [Bone], bone: usize, turn: Q) {
        let own = pose[bone];
        self.set(pose, bone, Bone { r: turn * own.r, ..own });
    }

    /// Returns a bone's transform, carried from the base pose by a torso plane: `read` is the plane's rotation as it
    /// was read, `now` its corners, and `corner` the base position of the first of them.
    fn on_plane(&self, frame: &Frame, (read, now): (Q, [V; 3]), corner: V, bone: usize) -> Bone {
        let turn = plane(now) * read.conjugate();
        let own = frame.base[bone];
        Bone { p: now[0] + turn * (own.p - corner), r: turn * own.r }
    }

    fn write_spine(&mut self, frame: &Frame, nodes: &Points, pose: &mut [Bone]) {
        let spine = self.character.spine.clone();
        let last = spine.len() - 1;
        let root = spine.iter().position(|&bone| bone == self.character.root).unwrap_or(1);
        let first = |limb: usize| nodes[of_limb(limb, 0)];
        let [hips, shoulders] = match self.bug {
            Bug::PelvisPlaneSwapped => [[nodes[BODY], first(3), first(2)], [nodes[BODY], first(0), first(1)]],
            Bug::ChestPlaneFromShoulder => [[nodes[BODY], first(2), first(3)], [first(0), first(1), nodes[BODY]]],
            _ => [[nodes[BODY], first(2), first(3)], [nodes[BODY], first(0), first(1)]],
        };
        let corner = if self.has(Bug::ChestPlaneFromShoulder) { frame.bones[of_limb(0, 0)] } else { frame.bones[BODY] };
        let pelvis = self.on_plane(frame, (frame.spine.planes[0], hips), frame.bones[BODY], spine[0]);
        let chest = self.on_plane(frame, (frame.spine.planes[1], shoulders), corner, spine[last]);
        let joints = self.spine_joints(frame, [pelvis.p, nodes[BODY], chest.p], root);

        self.set(pose, spine[0], Bone { p: joints[0], ..pelvis });
        let weight = f64::from(frame.settings.solver.spine_twist_weight);
        let weight = if self.has(Bug::TwistWeightIgnored) { 1.0 } else { weight };
        let mut across_shoulders = first(0) - first(1);
        if self.has(Bug::TwistReversed) {
            across_shoulders = -across_shoulders;
        }
        for index in 1..last {
            let start = pose[spine[index]];
            let along = joints[index + 1] - start.p;
            let read = frame.base[spine[index]].r.conjugate();
            let swing = |pose: &mut [Bone]| {
                let axis = pose[spine[index]].r * read * frame.spine.swing[index];
                self.turn(pose, spine[index], from_to(axis, along));
            };
            if !self.has(Bug::TwistBeforeSwing) {
                swing(pose);
            }
            let count = if self.has(Bug::TwistShareOfAll) { last } else { last - 1 };
            let share = weight * index as f64 / count as f64;
            if share > 0.0 && frame.spine.twist[index] != V::ZERO {
                let own = pose[spine[index]];
                let axis = own.r * read * frame.spine.twist[index];
                let twist = from_to(axis, across(along, across_shoulders));
                let turned = match self.bug {
                    Bug::TwistNotUnit => mix(own.r, twist * own.r, share),
                    _ => nlerp(own.r, twist * own.r, share),
                };
                self.set(pose, spine[index], Bone { r: turned, ..own });
            }
            if self.has(Bug::TwistBeforeSwing) {
                swing(pose);
            }
        }
        self.set(pose, spine[last], chest);
        self.memory.joints = Some(joints);
    }

    fn spine_joints(&self, frame: &Frame, [pelvis, body, chest]: [V; 3], root: usize) -> Vec<V> {
        let spine = &self.character.spine;
        let last = spine.len() - 1;
        let at = |joint: usize| frame.base[spine[joint]].p;
        let mut joints: Vec<V> = (0..=last).map(at).collect();
        let uses_fabrik = match self.bug {
            Bug::FabrikOnlyForOtherRoots => root != 1,
            _ => spine.len() > 3 || root != 1,
        };
        if !uses_fabrik {
            (joints[0], joints[root], joints[last]) = (pelvis, body, chest);
            return joints;
        }
        let offset = body - at(root);
        joints.iter_mut().for_each(|joint| *joint += offset);
        if let (Some(kept), Bug::JointsOfLastFrame) = (&self.memory.joints, self.bug) {
            joints.clone_from(kept);
        }
        let rounds = frame.settings.solver.spine_iterations;
        let rounds = match self.bug {
            Bug::ThreeSpineRounds => 3,
            Bug::OneSpineRoundFewer => rounds - 1,
            Bug::ShortSpineWithoutRounds if spine.len() <= 3 => 0,
            _ => rounds,
        };
        for _ in 0..rounds {
            joints[last] = chest;
            for index in (0..last).rev() {
                joints[index] = joint(joints[index], joints[index + 1], frame.spine.lengths[index]);
            }
            joints[0] = pelvis;
            for index in 1..=last {
                joints[index] = joint(joints[index], joints[index - 1], frame.spine.lengths[index - 1]);
            }
            if !self.has(Bug::RootNotPutBack) {
                joints[root] = body;
            }
        }
        joints[last] = chest;
        joints
    }

    fn write_head(&self, frame: &Frame, pose: &mut [Bone]) -> bool {
        let Some(head) = self.character.head else { return false };
        let master = if self.has(Bug::HeadWithoutMaster) { 1.0 } else { frame.weight };
        let weight = f64::from(frame.settings.solver.head_maintain_rotation) * master;
        let own = pose[head];
        if weight > 0.0 {
            self.set(pose, head, Bone { r: nlerp(own.r, frame.head_rotation, weight), ..own });
        }
        true
    }

    fn write_limb(&self, frame: &Frame, nodes: &Points, limb: usize, pose: &mut [Bone]) {
        let (own, chain) = (&frame.limbs[limb], &frame.settings.chains[limb]);
        let weight = f64::from(chain.mapping_weight);
        if weight <= 0.0 {
            return;
        }
        let [k1, k2, k3] = self.character.limbs[limb];
        let [n1, n2, n3] = std::array::from_fn(|joint| nodes[of_limb(limb, joint)]);
        if frame.iterations > 0 {
            if let Some(clavicle) = self.character.clavicles[limb]
                && !self.has(Bug::ClavicleStays)
            {
                let bone = pose[clavicle];
                let axis = bone.r * frame.base[clavicle].r.conjugate() * own.clavicle_axis;
                let swing = from_to(axis, n1 - bone.p);
                let share = if self.has(Bug::ClavicleSwingFull) { 1.0 } else { weight };
                self.set(pose, clavicle, Bone { r: nlerp(bone.r, swing * bone.r, share), ..bone });
            }
            let bone = pose[k1];
            let share = if self.has(Bug::PlacedFully) { 1.0 } else { weight };
            self.set(pose, k1, Bone { p: bone.p.lerp(n1, share), ..bone });
        }
        let lower_plane = if self.has(Bug::LowerPlaneCorners) { [n2, n1, n3] } else { [n2, n3, n1] };
        for (key, read, now) in [(k1, own.planes[0], [n1, n2, n3]), (k2, own.planes[1], lower_plane)] {
            let bone = pose[key];
            let wanted = plane(now) * read.conjugate() * frame.base[key].r;
            let r = match self.bug {
                Bug::PlaneMixNotUnit => mix(bone.r, wanted, weight),
                Bug::PlanesFully => wanted,
                _ => nlerp(bone.r, wanted, weight),
            };
            self.set(pose, key, Bone { r, ..bone });
        }
        let of = if self.has(Bug::MaintainOfOppositeLimb) { limb ^ 1 } else { limb };
        let master = if self.has(Bug::MaintainWithoutMaster) { 1.0 } else { frame.weight };
        let kept = f64::from(frame.settings.chains[of].maintain_rotation) * weight * master;
        let effector = &frame.effectors[5 + limb];
        let share = effector.rotation_weight * if self.has(Bug::EndRotationWithoutMapping) { 1.0 } else { weight };
        let mut end = pose[k3];
        if self.has(Bug::RotationBeforeMaintain) {
            end.r = nlerp(nlerp(end.r, effector.rotation, share), own.end_rotation, kept);
        } else {
            end.r = nlerp(nlerp(end.r, own.end_rotation, kept), effector.rotation, share);
        }
        if self.has(Bug::EndsAtNode) {
            end.p = n3;
        }
        self.set(pose, k3, end);
    }

    /// Moves each bone without a role with its nearest key ancestor; a bone that has none keeps its animated transform.
    pub fn carry_others(&self, frame: &Frame, pose: &mut [Bone]) {
        for bone in (0..pose.len()).filter(|bone| !self.character.keys.contains(bone)) {
            let mut up = self.character.parents[bone];
            while let Some(own) = up
                && !self.character.keys.contains(&own)
            {
                up = self.character.parents[own];
            }
            let Some(key) = up.filter(|_| !self.has(Bug::OthersStay)) else {
                pose[bone] = frame.animated[bone];
                continue;
            };
            let (from, to, own) = (frame.animated[key], pose[key], frame.animated[bone]);
            let turn = to.r * from.r.conjugate();
            pose[bone] = Bone { p: to.p + turn * (own.p - from.p), r: turn * own.r };
        }
    }
}
