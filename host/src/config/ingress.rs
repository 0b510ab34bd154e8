//! The settings of the ingress: address, keys, proxies, origins, certificate.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{ArgAction, Args};
use http::{HeaderValue, Uri};
use ipnet::IpNet;

use super::parse::{Invalid, Parsed, Toggle, address, network, on_or_off, one_of, switch, whole};
use crate::policy::cors::ANY_ORIGIN;
use crate::policy::proxies::ProxyHeader;
use crate::policy::sites::Hosts;

/// The address that clients meet, and who may come in.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Clients")]
pub struct Ingress {
    /// Address and port to listen on; port 0 takes a free one.
    #[arg(long, value_parser = address, default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Address and port of a second listener with /healthz, /readyz and /metrics only, whose connections nobody else takes and
    /// which asks for no key; not to be reached by strangers.
    #[arg(long, value_parser = address)]
    pub health_listen: Option<SocketAddr>,
    /// Listen on an address that other machines reach without keys.
    #[arg(long, action = ArgAction::Set, value_parser = switch, default_value = "false")]
    pub allow_public: bool,
    /// TOML file with the keys of those who may ask; `quartet keys new` makes one. Without it anybody may.
    #[arg(long)]
    pub keys: Option<PathBuf>,
    /// Addresses or networks (CIDR) of proxies that are believed about who asks, separated by commas; not even loopback
    /// is by default.
    #[arg(long, value_parser = network, value_delimiter = ',')]
    pub trusted_proxies: Vec<IpNet>,
    /// The header in which trusted proxies say who asks: x-forwarded-for or forwarded. The other one is not read.
    #[arg(long, value_parser = proxy_header, default_value = "x-forwarded-for")]
    pub proxy_header: ProxyHeader,
    /// Names that clients may ask the service under, separated by commas; *.example.org for all below one, * for any. Addresses,
    /// localhost, names without a dot and names below .internal always may. Where nothing is said: none but these, if the service listens on loopback
    /// without keys and without trusted proxies, so that no page on the web can give it a name of its own; else any.
    #[arg(long, value_parser = host, value_delimiter = ',')]
    pub hosts: Vec<String>,
    /// Origins whose pages may use the service from a browser, such as https://example.org, separated by commas; * for
    /// all.
    #[arg(long, value_parser = origin, value_delimiter = ',')]
    pub cors_origins: Vec<HeaderValue>,
    /// Show what the service does in a browser, at its address: on or off. With keys the page asks for one.
    #[arg(long, value_parser = on_or_off, default_value = "on")]
    pub page: Toggle,
    /// Answer under /v1 as OpenAI's API does, and there, at /process and /tika as services that read documents, for clients
    /// that know no other.
    #[arg(long, action = ArgAction::Set, value_parser = switch, default_value = "true")]
    pub openai_api: bool,
    /// With keys: whoever has none may still list models and voices under /v1, as Open WebUI does.
    #[arg(long, action = ArgAction::Set, value_parser = switch, default_value = "false")]
    pub openai_open_lists: bool,
    /// Offer the operations as tools of the Model Context Protocol under /mcp, for programs that a language model works with.
    #[arg(long, action = ArgAction::Set, value_parser = switch, default_value = "true")]
    pub mcp: bool,
    /// PEM file with the certificate and its chain; with it and `tls_key` the service speaks HTTPS.
    #[arg(long)]
    pub tls_certificate: Option<PathBuf>,
    /// PEM file with the certificate's private key.
    #[arg(long)]
    pub tls_key: Option<PathBuf>,
    /// With TLS: how long browsers shall use nothing but HTTPS for this host name (all its ports); 0 does not ask for it.
    #[arg(long, value_parser = whole::<u64>, default_value = "31536000")]
    pub hsts_seconds: u64,
}

impl Ingress {
    /// True if only this machine reaches the service.
    pub fn is_private(&self) -> bool {
        self.listen.ip().is_loopback()
    }

    /// True if the page for people is served.
    pub fn shows_page(&self) -> bool {
        self.page == Toggle::On
    }

    /// The names that clients may ask under.
    pub fn hosts(&self) -> Hosts {
        let open = self.keys.is_none() && self.is_private() && self.trusted_proxies.is_empty();
        match &self.hosts[..] {
            [any] if any == ANY_HOST => Hosts::Any,
            [] if !open => Hosts::Any,
            listed => Hosts::Listed(listed.to_vec()),
        }
    }

    /// Certificate and key; `None` where the service speaks plain HTTP.
    pub fn tls(&self) -> Option<(&PathBuf, &PathBuf)> {
        self.tls_certificate.as_ref().zip(self.tls_key.as_ref())
    }

    /// Checks what depends on several settings.
    pub(super) fn check(&self) -> Result<(), Invalid> {
        if !self.is_private() && self.keys.is_none() && !self.allow_public {
            return Err(Invalid(format!(
                "`listen` is {}, which other machines reach, and there are no `keys`; name a file of keys, \
                 listen on 127.0.0.1 behind a proxy, or set `allow_public` if everybody may use the service",
                self.listen
            )));
        }
        if self.cors_origins.len() > 1 && self.cors_origins.iter().any(|origin| origin == ANY_ORIGIN) {
            return Err(Invalid(format!("`cors_origins` has \"*\"; it takes {ORIGINS}")));
        }
        match (&self.tls_certificate, &self.tls_key) {
            (Some(_), None) => Err(Invalid("`tls_certificate` is set and `tls_key` is not".to_owned())),
            (None, Some(_)) => Err(Invalid("`tls_key` is set and `tls_certificate` is not".to_owned())),
            _ => Ok(()),
        }
    }
}

/// The name in the settings that stands for all.
const ANY_HOST: &str = "*";

fn host(text: &str) -> Parsed<String> {
    let name = text.strip_prefix("*.").unwrap_or(text);
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    if text == ANY_HOST || name.split('.').all(is_label) {
        return Ok(text.to_ascii_lowercase());
    }
    Err("names such as ai.example.org or *.example.org, without a port, or * alone".to_owned())
}

fn proxy_header(text: &str) -> Parsed<ProxyHeader> {
    let headers = &[
        ("x-forwarded-for", ProxyHeader::XForwardedFor),
        ("forwarded", ProxyHeader::Forwarded),
    ];
    one_of(headers)(&text.to_ascii_lowercase())
}

const ORIGINS: &str = "origins such as https://example.org:8443, in lower case and without a path, or * alone";

fn origin(text: &str) -> Parsed<HeaderValue> {
    let uri: Option<Uri> = text.parse().ok();
    let is_origin = uri.is_some_and(|uri| {
        // Browsers send no path, no slash at the end and lower case.
        let (scheme, authority) = (
            uri.scheme_str().unwrap_or_default(),
            uri.authority().map_or("", |a| a.as_str()),
        );
        ["http", "https"].contains(&scheme) && text == format!("{scheme}://{authority}").to_ascii_lowercase()
    });
    let value = HeaderValue::from_str(text).ok();
    value
        .filter(|_| is_origin || text == ANY_ORIGIN)
        .ok_or_else(|| ORIGINS.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::{config, refused};

    #[test]
    fn a_public_address_needs_keys_or_the_word() {
        refused(&[("listen", "0.0.0.0:1")], "`keys`");
        refused(&[("listen", "[::]:1")], "`allow_public`");
        assert!(config(&[("listen", "0.0.0.0:1"), ("keys", "keys.toml")]).is_ok());
        assert!(config(&[("listen", "0.0.0.0:1"), ("allow_public", "true")]).is_ok());
    }

    #[test]
    fn without_keys_and_proxies_only_names_that_nobody_else_can_have_are_taken() {
        let hosts = |pairs: &[(&str, &str)]| config(pairs).unwrap().ingress.hosts();
        assert!(matches!(hosts(&[]), Hosts::Listed(listed) if listed.is_empty()));
        for (name, value) in [("keys", "keys.toml"), ("trusted_proxies", "127.0.0.1"), ("hosts", "*")] {
            assert!(matches!(hosts(&[(name, value)]), Hosts::Any), "{name}");
        }
        assert!(matches!(
            hosts(&[("listen", "0.0.0.0:1"), ("allow_public", "true")]),
            Hosts::Any
        ));
        let listed = [("keys", "keys.toml"), ("hosts", "AI.example.org, *.example.net")];
        assert!(matches!(hosts(&listed), Hosts::Listed(listed) if listed == ["ai.example.org", "*.example.net"]));
        refused(&[("hosts", "example.org:80")], "`hosts`");
        refused(&[("hosts", "https://example.org")], "without a port");
    }

    #[test]
    fn by_default_nobody_is_believed_and_no_origin_allowed() {
        let ingress = config(&[]).unwrap().ingress;
        assert!(ingress.is_private() && ingress.trusted_proxies.is_empty() && ingress.cors_origins.is_empty());
        assert!(ingress.keys.is_none() && ingress.tls().is_none());
    }

    #[test]
    fn lists_are_read_and_wrong_items_named() {
        let ingress = config(&[
            ("trusted_proxies", "127.0.0.1, 10.0.0.0/8,fd00::/8,"),
            ("proxy_header", "Forwarded"),
            ("cors_origins", "https://a.example, http://localhost:3000"),
        ])
        .unwrap()
        .ingress;
        let networks: Vec<_> = ingress.trusted_proxies.iter().map(ToString::to_string).collect();
        assert_eq!(networks, ["127.0.0.1/32", "10.0.0.0/8", "fd00::/8"]);
        assert_eq!(ingress.proxy_header, ProxyHeader::Forwarded);
        assert_eq!(ingress.cors_origins, ["https://a.example", "http://localhost:3000"]);
        assert_eq!(config(&[("cors_origins", " * ")]).unwrap().ingress.cors_origins, ["*"]);
        refused(
            &[("trusted_proxies", "10.0.0.0/33")],
            "`trusted_proxies` has \"10.0.0.0/33\"",
        );
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
