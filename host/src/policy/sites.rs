//! Requests that a browser sends on behalf of somebody else's page. Without keys, being able to reach the service is all it
//! takes to use it, and a page of any site can have its visitor's browser reach what only the visitor can.
//!
//! Two ways are closed: a name of the attacker's that resolves to this service (DNS rebinding), which makes it the page's own
//! origin, and requests across origins that browsers send without asking first (cross-site request forgery), such as forms.

use std::net::{Ipv4Addr, Ipv6Addr};

use http::header::{HOST, ORIGIN};
use http::{HeaderMap, Method, Uri};
use quartet_api::Code;

use super::cors::{Answer, Origins};
use crate::failure::Failure;

/// Header in which browsers say where the page of a request is from (Fetch Metadata).
const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// Endings of names that the domain name system gives to nobody: RFC 6761, and ICANN's reservation for private networks, from
/// which containers have `host.docker.internal`.
const PRIVATE_ENDINGS: [&str; 2] = [".internal", ".localhost"];

/// Names that clients may ask the service under. Addresses, `localhost`, names without a dot and those below
/// `.internal` and `.localhost` are always among them: nobody can have the domain name system give those to somebody else.
#[derive(Debug, Clone, Default)]
pub enum Hosts {
    /// Any name.
    #[default]
    Any,
    /// These names, in lower case; one that begins with `*.` stands for all below it.
    Listed(Vec<String>),
}

impl Hosts {
    /// Checks the name under which a request asks.
    ///
    /// # Errors
    /// 403 with the name.
    pub fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Failure> {
        let Hosts::Listed(listed) = self else { return Ok(()) };
        // Browsers always name a host, and so does HTTP since 1.1.
        let Some(authority) = authority(uri, headers) else {
            return Ok(());
        };
        let name = without_port(&authority).trim_end_matches('.').to_ascii_lowercase();
        let is_listed = |listed: &String| match listed.strip_prefix('*') {
            Some(end) => name.ends_with(end) && name.len() > end.len(),
            None => *listed == name,
        };
        let is_private = !name.contains('.') || PRIVATE_ENDINGS.iter().any(|ending| name.ends_with(ending));
        if is_address(&name) || is_private || listed.iter().any(is_listed) {
            return Ok(());
        }
        Err(Failure::new(
            Code::Forbidden,
            format!("{name:?} is no name of this service; whoever runs it can list it in the setting `hosts`"),
        ))
    }
}

/// Checks that a request which may change something is not one of another origin's page.
///
/// # Errors
/// 403 with the origin.
pub fn check_origin(method: &Method, uri: &Uri, headers: &HeaderMap, origins: &Origins) -> Result<(), Failure> {
    // What these answer, no other page may read; they change nothing.
    if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    let foreign = match headers.get(ORIGIN).map(|origin| origin.to_str().unwrap_or_default()) {
        Some(origin) => {
            let of_page = origin.split_once("://").map(|(_, authority)| authority);
            let own = authority(uri, headers);
            let same = of_page.is_some_and(|page| own.is_some_and(|own| own.eq_ignore_ascii_case(page)));
            let allowed = matches!(origins.answer(headers), Answer::Allowed(_) | Answer::All);
            (!same && !allowed).then_some(origin)
        }
        None => {
            let site = headers.get(SEC_FETCH_SITE).and_then(|site| site.to_str().ok());
            site.filter(|site| *site == "cross-site" && !matches!(origins, Origins::All))
        }
    };
    match foreign {
        None => Ok(()),
        Some(origin) => Err(Failure::new(
            Code::Forbidden,
            format!(
                "pages of another origin ({origin}) may not use the service; whoever runs it can list it in the setting `cors_origins`"
            ),
        )),
    }
}

/// Host and port that a request asks.
fn authority(uri: &Uri, headers: &HeaderMap) -> Option<String> {
    match uri.authority() {
        Some(authority) => Some(authority.as_str().to_owned()),
        None => headers.get(HOST)?.to_str().ok().map(str::to_owned),
    }
}

fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => authority,
    }
}

fn is_address(name: &str) -> bool {
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    name.parse::<Ipv4Addr>().is_ok() || bare.is_some_and(|name| name.parse::<Ipv6Addr>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pairs = pairs.iter().copied();
        pairs
            .map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn names_of_others_are_not_this_service() {
        let hosts = Hosts::Listed(vec!["ai.example.org".to_owned(), "*.example.net".to_owned()]);
        let asked = |host| hosts.check(&Uri::from_static("/"), &headers(&[("host", host)])).is_ok();
        for host in [
            "127.0.0.1",
            "127.0.0.1:8080",
            "[::1]:8080",
            "[::1]",
            "localhost:8080",
            "LOCALHOST.",
            "quartet:8080",
            "a.localhost",
            "host.docker.internal:8080",
            "AI.example.org:443",
            "ai.example.org.",
            "a.example.net",
        ] {
            assert!(asked(host), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:8080",
            "example.org",
            "x.ai.example.org",
            "example.net",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
        ] {
            assert!(!asked(host), "{host}");
        }
        assert!(hosts.check(&Uri::from_static("/"), &HeaderMap::new()).is_ok());
        let absolute = Uri::from_static("http://evil.example/api/v1/chat");
        assert!(hosts.check(&absolute, &headers(&[("host", "localhost")])).is_err());
        assert!(Hosts::Any.check(&absolute, &HeaderMap::new()).is_ok());
    }

    #[test]
    fn a_page_of_another_origin_changes_nothing_here() {
        let listed = Origins::Listed(vec![HeaderValue::from_static("https://a.example")]);
        let sent = |method: Method, origins: &Origins, pairs: &[(&'static str, &'static str)]| {
            let mut all = headers(pairs);
            all.insert(HOST, HeaderValue::from_static("localhost:8080"));
            check_origin(&method, &Uri::from_static("/api/v1/chat"), &all, origins).is_ok()
        };
        let none = Origins::None;
        // A program, a page of the service's own, a page that is allowed, and whoever only reads.
        assert!(sent(Method::POST, &none, &[]));
        assert!(sent(Method::POST, &none, &[("sec-fetch-site", "same-origin")]));
        assert!(sent(Method::POST, &none, &[("origin", "http://localhost:8080")]));
        assert!(sent(Method::POST, &listed, &[("origin", "https://a.example")]));
        assert!(sent(Method::POST, &Origins::All, &[("origin", "null")]));
        assert!(sent(Method::GET, &none, &[("origin", "https://a.example")]));
        for origin in ["https://a.example", "http://localhost:3000", "null", ""] {
            assert!(!sent(Method::POST, &none, &[("origin", origin)]), "{origin}");
        }
        assert!(!sent(Method::POST, &listed, &[("origin", "https://b.example")]));
        assert!(!sent(Method::POST, &none, &[("sec-fetch-site", "cross-site")]));
    }
}
