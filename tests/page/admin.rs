//! The page at the admin interface, where that listens on loopback.

use std::io::{Read, Write};
use std::net::TcpStream;

use quartet_tests::Service;

/// The whole answer of the admin interface.
fn ask(address: &str, path: &str, token: Option<&str>) -> String {
    let mut stream = TcpStream::connect(address).expect("the admin interface listens");
    let token = token
        .map(|token| format!("authorization: Bearer {token}\r\n"))
        .unwrap_or_default();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n{token}connection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it takes a request");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn the_admin_interface_shows_versions_and_tells_metrics_for_the_token() {
    let folder = tempfile::tempdir().expect("a folder");
    let token_file = folder.path().join("token");
    let flags = |page| {
        [
            "--admin-listen",
            "127.0.0.1:0",
            "--admin-token-file",
            token_file.to_str().expect("a path"),
            "--page",
            page,
        ]
        .map(str::to_owned)
    };
    let start = |page| {
        let flags = flags(page);
        let service = Service::start(&flags.each_ref().map(String::as_str));
        let line = service.wait_for_log(&["the admin interface listens"]);
        let line: serde_json::Value = serde_json::from_str(&line).expect("a line of JSON");
        let address = line["admin"].as_str().expect("its address").to_owned();
        (service, address)
    };
    let (_service, address) = start("on");
    let token = std::fs::read_to_string(&token_file).expect("the token");
    let page = ask(&address, "/", None);
    assert!(
        page.starts_with("HTTP/1.1 200") && page.contains("frame-ancestors 'none'"),
        "{page}"
    );
    assert_eq!(page.contains("place=\"admin\""), quartet_page::WHOLE);
    for path in ["/metrics", "/admin/v1/components"] {
        assert!(ask(&address, path, None).starts_with("HTTP/1.1 401"), "{path}");
        assert!(
            ask(&address, path, Some(token.trim())).starts_with("HTTP/1.1 200"),
            "{path}"
        );
    }
    let ready = ask(&address, "/readyz", None);
    assert!(ready.contains(r#""status":"ready""#), "{ready}");
    let metrics = ask(&address, "/metrics", Some(token.trim()));
    assert!(metrics.contains("quartet_build_info"), "{metrics}");
    drop(_service);
    let (_service, address) = start("off");
    assert!(ask(&address, "/", Some(token.trim())).starts_with("HTTP/1.1 404"));
}
