//! The peer: a plain hyper handler which answers with bytes that are ready.

use std::convert::Infallible;
use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::Full;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;

/// Starts the handler on threads of its own, as many as the host has for connections, and returns its address.
pub fn start(body: Vec<u8>) -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    listener.set_nonblocking(true).expect("a socket that can wait");
    let body = Bytes::from(body);
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("threads");
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
            while let Ok((stream, _)) = listener.accept().await {
                let body = body.clone();
                let service = service_fn(move |_: Request<hyper::body::Incoming>| {
                    let response = Response::builder()
                        .header("content-type", "application/json")
                        .body(Full::new(body.clone()));
                    async move { Ok::<_, Infallible>(response.expect("a valid response")) }
                });
                let _ = stream.set_nodelay(true);
                tokio::spawn(
                    hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service),
                );
            }
        });
    });
    address
}
