//! The settings of the edge: keys, proxies, origins, certificates.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use http::HeaderValue;
use ipnet::IpNet;

use super::{Invalid, Kind, Setting};
use crate::policy::cors::Origins;
use crate::policy::proxies::{Proxies, ProxyHeader};

/// The settings, for the one table.
pub const SETTINGS: [Setting; 8] = [
    Setting {
        key: "allow_public",
        kind: Kind::Switch,
        default: "false",
        help: "Listen on an address that other machines reach without keys.",
    },
    Setting {
        key: "keys",
        kind: Kind::Text,
        default: "",
        help: "TOML file with the keys of those who may ask; `quartet keys new` makes one. Without it anybody may.",
    },
    Setting {
        key: "trusted_proxies",
        kind: Kind::List,
        default: "",
        help: "Addresses or networks (CIDR) of proxies that are believed about who asks, \
               separated by commas; not even loopback is by default.",
    },
    Setting {
        key: "proxy_header",
        kind: Kind::Text,
        default: "x-forwarded-for",
        help: "The header in which trusted proxies say who asks: x-forwarded-for or forwarded. \
               The other one is not read.",
    },
    Setting {
        key: "cors_origins",
        kind: Kind::List,
        default: "",
        help: "Origins whose pages may use the service from a browser, such as https://example.org, \
               separated by commas; * for all.",
    },
    Setting {
        key: "tls_certificate",
        kind: Kind::Text,
        default: "",
        help: "PEM file with the certificate and its chain; with it and `tls_key` the service speaks HTTPS.",
    },
    Setting {
        key: "tls_key",
        kind: Kind::Text,
        default: "",
        help: "PEM file with the certificate's private key.",
    },
    Setting {
        key: "hsts_seconds",
        kind: Kind::Number,
        default: "31536000",
        help: "With TLS: how long browsers shall use nothing but HTTPS for this host name (all its ports); \
               0 does not ask for it.",
    },
];

/// How the service meets its clients.
#[derive(Debug, Clone)]
pub struct Edge {
    /// The file of keys; `None` where anybody may ask.
    pub keys: Option<PathBuf>,
    /// Proxies that are believed.
    pub proxies: Proxies,
    /// Origins that may use the service from a browser.
    pub origins: Origins,
    /// Certificate and key; `None` where the service speaks plain HTTP.
    pub tls: Option<TlsFiles>,
}

/// Where the certificate is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate and its chain, PEM.
    pub certificate: PathBuf,
    /// Its private key, PEM.
    pub key: PathBuf,
    /// Seconds for `Strict-Transport-Security`; 0 for none.
    pub hsts_seconds: u64,
}

impl Edge {
    /// Reads the settings. `text` gives a setting's value.
    pub(super) fn new(text: impl Fn(&str) -> String, listen: SocketAddr) -> Result<Self, Invalid> {
        let path = |key: &str| Some(text(key)).filter(|path| !path.is_empty()).map(PathBuf::from);
        let keys = path("keys");
        let allow_public = super::switch("allow_public", &text("allow_public"))?;
        if !listen.ip().is_loopback() && keys.is_none() && !allow_public {
            return Err(Invalid(format!(
                "`listen` is {listen}, which other machines reach, and there are no `keys`; name a file of keys, \
                 listen on 127.0.0.1 behind a proxy, or set `allow_public` if everybody may use the service"
            )));
        }
        let hsts_seconds = super::number("hsts_seconds", &text("hsts_seconds"))?;
        let tls = match (path("tls_certificate"), path("tls_key")) {
            (Some(certificate), Some(key)) => Some(TlsFiles {
                certificate,
                key,
                hsts_seconds,
            }),
            (None, None) => None,
            (Some(_), None) => return Err(Invalid("`tls_certificate` is set and `tls_key` is not".to_owned())),
            (None, Some(_)) => return Err(Invalid("`tls_key` is set and `tls_certificate` is not".to_owned())),
        };
        Ok(Self {
            keys,
            proxies: proxies(&text("trusted_proxies"), &text("proxy_header"))?,
            origins: origins(&text("cors_origins"))?,
            tls,
        })
    }
}

fn items(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|item| !item.is_empty())
}

fn proxies(trusted: &str, header: &str) -> Result<Proxies, Invalid> {
    let network = |item: &str| {
        let network = item.parse::<IpNet>().ok();
        let network = network.or_else(|| item.parse::<IpAddr>().ok().map(IpNet::from));
        network.ok_or_else(|| {
            Invalid(format!(
                "`trusted_proxies` has {item:?}; it takes addresses and networks, such as 127.0.0.1, 10.0.0.0/8"
            ))
        })
    };
    let header = match header.to_ascii_lowercase().as_str() {
        "x-forwarded-for" => ProxyHeader::XForwardedFor,
        "forwarded" => ProxyHeader::Forwarded,
        _ => {
            return Err(Invalid(format!(
                "`proxy_header` is {header:?}; it takes x-forwarded-for or forwarded"
            )));
        }
    };
    Ok(Proxies {
        trusted: items(trusted).map(network).collect::<Result<_, _>>()?,
        header,
    })
}

fn origins(list: &str) -> Result<Origins, Invalid> {
    if list.trim() == "*" {
        return Ok(Origins::All);
    }
    let origin = |item: &str| {
        let uri: Option<http::Uri> = item.parse().ok();
        let is_origin = uri.is_some_and(|uri| {
            // Browsers send no path, no slash at the end and lower case.
            let (scheme, authority) = (
                uri.scheme_str().unwrap_or_default(),
                uri.authority().map_or("", |a| a.as_str()),
            );
            ["http", "https"].contains(&scheme) && item == format!("{scheme}://{authority}").to_ascii_lowercase()
        });
        let value = HeaderValue::from_str(item).ok().filter(|_| is_origin);
        value.ok_or_else(|| {
            Invalid(format!(
                "`cors_origins` has {item:?}; it takes origins such as https://example.org:8443, \
                 in lower case and without a path, or * alone"
            ))
        })
    };
    let listed: Vec<_> = items(list).map(origin).collect::<Result<_, _>>()?;
    Ok(if listed.is_empty() {
        Origins::None
    } else {
        Origins::Listed(listed)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(pairs: &[(&str, &str)]) -> Result<Edge, Invalid> {
        let text = |key: &str| {
            let given = pairs.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
            let default = || SETTINGS.iter().find(|setting| setting.key == key).unwrap().default;
            given.unwrap_or_else(default).to_owned()
        };
        let listen = pairs
            .iter()
            .find(|(name, _)| *name == "listen")
            .map_or("127.0.0.1:1", |(_, value)| value);
        Edge::new(text, listen.parse().unwrap())
    }

    fn refused(pairs: &[(&str, &str)], part: &str) {
        let Invalid(message) = edge(pairs).unwrap_err();
        assert!(message.contains(part), "{message}");
    }

    #[test]
    fn a_public_address_needs_keys_or_the_word() {
        refused(&[("listen", "0.0.0.0:1")], "`keys`");
        refused(&[("listen", "[::]:1")], "`allow_public`");
        assert!(edge(&[("listen", "0.0.0.0:1"), ("keys", "keys.toml")]).is_ok());
        assert!(edge(&[("listen", "0.0.0.0:1"), ("allow_public", "true")]).is_ok());
    }

    #[test]
    fn by_default_nobody_is_believed_and_no_origin_allowed() {
        let edge = edge(&[]).unwrap();
        assert!(!edge.proxies.trust("127.0.0.1".parse().unwrap()));
        assert!(matches!(edge.origins, Origins::None));
        assert!(edge.keys.is_none() && edge.tls.is_none());
    }

    #[test]
    fn lists_are_read_and_wrong_items_named() {
        let edge = edge(&[
            ("trusted_proxies", "127.0.0.1, 10.0.0.0/8,fd00::/8"),
            ("proxy_header", "Forwarded"),
            ("cors_origins", "https://a.example, http://localhost:3000"),
        ])
        .unwrap();
        assert!(edge.proxies.trust("10.2.3.4".parse().unwrap()));
        assert!(edge.proxies.trust("::ffff:10.2.3.4".parse().unwrap()));
        assert_eq!(edge.proxies.header, ProxyHeader::Forwarded);
        assert!(matches!(edge.origins, Origins::Listed(list) if list.len() == 2));
        refused(&[("trusted_proxies", "10.0.0.0/33")], "10.0.0.0/33");
        refused(&[("proxy_header", "via")], "`proxy_header`");
        for wrong in [
            "example.org",
            "https://a.example/",
            "https://A.example",
            "*, https://a",
            "ftp://a",
            "null",
        ] {
            refused(&[("cors_origins", wrong)], "`cors_origins`");
        }
    }

    #[test]
    fn half_a_certificate_is_refused() {
        refused(&[("tls_certificate", "a.pem")], "`tls_key`");
        refused(&[("tls_key", "a.pem")], "`tls_certificate`");
    }
}
