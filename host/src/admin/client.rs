//! Asks the admin interface of a running host, for the command line.

use bytes::Bytes;
use http::{Request, header};
use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use quartet_api::FailureBody;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};

use super::{BASE, Token};
use crate::config::{Admin, AdminAddress};

/// Sends a request to `{BASE}{path}` and returns the result, or an error message for a person.
pub fn ask(config: &Admin, method: &str, path: &str, body: Bytes) -> Result<Value, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let nobody = |error: std::io::Error| {
            format!(
                "no host's admin interface can be reached at {}: {error}",
                config.admin_listen
            )
        };
        let token = Token::read(&config.admin_token_file).map_err(|error| {
            format!(
                "the admin interface's token cannot be read from {}: {error}",
                config.admin_token_file.display()
            )
        });
        match &config.admin_listen {
            AdminAddress::Off => Err("`admin_listen` is off, so there is no host to ask".to_owned()),
            AdminAddress::Loopback(address) => {
                let stream = TcpStream::connect(address).await.map_err(nobody)?;
                send(stream, &token?, method, path, body).await
            }
            AdminAddress::Unix(socket) => {
                let stream = UnixStream::connect(socket).await.map_err(nobody)?;
                send(stream, &token?, method, path, body).await
            }
        }
    })
}

async fn send<S>(stream: S, token: &Token, method: &str, path: &str, body: Bytes) -> Result<Value, String>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let broken = |error: &dyn std::fmt::Display| format!("the admin interface gave no answer: {error}");
    let request = Request::builder()
        .method(method)
        .uri(format!("{BASE}{path}"))
        .header(header::HOST, "localhost")
        .header(header::AUTHORIZATION, token.header())
        .body(Full::new(body))
        .map_err(|error| error.to_string())?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
        .await
        .map_err(|error| broken(&error))?;
    tokio::spawn(connection);
    let response = sender.send_request(request).await.map_err(|error| broken(&error))?;
    let status = response.status();
    let bytes = response
        .into_body()
        .collect()
        .await
        .map_err(|error| broken(&error))?
        .to_bytes();
    if !status.is_success() {
        return Err(match serde_json::from_slice::<FailureBody>(&bytes) {
            Ok(failure) => failure.error,
            Err(_) => format!("the admin interface answered with the status {status}"),
        });
    }
    let mut envelope: Value = serde_json::from_slice(&bytes).map_err(|error| broken(&error))?;
    Ok(envelope["data"].take())
}
