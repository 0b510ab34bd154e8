//! A web of a few pages, and what is read of it.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use super::pages::PageError;
use super::*;

/// Servers that answer at once.
#[derive(Default)]
pub(crate) struct FakeWeb {
    /// Replies by address.
    pub replies: HashMap<String, Result<Reply, WebError>>,
    /// The requested addresses, in order.
    pub asked: RefCell<Vec<String>>,
}

impl FakeWeb {
    /// Adds a page.
    pub fn page(mut self, url: &str, content_type: &str, body: &str) -> Self {
        let reply = Reply {
            status: 200,
            content_type: Some(content_type.to_owned()),
            body: body.into(),
            ..Reply::default()
        };
        self.replies.insert(url.to_owned(), Ok(reply));
        self
    }

    /// Adds an answer without a body.
    pub fn status(mut self, url: &str, status: u16, location: Option<&str>) -> Self {
        let reply = Reply {
            status,
            location: location.map(str::to_owned),
            ..Reply::default()
        };
        self.replies.insert(url.to_owned(), Ok(reply));
        self
    }

    /// Adds what cannot be had.
    pub fn broken(mut self, url: &str, error: WebError) -> Self {
        self.replies.insert(url.to_owned(), Err(error));
        self
    }
}

impl Web for FakeWeb {
    fn get(&self, urls: &[Url], most: usize, _: Duration) -> Vec<Result<Reply, WebError>> {
        let answer = |url: &Url| {
            self.asked.borrow_mut().push(url.to_string());
            let missing = || {
                Ok(Reply {
                    status: 404,
                    ..Reply::default()
                })
            };
            let mut reply = self.replies.get(url.as_str()).cloned().unwrap_or_else(missing)?;
            reply.body.truncate(most);
            Ok(reply)
        };
        urls.iter().map(answer).collect()
    }
}

/// A clock that stands still.
#[derive(Default)]
pub(crate) struct FakeClock(pub Cell<Duration>);

impl Clock for FakeClock {
    fn elapsed(&self) -> Duration {
        self.0.get()
    }
}

fn read(web: &FakeWeb, urls: &[&str]) -> Vec<Result<(Url, Page), PageError>> {
    let urls: Vec<_> = urls.iter().map(|url| url.parse().unwrap()).collect();
    let search = "http://search:8888/".parse().unwrap();
    pages::read(
        web,
        &FakeClock::default(),
        &search,
        &urls,
        100_000,
        Duration::from_secs(10),
    )
}

const HTML: &str = "text/html";

#[test]
fn pages_are_read_by_leave_only() {
    let web = FakeWeb::default()
        .page(
            "https://a.example/robots.txt",
            "text/plain",
            "User-agent: *\nDisallow: /private\n",
        )
        .page("https://a.example/open", HTML, "<p>Open.")
        .page("https://a.example/private/x", HTML, "<p>Private.")
        .page(
            "https://c.example/robots.txt",
            "text/plain",
            "User-agent: quartet\nDisallow: /\n\nUser-agent: *\nAllow: /",
        )
        .page("https://c.example/x", HTML, "<p>Not for us.")
        .status("https://d.example/robots.txt", 503, None)
        .broken("https://e.example/robots.txt", WebError::TimedOut);
    let urls = [
        "https://a.example/open",
        "https://a.example/private/x",
        "https://c.example/x",
        "https://d.example/x",
        "https://e.example/x",
        "https://f.example/x",
    ];
    let results = read(&web, &urls);
    assert_eq!(results[0].as_ref().unwrap().1.blocks[0].text, "Open.");
    for result in &results[1..5] {
        assert_eq!(result.as_ref().unwrap_err(), &PageError::Robots);
    }
    assert_eq!(results[5].as_ref().unwrap_err(), &PageError::Status(404));
    let asked = web.asked.borrow();
    assert!(
        !asked
            .iter()
            .any(|url| url.contains("private") || url.contains("c.example/x"))
    );
    assert_eq!(
        asked.iter().filter(|url| url.ends_with("a.example/robots.txt")).count(),
        1
    );
}

#[test]
fn redirects_are_followed_a_few_times_and_need_leave_where_they_lead() {
    let web = FakeWeb::default()
        .status("https://a.example/1", 301, Some("/2"))
        .status("https://a.example/2", 302, Some("https://b.example/3"))
        .page("https://b.example/3", HTML, "<p>There.")
        .page(
            "https://c.example/robots.txt",
            "text/plain",
            "User-agent: *\nDisallow: /",
        )
        .status("https://a.example/c", 302, Some("https://c.example/x"))
        .status("https://a.example/loop", 302, Some("/loop"))
        .status("https://a.example/file", 302, Some("file:///etc/passwd"))
        .status("https://a.example/none", 302, None);
    let results = read(
        &web,
        &[
            "https://a.example/1",
            "https://a.example/c",
            "https://a.example/loop",
            "https://a.example/file",
            "https://a.example/none",
        ],
    );
    assert_eq!(results[0].as_ref().unwrap().0.as_str(), "https://b.example/3");
    assert_eq!(results[1].as_ref().unwrap_err(), &PageError::Robots);
    for result in &results[2..] {
        assert_eq!(result.as_ref().unwrap_err(), &PageError::Redirects);
    }
    assert!(!web.asked.borrow().iter().any(|url| url.starts_with("file")));
}

/// The operator's search server may be asked, also at a private address, so a page could send a reader there.
#[test]
fn no_redirect_leads_to_the_search_server() {
    let inside = [
        "http://search:8888/config",
        "http://search.:8888/config",
        "http://SEARCH:8888/stats",
    ];
    let web = FakeWeb::default()
        .status("https://a.example/0", 302, Some(inside[0]))
        .status("https://a.example/1", 307, Some(inside[1]))
        .status("https://a.example/2", 301, Some(inside[2]))
        .status(
            "https://b.example/robots.txt",
            302,
            Some("http://search:8888/robots.txt"),
        )
        .page("https://b.example/x", HTML, "<p>There.");
    let results = read(
        &web,
        &[
            "https://a.example/0",
            "https://a.example/1",
            "https://a.example/2",
            "https://b.example/x",
        ],
    );
    for result in &results[..3] {
        assert_eq!(result.as_ref().unwrap_err(), &PageError::Redirects);
    }
    assert!(
        !web.asked.borrow().iter().any(|url| url.contains("8888")),
        "{:?}",
        web.asked.borrow()
    );
}

#[test]
fn other_kinds_of_files_are_not_read_and_plain_text_is() {
    let web = FakeWeb::default()
        .page("https://a.example/x.pdf", "application/pdf", "%PDF")
        .page(
            "https://a.example/x.txt",
            "text/plain; charset=utf-8",
            "One\nline.\n\nAnother.",
        );
    let results = read(&web, &["https://a.example/x.pdf", "https://a.example/x.txt"]);
    assert_eq!(results[0].as_ref().unwrap_err(), &PageError::Kind);
    let texts: Vec<_> = results[1]
        .as_ref()
        .unwrap()
        .1
        .blocks
        .iter()
        .map(|block| block.text.as_str())
        .collect();
    assert_eq!(texts, ["One line.", "Another."]);
}
