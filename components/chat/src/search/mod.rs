//! Searching the web: a provider names pages, their text is read, and what was found goes to the answer with its sources.
//!
//! Titles, addresses and text from the web are untrusted data and never taken for instructions.

mod provider;
mod query;
mod searxng;
mod settings;
mod wikipedia;

#[cfg(test)]
mod tests;

use std::time::Duration;

use quartet_api::chat::SearchReport;
use quartet_api::{Language, limits};

use crate::web::{Clock, Web};
use provider::{SearchError, SearchRequest};

pub use provider::Source;
pub use settings::Settings;

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResult {
    /// The report for the client.
    pub report: SearchReport,
    /// The pages, the likeliest first.
    pub sources: Vec<Source>,
}

/// Searches for an answer to `question`; `before` is the question before it in the conversation.
#[must_use]
pub fn search(
    settings: &Settings,
    web: &dyn Web,
    clock: &dyn Clock,
    question: &str,
    before: Option<&str>,
    language: Language,
) -> SearchResult {
    let search = SearchRequest {
        web,
        clock,
        language,
        until: clock.elapsed() + Duration::from_secs(limits::SEARCH_SECONDS),
    };
    let query = query::of(question, before, language, matches!(settings, Settings::Wikipedia(_)));
    let result = match settings {
        Settings::Off => Err(SearchError::Off),
        Settings::Searxng(base) => searxng::search(&search, base, &query),
        Settings::Wikipedia(base) => wikipedia::search(&search, base, &query),
    };
    let mut report = SearchReport {
        status: "answered".to_owned(),
        provider: settings.provider().map(str::to_owned),
        query: (*settings != Settings::Off).then_some(query),
        pages: 0,
        problem: None,
    };
    match result {
        Ok((sources, problem)) => {
            report.pages = sources.len();
            report.problem = problem;
            if sources.is_empty() {
                report.status = SearchError::Nothing.status().to_owned();
                report.problem.get_or_insert_with(|| SearchError::Nothing.message());
            }
            SearchResult { report, sources }
        }
        Err(error) => {
            report.status = error.status().to_owned();
            report.problem = Some(error.message());
            SearchResult {
                report,
                sources: Vec::new(),
            }
        }
    }
}
