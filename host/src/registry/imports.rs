//! What a component may import, by capability. Checked when it is loaded; anything else is refused.

use quartet_api::Capability;

/// What Rust's standard library and the HTTP edge bring in: nothing that reaches files, the network, the environment or
/// the date. Standard streams go to the log, within bounds; there is no terminal.
const COMMON: &[&str] = &[
    "wasi:cli/exit",
    "wasi:cli/stderr",
    "wasi:cli/stdin",
    "wasi:cli/stdout",
    "wasi:cli/terminal-input",
    "wasi:cli/terminal-output",
    "wasi:cli/terminal-stderr",
    "wasi:cli/terminal-stdin",
    "wasi:cli/terminal-stdout",
    "wasi:clocks/monotonic-clock",
    "wasi:http/types",
    "wasi:io/error",
    "wasi:io/poll",
    "wasi:io/streams",
    "wasi:random/insecure-seed",
];

/// What a component must export.
const HANDLER: &str = "wasi:http/incoming-handler";

fn allowed(capability: Capability) -> &'static [&'static str] {
    match capability {
        Capability::Tts => COMMON,
    }
}

/// Checks the names of a component's imports and exports, such as `wasi:io/streams@0.2.12`.
pub fn check<'a>(
    capability: Capability,
    mut imports: impl Iterator<Item = &'a str>,
    mut exports: impl Iterator<Item = &'a str>,
) -> Result<(), String> {
    let bare = |name: &'a str| name.split('@').next().unwrap_or(name);
    if let Some(import) = imports.find(|name| !allowed(capability).contains(&bare(name))) {
        return Err(format!("it imports {import}, which {} may not have", capability.name()));
    }
    if !exports.any(|name| bare(name) == HANDLER) {
        return Err(format!("it does not export {HANDLER}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPORT: &str = "wasi:http/incoming-handler@0.2.12";

    fn tts(imports: &[&str], exports: &[&str]) -> Result<(), String> {
        check(Capability::Tts, imports.iter().copied(), exports.iter().copied())
    }

    #[test]
    fn only_what_the_capability_may_have() {
        assert!(tts(&["wasi:io/streams@0.2.12", "wasi:http/types@0.2.3"], &[EXPORT]).is_ok());
        for forbidden in [
            "wasi:http/outgoing-handler@0.2.12",
            "wasi:sockets/tcp@0.2.12",
            "wasi:filesystem/types@0.2.12",
            "wasi:cli/environment@0.2.12",
            "quartet:inference/graph",
            "env",
        ] {
            assert!(tts(&[forbidden], &[EXPORT]).unwrap_err().contains(forbidden));
        }
    }

    #[test]
    fn the_handler_must_be_there() {
        assert!(
            tts(&[], &["wasi:cli/run@0.2.0"])
                .unwrap_err()
                .contains("incoming-handler")
        );
    }
}
