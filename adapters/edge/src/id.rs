//! Request ids.

/// The longest name that a client may give, in characters.
const MAX_REQUEST_ID_BYTES: usize = 64;

/// The client's own name for its request, where that is a sensible one, as the host takes it.
pub fn given(header: Option<&[u8]>) -> Option<String> {
    let id = std::str::from_utf8(header?).ok()?;
    let sensible = (1..=MAX_REQUEST_ID_BYTES).contains(&id.len())
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    sensible.then(|| id.to_owned())
}

/// A name of 128 random bits.
pub fn made(random: &[u8]) -> String {
    random.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sensible_names_are_taken() {
        assert_eq!(given(Some(b"my-id.7")).as_deref(), Some("my-id.7"));
        for name in [&b""[..], b"a b", b"a\nb", "é".as_bytes(), &[b'x'; 65], b"\xff"] {
            assert_eq!(given(Some(name)), None, "{name:?}");
        }
        assert_eq!(given(None), None);
    }
}
