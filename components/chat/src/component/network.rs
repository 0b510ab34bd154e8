//! Requests to the web by `wasi:http/outgoing-handler`, several at once, until a common deadline.

use std::rc::Rc;
use std::time::Duration;

use url::Url;

use super::clock::RequestClock;
use super::imports::wasi::clocks::monotonic_clock;
use super::imports::wasi::http::outgoing_handler;
use super::imports::wasi::http::types::{
    ErrorCode, Fields, FutureIncomingResponse, IncomingBody, IncomingResponse, Method, OutgoingRequest, RequestOptions,
    Scheme,
};
use super::imports::wasi::io::poll;
use super::imports::wasi::io::streams::{InputStream, StreamError};
use crate::web::{Clock as _, Reply, USER_AGENT, Web, WebError};

/// Bytes that are read at once.
const READ_BYTES: u64 = 64 * 1024;

/// The web, as far as the host lets requests out.
pub(super) struct Network(pub Rc<RequestClock>);

impl Web for Network {
    fn get(&self, urls: &[Url], most: usize, until: Duration) -> Vec<Result<Reply, WebError>> {
        let left = until.saturating_sub(self.0.elapsed());
        let mut fetches: Vec<_> = urls.iter().map(|url| Fetch::begin(url, left)).collect();
        let end = monotonic_clock::subscribe_duration(u64::try_from(left.as_nanos()).unwrap_or(u64::MAX));
        loop {
            let pollables: Vec<_> = fetches.iter().map(Fetch::subscribe).collect();
            let mut waiting: Vec<_> = pollables.iter().flatten().collect();
            if waiting.is_empty() {
                break;
            }
            waiting.push(&end);
            let ready = poll::poll(&waiting);
            let at_end = waiting.len() - 1;
            let over = ready.iter().any(|index| *index as usize == at_end);
            drop(waiting);
            // The indices of the fetches that are ready.
            let mut place = 0;
            let mut steps = Vec::new();
            for (index, pollable) in pollables.iter().enumerate() {
                if pollable.is_some() {
                    if ready.contains(&place) {
                        steps.push(index);
                    }
                    place += 1;
                }
            }
            drop(pollables);
            for index in steps {
                fetches[index].step(most);
            }
            if over {
                break;
            }
        }
        fetches.into_iter().map(Fetch::finish).collect()
    }
}

/// One request on its way.
enum Fetch {
    Waiting(FutureIncomingResponse),
    /// Fields drop in order: the stream before the body, the body before the response.
    Reading {
        stream: InputStream,
        _body: IncomingBody,
        _response: IncomingResponse,
        reply: Reply,
    },
    Done(Result<Reply, WebError>),
}

impl Fetch {
    fn begin(url: &Url, left: Duration) -> Self {
        match send(url, left) {
            Ok(future) => Fetch::Waiting(future),
            Err(error) => Fetch::Done(Err(error)),
        }
    }

    fn subscribe(&self) -> Option<poll::Pollable> {
        match self {
            Fetch::Waiting(future) => Some(future.subscribe()),
            Fetch::Reading { stream, .. } => Some(stream.subscribe()),
            Fetch::Done(_) => None,
        }
    }

    /// Continues a fetch that is ready.
    fn step(&mut self, most: usize) {
        match self {
            Fetch::Waiting(future) => match future.get() {
                None => {}
                Some(Ok(Ok(response))) => *self = read(response),
                Some(Ok(Err(error))) => *self = Fetch::Done(Err(web_error(&error))),
                Some(Err(())) => *self = Fetch::Done(Err(WebError::Unreachable)),
            },
            Fetch::Reading { stream, reply, .. } => {
                match stream.read(READ_BYTES) {
                    Ok(bytes) => {
                        let room = most - reply.body.len();
                        reply.body.extend_from_slice(&bytes[..bytes.len().min(room)]);
                        if reply.body.len() < most {
                            return;
                        }
                    }
                    Err(StreamError::Closed) => {}
                    // Half a page is not told from a whole one; it is read as far as it came.
                    Err(StreamError::LastOperationFailed(_)) if !reply.body.is_empty() => {}
                    Err(StreamError::LastOperationFailed(_)) => {
                        *self = Fetch::Done(Err(WebError::Unreachable));
                        return;
                    }
                }
                *self = Fetch::Done(Ok(std::mem::take(reply)));
            }
            Fetch::Done(_) => {}
        }
    }

    /// The result at the deadline: of a page that is incomplete, its beginning.
    fn finish(self) -> Result<Reply, WebError> {
        match self {
            Fetch::Waiting(_) => Err(WebError::TimedOut),
            Fetch::Reading { reply, .. } if reply.body.is_empty() => Err(WebError::TimedOut),
            Fetch::Reading { reply, .. } => Ok(reply),
            Fetch::Done(result) => result,
        }
    }
}

fn send(url: &Url, left: Duration) -> Result<FutureIncomingResponse, WebError> {
    let headers = [
        ("user-agent", USER_AGENT),
        (
            "accept",
            "text/html,application/xhtml+xml,application/json,text/plain;q=0.9,*/*;q=0.1",
        ),
        ("accept-encoding", "identity"),
    ];
    let headers: Vec<_> = headers
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec()))
        .collect();
    let headers = Fields::from_list(&headers).map_err(|_| WebError::Unreachable)?;
    let request = OutgoingRequest::new(headers);
    let scheme = match url.scheme() {
        "http" => Scheme::Http,
        "https" => Scheme::Https,
        _ => return Err(WebError::Refused),
    };
    // User information before an `@` in an address is not sent.
    let authority = match (url.host_str(), url.port()) {
        (Some(host), Some(port)) => format!("{host}:{port}"),
        (Some(host), None) => host.to_owned(),
        (None, _) => return Err(WebError::Refused),
    };
    let path = url
        .query()
        .map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
    let set = request
        .set_method(&Method::Get)
        .and_then(|()| request.set_scheme(Some(&scheme)))
        .and_then(|()| request.set_authority(Some(&authority)))
        .and_then(|()| request.set_path_with_query(Some(&path)));
    set.map_err(|()| WebError::Unreachable)?;
    let options = RequestOptions::new();
    let time = u64::try_from(left.as_nanos()).ok();
    // Hosts that know no such limits are left by the clock.
    let _ = options.set_connect_timeout(time);
    let _ = options.set_first_byte_timeout(time);
    let _ = options.set_between_bytes_timeout(time);
    outgoing_handler::handle(request, Some(options)).map_err(|error| web_error(&error))
}

fn read(response: IncomingResponse) -> Fetch {
    let headers = response.headers();
    let header = |name: &str| {
        let value = headers.get(name).into_iter().next()?;
        String::from_utf8(value).ok()
    };
    let reply = Reply {
        status: response.status(),
        content_type: header("content-type"),
        location: header("location"),
        last_modified: header("last-modified"),
        body: Vec::new(),
    };
    drop(headers);
    let Ok(body) = response.consume() else {
        return Fetch::Done(Err(WebError::Unreachable));
    };
    let Ok(stream) = body.stream() else {
        return Fetch::Done(Err(WebError::Unreachable));
    };
    Fetch::Reading {
        stream,
        _body: body,
        _response: response,
        reply,
    }
}

fn web_error(error: &ErrorCode) -> WebError {
    match error {
        ErrorCode::HttpRequestDenied | ErrorCode::DestinationIpProhibited | ErrorCode::HttpRequestUriInvalid => {
            WebError::Refused
        }
        ErrorCode::DnsTimeout
        | ErrorCode::ConnectionTimeout
        | ErrorCode::ConnectionReadTimeout
        | ErrorCode::ConnectionWriteTimeout
        | ErrorCode::HttpResponseTimeout => WebError::TimedOut,
        _ => WebError::Unreachable,
    }
}
