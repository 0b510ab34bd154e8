//! Forwards the client's identity to the component.

use http::{HeaderMap, HeaderName, HeaderValue};
use quartet_api::session::{ADDRESS_CLIENT, CLIENT_HEADER, KEY_CLIENT};

use super::{Caller, Client};

/// Headers that show that a request came through a proxy.
const FORWARDING_HEADERS: [&str; 4] = ["forwarded", "via", "x-forwarded-for", "x-real-ip"];

/// Headers that browsers send and programs of a terminal do not. Browsers have cookies; and the addresses of those that a
/// proxy forwards without a word are all the proxy's.
const BROWSER_HEADERS: [&str; 6] = [
    "accept-language",
    "cookie",
    "origin",
    "referer",
    "sec-fetch-mode",
    "sec-fetch-site",
];

/// Sets the header that names the client: the key's identity; without a key the address, where it stands for one
/// person, which is in a terminal on this machine and not behind a proxy, and `addresses` may stand for sessions at all. What a
/// client says of itself under this name is taken off.
pub fn forward(headers: &mut HeaderMap, caller: &Caller, addresses: bool) {
    headers.remove(CLIENT_HEADER);
    let name = match caller.client {
        Client::Key(identity) => {
            let digits: String = identity.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{KEY_CLIENT}{digits}")
        }
        Client::Address(_) if addresses && caller.address.is_loopback() && is_of_a_terminal(headers) => {
            format!("{ADDRESS_CLIENT}{}", caller.address)
        }
        Client::Address(_) => return,
    };
    if let Ok(value) = HeaderValue::from_str(&name) {
        headers.insert(HeaderName::from_static(CLIENT_HEADER), value);
    }
}

fn is_of_a_terminal(headers: &HeaderMap) -> bool {
    let mut others = FORWARDING_HEADERS.iter().chain(&BROWSER_HEADERS);
    !others.any(|name| headers.contains_key(*name))
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn told(address: &str, key: Option<[u8; 16]>, sent: &[(&'static str, &'static str)]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for (name, value) in sent {
            headers.insert(*name, HeaderValue::from_static(value));
        }
        let address: IpAddr = address.parse().unwrap();
        let caller = Caller {
            client: key.map_or(address.into(), Client::Key),
            address,
            scheme: http::uri::Scheme::HTTP,
            key: None,
            refused: None,
        };
        forward(&mut headers, &caller, true);
        Some(headers.get(CLIENT_HEADER)?.to_str().unwrap().to_owned())
    }

    #[test]
    fn a_client_cannot_say_who_it_is() {
        let lie = [(CLIENT_HEADER, "key/00")];
        assert_eq!(told("192.0.2.1", None, &lie), None);
        assert_eq!(told("127.0.0.1", None, &lie).unwrap(), "address/127.0.0.1");
        assert_eq!(told("::1", None, &lie).unwrap(), "address/::1");
        assert_eq!(
            told("::1", Some([0xab; 16]), &lie).unwrap(),
            format!("key/{}", "ab".repeat(16))
        );
    }

    #[test]
    fn an_address_that_stands_for_many_is_not_told() {
        assert_eq!(told("127.0.0.1", None, &[("x-forwarded-for", "192.0.2.1")]), None);
        assert_eq!(told("10.0.0.1", None, &[]), None);
        // A browser behind a proxy that adds nothing.
        assert_eq!(told("127.0.0.1", None, &[("accept-language", "en")]), None);
        assert_eq!(told("127.0.0.1", None, &[("sec-fetch-site", "none")]), None);
        assert_eq!(
            told("127.0.0.1", None, &[("user-agent", "curl/8")]).unwrap(),
            "address/127.0.0.1"
        );
    }
}
