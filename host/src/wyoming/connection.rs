//! One connection from its first event to its end. Events are answered one after the other, as they come.

use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use quartet_api::{Code, limits};
use serde::Serialize;
use socket2::SockRef;
use tokio::io::AsyncRead;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::client::{Client, Stopped};
use super::conversation;
use super::event::{End, Event, EventReader};
use super::info::Info;
use super::speech::Speech;
use crate::admission::Pace;
use crate::config::{Limits, Wyoming};
use crate::failure::Failure;
use crate::http::app::App;
use crate::http::server::connection_table::{ConnectionGuard, ConnectionState, Order};

/// Time for which the next piece of a text is waited for: a model that writes it may have to read first, as ours may.
const TEXT_PATIENCE: Duration = Duration::from_secs(limits::CHAT_STREAM_SECONDS);

/// Bytes that the system takes of a connection before its client does, as of those that speak HTTP.
const SYSTEM_SEND_BUFFER_BYTES: usize = 128 * 1024;

/// Time for which is read what a client still sends that was told of a failure.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// The shared parts of all connections.
pub struct Connections {
    app: Arc<App>,
    settings: Wyoming,
    idle: Duration,
    stall: Duration,
    pace: Pace,
    /// Keeps conversations from those who were not told of them.
    secret: String,
}

#[derive(Serialize)]
struct Pong {
    text: Option<String>,
}

impl Connections {
    /// Connections to an application with the configured time-outs.
    pub fn new(app: Arc<App>, settings: Wyoming, limits: &Limits) -> Self {
        Self {
            app,
            settings,
            idle: limits.idle_seconds,
            stall: limits.stall_seconds,
            pace: Pace::new(limits.send_bytes_per_second, limits.stall_seconds),
            secret: uuid::Uuid::new_v4().simple().to_string(),
        }
    }

    /// Serves a connection until it ends, is idle for too long, or is ordered to end.
    pub async fn serve(&self, stream: TcpStream, peer: IpAddr, guard: ConnectionGuard) {
        // Speech is written in small pieces, which must not wait for each other.
        let _ = stream.set_nodelay(true);
        let _ = SockRef::from(&stream).set_send_buffer_size(SYSTEM_SEND_BUFFER_BYTES);
        let (read, write) = stream.into_split();
        let mut reader = EventReader::new(read);
        let mut client = Client::new(peer, write, self.pace, self.stall);
        let ended = match self.settings.lets_in(peer) {
            true => self.answer_all(&mut reader, &mut client, &guard.state).await,
            false => {
                tracing::warn!(client = %peer, "not let in by the Wyoming listener; `wyoming_clients` says who is");
                let problem = "this address is not among those that may use the Wyoming listener";
                Err(Failure::new(Code::Forbidden, problem).into())
            }
        };
        if let Err(Stopped::Failed(failure)) = ended {
            tracing::debug!(client = %peer, problem = failure.message, "a Wyoming client was told of a failure");
            if client.fail(&failure).await.is_ok() {
                client.close().await;
                // Whoever goes on for longer has no right to hear it.
                let _ = timeout(DRAIN_TIMEOUT, reader.drain()).await;
            }
        } else {
            client.close().await;
        }
    }

    async fn answer_all<R: AsyncRead + Unpin>(
        &self,
        reader: &mut EventReader<R>,
        client: &mut Client,
        state: &Arc<ConnectionState>,
    ) -> Result<(), Stopped> {
        let own = uuid::Uuid::new_v4().simple().to_string();
        let mut speech = None;
        let mut ending = false;
        loop {
            if !reader.has_more() {
                // A text that goes on is a request that was begun.
                if ending && speech.is_none() {
                    return Ok(());
                }
                let patience = if speech.is_some() { TEXT_PATIENCE } else { self.idle };
                tokio::select! {
                    biased;
                    order = state.ordered() => {
                        ending = true;
                        if order == Order::Close {
                            return Err(Stopped::Left);
                        }
                        continue;
                    }
                    begun = timeout(patience, reader.begins()) => match begun {
                        Ok(begun) => begun.map_err(stopped)?,
                        Err(_) => return Ok(()),
                    },
                }
            }
            let event = heeding(state, &mut ending, timeout(self.idle, reader.next())).await?;
            let event = event.map_err(|_| too_slow())?.map_err(stopped)?;
            let _request = state.begin();
            let answer = async {
                tokio::select! {
                    // First, so that who has said all and asks no more is answered.
                    biased;
                    answered = self.answer(&event, &mut speech, &own, client) => answered,
                    () = reader.left() => Err(Stopped::Left),
                }
            };
            heeding(state, &mut ending, answer).await??;
        }
    }

    async fn answer(
        &self,
        event: &Event,
        speech: &mut Option<Speech>,
        own: &str,
        client: &mut Client,
    ) -> Result<(), Stopped> {
        let app = &self.app;
        match event.kind.as_str() {
            "describe" => client.send("info", &Info::of(app)).await?,
            "ping" => {
                let text = event.fields()?.text;
                client.send("pong", &Pong { text }).await?;
            }
            // For servers that know no pieces, the whole text comes behind them.
            "synthesize" if speech.is_some() => {}
            "synthesize" => {
                let fields = event.fields()?;
                Speech::begin(&fields)?.whole(fields, app, client).await?;
            }
            "synthesize-start" => *speech = Some(Speech::begin(&event.fields()?)?),
            "synthesize-chunk" => {
                if let Some(speech) = speech {
                    speech.push(event.fields()?, app, client).await?;
                }
            }
            "synthesize-stop" => {
                if let Some(speech) = speech.take() {
                    speech.end(app, client).await?;
                }
            }
            "transcript" => conversation::answer(event.fields()?, own, &self.secret, app, client).await?,
            // As the protocol has it.
            _ => {}
        }
        Ok(())
    }
}

/// Waits for something, and notes whether the connection is ordered to end after it.
async fn heeding<T>(state: &ConnectionState, ending: &mut bool, waited: impl Future<Output = T>) -> Result<T, Stopped> {
    let mut waited = pin!(waited);
    loop {
        tokio::select! {
            biased;
            order = state.ordered() => {
                *ending = true;
                if order == Order::Close {
                    return Err(Stopped::Left);
                }
            }
            done = &mut waited => return Ok(done),
        }
    }
}

fn stopped(end: End) -> Stopped {
    match end {
        End::Left => Stopped::Left,
        End::Broken(failure) => Stopped::Failed(failure),
    }
}

fn too_slow() -> Stopped {
    Stopped::Failed(Failure::new(Code::RequestTimeout, "the event did not come in time"))
}
