//! Files with several characters: finds each one, and chooses one.

use super::super::biped::Role;
use super::super::model::Model;
use super::super::model_pose::ModelPose;
use super::super::skeleton::BoneIndex;
use super::evidence::Evidence;
use super::finding::FoundCharacter;
use super::mapping::Mapping;
use super::names::NameEvidence;
use super::search::Search;

/// The smallest character, in bones. If it is known which bones move vertices, at least this many of them must.
const LEAST_BONES: usize = 12;
/// The largest skeleton that is searched, in bones.
const MOST_BONES: usize = 5000;
const MOST_CHARACTERS: usize = 8;
/// The largest number of bones above the characters.
const MOST_ABOVE: usize = 16;

pub(super) struct OneOfSeveral {
    pub is_left_out: Vec<bool>,
    pub names: Vec<NameEvidence>,
    pub is_weighted: Vec<bool>,
    pub root: BoneIndex,
    pub pelvis: BoneIndex,
    pub note: String,
    pub characters: Vec<FoundCharacter>,
}

/// Returns the character to search if the file has several: the one with the most bones that the user chose for roles.
/// Of equals, the one whose bones move the most vertices, then the one with the most bones, then the first. `None` for
/// files with fewer than two characters, with more than [`MOST_CHARACTERS`] branches of [`LEAST_BONES`] bones or more,
/// with a humanoid map or with more than [`MOST_BONES`] bones.
pub(super) fn choose_character(evidence: &Evidence, pose: &ModelPose) -> Option<OneOfSeveral> {
    let skeleton = &evidence.model.skeleton;
    let count = skeleton.len();
    if !evidence.model.humanoid.is_empty() || count > MOST_BONES {
        return None;
    }
    let mut size = vec![1usize; count];
    for bone in (0..count).rev() {
        if let Some(parent) = skeleton.parent(bone) {
            size[parent] += size[bone];
        }
    }
    let is_large = |&bone: &BoneIndex| size[bone] >= LEAST_BONES;
    let mut level: Vec<BoneIndex> =
        (0..count).filter(|&bone| skeleton.parent(bone).is_none()).filter(is_large).collect();
    for _ in 0..MOST_ABOVE {
        let [only] = level[..] else { break };
        level = (only + 1..count).filter(|&bone| skeleton.parent(bone) == Some(only)).filter(is_large).collect();
    }
    if !(2..=MOST_CHARACTERS).contains(&level.len()) {
        return None;
    }
    let character = |root: BoneIndex| {
        let mut one = OneOfSeveral::new(evidence, root);
        let moving = one.is_weighted.iter().filter(|&&moves| moves).count();
        let is_large = !evidence.knows_weights || moving >= LEAST_BONES;
        let found = is_large.then(|| Search::run(&one.evidence(evidence), pose)).filter(Search::is_whole)?;
        // The mapping names bones of one character only, so the pelvis of each character is searched without it.
        let mapping = Mapping::default();
        let own = match evidence.mapping.roles.is_empty() {
            true => found,
            false => Search::run(&Evidence { mapping: &mapping, ..one.evidence(evidence) }, pose),
        };
        one.pelvis = own.pelvis().unwrap_or(root);
        Some(one)
    };
    let mut all: Vec<OneOfSeveral> = level.into_iter().filter_map(character).collect();
    if all.len() < 2 {
        return None;
    }
    let vertices = vertices_by_bone(evidence.model);
    let moved = |one: &OneOfSeveral| {
        (0..count).filter(|&bone| !one.is_left_out[bone]).map(|bone| vertices[bone]).sum::<usize>()
    };
    let bones = |one: &OneOfSeveral| one.is_left_out.iter().filter(|&&is_left_out| !is_left_out).count();
    let named = |one: &OneOfSeveral| {
        let chosen = evidence.mapping.roles.values().flat_map(|bones| &bones.0);
        chosen.filter_map(|name| skeleton.find(name)).filter(|&bone| !one.is_left_out[bone]).count()
    };
    let rank = |at: &usize| (named(&all[*at]), moved(&all[*at]), bones(&all[*at]), std::cmp::Reverse(*at));
    let best = (0..all.len()).max_by_key(rank)?;
    let name = |one: &OneOfSeveral| format!("{:?}", skeleton.bones()[one.root].name);
    let list: Vec<String> = all.iter().map(name).collect();
    let reason = match (named(&all[best]) > 0, moved(&all[best])) {
        (true, _) => "you chose its bones".to_owned(),
        (_, 0) => "it has the most bones".to_owned(),
        (_, moved) => format!("its bones move the most vertices ({moved})"),
    };
    let note = format!(
        "the file has {} characters, {}: {} is used because {reason}; to use another one, choose its bone for the role {}",
        list.len(),
        list.join(" and "),
        list[best],
        Role::Pelvis.key()
    );
    let found =
        |(at, one): (usize, &OneOfSeveral)| FoundCharacter { root: one.root, pelvis: one.pelvis, is_used: at == best };
    let characters = all.iter().enumerate().map(found).collect();
    let mut chosen = all.swap_remove(best);
    (chosen.note, chosen.characters) = (note, characters);
    Some(chosen)
}

fn vertices_by_bone(model: &Model) -> Vec<usize> {
    let mut vertices = vec![0; model.skeleton.len()];
    for mesh in &model.meshes {
        for (joints, weights) in mesh.vertex_joints.iter().zip(&mesh.vertex_weights) {
            let strongest = joints.iter().zip(weights).max_by(|a, b| a.1.total_cmp(b.1));
            let bone = strongest.and_then(|(&joint, _)| mesh.joints.get(usize::from(joint))?.bone);
            if let Some(vertices) = bone.and_then(|bone| vertices.get_mut(bone)) {
                *vertices += 1;
            }
        }
    }
    vertices
}

impl OneOfSeveral {
    fn new(evidence: &Evidence, root: BoneIndex) -> Self {
        let skeleton = &evidence.model.skeleton;
        let mut is_left_out = vec![true; skeleton.len()];
        for bone in root..skeleton.len() {
            is_left_out[bone] = bone != root && skeleton.parent(bone).is_none_or(|parent| is_left_out[parent]);
        }
        let names = evidence.names.iter().zip(&is_left_out);
        let helper = NameEvidence { is_helper: true, ..NameEvidence::default() };
        let names = names.map(|(&name, &is_left_out)| if is_left_out { helper } else { name }).collect();
        let moves = evidence.is_weighted.iter().zip(&is_left_out).map(|(&moves, &is_left_out)| moves && !is_left_out);
        Self {
            names,
            is_weighted: moves.collect(),
            is_left_out,
            root,
            pelvis: root,
            note: String::new(),
            characters: Vec::new(),
        }
    }

    pub fn evidence<'a>(&'a self, all: &Evidence<'a>) -> Evidence<'a> {
        Evidence {
            model: all.model,
            mapping: all.mapping,
            names: &self.names,
            is_weighted: &self.is_weighted,
            knows_weights: all.knows_weights,
            left_out: Some((&self.is_left_out, self.root)),
        }
    }
}
