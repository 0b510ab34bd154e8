//! Downloads with the host's own client of HTTP, so that no other program need be there. Where the environment names a
//! proxy, the program `curl` does it, which knows all kinds of them.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use http::{Request, StatusCode, Uri, header};
use http_body_util::{BodyExt, Full};
use quartet_models::curl::Curl;
use quartet_models::{Web, WebError, command};
use tokio::runtime::Handle;
use tokio::time::timeout;

use crate::http_client;

/// Time in which a server has to take the connection and begin its answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(15);

/// Time for which a download may stand still.
const STALL_TIMEOUT: Duration = Duration::from_secs(30);

/// Redirects that are followed: publishers send their large files from other hosts.
const MAX_REDIRECTS: usize = 8;

/// Times that a download is taken up again where it was broken off.
const MAX_RESUMPTIONS: usize = 5;

/// Variables that name a proxy for HTTPS.
const PROXIES: [&str; 4] = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];

/// The client of this program.
pub struct Downloads {
    tasks: Handle,
    curl: Option<Curl>,
}

/// An answer that is broken off, or one that leads nowhere.
enum Broken {
    /// It may go on from where it is.
    Off(String),
    /// Asking again changes nothing.
    For(WebError),
}

impl Downloads {
    /// One that waits in this runtime; it is for threads outside of it.
    pub fn new(tasks: Handle) -> Self {
        let proxy = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let curl = (PROXIES.iter().any(proxy) && command::exists("curl")).then_some(Curl { shows: false });
        Self { tasks, curl }
    }
}

impl Web for Downloads {
    fn download(&self, address: &str, file: &Path, size: u64, received: &dyn Fn(u64)) -> Result<(), WebError> {
        if let Some(curl) = &self.curl {
            return curl.download(address, file, size, received);
        }
        let mut attempts = 0;
        loop {
            let before = length(file);
            match self.tasks.block_on(once(address, file, size, received)) {
                Ok(()) => return Ok(()),
                Err(Broken::For(error)) => return Err(error),
                // What brought something may bring the rest.
                Err(Broken::Off(_)) if length(file) > before && attempts < MAX_RESUMPTIONS => attempts += 1,
                Err(Broken::Off(reason)) => return Err(WebError::Failed(reason)),
            }
        }
    }
}

fn length(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |file| file.len())
}

fn failed(reason: impl std::fmt::Display) -> Broken {
    Broken::For(WebError::Failed(reason.to_string()))
}

/// Asks once for what is missing of a file.
async fn once(address: &str, file: &Path, size: u64, received: &dyn Fn(u64)) -> Result<(), Broken> {
    let there = length(file);
    let mut uri: Uri = address.parse().map_err(failed)?;
    let mut redirects = 0;
    let response = loop {
        let client = http_client::new(&uri).map_err(failed)?;
        let mut request = Request::get(&uri).header(header::USER_AGENT, http_client::USER_AGENT);
        if there > 0 {
            request = request.header(header::RANGE, format!("bytes={there}-"));
        }
        let request = request.body(Full::default()).map_err(failed)?;
        let response = match timeout(ANSWER_TIMEOUT, client.request(request)).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(Broken::For(WebError::Unreachable(http_client::reason(error)))),
            Err(_) => return Err(Broken::For(WebError::Unreachable("no answer in time".to_owned()))),
        };
        if !response.status().is_redirection() {
            break response;
        }
        redirects += 1;
        if redirects > MAX_REDIRECTS {
            return Err(failed("it leads from one place to another"));
        }
        uri = target(&uri, response.headers()).map_err(failed)?;
    };
    let goes_on = match response.status() {
        StatusCode::OK => false,
        StatusCode::PARTIAL_CONTENT if begins_at(response.headers(), there) => true,
        StatusCode::RANGE_NOT_SATISFIABLE if there == size => return Ok(()),
        StatusCode::RANGE_NOT_SATISFIABLE | StatusCode::PARTIAL_CONTENT => {
            // It is no beginning of what the server has: the next attempt begins anew.
            let _ = fs::remove_file(file);
            return Err(failed("what was there of it does not fit"));
        }
        status => return Err(failed(format!("the server answers {status}"))),
    };
    let opened = OpenOptions::new().append(true).open(file).ok().filter(|_| goes_on);
    let (mut output, mut bytes) = match opened {
        Some(output) => (output, there),
        None => (File::create(file).map_err(failed)?, 0),
    };
    received(bytes);
    let mut body = response.into_body();
    loop {
        let frame = match timeout(STALL_TIMEOUT, body.frame()).await {
            Ok(None) => return Ok(()),
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(error))) => return Err(Broken::Off(http_client::reason(error))),
            Err(_) => return Err(Broken::Off("nothing came for too long".to_owned())),
        };
        if let Ok(piece) = frame.into_data() {
            bytes += piece.len() as u64;
            if bytes > size {
                return Err(failed(format!("it has more than {size} bytes")));
            }
            output.write_all(&piece).map_err(failed)?;
            received(bytes);
        }
    }
}

/// The address that a redirect leads to. From HTTPS none leads to anything else.
fn target(from: &Uri, headers: &http::HeaderMap) -> Result<Uri, String> {
    let location = headers.get(header::LOCATION).and_then(|value| value.to_str().ok());
    let location = location.ok_or("it leads nowhere")?;
    let origin = || {
        format!(
            "{}://{}",
            from.scheme_str().unwrap_or("https"),
            from.authority().map_or("", |a| a.as_str())
        )
    };
    let to = match location {
        _ if location.starts_with('/') => format!("{}{location}", origin()),
        _ => location.to_owned(),
    };
    let to: Uri = to.parse().map_err(|_| format!("it leads to {location}"))?;
    match (from.scheme_str(), to.scheme_str()) {
        (_, Some("https")) | (Some("http"), Some("http")) => Ok(to),
        _ => Err(format!("it leads to {to}, which is no HTTPS")),
    }
}

/// True if an answer with a part of a file begins at this byte.
fn begins_at(headers: &http::HeaderMap, byte: u64) -> bool {
    let range = headers.get(header::CONTENT_RANGE).and_then(|value| value.to_str().ok());
    let first = range.and_then(|range| range.strip_prefix("bytes ")?.split('-').next()?.parse::<u64>().ok());
    first == Some(byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::net::TcpListener;

    /// A server that gives each connection the next of these answers, and returns what it was asked.
    fn server(answers: Vec<Vec<u8>>) -> (String, std::thread::JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let thread = std::thread::spawn(move || {
            let serve = |answer: Vec<u8>| {
                let (mut stream, _) = listener.accept().unwrap();
                let mut asked = Vec::new();
                let mut piece = [0; 1024];
                while !asked.ends_with(b"\r\n\r\n") {
                    let read = stream.read(&mut piece).unwrap();
                    asked.extend(&piece[..read]);
                }
                stream.write_all(&answer).unwrap();
                String::from_utf8(asked).unwrap()
            };
            answers.into_iter().map(serve).collect()
        });
        (address, thread)
    }

    fn download(address: &str, file: &Path, size: u64) -> Result<(), WebError> {
        let tasks = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let downloads = Downloads {
            tasks: tasks.handle().clone(),
            curl: None,
        };
        downloads.download(address, file, size, &|_| {})
    }

    #[test]
    fn what_breaks_off_goes_on_where_it_was() {
        let (address, server) = server(vec![
            b"HTTP/1.1 302 Found\r\nlocation: /there\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec(),
            b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nabc".to_vec(),
            b"HTTP/1.1 302 Found\r\nlocation: /there\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec(),
            b"HTTP/1.1 206 Partial Content\r\ncontent-range: bytes 3-5/6\r\ncontent-length: 3\r\n\r\ndef".to_vec(),
        ]);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        download(&format!("{address}/here"), &file, 6).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"abcdef");
        let asked = server.join().unwrap();
        assert!(asked[1].starts_with("GET /there "), "{}", asked[1]);
        assert!(asked[3].contains("range: bytes=3-"), "{}", asked[3]);
    }

    #[test]
    fn what_is_not_there_too_large_or_not_answered_is_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let (address, _server) = server(vec![
            b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec(),
            b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nabcdef".to_vec(),
        ]);
        let reason = |error: Result<(), WebError>| error.unwrap_err().to_string();
        assert!(reason(download(&address, &file, 6)).contains("404"));
        assert!(reason(download(&address, &file, 5)).contains("more than 5 bytes"));
        let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let error = download(&format!("http://{nobody}/"), &file, 6).unwrap_err();
        assert!(matches!(error, WebError::Unreachable(_)), "{error}");
    }

    #[test]
    fn a_redirect_never_leaves_https() {
        let to = |from: &str, location: &str| {
            let headers = [(header::LOCATION, location.parse().unwrap())].into_iter().collect();
            target(&from.parse().unwrap(), &headers).map(|uri| uri.to_string())
        };
        assert_eq!(to("https://a.example/x", "/y").unwrap(), "https://a.example/y");
        assert_eq!(
            to("http://a.example/x", "https://b.example/y").unwrap(),
            "https://b.example/y"
        );
        assert!(to("https://a.example/x", "http://b.example/y").is_err());
        assert!(to("https://a.example/x", "file:///etc/passwd").is_err());
    }
}
