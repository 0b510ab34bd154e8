//! SearXNG: `/search?format=json`, then the pages that it names.

use quartet_api::limits;
use quartet_text_analysis::{Block, Kind};
use serde::Deserialize;
use url::Url;

use super::provider::{SearchError, SearchRequest, Source};
use crate::web::pages;

/// The answer of a SearXNG server, as far as it is used.
#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    results: Vec<Hit>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Hit {
    url: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    published_date: Option<String>,
}

/// Searches and reads the pages. Returns them, and a report of those that could not be read.
pub(super) fn search(
    search: &SearchRequest<'_>,
    base: &Url,
    query: &str,
) -> Result<(Vec<Source>, Option<String>), SearchError> {
    let mut url = base.clone();
    {
        // A base such as https://example.org/searxng has a path of its own.
        let Ok(mut path) = url.path_segments_mut() else {
            return Err(SearchError::Unreachable(
                "the address of SearXNG is no web address".to_owned(),
            ));
        };
        path.pop_if_empty().push("search");
    }
    url.query_pairs_mut()
        .clear()
        .append_pair("q", query)
        .append_pair("format", "json")
        .append_pair("language", search.language.code())
        .append_pair("safesearch", "1");
    let answer = search.json(url, "SearXNG")?;
    let answer: Answer = serde_json::from_value(answer).map_err(|_| {
        SearchError::Refused("SearXNG answers, but not as SearXNG does: is the address right?".to_owned())
    })?;
    let most = usize::try_from(limits::SEARCH_PAGES).unwrap_or(usize::MAX);
    // A result's address is untrusted: it must be a page of the web, and not of the search server itself.
    let hits = answer.results.into_iter().filter_map(|hit| {
        let url: Url = hit.url.parse().ok()?;
        let page = matches!(url.scheme(), "http" | "https") && !pages::is_server(&url, base);
        page.then_some((url, hit))
    });
    let hits: Vec<_> = hits.take(most).collect();
    let urls: Vec<_> = hits.iter().map(|(url, _)| url.clone()).collect();
    let bytes = usize::try_from(limits::SEARCH_PAGE_BYTES).unwrap_or(usize::MAX);
    let read = pages::read(search.web, search.clock, base, &urls, bytes, search.until);
    let mut unread = Vec::new();
    let sources = hits.into_iter().zip(read).filter_map(|((url, hit), read)| {
        let (url, page) = match read {
            Ok((at, page)) => (at, page),
            Err(problem) => {
                unread.push(format!("{url}: {problem}"));
                (url, crate::web::Page::default())
            }
        };
        let mut blocks = page.blocks;
        if blocks.is_empty() {
            // The server's quotation of a page that cannot be read is better than nothing.
            blocks = hit.content.as_deref().and_then(snippet).into_iter().collect();
        }
        (!blocks.is_empty()).then(|| Source {
            title: if page.title.is_empty() { hit.title } else { page.title },
            url: url.into(),
            date: page
                .date
                .or_else(|| hit.published_date.and_then(|date| date.get(..10).map(str::to_owned))),
            blocks,
        })
    });
    let sources = sources.collect();
    let problem = (!unread.is_empty()).then(|| format!("not read: {}", unread.join("; ")));
    Ok((sources, problem))
}

fn snippet(text: &str) -> Option<Block> {
    let text = text.trim();
    (!text.is_empty()).then(|| Block {
        kind: Kind::Paragraph,
        text: text.to_owned(),
    })
}
