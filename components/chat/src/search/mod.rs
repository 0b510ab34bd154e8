//! Searching the web: a provider names pages, their text is read, and what was found goes to the answer with its sources.
//!
//! What comes from the web is other people's data: titles, addresses and text are never taken for instructions.

mod query;
mod searxng;
mod settings;
mod wikipedia;

#[cfg(test)]
mod tests;

use std::time::Duration;

use quartet_api::chat::SearchReport;
use quartet_api::{Language, limits};
use quartet_text_analysis::Block;
use url::Url;

use crate::web::{Clock, Reply, Web, WebError};

pub use settings::Settings;

/// A page that was found and read.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// What it calls itself.
    pub title: String,
    /// Where it is.
    pub url: String,
    /// When it was written or changed last, as it says.
    pub date: Option<String>,
    /// Its text, or a piece of it.
    pub blocks: Vec<Block>,
}

/// What a search gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// How it went.
    pub report: SearchReport,
    /// The pages, the likeliest first.
    pub sources: Vec<Source>,
}

/// Why a provider gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Problem {
    /// There is no provider.
    Off,
    /// It found nothing.
    Nothing,
    /// It cannot be asked.
    Unreachable(String),
    /// It was asked and does not want to answer.
    Refused(String),
}

impl Problem {
    fn status(&self) -> &'static str {
        match self {
            Problem::Off => "off",
            Problem::Nothing => "nothing_found",
            Problem::Unreachable(_) => "unreachable",
            Problem::Refused(_) => "refused",
        }
    }

    fn words(self) -> String {
        match self {
            Problem::Off => "no search is configured on this service".to_owned(),
            Problem::Nothing => "the search found nothing".to_owned(),
            Problem::Unreachable(why) | Problem::Refused(why) => why,
        }
    }
}

/// Where and how to look.
struct Search<'a> {
    web: &'a dyn Web,
    clock: &'a dyn Clock,
    language: Language,
    until: Duration,
}

impl Search<'_> {
    /// Asks one address and reads its JSON.
    fn json(&self, url: Url, name: &str) -> Result<serde_json::Value, Problem> {
        let most = usize::try_from(limits::SEARCH_PAGE_BYTES).unwrap_or(usize::MAX);
        let reply = self
            .web
            .get(&[url], most, self.until)
            .pop()
            .unwrap_or(Err(WebError::Unreachable));
        let Reply { status, body, .. } = reply.map_err(|error| Problem::Unreachable(format!("{name}: {error}")))?;
        match status {
            200 => serde_json::from_slice(&body)
                .map_err(|_| Problem::Refused(format!("{name} answers, but not with JSON: is the address right?"))),
            403 => Err(Problem::Refused(format!(
                "{name} answers 403 Forbidden: it does not give JSON to programs (SearXNG: add `json` to `search.formats` in its settings.yml)"
            ))),
            429 => Err(Problem::Refused(format!("{name} answers 429: it was asked too often"))),
            500..=599 => Err(Problem::Unreachable(format!("{name} fails with the status {status}"))),
            _ => Err(Problem::Refused(format!("{name} answers with the status {status}"))),
        }
    }
}

/// Searches for what `question` asks; `before` is the question before it in the conversation.
#[must_use]
pub fn search(
    settings: &Settings,
    web: &dyn Web,
    clock: &dyn Clock,
    question: &str,
    before: Option<&str>,
    language: Language,
) -> Found {
    let search = Search {
        web,
        clock,
        language,
        until: clock.elapsed() + Duration::from_secs(limits::SEARCH_SECONDS),
    };
    let query = query::of(question, before, language, matches!(settings, Settings::Wikipedia(_)));
    let result = match settings {
        Settings::Off => Err(Problem::Off),
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
                report.status = Problem::Nothing.status().to_owned();
                report.problem.get_or_insert_with(|| Problem::Nothing.words());
            }
            Found { report, sources }
        }
        Err(problem) => {
            report.status = problem.status().to_owned();
            report.problem = Some(problem.words());
            Found {
                report,
                sources: Vec::new(),
            }
        }
    }
}
