//! The imports that a component may have, by the grants of its capability. Checked when it is loaded; anything else is
//! refused.

use wasmparser::{Encoding, Parser, Payload};

use crate::capabilities::Capability;
use crate::capabilities::grant::Grant;
use crate::host_functions::{edge, inference, llm};

/// The imports of Rust's standard library and the HTTP edge: nothing that reaches files, the network or the date.
/// Standard streams go to the log, within bounds; there is no terminal, and the environment is empty. The gate is what
/// does the host's work where there is another host.
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

/// The interface that computes graphs.
const INFERENCE: &str = "quartet:inference/graphs";

/// The interface that asks a language model.
const LANGUAGE: &str = "quartet:language-model/chat";

/// The import that each grant allows. [`INFERENCE`] goes with the graphs that it may have computed.
const GRANTED: &[(&str, Grant)] = &[
    (LANGUAGE, Grant::LanguageModel),
    ("wasi:clocks/wall-clock", Grant::Clock),
    ("wasi:http/outgoing-handler", Grant::Search),
    ("wasi:keyvalue/store", Grant::Keep),
    ("wasi:random/insecure", Grant::InsecureRandom),
    ("wasi:random/random", Grant::Random),
];

/// The interface that a component must export.
const HANDLER: &str = "wasi:http/incoming-handler";

fn allowed(capability: &Capability, name: &str) -> bool {
    let granted = || {
        GRANTED
            .iter()
            .any(|(import, grant)| *import == name && capability.may(*grant))
    };
    COMMON.contains(&name) || (name == INFERENCE && !capability.graphs.is_empty()) || granted()
}

/// Returns true if an import is the one by which graphs are computed.
pub fn is_inference(import: &str) -> bool {
    bare(import) == INFERENCE
}

/// Returns true if an import is the one by which a language model is asked.
pub fn is_language(import: &str) -> bool {
    bare(import) == LANGUAGE
}

/// A name without its version.
fn bare(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}

/// The interface of this host that an import names in a version that is not compatible with it.
fn of_another_release(import: &str) -> Option<&'static str> {
    let here = [
        edge::INTERFACE,
        inference::VERSIONED_INTERFACE,
        llm::VERSIONED_INTERFACE,
    ];
    let here = here.into_iter().find(|interface| bare(interface) == bare(import))?;
    (compatible(here) != compatible(import)).then_some(here)
}

/// A name with the part of its version that compatible ones have in common: `1` of 1.2.3, `0.4` of 0.4.2.
fn compatible(name: &str) -> (&str, Vec<&str>) {
    let (name, version) = name.split_once('@').unwrap_or((name, ""));
    let mut parts = version.split('.').peekable();
    let count = if parts.peek() == Some(&"0") { 2 } else { 1 };
    (name, parts.take(count).collect())
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
    capability: &Capability,
    imports: impl Iterator<Item = &'a str>,
    mut exports: impl Iterator<Item = &'a str>,
) -> Result<(), String> {
    for import in imports {
        if !allowed(capability, bare(import)) {
            return Err(format!("it imports {import}, which {} may not have", capability.name()));
        }
        if let Some(here) = of_another_release(import) {
            return Err(format!(
                "it imports {import}, and this host has {here}: it was built for another release; take the component of this one"
            ));
        }
    }
    if !exports.any(|name| bare(name) == HANDLER) {
        return Err(format!("it does not export {HANDLER}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capabilities::Capabilities;
    use crate::capabilities::file::{self, Origin};

    const EXPORT: &str = "wasi:http/incoming-handler@0.2.12";

    fn check_as(capability: &Capability, imports: &[&str], exports: &[&str]) -> Result<(), String> {
        check(capability, imports.iter().copied(), exports.iter().copied())
    }

    fn tts(imports: &[&str], exports: &[&str]) -> Result<(), String> {
        let all = Capabilities::embedded().unwrap();
        check_as(all.get("tts").unwrap(), imports, exports)
    }

    #[test]
    fn an_interface_of_another_release_is_named_with_the_one_that_is_here() {
        let all = Capabilities::embedded().unwrap();
        let pdf = |import: &str| check_as(all.get("pdf").unwrap(), &[import], &[EXPORT]);
        assert_eq!(pdf(llm::VERSIONED_INTERFACE), Ok(()));
        assert_eq!(pdf("quartet:edge/gate@0.1.7"), Ok(()));
        for import in ["quartet:language-model/chat@0.1.0", "quartet:inference/graphs@9.0.0"] {
            let refusal = pdf(import).unwrap_err();
            assert!(
                refusal.contains(import) && refusal.contains("this host has quartet:"),
                "{refusal}"
            );
        }
        assert_eq!(compatible("a@1.2.3"), compatible("a@1.9.0"));
        assert_ne!(compatible("a@0.4.0"), compatible("a@0.5.0"));
    }

    #[test]
    fn the_components_of_the_program_have_what_they_need_and_no_more() {
        let all = Capabilities::embedded().unwrap();
        let granted = |name: &str| -> Vec<&str> {
            let of = GRANTED.iter().map(|(import, _)| *import).chain([INFERENCE]);
            of.filter(|import| allowed(all.get(name).unwrap(), import)).collect()
        };
        let pictures = [
            LANGUAGE,
            "wasi:clocks/wall-clock",
            "wasi:keyvalue/store",
            "wasi:random/random",
            INFERENCE,
        ];
        assert_eq!(granted("tts"), [INFERENCE]);
        assert_eq!(granted("image"), pictures);
        assert_eq!(granted("pdf"), pictures);
        let conversations = [
            LANGUAGE,
            "wasi:clocks/wall-clock",
            "wasi:http/outgoing-handler",
            "wasi:keyvalue/store",
            "wasi:random/random",
        ];
        assert_eq!(granted("chat"), conversations);
    }

    #[test]
    fn a_strangers_file_grants_what_an_operator_may_add_and_nothing_else() {
        let stranger = |text: &str| {
            file::one("stranger", text, Origin::Operator, &|_| Err("none".to_owned())).map(Capability::from)
        };
        let bare = stranger("").unwrap();
        let full = stranger(
            "graphs = [\"ocr-detection\"]\nmay = [\"clock\", \"insecure-random\", \"keep\", \"language-model\", \"random\", \"search\"]",
        )
        .unwrap();
        for import in ["wasi:clocks/wall-clock", "wasi:random/insecure", "wasi:random/random"] {
            assert!(check_as(&bare, &[import], &[EXPORT]).is_ok(), "{import}");
        }
        for import in [
            inference::VERSIONED_INTERFACE,
            llm::VERSIONED_INTERFACE,
            "wasi:http/outgoing-handler",
            "wasi:keyvalue/store",
        ] {
            assert!(check_as(&bare, &[import], &[EXPORT]).unwrap_err().contains(import));
            assert!(check_as(&full, &[import], &[EXPORT]).is_ok(), "{import}");
        }
        for import in [
            "wasi:filesystem/types@0.2.12",
            "wasi:filesystem/preopens@0.2.12",
            "wasi:sockets/tcp@0.2.12",
            "wasi:sockets/udp@0.2.12",
            "env",
        ] {
            assert!(check_as(&full, &[import], &[EXPORT]).unwrap_err().contains(import));
        }
        for (text, reason) in [
            ("may = [\"files\"]", "line 1: unknown variant `files`"),
            ("imports = [\"wasi:sockets/tcp\"]", "unknown field `imports`"),
            ("environment = [\"search\"]", "`may` does not"),
            ("environment = [\"phrasing\"]", "the service's own"),
            ("graphs = [\"../ocr-detection\"]", "`graphs`"),
        ] {
            let refused = stranger(text).unwrap_err();
            assert!(refused.contains(reason), "{refused}");
        }
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
