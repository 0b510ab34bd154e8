//! A client over HTTP/1.1 with an address of its own on the loopback network, which can read slowly and leave early.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::{Response, header};
use hyper_util::rt::TokioIo;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::requests::Request;

/// Longer than any answer may take but a stream that is read slowly.
const PATIENCE: Duration = Duration::from_secs(120);

/// Time after which an idle connection is not used again: the service closes it soon after.
const IDLE: Duration = Duration::from_secs(20);

/// Bytes that the system keeps for one who reads slowly, so that the service has to wait for him.
const SLOW_BUFFER: u32 = 16 * 1024;

/// Manner in which an answer is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// As fast as it comes, to its end.
    Whole,
    /// At so many bytes a second, to its end or for so long.
    Slowly {
        /// Bytes a second.
        rate: usize,
        /// Time after which the client leaves.
        most: Duration,
    },
    /// The client leaves after so long, wherever the answer is.
    LeaveAfter(Duration),
    /// The client leaves when it has sent so many bytes of the request's body.
    LeaveInUpload(usize),
}

/// Outcome of a request.
#[derive(Debug)]
pub enum Ending {
    /// An answer, to its end.
    Answered(Answer),
    /// The client left.
    Left,
    /// The connection was refused, cut or stood still; the reason in words.
    Broken(String),
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Media type.
    pub content_type: String,
    /// The request's id in the service's log.
    pub request_id: String,
    /// The body.
    pub body: Bytes,
    /// Time until its head had come.
    pub head: Duration,
    /// Time until its last byte had come.
    pub total: Duration,
}

impl Answer {
    /// The body as JSON; null where it is none.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// A client.
pub struct Client {
    from: Ipv4Addr,
    to: SocketAddr,
    connection: Option<Connection>,
}

struct Connection {
    sender: SendRequest<Full<Bytes>>,
    driver: JoinHandle<()>,
    used: Instant,
}

impl Drop for Connection {
    fn drop(&mut self) {
        // Closes the socket at once, whatever is on the way.
        self.driver.abort();
    }
}

impl Client {
    /// A client by number: each has an address of its own, from 127.1.0.1 on, as the service counts clients by address.
    pub fn new(to: SocketAddr, number: u16) -> Self {
        let [high, low] = (number + 1).to_be_bytes();
        Self {
            from: Ipv4Addr::new(127, 1, high, low),
            to,
            connection: None,
        }
    }

    /// Sends a request and reads the answer in some manner.
    pub async fn send(&mut self, request: &Request, manner: Manner) -> Ending {
        match manner {
            Manner::Whole => self.patiently(request).await,
            Manner::LeaveAfter(time) => match timeout(time, self.patiently(request)).await {
                Ok(ending) => ending,
                Err(_) => {
                    self.connection = None;
                    Ending::Left
                }
            },
            Manner::LeaveInUpload(bytes) => match self.leave_in_upload(request, bytes).await {
                Ok(()) => Ending::Left,
                Err(error) => Ending::Broken(error.to_string()),
            },
            Manner::Slowly { rate, most } => self.slowly(request, rate, most).await,
        }
    }

    async fn patiently(&mut self, request: &Request) -> Ending {
        let answered = match timeout(PATIENCE, self.answer(request)).await {
            Ok(answered) => answered,
            Err(_) => Err(format!("no whole answer within {} s", PATIENCE.as_secs())),
        };
        match answered {
            Ok(answer) => Ending::Answered(answer),
            Err(reason) => {
                self.connection = None;
                Ending::Broken(reason)
            }
        }
    }

    async fn answer(&mut self, request: &Request) -> Result<Answer, String> {
        let built = request.build(self.to)?;
        let usable = |connection: &Connection| !connection.sender.is_closed() && connection.used.elapsed() < IDLE;
        let mut connection = match self.connection.take().filter(usable) {
            Some(connection) => connection,
            None => connect(self.socket(None)?, self.to).await?,
        };
        let start = Instant::now();
        // One that the service closes after its last answer may be seen to be closed only now; nothing was sent on it.
        if connection.sender.ready().await.is_err() {
            connection = connect(self.socket(None)?, self.to).await?;
            connection.sender.ready().await.map_err(reason)?;
        }
        let response = connection.sender.send_request(built).await.map_err(reason)?;
        let head = start.elapsed();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.map_err(cut)?.to_bytes();
        connection.used = Instant::now();
        self.connection = Some(connection);
        Ok(answer_of(&Response::from_parts(parts, ()), body, head, start.elapsed()))
    }

    /// Takes a connection of its own, whose buffers are small.
    async fn slowly(&self, request: &Request, rate: usize, most: Duration) -> Ending {
        let reading = async {
            let built = request.build(self.to)?;
            let mut connection = connect(self.socket(Some(SLOW_BUFFER))?, self.to).await?;
            let start = Instant::now();
            let response = connection.sender.send_request(built).await.map_err(reason)?;
            let head = start.elapsed();
            let (parts, mut body) = response.into_parts();
            let mut read = Vec::new();
            while let Some(frame) = body.frame().await {
                let Ok(data) = frame.map_err(cut)?.into_data() else {
                    continue;
                };
                read.extend_from_slice(&data);
                let due = Duration::from_secs_f64(read.len() as f64 / rate as f64);
                sleep((head + due).saturating_sub(start.elapsed())).await;
            }
            Ok(answer_of(
                &Response::from_parts(parts, ()),
                read.into(),
                head,
                start.elapsed(),
            ))
        };
        match timeout(most, reading).await {
            Err(_) => Ending::Left,
            Ok(Ok(answer)) => Ending::Answered(answer),
            Ok(Err(reason)) => Ending::Broken(reason),
        }
    }

    async fn leave_in_upload(&self, request: &Request, bytes: usize) -> std::io::Result<()> {
        let socket = self.socket(None).map_err(std::io::Error::other)?;
        let mut stream = socket.connect(self.to).await?;
        stream.write_all(request.head(self.to).as_bytes()).await?;
        stream
            .write_all(&request.body[..bytes.min(request.body.len().saturating_sub(1))])
            .await?;
        stream.flush().await
    }

    /// Sends bytes that may be no request, and returns the answer's status if there is one.
    pub async fn send_raw(&self, bytes: &[u8]) -> Result<Option<u16>, String> {
        use tokio::io::AsyncReadExt;

        let exchange = async {
            let mut stream = self.socket(None)?.connect(self.to).await.map_err(|e| e.to_string())?;
            // The service may answer and close before it has read all.
            let _ = stream.write_all(bytes).await;
            let _ = stream.shutdown().await;
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer).await;
            let line = String::from_utf8_lossy(&answer);
            Ok(line.split(' ').nth(1).and_then(|status| status.parse().ok()))
        };
        timeout(PATIENCE, exchange)
            .await
            .unwrap_or_else(|_| Err("the connection stays open".to_owned()))
    }

    fn socket(&self, receive_buffer: Option<u32>) -> Result<TcpSocket, String> {
        let made = || {
            let socket = TcpSocket::new_v4()?;
            if let Some(bytes) = receive_buffer {
                socket.set_recv_buffer_size(bytes)?;
            }
            socket.bind(SocketAddr::from((self.from, 0)))?;
            std::io::Result::Ok(socket)
        };
        made().map_err(|error| format!("no socket from {}: {error}", self.from))
    }
}

async fn connect(socket: TcpSocket, to: SocketAddr) -> Result<Connection, String> {
    let connected = timeout(PATIENCE, socket.connect(to)).await;
    let stream: TcpStream = connected
        .map_err(|_| "no connection in time".to_owned())?
        .map_err(|error| format!("no connection: {error}"))?;
    let _ = stream.set_nodelay(true);
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(reason)?;
    let driver = tokio::spawn(async move {
        // Whoever waits for an answer hears of it.
        let _ = connection.await;
    });
    Ok(Connection {
        sender,
        driver,
        used: Instant::now(),
    })
}

fn answer_of(response: &Response<()>, body: Bytes, head: Duration, total: Duration) -> Answer {
    let text = |name: &str| {
        let value = response.headers().get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    Answer {
        status: response.status().as_u16(),
        content_type: text(header::CONTENT_TYPE.as_str()),
        request_id: text(quartet_api::REQUEST_ID_HEADER),
        body,
        head,
        total,
    }
}

fn reason(error: hyper::Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

fn cut(error: hyper::Error) -> String {
    format!("the answer was cut off: {}", reason(error))
}
