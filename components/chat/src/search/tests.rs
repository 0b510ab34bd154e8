//! Searches on a web of a few pages.

use serde_json::json;

use super::*;
use crate::web::WebError;
use crate::web::tests::{FakeClock, FakeWeb};

const SEARXNG: &str = "https://search.example/searxng/";
const ASKED: &str = "https://search.example/searxng/search?q=Who+wrote+it&format=json&language=en&safesearch=1";

fn ask(web: &FakeWeb, settings: &Settings, question: &str) -> SearchResult {
    search(settings, web, &FakeClock::default(), question, None, Language::English)
}

fn searxng() -> Settings {
    Settings::Searxng(SEARXNG.parse().unwrap())
}

#[test]
fn pages_that_searxng_names_are_read_and_quoted_where_they_cannot_be() {
    let results = json!({"results": [
        {"url": "https://a.example/x", "title": "A", "content": "Quoted."},
        {"url": "https://b.example/x", "title": "B", "content": "Only quoted.", "publishedDate": "2024-02-29T00:00:00"},
        {"url": "https://search.example/admin", "title": "C", "content": "Of the server itself."},
        {"url": "file:///etc/passwd", "title": "D", "content": "No page."},
        {"url": "not an address"},
    ]});
    let web = FakeWeb::default()
        .page(ASKED, "application/json", &results.to_string())
        .page("https://a.example/x", "text/html", "<title>Page A</title><p>All of it.")
        .page(
            "https://b.example/robots.txt",
            "text/plain",
            "User-agent: *\nDisallow: /",
        );
    let found = ask(&web, &searxng(), "Who wrote it?");
    let sources: Vec<_> = found
        .sources
        .iter()
        .map(|source| {
            (
                source.title.as_str(),
                source.blocks[0].text.as_str(),
                source.date.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        sources,
        [
            ("Page A", "All of it.", None),
            ("B", "Only quoted.", Some("2024-02-29"))
        ]
    );
    assert_eq!((found.report.status.as_str(), found.report.pages), ("answered", 2));
    assert!(found.report.problem.unwrap().contains("robots.txt"));
    assert!(
        !web.asked
            .borrow()
            .iter()
            .any(|url| url.contains("admin") || url.contains("passwd"))
    );
}

#[test]
fn every_way_to_find_nothing_is_told_apart() {
    let empty = FakeWeb::default().page(ASKED, "application/json", r#"{"results": []}"#);
    let html = FakeWeb::default().page(ASKED, "text/html", "<p>Welcome");
    let other = FakeWeb::default().page(ASKED, "application/json", r#"{"results": 7}"#);
    for (web, status, part) in [
        (empty, "nothing_found", "nothing"),
        (FakeWeb::default().status(ASKED, 403, None), "refused", "search.formats"),
        (FakeWeb::default().status(ASKED, 429, None), "refused", "too often"),
        (FakeWeb::default().status(ASKED, 502, None), "unreachable", "502"),
        (
            FakeWeb::default().broken(ASKED, WebError::TimedOut),
            "unreachable",
            "in time",
        ),
        (
            FakeWeb::default().broken(ASKED, WebError::Refused),
            "unreachable",
            "does not let",
        ),
        (html, "refused", "not with JSON"),
        (other, "refused", "not as SearXNG does"),
    ] {
        let found = ask(&web, &searxng(), "Who wrote it?");
        assert_eq!(found.report.status, status);
        assert!(found.report.problem.as_deref().unwrap().contains(part), "{found:?}");
        assert!(found.sources.is_empty());
    }
    let off = ask(&FakeWeb::default(), &Settings::Off, "Who wrote it?");
    assert_eq!((off.report.status.as_str(), off.report.query), ("off", None));
}

#[test]
fn wikipedia_is_asked_in_the_language_of_the_question() {
    let base = "https://de.example/w/api.php?action=query&format=json&formatversion=2";
    let articles = format!(
        "{base}&generator=search&gsrsearch=Hauptstadt+Frankreich&gsrlimit=4&prop=extracts%7Cinfo%7Crevisions&exintro=1\
         &explaintext=1&exlimit=max&inprop=url&rvprop=timestamp"
    );
    let whole = format!("{base}&prop=extracts&explaintext=1&exsectionformat=wiki&pageids=7");
    let web = FakeWeb::default()
        .page(
            &articles,
            "application/json",
            &json!({"query": {"pages": [
                {"pageid": 9, "title": "Frankreich", "index": 2, "extract": "Frankreich ist ein Staat."},
                {"pageid": 7, "title": "Paris", "index": 1, "extract": "Paris.", "fullurl": "https://de.example/wiki/Paris",
                 "revisions": [{"timestamp": "2025-01-02T03:04:05Z"}]},
            ]}})
            .to_string(),
        )
        .page(
            &whole,
            "application/json",
            &json!({"query": {"pages": [{"pageid": 7, "title": "Paris", "extract": "Paris ist die Hauptstadt.\n\n== Lage ==\nAn der Seine."}]}})
                .to_string(),
        );
    let settings = Settings::Wikipedia("https://{language}.example".to_owned());
    let question = "Was ist die Hauptstadt von Frankreich?";
    let found = search(&settings, &web, &FakeClock::default(), question, None, Language::German);
    assert_eq!(found.report.query.as_deref(), Some("Hauptstadt Frankreich"));
    let [paris, france] = &found.sources[..] else {
        panic!("{found:?}")
    };
    assert_eq!(
        (paris.title.as_str(), paris.date.as_deref()),
        ("Paris", Some("2025-01-02"))
    );
    let texts: Vec<_> = paris.blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(texts, ["Paris ist die Hauptstadt.", "Lage", "An der Seine."]);
    assert_eq!(france.url, "https://de.example/?curid=9");
}

#[test]
fn a_question_that_says_little_takes_the_one_before_along() {
    let query = |question: &str, before| query::of(question, before, Language::English, true);
    let before = Some("Who built the Eiffel Tower?");
    assert_eq!(query("When?", before), "built Eiffel Tower When");
    assert_eq!(
        query("How tall is the Statue of Liberty?", before),
        "tall Statue Liberty"
    );
    assert!(query(&"word ".repeat(200), None).chars().count() <= 200);
}

#[test]
fn settings_choose_one_provider() {
    let of = |pairs: &[(&str, &str)]| {
        Settings::of(|name| {
            pairs
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        })
    };
    assert_eq!(of(&[]).provider(), Some("wikipedia"));
    assert_eq!(of(&[("QUARTET_SEARCH_WIKIPEDIA", "off")]).provider(), None);
    let both = [
        ("QUARTET_SEARCH_WIKIPEDIA", "off"),
        ("QUARTET_SEARCH_SEARXNG", "http://10.0.0.5:8888"),
    ];
    assert_eq!(of(&both).provider(), Some("searxng"));
}
