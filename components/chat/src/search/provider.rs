//! The parts that all providers share: the request, its errors, and the pages that are found.

use std::time::Duration;

use quartet_api::{Language, limits};
use quartet_text_analysis::Block;
use url::Url;

use crate::web::{Clock, Reply, Web, WebError};

/// A page that was found and read.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// Its title.
    pub title: String,
    /// Its address.
    pub url: String,
    /// The date of its publication or last change, as it tells.
    pub date: Option<String>,
    /// Its text, or a piece of it.
    pub blocks: Vec<Block>,
}

/// Error of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SearchError {
    /// There is no provider.
    Off,
    /// It found nothing.
    Nothing,
    /// It cannot be asked.
    Unreachable(String),
    /// It was asked and does not want to answer.
    Refused(String),
}

impl SearchError {
    pub fn status(&self) -> &'static str {
        match self {
            SearchError::Off => "off",
            SearchError::Nothing => "nothing_found",
            SearchError::Unreachable(_) => "unreachable",
            SearchError::Refused(_) => "refused",
        }
    }

    pub fn message(self) -> String {
        match self {
            SearchError::Off => "no search is configured on this service".to_owned(),
            SearchError::Nothing => "the search found nothing".to_owned(),
            SearchError::Unreachable(why) | SearchError::Refused(why) => why,
        }
    }
}

/// The request that a provider handles.
pub(super) struct SearchRequest<'a> {
    pub web: &'a dyn Web,
    pub clock: &'a dyn Clock,
    pub language: Language,
    pub until: Duration,
}

impl SearchRequest<'_> {
    /// Asks one address and reads its JSON.
    pub fn json(&self, url: Url, name: &str) -> Result<serde_json::Value, SearchError> {
        let most = usize::try_from(limits::SEARCH_PAGE_BYTES).unwrap_or(usize::MAX);
        let reply = self
            .web
            .get(&[url], most, self.until)
            .pop()
            .unwrap_or(Err(WebError::Unreachable));
        let Reply { status, body, .. } = reply.map_err(|error| SearchError::Unreachable(format!("{name}: {error}")))?;
        match status {
            200 => serde_json::from_slice(&body)
                .map_err(|_| SearchError::Refused(format!("{name} answers, but not with JSON: is the address right?"))),
            403 => Err(SearchError::Refused(format!(
                "{name} answers 403 Forbidden: it does not give JSON to programs (SearXNG: add `json` to `search.formats` in its settings.yml)"
            ))),
            429 => Err(SearchError::Refused(format!(
                "{name} answers 429: it was asked too often"
            ))),
            500..=599 => Err(SearchError::Unreachable(format!(
                "{name} fails with the status {status}"
            ))),
            _ => Err(SearchError::Refused(format!("{name} answers with the status {status}"))),
        }
    }
}
