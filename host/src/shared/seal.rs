//! Names and values as the store has them: whoever runs it reads nothing of what clients sent, not even who they are.
//!
//! Of the secret of the replicas come, by HKDF (RFC 5869), a key that makes names of what is named, by HMAC-SHA256, and for
//! each name a key of its own, under which values are sealed by ChaCha20-Poly1305 (RFC 8439). A nonce is 96 random bits:
//! few values are ever sealed under one key, so that none comes twice. The name is part of what is authenticated, so that
//! no value can be put in another one's place. What can be seen are the sizes of values, their times, and which belong to
//! the same owner; what can be done is to delete values, or to put an older one of the same name back.
//!
//! All of it is of `ring`, which TLS has in the program anyway.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::rand::{SecureRandom, SystemRandom};
use ring::{hkdf, hmac};

/// Bytes by which a value is longer once it is sealed.
pub const SEAL_BYTES: usize = NONCE_LEN + 16;

/// First bytes of a sealed value, which are new each time.
const MARK_BYTES: usize = NONCE_LEN;

/// The first bytes of a sealed value: they tell one version of it from the next.
pub type Mark = [u8; MARK_BYTES];

/// Bytes of a name before it is written as text.
const NAME_BYTES: usize = 16;

/// Seals what goes into the store.
pub struct Seal {
    names: hmac::Key,
    values: hkdf::Prk,
    random: SystemRandom,
}

impl Seal {
    /// The seal of those who have this secret.
    pub fn new(secret: &[u8]) -> Self {
        let root = hkdf::Salt::new(hkdf::HKDF_SHA256, b"quartet shared state 1").extract(secret);
        Self {
            names: expand(&root, b"names", hmac::HMAC_SHA256),
            values: expand(&root, b"values", hkdf::HKDF_SHA256),
            random: SystemRandom::new(),
        }
    }

    /// The name of something: 22 letters and digits that tell nothing of its kind and its parts.
    pub fn name(&self, kind: &str, parts: &[&[u8]]) -> String {
        let mut context = hmac::Context::with_key(&self.names);
        for part in [kind.as_bytes()].iter().chain(parts) {
            // Lengths keep parts apart that would be the same when joined.
            context.update(&(part.len() as u64).to_be_bytes());
            context.update(part);
        }
        let tag = context.sign();
        BASE64_URL_SAFE_NO_PAD.encode(&tag.as_ref()[..NAME_BYTES])
    }

    /// Seals a value for a name: nonce, ciphertext, tag. None where the system has no random bits.
    pub fn seal(&self, name: &str, value: &[u8]) -> Option<Vec<u8>> {
        let mut nonce = [0; NONCE_LEN];
        self.random.fill(&mut nonce).ok()?;
        let mut sealed = Vec::with_capacity(value.len() + SEAL_BYTES);
        sealed.extend_from_slice(&nonce);
        sealed.extend_from_slice(value);
        let tag = self.key(name).seal_in_place_separate_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(name.as_bytes()),
            &mut sealed[NONCE_LEN..],
        );
        sealed.extend_from_slice(tag.ok()?.as_ref());
        Some(sealed)
    }

    /// Opens what was sealed for a name; none where it is not what was sealed for it, by who has the secret.
    pub fn open(&self, name: &str, mut sealed: Vec<u8>) -> Option<Vec<u8>> {
        let nonce = Nonce::assume_unique_for_key(*sealed.first_chunk()?);
        let value = self
            .key(name)
            .open_within(nonce, Aad::from(name.as_bytes()), &mut sealed, NONCE_LEN..);
        let length = value.ok()?.len();
        sealed.truncate(length);
        Some(sealed)
    }

    fn key(&self, name: &str) -> LessSafeKey {
        let key: UnboundKey = expand(&self.values, name.as_bytes(), &CHACHA20_POLY1305);
        LessSafeKey::new(key)
    }
}

/// The first bytes of a sealed value.
pub fn mark(sealed: &[u8]) -> Option<Mark> {
    sealed.first_chunk().copied()
}

/// Derives key material.
fn expand<L: hkdf::KeyType, K: for<'a> From<hkdf::Okm<'a, L>>>(root: &hkdf::Prk, label: &[u8], kind: L) -> K {
    let label = [label];
    // It fails for more than 255 times the digest's length, and keys are as long as it.
    let material = root.expand(&label, kind).expect("a key's length");
    K::from(material)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_has_the_secret_reads_it_and_only_in_its_place() {
        let (ours, theirs) = (Seal::new(&[7; 32]), Seal::new(&[8; 32]));
        let sealed = ours.seal("a", b"a text of a client").unwrap();
        assert_eq!(sealed.len(), 18 + SEAL_BYTES);
        assert_eq!(ours.open("a", sealed.clone()).unwrap(), b"a text of a client");
        assert_eq!(
            Seal::new(&[7; 32]).open("a", sealed.clone()).unwrap(),
            b"a text of a client"
        );
        assert_eq!(theirs.open("a", sealed.clone()), None);
        assert_eq!(ours.open("b", sealed.clone()), None);
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert_eq!(ours.open("a", changed), None, "byte {at}");
        }
        for length in 0..SEAL_BYTES {
            assert_eq!(ours.open("a", sealed[..length].to_vec()), None);
        }
        assert!(!sealed.windows(4).any(|window| window == b"text"));
    }

    #[test]
    fn the_same_value_never_looks_the_same() {
        let seal = Seal::new(&[7; 32]);
        let (one, other) = (seal.seal("a", b"v").unwrap(), seal.seal("a", b"v").unwrap());
        assert_ne!(mark(&one), mark(&other));
        assert_ne!(one[MARK_BYTES..], other[MARK_BYTES..]);
    }

    #[test]
    fn names_tell_nothing_and_keep_parts_apart() {
        let seal = Seal::new(&[7; 32]);
        let name = seal.name("key", &[b"image", b"picture/1"]);
        assert_eq!(name.len(), 22);
        assert_eq!(name, seal.name("key", &[b"image", b"picture/1"]));
        for other in [
            seal.name("key", &[b"imagep", b"icture/1"]),
            seal.name("key", &[b"image", b"picture", b"/1"]),
            seal.name("owner", &[b"image", b"picture/1"]),
            Seal::new(&[8; 32]).name("key", &[b"image", b"picture/1"]),
        ] {
            assert_ne!(name, other);
        }
    }
}
