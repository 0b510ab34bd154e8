//! The admin interface over its socket.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::UnixStream;

/// A way to it.
#[derive(Debug)]
pub struct Admin {
    socket: PathBuf,
    token: String,
}

impl Admin {
    /// The interface of a service with this folder.
    ///
    /// # Errors
    /// When there is no token.
    pub fn new(home: &Path) -> Result<Self> {
        let token = fs::read_to_string(home.join("admin.token")).context("reading the admin interface's token")?;
        Ok(Self {
            socket: home.join("admin.sock"),
            token: token.trim().to_owned(),
        })
    }

    /// Has a new version of a capability serve.
    ///
    /// # Errors
    /// When it is refused.
    pub async fn swap(&self, capability: &str, component: Bytes) -> Result<Value> {
        self.post(&format!("/admin/v1/components/{capability}/swap"), component)
            .await
    }

    /// Has the version before serve again.
    ///
    /// # Errors
    /// When there is none.
    pub async fn roll_back(&self, capability: &str) -> Result<Value> {
        self.post(&format!("/admin/v1/components/{capability}/rollback"), Bytes::new())
            .await
    }

    async fn post(&self, path: &str, body: Bytes) -> Result<Value> {
        let stream = UnixStream::connect(&self.socket)
            .await
            .context("connecting to the admin interface")?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        // It ends with the answer.
        tokio::spawn(connection);
        let request = Request::post(path)
            .header("host", "localhost")
            .header("authorization", format!("Bearer {}", self.token))
            .body(Full::new(body))?;
        let response = sender.send_request(request).await?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        if !status.is_success() {
            bail!("{status}: {}", String::from_utf8_lossy(&body));
        }
        serde_json::from_slice(&body).context("the admin interface's answer")
    }
}
