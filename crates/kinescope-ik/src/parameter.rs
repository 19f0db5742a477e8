//! Declarations of settings: key, help and names in the sources, and for numbers also range, default and unit. The
//! `settings!` macro declares each setting once; checks, sweeps, panes and the mirrors in other languages read
//! the declarations.

use std::any::Any;
use std::ops::RangeInclusive;

use crate::error::{BadValue, Fault};
use crate::key::named;

pub use crate::unit::{Unit, units_per_metre};

named! {
    /// A source or component that has its own name for a setting.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Source {
        /// Returns the title, worded to follow "In the".
        title: &'static str,
    }
    /// All sources.
    ALL {
        /// *Full-body notes*.
        FullBody: "Full-body notes";
        /// The component that the full-body solver follows. Its public fields have names of their own.
        Component: "component that the solver follows";
        /// *Animation programming notes*, including code by others that they quote.
        Book: "Animation programming notes";
        /// *FABRIK with a bend rule*.
        BendRule: "article FABRIK with a bend rule";
        /// *Foot IK by ray and curve*.
        FootIk: "article Foot IK by ray and curve";
        /// *Foot IK with velocity prediction*.
        Prediction: "article Foot IK with velocity prediction";
    }
}

/// The name of a setting in one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SourceName {
    /// The source that uses the name.
    pub source: Source,
    /// The name, spelled as in the source.
    pub name: &'static str,
}

/// A field of a settings struct, of any type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// The field's name, as in presets.
    pub key: &'static str,
    /// The first line of the field's documentation.
    pub help: &'static str,
    /// The field's names in the sources.
    pub sources: &'static [SourceName],
}

/// A field of a settings struct as declared. The mirrors in other languages are generated from these.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// The field's name, as in presets.
    pub key: &'static str,
    /// The first line of the field's documentation.
    pub help: &'static str,
    /// The Rust type, as declared.
    pub type_name: &'static str,
    /// The left side of the equivalent C# assignment, with an optional comment after ` // `. Empty if the component
    /// lacks the setting.
    pub csharp: &'static [&'static str],
}

/// Settings with access to fields of any type.
#[doc(hidden)]
pub trait Declared {
    /// All fields, in declaration order.
    const DECLARATIONS: &'static [Declaration];

    /// Returns mutable references to all fields, in declaration order.
    fn fields_mut(&mut self) -> Vec<&mut dyn Any>;

    /// Returns references to all fields, in declaration order.
    fn fields(&self) -> Vec<&dyn Any>;
}

/// The declaration of a numeric setting: range, default, unit and help.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// The field's name, as in presets.
    pub key: &'static str,
    /// The smallest allowed value.
    pub min: f32,
    /// The largest allowed value.
    pub max: f32,
    /// The largest useful value, where sliders and sweeps end.
    pub usual_max: f32,
    /// The default value.
    pub default: f32,
    /// The unit of the values.
    pub unit: Unit,
    /// What the setting does, in a sentence or two.
    pub help: &'static str,
    /// What too small a value looks like.
    pub too_little: &'static str,
    /// What too large a value looks like.
    pub too_much: &'static str,
    /// The setting's names in the sources.
    pub sources: &'static [SourceName],
}

impl Parameter {
    /// Returns the key, help and source names of the setting.
    pub const fn field(&self) -> Field {
        Field { key: self.key, help: self.help, sources: self.sources }
    }

    /// Returns true if the setting takes whole numbers only.
    pub const fn is_whole(&self) -> bool {
        matches!(self.unit, Unit::Count)
    }

    /// Returns the allowed range, both ends included.
    pub const fn range(&self) -> RangeInclusive<f32> {
        self.min..=self.max
    }

    /// Checks that a value lies within the allowed range.
    ///
    /// # Errors
    /// [`BadValue::Range`] for a value outside the range, or NaN.
    pub fn check(&self, value: f32) -> Result<(), BadValue> {
        BadValue::check_range(value, &self.range(), self.unit)
    }

    /// Returns true if a solver can compute with the value: a finite number, and for whole numbers also within the
    /// range, because solvers use these as loop counts.
    #[inline]
    pub fn is_usable(&self, value: f32) -> bool {
        if self.is_whole() { self.range().contains(&value) } else { value.is_finite() }
    }

    /// Returns the error that rejects a value, without checking the value.
    pub const fn refuse(&self, value: f32) -> BadValue {
        BadValue::Range { value, min: self.min, max: self.max, unit: self.unit }
    }

    /// Returns the nearest value within the allowed range; for NaN the default.
    #[inline]
    pub const fn clamp(&self, value: f32) -> f32 {
        if value.is_nan() { self.default } else { value.clamp(self.min, self.max) }
    }
}

/// Returns the parameter with the given key. In a constant, an unknown key is a compile error.
///
/// # Panics
/// Panics if no parameter has the key.
pub const fn find(parameters: &'static [Parameter], key: &str) -> &'static Parameter {
    let mut index = 0;
    while index < parameters.len() {
        if is_same(parameters[index].key, key) {
            return &parameters[index];
        }
        index += 1;
    }
    panic!("no parameter has this key");
}

/// Returns the field with the given key. In a constant, an unknown key is a compile error.
///
/// # Panics
/// Panics if no field has the key.
pub const fn find_field(fields: &'static [Field], key: &str) -> &'static Field {
    let mut index = 0;
    while index < fields.len() {
        if is_same(fields[index].key, key) {
            return &fields[index];
        }
        index += 1;
    }
    panic!("no field has this key");
}

/// Returns the fields with their keys.
#[doc(hidden)]
pub fn keyed<F>(declarations: &[Declaration], fields: Vec<F>) -> Vec<(&'static str, F)> {
    declarations.iter().map(|own| own.key).zip(fields).collect()
}

/// Compares two strings in a `const fn`, where `==` is not available.
const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut index = 0;
    while index < a.len() && index < b.len() && a[index] == b[index] {
        index += 1;
    }
    index == a.len() && index == b.len()
}

/// Returns true if a value is the default of its type. Serde attributes use it to omit such fields from files.
pub fn is_default<T: Default + PartialEq>(own: &T) -> bool {
    *own == T::default()
}

/// Settings whose numbers can be listed, read and set by key.
pub trait Parameters {
    /// Returns the numeric settings, in declaration order.
    fn parameters(&self) -> &'static [Parameter];

    /// Returns the number with the given key; `None` if the key is unknown.
    fn number(&self, key: &str) -> Option<f32>;

    /// Sets the number with the given key without checking its range. For a whole-number setting, `value` is rounded,
    /// and counts as 0 if it is negative or NaN. Returns false if the key is unknown.
    fn set_number(&mut self, key: &str, value: f32) -> bool;

    /// Returns references to all fields with their keys, in declaration order.
    #[doc(hidden)]
    fn keyed_fields(&self) -> Vec<(&'static str, &dyn Any)>;

    /// Returns mutable references to all fields with their keys, in declaration order.
    #[doc(hidden)]
    fn keyed_fields_mut(&mut self) -> Vec<(&'static str, &mut dyn Any)>;

    /// Clamps every number to its allowed range; NaN becomes the default.
    fn clamp_numbers(&mut self);

    /// Returns true if every number is within its allowed range.
    fn are_numbers_in_range(&self) -> bool;

    /// Returns true if [`Parameter::is_usable`] holds for every number.
    fn are_numbers_usable(&self) -> bool;

    /// Checks that every number is within its allowed range.
    ///
    /// # Errors
    /// [`Fault`] for the first number out of range; its place is the key.
    fn check_numbers(&self) -> Result<(), Fault> {
        self.parameters().iter().try_for_each(|parameter| {
            let value = self.number(parameter.key).unwrap_or(parameter.default);
            parameter.check(value).map_err(|bad| bad.at(parameter.key))
        })
    }
}

/// Declares a settings struct. Each field is declared once, with documentation, name, type and default. A numeric
/// setting also has its range, unit, and descriptions of too small and too large values. The first line of a field's
/// documentation is its help in panes.
///
/// ```text
/// settings! {
///     /// What the struct is for.
///     #[derive(…)]
///     pub struct Name {
///         /// What the number does.
///         number: f32 = 0.5, from 0 to 1 in Share,
///             too little: "What too small a value looks like.",
///             too much: "What too large a value looks like.";
///         /// What another field is.
///         other: bool = true,
///             source: FootIk "useIkFeature";
///     }
/// }
/// ```
///
/// `usually 10` may follow `to 1000`; it sets [`Parameter::usual_max`]. Any field may end with its names in the
/// [sources](Source), followed by `csharp: "solver.name"`, see [`Declaration::csharp`]. The macro generates the struct,
/// its `Default`, `Name::FIELDS`, `Name::PARAMETERS`, [`Parameters`] and [`Declared`].
#[doc(hidden)]
#[macro_export]
macro_rules! settings {
    (
        $(#[$attribute:meta])*
        pub struct $name:ident {
            $(
                #[doc = $help:literal]
                $(#[$more:meta])*
                $field:ident: $type:ty = $default:expr
                    $(, from $min:literal to $max:literal $(usually $usual:literal)? in $unit:ident,
                    too little: $too_little:literal,
                    too much: $too_much:literal)?
                    $(, source: $source:ident $source_name:literal)*
                    $(, csharp: $csharp:literal)?;
            )*
        }
    ) => {
        $(#[$attribute])*
        pub struct $name {
            $(
                #[doc = $help]
                $(#[$more])*
                $(
                    #[doc = ""]
                    #[doc = concat!(
                        "From ", stringify!($min), " to ", stringify!($max), ", by default ", stringify!($default),
                        "; [", stringify!($unit), "](crate::parameter::Unit::", stringify!($unit), ")."
                    )]
                )?
                pub $field: $type,
            )*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default),* }
            }
        }

        impl $name {
            /// All fields, in declaration order, with their names in the sources.
            pub const FIELDS: &'static [$crate::parameter::Field] = &[
                $($crate::parameter::Field {
                    key: stringify!($field),
                    help: $help.trim_ascii(),
                    sources: &[$($crate::parameter::SourceName {
                        source: $crate::parameter::Source::$source,
                        name: $source_name,
                    }),*],
                }),*
            ];
        }

        impl $crate::parameter::Declared for $name {
            const DECLARATIONS: &'static [$crate::parameter::Declaration] = &[
                $($crate::parameter::Declaration {
                    key: stringify!($field),
                    help: $help.trim_ascii(),
                    type_name: stringify!($type),
                    csharp: &[$($csharp)?],
                }),*
            ];

            fn fields_mut(&mut self) -> Vec<&mut dyn std::any::Any> {
                vec![$(&mut self.$field),*]
            }

            fn fields(&self) -> Vec<&dyn std::any::Any> {
                vec![$(&self.$field),*]
            }
        }

        $crate::parameter::numbers! {
            $name: $($(
                $field = $default, $min, [$max $(, $usual)?], $unit, $help, $too_little, $too_much;
            )?)*
        }
    };
}

/// Implements [`Parameters`] for the numeric fields of a [`settings!`] struct.
#[doc(hidden)]
#[macro_export]
macro_rules! numbers {
    (
        $name:ident: $(
            $field:ident = $default:expr, $min:literal, [$max:literal $(, $usual:literal)?], $unit:ident,
            $help:literal, $too_little:literal, $too_much:literal;
        )*
    ) => {
        impl $name {
            /// The numeric settings, in declaration order.
            pub const PARAMETERS: &'static [$crate::parameter::Parameter] = &[
                $($crate::parameter::Parameter {
                    key: stringify!($field),
                    min: $min as f32,
                    max: $max as f32,
                    usual_max: *[$max as f32 $(, $usual as f32)?].last().unwrap(),
                    default: $default as f32,
                    unit: $crate::parameter::Unit::$unit,
                    help: $help.trim_ascii(),
                    too_little: $too_little,
                    too_much: $too_much,
                    sources: $crate::parameter::find_field(Self::FIELDS, stringify!($field)).sources,
                }),*
            ];
        }

        impl $crate::parameter::Parameters for $name {
            fn parameters(&self) -> &'static [$crate::parameter::Parameter] {
                Self::PARAMETERS
            }

            fn number(&self, key: &str) -> Option<f32> {
                match key {
                    $(stringify!($field) => Some(self.$field as f32),)*
                    _ => None,
                }
            }

            fn set_number(&mut self, key: &str, value: f32) -> bool {
                match key {
                    $(stringify!($field) => {
                        let is_whole = matches!($crate::parameter::Unit::$unit, $crate::parameter::Unit::Count);
                        self.$field = (if is_whole { value.round() } else { value }) as _;
                    })*
                    _ => return false,
                }
                true
            }

            fn keyed_fields(&self) -> Vec<(&'static str, &dyn std::any::Any)> {
                use $crate::parameter::Declared;
                $crate::parameter::keyed(Self::DECLARATIONS, self.fields())
            }

            fn keyed_fields_mut(&mut self) -> Vec<(&'static str, &mut dyn std::any::Any)> {
                use $crate::parameter::Declared;
                $crate::parameter::keyed(Self::DECLARATIONS, self.fields_mut())
            }

            #[inline]
            fn clamp_numbers(&mut self) {
                let [$($field),*] = Self::PARAMETERS else { return };
                $(self.$field = $field.clamp(self.$field as f32) as _;)*
            }

            #[inline]
            fn are_numbers_in_range(&self) -> bool {
                let [$($field),*] = Self::PARAMETERS else { return false };
                true $(& $field.range().contains(&(self.$field as f32)))*
            }

            #[inline]
            fn are_numbers_usable(&self) -> bool {
                let [$($field),*] = Self::PARAMETERS else { return false };
                true $(& $field.is_usable(self.$field as f32))*
            }
        }
    };
}
#[doc(hidden)]
pub use {numbers, settings};
