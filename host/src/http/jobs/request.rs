//! The request that asked for a job, as it is kept for a replica that goes on with it.

use std::net::IpAddr;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use http::uri::Scheme;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use serde::{Deserialize, Serialize};

use crate::auth::Caller;
use crate::auth::keys::API_KEY_HEADER;

/// Bytes that say how long the head is.
const LENGTH_BYTES: usize = 4;

/// A request that asks for a job.
pub struct Asked<'a> {
    /// Its method.
    pub method: &'a Method,
    /// Its path and query.
    pub uri: &'a Uri,
    /// Its headers.
    pub headers: &'a HeaderMap,
    /// The caller.
    pub caller: &'a Caller,
    /// Its body.
    pub body: &'a Bytes,
}

/// A request that was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRequest {
    /// Its method.
    pub method: Method,
    /// Its path and query.
    pub uri: Uri,
    /// Its headers, without what let the caller in.
    pub headers: HeaderMap,
    /// The caller's address.
    pub address: IpAddr,
    /// The scheme that the caller speaks.
    pub scheme: Scheme,
    /// Its body.
    pub body: Bytes,
}

#[derive(Serialize, Deserialize)]
struct Head {
    method: String,
    uri: String,
    /// Names and values; values in Base64.
    headers: Vec<(String, String)>,
    address: IpAddr,
    scheme: String,
}

impl Asked<'_> {
    /// The request as it is kept: the length of the head, the head, the body. What lets the caller in is not kept: its key
    /// is known by the client that the job is counted for.
    pub fn write(&self) -> Vec<u8> {
        let headers = self.headers.iter();
        let headers = headers.filter(|(name, _)| **name != header::AUTHORIZATION && name.as_str() != API_KEY_HEADER);
        let head = Head {
            method: self.method.to_string(),
            uri: self.uri.path_and_query().map(ToString::to_string).unwrap_or_default(),
            headers: headers
                .map(|(name, value)| (name.to_string(), BASE64_STANDARD.encode(value)))
                .collect(),
            address: self.caller.address,
            scheme: self.caller.scheme.to_string(),
        };
        let head = serde_json::to_vec(&head).unwrap_or_default();
        let length = u32::try_from(head.len()).unwrap_or_default().to_be_bytes();
        [&length[..], &head, self.body].concat()
    }
}

impl KeptRequest {
    /// Reads a request; none where it is not one that was kept.
    pub fn read(mut bytes: Bytes) -> Option<Self> {
        let length = u32::from_be_bytes(*bytes.first_chunk::<LENGTH_BYTES>()?);
        let end = LENGTH_BYTES.checked_add(usize::try_from(length).ok()?)?;
        let head: Head = serde_json::from_slice(bytes.get(LENGTH_BYTES..end)?).ok()?;
        let mut headers = HeaderMap::new();
        for (name, value) in head.headers {
            let value = BASE64_STANDARD.decode(value).ok()?;
            headers.append(HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?);
        }
        Some(Self {
            method: head.method.parse().ok()?,
            uri: head.uri.parse().ok()?,
            headers,
            address: head.address,
            scheme: head.scheme.parse().ok()?,
            body: bytes.split_off(end),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::Clients;

    #[test]
    fn a_request_comes_back_without_what_let_it_in() {
        let sent = [
            ("content-type", "application/json"),
            ("x-session-id", "a"),
            ("authorization", "Bearer k"),
            ("x-api-key", "k"),
        ];
        let headers = sent.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        let headers = HeaderMap::from_iter(headers);
        let address = "2001:db8::1".parse().unwrap();
        let caller = Clients::default().identify(&headers, address, &Scheme::HTTPS);
        let asked = Asked {
            method: &Method::POST,
            uri: &Uri::from_static("/api/v1/chat?a=b"),
            headers: &headers,
            caller: &caller,
            body: &Bytes::from_static(b"{\"message\":\"hello\"}"),
        };
        let written = asked.write();
        assert!(!written.windows(6).any(|window| window == b"Bearer"));
        let kept = KeptRequest::read(written.clone().into()).unwrap();
        assert_eq!((&kept.method, &kept.uri), (asked.method, asked.uri));
        assert_eq!((kept.address, &kept.scheme), (address, &Scheme::HTTPS));
        assert_eq!(kept.body, asked.body);
        assert_eq!(kept.headers.len(), 2);
        assert_eq!(kept.headers["x-session-id"], "a");
        for length in 0..LENGTH_BYTES + 40 {
            assert_eq!(KeptRequest::read(Bytes::copy_from_slice(&written[..length])), None);
        }
    }
}
