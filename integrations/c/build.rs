//! On Linux, Android and FreeBSD, names the shared library by the version of its interface, so that a program loads
//! only the interface that it was linked with. On macOS and iOS, programs look for the library along their run path.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=src/abi.rs");
    let root = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let source = std::fs::read_to_string(Path::new(&root).join("src/abi.rs")).unwrap();
    let (_, rest) = source.split_once("KINESCOPE_ABI_VERSION: u32 = ").expect("src/abi.rs has the version");
    let version: u32 = rest.split(';').next().unwrap().parse().unwrap();
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux" | "android" | "freebsd") => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libkinescope.so.{version}");
        }
        Ok("macos" | "ios") => println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libkinescope.dylib"),
        _ => {}
    }
}
