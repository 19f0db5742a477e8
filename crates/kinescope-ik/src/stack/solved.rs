//! The recorded solve of one layer.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::stepped::Run;

trait AnyRun: Run + Any + Send + Sync {}

impl<R: Run + Any + Send + Sync> AnyRun for R {}

/// The run of a layer, whichever solver recorded it. Clones share it.
#[derive(Clone)]
pub struct Solved(Arc<dyn AnyRun>);

impl Solved {
    /// Stores a run.
    pub fn new(run: impl Run + Send + Sync + 'static) -> Self {
        Self(Arc::new(run))
    }

    /// Returns the run as a trait object.
    pub fn run(&self) -> &dyn Run {
        &*self.0
    }

    /// Returns the run as type `R`; `None` if it has another type.
    pub fn of<R: Run + 'static>(&self) -> Option<&R> {
        (&*self.0 as &dyn Any).downcast_ref()
    }
}

impl fmt::Debug for Solved {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "Solved({} steps)", self.run().steps())
    }
}
