//! Requests to servers of the test's own, through the hook that components reach.

use http_body_util::Full;
use hyper::service::service_fn;
use rcgen::generate_simple_self_signed;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use wasmtime_wasi_http::WasiHttpHooks;

use super::*;
use crate::host_functions::network::Network;

/// Every name is this machine's.
fn local(_: String) -> Found {
    Box::pin(async { Ok(vec![IpAddr::from([127, 0, 0, 1])]) })
}

fn nothing(_: String) -> Found {
    Box::pin(async { Err(io::Error::other("no such name")) })
}

/// Bounds that a test waits for.
const BOUNDS: Bounds = Bounds {
    connect: Duration::from_secs(5),
    first_byte: Duration::from_millis(300),
    between_bytes: Duration::from_millis(300),
    request_bytes: 1_000,
    response_bytes: 1_000,
};

/// A server that answers by path, with what it was sent; returns its port.
async fn server(tls: Option<TlsAcceptor>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let tls = tls.clone();
            tokio::spawn(async move {
                let stream: Box<dyn Stream> = match tls {
                    Some(tls) => match tls.accept(stream).await {
                        Ok(stream) => Box::new(stream),
                        Err(_) => return,
                    },
                    None => Box::new(stream),
                };
                let service = service_fn(|request: Request<hyper::body::Incoming>| async move {
                    let path = request.uri().to_string();
                    if path == "/slow" {
                        tokio::time::sleep(Duration::from_secs(60)).await;
                    }
                    let host = request.headers().get("host").cloned();
                    let sent = request.into_body().collect().await?.to_bytes();
                    let body = match path.as_str() {
                        "/large" => "x".repeat(5_000),
                        _ => format!("{path} {host:?} {}", String::from_utf8_lossy(&sent)),
                    };
                    Ok::<_, hyper::Error>(Response::new(Full::new(Bytes::from(body))))
                });
                // What becomes of it is the client's to say.
                let _ = hyper::server::conn::http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), service)
                    .await;
            });
        }
    });
    port
}

async fn send(policy: &str, resolve: Resolve, roots: RootCertStore, uri: &str, body: &str) -> Result<String, Error> {
    let sender = Sender::new(Policy::parse(policy).unwrap(), BOUNDS, resolve, roots).unwrap();
    let mut hooks = Network(Arc::new(sender));
    let body = Full::new(Bytes::from(body.to_owned())).map_err(|never| match never {});
    let uri: Uri = uri.parse().unwrap();
    let request = Request::builder()
        .method("POST")
        .header("host", uri.authority().unwrap().as_str())
        .uri(uri)
        .body(body.boxed_unsync())
        .unwrap();
    let (response, driver) = Pin::from(hooks.send_request(request, None, Box::new(async { Ok(()) }))).await?;
    let driver = tokio::spawn(Pin::from(driver));
    let body = response.into_body().collect().await?.to_bytes();
    driver.abort();
    Ok(String::from_utf8_lossy(&body).into_owned())
}

#[tokio::test]
async fn a_listed_host_is_reached_at_the_address_that_was_checked() {
    let port = server(None).await;
    let list = format!("http://a.example:{port}, http://127.0.0.1:{port}");
    let uri = format!("http://a.example:{port}/find?q=1");
    let answer = send(&list, local, RootCertStore::empty(), &uri, "hello").await.unwrap();
    assert_eq!(answer, format!("/find?q=1 Some(\"a.example:{port}\") hello"));
}

#[tokio::test]
async fn what_the_policy_refuses_is_not_connected_to() {
    let port = server(None).await;
    let uri = format!("http://a.example:{port}/");
    let empty = RootCertStore::empty;
    let unlisted = send("", local, empty(), &uri, "").await.unwrap_err();
    assert!(matches!(unlisted, Error::HttpRequestDenied), "{unlisted}");
    // The name is listed; that it leads to this machine was not.
    let list = format!("http://a.example:{port}");
    let private = send(&list, local, empty(), &uri, "").await.unwrap_err();
    assert!(matches!(private, Error::DestinationIpProhibited), "{private}");
    let unknown = send(&list, nothing, empty(), &uri, "").await.unwrap_err();
    assert!(matches!(unknown, Error::DnsError { .. }), "{unknown}");
}

#[tokio::test]
async fn time_and_size_are_bounded() {
    let port = server(None).await;
    let list = format!("http://127.0.0.1:{port}");
    let to = |path: &str| format!("http://127.0.0.1:{port}{path}");
    let empty = RootCertStore::empty;
    let slow = send(&list, nothing, empty(), &to("/slow"), "").await.unwrap_err();
    assert!(matches!(slow, Error::HttpResponseTimeout), "{slow}");
    let large = send(&list, nothing, empty(), &to("/large"), "").await.unwrap_err();
    assert!(matches!(large, Error::HttpResponseBodySize(_)), "{large}");
    let sent = send(&list, nothing, empty(), &to("/"), &"x".repeat(5_000)).await;
    assert!(sent.is_err(), "a request over the limit was sent");
}

#[tokio::test]
async fn a_certificate_must_be_trusted_and_for_the_host() {
    let made = generate_simple_self_signed(vec!["a.example".to_owned()]).unwrap();
    let key = made.signing_key.serialize_der().try_into().unwrap();
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    let port = server(Some(TlsAcceptor::from(Arc::new(config)))).await;
    let list = format!("https://a.example:{port}, https://b.example:{port}, https://127.0.0.1:{port}");
    let mut trusting = RootCertStore::empty();
    trusting.add(made.cert.der().clone()).unwrap();
    let to = |host: &str| format!("https://{host}:{port}/");
    let good = send(&list, local, trusting.clone(), &to("a.example"), "x").await;
    assert!(good.unwrap().starts_with("/ "));
    for (roots, host) in [(RootCertStore::empty(), "a.example"), (trusting, "b.example")] {
        let refused = send(&list, local, roots, &to(host), "x").await.unwrap_err();
        assert!(matches!(refused, Error::Tls(_)), "{host}: {refused}");
    }
}

/// A server that answers in one piece and is gone.
async fn hasty() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = [0; 1024];
            let _ = tokio::io::AsyncReadExt::read(&mut stream, &mut head).await;
            let answer = b"HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\nconnection: close\r\n\r\nno";
            let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, answer).await;
        }
    });
    port
}

#[tokio::test]
async fn a_response_that_is_over_with_its_connection_is_a_response() {
    let port = hasty().await;
    let list = format!("http://127.0.0.1:{port}");
    for _ in 0..50 {
        let answer = send(&list, nothing, RootCertStore::empty(), &format!("{list}/"), "").await;
        assert_eq!(answer.unwrap(), "no");
    }
}
