//! The admin interface: a listener of its own, on this machine only, behind a token.
//!
//! It is apart from the service's listener, so that it answers when that one is full, and so that nobody reaches it by
//! accident: a Unix socket or a loopback address, nothing else.

pub mod client;
mod pages;
mod scope;
mod token;

use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener, UnixStream};
use tokio::sync::Semaphore;

pub use pages::BASE;
pub use token::Token;

use self::pages::Admin;
use crate::config::{Admin as Settings, AdminAddress, Limits};
use crate::http::app::App;
use crate::registry::deploy::Deployer;
use crate::registry::fleet::Fleet;

/// Connections at the same time.
const MAX_CONNECTIONS: usize = 32;

/// Time for a client to send a request's headers.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);

/// Pause after the system refused a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Starts to listen, if the settings ask for it.
pub async fn start(
    settings: &Settings,
    deployer: &Arc<Deployer>,
    fleet: Option<&Arc<Fleet>>,
    limits: &Limits,
    app: &Arc<App>,
    page: bool,
) -> anyhow::Result<()> {
    let (address, token) = (&settings.admin_listen, settings.admin_token_file.as_path());
    if *address == AdminAddress::Off {
        return Ok(());
    }
    let token = match Token::read_or_make(token) {
        Ok(token) => token,
        // By default it is there where it can be; who asks for it gets it, or hears why not.
        Err(error) if settings.address_is_default => {
            tracing::warn!(path = %token.display(), %error, "no admin interface: its token cannot be kept");
            return Ok(());
        }
        Err(error) => return Err(error).with_context(|| format!("the admin interface's token in {}", token.display())),
    };
    let admin =
        Arc::new(Admin::new(Arc::clone(deployer), token, limits, Arc::clone(app), page).with_fleet(fleet.cloned()));
    match address {
        AdminAddress::Off => {}
        AdminAddress::Loopback(address) => {
            let listener = TcpListener::bind(address)
                .await
                .with_context(|| format!("the admin interface cannot listen on {address}"))?;
            tracing::info!(admin = %listener.local_addr()?, "the admin interface listens");
            tokio::spawn(serve(admin, async move || {
                listener.accept().await.map(|(stream, _)| stream)
            }));
        }
        AdminAddress::Unix(path) => {
            let listener = match bind(path).await {
                Ok(listener) => listener,
                Err(error) if settings.address_is_default => {
                    tracing::warn!(path = %path.display(), %error, "no admin interface; set `admin_listen` for one");
                    return Ok(());
                }
                Err(error) => {
                    return Err(error)
                        .with_context(|| format!("the admin interface cannot listen on {}", path.display()));
                }
            };
            tracing::info!(admin = %path.display(), "the admin interface listens");
            tokio::spawn(serve(admin, async move || {
                listener.accept().await.map(|(stream, _)| stream)
            }));
        }
    }
    Ok(())
}

/// Binds a socket to a path, replacing one that a killed host left behind.
async fn bind(path: &Path) -> std::io::Result<UnixListener> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    if UnixStream::connect(path).await.is_ok() {
        return Err(std::io::Error::new(ErrorKind::AddrInUse, "another host listens there"));
    }
    match std::fs::symlink_metadata(path) {
        Ok(facts) if std::os::unix::fs::FileTypeExt::is_socket(&facts.file_type()) => std::fs::remove_file(path)?,
        _ => {}
    }
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

async fn serve<S>(admin: Arc<Admin>, mut accept: impl AsyncFnMut() -> std::io::Result<S>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let permit = Arc::clone(&connections).acquire_owned().await;
        let stream = match accept().await {
            Ok(stream) => stream,
            Err(error) => {
                tracing::warn!(%error, "no connection to the admin interface can be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let admin = Arc::clone(&admin);
        tokio::spawn(async move {
            let _permit = permit;
            let service = service_fn(move |request| {
                let admin = Arc::clone(&admin);
                async move { Ok::<_, std::convert::Infallible>(admin.handle(request).await) }
            });
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_TIMEOUT)
                .serve_connection(TokioIo::new(stream), service);
            if let Err(error) = connection.await {
                tracing::debug!(%error, "connection to the admin interface ended");
            }
        });
    }
}
