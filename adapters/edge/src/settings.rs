//! Settings, from the component's environment: the names are those of the host's.

use quartet_api::limits;

/// The variable that names the header in which the host, or a proxy before it, says where a request comes from.
pub const CLIENT_HEADER: &str = "QUARTET_CLIENT_HEADER";

/// Settings of admission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Requests that one client may send within any 60 seconds; 0 counts none.
    pub requests_per_minute: u32,
    /// Size of a whole request body, in bytes.
    pub body_bytes: u64,
    /// The header that tells clients apart, in lower case. Without it, all are one client.
    pub client_header: Option<String>,
}

impl Settings {
    /// Reads them. What is not a number counts as not set, because a component has nobody to tell.
    pub fn read(environment: &[(String, String)]) -> Self {
        let get = |name: &str| {
            let (_, value) = environment.iter().find(|(key, _)| key == name)?;
            Some(value.as_str()).filter(|value| !value.is_empty())
        };
        Self {
            requests_per_minute: get("QUARTET_REQUESTS_PER_MINUTE")
                .and_then(|value| value.parse::<u64>().ok())
                .map_or(limits::REQUESTS_PER_MINUTE, |value| {
                    u32::try_from(value).unwrap_or(u32::MAX)
                }),
            body_bytes: get("QUARTET_BODY_BYTES")
                .and_then(|value| value.parse().ok())
                .unwrap_or(limits::BODY_BYTES),
            client_header: get(CLIENT_HEADER).map(str::to_ascii_lowercase),
        }
    }

    /// The client of a request, as a key for its count, from all values of a header. A port is left out: it is another one
    /// at each connection.
    pub fn client(&self, header: impl Fn(&str) -> Vec<Vec<u8>>) -> String {
        let values = self.client_header.as_deref().map(header).unwrap_or_default();
        // Proxies append, and so does Spin: what the nearest one saw stands last, and what a client made up before it.
        let value = String::from_utf8_lossy(values.last().map_or(&[], Vec::as_slice));
        let last = value.rsplit(',').next().unwrap_or_default().trim();
        if let Ok(address) = last.parse::<std::net::SocketAddr>() {
            return network(address.ip());
        }
        match last.parse() {
            Ok(address) => network(address),
            Err(_) => last.chars().take(64).collect(),
        }
    }
}

/// An address of version 6 stands for its network: who has one has 2⁶⁴.
fn network(address: std::net::IpAddr) -> String {
    match address.to_canonical() {
        std::net::IpAddr::V4(address) => address.to_string(),
        std::net::IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Settings {
        let owned: Vec<_> = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        Settings::read(&owned)
    }

    #[test]
    fn nothing_set_is_what_the_host_does() {
        let settings = read(&[]);
        assert_eq!((settings.requests_per_minute, settings.body_bytes), (100, 11 << 20));
        assert_eq!(settings.client_header, None);
        assert_eq!(read(&[("QUARTET_REQUESTS_PER_MINUTE", "many")]), settings);
    }

    #[test]
    fn what_is_set_counts() {
        let settings = read(&[("QUARTET_REQUESTS_PER_MINUTE", "2"), ("QUARTET_BODY_BYTES", "5")]);
        assert_eq!((settings.requests_per_minute, settings.body_bytes), (2, 5));
    }

    #[test]
    fn clients_are_told_apart_by_the_address_in_the_header() {
        let settings = read(&[(CLIENT_HEADER, "Spin-Client-Addr")]);
        let clients = |values: &[&str]| {
            let values = || values.iter().map(|value| value.as_bytes().to_vec());
            settings.client(|name| values().filter(|_| name == "spin-client-addr").collect())
        };
        let client = |value: &str| clients(&[value]);
        assert_eq!(client("192.0.2.1:4711"), "192.0.2.1");
        assert_eq!(client("forged, 192.0.2.1"), "192.0.2.1");
        assert_eq!(client("[2001:db8::1]:80"), client("2001:db8::ffff"));
        assert_eq!(client("[::ffff:192.0.2.1]:80"), "192.0.2.1");
        assert_eq!(clients(&["198.51.100.1:1", "192.0.2.1:4711"]), "192.0.2.1");
        assert_eq!(clients(&[]), "");
        assert_eq!(read(&[]).client(|_| vec![b"192.0.2.1".to_vec()]), "");
    }
}
