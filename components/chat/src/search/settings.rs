//! Where to search, as the host says it in the environment.

use url::Url;

/// The address of a SearXNG server.
const SEARXNG: &str = "QUARTET_SEARCH_SEARXNG";
/// The address of Wikipedia, with `{language}` where its language stands; `off` for none.
const WIKIPEDIA: &str = "QUARTET_SEARCH_WIKIPEDIA";
/// Where Wikipedia is.
const DEFAULT_WIKIPEDIA: &str = "https://{language}.wikipedia.org";
/// What turns a provider off.
const OFF: &str = "off";

/// Where to search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settings {
    /// Nowhere.
    Off,
    /// A SearXNG server.
    Searxng(Url),
    /// Wikipedia, or a service of the same interface.
    Wikipedia(String),
}

impl Settings {
    /// As the host says it: SearXNG where there is one, else Wikipedia.
    #[must_use]
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Self {
        let given = |name| variable(name).filter(|value| !value.trim().is_empty());
        if let Some(base) = given(SEARXNG).filter(|base| base != OFF) {
            // The host has checked it; elsewhere a wrong one is as good as none.
            return base.parse().map_or(Settings::Off, Settings::Searxng);
        }
        match given(WIKIPEDIA) {
            Some(base) if base == OFF => Settings::Off,
            Some(base) => Settings::Wikipedia(base),
            None => Settings::Wikipedia(DEFAULT_WIKIPEDIA.to_owned()),
        }
    }

    /// The provider's name in results.
    #[must_use]
    pub fn provider(&self) -> Option<&'static str> {
        match self {
            Settings::Off => None,
            Settings::Searxng(_) => Some("searxng"),
            Settings::Wikipedia(_) => Some("wikipedia"),
        }
    }
}
