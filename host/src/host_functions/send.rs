//! Sends the HTTP requests of components that the policy lets through.
//!
//! The connection goes to the address that was checked, not to the name again, so a name that answers differently a
//! moment later gains nothing. One connection a request and HTTP/1.1: nothing of one request is left for the next.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, Uri};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, timeout};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{self as tls, ClientConfig, RootCertStore};
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody};

use crate::policy::outgoing::{Policy, Refused, Target};

/// Limits of one outgoing request. A component can ask for less time, not for more.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Time to find the address, to connect and to agree on encryption, together.
    pub connect: Duration,
    /// Time until the head of the response is there.
    pub first_byte: Duration,
    /// Longest time without a byte of the response.
    pub between_bytes: Duration,
    /// Bytes of the request's body.
    pub request_bytes: u64,
    /// Bytes of the response's body.
    pub response_bytes: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            first_byte: Duration::from_secs(30),
            between_bytes: Duration::from_secs(10),
            request_bytes: 1024 * 1024,
            response_bytes: 8 * 1024 * 1024,
        }
    }
}

/// Bytes of the head of a response.
const MAX_HEAD_BYTES: usize = 64 * 1024;

type Found = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Finds the addresses of a name.
pub type Resolve = fn(String) -> Found;

/// The system's resolver.
pub fn system_resolver(name: String) -> Found {
    Box::pin(async move {
        let found = tokio::net::lookup_host((name, 0)).await?;
        Ok(found.map(|address| address.ip()).collect())
    })
}

/// Sends requests.
pub struct Sender {
    policy: Policy,
    bounds: Bounds,
    resolve: Resolve,
    tls: TlsConnector,
}

/// Drives a connection until its response is over.
pub type Driver = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

impl Sender {
    /// A sender for a policy, which trusts servers whose certificates lead to `roots`. Fails where the encryption
    /// library cannot be set up.
    pub fn new(policy: Policy, bounds: Bounds, resolve: Resolve, roots: RootCertStore) -> Result<Self, tls::Error> {
        let config = ClientConfig::builder_with_provider(Arc::new(tls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self {
            policy,
            bounds,
            resolve,
            tls: TlsConnector::from(Arc::new(config)),
        })
    }

    /// Sends one request and waits for the head of its response. The driver must run for the body to arrive.
    pub async fn send(
        self: Arc<Self>,
        request: Request<WasiBody>,
        options: Option<RequestOptions>,
    ) -> Result<(Response<WasiBody>, Driver), Error> {
        let target = self.policy.target(request.uri()).map_err(refused)?;
        let asked = |of: fn(&RequestOptions) -> Option<Duration>, most: Duration| {
            options.as_ref().and_then(of).map_or(most, |time| time.min(most))
        };
        let connect = asked(|options| options.connect_timeout, self.bounds.connect);
        let first_byte = asked(|options| options.first_byte_timeout, self.bounds.first_byte);
        let between_bytes = asked(|options| options.between_bytes_timeout, self.bounds.between_bytes);
        let stream = timeout(connect, self.connect(&target))
            .await
            .map_err(|_| Error::ConnectionTimeout)??;
        let (mut sender, connection) = http1::Builder::new()
            .max_buf_size(MAX_HEAD_BYTES)
            .handshake(TokioIo::new(stream))
            .await?;
        let mut driver: Driver = Box::pin(async move { connection.await.map_err(Error::from) });
        let request = origin_form(request, self.bounds.request_bytes)?;
        let mut answer = Box::pin(sender.send_request(request));
        let response = async {
            tokio::select! {
                biased;
                response = &mut answer => Ok((response?, driver)),
                // A short response is there as soon as its connection is over.
                ended = &mut driver => {
                    ended?;
                    let over: Driver = Box::pin(async { Ok(()) });
                    Ok::<_, Error>((answer.await?, over))
                }
            }
        };
        let (response, driver) = timeout(first_byte, response)
            .await
            .map_err(|_| Error::HttpResponseTimeout)??;
        let bounded = |body| Bounded {
            inner: body,
            left: self.bounds.response_bytes,
            too_large: Error::HttpResponseBodySize,
            pause: Some((between_bytes, Box::pin(tokio::time::sleep(between_bytes)))),
        };
        Ok((response.map(|body| bounded(body).boxed_unsync()), driver))
    }

    async fn connect(&self, target: &Target) -> Result<Box<dyn Stream>, Error> {
        let found = match target.address() {
            Some(address) => vec![address],
            None => (self.resolve)(target.host.clone()).await.map_err(|_| Error::DnsError {
                rcode: None,
                info_code: None,
            })?,
        };
        let addresses = self.policy.addresses(target, &found).map_err(refused)?;
        let mut last = Error::DestinationNotFound;
        for address in addresses {
            match TcpStream::connect(SocketAddr::new(address, target.port)).await {
                Ok(stream) => return self.encrypt(target, stream).await,
                Err(error) => last = Error::Connect(error),
            }
        }
        Err(last)
    }

    async fn encrypt(&self, target: &Target, stream: TcpStream) -> Result<Box<dyn Stream>, Error> {
        if !target.tls {
            return Ok(Box::new(stream));
        }
        let name = match target.address() {
            Some(address) => ServerName::IpAddress(address.into()),
            None => ServerName::try_from(target.host.clone()).map_err(|_| Error::HttpRequestUriInvalid)?,
        };
        let stream = self.tls.connect(name, stream).await.map_err(Error::Tls)?;
        Ok(Box::new(stream))
    }
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

fn refused(refusal: Refused) -> Error {
    tracing::warn!(%refusal, "a component's request is not sent");
    match refusal {
        Refused::Address => Error::HttpRequestUriInvalid,
        Refused::Unlisted(_) => Error::HttpRequestDenied,
        Refused::Private(_) => Error::DestinationIpProhibited,
    }
}

/// A request as a server, and not a proxy, takes it; with a body of at most `limit` bytes.
fn origin_form(request: Request<WasiBody>, limit: u64) -> Result<Request<Bounded<WasiBody>>, Error> {
    let (mut parts, body) = request.into_parts();
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    parts.uri = path.parse::<Uri>().map_err(|_| Error::HttpRequestUriInvalid)?;
    let body = Bounded {
        inner: body,
        left: limit,
        too_large: Error::HttpRequestBodySize,
        pause: None,
    };
    Ok(Request::from_parts(parts, body))
}

/// A body that ends with an error when it is too large, or stands still for too long.
struct Bounded<B> {
    inner: B,
    left: u64,
    too_large: fn(Option<u64>) -> Error,
    pause: Option<(Duration, Pin<Box<Sleep>>)>,
}

impl<B: Body<Data = Bytes> + Unpin> Body for Bounded<B>
where
    B::Error: Into<Error>,
{
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        match Pin::new(&mut self.inner).poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => {
                if let Some((time, timer)) = &mut self.pause {
                    timer.as_mut().reset(Instant::now() + *time);
                }
                let length = frame.data_ref().map_or(0, |data| data.len() as u64);
                match self.left.checked_sub(length) {
                    Some(left) => {
                        self.left = left;
                        Poll::Ready(Some(Ok(frame)))
                    }
                    None => Poll::Ready(Some(Err((self.too_large)(None)))),
                }
            }
            Poll::Ready(Some(Err(error))) => Poll::Ready(Some(Err(error.into()))),
            Poll::Ready(None) => Poll::Ready(None),
            Poll::Pending => {
                if let Some((_, timer)) = &mut self.pause {
                    ready!(timer.as_mut().poll(context));
                    return Poll::Ready(Some(Err(Error::ConnectionReadTimeout)));
                }
                Poll::Pending
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests;
