//! The roles of the trunk: pelvis, spine, collar bones and head.

use glam::Vec3;

use super::super::biped::Role;
use super::super::skeleton::BoneIndex;
use super::directions::flat;
use super::evidence::BY_HUMANOID;
use super::limbs::Body;
use super::names::Part;
use super::search::Search;
use super::torso::Torso;

impl Search {
    /// Finds pelvis, spine, collar bones and head from the file's humanoid map, otherwise from the limbs. Without a
    /// pelvis, finds none of them.
    pub(super) fn trunk(&mut self, torso: &Torso) {
        let evidence = torso.evidence;
        let Some(pelvis) = torso.file("hips").or_else(|| torso.pelvis()) else {
            self.problems.push("no bone of the trunk joins the legs, so there is no pelvis".to_owned());
            return;
        };
        let pelvis_named = evidence.names[pelvis].part == Some(Part::Pelvis);
        let (confidence, reason) = match (torso.file("hips").is_some(), pelvis_named) {
            (true, _) => (1.0, BY_HUMANOID),
            (_, true) => (0.95, "it joins the legs or is near the hips, and its name agrees"),
            _ => (0.75, "it joins the legs, or is the central bone nearest to the hips"),
        };
        self.set(Role::Pelvis, vec![pelvis], confidence, reason);

        let (spine, neck) = torso.spine(pelvis);
        if spine.is_empty() {
            self.problems.push("no bone between pelvis and arms carries both arms, so there is no spine".to_owned());
        } else {
            let named = spine.iter().filter(|&&bone| evidence.names[bone].part == Some(Part::Spine)).count();
            let is_stated = |bone: &&BoneIndex| Torso::SPINE.iter().any(|key| torso.file(key) == Some(**bone));
            let stated = spine.iter().filter(is_stated).count();
            let (confidence, reason) = match (stated, named == spine.len()) {
                (stated, _) if stated == spine.len() => (1.0, BY_HUMANOID),
                (_, true) => (0.95, "they lie between pelvis and arms, and their names agree"),
                (0, false) => (0.8, "they lie between pelvis and arms"),
                (_, false) => {
                    (0.9, "they lie between pelvis and arms, and the file's humanoid map states some of them")
                }
            };
            self.set(Role::Spine, spine.clone(), confidence, reason);
        }
        self.clavicles(torso);

        let head = torso.file("head").map(|bone| (bone, 1.0, BY_HUMANOID)).or_else(|| {
            let start = neck.or(spine.last().copied()).unwrap_or(pelvis);
            find_head(torso, (start, neck.is_some()), self.left)
        });
        match head {
            Some((bone, confidence, reason)) => self.set(Role::Head, vec![bone], confidence, reason),
            None => self.set(Role::Head, Vec::new(), 0.5, "no bone continues above the arms"),
        }
    }

    fn clavicles(&mut self, torso: &Torso) {
        let Torso { evidence, body, limbs, .. } = torso;
        for (limb, role, key) in [(0, Role::LeftClavicle, "leftShoulder"), (1, Role::RightClavicle, "rightShoulder")] {
            let arm = limbs[limb].0[0];
            if let Some(bone) =
                torso.file(key).filter(|_| self.roles.get(&Role::Pelvis).is_some_and(|p| p.reason == BY_HUMANOID))
            {
                self.set(role, vec![bone], 1.0, BY_HUMANOID);
                continue;
            }
            let path = body.path_down(body.meeting(arm, limbs[1 - limb].0[0]), arm);
            let between = &path[..path.len().saturating_sub(1)];
            // A bone named as a clavicle, otherwise the bone nearest to the arm at another position; bones that move
            // vertices come first.
            let named = between.iter().rev().copied().find(|&bone| {
                matches!(evidence.names[bone].part, Some(Part::Clavicle | Part::Shoulder))
                    && !evidence.names[bone].is_helper
            });
            let apart = |&bone: &BoneIndex| body.position[bone].distance(body.position[arm]) > torso.span() * 0.04;
            let placed = between.iter().rev().copied().find(|bone| apart(bone) && evidence.is_weighted[*bone]);
            let placed = placed.or_else(|| between.iter().rev().copied().find(apart));
            match named.or(placed) {
                Some(bone) if named.is_some() => {
                    self.set(role, vec![bone], 0.95, "it carries the arm, and its name agrees");
                }
                Some(bone) => self.set(role, vec![bone], 0.75, "it carries the arm"),
                None => self.set(role, Vec::new(), 0.8, "no bone lies between spine and arm except at the arm's joint"),
            }
        }
    }
}

/// Returns the head, the confidence and the reason. The head is a central bone named as a head. Otherwise it is the
/// first bone upwards from `start` with several children, such as a face and hair, or the last one before the end
/// bones. `None` if there is no such bone.
fn find_head(
    torso: &Torso,
    (start, starts_at_neck): (BoneIndex, bool),
    left: Vec3,
) -> Option<(BoneIndex, f32, &'static str)> {
    let Torso { evidence, body, shoulders, trunk, .. } = *torso;
    let (span, in_limb) = (torso.span(), |bone: BoneIndex| torso.in_limb(bone));
    // All bones below the start outside limbs, up to a limit: a skeleton with thousands of them has no head to find.
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
    // A head can carry its mesh as a child instead of moving vertices itself.
    let moves = |bone: BoneIndex| {
        evidence.is_weighted[bone]
            || below.iter().any(|&other| evidence.is_weighted[other] && body.is_above(bone, other))
    };
    let named = below
        .iter()
        .copied()
        .filter(|&bone| {
            evidence.names[bone].part == Some(Part::Head) && !evidence.names[bone].is_helper && central(bone)
        })
        .min_by_key(|&bone| (!moves(bone), evidence.names[bone].spare_words, body.depth[bone], bone));
    if let Some(bone) = named {
        return Some((bone, 0.95, "it continues above the arms, and its name agrees"));
    }
    // Go upwards: at each fork to the central child with the greatest height along the trunk minus its distance to the
    // side. A bone that moves vertices gets a bonus.
    let mut path: Vec<BoneIndex> = Vec::new();
    let mut at = start;
    loop {
        let children = body.children[at].iter().copied();
        let next = children
            .filter(|&bone| !in_limb(bone) && central(bone) && !arm_below(body, bone, &in_limb))
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
        path.push(next);
        let carries = body.children[next].iter().filter(|&&child| !evidence.names[child].is_helper).count();
        if carries >= 3 && (path.len() >= 2 || starts_at_neck || carries >= 5) || path.len() > 12 {
            break;
        }
        at = next;
    }
    let steps = |index: usize| {
        let before = if index == 0 { start } else { path[index - 1] };
        body.position[path[index]].distance(body.position[before])
    };
    let mut last = path.len().checked_sub(1)?;
    // Drop end bones on top of the head: without children, and either without vertices or named as helpers. If it is
    // unknown which bones move vertices, also one that is much further from its parent than the parent from its own.
    while last > 0 {
        let is_end = body.children[path[last]].is_empty()
            && (!evidence.is_weighted[path[last]]
                || evidence.names[path[last]].is_helper
                || !evidence.knows_weights && last >= 2 && steps(last) > steps(last - 1) * 1.3);
        if !is_end {
            break;
        }
        last -= 1;
    }
    Some((path[last], 0.7, "it continues above the arms"))
}

fn arm_below(body: &Body, bone: BoneIndex, in_limb: &dyn Fn(BoneIndex) -> bool) -> bool {
    // A collar bone leads to an arm, not to the head: the arm is among its children or grandchildren.
    body.children[bone].iter().any(|&child| in_limb(child) || body.children[child].iter().any(|&next| in_limb(next)))
}
