//! The policy for outgoing HTTP requests of components: the hosts that they may reach.
//!
//! To hosts that the operator listed, on the port that was listed, and where pages of the web may be read, to any
//! public host on its scheme's own port. Never to an address that is not public, unless the operator named that host as
//! one of its own: a name of someone else's must not lead into the operator's network. Each request is decided anew,
//! also one that follows a redirect, because redirects are the component's business.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use http::Uri;
use http::uri::Scheme;

/// A service of a cloud's hosts that has a public address and may not be reached by guests.
const AZURE_WIRE_SERVER: Ipv4Addr = Ipv4Addr::new(168, 63, 129, 16);

/// Hosts that may be reached. The default is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    listed: Vec<Target>,
    /// Hosts of the operator's own, at whatever address.
    own: Vec<Target>,
    /// True if any public host may be reached.
    public: bool,
}

/// The server that a request goes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// A name in lower case, or an address.
    pub host: String,
    /// The port.
    pub port: u16,
    /// True if the connection is encrypted.
    pub tls: bool,
}

/// The reason why a request may not be sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The address names no server, or more than a server.
    #[error("the address of the request is not of the form scheme://host[:port]/path with http or https")]
    Address,
    /// The operator did not list it.
    #[error("{0} is not among the hosts that may be reached")]
    Unlisted(String),
    /// The host is not public.
    #[error("{0} leads to addresses only that are not public and not listed")]
    Private(String),
}

impl Policy {
    /// Reads a list such as `https://search.example, http://10.0.0.5:11434`. The error names the entry.
    #[cfg(test)]
    pub fn parse(list: &str) -> Result<Self, String> {
        let entries = list.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        let targets = entries.map(|entry| Target::parse(entry).ok_or_else(|| format!("{entry:?} is no host")));
        Ok(Self::default().with_listed(targets.collect::<Result<Vec<_>, _>>()?))
    }

    /// The same with these hosts.
    #[must_use]
    pub fn with_listed(mut self, hosts: impl IntoIterator<Item = Target>) -> Self {
        self.listed.extend(hosts);
        self
    }

    /// The same with these hosts, which are the operator's own and may have addresses that are not public.
    #[must_use]
    pub fn with_own(mut self, hosts: impl IntoIterator<Item = Target>) -> Self {
        self.own.extend(hosts);
        self
    }

    /// The same with all public hosts, on the ports of `http` and `https`.
    #[must_use]
    pub fn with_public(mut self) -> Self {
        self.public = true;
        self
    }

    /// The target of a request, where it is listed.
    pub fn target(&self, uri: &Uri) -> Result<Target, Refused> {
        let target = Target::of(uri)?;
        let public = self.public && target.port == if target.tls { 443 } else { 80 };
        if !public && !self.names(&target) {
            return Err(Refused::Unlisted(target.to_string()));
        }
        Ok(target)
    }

    /// Filters the addresses of a target's name to those that may be connected to; never none.
    pub fn addresses(&self, target: &Target, found: &[IpAddr]) -> Result<Vec<IpAddr>, Refused> {
        let own = self.own.contains(target);
        let allowed: Vec<_> = found
            .iter()
            .map(IpAddr::to_canonical)
            .filter(|address| own || is_public(*address) || self.lists_address(*address, target.port))
            .collect();
        if allowed.is_empty() {
            return Err(Refused::Private(target.to_string()));
        }
        Ok(allowed)
    }

    fn lists_address(&self, address: IpAddr, port: u16) -> bool {
        let is = |target: &Target| target.address() == Some(address) && target.port == port;
        self.listed.iter().chain(&self.own).any(is)
    }

    fn names(&self, target: &Target) -> bool {
        self.listed.contains(target) || self.own.contains(target)
    }
}

impl Target {
    /// Reads a host such as `https://search.example` or `http://10.0.0.5:11434`.
    pub fn parse(text: &str) -> Option<Self> {
        let uri: Uri = text.parse().ok()?;
        let bare = uri.path() == "/" && uri.query().is_none();
        Self::of(&uri).ok().filter(|_| bare)
    }

    /// The target of requests for an address.
    ///
    /// # Errors
    /// When it names no server, or more than a server.
    pub fn of(uri: &Uri) -> Result<Self, Refused> {
        let tls = match uri.scheme() {
            Some(scheme) if *scheme == Scheme::HTTPS => true,
            Some(scheme) if *scheme == Scheme::HTTP => false,
            _ => return Err(Refused::Address),
        };
        let authority = uri.authority().ok_or(Refused::Address)?;
        let host = authority.host().trim_end_matches('.').to_ascii_lowercase();
        if host.is_empty() || authority.as_str().contains('@') {
            return Err(Refused::Address);
        }
        // What follows the host must be a port: `host:` and `host:99999` parse as authorities too.
        let rest = &authority.as_str()[authority.host().len()..];
        let port = match rest.strip_prefix(':') {
            Some(port) => port.parse().map_err(|_| Refused::Address)?,
            None if rest.is_empty() => {
                if tls {
                    443
                } else {
                    80
                }
            }
            None => return Err(Refused::Address),
        };
        Ok(Self { host, port, tls })
    }

    /// The address, where the host is one.
    pub fn address(&self) -> Option<IpAddr> {
        let bare = self.host.trim_start_matches('[').trim_end_matches(']');
        bare.parse().ok().map(|address: IpAddr| address.to_canonical())
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let scheme = if self.tls { "https" } else { "http" };
        write!(f, "{scheme}://{}:{}", self.host, self.port)
    }
}

/// Returns true if an address is one of the public Internet (the registries of IANA for special purposes, and more).
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = match (a, b, c) {
        // This network, private, loopback, multicast and reserved.
        (0 | 10 | 127 | 224.., ..) => true,
        // Shared by the customers of a provider.
        (100, 64..=127, _) => true,
        // Link-local, where clouds keep their metadata.
        (169, 254, _) => true,
        (172, 16..=31, _) | (192, 168, _) => true,
        // Protocol assignments, documentation, relays, measurements.
        (192, 0, 0 | 2) | (192, 88, 99) | (198, 18 | 19, _) | (198, 51, 100) | (203, 0, 113) => true,
        _ => false,
    };
    !special && address != AZURE_WIRE_SERVER
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    // Only this is given out; the ways to write an IPv4 address in an IPv6 one are inside or outside of it.
    match address.segments() {
        // Protocol assignments (with Teredo), documentation, 6to4.
        [0x2001, second, ..] if second < 0x200 || second == 0xdb8 => false,
        [0x2002, ..] => false,
        [0x3fff, second, ..] if second < 0x1000 => false,
        [first, ..] => (0x2000..0x4000).contains(&first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(text: &str) -> Uri {
        text.parse().unwrap()
    }

    fn addresses(list: &[&str]) -> Vec<IpAddr> {
        list.iter().map(|address| address.parse().unwrap()).collect()
    }

    #[test]
    fn nothing_is_allowed_by_default() {
        let refused = Policy::default().target(&uri("https://example.com/")).unwrap_err();
        assert_eq!(refused, Refused::Unlisted("https://example.com:443".to_owned()));
    }

    #[test]
    fn all_public_hosts_are_no_other_hosts() {
        let policy = Policy::default().with_public();
        for allowed in ["https://example.com/x", "http://example.com/"] {
            assert!(policy.target(&uri(allowed)).is_ok(), "{allowed}");
        }
        for refused in [
            "http://example.com:8080/",
            "https://example.com:80/",
            "https://example.com:22/",
        ] {
            assert!(policy.target(&uri(refused)).is_err(), "{refused}");
        }
        let target = policy.target(&uri("http://inside.example/")).unwrap();
        let private = addresses(&["127.0.0.1", "10.0.0.5", "169.254.169.254", "::1"]);
        assert!(policy.addresses(&target, &private).is_err());
        let mixed = addresses(&["10.0.0.5", "93.184.215.14"]);
        assert_eq!(policy.addresses(&target, &mixed).unwrap(), mixed[1..]);
    }

    #[test]
    fn a_host_of_the_operators_own_may_be_private_and_no_other_name_for_it_may() {
        let policy = Policy::default()
            .with_public()
            .with_own(Target::parse("http://search:8888"));
        let inside = addresses(&["10.0.0.5"]);
        let own = policy.target(&uri("http://search:8888/search?q=1")).unwrap();
        assert_eq!(policy.addresses(&own, &inside).unwrap(), inside);
        let other = policy.target(&uri("http://search/")).unwrap();
        assert!(policy.addresses(&other, &inside).is_err());
        assert!(policy.target(&uri("http://evil.example:8888/")).is_err());
    }

    #[test]
    fn only_the_listed_scheme_host_and_port() {
        let policy = Policy::parse("https://search.example, http://Other.example:8080").unwrap();
        for allowed in [
            "https://search.example/find?q=1",
            "https://SEARCH.example:443/",
            "https://search.example./",
            "http://other.example:8080/x",
        ] {
            assert!(policy.target(&uri(allowed)).is_ok(), "{allowed}");
        }
        for refused in [
            "http://search.example/",
            "https://search.example:8443/",
            "https://search.example.evil.example/",
            "https://a.search.example/",
            "http://other.example/",
            "https://other.example:8080/",
        ] {
            let refusal = policy.target(&uri(refused)).unwrap_err();
            assert!(matches!(refusal, Refused::Unlisted(_)), "{refused}: {refusal}");
        }
        for odd in [
            "https://search.example@evil.example/",
            "https://u:p@search.example/",
            "/path",
            "ftp://search.example/",
        ] {
            assert_eq!(policy.target(&uri(odd)), Err(Refused::Address), "{odd}");
        }
    }

    #[test]
    fn lists_that_cannot_be_meant_are_refused_by_name() {
        for entry in [
            "search.example",
            "https://search.example/path",
            "https://u@search.example",
            "https://a.example:99999",
        ] {
            let error = Policy::parse(&format!("https://good.example, {entry}")).unwrap_err();
            assert!(error.contains(entry), "{error}");
        }
        assert_eq!(Policy::parse(" , "), Ok(Policy::default()));
    }

    #[test]
    fn names_do_not_lead_to_addresses_that_are_not_public() {
        let policy = Policy::parse("https://search.example").unwrap();
        let target = policy.target(&uri("https://search.example/")).unwrap();
        let private = [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "100.100.100.200",
            "127.0.0.1",
            "168.63.129.16",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
        ];
        for address in private {
            let refusal = policy.addresses(&target, &addresses(&[address])).unwrap_err();
            assert!(matches!(refusal, Refused::Private(_)), "{address}");
        }
        for address in [
            "1.1.1.1",
            "100.63.255.255",
            "172.32.0.1",
            "2606:4700::1111",
            "2001:4860:4860::8888",
        ] {
            assert_eq!(
                policy.addresses(&target, &addresses(&[address])).unwrap().len(),
                1,
                "{address}"
            );
        }
    }

    #[test]
    fn of_mixed_answers_only_the_public_addresses_are_used() {
        let policy = Policy::parse("https://search.example").unwrap();
        let target = policy.target(&uri("https://search.example/")).unwrap();
        let found = addresses(&["127.0.0.1", "1.1.1.1", "::ffff:10.0.0.1"]);
        assert_eq!(policy.addresses(&target, &found).unwrap(), addresses(&["1.1.1.1"]));
        assert!(policy.addresses(&target, &[]).is_err());
    }

    #[test]
    fn a_listed_address_may_be_private_also_behind_a_listed_name() {
        let policy = Policy::parse("http://model.internal:11434, http://10.0.0.5:11434, http://[fd00::1]:80").unwrap();
        let by_name = policy.target(&uri("http://model.internal:11434/")).unwrap();
        let found = addresses(&["10.0.0.5", "10.0.0.6"]);
        assert_eq!(policy.addresses(&by_name, &found).unwrap(), addresses(&["10.0.0.5"]));
        let by_address = policy.target(&uri("http://[fd00::1]/")).unwrap();
        assert_eq!(by_address.address(), Some("fd00::1".parse().unwrap()));
        assert!(policy.addresses(&by_address, &addresses(&["fd00::1"])).is_ok());
        // The same address on another port is another service.
        let refused = policy.addresses(&by_address, &addresses(&["10.0.0.5"]));
        assert!(matches!(refused, Err(Refused::Private(_))));
    }
}
