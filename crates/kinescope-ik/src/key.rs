//! Keys, as files and measures have them, in the words of a person.

/// A key as a person reads it: `left_upper_arm` → `left upper arm`.
pub fn label(key: &str) -> String {
    key.replace('_', " ")
}
