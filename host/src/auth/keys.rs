//! API keys: a file with the digests of the keys, and the check of a request against it.
//!
//! The file holds plain SHA-256 digests. Slow password hashes with salt protect what people choose, which can be
//! guessed from a dictionary; a key is 256 random bits, so there is nothing to guess faster than by trying all of them,
//! and a fast hash keeps the check below a microsecond. Whoever reads the file cannot come in with what is in it.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use arc_swap::ArcSwap;
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use http::{HeaderMap, header};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::capabilities::{Capabilities, Capability};

/// Prefix of every key, so that people and scanners of leaked secrets know what it is.
const KEY_PREFIX: &str = "quartet_";

/// Random bytes in a key.
const RANDOM_BYTES: usize = 32;

/// Longest key that is looked at, in bytes.
const MAX_KEY_BYTES: usize = 256;

/// Longest value of `Authorization: Basic` that is decoded, in bytes: a key and a name in Base64.
const MAX_BASIC_BYTES: usize = 1024;

/// The header of clients that send a key without a scheme.
pub const API_KEY_HEADER: &str = "x-api-key";

/// One key: its digest, and what its holder may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Name of its holder, for the log.
    pub name: String,
    /// Requests a minute, where it has a rate of its own.
    pub requests_per_minute: Option<usize>,
    digest: [u8; 32],
    expires: Option<SystemTime>,
    capabilities: Option<Vec<Capability>>,
    metrics: Option<bool>,
}

impl Key {
    /// Identity under which its requests are counted.
    pub fn identity(&self) -> [u8; 16] {
        std::array::from_fn(|index| self.digest[index])
    }

    /// Returns true if its time is over.
    pub fn has_expired(&self) -> bool {
        self.expires.is_some_and(|expires| SystemTime::now() >= expires)
    }

    /// Returns true if it is for this capability.
    pub fn may(&self, capability: &Capability) -> bool {
        self.capabilities
            .as_ref()
            .is_none_or(|allowed| allowed.contains(capability))
    }

    /// Returns true if it is for the metrics, which tell of all clients: where nothing is said, a key for all capabilities.
    pub fn may_read_metrics(&self) -> bool {
        self.metrics.unwrap_or(self.capabilities.is_none())
    }

    /// The names of the capabilities that it is for, where it is not for all.
    pub fn capabilities(&self) -> String {
        let names: Vec<_> = self.capabilities.iter().flatten().map(Capability::name).collect();
        names.join(", ")
    }
}

/// The reason why a request has no good key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// No key was sent.
    Missing,
    /// The key is unknown.
    Unknown,
    /// The key has expired.
    Expired,
}

impl Refused {
    /// The message for the client.
    pub const fn sentence(self) -> &'static str {
        match self {
            Refused::Missing => {
                "a key is needed; send it as `Authorization: Bearer <key>`, as `X-Api-Key: <key>` or as the password of \
                 `Authorization: Basic`"
            }
            Refused::Unknown => "the key is not known here",
            Refused::Expired => "the key has expired",
        }
    }

    /// The value of `WWW-Authenticate`, after RFC 6750: a request without a key is told the scheme only.
    pub const fn challenge(self) -> &'static str {
        match self {
            Refused::Missing => "Bearer realm=\"quartet\"",
            Refused::Unknown | Refused::Expired => "Bearer realm=\"quartet\", error=\"invalid_token\"",
        }
    }
}

/// The keys that are valid now.
#[derive(Debug, Default)]
pub struct Keys {
    list: ArcSwap<Vec<Arc<Key>>>,
    changes: AtomicU64,
}

impl Keys {
    /// Replaces all keys.
    pub fn replace(&self, keys: Vec<Key>) {
        self.list.store(Arc::new(keys.into_iter().map(Arc::new).collect()));
        self.changes.fetch_add(1, Ordering::Release);
    }

    /// Number of times that all keys were replaced.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// Returns true if a key is still among them and has not expired.
    pub fn has(&self, key: &Key) -> bool {
        !key.has_expired() && self.list.load().iter().any(|other| other.digest == key.digest)
    }

    /// The key with an identity, if it is good.
    pub fn of(&self, identity: [u8; 16]) -> Option<Arc<Key>> {
        let keys = self.list.load();
        let key = keys.iter().find(|key| key.identity() == identity && !key.has_expired());
        key.cloned()
    }

    /// Finds the key that a request came with.
    ///
    /// # Errors
    /// When it has none, or one that is not good.
    pub fn check(&self, headers: &HeaderMap) -> Result<Arc<Key>, Refused> {
        let token = sent(headers)?;
        if token.len() > MAX_KEY_BYTES {
            return Err(Refused::Unknown);
        }
        let digest: [u8; 32] = Sha256::digest(&token).into();
        // All are looked at, each in constant time, so that the time tells nothing of which one nearly fits.
        let keys = self.list.load();
        let found = keys.iter().fold(None, |found, key| {
            if bool::from(key.digest.ct_eq(&digest)) {
                Some(key)
            } else {
                found
            }
        });
        let key = found.ok_or(Refused::Unknown)?;
        match key.has_expired() {
            true => Err(Refused::Expired),
            false => Ok(Arc::clone(key)),
        }
    }
}

/// The key that a request was sent with: a bearer token (RFC 6750), the password of Basic (RFC 7617), whatever its user
/// is called, or the header `X-Api-Key`. Where both headers are there, `Authorization` counts, unless it is of another
/// scheme.
fn sent(headers: &HeaderMap) -> Result<Cow<'_, [u8]>, Refused> {
    let authorization = headers.get(header::AUTHORIZATION);
    if let Some((scheme, token)) = authorization.and_then(|value| split_scheme(value.as_bytes())) {
        if scheme.eq_ignore_ascii_case(b"bearer") {
            return Ok(token.into());
        }
        if scheme.eq_ignore_ascii_case(b"basic") {
            return password(token).map(Cow::from).ok_or(Refused::Unknown);
        }
    }
    let key = headers.get(API_KEY_HEADER).ok_or(Refused::Missing)?;
    Ok(key.as_bytes().trim_ascii().into())
}

/// The password in the credentials of Basic: what stands behind the first colon.
fn password(credentials: &[u8]) -> Option<Vec<u8>> {
    if credentials.len() > MAX_BASIC_BYTES {
        return None;
    }
    let mut credentials = BASE64_STANDARD.decode(credentials).ok()?;
    let colon = credentials.iter().position(|byte| *byte == b':')?;
    Some(credentials.split_off(colon + 1))
}

fn split_scheme(value: &[u8]) -> Option<(&[u8], &[u8])> {
    let space = value.iter().position(|byte| *byte == b' ')?;
    Some((&value[..space], value[space..].trim_ascii()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    key: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    sha256: String,
    requests_per_minute: Option<usize>,
    expires: Option<toml::value::Datetime>,
    capabilities: Option<Vec<String>>,
    metrics: Option<bool>,
}

/// Reads a file of keys.
///
/// A file without `key` is refused, because that is what one looks like while it is being written; `key = []` says that
/// nobody may come in.
///
/// # Errors
/// A sentence that names the key and the field.
pub fn parse(text: &str, capabilities: &Capabilities) -> Result<Vec<Key>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut keys: Vec<Key> = Vec::with_capacity(file.key.len());
    for entry in file.key {
        let name = entry.name.clone();
        let key = read(entry, capabilities).map_err(|reason| format!("the key {name:?}: {reason}"))?;
        if let Some(other) = keys
            .iter()
            .find(|other| other.name == key.name || other.digest == key.digest)
        {
            return Err(format!(
                "the key {name:?} is there twice (the other is {:?})",
                other.name
            ));
        }
        keys.push(key);
    }
    Ok(keys)
}

fn read(entry: Entry, all: &Capabilities) -> Result<Key, String> {
    check_name(&entry.name)?;
    let digest = from_hex(&entry.sha256)
        .ok_or("`sha256` takes the 64 hexadecimal digits of the key's SHA-256, as `quartet keys new` prints them")?;
    if entry.requests_per_minute == Some(0) {
        return Err("`requests_per_minute` is 0; it takes a whole number above 0".to_owned());
    }
    let expires = entry.expires.map(|expires| {
        let moment: jiff::Timestamp = expires.to_string().parse().map_err(|_| {
            format!("`expires` is {expires}; it takes a date and time with its zone, such as 2030-01-31T00:00:00Z")
        })?;
        Ok::<_, String>(SystemTime::from(moment))
    });
    let capabilities = entry
        .capabilities
        .map(|names| names.iter().map(|name| capability(name, all)).collect());
    Ok(Key {
        name: entry.name,
        requests_per_minute: entry.requests_per_minute,
        digest,
        expires: expires.transpose()?,
        capabilities: capabilities.transpose()?,
        metrics: entry.metrics,
    })
}

/// Checks the name of a key, which stands in the log.
///
/// # Errors
/// A sentence that says what is allowed.
pub fn check_name(name: &str) -> Result<(), String> {
    let fine = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.@".contains(&byte);
    if (1..=64).contains(&name.len()) && name.bytes().all(fine) {
        return Ok(());
    }
    Err("`name` takes 1 to 64 letters, digits and -_.@".to_owned())
}

fn capability(name: &str, all: &Capabilities) -> Result<Capability, String> {
    all.get(name)
        .cloned()
        .ok_or_else(|| format!("`capabilities` has {name:?}; there is {}", all.names()))
}

fn from_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(index * 2..index * 2 + 2)?, 16).ok()?;
    }
    Some(bytes)
}

/// A new key: what its holder sends, and the digest for the file.
///
/// # Errors
/// When the system has no randomness.
pub fn generate() -> Result<(String, String), getrandom::Error> {
    let mut random = [0; RANDOM_BYTES];
    getrandom::fill(&mut random)?;
    let key = format!("{KEY_PREFIX}{}", BASE64_URL_SAFE_NO_PAD.encode(random));
    let digest = digest(&key);
    Ok((key, digest))
}

fn digest(key: &str) -> String {
    Sha256::digest(key).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn read_file(text: &str) -> Result<Vec<Key>, String> {
        parse(text, &Capabilities::embedded().unwrap())
    }

    fn with(authorization: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, HeaderValue::from_str(authorization).unwrap());
        headers
    }

    fn file(key: &str, more: &str) -> String {
        format!("[[key]]\nname = \"alice\"\nsha256 = \"{}\"\n{more}", digest(key))
    }

    fn keys(key: &str, more: &str) -> Keys {
        let keys = Keys::default();
        keys.replace(read_file(&file(key, more)).unwrap());
        keys
    }

    #[test]
    fn a_new_key_comes_in_and_no_other() {
        let (key, sha256) = generate().unwrap();
        assert_eq!(sha256, digest(&key));
        assert_ne!(key, generate().unwrap().0);
        let keys = keys(&key, "requests_per_minute = 7");
        let found = keys.check(&with(&format!("Bearer {key}"))).unwrap();
        assert_eq!((found.name.as_str(), found.requests_per_minute), ("alice", Some(7)));
        assert!(
            keys.check(&with(&format!("bearer  {key} "))).is_ok(),
            "the scheme's case and spaces do not matter"
        );
        assert_eq!(keys.check(&with(&format!("Bearer {key}x"))), Err(Refused::Unknown));
        assert_eq!(
            keys.check(&with(&format!("Bearer {}", "x".repeat(300)))),
            Err(Refused::Unknown)
        );
        assert_eq!(keys.check(&with(&format!("Digest {key}"))), Err(Refused::Missing));
        assert_eq!(keys.check(&with("Bearer")), Err(Refused::Missing));
        assert_eq!(keys.check(&HeaderMap::new()), Err(Refused::Missing));
        // What stands in the file is no key.
        assert_eq!(keys.check(&with(&format!("Bearer {sha256}"))), Err(Refused::Unknown));
    }

    #[test]
    fn a_key_may_come_as_a_password_or_in_a_header_of_its_own() {
        let keys = keys("k:1", "");
        let basic = |credentials: &str| with(&format!("Basic {}", BASE64_STANDARD.encode(credentials)));
        assert!(
            keys.check(&basic("anybody:k:1")).is_ok(),
            "the password may have colons"
        );
        assert!(keys.check(&basic(":k:1")).is_ok());
        assert_eq!(keys.check(&basic("k:1")), Err(Refused::Unknown), "the user is no key");
        assert_eq!(keys.check(&with("Basic k:1")), Err(Refused::Unknown));
        assert_eq!(
            keys.check(&basic(&format!("{}:k:1", "x".repeat(1024)))),
            Err(Refused::Unknown)
        );

        let mut headers = HeaderMap::new();
        headers.insert(API_KEY_HEADER, "k:1".parse().unwrap());
        assert!(keys.check(&headers).is_ok());
        headers.insert(header::AUTHORIZATION, "Bearer x".parse().unwrap());
        assert_eq!(
            keys.check(&headers),
            Err(Refused::Unknown),
            "the standard's header counts"
        );
        headers.insert(header::AUTHORIZATION, "Digest x".parse().unwrap());
        assert!(keys.check(&headers).is_ok());
        headers.insert(API_KEY_HEADER, "other".parse().unwrap());
        assert_eq!(keys.check(&headers), Err(Refused::Unknown));
    }

    #[test]
    fn keys_expire() {
        assert_eq!(
            keys("k", "expires = 2001-01-01T00:00:00Z").check(&with("Bearer k")),
            Err(Refused::Expired)
        );
        assert!(
            keys("k", "expires = 2999-01-01T00:00:00+02:00")
                .check(&with("Bearer k"))
                .is_ok()
        );
    }

    #[test]
    fn keys_are_for_capabilities() {
        let key = |more: &str| read_file(&file("k", more)).unwrap().remove(0);
        assert!(key("").may(&Capability::bare("tts")));
        assert!(key("capabilities = [\"tts\"]").may(&Capability::bare("tts")));
        assert!(!key("capabilities = []").may(&Capability::bare("tts")));
    }

    #[test]
    fn files_that_cannot_be_used_are_refused_with_the_field() {
        for (text, part) in [
            (String::new(), "key"),
            ("[[key]]\nname = \"a\"".to_owned(), "sha256"),
            ("[[key]]\nname = \"a\"\nsha256 = \"12\"".to_owned(), "`sha256`"),
            (file("k", "expires = 2030-01-01"), "`expires`"),
            (file("k", "capabilities = [\"cooking\"]"), "`capabilities`"),
            (file("k", "requests_per_minute = 0"), "`requests_per_minute`"),
            (file("k", "requests = 1"), "requests"),
            (file("k", "").replace("alice", "a b"), "`name`"),
            (format!("{}{}", file("k", ""), file("l", "")), "twice"),
        ] {
            let error = read_file(&text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert_eq!(read_file("key = []"), Ok(Vec::new()));
    }
}
