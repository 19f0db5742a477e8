//! What a character is to its layers.

use std::sync::Arc;

use crate::error::Fault;
use crate::full_body::FullBody;
use crate::grounding::{Legs, Side};
use crate::locomotion::Sole;
use crate::modifiers::Figure;
use crate::rig::{Biped, RigidTransform, Skeleton};

/// What a character is to its layers; made once, and cheap to hand on to another thread.
#[derive(Clone, Debug)]
pub struct Rig {
    /// The model's name, for messages.
    pub name: String,
    /// The character's bones.
    pub skeleton: Arc<Skeleton>,
    /// The pose that solvers are initialised in; model space.
    pub reference: Arc<Vec<RigidTransform>>,
    /// The full-body solver, or why there is none.
    pub full_body: Result<Arc<FullBody>, String>,
    /// `None` for a character without two legs.
    pub legs: Option<Legs>,
    /// Where its feet touch the ground, left and right; `None` without legs.
    pub soles: Option<[Sole; 2]>,
    /// What modifiers know of it; `None` for no biped.
    pub figure: Option<Arc<Figure>>,
}

impl Rig {
    /// Of a character with a full body and no grounding; `reference` as in [`FullBody::new`].
    ///
    /// # Errors
    /// As [`FullBody::new`].
    pub fn biped(
        name: impl Into<String>,
        skeleton: impl Into<Arc<Skeleton>>,
        biped: &Biped,
        reference: Vec<RigidTransform>,
    ) -> Result<Self, Fault> {
        let skeleton = skeleton.into();
        let full_body = Ok(Arc::new(FullBody::new(&skeleton, biped, &reference)?));
        let figure = Some(Arc::new(Figure::new(&skeleton, biped, &reference)?));
        Ok(Self {
            name: name.into(),
            skeleton,
            reference: Arc::new(reference),
            full_body,
            legs: None,
            soles: None,
            figure,
        })
    }
}

impl Rig {
    /// With two legs that stand on the ground.
    #[must_use]
    pub fn with_legs(self, legs: Option<Legs>) -> Self {
        let soles = legs.map(|legs| Side::ALL.map(|side| Sole::new(&self.skeleton, &self.reference, &legs, side)));
        Self { legs, soles, ..self }
    }
}

impl Default for Rig {
    /// A character without bones.
    fn default() -> Self {
        Self {
            name: String::new(),
            skeleton: Arc::default(),
            reference: Arc::default(),
            full_body: Err(String::new()),
            legs: None,
            soles: None,
            figure: None,
        }
    }
}
