//! Summaries by the built-in engine in another language than the document's, with the smallest model: what it writes is not looked at.

use std::thread;

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
    let models = models.to_str().expect("UTF-8");
    let local = [
        "--models",
        models,
        "--language-model",
        MODEL,
        "--language-warm-up",
        "false",
    ];
    let service = Service::start(&[BOUNDS, &local].concat());
    let client = service.client();
    until("a model", || {
        client.get("/healthz").status == 200 && summary(&service, "en")["phrasing"]["used"] == true
    });
    // At the same time: the engine writes several for little more than one.
    let written = thread::scope(|scope| {
        let service = &service;
        let languages = ["ar", "hi", "ja", "ko", "ru", "zh"];
        let asked = languages.map(|language| (language, scope.spawn(move || summary(service, language))));
        asked.map(|(language, summary)| (language, summary.join().expect("a summary")))
    });
    for (language, summary) in written {
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
