//! The files over HTTP: headers, caches, sizes, and who gets them.

use std::collections::BTreeSet;

use quartet_api::Code;
use quartet_tests::{Client, Reply, Service};

use crate::whole;

/// The most that a visit may load before a PDF is opened, in bytes as they are sent.
const BUDGET: usize = 150_000;

/// Paths that a visit loads: the page, what it names, and what those modules import.
fn visit(client: &Client) -> Vec<(String, Reply)> {
    let mut loaded: Vec<(String, Reply)> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut waiting = vec!["/".to_owned()];
    while let Some(path) = waiting.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let plain = client.get(&path);
        assert_eq!(plain.status, 200, "{path}");
        let text = String::from_utf8_lossy(&plain.body).into_owned();
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for quote in ['"', '\''] {
            for named in text.split(quote) {
                let file = match named.strip_prefix("./") {
                    // Its library is loaded with the first document.
                    Some("library/pdf.min.mjs") => continue,
                    Some(file) if path.ends_with(".js") => format!("{folder}/{file}"),
                    _ if path == "/" && named.starts_with("/page/") => named.to_owned(),
                    _ => continue,
                };
                waiting.push(file);
            }
        }
        loaded.push((path.clone(), client.get_with(&path, &[("accept-encoding", "gzip")])));
    }
    loaded
}

#[test]
fn a_visit_is_small_and_every_file_of_it_is_there() {
    if !whole("a_visit_is_small_and_every_file_of_it_is_there") {
        return;
    }
    let service = Service::start(&[]);
    let loaded = visit(&service.client());
    assert!(loaded.len() > 20, "{} files", loaded.len());
    let mut bytes: usize = loaded.iter().map(|(_, reply)| reply.body.len()).sum();
    // One language, the largest, and what plays sound.
    let others = quartet_page::FILES.iter().filter(|file| file.path.contains("/texts/"));
    bytes += others.map(|file| file.gzip.len()).max().unwrap_or_default();
    let worklet = quartet_page::FILES
        .iter()
        .find(|file| file.path.ends_with("player-worklet.js"));
    bytes += worklet.map_or(0, |file| file.gzip.len());
    assert!(bytes <= BUDGET, "{bytes} bytes");
    // What is kept for later is loaded beside it, and most of it is the same.
    let mut all = kept(&service.client());
    all.extend(loaded.iter().map(|(path, _)| path.clone()));
    all.insert(quartet_page::WORKER_PATH.to_owned());
    let files = all.iter().filter_map(|path| quartet_page::at(path));
    let bytes: usize = files.map(|file| file.gzip.len()).sum();
    assert!(bytes <= BUDGET, "{bytes} bytes with what is kept");
    for (path, reply) in &loaded {
        assert_eq!(reply.header("content-encoding"), Some("gzip"), "{path}");
    }
}

/// Paths of the files that the service worker keeps.
fn kept(client: &Client) -> BTreeSet<String> {
    let text = String::from_utf8(client.get(quartet_page::WORKER_PATH).body).expect("text");
    let part = |begin: &str, end: &str| {
        let (_, rest) = text.split_once(begin).expect("a part of the worker");
        rest.split_once(end).expect("its end").0.to_owned()
    };
    let (folder, list) = (part("FOLDER = '", "'"), part("FILES = [", "]"));
    let names = list.split(", ").map(|name| name.trim_matches('\''));
    names.map(|name| format!("{folder}{name}")).collect()
}

#[test]
fn the_worker_keeps_what_a_visit_loads_and_no_answers() {
    if !whole("the_worker_keeps_what_a_visit_loads_and_no_answers") {
        return;
    }
    let service = Service::start(&[]);
    let client = service.client();
    let reply = client.get(quartet_page::WORKER_PATH);
    // Browsers ask for it again; kept for good, no other version would ever come.
    assert_eq!(reply.header("cache-control"), Some("no-cache"));
    assert_eq!(reply.header("content-type"), Some("text/javascript; charset=utf-8"));
    let policy = reply.header("content-security-policy").expect("a policy");
    assert!(policy.contains("connect-src 'self';"), "{policy}");
    let kept = kept(&client);
    assert!(kept.iter().all(|path| path.starts_with("/page/")), "{kept:?}");
    for (path, _) in visit(&client) {
        // The page itself it keeps as the page; the manifest's pictures are for those who install it.
        assert!(path == "/" || kept.contains(&path), "{path} is not kept");
    }
    client
        .post_bytes(quartet_page::WORKER_PATH, None, b"")
        .failed(Code::MethodNotAllowed);
}

#[test]
fn files_are_kept_and_asked_for_again_cheaply() {
    let service = Service::start(&[]);
    let client = service.client();
    for file in quartet_page::FILES.iter().take(3) {
        let first = client.get(file.path);
        assert_eq!(first.body, file.bytes(), "{}", file.path);
        assert_eq!(first.header("content-type"), Some(file.media_type));
        let keep = first.header("cache-control").expect("how long it may be kept");
        assert_eq!(keep.contains("immutable"), file.path != "/", "{keep}");
        let etag = first.header("etag").expect("a tag").to_owned();
        let again = client.get_with(file.path, &[("if-none-match", &etag)]);
        assert_eq!((again.status, again.body.len()), (304, 0));
        let head = client.method("HEAD", file.path);
        assert_eq!((head.status, head.body.len()), (200, 0));
        assert_eq!(head.header("content-length"), Some(&*first.body.len().to_string()));
        client.post_bytes(file.path, None, b"").failed(Code::MethodNotAllowed);
    }
    let policy = client
        .get("/")
        .header("content-security-policy")
        .expect("a policy")
        .to_owned();
    for part in [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    ] {
        assert!(
            policy.split("; ").any(|found| found == part),
            "{part} is not in {policy}"
        );
    }
    assert!(
        !policy.contains("unsafe-inline") && !policy.contains("http"),
        "{policy}"
    );
    for path in ["/page", "/page/", "/page/app.js", "/index.html"] {
        client.get(path).failed(Code::NotFound);
    }
}

#[test]
fn the_viewer_of_operations_has_a_policy_of_its_own() {
    if !whole("the_viewer_of_operations_has_a_policy_of_its_own") {
        return;
    }
    let service = Service::start(&[]);
    let client = service.client();
    let reply = client.get("/docs");
    assert_eq!((reply.status, reply.header("cache-control")), (200, Some("no-cache")));
    let policy = reply.header("content-security-policy").expect("a policy");
    assert!(
        policy.contains("script-src 'self';") && policy.contains("connect-src 'self'"),
        "{policy}"
    );
    let text = String::from_utf8(reply.body).expect("text");
    let named: Vec<_> = text.split('"').filter(|part| part.starts_with("/page/")).collect();
    assert_eq!(named.len(), 5, "{text}");
    for path in named {
        assert_eq!(client.get(path).status, 200, "{path}");
    }
    client.post_bytes("/docs", None, b"").failed(Code::MethodNotAllowed);
}

#[test]
fn who_wants_no_page_has_none() {
    let service = Service::start(&["--page", "off"]);
    let client = service.client();
    for file in quartet_page::FILES.iter().take(3) {
        client.get(file.path).failed(Code::NotFound);
    }
    client.get("/docs").failed(Code::NotFound);
    // By the page's own 404 the worker knows that it is not wanted any more, and goes.
    client.get(quartet_page::WORKER_PATH).failed(Code::NotFound);
    assert_eq!(client.get("/tts/voices").status, 200);
}

#[test]
fn files_need_no_key_and_use_up_no_rate() {
    let folder = tempfile::tempdir().expect("a folder");
    let keys = folder.path().join("keys.toml");
    let key = format!("[[key]]\nname = \"alice\"\nsha256 = \"{}\"\n", "5".repeat(64));
    std::fs::write(&keys, key).expect("the file is written");
    let service = Service::start(&["--keys", keys.to_str().expect("a path")]);
    assert_eq!(service.client().get("/").status, 200);
    service.client().get("/tts/voices").failed(Code::Unauthorized);

    let service = Service::start(&["--requests-per-minute", "2"]);
    let client = service.client();
    for _ in 0..10 {
        let reply = client.get("/");
        assert_eq!((reply.status, reply.header("ratelimit")), (200, None));
    }
    assert_eq!(client.get("/tts/voices").status, 200);
    let asked = |host| client.get_with("/", &[("host", host)]);
    assert_eq!(asked("localhost:8080").status, 200);
    asked("rebound.example").failed(Code::Forbidden);
}
