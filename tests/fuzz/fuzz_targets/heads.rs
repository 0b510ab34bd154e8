//! Fuzz target: any head of a request says who asks, from which page, under which name and for what, or says nothing: no head
//! lets in who has no key or another site's page, and a list means the same on one line as on several.
//!
//! The first line is the path with its query; the others are the fields.

#![no_main]

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, LazyLock};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::header::{self, HeaderName};
use http::uri::{Authority, Scheme};
use http::{HeaderMap, HeaderValue, Method, Uri};
use libfuzzer_sys::fuzz_target;
use quartet_api::jobs::{JobPart, JobPath, MAX_WAIT_SECONDS, PATH};
use quartet_api::operations::CHAT;
use quartet_api::session::{CLIENT_HEADER, SESSION_HEADER};
use quartet_component_sdk::{Request, Response, Session};
use quartet_fuzz::auth::keys::{API_KEY_HEADER, Keys, parse};
use quartet_fuzz::auth::person::Person;
use quartet_fuzz::auth::{Client, Clients, client_header};
use quartet_fuzz::capabilities::Capabilities;
use quartet_fuzz::context::SpanContext;
use quartet_fuzz::door::Door;
use quartet_fuzz::http::{fields, request_id, waiting};
use quartet_fuzz::input::{self, MAX_SENTENCE_BYTES};
use quartet_fuzz::policy::cors::{Answer, Origins};
use quartet_fuzz::policy::sites::{Hosts, check_origin};

/// A key that is good.
const KEY: &str = "quartet_of-the-fuzzer";
/// The digest of [`KEY`].
const DIGEST: &str = "0f3f330ce8392f334152261ab0baf08f2ea503f599abae5566b482864082ee35";
const LISTED: &str = "ai.example.org";
const FRIEND: &str = "https://friend.example";

/// An address that is this machine's, for which a client could say least of itself.
const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

static CLIENTS: LazyLock<Clients> = LazyLock::new(|| {
    let keys = Keys::default();
    let file = format!("[[key]]\nname = \"fuzzer\"\nsha256 = \"{DIGEST}\"\n");
    keys.replace(parse(&file, &Capabilities).expect("a file of keys"));
    Clients {
        keys: Some(Arc::new(keys)),
        ..Clients::default()
    }
});

/// Lists that are read, each by what it decides.
const LISTS: [(HeaderName, fn(&HeaderMap) -> bool); 3] = [
    (header::ACCEPT_ENCODING, fields::take_gzip),
    (header::IF_NONE_MATCH, |headers| fields::have_tag(headers, "\"a-tag\"")),
    (HeaderName::from_static("prefer"), fields::ask_for_job),
];

/// Who asks: a key is known by its whole and in every form, and else there is none.
fn identity(headers: &HeaderMap) {
    let holds = |part: &[u8]| part.windows(KEY.len()).any(|window| window == KEY.as_bytes());
    let caller = CLIENTS.identify(headers, LOCAL, &Scheme::HTTP);
    if caller.refused.is_none() {
        let plain = [header::AUTHORIZATION.as_str(), API_KEY_HEADER];
        let plain = plain
            .iter()
            .any(|name| headers.get(*name).is_some_and(|value| holds(value.as_bytes())));
        let basic = headers.get(header::AUTHORIZATION).is_some_and(|value| {
            let credentials = value.as_bytes().rsplit(|byte| *byte == b' ').next().unwrap_or_default();
            BASE64_STANDARD
                .decode(credentials.trim_ascii())
                .is_ok_and(|decoded| holds(&decoded))
        });
        assert!(plain || basic, "nobody sent the key");
    }
    let mut with_key = headers.clone();
    let user = headers
        .get(header::USER_AGENT)
        .map_or(&b""[..], |agent| agent.as_bytes());
    let user: Vec<u8> = user.iter().copied().filter(|byte| *byte != b':').take(200).collect();
    let basic = BASE64_STANDARD.encode([&user[..], b":", KEY.as_bytes()].concat());
    for authorization in [format!("Bearer {KEY}"), format!("bAsIc  {basic}")] {
        with_key.insert(
            header::AUTHORIZATION,
            HeaderValue::try_from(authorization).expect("a value"),
        );
        let known = CLIENTS.identify(&with_key, LOCAL, &Scheme::HTTP);
        assert!(known.refused.is_none(), "the key is not known beside other fields");
        let mut forwarded = with_key.clone();
        client_header::forward(&mut forwarded, &known, true);
        let told = forwarded.get(CLIENT_HEADER).map(HeaderValue::as_bytes);
        assert!(
            told.is_some_and(|told| told.starts_with(b"key/")),
            "a client says who it is"
        );
    }
    let mut forwarded = headers.clone();
    let stranger = Clients::default().identify(headers, IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), &Scheme::HTTP);
    client_header::forward(&mut forwarded, &stranger, true);
    assert!(!forwarded.contains_key(CLIENT_HEADER), "a stranger says who it is");
    let drawn = Person::new(Client::from(LOCAL), headers).draw("salt");
    assert!((0.0..=1.0).contains(&drawn), "{drawn}");
}

/// The page that asks, and the name under which it does.
fn sites(uri: &Uri, headers: &HeaderMap) {
    let hosts = Hosts::Listed(vec![LISTED.to_owned()]);
    // The parser of addresses says which host a browser would have meant.
    if hosts.check(uri, headers).is_ok()
        && let Ok(authority) = host(uri, headers).parse::<Authority>()
    {
        let name = authority.host().trim_end_matches('.').to_ascii_lowercase();
        let private = !name.contains('.') || name.ends_with(".internal") || name.ends_with(".localhost");
        let address = name.parse::<Ipv4Addr>().is_ok() || name.starts_with('[');
        assert!(private || address || name == LISTED, "{name} is taken for this service");
    }
    let origin = headers.get(header::ORIGIN);
    let listed = Origins::Listed(vec![HeaderValue::from_static(FRIEND)]);
    let refused = |origins: &Origins| check_origin(&Method::POST, uri, headers, origins).is_err();
    assert!(!refused(&Origins::All), "an origin is refused where all are taken");
    assert!(
        refused(&Origins::None) || !refused(&listed),
        "a list refuses what is taken without one"
    );
    match origin {
        None => {
            let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
            assert_eq!(
                refused(&Origins::None),
                site == Some(&b"cross-site"[..]),
                "another site's page"
            );
        }
        Some(origin) if !refused(&Origins::None) => {
            let origin = origin.to_str().expect("it is text").to_ascii_lowercase();
            let own = host(uri, headers).to_ascii_lowercase();
            assert!(origin.ends_with(&format!("://{own}")), "{origin} is not {own}");
        }
        Some(_) => {}
    }
    if let Answer::Allowed(allowed) = listed.answer(headers) {
        assert_eq!((allowed.as_bytes(), origin), (FRIEND.as_bytes(), Some(&allowed)));
    }
}

fn host<'a>(uri: &'a Uri, headers: &'a HeaderMap) -> &'a str {
    match uri.authority() {
        Some(authority) => authority.as_str(),
        None => headers
            .get(header::HOST)
            .and_then(|host| host.to_str().ok())
            .unwrap_or_default(),
    }
}

/// A list on several lines means what it does on one.
fn lists(headers: &HeaderMap) {
    for (name, read) in &LISTS {
        let lines: Vec<_> = headers
            .get_all(name)
            .iter()
            .filter_map(|line| line.to_str().ok())
            .collect();
        if lines.is_empty() {
            continue;
        }
        let joined = lines.join(", ");
        let one = HeaderMap::from_iter([(name.clone(), HeaderValue::try_from(joined.as_str()).expect("a value"))]);
        let elements = joined.split(',');
        let many: HeaderMap = elements
            .map(|element| (name.clone(), HeaderValue::from_str(element.trim()).expect("a value")))
            .collect();
        assert_eq!(read(headers), read(&one), "{name}: lines decide");
        assert_eq!(read(headers), read(&many), "{name}: lines decide");
    }
}

/// The names that a request has: its own, its trace's, its session's.
fn names(headers: &HeaderMap) {
    let id = request_id::of(headers);
    assert!(
        (1..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic()),
        "{id:?}"
    );
    if let Some(context) = SpanContext::continued(headers) {
        let mut handed = headers.clone();
        context.propagate(&mut handed);
        let next = SpanContext::continued(&handed).expect("what is handed on is a trace");
        assert_eq!(
            (next.trace_id(), next.sampled),
            (context.trace_id(), context.sampled),
            "another trace"
        );
        assert!(next.parent == Some(context.guest), "another parent");
    }
    for secure in [false, true] {
        let request = |headers: &HeaderMap| Request {
            method: "POST".to_owned(),
            path: CHAT.path.to_owned(),
            secure,
            headers: headers
                .iter()
                .map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec()))
                .collect(),
            body: Box::new(io::empty()),
        };
        let sent = request(headers);
        let _ = sent.media_type();
        let _ = CHAT.answer.streams(sent.header("accept"));
        let Ok(mut session) = Session::of(&sent) else {
            assert!(
                headers.contains_key(SESSION_HEADER),
                "a session is wrong that nobody named"
            );
            continue;
        };
        let Some(cookie) = given(&mut session) else { continue };
        // Who brings the cookie that it was given has a session, whatever else it brings.
        let mut back = headers.clone();
        let others = headers.get(header::COOKIE).map(HeaderValue::as_bytes);
        let others = others
            .filter(|others| std::str::from_utf8(others).is_ok())
            .unwrap_or_default();
        let all = [others, b"; ", cookie.as_bytes()].concat();
        back.insert(header::COOKIE, HeaderValue::from_bytes(&all).expect("a value"));
        let mut session = Session::of(&request(&back)).expect("a session");
        assert_eq!(given(&mut session), None, "a cookie is given twice");
    }
}

/// The cookie that a session begins with, as a client sends it back.
fn given(session: &mut Session) -> Option<String> {
    session.begin([7; 16]);
    let mut response = Response::success(&());
    session.announce(&mut response);
    let (_, set) = response.headers.into_iter().find(|(name, _)| *name == "set-cookie")?;
    set.split(';').next().map(str::to_owned)
}

/// The path and the query.
fn path(uri: &Uri) {
    let (path, query) = (uri.path(), uri.query());
    if let Some(door) = Door::at(path) {
        let id = door.id(path).unwrap_or_default();
        assert_eq!(
            path,
            format!("/{}", door.name().replace("{id}", id)),
            "a door is at another path"
        );
    }
    if let Some(job) = JobPath::at(path) {
        let end = match job.part {
            JobPart::Job => "",
            JobPart::Result => "/result",
            JobPart::Events => "/events",
        };
        assert_eq!(path, format!("{PATH}/{}{end}", job.id), "a job is at another path");
    }
    for wait in [waiting::whole_seconds(query), waiting::seconds(query)] {
        match wait {
            Ok(wait) => assert!(
                wait.as_secs_f64() <= MAX_WAIT_SECONDS as f64,
                "a question waits for long"
            ),
            Err(failure) => assert!(
                failure.message.len() <= MAX_SENTENCE_BYTES,
                "a client is told at length"
            ),
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let Ok(uri) = Uri::try_from(&bytes[..end]) else { return };
    let (headers, _) = input::head(bytes.get(end + 1..).unwrap_or_default());
    path(&uri);
    identity(&headers);
    sites(&uri, &headers);
    lists(&headers);
    names(&headers);
});
