//! Identifies clients: by the key where keys are configured, else by the address. The rate limit, the share of the
//! places and the log go by that.

pub mod client_header;
pub mod keys;
pub mod person;

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use http::HeaderMap;
use http::uri::Scheme;
use quartet_api::Code;

use self::keys::{Key, Keys, Refused};
use crate::capabilities::Capability;
use crate::failure::Failure;
use crate::policy::proxies::Proxies;

/// The unit that is counted: the holder of a key; without keys an IPv4 address, or the /56 network of an IPv6 address,
/// since that is what a provider gives one household (RIPE-690).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Client {
    /// The users of this address or network.
    Address(IpAddr),
    /// The holder of the key with this identity, the first half of its digest: it survives a reload of the file.
    Key([u8; 16]),
}

/// Leading bits of an IPv6 address that are one client's.
const NETWORK_BITS: u32 = 56;

impl From<IpAddr> for Client {
    fn from(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(v6) => IpAddr::V6((v6.to_bits() & !(u128::MAX >> NETWORK_BITS)).into()),
            v4 => v4,
        })
    }
}

/// The sender of a request, as far as it is known.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The client that the request counts for.
    pub client: Client,
    /// The address that it came from; behind trusted proxies, the one that they name.
    pub address: IpAddr,
    /// The scheme that the client speaks; behind trusted proxies, the one that they name.
    pub scheme: Scheme,
    /// The key that it came with.
    pub key: Option<Arc<Key>>,
    /// The reason why it has no good key, where it needs one.
    pub refused: Option<Refused>,
}

impl Caller {
    /// Checks that it may use a capability; `None` stands for paths that lead to none.
    ///
    /// # Errors
    /// 401 without a good key where one is needed, 403 where the key is for other capabilities.
    pub fn authorise(&self, capability: Option<&Capability>) -> Result<(), Failure> {
        if let Some(refused) = self.refused {
            return Err(Failure::unauthorised(refused.sentence(), refused.challenge()));
        }
        match (&self.key, capability) {
            (Some(key), Some(capability)) if !key.may(capability) => Err(Failure::new(
                Code::Forbidden,
                format!(
                    "the key is not for {}; it is for {}",
                    capability.name(),
                    key.capabilities()
                ),
            )),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.key {
            Some(key) => f.write_str(&key.name),
            None => self.address.fmt(f),
        }
    }
}

/// Identifies callers.
#[derive(Debug, Default)]
pub struct Clients {
    /// The keys; `None` where anybody may ask.
    pub keys: Option<Arc<Keys>>,
    /// The proxies that are trusted about addresses.
    pub proxies: Proxies,
    /// True if the address of a program on this machine may stand for a session.
    pub address_sessions: bool,
}

impl Clients {
    /// Identifies the sender of a request with these headers over a connection from `peer`, which speaks `scheme`.
    pub fn identify(&self, headers: &HeaderMap, peer: IpAddr, scheme: &Scheme) -> Caller {
        let address = self.proxies.origin(headers, peer);
        let scheme = if self.proxies.name_https(headers, peer) {
            &Scheme::HTTPS
        } else {
            scheme
        };
        let by_address = |refused| Caller {
            client: address.into(),
            address,
            scheme: scheme.clone(),
            key: None,
            refused,
        };
        match self.keys.as_ref().map(|keys| keys.check(headers)) {
            None => by_address(None),
            Some(Err(refused)) => by_address(Some(refused)),
            Some(Ok(key)) => Caller {
                client: Client::Key(key.identity()),
                address,
                scheme: scheme.clone(),
                key: Some(key),
                refused: None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_ipv6_network_is_one_client() {
        let client = |address: &str| Client::from(address.parse::<IpAddr>().unwrap());
        assert_eq!(client("2001:db8::1"), client("2001:db8::ffff:2"));
        assert_eq!(client("2001:db8::1"), client("2001:db8:0:ff::1"));
        assert_ne!(client("2001:db8::1"), client("2001:db8:0:100::1"));
        assert_eq!(client("::ffff:192.0.2.1"), client("192.0.2.1"));
    }

    #[test]
    fn without_keys_the_address_is_the_client_and_may_do_all() {
        let peer: IpAddr = "192.0.2.1".parse().unwrap();
        let caller = Clients::default().identify(&HeaderMap::new(), peer, &Scheme::HTTP);
        assert_eq!(caller.client, peer.into());
        assert!(caller.authorise(Some(&Capability::bare("tts"))).is_ok());
    }
}
