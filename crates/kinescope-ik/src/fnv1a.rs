//! FNV-1a with 64 bits, a hash that is the same in every run and on every machine. It is not cryptographic.

/// The hash of the bytes added so far.
#[derive(Clone, Copy, Debug)]
pub struct Fnv1a(pub u64);

impl Default for Fnv1a {
    fn default() -> Self {
        Self::new()
    }
}

impl Fnv1a {
    /// Returns the hash of no bytes.
    pub const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes to the hash.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(feature = "json")]
impl Fnv1a {
    /// Adds numbers to the hash; −0 counts as 0.
    pub fn numbers<const N: usize>(&mut self, numbers: [f32; N]) {
        for number in numbers {
            // Adding 0 turns −0 into 0 and changes no other number.
            self.bytes(&(number + 0.0).to_bits().to_le_bytes());
        }
    }

    /// Adds the position and rotation of every bone to the hash.
    pub fn pose(&mut self, bones: &[crate::rig::RigidTransform]) {
        for bone in bones {
            self.numbers(bone.position.to_array());
            self.numbers(bone.rotation.to_array());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        let hash = |text: &str| {
            let mut hash = Fnv1a::new();
            hash.bytes(text.as_bytes());
            hash.0
        };
        // From the test vectors published by the authors of FNV.
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
    }
}
