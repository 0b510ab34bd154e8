//! Summaries by the built-in engine in another language than the document's, with the smallest model: what it writes is not looked at.

use quartet_tests::Service;
use quartet_tests::service::given;
use quartet_tests::wait::until;
use serde_json::Value;

use super::BOUNDS;
use super::local::MODEL;

const RULES: &str = "Rules of the mill\n\nThe mill was built in 1742 by Thomas Reed. It grinds the wheat of the whole valley every autumn. \
Visitors may see it on Sundays between ten and four.\n";

/// The engine takes not every schema that is valid, and what it does not take is no summary. Scripts other than Latin are asked for by a
/// pattern, in both steps where there is time for two.
#[test]
fn the_engine_takes_the_schemas_of_summaries_in_every_script() {
    let models = given("QUARTET_MODELS");
    let local = ["--models", models.to_str().expect("UTF-8"), "--language-model", MODEL];
    let service = Service::start(&[BOUNDS, &local].concat());
    let client = service.client();
    until("a model", || {
        client.get("/healthz").status == 200 && summary(&service, "en")["phrasing"]["used"] == true
    });
    for language in ["ar", "hi", "ja", "ko", "ru", "zh"] {
        let summary = summary(&service, language);
        assert_eq!(summary["phrasing"]["model"], MODEL, "{summary}");
        let reason = summary["phrasing"]["reason"].as_str().unwrap_or_default();
        assert!(
            !reason.contains("schema") && !reason.contains("invalid"),
            "{language}: {reason}"
        );
    }
}

fn summary(service: &Service, language: &str) -> Value {
    let body = format!(
        "--b\r\ncontent-disposition: form-data; name=\"language\"\r\n\r\n{language}\r\n\
         --b\r\ncontent-disposition: form-data; name=\"pdf\"; filename=\"rules.txt\"\r\ncontent-type: text/plain\r\n\r\n{RULES}\r\n--b--\r\n"
    );
    let headers = [("content-type", "multipart/form-data; boundary=b")];
    service
        .client()
        .post_with("/pdf/summarize", &headers, body.as_bytes())
        .data()
}
