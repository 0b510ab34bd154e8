//! The settings of the search behind `/chat`: where it is, and what that lets requests out to.

use clap::{ArgAction, Args};
use http::Uri;
use quartet_api::Language;

use super::parse::{Parsed, switch};
use crate::policy::outgoing::{Policy, Target};

/// Turns a provider off.
const OFF: &str = "off";
/// Stands for the code of a language.
const LANGUAGE: &str = "{language}";
const WIKIPEDIA: &str = "https://{language}.wikipedia.org";

/// The search behind `/chat`. By default none.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Search")]
pub struct Search {
    /// SearXNG server that /chat searches with, such as http://127.0.0.1:8888; it must give JSON. By default none.
    #[arg(long, value_parser = provider)]
    pub search_searxng: Option<Provider>,
    /// Encyclopedia that /chat searches without SearXNG: Wikipedia, or a site with the same interface; off for none.
    #[arg(long, value_parser = provider, default_value = WIKIPEDIA)]
    pub search_wikipedia: Provider,
    /// Read pages of any public host that SearXNG names; else only those of search_hosts.
    #[arg(long, action = ArgAction::Set, value_parser = switch, default_value = "true")]
    pub search_public_pages: bool,
    /// Hosts of your own whose pages may be read, also at private addresses, such as http://10.0.0.5:8000.
    #[arg(long, value_parser = host, value_delimiter = ',')]
    pub search_hosts: Vec<Target>,
}

/// Something to search with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provider {
    /// Its address, or that of its editions, with a place for the code of a language.
    address: String,
    /// The hosts of these addresses; none where it is off.
    hosts: Vec<Target>,
}

impl Search {
    fn searxng(&self) -> Option<&Provider> {
        self.search_searxng.as_ref().filter(|searxng| !searxng.hosts.is_empty())
    }

    /// The policy that lets requests out to the provider and to pages.
    pub fn policy(&self) -> Policy {
        let policy = Policy::default();
        let wikipedia = &self.search_wikipedia;
        match self.searxng() {
            Some(searxng) => {
                let own = searxng.hosts.iter().chain(&self.search_hosts);
                let policy = policy.with_own(own.cloned());
                if self.search_public_pages {
                    policy.with_public()
                } else {
                    policy
                }
            }
            // The one on the Internet is nobody's own.
            None if wikipedia.address == WIKIPEDIA => policy.with_listed(wikipedia.hosts.clone()),
            None => policy.with_own(wikipedia.hosts.clone()),
        }
    }

    /// The environment of the component of conversations.
    pub fn environment(&self) -> Vec<(String, String)> {
        let wikipedia = Some(&self.search_wikipedia).filter(|wikipedia| !wikipedia.hosts.is_empty());
        let wikipedia = wikipedia.filter(|_| self.searxng().is_none());
        let variable = |name: &str, provider: Option<&Provider>| {
            let address = provider.map_or(OFF, |provider| provider.address.as_str());
            (name.to_owned(), address.to_owned())
        };
        vec![
            variable("QUARTET_SEARCH_SEARXNG", self.searxng()),
            variable("QUARTET_SEARCH_WIKIPEDIA", wikipedia),
        ]
    }
}

fn provider(text: &str) -> Parsed<Provider> {
    let hosts = match text {
        "" | OFF => Some(Vec::new()),
        text if text.contains(LANGUAGE) => Language::ALL
            .iter()
            .map(|language| target(&text.replace(LANGUAGE, language.code())))
            .collect(),
        text => target(text).map(|target| vec![target]),
    };
    Ok(Provider {
        address: text.to_owned(),
        hosts: hosts.ok_or_else(|| "an address such as http://127.0.0.1:8888".to_owned())?,
    })
}

fn target(address: &str) -> Option<Target> {
    let uri: Uri = address.parse().ok()?;
    Target::of(&uri).ok().filter(|_| uri.query().is_none())
}

fn host(text: &str) -> Parsed<Target> {
    Target::parse(text).ok_or_else(|| "hosts such as https://search.example or http://10.0.0.5:11434".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::{config, refused};

    fn search(pairs: &[(&str, &str)]) -> Search {
        config(pairs).unwrap().search
    }

    fn reaches(search: &Search, uri: &str) -> bool {
        search.policy().target(&uri.parse().unwrap()).is_ok()
    }

    fn addresses(search: &Search) -> Vec<String> {
        search.environment().into_iter().map(|(_, address)| address).collect()
    }

    #[test]
    fn by_default_only_wikipedia_can_be_reached() {
        let search = search(&[]);
        assert!(reaches(&search, "https://de.wikipedia.org/w/api.php?action=query"));
        for other in [
            "https://example.org/",
            "http://de.wikipedia.org/",
            "https://xx.wikipedia.org/",
        ] {
            assert!(!reaches(&search, other), "{other}");
        }
        assert_eq!(addresses(&search), ["off", WIKIPEDIA]);
    }

    #[test]
    fn searxng_comes_first_and_opens_the_public_web_unless_that_is_off() {
        let open = search(&[("search_searxng", "http://search:8888/base")]);
        assert!(reaches(&open, "http://search:8888/base/search?q=x") && reaches(&open, "https://example.org/"));
        assert!(!reaches(&open, "http://10.0.0.5:8000/"));
        assert_eq!(addresses(&open), ["http://search:8888/base", "off"]);
        let closed = search(&[
            ("search_searxng", "http://search:8888"),
            ("search_public_pages", "false"),
            ("search_hosts", "http://10.0.0.5:8000"),
        ]);
        assert!(!reaches(&closed, "https://example.org/") && reaches(&closed, "http://10.0.0.5:8000/x"));
    }

    #[test]
    fn off_is_off_and_what_is_wrong_is_named() {
        for off in ["off", ""] {
            let off = search(&[("search_wikipedia", off), ("search_searxng", off)]);
            assert_eq!(off.policy(), Policy::default());
            assert_eq!(addresses(&off), ["off", "off"]);
        }
        for (key, value) in [
            ("search_searxng", "search:8888"),
            ("search_searxng", "ftp://search"),
            ("search_wikipedia", "not an address"),
            ("search_public_pages", "perhaps"),
            ("search_hosts", "10.0.0.5"),
        ] {
            refused(&[(key, value)], key);
        }
    }
}
