//! The edge between `wasi:http` and this crate's types. The only file that knows WASI's HTTP.

use std::io::{self, Read, Write};

use quartet_api::Code;

use crate::edge::{self, Entry, Standing};
use crate::failure::Failure;
use crate::request::Request;
use crate::response::{Body, Response};
use crate::route::{Route, answer};

/// Bindings to the worlds in `wit/`. Components export themselves with [`bindings::export`].
#[allow(missing_docs, reason = "generated from wit/, where the documentation is")]
pub mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "capability",
        generate_all,
        pub_export_macro: true,
        default_bindings_module: "quartet_component_sdk::wasi::bindings",
    });
}

use bindings::quartet::edge::gate;
use bindings::wasi::http::types::{
    Fields, IncomingBody, IncomingRequest, Method, OutgoingBody, OutgoingResponse, ResponseOutparam, Scheme,
};
use bindings::wasi::io::streams::{InputStream, OutputStream, StreamError};

pub use bindings::wasi::http::types as http_types;

/// Answers one request of `wasi:http/incoming-handler`.
pub fn serve(routes: &[Route], incoming: IncomingRequest, out: ResponseOutparam) {
    let entry = gate::enter(&incoming).map(entry);
    let mut request = read_head(incoming);
    let response = match entry {
        Some(entry) => edge::admit(routes, &mut request, entry),
        None => answer(routes, &mut request),
    };
    send(response, out);
}

fn entry(entry: gate::Entry) -> Entry {
    let gate::Entry {
        request_id,
        body_bytes,
        standing,
        refusal,
    } = entry;
    Entry {
        request_id,
        body_bytes,
        standing: standing.map(|standing| Standing {
            quota: standing.quota,
            remaining: standing.remaining,
            reset: standing.reset,
        }),
        refusal: refusal.map(|gate::Refusal { code, message }| {
            Failure::new(Code::from_word(&code).unwrap_or(Code::Internal), message)
        }),
    }
}

fn read_head(incoming: IncomingRequest) -> Request {
    let method = match incoming.method() {
        Method::Get => "GET".to_owned(),
        Method::Head => "HEAD".to_owned(),
        Method::Post => "POST".to_owned(),
        Method::Put => "PUT".to_owned(),
        Method::Delete => "DELETE".to_owned(),
        Method::Connect => "CONNECT".to_owned(),
        Method::Options => "OPTIONS".to_owned(),
        Method::Trace => "TRACE".to_owned(),
        Method::Patch => "PATCH".to_owned(),
        Method::Other(name) => name,
    };
    let target = incoming.path_with_query().unwrap_or_default();
    let path = target.split('?').next().unwrap_or_default().to_owned();
    let headers = incoming
        .headers()
        .entries()
        .into_iter()
        .map(|(name, value)| (name.to_ascii_lowercase(), value))
        .collect();
    let secure = matches!(incoming.scheme(), Some(Scheme::Https));
    Request {
        method,
        path,
        secure,
        headers,
        body: Box::new(LazyBody::Unopened(Some(incoming))),
    }
}

/// The body of a request, opened when it is first read: most requests have none, and each step of opening one is a call
/// out of the sandbox.
enum LazyBody {
    /// Nobody asked for it. Without a request there is nothing to open.
    Unopened(Option<IncomingRequest>),
    /// It is being read.
    Open(BodyReader),
}

impl Read for LazyBody {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self {
                LazyBody::Open(reader) => return reader.read(buffer),
                LazyBody::Unopened(request) => match request.take().and_then(BodyReader::open) {
                    Some(reader) => *self = LazyBody::Open(reader),
                    None => return Ok(0),
                },
            }
        }
    }
}

/// The body of a request. Fields drop in order: the stream before the body, the body before the request.
struct BodyReader {
    stream: InputStream,
    _body: IncomingBody,
    _request: IncomingRequest,
}

impl BodyReader {
    fn open(request: IncomingRequest) -> Option<Self> {
        let body = request.consume().ok()?;
        let stream = body.stream().ok()?;
        Some(Self {
            stream,
            _body: body,
            _request: request,
        })
    }
}

impl Read for BodyReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match self.stream.blocking_read(buffer.len() as u64) {
                Ok(bytes) if bytes.is_empty() => continue,
                Ok(bytes) => {
                    buffer[..bytes.len()].copy_from_slice(&bytes);
                    return Ok(bytes.len());
                }
                Err(StreamError::Closed) => return Ok(0),
                Err(StreamError::LastOperationFailed(error)) => {
                    return Err(io::Error::other(error.to_debug_string()));
                }
            }
        }
    }
}

/// The status of a new response.
const DEFAULT_STATUS: u16 = 200;

/// The most that one blocking write takes, in bytes.
const BLOCKING_WRITE_BYTES: usize = 4096;

fn send(response: Response, out: ResponseOutparam) {
    let length = match &response.body {
        Body::Whole(bytes) => Some(bytes.len() as u64),
        Body::Stream { length, .. } => *length,
        Body::Written(_) => None,
    };
    let mut entries: Vec<(String, Vec<u8>)> = response
        .headers
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.into_bytes()))
        .collect();
    if let Some(length) = length {
        entries.push(("content-length".to_owned(), length.to_string().into_bytes()));
    }
    // Header names are ours and values are printable: a refusal is a defect, and the host reports the trap.
    let headers = Fields::from_list(&entries).expect("valid response headers");
    let head = OutgoingResponse::new(headers);
    if response.status != DEFAULT_STATUS {
        head.set_status_code(response.status).expect("valid status");
    }
    let body = head.body().expect("the body of a new response");
    // The head goes first: the body's stream only drains once the response is out.
    ResponseOutparam::set(out, Ok(head));
    let stream = body.write().expect("the stream of a new body");
    let sent = write_body(BodyWriter { stream }, response.body);
    // Where the client left there is nobody to tell; dropping an unfinished body says so to the host.
    if sent.is_ok() {
        let _ = OutgoingBody::finish(body, None);
    }
}

fn write_body(mut writer: BodyWriter, body: Body) -> io::Result<()> {
    match body {
        // One call out of the sandbox instead of four.
        Body::Whole(bytes) if bytes.len() <= BLOCKING_WRITE_BYTES => {
            return writer.stream.blocking_write_and_flush(&bytes).map_err(closed);
        }
        Body::Whole(bytes) => writer.write_all(&bytes)?,
        Body::Stream { chunks, .. } => {
            for chunk in chunks {
                writer.write_all(&chunk)?;
            }
        }
        Body::Written(write) => write(&mut writer)?,
    }
    writer.flush()
}

struct BodyWriter {
    stream: OutputStream,
}

impl Write for BodyWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        let permitted = loop {
            match self.stream.check_write().map_err(closed)? {
                0 => self.stream.subscribe().block(),
                permitted => break permitted,
            }
        };
        let length = bytes.len().min(usize::try_from(permitted).unwrap_or(usize::MAX));
        self.stream.write(&bytes[..length]).map_err(closed)?;
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.blocking_flush().map_err(closed)
    }
}

fn closed(_: StreamError) -> io::Error {
    io::ErrorKind::BrokenPipe.into()
}
