//! TLS with the crate `rustls`: certificate and key from files, which may be replaced while the service runs.

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// The protocols that are offered, the preferred one first.
const ALPN_PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// The certificate for new connections. Connections that are open keep theirs.
#[derive(Default)]
pub struct Tls(ArcSwapOption<ServerConfig>);

impl Tls {
    /// Takes a certificate with its chain, and its key, both PEM.
    ///
    /// # Errors
    /// When one of them cannot be used, or they do not belong together.
    pub fn replace(&self, certificate: &[u8], key: &[u8]) -> Result<(), String> {
        let chain: Vec<_> = CertificateDer::pem_slice_iter(certificate)
            .collect::<Result<_, _>>()
            .map_err(|error| format!("the certificate is no PEM: {error}"))?;
        if chain.is_empty() {
            return Err("there is no certificate in the certificate's file".to_owned());
        }
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|error| format!("the key cannot be read: {error}"))?;
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key))
            .map_err(|error| format!("certificate and key cannot be used: {error}"))?;
        config.alpn_protocols = ALPN_PROTOCOLS.iter().map(|protocol| protocol.to_vec()).collect();
        self.0.store(Some(Arc::new(config)));
        Ok(())
    }

    /// The acceptor for the next connection; `None` before there was a certificate.
    pub fn acceptor(&self) -> Option<TlsAcceptor> {
        self.0.load_full().map(TlsAcceptor::from)
    }
}
