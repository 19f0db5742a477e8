//! Pelvis, spine, collar bones and head: the roles between the limbs.

use glam::Vec3;

use super::super::biped::Role;
use super::super::skeleton::BoneIndex;
use super::directions::flat;
use super::evidence::{BY_HUMANOID, Evidence};
use super::limbs::{Body, Triple};
use super::names::Part;
use super::search::Search;

impl Search {
    /// Finds pelvis, spine, collar bones and head from the limbs.
    pub(super) fn trunk(
        &mut self,
        evidence: &Evidence,
        body: &Body,
        limbs: &[Triple; 4],
        hips: Vec3,
        shoulders: Vec3,
        trunk: Vec3,
    ) {
        let in_limb = |bone: BoneIndex| limbs.iter().any(|limb| limb.0[0] == bone || body.is_above(limb.0[0], bone));
        let file = |name: &str| evidence.model.humanoid.iter().find(|(key, _)| key == name).map(|&(_, bone)| bone);
        let legs_meet = body.meeting(limbs[2].0[0], limbs[3].0[0]);
        let arms_meet = body.meeting(limbs[0].0[0], limbs[1].0[0]);
        let span = (shoulders - hips).length().max(1e-20);

        // The common ancestor of legs and arms, and the central bones from there to the arms.
        let mut way: Vec<BoneIndex> = match (legs_meet, arms_meet) {
            (Some(legs), Some(arms)) => {
                let joint = body.meeting(legs, arms);
                let mut way = body.path_down(joint, arms);
                way.splice(0..0, joint);
                way
            }
            (None, Some(arms)) => body.path_down(None, arms),
            _ => Vec::new(),
        };
        way.retain(|&bone| !in_limb(bone));

        // The pelvis is the central bone nearest to the hips, at or near the common ancestor of the legs.
        let hips_distance = |bone: BoneIndex| body.position[bone].distance(hips);
        let tie = span * 0.02;
        let leg: f32 = body.lengths(limbs[2]).iter().sum();
        let pelvis = file("hips").or_else(|| {
            let mut near: Vec<BoneIndex> = Vec::new();
            near.extend(legs_meet);
            // Further up only along real bones, not along the file's wrapper nodes on the floor.
            let mut above = legs_meet.and_then(|bone| body.parent[bone]);
            for _ in 0..2 {
                near.extend(above.filter(|&bone| evidence.is_weighted[bone]));
                above = above.and_then(|bone| body.parent[bone]);
            }
            // The last bone of the path carries the arms.
            near.extend(way.iter().take(way.len().saturating_sub(1)).take(4));
            near.retain(|&bone| !in_limb(bone));
            let best = near.iter().copied().fold(None::<BoneIndex>, |best, bone| match best {
                Some(best) if hips_distance(bone) >= hips_distance(best) - tie => Some(best),
                _ => Some(bone),
            });
            best.map(|best| {
                // Prefer the common ancestor of the legs, unless it is clearly elsewhere, such as a root on the floor.
                let own = legs_meet.filter(|&own| {
                    !in_limb(own)
                        && (hips_distance(own) < leg * 0.5 || hips_distance(own) < hips_distance(best) + leg * 0.1)
                });
                let helper_above = own.and_then(|own| body.parent[own]).filter(|&above| {
                    let named = |bone: BoneIndex| evidence.names[bone].part;
                    evidence.is_weighted[above]
                        && hips_distance(above) < span * 0.45
                        && (named(above) == Some(Part::Pelvis) && own.and_then(named) != Some(Part::Pelvis)
                            || own.is_some_and(|own| hips_distance(above) < hips_distance(own) - tie * 0.5))
                });
                helper_above.or(own).unwrap_or(best)
            })
        });
        let Some(pelvis) = pelvis else {
            self.problems.push("there is no bone between the legs, so there is no pelvis".to_owned());
            return;
        };
        let pelvis_named = evidence.names[pelvis].part == Some(Part::Pelvis);
        let (confidence, reason) = match (file("hips").is_some(), pelvis_named) {
            (true, _) => (1.0, BY_HUMANOID),
            (_, true) => (0.95, "the legs are attached to it, and its name agrees"),
            _ => (0.75, "it is the central bone nearest to the hips"),
        };
        self.set(Role::Pelvis, vec![pelvis], confidence, reason);

        let mut spine: Vec<BoneIndex> = match arms_meet {
            Some(arms) => body.path_down(body.meeting(pelvis, arms), arms),
            None => Vec::new(),
        };
        spine.retain(|&bone| bone != pelvis && !in_limb(bone));
        if file("hips").is_some() {
            let mapped: Vec<_> = ["spine", "chest", "upperChest"].into_iter().filter_map(file).collect();
            // Unmapped bones in between belong to the spine; bones above the last mapped one do not.
            if let Some(&last) = mapped.last().filter(|&&last| spine.contains(&last)) {
                let end = spine.iter().position(|&bone| bone == last).unwrap_or(0);
                spine.truncate(end + 1);
            } else if spine.is_empty() {
                spine = mapped;
            }
        }
        // Bones below the hips, such as a root on the floor, are not part of the spine.
        while spine.len() > 1 {
            let below = (body.position[spine[0]] - hips).dot(trunk) < -span * 0.35
                && hips_distance(spine[0]) > hips_distance(pelvis) + tie;
            if !below {
                break;
            }
            spine.remove(0);
        }
        // A neck is not part of the spine, even if collar bones are attached to it.
        let neck = |bone: BoneIndex, before: BoneIndex| {
            let centre = body.children[bone]
                .iter()
                .filter(|&&child| !in_limb(child) && !limbs[..2].iter().any(|arm| body.is_above(child, arm.0[0])));
            let ends_soon = centre.clone().count() >= 1;
            match evidence.names[bone].part {
                Some(Part::Neck) => true,
                Some(_) => false,
                None => {
                    let above_shoulders = (body.position[bone] - shoulders).dot(trunk) > span * 0.02;
                    let head_next = centre.clone().all(|&head| {
                        body.position[head].distance(body.position[bone])
                            < body.position[bone].distance(body.position[before]) * 0.75
                    });
                    above_shoulders && ends_soon && head_next
                }
            }
        };
        let mut neck_carries = None;
        if spine.len() > 1 && file("neck").is_none_or(|neck| spine.contains(&neck)) {
            let last = spine[spine.len() - 1];
            if file("neck") == Some(last) || neck(last, spine[spine.len() - 2]) {
                neck_carries = spine.pop();
            }
        }
        if spine.is_empty() {
            self.problems.push("there is no bone between pelvis and arms, so there is no spine".to_owned());
        } else {
            let named = spine.iter().filter(|&&bone| evidence.names[bone].part == Some(Part::Spine)).count();
            let (confidence, reason) = match (file("spine").is_some(), named == spine.len()) {
                (true, _) => (1.0, BY_HUMANOID),
                (_, true) => (0.95, "they lie between pelvis and arms, and their names agree"),
                _ => (0.8, "they lie between pelvis and arms"),
            };
            self.set(Role::Spine, spine.clone(), confidence, reason);
        }

        for (limb, role, key) in [(0, Role::LeftClavicle, "leftShoulder"), (1, Role::RightClavicle, "rightShoulder")] {
            let arm = limbs[limb].0[0];
            if let Some(bone) =
                file(key).filter(|_| self.roles.get(&Role::Pelvis).is_some_and(|p| p.reason == BY_HUMANOID))
            {
                self.set(role, vec![bone], 1.0, BY_HUMANOID);
                continue;
            }
            let path = body.path_down(body.meeting(arm, limbs[1 - limb].0[0]), arm);
            let between = &path[..path.len().saturating_sub(1)];
            // The nearest to the arm that is not at the arm's position.
            let named = between.iter().rev().copied().find(|&bone| {
                matches!(evidence.names[bone].part, Some(Part::Clavicle | Part::Shoulder))
                    && !evidence.names[bone].is_helper
            });
            let apart = |&bone: &BoneIndex| body.position[bone].distance(body.position[arm]) > span * 0.04;
            let placed = between.iter().rev().copied().find(|bone| apart(bone) && evidence.is_weighted[*bone]);
            let placed = placed.or_else(|| between.iter().rev().copied().find(apart));
            match named.or(placed) {
                Some(bone) if named.is_some() => {
                    self.set(role, vec![bone], 0.95, "it carries the arm, and its name agrees");
                }
                Some(bone) => self.set(role, vec![bone], 0.75, "it carries the arm"),
                None => self.set(role, Vec::new(), 0.8, "the arm is attached directly to the spine"),
            }
        }

        let left = self.left;
        let head = file("head").map(|bone| (bone, 1.0, BY_HUMANOID)).or_else(|| {
            let start = neck_carries.or(spine.last().copied()).unwrap_or(pelvis);
            find_head(evidence, body, (start, neck_carries.is_some()), shoulders, (trunk, left), span, &in_limb)
        });
        match head {
            Some((bone, confidence, reason)) => self.set(Role::Head, vec![bone], confidence, reason),
            None => self.set(Role::Head, Vec::new(), 0.5, "no bone continues above the arms"),
        }
    }
}

/// Returns the head: a central bone above the arms.
fn find_head(
    evidence: &Evidence,
    body: &Body,
    (start, starts_at_neck): (BoneIndex, bool),
    shoulders: Vec3,
    (trunk, left): (Vec3, Vec3),
    span: f32,
    in_limb: &dyn Fn(BoneIndex) -> bool,
) -> Option<(BoneIndex, f32, &'static str)> {
    // All central bones below the start, up to a limit, because a skeleton with thousands of them has no head to find.
    let mut below = Vec::new();
    let mut stack = vec![start];
    while let Some(bone) = stack.pop() {
        for &child in &body.children[bone] {
            if !in_limb(child) && below.len() < 2000 {
                below.push(child);
                stack.push(child);
            }
        }
    }
    let central = |bone: BoneIndex| {
        let offset = body.position[bone] - shoulders;
        flat(offset, trunk).length() < span * 0.6 && offset.dot(trunk) > -span * 0.4
    };
    let named = below
        .iter()
        .copied()
        .filter(|&bone| {
            evidence.names[bone].part == Some(Part::Head) && !evidence.names[bone].is_helper && central(bone)
        })
        .min_by_key(|&bone| (!evidence.is_weighted[bone], evidence.names[bone].spare_words, body.depth[bone], bone));
    if let Some(bone) = named {
        return Some((bone, 0.95, "it continues above the arms, and its name agrees"));
    }
    // Go upwards: at each fork to the central child whose subtree reaches highest along the trunk.
    let mut way: Vec<BoneIndex> = Vec::new();
    let mut at = start;
    loop {
        let children = body.children[at].iter().copied();
        let next = children
            .filter(|&bone| !in_limb(bone) && central(bone) && !arm_below(body, bone, in_limb))
            .filter(|&bone| (body.position[bone] - body.position[at]).dot(trunk) > -span * 0.02)
            // Eyes, ears and strands of hair are off to the side, the head is not.
            .filter(|&bone| (body.position[bone] - shoulders).dot(left).abs() < span * 0.12)
            .max_by(|&a, &b| {
                let rise = |bone: BoneIndex| {
                    let offset = body.position[bone] - shoulders;
                    offset.dot(trunk) - flat(body.position[bone] - body.position[at], trunk).length()
                        + if evidence.is_weighted[bone] { span * 0.05 } else { 0.0 }
                };
                rise(a).total_cmp(&rise(b)).then(b.cmp(&a))
            });
        let Some(next) = next else { break };
        way.push(next);
        // A bone with a face or hair attached is the head.
        let carries = body.children[next].iter().filter(|&&child| !evidence.names[child].is_helper).count();
        if carries >= 3 && (way.len() >= 2 || starts_at_neck || carries >= 5) || way.len() > 12 {
            break;
        }
        at = next;
    }
    let steps = |index: usize| {
        let before = if index == 0 { start } else { way[index - 1] };
        body.position[way[index]].distance(body.position[before])
    };
    let mut last = way.len().checked_sub(1)?;
    // Drop an end bone on top of the head: long, without children.
    while last > 0 {
        let is_end = body.children[way[last]].is_empty()
            && (!evidence.is_weighted[way[last]]
                || evidence.names[way[last]].is_helper
                || last >= 2 && steps(last) > steps(last - 1) * 1.3);
        if !is_end {
            break;
        }
        last -= 1;
    }
    Some((way[last], 0.7, "it is the last central bone above the arms"))
}

fn arm_below(body: &Body, bone: BoneIndex, in_limb: &dyn Fn(BoneIndex) -> bool) -> bool {
    // Collar bones have a limb directly below them.
    body.children[bone].iter().any(|&child| in_limb(child) || body.children[child].iter().any(|&next| in_limb(next)))
}
