//! A request as components see it.

use std::io::{self, Read};

use quartet_api::{Code, limits};

use crate::bounded_body::TooLarge;
use crate::failure::Failure;

/// One request. The body is read on demand, once.
pub struct Request {
    /// As on the wire: `GET`, `POST`.
    pub method: String,
    /// Without the query.
    pub path: String,
    /// True if the client speaks HTTPS.
    pub secure: bool,
    /// Names in lower case.
    pub headers: Vec<(String, Vec<u8>)>,
    /// Unread rest of the body.
    pub body: Box<dyn Read + Send>,
}

impl Request {
    /// The first value of a header, by its lower-case name, where it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        let (_, value) = self.headers.iter().find(|(key, _)| key == name)?;
        std::str::from_utf8(value).ok()
    }

    /// All values of a header that are text.
    pub fn headers_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let values = self.headers.iter().filter(move |(key, _)| key == name);
        values.filter_map(|(_, value)| std::str::from_utf8(value).ok())
    }

    /// The request's name in the host's log.
    pub fn id(&self) -> Option<&str> {
        self.header(quartet_api::REQUEST_ID_HEADER)
    }

    /// The media type of the body in lower case, without parameters.
    pub fn media_type(&self) -> Option<String> {
        let value = self.header("content-type")?;
        Some(value.split(';').next().unwrap_or("").trim().to_ascii_lowercase())
    }

    /// Checks the body's media type.
    pub fn expect_media_type(&self, expected: &str) -> Result<(), Failure> {
        match self.media_type() {
            Some(media_type) if media_type == expected => Ok(()),
            Some(media_type) => Err(Failure::new(
                Code::UnsupportedMediaType,
                format!(
                    "the content type is {}; this operation takes {expected}",
                    crate::failure::quoted(&media_type)
                ),
            )),
            None => Err(Failure::new(
                Code::UnsupportedMediaType,
                format!("the header Content-Type is missing; this operation takes {expected}"),
            )),
        }
    }

    /// Reads the whole body, up to [`limits::COMPONENT_BODY_BYTES`].
    pub fn read_body(&mut self) -> Result<Vec<u8>, Failure> {
        let limit = limits::COMPONENT_BODY_BYTES;
        let declared = self
            .header("content-length")
            .and_then(|value| value.parse::<u64>().ok());
        if declared.is_some_and(|length| length > limit) {
            return Err(too_large(limit));
        }
        let mut bytes = Vec::with_capacity(declared.unwrap_or(0) as usize);
        (&mut self.body)
            .take(limit + 1)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        if bytes.len() as u64 > limit {
            return Err(too_large(limit));
        }
        Ok(bytes)
    }
}

/// The failure for a body over the limit.
pub fn too_large(limit: u64) -> Failure {
    Failure::new(
        Code::PayloadTooLarge,
        format!("the request's body is larger than the {limit} bytes allowed"),
    )
}

/// The failure for a body that could not be read to its end: it ended early, or went on beyond its limit.
pub fn unreadable(error: io::Error) -> Failure {
    if let Some(TooLarge(limit)) = error.get_ref().and_then(|inner| inner.downcast_ref()) {
        return too_large(*limit);
    }
    Failure::new(
        Code::MalformedRequest,
        "the request's body ended before it was complete",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(headers: &[(&str, &str)], body: Vec<u8>) -> Request {
        Request {
            method: "POST".into(),
            path: "/".into(),
            secure: false,
            headers: headers
                .iter()
                .map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()))
                .collect(),
            body: Box::new(io::Cursor::new(body)),
        }
    }

    #[test]
    fn media_type_ignores_case_and_parameters() {
        let request = request(&[("content-type", "Application/JSON; charset=utf-8")], vec![]);
        assert_eq!(request.media_type().as_deref(), Some("application/json"));
        assert!(request.expect_media_type("application/json").is_ok());
        assert_eq!(
            request.expect_media_type("text/plain").unwrap_err().code,
            Code::UnsupportedMediaType
        );
    }

    #[test]
    fn body_over_the_limit_is_refused_with_and_without_a_length() {
        let limit = limits::COMPONENT_BODY_BYTES;
        let declared = &mut request(&[("content-length", &(limit + 1).to_string())], vec![]);
        assert_eq!(declared.read_body().unwrap_err().code, Code::PayloadTooLarge);
        let chunked = &mut request(&[], vec![b' '; limit as usize + 1]);
        assert_eq!(chunked.read_body().unwrap_err().code, Code::PayloadTooLarge);
        let fits = &mut request(&[], vec![b' '; limit as usize]);
        assert_eq!(fits.read_body().unwrap().len() as u64, limit);
    }
}
