//! Tells the linker which C library functions the component answers itself (`files/guest.rs` of the crate
//! `quartet-formant-synthesis`, and `src/clock.rs`).

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32") {
        for function in [
            "open",
            "close",
            "read",
            "lseek",
            "fstat",
            "stat",
            "opendir",
            "readdir",
            "closedir",
            "realpath",
            "getenv",
            "clock_gettime",
        ] {
            println!("cargo::rustc-link-arg-cdylib=--wrap={function}");
        }
    }
}
