//! The settings of web search, from the environment.

use url::Url;

/// The variable for the address of a SearXNG server.
const SEARXNG_VARIABLE: &str = "QUARTET_SEARCH_SEARXNG";
/// The variable for the address of Wikipedia, with `{language}` for its language; `off` for none.
const WIKIPEDIA_VARIABLE: &str = "QUARTET_SEARCH_WIKIPEDIA";
/// The address of Wikipedia unless set.
const DEFAULT_WIKIPEDIA_URL: &str = "https://{language}.wikipedia.org";
/// The value that turns a provider off.
const OFF: &str = "off";

/// The provider of web search.
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
    /// Reads the settings of the host: SearXNG where there is one, else Wikipedia.
    #[must_use]
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Self {
        let given = |name| variable(name).filter(|value| !value.trim().is_empty());
        if let Some(base) = given(SEARXNG_VARIABLE).filter(|base| base != OFF) {
            // The host has checked it; elsewhere a wrong one is as good as none.
            return base.parse().map_or(Settings::Off, Settings::Searxng);
        }
        match given(WIKIPEDIA_VARIABLE) {
            Some(base) if base == OFF => Settings::Off,
            Some(base) => Settings::Wikipedia(base),
            None => Settings::Wikipedia(DEFAULT_WIKIPEDIA_URL.to_owned()),
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
