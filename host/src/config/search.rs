//! The settings of the search behind `/chat`: where it is, and what that lets requests out to.

use quartet_api::Language;

use super::{Invalid, Kind, Setting};
use crate::policy::outgoing::Policy;

/// What turns a provider off.
const OFF: &str = "off";
/// Stands for the code of a language.
const LANGUAGE: &str = "{language}";

/// The settings, for the one table.
pub const SETTINGS: [Setting; 4] = [
    Setting {
        key: "search_searxng",
        kind: Kind::Text,
        default: "",
        help: "SearXNG server that /chat searches with, such as http://127.0.0.1:8888; it must give JSON. By default none.",
    },
    Setting {
        key: "search_wikipedia",
        kind: Kind::Text,
        default: "https://{language}.wikipedia.org",
        help: "Where /chat searches without SearXNG: Wikipedia, or a site with the same interface; off for none.",
    },
    Setting {
        key: "search_public_pages",
        kind: Kind::Switch,
        default: "true",
        help: "Read pages of any public host that SearXNG names; else only those of search_hosts.",
    },
    Setting {
        key: "search_hosts",
        kind: Kind::List,
        default: "",
        help: "Hosts of your own whose pages may be read, also at private addresses, such as http://10.0.0.5:8000.",
    },
];

/// The search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Search {
    /// Where requests may go.
    pub policy: Policy,
    /// What the component of conversations finds in its environment.
    pub environment: Vec<(String, String)>,
}

impl Search {
    /// Reads the settings. `text` gives a setting's value.
    pub(super) fn new(text: impl Fn(&str) -> String) -> Result<Self, Invalid> {
        let (searxng, wikipedia) = (text("search_searxng"), text("search_wikipedia"));
        let public = super::switch("search_public_pages", &text("search_public_pages"))?;
        let mut policy = Policy::default();
        let environment = |searxng: &str, wikipedia: &str| {
            let variable = |name: &str, value: &str| (format!("QUARTET_{name}"), value.to_owned());
            vec![
                variable("SEARCH_SEARXNG", searxng),
                variable("SEARCH_WIKIPEDIA", wikipedia),
            ]
        };
        if !searxng.is_empty() && searxng != OFF {
            policy = policy
                .with_own(&origin(&searxng).map_err(invalid("search_searxng"))?)
                .map_err(invalid("search_searxng"))?
                .with_own(&text("search_hosts"))
                .map_err(invalid("search_hosts"))?;
            if public {
                policy = policy.with_public();
            }
            return Ok(Self {
                policy,
                environment: environment(&searxng, OFF),
            });
        }
        if wikipedia.is_empty() || wikipedia == OFF {
            return Ok(Self {
                policy,
                environment: environment(OFF, OFF),
            });
        }
        let languages = Language::ALL
            .iter()
            .map(|language| origin(&wikipedia.replace(LANGUAGE, language.code())));
        let hosts = languages
            .collect::<Result<Vec<_>, _>>()
            .map_err(invalid("search_wikipedia"))?
            .join(",");
        // The one on the Internet is nobody's own.
        policy = if wikipedia == SETTINGS[1].default {
            Policy::parse(&hosts)
        } else {
            policy.with_own(&hosts)
        }
        .map_err(invalid("search_wikipedia"))?;
        Ok(Self {
            policy,
            environment: environment(OFF, &wikipedia),
        })
    }
}

fn invalid(key: &'static str) -> impl FnOnce(String) -> Invalid {
    move |reason| Invalid(format!("`{key}`: {reason}"))
}

/// Scheme, host and port of an address.
fn origin(address: &str) -> Result<String, String> {
    let uri: Option<http::Uri> = address.parse().ok();
    let parts = uri.as_ref().and_then(|uri| Some((uri.scheme_str()?, uri.authority()?)));
    match parts {
        Some((scheme, authority)) if uri.as_ref().is_some_and(|uri| uri.query().is_none()) => {
            Ok(format!("{scheme}://{authority}"))
        }
        _ => Err(format!("{address:?} is no address such as http://127.0.0.1:8888")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Given};

    fn search(pairs: &[(&str, &str)]) -> Result<Search, Invalid> {
        let given: Given = pairs
            .iter()
            .map(|(key, value)| (key.to_string(), value.to_string()))
            .collect();
        Config::from_given(&given).map(|config| config.search)
    }

    fn reaches(search: &Search, uri: &str) -> bool {
        search.policy.target(&uri.parse().unwrap()).is_ok()
    }

    #[test]
    fn by_default_only_wikipedia_can_be_reached() {
        let search = search(&[]).unwrap();
        assert!(reaches(&search, "https://de.wikipedia.org/w/api.php?action=query"));
        for other in [
            "https://example.org/",
            "http://de.wikipedia.org/",
            "https://xx.wikipedia.org/",
        ] {
            assert!(!reaches(&search, other), "{other}");
        }
        assert_eq!(search.environment[0].1, "off");
    }

    #[test]
    fn searxng_comes_first_and_opens_the_public_web_unless_that_is_off() {
        let open = search(&[("search_searxng", "http://search:8888/base")]).unwrap();
        assert!(reaches(&open, "http://search:8888/base/search?q=x") && reaches(&open, "https://example.org/"));
        assert!(!reaches(&open, "http://10.0.0.5:8000/"));
        assert_eq!(
            open.environment[0],
            (
                "QUARTET_SEARCH_SEARXNG".to_owned(),
                "http://search:8888/base".to_owned()
            )
        );
        let closed = search(&[
            ("search_searxng", "http://search:8888"),
            ("search_public_pages", "false"),
            ("search_hosts", "http://10.0.0.5:8000"),
        ])
        .unwrap();
        assert!(!reaches(&closed, "https://example.org/") && reaches(&closed, "http://10.0.0.5:8000/x"));
    }

    #[test]
    fn off_is_off_and_what_is_wrong_is_named() {
        let off = search(&[("search_wikipedia", "off")]).unwrap();
        assert_eq!(off.policy, Policy::default());
        for (key, value) in [
            ("search_searxng", "search:8888"),
            ("search_searxng", "ftp://search"),
            ("search_wikipedia", "not an address"),
            ("search_public_pages", "perhaps"),
        ] {
            let Invalid(message) = search(&[(key, value)]).unwrap_err();
            assert!(message.contains(key), "{message}");
        }
        let pairs = [("search_searxng", "http://search:8888"), ("search_hosts", "10.0.0.5")];
        let Invalid(message) = search(&pairs).unwrap_err();
        assert!(message.contains("search_hosts"), "{message}");
    }
}
