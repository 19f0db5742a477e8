//! Keys as in files, labels on screen, and `named!`, which declares an enum together with its keys and labels.

/// Returns a key as a label: `left_upper_arm` → `left upper arm`.
pub fn label(key: &str) -> String {
    key.replace('_', " ")
}

/// Returns the length in bytes of the text that [`separated`] makes of the name.
#[doc(hidden)]
pub const fn separated_length(name: &str) -> usize {
    let (bytes, mut length, mut index) = (name.as_bytes(), name.len(), 1);
    while index < bytes.len() {
        length += bytes[index].is_ascii_uppercase() as usize;
        index += 1;
    }
    length
}

/// Returns a variant's name in lower case with separated words: `LeftHand` → `left_hand`. With the separator `_`, the
/// result equals that of serde's `rename_all = "snake_case"`.
#[doc(hidden)]
pub const fn separated<const LENGTH: usize>(name: &str, separator: u8) -> [u8; LENGTH] {
    let (bytes, mut index, mut at, mut found) = (name.as_bytes(), 0, 0, [0; LENGTH]);
    while index < bytes.len() {
        if index > 0 && bytes[index].is_ascii_uppercase() {
            found[at] = separator;
            at += 1;
        }
        found[at] = bytes[index].to_ascii_lowercase();
        (index, at) = (index + 1, at + 1);
    }
    found
}

/// Declares an enum as a table: one row per variant, with its documentation and a value for each column. The macro
/// generates the enum, one array of variants per group of rows, and one function per column.
///
/// ```text
/// named! {
///     /// What the enum is for.
///     #[derive(…)]
///     pub enum Name {
///         /// As in files.
///         key,
///         /// What it does.
///         sentence: &'static str,
///     }
///     /// In their order.
///     ALL {
///         /// The documentation of `Name::FirstOne`.
///         FirstOne: "Does the first thing.";
///         /// The documentation of `Name::Second`.
///         Second: "Does the second thing.";
///     }
/// }
/// ```
///
/// Three columns need no values because the macro derives them: `key` is the variant's name in snake_case
/// (`first_one`), `label` is the same with spaces (`first one`), and `help` is the first line of the variant's
/// documentation.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident $columns:tt
        $(
            $(#[$of_group:meta])*
            $group:ident {
                $(
                    $(#[$($of_variant:tt)*])*
                    $variant:ident $(: $($value:expr),+)?;
                )+
            }
        )+
    ) => {
        $(#[$attribute])*
        $visibility enum $name {
            $($(
                $(#[$($of_variant)*])*
                $variant,
            )+)+
        }

        impl $name {
            $(
                $(#[$of_group])*
                pub const $group: [Self; [$(stringify!($variant)),+].len()] = [$(Self::$variant),+];
            )+
        }

        $crate::key::named! {
            @columns $name {} $columns $($($variant { $(#[$($of_variant)*])* } [$($($value),+)?])+)+
        }
    };

    (@columns $name:ident { $($done:tt)* } {} $($rows:tt)*) => {
        impl $name {
            $($done)*
        }
    };

    (
        @columns $name:ident { $($done:tt)* } { $(#[$doc:meta])* key, $($columns:tt)* }
        $($variant:ident $docs:tt $values:tt)+
    ) => {
        $crate::key::named! {
            @columns $name {
                $($done)*
                $(#[$doc])*
                pub const fn key(self) -> &'static str {
                    [$($crate::key::named!(@separated $variant b'_')),+][self as usize]
                }
            } { $($columns)* } $($variant $docs $values)+
        }
    };

    (
        @columns $name:ident { $($done:tt)* } { $(#[$doc:meta])* label, $($columns:tt)* }
        $($variant:ident $docs:tt $values:tt)+
    ) => {
        $crate::key::named! {
            @columns $name {
                $($done)*
                $(#[$doc])*
                pub const fn label(self) -> &'static str {
                    [$($crate::key::named!(@separated $variant b' ')),+][self as usize]
                }
            } { $($columns)* } $($variant $docs $values)+
        }
    };

    (
        @columns $name:ident { $($done:tt)* } { $(#[$doc:meta])* help, $($columns:tt)* }
        $($variant:ident { #[doc = $help:literal] $($more:tt)* } $values:tt)+
    ) => {
        $crate::key::named! {
            @columns $name {
                $($done)*
                $(#[$doc])*
                pub const fn help(self) -> &'static str {
                    [$($help),+][self as usize].trim_ascii()
                }
            } { $($columns)* } $($variant {} $values)+
        }
    };

    // Takes the first value of every row for the first column, and recurses for the other columns.
    (
        @columns $name:ident { $($done:tt)* } { $(#[$doc:meta])* $column:ident: $type:ty, $($columns:tt)* }
        $($variant:ident $docs:tt [$value:expr $(, $more:expr)*])+
    ) => {
        $crate::key::named! {
            @columns $name {
                $($done)*
                $(#[$doc])*
                pub const fn $column(self) -> $type {
                    [$($value),+][self as usize]
                }
            } { $($columns)* } $($variant $docs [$($more),*])+
        }
    };

    (@separated $variant:ident $separator:literal) => {{
        const NAME: &str = stringify!($variant);
        const BYTES: [u8; $crate::key::separated_length(NAME)] = $crate::key::separated(NAME, $separator);
        const TEXT: &str = match std::str::from_utf8(&BYTES) {
            Ok(text) => text,
            Err(_) => NAME,
        };
        TEXT
    }};
}
#[doc(hidden)]
pub use named;

#[cfg(test)]
mod tests {
    use serde::Serialize;

    named! {
        /// Every kind of column.
        #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
        #[serde(rename_all = "snake_case")]
        enum Sample {
            key,
            label,
            help,
            number: u8,
            text: &'static str,
        }
        FIRST {
            /// One word.
            One: 1, "a";
            /// A digit does not start a word.
            Stage2: 2, "b";
        }
        OTHERS {
            /// Two words.
            /// The help leaves out this second line.
            LeftHand: 3, "c";
        }
    }

    #[test]
    fn every_column_has_the_values_of_its_rows() {
        assert_eq!((Sample::FIRST, Sample::OTHERS), ([Sample::One, Sample::Stage2], [Sample::LeftHand]));
        let all = [Sample::One, Sample::Stage2, Sample::LeftHand];
        assert_eq!(all.map(Sample::key), ["one", "stage2", "left_hand"]);
        assert_eq!(all.map(|own| serde_json::to_value(own).unwrap()), all.map(Sample::key));
        assert_eq!(all.map(Sample::label), ["one", "stage2", "left hand"]);
        assert_eq!(all.map(Sample::help), ["One word.", "A digit does not start a word.", "Two words."]);
        assert_eq!(all.map(Sample::number), [1, 2, 3]);
        assert_eq!(all.map(Sample::text), ["a", "b", "c"]);
    }
}
