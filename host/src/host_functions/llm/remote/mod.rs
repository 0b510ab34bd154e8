//! A server that speaks OpenAI's protocol: Ollama, vLLM, llama.cpp's server, a cloud.
//!
//! Only the configured address is reached: redirections are not followed, and no proxy is asked. What fails before the
//! first piece of an answer is tried again, with pauses; afterwards nothing is, because half an answer was given
//! already.

mod events;
mod request;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use quartet_llm_engine::pieces::Pieces;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::task::AbortOnDropHandle;

use self::events::{EventContent, Events};
use super::answer::{Answer, AnswerEvent, Work};
use super::metrics::LlmMetrics;
use super::types::{Error, Finish, Model, Options, Outcome, Turn};
use crate::config::{self, Key};
use crate::http_client::{self, Client, USER_AGENT};

/// Pauses before further attempts.
const RETRY_PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(2)];

/// The longest pause that a server may ask for.
const MAX_RETRY_PAUSE: Duration = Duration::from_secs(10);

/// Seconds after which it is worth asking again where nobody says how long.
const RETRY_SECONDS: u32 = 2;

/// Largest response, in bytes.
const MAX_ANSWER_BYTES: usize = 64 * 1024 * 1024;

/// Bytes of a server's words about a failure that go to the log.
const MAX_REASON_BYTES: usize = 2_000;

/// The server.
pub struct Remote {
    config: config::Remote,
    client: Client,
    authorization: Option<HeaderValue>,
    places: Arc<Semaphore>,
}

/// The reason why an attempt gave no answer.
struct Failure {
    error: Error,
    /// The pause before another attempt, if that one may go better.
    again: Option<Duration>,
}

impl Failure {
    fn last(error: Error) -> Self {
        Self { error, again: None }
    }
}

impl Remote {
    /// Reads the key. Sends nothing to the server.
    ///
    /// # Errors
    /// When the key cannot be read or the address not be used.
    pub fn new(config: config::Remote) -> anyhow::Result<Self> {
        let key = match &config.key {
            Key::None => None,
            Key::Text(key) => Some(key.clone()),
            Key::File(path) => Some(std::fs::read_to_string(path).map_err(|error| {
                anyhow::anyhow!(
                    "`language_remote_key_file`, {}, cannot be read: {error}",
                    path.display()
                )
            })?),
        };
        let authorization = key.map(|key| {
            let value = HeaderValue::from_str(&format!("Bearer {}", key.trim()));
            value
                .map(|mut value| {
                    value.set_sensitive(true);
                    value
                })
                .map_err(|_| anyhow::anyhow!("the key of `language_remote` has characters that no key has"))
        });
        Ok(Self {
            client: http_client::new(&config.address)?,
            authorization: authorization.transpose()?,
            places: Arc::new(Semaphore::new(config.requests as usize)),
            config,
        })
    }

    /// Describes the server to the operator.
    pub fn describe(&self) -> String {
        format!("{} at {}", self.config.model, self.config.address)
    }

    /// The model.
    pub fn info(&self) -> Model {
        Model {
            name: self.config.model.clone(),
            context: self.config.context,
            sees: self.config.sees,
            // Loopback is this machine; what a server there passes on is not known here.
            remote: self.config.is_elsewhere(),
            schemas: true,
            // Its operator has chosen it, and knows.
            tools: true,
            reading_speed: None,
        }
    }

    /// Begins an answer.
    pub fn generate(
        self: &Arc<Self>,
        turns: Vec<Turn>,
        options: Options,
        metrics: &LlmMetrics,
    ) -> Result<Answer, Error> {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return Err(Error::Busy(RETRY_SECONDS));
        };
        let (begin, began) = tokio::sync::oneshot::channel::<UnboundedSender<AnswerEvent>>();
        let remote = Arc::clone(self);
        let task = tokio::spawn(async move {
            let Ok(said) = began.await else { return };
            remote.write(&turns, &options, &said).await;
            drop(place);
        });
        let (sender, answer) = Answer::new(metrics, Box::new(AbortOnDropHandle::new(task)));
        let _ = begin.send(sender);
        Ok(answer)
    }

    async fn write(&self, turns: &[Turn], options: &Options, said: &UnboundedSender<AnswerEvent>) {
        let time = options.max_milliseconds.map(|time| Duration::from_millis(time.into()));
        // Without a limit of the component's own, the request's ends it.
        let deadline = Instant::now() + time.unwrap_or(Duration::from_secs(24 * 3600));
        let body = Bytes::from(request::body(&self.config, turns, options).to_string());
        let mut writing = StreamedAnswer {
            pieces: Pieces::new(options.stop.clone()),
            said,
            counted: None,
            piece_count: 0,
            finish: None,
        };
        let last = match timeout_at(deadline, self.attempts(body, &mut writing)).await {
            Ok(Ok(())) => Ok(None),
            Ok(Err(error)) => Err(error),
            Err(_) => Ok(Some(Finish::Time)),
        };
        match last {
            Ok(finish) => writing.end(finish),
            Err(error) => {
                let _ = said.send(AnswerEvent::Failed(error));
            }
        }
    }

    async fn attempts(&self, body: Bytes, writing: &mut StreamedAnswer<'_>) -> Result<(), Error> {
        let mut pauses = RETRY_PAUSES.into_iter();
        loop {
            let failure = match self.attempt(body.clone(), writing).await {
                Ok(()) => return Ok(()),
                Err(failure) => failure,
            };
            let pause = failure.again.filter(|_| writing.piece_count == 0);
            match (pause, pauses.next()) {
                (Some(asked), Some(pause)) => tokio::time::sleep(pause.max(asked)).await,
                _ => return Err(failure.error),
            }
        }
    }

    async fn attempt(&self, body: Bytes, writing: &mut StreamedAnswer<'_>) -> Result<(), Failure> {
        let mut request = Request::post(self.config.address.clone())
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "text/event-stream")
            .header(header::USER_AGENT, USER_AGENT);
        if let Some(key) = &self.authorization {
            request = request.header(header::AUTHORIZATION, key);
        }
        let request = request
            .body(Full::new(body))
            .map_err(|error| Failure::last(failed("the request cannot be made", &error)))?;
        let response = match timeout(self.config.patience, self.client.request(request)).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => {
                let reason = http_client::reason(error);
                tracing::warn!(address = %self.config.address, reason, "the language model's server is not reached");
                return Err(Failure {
                    error: Error::Unavailable("the language model's server is not reached".to_owned()),
                    again: Some(Duration::ZERO),
                });
            }
            Err(_) => return Err(Failure::last(self.silent())),
        };
        if response.status() != StatusCode::OK {
            return Err(self.refused(response).await);
        }
        self.read(response, writing).await
    }

    async fn read(&self, response: Response<Incoming>, writing: &mut StreamedAnswer<'_>) -> Result<(), Failure> {
        let mut body = Limited::new(response.into_body(), MAX_ANSWER_BYTES);
        let mut events = Events::default();
        loop {
            let frame = timeout(self.config.patience, body.frame())
                .await
                .map_err(|_| Failure::last(self.silent()))?;
            let Some(frame) = frame else { break };
            let frame = frame.map_err(|error| Failure::last(failed("the server's answer was cut off", &error)))?;
            let Ok(bytes) = frame.into_data() else { continue };
            let wrong = |reason: String| Failure::last(failed("the server's answer is no answer", &reason));
            for data in events.push(&bytes).map_err(wrong)? {
                if writing.take(events::read(&data).map_err(wrong)?) {
                    return Ok(());
                }
            }
        }
        // Some servers leave the last event out; none leaves out why the answer ended.
        match writing.finish {
            Some(_) => Ok(()),
            None => Err(Failure::last(failed(
                "the server's answer was cut off",
                &"it ended without a reason",
            ))),
        }
    }

    fn silent(&self) -> Error {
        Error::Unavailable(format!(
            "the language model's server said nothing for {} s",
            self.config.patience.as_secs()
        ))
    }

    /// Reads the failure from a status other than 200.
    async fn refused(&self, response: Response<Incoming>) -> Failure {
        let status = response.status();
        let asked = response.headers().get(header::RETRY_AFTER);
        let asked = asked
            .and_then(|seconds| seconds.to_str().ok()?.parse().ok())
            .map(Duration::from_secs);
        let words = timeout(
            self.config.patience,
            Limited::new(response.into_body(), MAX_ANSWER_BYTES).collect(),
        )
        .await;
        let words = words
            .ok()
            .and_then(Result::ok)
            .map(|body| body.to_bytes())
            .unwrap_or_default();
        let words = String::from_utf8_lossy(&words[..words.len().min(MAX_REASON_BYTES)]).into_owned();
        tracing::warn!(address = %self.config.address, %status, words, "the language model's server refuses");
        let number = status.as_u16();
        let error = match number {
            401 | 403 => Error::Unavailable("the language model's server does not take the key".to_owned()),
            404 => Error::MissingModel(format!(
                "the language model's server has no model {}, or nothing at that address",
                self.config.model
            )),
            400 | 413 | 422 => Error::InvalidInput(format!(
                "the language model's server does not take the conversation ({number})"
            )),
            429 => {
                let seconds = asked.map_or(RETRY_SECONDS.into(), |pause| pause.as_secs());
                Error::Busy(u32::try_from(seconds).unwrap_or(u32::MAX).max(1))
            }
            _ => Error::Unavailable(format!("the language model's server answers with {number}")),
        };
        let pause = asked.unwrap_or_default();
        let passing = matches!(number, 408 | 429 | 500 | 502 | 503 | 504) && pause <= MAX_RETRY_PAUSE;
        Failure {
            error,
            again: passing.then_some(pause),
        }
    }
}

// A server says itself what it has no room for.
impl Work for AbortOnDropHandle<()> {}

/// An answer while it is received.
struct StreamedAnswer<'a> {
    pieces: Pieces,
    said: &'a UnboundedSender<AnswerEvent>,
    /// Tokens as the server counts them.
    counted: Option<(u32, u32, u32)>,
    /// Pieces that came: about the tokens of the answer, where the server does not count.
    piece_count: u32,
    finish: Option<Finish>,
}

impl StreamedAnswer<'_> {
    /// Takes an event. Returns true if it was the last one that is needed.
    fn take(&mut self, content: EventContent) -> bool {
        self.counted = content.usage.or(self.counted);
        self.finish = content.finish.or(self.finish);
        if !content.text.is_empty() {
            self.piece_count = self.piece_count.saturating_add(1);
            self.say(|pieces| pieces.push(content.text.as_bytes()));
        }
        if self.pieces.stopped() {
            self.finish = Some(Finish::Stop);
            return true;
        }
        content.done && self.finish.is_some()
    }

    fn say(&mut self, text: impl FnOnce(&mut Pieces) -> String) {
        let text = text(&mut self.pieces);
        if !text.is_empty() {
            // Nothing was computed here.
            let _ = self.said.send(AnswerEvent::Piece(text, Duration::ZERO));
        }
    }

    fn end(mut self, finish: Option<Finish>) {
        self.say(|pieces| std::mem::take(pieces).finish());
        let (prompt_tokens, cached_tokens, answer_tokens) = self.counted.unwrap_or((0, 0, self.piece_count));
        let outcome = Outcome {
            finish: finish.or(self.finish).unwrap_or(Finish::Stop),
            prompt_tokens,
            cached_tokens: cached_tokens.min(prompt_tokens),
            answer_tokens,
            // Servers tell probabilities before the schema, or not at all.
            probability: None,
        };
        // Some servers refuse a request that asks for the probabilities of tokens.
        let _ = self.said.send(AnswerEvent::Ended(outcome, Vec::new(), Duration::ZERO));
    }
}

fn failed(what: &str, reason: &dyn std::fmt::Display) -> Error {
    tracing::warn!(%reason, "language model: {what}");
    Error::Failed(what.to_owned())
}
