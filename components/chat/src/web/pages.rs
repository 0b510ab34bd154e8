//! Reading of several pages at once, each as its server allows, through a few redirects.

use std::time::Duration;

use quartet_document_readers::charset;
use url::Url;

use super::html::{self, date};
use super::robots::{self, Robots};
use super::{Clock, Page, Reply, Web, WebError};

/// Limit for the redirects that are followed for one page.
const MAX_REDIRECTS: usize = 3;

/// Error of reading a page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// Its server does not want it read by programs.
    #[error("its robots.txt does not allow it")]
    Robots,
    /// There is no answer.
    #[error("{0}")]
    Web(#[from] WebError),
    /// The server answered with another status than 200.
    #[error("its server answers with the status {0}")]
    Status(u16),
    /// It is no page of text.
    #[error("it is no page of text")]
    Kind,
    /// It leads elsewhere too often, or nowhere.
    #[error("it leads elsewhere")]
    Redirects,
}

/// Reads pages, at most `most` bytes of each, until the request has run for `until`. In the order of `urls`, each with the
/// address that it was found at in the end. No redirect leads to `search`, the server that named the pages: it is the
/// operator's own, and not there for what the pages of others ask of it.
pub fn read(
    web: &dyn Web,
    clock: &dyn Clock,
    search: &Url,
    urls: &[Url],
    most: usize,
    until: Duration,
) -> Vec<Result<(Url, Page), PageError>> {
    let mut results: Vec<_> = urls.iter().map(|_| Err(PageError::Redirects)).collect();
    let mut robots = Robots::default();
    let mut next: Vec<(usize, Url)> = urls.iter().cloned().enumerate().collect();
    for _ in 0..=MAX_REDIRECTS {
        if next.is_empty() {
            break;
        }
        fetch_robots((web, clock), search, &mut robots, &next, until);
        let (allowed, forbidden): (Vec<_>, Vec<_>) = next.drain(..).partition(|(_, url)| robots.allow(url));
        for (index, _) in forbidden {
            results[index] = Err(PageError::Robots);
        }
        let addresses: Vec<_> = allowed.iter().map(|(_, url)| url.clone()).collect();
        let replies = web.get(&addresses, most, until);
        for ((index, url), reply) in allowed.into_iter().zip(replies) {
            match redirect(&url, &reply, search) {
                Some(Some(target)) => next.push((index, target)),
                Some(None) => results[index] = Err(PageError::Redirects),
                None => results[index] = page(reply, &|| clock.elapsed() < until).map(|page| (url, page)),
            }
        }
    }
    results
}

/// Gets the rules of servers that are not known yet, through redirects of their own.
fn fetch_robots(
    (web, clock): (&dyn Web, &dyn Clock),
    search: &Url,
    robots: &mut Robots,
    pages: &[(usize, Url)],
    until: Duration,
) {
    let mut servers: Vec<(Url, Url)> = Vec::new();
    for (_, page) in pages {
        if let Some(rules) = robots.missing(page)
            && !servers.iter().any(|(known, _)| *known == rules)
        {
            servers.push((rules.clone(), rules));
        }
    }
    // Rules that do not come soon must not cost all the time that there is.
    let until = until.min(clock.elapsed() + until.saturating_sub(clock.elapsed()) / 2);
    for turn in 0..=MAX_REDIRECTS {
        if servers.is_empty() {
            return;
        }
        let addresses: Vec<_> = servers.iter().map(|(_, at)| at.clone()).collect();
        let replies = web.get(&addresses, robots::MAX_ROBOTS_BYTES, until);
        let asked = std::mem::take(&mut servers);
        for ((server, at), reply) in asked.into_iter().zip(replies) {
            match redirect(&at, &reply, search) {
                Some(Some(target)) if turn < MAX_REDIRECTS => servers.push((server, target)),
                _ => robots.record(&server, reply),
            }
        }
    }
}

/// The target of a redirect: none for another reply, an inner none for an address that cannot be followed.
fn redirect(from: &Url, reply: &Result<Reply, WebError>, search: &Url) -> Option<Option<Url>> {
    let reply = reply.as_ref().ok()?;
    if !matches!(reply.status, 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let target = reply.location.as_deref().and_then(|location| from.join(location).ok());
    Some(target.filter(|target| matches!(target.scheme(), "http" | "https") && !is_server(target, search)))
}

/// Returns true if two addresses lead to the same server. A name may end with the root's dot, and is the same one.
pub fn is_server(url: &Url, other: &Url) -> bool {
    let server = |url: &Url| {
        let host = url.host_str().map(|host| host.trim_end_matches('.').to_owned());
        (host, url.port_or_known_default())
    };
    server(url) == server(other)
}

fn page(reply: Result<Reply, WebError>, in_time: &dyn Fn() -> bool) -> Result<Page, PageError> {
    let reply = reply?;
    if reply.status != 200 {
        return Err(PageError::Status(reply.status));
    }
    let content_type = reply.content_type.as_deref().unwrap_or("text/html");
    let media_type = content_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let text = || charset::decode(&reply.body, Some(content_type));
    let mut page = match media_type.as_str() {
        "text/html" | "application/xhtml+xml" => html::read(&text(), in_time),
        "text/plain" => Page {
            blocks: html::plain(&text()),
            ..Page::default()
        },
        _ => return Err(PageError::Kind),
    };
    if page.date.is_none() {
        let stamp = reply.last_modified.as_deref();
        let parsed = stamp.and_then(|stamp| jiff::fmt::rfc2822::parse(stamp).ok());
        page.date = parsed.and_then(|time| date(&time.date().to_string()));
    }
    Ok(page)
}
