//! Names of requests, by which clients, logs and components speak of the same one.

use std::sync::Arc;

use http::HeaderMap;
use quartet_api::REQUEST_ID_HEADER;

/// Longest name that is taken from a client, in bytes.
const MAX_BYTES: usize = 64;

/// The request's name: the client's where it sent one that may stand in a log, else a new one.
pub fn of(headers: &HeaderMap) -> Arc<str> {
    let sensible = |id: &&str| {
        (1..=MAX_BYTES).contains(&id.len())
            && id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    let given = headers
        .get(REQUEST_ID_HEADER)
        .and_then(|value| value.to_str().ok())
        .filter(sensible);
    match given {
        Some(id) => id.into(),
        None => new(),
    }
}

/// A new name; later ones sort behind it.
pub fn new() -> Arc<str> {
    uuid::Uuid::now_v7().simple().to_string().into()
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn id_of(header: Option<&str>) -> String {
        let mut headers = HeaderMap::new();
        if let Some(value) = header {
            headers.insert(REQUEST_ID_HEADER, HeaderValue::from_str(value).unwrap());
        }
        of(&headers).to_string()
    }

    #[test]
    fn takes_sensible_ids_and_makes_others() {
        assert_eq!(id_of(Some("abc-1.2_3")), "abc-1.2_3");
        assert_eq!(id_of(None).len(), 32);
        assert_eq!(id_of(Some("has space")).len(), 32);
        assert_eq!(id_of(Some(&"x".repeat(65))).len(), 32);
        assert_ne!(id_of(None), id_of(None));
    }
}
