//! The client's address behind proxies: from the one header that they are said to set, read from the right for as long
//! as those who wrote it are trusted.
//!
//! Each proxy adds on the right the address that spoke to it. What stands left of the first address that is no trusted
//! proxy was written by that stranger, and is not looked at. Only one of the two headers is read, the configured one: a
//! proxy that sets one of them passes the other on as its client made it up.

use std::net::{IpAddr, SocketAddr};

use http::{HeaderMap, HeaderName, header};
use ipnet::IpNet;

/// Trusted proxies, and the header in which they name the client.
#[derive(Debug, Clone)]
pub struct Proxies {
    /// Networks of trusted proxies. Empty: nobody is believed, not even on loopback.
    pub trusted: Vec<IpNet>,
    /// The header in which they name the client.
    pub header: ProxyHeader,
}

impl Default for Proxies {
    fn default() -> Self {
        Self {
            trusted: Vec::new(),
            header: ProxyHeader::XForwardedFor,
        }
    }
}

/// A header in which proxies name the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProxyHeader {
    /// `X-Forwarded-For`: a list of addresses.
    XForwardedFor,
    /// `Forwarded` of RFC 7239: a list of elements with `for=`.
    Forwarded,
}

/// Most hops that are followed.
const MAX_HOPS: usize = 32;

impl Proxies {
    /// Returns true if this address is a trusted proxy's.
    pub fn trust(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.trusted.iter().any(|network| network.contains(&address))
    }

    /// Returns true if a trusted proxy says that the client speaks HTTPS, by `X-Forwarded-Proto` or the `proto` of `Forwarded`.
    pub fn name_https(&self, headers: &HeaderMap, peer: IpAddr) -> bool {
        if self.trusted.is_empty() || !self.trust(peer) {
            return false;
        }
        let last = |name: HeaderName| {
            headers
                .get_all(name)
                .iter()
                .next_back()
                .and_then(|line| line.to_str().ok())
        };
        match self.header {
            ProxyHeader::XForwardedFor => last(HeaderName::from_static("x-forwarded-proto"))
                .and_then(|line| line.rsplit(',').next())
                .is_some_and(is_https),
            ProxyHeader::Forwarded => last(header::FORWARDED).is_some_and(|line| {
                let element = elements_from_right(line).into_iter().next().unwrap_or_default();
                split(element, ';').into_iter().any(|pair| {
                    pair.split_once('=')
                        .is_some_and(|(name, scheme)| name.trim().eq_ignore_ascii_case("proto") && is_https(scheme))
                })
            }),
        }
    }

    /// The address from which a request came that was received from `peer`.
    pub fn origin(&self, headers: &HeaderMap, peer: IpAddr) -> IpAddr {
        let mut address = peer.to_canonical();
        if self.trusted.is_empty() || !self.trust(address) {
            return address;
        }
        let (name, read): (HeaderName, fn(&str) -> Option<IpAddr>) = match self.header {
            ProxyHeader::XForwardedFor => (HeaderName::from_static("x-forwarded-for"), node),
            ProxyHeader::Forwarded => (header::FORWARDED, element),
        };
        // Several lines are one list, in their order.
        let lines: Vec<_> = headers.get_all(name).iter().collect();
        let entries = lines.iter().rev().flat_map(|line| match (line.to_str(), self.header) {
            (Err(_), _) => vec![""],
            // Quotation marks mean nothing here: one that a client opens must not swallow what a proxy adds.
            (Ok(line), ProxyHeader::XForwardedFor) => line.rsplit(',').collect(),
            (Ok(line), ProxyHeader::Forwarded) => elements_from_right(line),
        });
        for entry in entries.take(MAX_HOPS) {
            // What is not an address says nothing: the last one that is known stands.
            let Some(named) = read(entry) else { break };
            address = named;
            if !self.trust(address) {
                break;
            }
        }
        address
    }
}

/// The scheme in the last element of a list: what the nearest proxy says. A client that makes it up harms itself alone.
fn is_https(scheme: &str) -> bool {
    scheme.trim().trim_matches('"').eq_ignore_ascii_case("https")
}

/// An address as proxies write it: bare, with a port, in brackets.
fn node(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(text);
    let address = bare.parse().ok();
    let address = address.or_else(|| text.parse::<SocketAddr>().ok().map(|socket| socket.ip()))?;
    Some(address.to_canonical())
}

/// The `for` of one element of `Forwarded`.
fn element(text: &str) -> Option<IpAddr> {
    split(text, ';').into_iter().find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        let value = value.trim();
        let value = value
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
            .unwrap_or(value);
        name.trim().eq_ignore_ascii_case("for").then(|| node(value))
    })?
}

/// The elements of a line of `Forwarded`, the last one first. Where a quotation is not closed, the line is not as RFC 7239
/// has it, and nobody can say what a proxy added: it counts as one element that says nothing.
fn elements_from_right(line: &str) -> Vec<&str> {
    if line.matches('"').count() % 2 == 1 {
        return vec![""];
    }
    let mut elements = split(line, ',');
    elements.reverse();
    elements
}

/// Splits at `separator`, but not between double quotes.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut quoted = false;
    text.split(|character| {
        quoted ^= character == '"';
        character == separator && !quoted
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn origin(header: ProxyHeader, lines: &[&str], peer: &str) -> String {
        let trusted = ["127.0.0.1/32", "10.0.0.0/8", "fd00::/8"];
        let proxies = Proxies {
            trusted: trusted.iter().map(|network| network.parse().unwrap()).collect(),
            header,
        };
        let name = match header {
            ProxyHeader::XForwardedFor => "x-forwarded-for",
            ProxyHeader::Forwarded => "forwarded",
        };
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(name, HeaderValue::from_bytes(line.as_bytes()).unwrap());
        }
        proxies.origin(&headers, peer.parse().unwrap()).to_string()
    }

    #[test]
    fn https_is_what_a_trusted_proxy_says_last() {
        let https = |header, line: &'static str, peer: &str| {
            let proxies = Proxies {
                trusted: vec!["10.0.0.0/8".parse().unwrap()],
                header,
            };
            let mut headers = HeaderMap::new();
            for name in ["x-forwarded-proto", "forwarded"] {
                headers.append(name, HeaderValue::from_static(line));
            }
            proxies.name_https(&headers, peer.parse().unwrap())
        };
        let (plain, listed) = (ProxyHeader::XForwardedFor, ProxyHeader::Forwarded);
        assert!(https(plain, "https", "10.0.0.1") && https(plain, "http, HTTPS", "10.0.0.1"));
        assert!(!https(plain, "https, http", "10.0.0.1") && !https(plain, "", "10.0.0.1"));
        assert!(https(listed, "for=192.0.2.1;proto=\"https\"", "10.0.0.1"));
        assert!(!https(listed, "proto=https, for=192.0.2.1;proto=http", "10.0.0.1"));
        assert!(!https(plain, "https", "192.0.2.1") && !https(listed, "proto=https", "192.0.2.1"));
    }

    #[test]
    fn the_first_stranger_from_the_right_is_the_client() {
        for (lines, client) in [
            (&["192.0.2.7"][..], "192.0.2.7"),
            (&["198.51.100.1, 192.0.2.7"], "192.0.2.7"),
            (&["198.51.100.1, 192.0.2.7, 10.1.2.3"], "192.0.2.7"),
            (&["198.51.100.1", "192.0.2.7", "10.1.2.3"], "192.0.2.7"),
            (&["10.9.9.9, 10.1.2.3"], "10.9.9.9"),
            (&["192.0.2.7:4711"], "192.0.2.7"),
            (&["2001:db8::1"], "2001:db8::1"),
            (&["[2001:db8::1]:4711"], "2001:db8::1"),
            (&["::ffff:192.0.2.7"], "192.0.2.7"),
            (&[], "127.0.0.1"),
        ] {
            assert_eq!(
                origin(ProxyHeader::XForwardedFor, lines, "127.0.0.1"),
                client,
                "{lines:?}"
            );
        }
    }

    #[test]
    fn strangers_and_garbage_are_not_believed() {
        assert_eq!(
            origin(ProxyHeader::XForwardedFor, &["192.0.2.7"], "203.0.113.5"),
            "203.0.113.5"
        );
        for garbage in [
            "",
            "unknown",
            "192.0.2.7, nonsense",
            "192.0.2.7,",
            "192.0.2.7, ünï",
            "999.1.1.1",
            "[::1",
        ] {
            assert_eq!(
                origin(ProxyHeader::XForwardedFor, &[garbage], "127.0.0.1"),
                "127.0.0.1",
                "{garbage}"
            );
        }
        // The last one that is known stands.
        assert_eq!(
            origin(ProxyHeader::XForwardedFor, &["192.0.2.7, x, 10.1.1.1"], "127.0.0.1"),
            "10.1.1.1"
        );
        assert_eq!(
            origin(ProxyHeader::Forwarded, &["for=unknown"], "127.0.0.1"),
            "127.0.0.1"
        );
        assert_eq!(
            origin(ProxyHeader::Forwarded, &["for=_hidden, by=10.0.0.1"], "127.0.0.1"),
            "127.0.0.1"
        );
    }

    #[test]
    fn forwarded_of_rfc_7239_is_read() {
        for (lines, client) in [
            (&["for=192.0.2.60;proto=http;by=203.0.113.43"][..], "192.0.2.60"),
            (&["For=\"[2001:db8:cafe::17]:4711\""], "2001:db8:cafe::17"),
            (
                &["for=198.51.100.9, for=192.0.2.43, for=10.1.1.1;host=\"a, b; for=1.1.1.1\""],
                "192.0.2.43",
            ),
        ] {
            assert_eq!(origin(ProxyHeader::Forwarded, lines, "127.0.0.1"), client, "{lines:?}");
        }
    }

    #[test]
    fn quotation_marks_of_a_client_hide_nothing() {
        for line in [
            "\", 192.0.2.7",
            "\"198.51.100.1, 192.0.2.7",
            "a\"b\"c\", 192.0.2.7",
            ", 192.0.2.7",
        ] {
            let read = origin(ProxyHeader::XForwardedFor, &[line], "127.0.0.1");
            assert_eq!(read, "192.0.2.7", "{line}");
        }
        // In this header a proxy would have to write after an open quotation, which no element may have.
        let read = origin(
            ProxyHeader::Forwarded,
            &["for=\"198.51.100.1, for=192.0.2.7"],
            "127.0.0.1",
        );
        assert_eq!(read, "127.0.0.1");
        let apart = ["for=\"198.51.100.1", "for=192.0.2.7"];
        assert_eq!(origin(ProxyHeader::Forwarded, &apart, "127.0.0.1"), "192.0.2.7");
    }

    #[test]
    fn endless_lists_are_not_followed() {
        let list = vec!["10.0.0.1"; 1000].join(",");
        assert_eq!(origin(ProxyHeader::XForwardedFor, &[&list], "127.0.0.1"), "10.0.0.1");
    }
}
