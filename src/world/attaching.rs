use std::sync::Arc;

use crate::world::World;
use crate::world::document::Document;
use kinescope_ik::attach::{Anchor, Posed, follow_edit};
use kinescope_ik::error::Fault;
use kinescope_ik::modifiers::Modifier;
use kinescope_ik::rig::RigidTransform;
use kinescope_ik::stack::Stack;

const NO_BIPED: &str =
    "the character has no biped, or the biped cannot be solved. Press D to correct the roles in the rig doctor";

impl World {
    pub(crate) fn posed(&self) -> Option<Posed<'_>> {
        self.character.rig.posed(self.solved.anchor_pose())
    }

    /// A target whose anchor is missing keeps its stored position, and the attachment layer reports why.
    pub(crate) fn with_targets(&self, mut stack: Stack) -> Arc<Stack> {
        if stack.has_attachments()
            && let Some(posed) = self.posed()
        {
            let _ = stack.attach(&posed, |_, _| {});
        }
        Arc::new(stack)
    }

    /// Returns the transform of an anchor in model space: for a bone, the one before modifiers and IK; for an effector,
    /// that of its target. See [`Posed::anchor`].
    pub fn anchor(&self, anchor: &Anchor) -> Result<RigidTransform, Fault> {
        let posed = self.posed().ok_or_else(|| Fault::new("", NO_BIPED))?;
        posed.anchor(self.settings(), anchor)
    }

    /// Recomputes the offsets of attached effector targets that an edit moved or turned, and detaches those that it
    /// cleared. Untouched targets of effectors and modifiers keep their stored values.
    pub(crate) fn follow_attachments(&self, document: &mut Document) {
        let (shown, known) = (self.stack(), &self.history.document().stack);
        let stack = &mut document.stack;
        if !stack.has_attachments() {
            return;
        }
        if let Some(posed) = self.posed()
            && !stack.attachments.is_empty()
        {
            let mut attachments = (*stack.attachments).clone();
            let before = [&shown.full_body, &known.full_body];
            // If a target cannot follow, for example because of a cycle or a missing bone, the offsets stay.
            if follow_edit(&mut attachments, &posed, before, &mut stack.full_body).is_ok()
                && attachments != *stack.attachments
            {
                stack.attachments = Arc::new(attachments);
            }
        }
        let is_kept = |index: usize, own: &Modifier| {
            let (Some(shown), Some(known)) = (shown.modifiers.get(index), known.modifiers.get(index)) else {
                return false;
            };
            own.attachment().is_some()
                && own.attachment() == known.attachment()
                && own.own_target() == shown.own_target()
                && own.own_target() != known.own_target()
        };
        for index in 0..stack.modifiers.len() {
            if is_kept(index, &stack.modifiers[index])
                && let (Some(place), rotation) = known.modifiers[index].own_target()
            {
                Arc::make_mut(&mut stack.modifiers)[index].put_target(place, rotation);
            }
        }
    }
}
