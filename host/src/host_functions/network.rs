//! `wasi:http/outgoing-handler`: hands the requests of components to the one place that sends them.

use std::sync::Arc;

use wasmtime_wasi_http::{RequestOptions, WasiBody, WasiHttpHooks};

use super::send::Sender;

/// Hands outgoing requests to the one place that sends them.
pub struct Network(pub Arc<Sender>);

type Sent<T> = Box<dyn Future<Output = Result<T, wasmtime_wasi_http::Error>> + Send>;

impl WasiHttpHooks for Network {
    fn send_request(
        &mut self,
        request: http::Request<WasiBody>,
        options: Option<RequestOptions>,
        _: Sent<()>,
    ) -> Sent<(http::Response<WasiBody>, Sent<()>)> {
        let sender = Arc::clone(&self.0);
        Box::new(async move {
            let (response, driver) = sender.send(request, options).await?;
            Ok((response, Box::new(driver) as Sent<()>))
        })
    }

    // Small pieces, so that the first bytes of a stream leave early and a slow reader holds little memory.
    fn p2_outgoing_body_chunk_size(&mut self) -> usize {
        64 * 1024
    }
}
