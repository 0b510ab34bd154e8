//! Revisions of the Model Context Protocol, and the checks that each asks for.
//!
//! From 2026-07-28 on there is no handshake and no session: each request carries the revision and the client's
//! capabilities, and headers repeat what proxies may go by. Before, a client began with `initialize`. Sessions were the
//! server's choice even then, so none is ever made here.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use super::message::{Problem, Request, Revision};

/// The revision without a handshake.
const STATELESS: &str = "2026-07-28";

/// The revisions with a handshake whose transport is this one, newest first.
const WITH_HANDSHAKE: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/// Every revision, newest first.
pub const ALL: [&str; 4] = [STATELESS, WITH_HANDSHAKE[0], WITH_HANDSHAKE[1], WITH_HANDSHAKE[2]];

/// The header with the revision.
const VERSION_HEADER: &str = "mcp-protocol-version";

/// The header with the method.
const METHOD_HEADER: &str = "mcp-method";

/// The header with the name of what is called or read.
const NAME_HEADER: &str = "mcp-name";

/// The field of `_meta` with the revision.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// The field of `_meta` with the client's capabilities.
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

/// The revision that a request is in. `header` returns the request's headers.
///
/// # Errors
/// When it is none that is spoken here, or headers and body contradict each other.
pub fn of<'h>(request: &Request, header: impl Fn(&str) -> Option<&'h str>) -> Result<Revision, Problem> {
    let meta = request.params.get("_meta").and_then(Value::as_object);
    let named = meta.and_then(|meta| meta.get(VERSION_KEY));
    let told = header(VERSION_HEADER);
    if named.is_none() {
        // An `initialize` says in its parameters which revision it wants.
        if request.method == "initialize" || told.is_none_or(|told| WITH_HANDSHAKE.contains(&told)) {
            return Ok(Revision::Handshake);
        }
        let told = told.unwrap_or_default();
        return Err(match told {
            STATELESS => Problem::invalid_params(format!("field `params._meta.{VERSION_KEY}` is missing")),
            _ => Problem::unsupported_revision(told, &ALL),
        });
    }
    let Some(Value::String(named)) = named else {
        return Err(Problem::invalid_params(format!(
            "field `params._meta.{VERSION_KEY}` takes a string"
        )));
    };
    if !meta.is_some_and(|meta| meta.get(CAPABILITIES_KEY).is_some_and(Value::is_object)) {
        return Err(Problem::invalid_params(format!(
            "field `params._meta.{CAPABILITIES_KEY}` is missing; it takes an object"
        )));
    }
    same("MCP-Protocol-Version", told, named)?;
    same("Mcp-Method", header(METHOD_HEADER), &request.method)?;
    if let Some(name) = named_thing(request) {
        let told = header(NAME_HEADER).and_then(decoded);
        same("Mcp-Name", told.as_deref(), name)?;
    }
    match named.as_str() {
        STATELESS => Ok(Revision::Stateless),
        named => Err(Problem::unsupported_revision(named, &ALL)),
    }
}

/// The revision to go on with after a handshake in which a client asks for one.
pub fn agreed(asked: Option<&str>) -> &'static str {
    let found = WITH_HANDSHAKE.into_iter().find(|known| Some(*known) == asked);
    found.unwrap_or(WITH_HANDSHAKE[0])
}

/// The name that a request's header has to repeat, for the methods that have one.
fn named_thing(request: &Request) -> Option<&str> {
    let field = match request.method.as_str() {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return None,
    };
    request.params.get(field)?.as_str()
}

fn same(name: &str, told: Option<&str>, value: &str) -> Result<(), Problem> {
    match told {
        Some(told) if told == value => Ok(()),
        Some(_) => Err(Problem::header_mismatch(format!(
            "the header {name} does not say what the body says"
        ))),
        None => Err(Problem::header_mismatch(format!("the header {name} is missing"))),
    }
}

/// The value of a header that may be in Base64, as values that are not ASCII are.
fn decoded(value: &str) -> Option<String> {
    let inner = value
        .strip_prefix("=?base64?")
        .and_then(|value| value.strip_suffix("?="));
    match inner {
        None => Some(value.to_owned()),
        Some(inner) => String::from_utf8(BASE64_STANDARD.decode(inner).ok()?).ok(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::message::{self, Message};
    use super::*;

    fn revision(body: &Value, headers: &[(&str, &'static str)]) -> Result<Revision, Value> {
        let Ok(Message::Request(request)) = message::read(body.to_string().as_bytes()) else {
            panic!("no request")
        };
        let found = of(&request, |name| {
            headers
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| *value)
        });
        found.map_err(|problem| {
            let response = problem.respond(&request.id, Revision::Stateless);
            assert!(response.status().is_client_error());
            json!(format!("{problem:?}"))
        })
    }

    fn stateless(version: &str) -> Value {
        let meta = json!({ VERSION_KEY: version, CAPABILITIES_KEY: {} });
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "speak", "_meta": meta}})
    }

    const HEADERS: [(&str, &str); 3] = [
        (VERSION_HEADER, STATELESS),
        (METHOD_HEADER, "tools/call"),
        (NAME_HEADER, "speak"),
    ];

    #[test]
    fn a_request_says_its_revision() {
        assert_eq!(revision(&stateless(STATELESS), &HEADERS), Ok(Revision::Stateless));
        let encoded = [HEADERS[0], HEADERS[1], (NAME_HEADER, "=?base64?c3BlYWs=?=")];
        assert_eq!(revision(&stateless(STATELESS), &encoded), Ok(Revision::Stateless));
        let old = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
        for headers in [
            &[][..],
            &[(VERSION_HEADER, "2025-03-26")],
            &[(VERSION_HEADER, "2025-11-25")],
        ] {
            assert_eq!(revision(&old, headers), Ok(Revision::Handshake));
        }
        let first =
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}});
        assert_eq!(revision(&first, &[]), Ok(Revision::Handshake));
        assert_eq!(agreed(Some("2025-06-18")), "2025-06-18");
        assert_eq!(agreed(Some("2024-11-05")), "2025-11-25");
    }

    #[test]
    fn contradictions_and_other_revisions_are_refused() {
        let has = |found: Result<Revision, Value>, part: &str| {
            let problem = found.unwrap_err();
            assert!(problem.as_str().unwrap().contains(part), "{problem}");
        };
        let old = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
        has(revision(&old, &[(VERSION_HEADER, "1999-01-01")]), "-32022");
        has(revision(&old, &[(VERSION_HEADER, STATELESS)]), "-32602");
        let later = [(VERSION_HEADER, "2027-01-01"), HEADERS[1], HEADERS[2]];
        has(revision(&stateless("2027-01-01"), &later), "-32022");
        for missing in 0..HEADERS.len() {
            let mut headers = HEADERS.to_vec();
            headers.remove(missing);
            has(revision(&stateless(STATELESS), &headers), "-32020");
        }
        let other = [HEADERS[0], HEADERS[1], (NAME_HEADER, "search")];
        has(revision(&stateless(STATELESS), &other), "-32020");
        let mut bare = stateless(STATELESS);
        bare["params"]["_meta"] = json!({ VERSION_KEY: STATELESS });
        has(revision(&bare, &HEADERS), "-32602");
    }
}
