//! Shared parts of `quartet call` and `quartet bench-load`: the service, the operation, and the request that
//! is made of flags.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use bytes::Bytes;
use clap::{Arg, ArgMatches, Command};
use http::{Method, Request, Uri, header};
use http_body_util::Full;
use quartet_api::operations::{self, Operation};
use quartet_api::{BASE_PATH, FailureBody};

use super::body;
use crate::config::Invalid;
use crate::http_client;
use crate::own_pages;

/// Default address of the service: `serve`'s default.
const DEFAULT_URL: &str = "http://127.0.0.1:8080";

/// Adds the flags of a request.
pub fn flags(command: Command) -> Command {
    let operations = operations::OPERATIONS.iter().map(Operation::name);
    let names: Vec<_> = operations
        .chain(own_pages::NAMES.iter().copied())
        .filter(|name| *name != own_pages::PAGE)
        .collect();
    let flag =
        |name: &'static str, value: &'static str, help: String| Arg::new(name).long(name).value_name(value).help(help);
    let command = command
        .arg(
            Arg::new("operation")
                .required(true)
                .value_name("OPERATION")
                .value_parser(names)
                .help("What to ask for"),
        )
        .arg(flag(
            "url",
            "URL",
            format!("The service [env: QUARTET_URL, or QUARTET_LISTEN] [default: {DEFAULT_URL}]"),
        ))
        .arg(flag(
            "key",
            "KEY",
            "An API key; on the command line other users of the machine see it [env: QUARTET_KEY]".to_owned(),
        ));
    body::flags(command)
}

/// A request, ready to be sent any number of times.
#[derive(Debug, Clone)]
pub struct Question {
    method: Method,
    /// The whole address.
    pub uri: Uri,
    key: Option<String>,
    body: Option<Bytes>,
    /// The media type of the body.
    media_type: Option<String>,
}

impl Question {
    /// Reads the flags.
    pub fn new(matches: &ArgMatches) -> Result<Self, Invalid> {
        let flag = |name: &str| matches.try_get_one::<String>(name).ok().flatten().cloned();
        let or_environment = |name: &str, variable: &str| flag(name).or_else(|| std::env::var(variable).ok());
        let name = flag("operation").unwrap_or_default();
        let operation = operations::OPERATIONS.iter().find(|operation| operation.name() == name);
        let path = match operation {
            Some(_) => format!("{BASE_PATH}/{name}"),
            None => format!("/{name}"),
        };
        let listens = || {
            std::env::var("QUARTET_LISTEN")
                .ok()
                .as_deref()
                .and_then(address_of_listener)
        };
        let url = or_environment("url", "QUARTET_URL").or_else(listens);
        let url = url.unwrap_or_else(|| DEFAULT_URL.to_owned());
        let uri = address(&url, &path)?;
        let (body, media_type) = body::of(operation, &name, matches)?.unzip();
        Ok(Self {
            method: if body.is_some() { Method::POST } else { Method::GET },
            uri,
            key: or_environment("key", "QUARTET_KEY"),
            body,
            media_type,
        })
    }

    /// The request.
    pub fn request(&self) -> Result<Request<Full<Bytes>>, Invalid> {
        let mut request = Request::builder()
            .method(self.method.clone())
            .uri(self.uri.clone())
            .header(header::USER_AGENT, http_client::USER_AGENT);
        if let Some(key) = &self.key {
            request = request.header(header::AUTHORIZATION, format!("Bearer {key}"));
        }
        if let Some(media_type) = &self.media_type {
            request = request.header(header::CONTENT_TYPE, media_type);
        }
        request
            .body(Full::new(self.body.clone().unwrap_or_default()))
            .map_err(|error| Invalid(format!("this cannot be asked: {error}")))
    }
}

/// A failure as one line for a person: its sentence, its code and the request's name in the service's log.
pub fn failure(status: http::StatusCode, body: &[u8]) -> String {
    match serde_json::from_slice::<FailureBody>(body) {
        Ok(failure) => {
            let id = failure
                .request_id
                .map(|id| format!(", request {id}"))
                .unwrap_or_default();
            format!("{} ({}{id})", failure.error, failure.code)
        }
        // Something between here and the service answered.
        Err(_) => format!("the answer is {status}, in a form that is not the service's"),
    }
}

/// The address of a service on this machine that listens so; none for a free port, which only the service knows.
fn address_of_listener(listen: &str) -> Option<String> {
    let mut address: SocketAddr = listen.parse().ok()?;
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    (address.port() != 0).then(|| format!("http://{address}"))
}

fn address(url: &str, path: &str) -> Result<Uri, Invalid> {
    let wrong = || {
        Invalid(format!(
            "`url` is {url:?}; it takes an address such as {DEFAULT_URL}, with nothing behind the path"
        ))
    };
    let uri: Uri = format!("{}{path}", url.trim_end_matches('/'))
        .parse()
        .map_err(|_| wrong())?;
    let usable = matches!(uri.scheme_str(), Some("http" | "https")) && uri.query().is_none();
    usable.then_some(uri).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(arguments: &[&str]) -> Result<Question, Invalid> {
        let line = ["call"].iter().chain(arguments);
        let output = Arg::new("output").short('o');
        Question::new(
            &flags(Command::new("call").arg(output))
                .try_get_matches_from(line)
                .unwrap(),
        )
    }

    #[test]
    fn flags_become_a_request() {
        let asked = question(&[
            "tts/stream",
            "--text",
            "Hi",
            "--voice",
            "Kore",
            "--url",
            "http://h:1/p/",
        ])
        .unwrap();
        assert_eq!(asked.uri, "http://h:1/p/api/v1/tts/stream");
        assert_eq!(
            asked.body.as_deref(),
            Some(br#"{"text":"Hi","voice":"Kore"}"#.as_slice())
        );
        assert_eq!(asked.request().unwrap().method(), Method::POST);
        let asked = question(&["readyz", "--url", "https://h", "--key", "k"]).unwrap();
        assert_eq!(asked.uri, "https://h/readyz");
        assert_eq!(asked.request().unwrap().headers()["authorization"], "Bearer k");
    }

    #[test]
    fn the_format_is_the_one_that_is_named_or_that_of_the_file() {
        for (arguments, body) in [
            (&["--format", "flac"][..], r#"{"text":"Hi","format":"flac"}"#),
            (&["-o", "hi.MP3"], r#"{"text":"Hi","format":"mp3"}"#),
            (
                &["-o", "hi.mp3", "--format", "opus"],
                r#"{"text":"Hi","format":"opus"}"#,
            ),
            (&["-o", "hi.wav"], r#"{"text":"Hi"}"#),
            (&["-o", "hi"], r#"{"text":"Hi"}"#),
            (&["-o", "-"], r#"{"text":"Hi"}"#),
        ] {
            let arguments = [&["tts/stream", "--text", "Hi"], arguments].concat();
            let asked = question(&arguments).unwrap();
            assert_eq!(asked.body.as_deref(), Some(body.as_bytes()), "{arguments:?}");
        }
        // A command without a file.
        let line = ["bench-load", "tts/stream", "--text", "Hi"];
        let matches = flags(Command::new("bench-load")).try_get_matches_from(line).unwrap();
        assert_eq!(
            Question::new(&matches).unwrap().body.as_deref(),
            Some(br#"{"text":"Hi"}"#.as_slice())
        );
    }

    #[test]
    fn wrong_uses_are_named() {
        for (arguments, part) in [
            (&["tts/stream"][..], "needs a body"),
            (&["tts/stream", "--voice", "Kore"], "--text"),
            (&["tts/stream", "--format", "mp3"], "--text"),
            (&["tts/voices", "--text", "Hi"], "takes no body"),
            (&["tts/voices", "--url", "localhost:8080"], "`url`"),
            (&["tts/voices", "--url", "http://h?a=b"], "`url`"),
            (&["tts/voices", "--key", "a\nb"], "cannot be asked"),
        ] {
            let refused = question(arguments).and_then(|question| question.request().map(drop));
            let Invalid(message) = refused.unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn a_listener_is_asked_on_this_machine() {
        for (listen, address) in [
            ("0.0.0.0:8081", Some("http://127.0.0.1:8081")),
            ("[::]:80", Some("http://[::1]:80")),
            ("192.0.2.7:9000", Some("http://192.0.2.7:9000")),
            ("127.0.0.1:0", None),
            ("localhost", None),
        ] {
            assert_eq!(address_of_listener(listen).as_deref(), address, "{listen}");
        }
    }

    #[test]
    fn failures_are_told_in_one_line() {
        let body = br#"{"success":false,"error":"no","code":"busy","requestId":"r1"}"#;
        assert_eq!(
            failure(http::StatusCode::TOO_MANY_REQUESTS, body),
            "no (busy, request r1)"
        );
        assert!(failure(http::StatusCode::BAD_GATEWAY, b"<html>").contains("502"));
    }
}
