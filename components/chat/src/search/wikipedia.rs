//! Wikipedia, and others with the interface of MediaWiki (`action=query`) and TextExtracts: needs no key.

use quartet_api::Language;
use quartet_text_analysis::{Block, Kind};
use serde::Deserialize;
use serde_json::Value;
use url::Url;

use super::provider::{SearchError, SearchRequest, Source};
use crate::web::Reply;

/// Number of articles whose beginning is read.
const ARTICLE_COUNT: &str = "4";
/// Number of articles that are read to their end.
const WHOLE_ARTICLE_COUNT: usize = 2;
/// Limit in bytes for an article.
const MAX_ARTICLE_BYTES: usize = 1024 * 1024;

#[derive(Deserialize)]
struct Article {
    pageid: u64,
    title: String,
    #[serde(default)]
    index: u32,
    #[serde(default)]
    fullurl: Option<String>,
    #[serde(default)]
    extract: Option<String>,
    #[serde(default)]
    touched: Option<String>,
    #[serde(default)]
    revisions: Vec<Revision>,
}

#[derive(Deserialize)]
struct Revision {
    timestamp: String,
}

/// Searches in the language of the question, and in English where that has nothing.
pub(super) fn search(
    search: &SearchRequest<'_>,
    base: &str,
    query: &str,
) -> Result<(Vec<Source>, Option<String>), SearchError> {
    let found = in_language(search, base, query, search.language)?;
    if !found.is_empty() || search.language == Language::English || !base.contains("{language}") {
        return Ok((found, None));
    }
    let found = in_language(search, base, query, Language::English)?;
    let problem = format!("nothing was found in {}, only in English", search.language.name());
    Ok((found, Some(problem)))
}

fn in_language(
    search: &SearchRequest<'_>,
    base: &str,
    query: &str,
    language: Language,
) -> Result<Vec<Source>, SearchError> {
    let base = base.replace("{language}", language.code());
    let articles = [
        ("generator", "search"),
        ("gsrsearch", query),
        ("gsrlimit", ARTICLE_COUNT),
        ("prop", "extracts|info|revisions"),
        ("exintro", "1"),
        ("explaintext", "1"),
        ("exlimit", "max"),
        ("inprop", "url"),
        ("rvprop", "timestamp"),
    ];
    let answer = search.json(address(&base, &articles)?, "Wikipedia")?;
    let mut articles: Vec<Article> = articles_of(&answer);
    articles.sort_by_key(|article| article.index);
    let wholes: Vec<_> = articles
        .iter()
        .take(WHOLE_ARTICLE_COUNT)
        .filter_map(|article| {
            let id = article.pageid.to_string();
            let whole = [
                ("prop", "extracts"),
                ("explaintext", "1"),
                ("exsectionformat", "wiki"),
                ("pageids", &id),
            ];
            address(&base, &whole).ok()
        })
        .collect();
    // Articles that do not come in time are left at their beginnings.
    for (article, reply) in articles
        .iter_mut()
        .zip(search.web.get(&wholes, MAX_ARTICLE_BYTES, search.until))
    {
        if let Ok(Reply { status: 200, body, .. }) = reply
            && let Ok(answer) = serde_json::from_slice::<Value>(&body)
            && let Some(extract) = articles_of(&answer).pop().and_then(|whole| whole.extract)
        {
            article.extract = Some(extract);
        }
    }
    Ok(articles
        .into_iter()
        .filter_map(|article| source(&base, article))
        .collect())
}

fn address(base: &str, parameters: &[(&str, &str)]) -> Result<Url, SearchError> {
    let base = base.trim_end_matches('/');
    let mut url: Url = format!("{base}/w/api.php")
        .parse()
        .map_err(|_| SearchError::Unreachable("the address of Wikipedia is no web address".to_owned()))?;
    url.query_pairs_mut()
        .append_pair("action", "query")
        .append_pair("format", "json")
        .append_pair("formatversion", "2")
        .extend_pairs(parameters);
    Ok(url)
}

fn articles_of(answer: &Value) -> Vec<Article> {
    let pages = answer["query"]["pages"].as_array();
    let pages = pages.into_iter().flatten();
    pages
        .filter_map(|page| serde_json::from_value(page.clone()).ok())
        .collect()
}

fn source(base: &str, article: Article) -> Option<Source> {
    let blocks = blocks(article.extract.as_deref()?);
    let changed = article.revisions.into_iter().next().map(|revision| revision.timestamp);
    let url = article
        .fullurl
        .unwrap_or_else(|| format!("{base}/?curid={}", article.pageid));
    (!blocks.is_empty()).then(|| Source {
        title: article.title,
        url,
        date: changed
            .or(article.touched)
            .and_then(|date| date.get(..10).map(str::to_owned)),
        blocks,
    })
}

/// The paragraphs of an extract, with its headings in equal signs.
fn blocks(extract: &str) -> Vec<Block> {
    let lines = extract.lines().map(str::trim).filter(|line| !line.is_empty());
    let blocks = lines.map(|line| {
        let heading = line.strip_prefix("==").and_then(|rest| rest.strip_suffix("=="));
        match heading {
            Some(heading) => Block {
                kind: Kind::Heading,
                text: heading.trim_matches(['=', ' ']).to_owned(),
            },
            None => Block {
                kind: Kind::Paragraph,
                text: line.to_owned(),
            },
        }
    });
    blocks.collect()
}
