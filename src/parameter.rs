//! A number that can be set: how a settings struct lists its own, for panels, files and checks.

/// One number of a settings struct `S`: how to reach it, what it may be, what it does.
#[derive(Clone, Copy)]
pub struct Parameter<S: 'static> {
    /// The field's name, as in presets.
    pub key: &'static str,
    pub min: f32,
    pub max: f32,
    pub default: f32,
    /// Only whole numbers.
    pub whole: bool,
    /// What it does, one sentence.
    pub help: &'static str,
    /// What a value too small looks like.
    pub too_little: &'static str,
    /// What a value too large looks like.
    pub too_much: &'static str,
    pub get: fn(&S) -> f32,
    pub set: fn(&mut S, f32),
}

/// A number out of its range, or not a number.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{path} is {value}; it must be a number from {min} to {max}")]
pub struct RangeError {
    /// As in a preset: `chains.left_arm.pull`.
    pub path: String,
    pub value: f32,
    pub min: f32,
    pub max: f32,
}

impl<S> Parameter<S> {
    /// # Errors
    /// [`RangeError`] if the number is not within its range; `path` is that of the settings struct.
    pub fn check(&self, settings: &S, path: &str) -> Result<(), RangeError> {
        let value = (self.get)(settings);
        if value >= self.min && value <= self.max {
            return Ok(());
        }
        Err(RangeError { path: format!("{path}.{}", self.key), value, min: self.min, max: self.max })
    }

    /// Puts the number into its range; one that is not a number becomes the default.
    pub fn clamp(&self, settings: &mut S) {
        let value = (self.get)(settings);
        let clamped = if value.is_nan() { self.default } else { value.clamp(self.min, self.max) };
        if clamped != value {
            (self.set)(settings, clamped);
        }
    }
}

/// Writes a [`Parameter`] of the field of that name: type, field, range, default, help, too little, too much.
macro_rules! parameter {
    (whole $type:ty, $field:ident, $($rest:tt)*) => {
        parameter!(@ $type, $field, true, |s: &$type| s.$field as f32, |s: &mut $type, v| s.$field = v.round() as u32,
            $($rest)*)
    };
    (@ $type:ty, $field:ident, $whole:literal, $get:expr, $set:expr, $min:literal ..= $max:literal, $default:literal,
        $help:literal, $less:literal, $more:literal) => {
        Parameter {
            key: stringify!($field),
            min: $min as f32,
            max: $max as f32,
            default: $default as f32,
            whole: $whole,
            help: $help,
            too_little: $less,
            too_much: $more,
            get: $get,
            set: $set,
        }
    };
    ($type:ty, $field:ident, $($rest:tt)*) => {
        parameter!(@ $type, $field, false, |s: &$type| s.$field, |s: &mut $type, v| s.$field = v, $($rest)*)
    };
}
pub(crate) use parameter;
