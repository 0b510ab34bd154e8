//! References to artifacts: `oci://`, the registry, the repository, and a tag, a digest or both.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use http::uri::Authority;

use super::digest::Digest;

/// The beginning of every reference, by which it is told from a file.
pub const SCHEME: &str = "oci://";

/// Longest tag and longest repository that registries allow.
const MAX_TAG: usize = 128;
const MAX_REPOSITORY: usize = 255;

/// Docker Hub's name in references, and the host that answers for it.
const DOCKER_HUB: (&str, &str) = ("docker.io", "registry-1.docker.io");

/// A reference to an artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Host and port, as they were named.
    registry: String,
    repository: String,
    tag: Option<String>,
    digest: Option<Digest>,
}

impl FromStr for Reference {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse(text).ok_or_else(|| {
            format!(
                "{text} names no artifact: it takes {SCHEME}REGISTRY/REPOSITORY:TAG or {SCHEME}REGISTRY/REPOSITORY@sha256:DIGEST, \
                 such as {SCHEME}registry.example.org/quartet-tts:1.2"
            )
        })
    }
}

fn parse(text: &str) -> Option<Reference> {
    let (registry, rest) = text.strip_prefix(SCHEME)?.split_once('/')?;
    let authority = Authority::from_str(registry).ok()?;
    // A name and a password are no part of it, and neither is a path in place of a port.
    if authority.host().is_empty() || registry.contains('@') || registry.ends_with(':') {
        return None;
    }
    let (rest, digest) = match rest.split_once('@') {
        Some((rest, digest)) => (rest, Some(Digest::parse(digest)?)),
        None => (rest, None),
    };
    let (repository, tag) = match rest.split_once(':') {
        Some((repository, tag)) => (repository, Some(tag)),
        None => (rest, None),
    };
    let is_whole = is_repository(repository) && tag.is_none_or(is_tag) && (tag.is_some() || digest.is_some());
    is_whole.then(|| Reference {
        registry: registry.to_ascii_lowercase(),
        repository: repository.to_owned(),
        tag: tag.map(str::to_owned),
        digest,
    })
}

fn is_repository(text: &str) -> bool {
    let is_alphanumeric = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_part = |part: &str| {
        let bytes = part.as_bytes();
        let ends = [bytes.first(), bytes.last()];
        ends.into_iter()
            .all(|end| end.is_some_and(|byte| is_alphanumeric(*byte)))
            && bytes.iter().all(|byte| is_alphanumeric(*byte) || b"._-".contains(byte))
    };
    text.len() <= MAX_REPOSITORY && text.split('/').all(is_part)
}

fn is_tag(text: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.len() <= MAX_TAG
        && text.bytes().next().is_some_and(is_word)
        && text.bytes().all(|byte| is_word(byte) || b".-".contains(&byte))
}

impl Reference {
    /// The registry, as it was named.
    pub fn registry(&self) -> &str {
        &self.registry
    }

    /// The repository in the registry.
    pub fn repository(&self) -> &str {
        &self.repository
    }

    /// The tag.
    pub fn tag(&self) -> Option<&str> {
        self.tag.as_deref()
    }

    /// The digest of the manifest.
    pub fn digest(&self) -> Option<&Digest> {
        self.digest.as_ref()
    }

    /// The name by which the registry is asked for the manifest: what has a digest needs no tag.
    pub fn manifest(&self) -> &str {
        let digest = self.digest.as_ref().map(Digest::as_str);
        digest.or(self.tag()).unwrap_or_default()
    }

    /// The same repository at a digest.
    pub fn at(&self, digest: &Digest) -> Self {
        Self {
            tag: None,
            digest: Some(digest.clone()),
            ..self.clone()
        }
    }

    /// Host and port that answer for the registry.
    pub fn host(&self) -> &str {
        match DOCKER_HUB {
            (name, host) if self.registry == name => host,
            _ => &self.registry,
        }
    }

    /// The name under which Docker's settings have the credentials of the registry.
    pub fn login(&self) -> &str {
        match self.registry == DOCKER_HUB.0 {
            true => "https://index.docker.io/v1/",
            false => &self.registry,
        }
    }

    /// The scheme of the registry's addresses: without TLS only what never leaves the machine.
    pub fn scheme(&self) -> &'static str {
        match Authority::from_str(&self.registry) {
            Ok(authority) if is_loopback(authority.host()) => "http",
            _ => "https",
        }
    }
}

/// True if a host is this machine.
pub fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || bare.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}{}/{}", self.registry, self.repository)?;
        if let Some(tag) = &self.tag {
            write!(f, ":{tag}")?;
        }
        if let Some(digest) = &self.digest {
            write!(f, "@{digest}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Reference {
        text.parse().unwrap()
    }

    #[test]
    fn a_reference_has_a_registry_a_repository_and_a_tag_or_a_digest() {
        let digest = Digest::of(b"abc");
        let tagged = read("oci://Registry.example.org/teams/speech/quartet-tts:1.2_rc.1");
        assert_eq!(
            (tagged.registry(), tagged.repository(), tagged.manifest()),
            ("registry.example.org", "teams/speech/quartet-tts", "1.2_rc.1")
        );
        assert_eq!(
            tagged.at(&digest).to_string(),
            format!("oci://registry.example.org/teams/speech/quartet-tts@{digest}")
        );
        // The digest counts where both are there.
        let both = format!("oci://[::1]:5000/tts:1@{digest}");
        assert_eq!(read(&both).manifest(), digest.to_string());
        assert_eq!(read(&both).to_string(), both);
    }

    #[test]
    fn what_is_none_is_told_what_one_is() {
        for wrong in [
            "oci://registry.example.org/tts",
            "oci://registry.example.org/tts:",
            "oci://registry.example.org/tts@sha256:abc",
            "oci://registry.example.org/TTS:1",
            "oci://registry.example.org/../tts:1",
            "oci://registry.example.org//tts:1",
            "oci://registry.example.org/tts:1?x=y",
            "oci://registry.example.org:/tts:1",
            "oci://user:password@registry.example.org/tts:1",
            "oci://tts:1",
            "oci:///tts:1",
            "https://registry.example.org/tts:1",
        ] {
            let reason = wrong.parse::<Reference>().unwrap_err();
            assert!(
                reason.starts_with(wrong) && reason.contains("REPOSITORY@sha256:"),
                "{reason}"
            );
        }
    }

    #[test]
    fn only_this_machine_is_spoken_to_in_the_clear() {
        for (registry, scheme) in [
            ("localhost:5000", "http"),
            ("127.0.0.1:5000", "http"),
            ("127.9.9.9", "http"),
            ("[::1]:5000", "http"),
            ("localhost.example.org:5000", "https"),
            ("10.0.0.1:5000", "https"),
            ("127.0.0.1.example.org", "https"),
            ("registry.example.org", "https"),
        ] {
            assert_eq!(read(&format!("oci://{registry}/tts:1")).scheme(), scheme, "{registry}");
        }
    }

    #[test]
    fn docker_hub_answers_under_another_name() {
        let hub = read("oci://docker.io/alice/quartet-tts:1");
        assert_eq!(
            (hub.host(), hub.login()),
            ("registry-1.docker.io", "https://index.docker.io/v1/")
        );
        let other = read("oci://registry.example.org/tts:1");
        assert_eq!(
            (other.host(), other.login()),
            ("registry.example.org", "registry.example.org")
        );
    }
}
