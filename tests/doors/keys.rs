//! Keys, rates and origins are those of every other path.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use quartet_tests::Service;
use serde_json::json;

use crate::start;

/// A service with two keys: one for all, one for speech only.
pub fn with_keys(flags: &[&str]) -> (Service, tempfile::TempDir, [String; 2]) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut text = String::new();
    let keys = [("all", ""), ("speech", "capabilities = [\"tts\"]")].map(|(name, more)| {
        let output = std::process::Command::new(quartet_tests::service::given("QUARTET_HOST"))
            .args(["keys", "new", "--name", name])
            .output()
            .expect("a key");
        text += &format!("{}{more}\n", String::from_utf8_lossy(&output.stdout));
        let shown = String::from_utf8(output.stderr).expect("text");
        let key = shown.split_whitespace().find(|word| word.starts_with("quartet_"));
        key.expect("a key").to_owned()
    });
    let file = folder.path().join("keys.toml");
    std::fs::write(&file, text).expect("a file");
    let path = file.to_str().expect("UTF-8");
    let all: Vec<_> = ["--keys", path].iter().chain(flags).copied().collect();
    (start(&all), folder, keys)
}

#[test]
fn a_key_is_needed_in_any_form_and_for_its_capabilities() {
    let (service, _folder, [all, speech]) = with_keys(&[]);
    let client = service.client();
    let reply = client.get("/v1/models");
    assert_eq!(reply.status, 401);
    assert_eq!(reply.openai_failure()[3], "invalid_api_key");
    assert!(
        reply
            .header("www-authenticate")
            .expect("a scheme")
            .starts_with("Bearer")
    );
    assert_eq!(
        client.get("/v1/nothing").status,
        401,
        "strangers learn nothing of what there is"
    );

    let basic = format!("Basic {}", BASE64_STANDARD.encode(format!("x:{all}")));
    for (name, value) in [
        ("authorization", &format!("Bearer {all}")),
        ("x-api-key", &all),
        ("authorization", &basic),
    ] {
        assert_eq!(client.get_with("/v1/models", &[(name, value)]).status, 200);
    }
    let ask = |path: &str, body: serde_json::Value| {
        let headers = [("x-api-key", speech.as_str()), ("content-type", "application/json")];
        client.post_with(path, &headers, body.to_string().as_bytes())
    };
    assert_eq!(ask("/v1/audio/speech", json!({"input": "Good day"})).status, 200);
    let question = json!({"model": "quartet", "messages": [{"role": "user", "content": "2+2"}]});
    let refused = ask("/v1/chat/completions", question);
    assert_eq!(refused.status, 403);
    assert_eq!(refused.openai_failure()[3], "forbidden");
}

#[test]
fn lists_may_be_open_and_nothing_else() {
    let (service, _folder, _) = with_keys(&["--openai-open-lists", "true"]);
    let client = service.client();
    for path in [
        "/v1/models",
        "/v1/models/quartet",
        "/v1/audio/voices",
        "/v1/audio/models",
    ] {
        assert_eq!(client.get(path).status, 200, "{path}");
    }
    assert_eq!(client.post("/v1/audio/speech", &json!({"input": "x"})).status, 401);
    assert_eq!(client.post("/v1/models", &json!({})).status, 401);
    assert_eq!(client.get("/v1/nothing").status, 401);
    assert_eq!(client.get("/tts/voices").status, 401);
}

#[test]
fn requests_are_counted_with_all_others() {
    let service = Service::start(&["--requests-per-minute", "2"]);
    let client = service.client();
    assert_eq!(client.get("/tts/voices").status, 200);
    assert_eq!(client.get("/v1/models").status, 200);
    let reply = client.get("/v1/models");
    assert_eq!(reply.status, 429);
    assert_eq!(reply.openai_failure()[3], "rate_limit_exceeded");
    assert!(reply.header("retry-after").is_some());
}

#[test]
fn pages_of_listed_origins_may_use_openais_package() {
    let service = start(&["--cors-origins", "https://a.example"]);
    let asks = "authorization,content-type,x-stainless-arch,x-stainless-lang,x-stainless-os,x-stainless-package-version,\
                x-stainless-retry-count,x-stainless-runtime,x-stainless-runtime-version,x-stainless-timeout";
    let headers = [
        ("origin", "https://a.example"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", asks),
    ];
    let reply = service
        .client()
        .method_with("OPTIONS", "/v1/chat/completions", &headers);
    assert_eq!(reply.status, 204);
    let allowed = reply.header("access-control-allow-headers").expect("headers");
    for name in asks.split(',') {
        assert!(allowed.split(", ").any(|header| header == name), "{name}");
    }
}
