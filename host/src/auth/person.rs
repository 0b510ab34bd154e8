//! The person behind a request, as far as it can be told: what decides which of two versions answers it.

use http::{HeaderMap, header};
use quartet_api::session::{SECURE_SESSION_COOKIE, SESSION_COOKIE, SESSION_HEADER};
use sha2::{Digest, Sha256};

use super::Client;

/// The person behind a request: the session that it names, by its header or its cookie, of the holder of its key; without a
/// session the holder of the key, and without a key the address.
#[derive(Debug, Clone, Copy)]
pub struct Person<'a> {
    client: Client,
    headers: &'a HeaderMap,
}

impl<'a> Person<'a> {
    /// The person behind a request of this client with these headers.
    pub fn new(client: Client, headers: &'a HeaderMap) -> Self {
        Self { client, headers }
    }

    /// A number from 0 to 1 that is the same for all requests of a person, at whatever replica, and looks random. Without
    /// the salt nobody can tell it.
    pub fn draw(&self, salt: &str) -> f64 {
        let mut hasher = Sha256::new();
        let mut add = |part: &[u8]| {
            hasher.update((part.len() as u64).to_be_bytes());
            hasher.update(part);
        };
        add(salt.as_bytes());
        let session = self.session();
        match (self.client, session) {
            (Client::Key(identity), _) => add(&identity),
            (Client::Address(_), Some(_)) => add(b""),
            (Client::Address(address), None) => add(address.to_string().as_bytes()),
        }
        add(session.unwrap_or_default());
        let digest: [u8; 32] = hasher.finalize().into();
        let first = digest.first_chunk().copied().unwrap_or_default();
        u64::from_be_bytes(first) as f64 / u64::MAX as f64
    }

    fn session(&self) -> Option<&'a [u8]> {
        if let Some(name) = self.headers.get(SESSION_HEADER) {
            return Some(name.as_bytes());
        }
        let cookies = self.headers.get_all(header::COOKIE).iter();
        let mut pairs = cookies
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='));
        pairs
            .find(|(name, _)| [SECURE_SESSION_COOKIE, SESSION_COOKIE].contains(name))
            .map(|(_, value)| value.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn drawn(client: Client, headers: &[(&'static str, &str)], salt: &str) -> f64 {
        let mut all = HeaderMap::new();
        for (name, value) in headers {
            all.append(*name, value.parse().unwrap());
        }
        Person::new(client, &all).draw(salt)
    }

    fn at(last: u8) -> Client {
        IpAddr::from([192, 0, 2, last]).into()
    }

    #[test]
    fn a_session_is_one_person_wherever_it_comes_from() {
        let header = [("x-session-id", "a-session-of-somebody")];
        let other = [("x-session-id", "another-session")];
        assert_eq!(drawn(at(1), &header, "s"), drawn(at(2), &header, "s"));
        assert_ne!(drawn(at(1), &header, "s"), drawn(at(1), &other, "s"));
        assert_ne!(drawn(at(1), &header, "s"), drawn(at(1), &header, "t"));
        let cookie = [("cookie", "a=b; quartet_session=0123")];
        assert_eq!(
            drawn(at(1), &cookie, "s"),
            drawn(at(2), &[("cookie", "quartet_session=0123")], "s")
        );
        // Two keys have nothing in common, whatever they name.
        let (one, two) = (Client::Key([1; 16]), Client::Key([2; 16]));
        assert_ne!(drawn(one, &header, "s"), drawn(two, &header, "s"));
        assert_ne!(drawn(one, &header, "s"), drawn(one, &[], "s"));
        assert_ne!(drawn(at(1), &[], "s"), drawn(at(2), &[], "s"));
    }

    #[test]
    fn the_part_is_what_was_asked_for() {
        let hits = (0..20_000).filter(|number: &u32| {
            let name = format!("session-of-person-{number}");
            drawn(at(1), &[("x-session-id", &name)], "s") < 0.05
        });
        let part = hits.count() as f64 / 20_000.0;
        assert!((part - 0.05).abs() < 0.006, "{part}");
    }
}
