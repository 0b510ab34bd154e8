//! What a component may import, by capability. Checked when it is loaded; anything else is refused.

use quartet_api::Capability;
use wasmparser::{Encoding, Parser, Payload};

use crate::custom_capabilities::{self, Grant};

/// What Rust's standard library and the HTTP edge bring in: nothing that reaches files, the network or the date. Standard
/// streams go to the log, within bounds; there is no terminal, and the environment is empty. The gate is what does the
/// host's work where there is another host.
const COMMON: &[&str] = &[
    "quartet:edge/gate",
    "wasi:cli/environment",
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

/// What computes graphs.
const INFERENCE: &str = "quartet:inference/graphs";

/// What a language model is asked through.
const LANGUAGE: &str = "quartet:language-model/chat";

/// What pictures and documents need beside it: models, somewhere to keep what was found, and ids that nobody can guess. An
/// engine that is composed in measures times, and with that the standard library brings the date.
const PICTURES: &[&str] = &[
    INFERENCE,
    LANGUAGE,
    "wasi:clocks/wall-clock",
    "wasi:keyvalue/store",
    "wasi:random/random",
];

/// What conversations need beside it: a language model, the web as far as the policy for outgoing requests goes, the date,
/// somewhere to keep what was said, and ids that nobody can guess.
const CONVERSATIONS: &[&str] = &[
    LANGUAGE,
    "wasi:clocks/wall-clock",
    "wasi:http/outgoing-handler",
    "wasi:keyvalue/store",
    "wasi:random/random",
];

/// What capabilities have that were added, beside what their settings grant: what the runtimes of other languages bring in, and
/// which reaches nothing.
const ADDED: &[&str] = &["wasi:clocks/wall-clock", "wasi:random/insecure", "wasi:random/random"];

/// What a component must export.
const HANDLER: &str = "wasi:http/incoming-handler";

/// Whether a capability may import something beside what all may.
fn more(capability: Capability, name: &str) -> bool {
    match capability {
        Capability::Tts => false,
        Capability::Image | Capability::Pdf => PICTURES.contains(&name),
        Capability::Chat => CONVERSATIONS.contains(&name),
        Capability::Added(added) => {
            let granted = match name {
                INFERENCE => !graphs(capability).is_empty(),
                LANGUAGE => may(added, Grant::LanguageModel),
                "wasi:http/outgoing-handler" => may(added, Grant::Search),
                "wasi:keyvalue/store" => may(added, Grant::Keep),
                _ => false,
            };
            granted || ADDED.contains(&name)
        }
    }
}

fn may(added: &str, grant: Grant) -> bool {
    custom_capabilities::of(added).is_some_and(|added| added.may.contains(&grant))
}

fn allowed(capability: Capability, name: &str) -> bool {
    COMMON.contains(&name) || more(capability, name)
}

/// Whether a capability sends requests, and so has an environment that tells it where it may search.
pub fn searches(capability: Capability) -> bool {
    match capability {
        Capability::Tts | Capability::Image | Capability::Pdf => false,
        Capability::Chat => true,
        Capability::Added(added) => may(added, Grant::Search),
    }
}

/// Whether an import is the one by which graphs are computed.
pub fn is_inference(import: &str) -> bool {
    bare(import) == INFERENCE
}

/// Whether an import is the one by which a language model is asked.
pub fn is_language(import: &str) -> bool {
    bare(import) == LANGUAGE
}

/// A name without its version.
fn bare(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}

/// The graphs that a capability may have computed, by their names in `models.toml`.
pub fn graphs(capability: Capability) -> &'static [&'static str] {
    match capability {
        Capability::Tts | Capability::Chat => &[],
        Capability::Added(name) => custom_capabilities::of(name).map_or(&[], |added| added.graphs),
        Capability::Image => &[
            "image-tags",
            "object-detection",
            "ocr-arabic",
            "ocr-cyrillic",
            "ocr-detection",
            "ocr-devanagari",
            "ocr-hangul",
            "ocr-recognition",
        ],
        Capability::Pdf => &[
            "embedding",
            "ocr-arabic",
            "ocr-cyrillic",
            "ocr-detection",
            "ocr-devanagari",
            "ocr-hangul",
            "ocr-recognition",
        ],
    }
}

/// The names that a component imports and exports.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Such as `wasi:io/streams@0.2.12`.
    pub imports: Vec<String>,
    /// Such as `wasi:http/incoming-handler@0.2.12`.
    pub exports: Vec<String>,
}

impl Shape {
    /// Reads the names off a component's bytes. The error is a reason for the operator: it is no component, or not a
    /// whole one.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let no_component = |error: wasmparser::BinaryReaderError| {
            // Some messages go on with the bytes that were found.
            let first = error.message().lines().next().unwrap_or_default();
            format!(
                "it is no component: {} (at byte {})",
                first.split(": ").next().unwrap_or(first),
                error.offset()
            )
        };
        let mut shape = Shape::default();
        // What is nested has imports and exports of its own, which are not the component's.
        let mut depth = 0;
        for payload in Parser::new(0).parse_all(bytes) {
            match payload.map_err(no_component)? {
                Payload::Version { encoding, .. } if depth == 0 && encoding != Encoding::Component => {
                    return Err("it is no component but a core module".to_owned());
                }
                Payload::Version { .. } => depth += 1,
                Payload::End(_) => depth -= 1,
                Payload::ComponentImportSection(section) if depth == 1 => {
                    for import in section {
                        shape.imports.push(import.map_err(no_component)?.name.name.to_owned());
                    }
                }
                Payload::ComponentExportSection(section) if depth == 1 => {
                    for export in section {
                        shape.exports.push(export.map_err(no_component)?.name.name.to_owned());
                    }
                }
                _ => {}
            }
        }
        Ok(shape)
    }
}

/// Checks the names of a component's imports and exports, such as `wasi:io/streams@0.2.12`.
pub fn check<'a>(
    capability: Capability,
    mut imports: impl Iterator<Item = &'a str>,
    mut exports: impl Iterator<Item = &'a str>,
) -> Result<(), String> {
    if let Some(import) = imports.find(|name| !allowed(capability, bare(name))) {
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
            "wasi:clocks/wall-clock@0.2.12",
            "quartet:inference/graph",
            "env",
        ] {
            assert!(tts(&[forbidden], &[EXPORT]).unwrap_err().contains(forbidden));
        }
    }

    #[test]
    fn what_is_no_whole_component_is_named() {
        let component = b"\0asm\x0d\0\x01\0";
        // A component section in a component section, empty.
        let nested = [component.as_slice(), &[4, 8], component].concat();
        assert_eq!(Shape::read(component), Ok(Shape::default()));
        assert_eq!(Shape::read(&nested), Ok(Shape::default()));
        for broken in [
            b"".as_slice(),
            b"noise that is long enough",
            &nested[..nested.len() - 3],
            b"\0asm\x01\0\0\0",
        ] {
            assert!(
                Shape::read(broken).unwrap_err().starts_with("it is no component"),
                "{broken:?}"
            );
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
