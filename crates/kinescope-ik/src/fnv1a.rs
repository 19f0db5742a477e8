//! A hash that stays the same from run to run and from machine to machine (FNV-1a, 64 bits): not a cryptographic one.

/// A hash of the bytes so far.
#[derive(Clone, Copy, Debug)]
pub struct Fnv1a(pub u64);

impl Default for Fnv1a {
    fn default() -> Self {
        Self::new()
    }
}

impl Fnv1a {
    /// The hash of no bytes.
    pub const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Hashes bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// Numbers and poses: what a capsule keeps of a solve.
#[cfg(feature = "json")]
impl Fnv1a {
    /// Hashes numbers; −0 hashes as 0.
    pub fn numbers<const N: usize>(&mut self, numbers: [f32; N]) {
        for number in numbers {
            // Adding 0 makes −0 to 0 and changes nothing else.
            self.bytes(&(number + 0.0).to_bits().to_le_bytes());
        }
    }

    /// Hashes position and rotation of every bone.
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
        // From the test vectors of FNV's authors.
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
    }
}
