//! HTTP client of the host's own requests: `quartet call`, the load generator, and the export of traces.

use std::error::Error;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use http::Uri;
use http_body_util::Full;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};

/// The client's `User-Agent`.
pub const USER_AGENT: &str = concat!("quartet/", env!("CARGO_PKG_VERSION"));

/// A client that keeps its connections.
pub type Client = hyper_util::client::legacy::Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// A client for the server of an address.
///
/// # Errors
/// When the address is `https` and the system has no certificates to know servers by.
pub fn new(address: &Uri) -> io::Result<Client> {
    let builder = HttpsConnectorBuilder::new();
    let builder = if address.scheme_str() == Some("https") {
        // The system's certificates, so that an operator's own authority works as for every other program.
        builder.with_provider_and_native_roots(ring::default_provider())?
    } else {
        // Reading the system's certificates takes milliseconds, and small containers have none.
        let nobody = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth();
        builder.with_tls_config(nobody)
    };
    let connector = builder.https_or_http().enable_http1().build();
    Ok(hyper_util::client::legacy::Client::builder(TokioExecutor::new()).build(connector))
}

/// Formats an error with all its causes: the last one is what a person needs.
pub fn reason(error: impl Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
