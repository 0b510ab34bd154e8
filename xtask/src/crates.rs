//! Crates that are built by themselves, or not for this machine.

/// The crates that wasmtime is in: always selected together, or with the whole workspace ([`crate::native::select`]).
pub const WASMTIME_CRATES: [&str; 4] = ["--package", "quartet-host", "--package", "quartet-preinit"];

/// The crate that llama.cpp is in, with it: always selected like this, so that llama.cpp is compiled once.
pub const ENGINE_CRATE: [&str; 4] = [
    "--package",
    "quartet-llm-engine",
    "--features",
    "quartet-llm-engine/engine",
];

/// The profile of that crate: the release profile under a name of its own, with which cargo compiles it beside the host.
pub const ENGINE_PROFILE: [&str; 2] = ["--profile", "engine"];

/// The crates of components that only the suites serve: one that breaks every rule, and one that asks the language model.
/// They exist as WebAssembly only.
pub const GUESTS: [&str; 2] = ["quartet-misbehaving-guests", "quartet-llm-guest"];

/// The crate of the component that asks for graphs, for tests.
pub const PROBE: &str = "quartet-inference-probe";

/// The crate of the component that says that there is no language model.
pub const ABSENT: &str = "quartet-llm-none";

/// The crate of the example of a capability of one's own, which exists as WebAssembly only.
pub const EXAMPLE: &str = "quartet-example-words";
