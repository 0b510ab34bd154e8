//! Pages of the web: fetched within bounds of size and time, by leave of their `robots.txt`, read to blocks of text.

mod charset;
mod html;
pub mod pages;
mod robots;

#[cfg(test)]
pub(crate) mod tests;

use std::time::Duration;

use quartet_text_analysis::Block;
use thiserror::Error;
use url::Url;

/// What requests say of their sender; the first word is what `robots.txt` calls it.
pub const USER_AGENT: &str = concat!("Quartet/", env!("CARGO_PKG_VERSION"), " (self-hosted assistant)");

/// Sends requests, as far as the host lets them out.
pub trait Web {
    /// Gets all of these at once, at most `most` bytes of each. What is not there when the request has run for `until` is
    /// given up. Redirects are not followed.
    fn get(&self, urls: &[Url], most: usize, until: Duration) -> Vec<Result<Reply, WebError>>;
}

/// What a server answered.
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

/// Why there is no answer.
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

/// How long the request has run.
pub trait Clock {
    /// Since it began.
    fn elapsed(&self) -> Duration;
}

/// A page as people read it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// What it calls itself.
    pub title: String,
    /// When it was written or changed last, such as `2024-02-29`.
    pub date: Option<String>,
    /// Its text.
    pub blocks: Vec<Block>,
}
