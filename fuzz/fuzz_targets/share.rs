//! No link makes the reader panic. A link that can be read is written so that it reads back equal.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none share fuzz/corpus/share fuzz/seeds/share`
#![no_main]

use kinescope_ik::share::{MARK, Shared};
use libfuzzer_sys::fuzz_target;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fuzz_target!(|bytes: &[u8]| {
    // Every character is of base64url's alphabet, so that many inputs reach the decompressor.
    let data: String = bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte & 63)])).collect();
    let Ok(shared) = Shared::from_link(&format!("{MARK}{data}")) else { return };
    let Ok(written) = shared.to_fragment() else { return };
    assert_eq!(Shared::from_link(&written).as_ref(), Ok(&shared), "{written}");
});
