//! Makes the linker replace the function of the C library that is in `src/clock.rs`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32") {
        println!("cargo::rustc-link-arg-cdylib=--wrap=clock_gettime");
    }
}
