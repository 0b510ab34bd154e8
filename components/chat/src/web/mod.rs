//! Pages of the web: fetched within limits of size and time, as their `robots.txt` allows, and converted to blocks of
//! text.

mod html;
pub mod pages;
mod robots;

#[cfg(test)]
pub(crate) mod tests;

use std::time::Duration;

use quartet_text_analysis::Block;
use thiserror::Error;
use url::Url;

/// The user agent of requests; the first word is its name in `robots.txt`.
pub const USER_AGENT: &str = concat!("Quartet/", env!("CARGO_PKG_VERSION"), " (self-hosted assistant)");

/// Sends requests, as far as the host lets them out.
pub trait Web {
    /// Gets all of these at once, at most `most` bytes of each. Those that are not there when the request has run for
    /// `until` are given up. Redirects are not followed.
    fn get(&self, urls: &[Url], most: usize, until: Duration) -> Vec<Result<Reply, WebError>>;
}

/// The reply of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// The header of this name.
    pub content_type: Option<String>,
    /// The header of this name.
    pub location: Option<String>,
    /// The header of this name.
    pub last_modified: Option<String>,
    /// The body, or its beginning.
    pub body: Vec<u8>,
}

/// Error of a request.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WebError {
    /// The host lets no request there.
    #[error("the host does not let requests there")]
    Refused,
    /// It cannot be reached, or broke off.
    #[error("it cannot be reached")]
    Unreachable,
    /// It took too long.
    #[error("it did not answer in time")]
    TimedOut,
}

/// The clock of a request.
pub trait Clock {
    /// The time since it began.
    fn elapsed(&self) -> Duration;
}

/// The readable content of a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// The date of its last change, else of its publication, such as `2024-02-29`.
    pub date: Option<String>,
    /// Its text.
    pub blocks: Vec<Block>,
}
