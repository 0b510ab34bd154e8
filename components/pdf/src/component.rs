//! Entry point of the component: its exports, its routes, and the host's imports as the context of the operations.

use std::time::Duration;

use quartet_api::{limits, operations as paths};
use quartet_component_sdk::keyvalue::KeyValue;
use quartet_component_sdk::system::{Stopwatch, random_bytes};
use quartet_component_sdk::wasi::bindings;
use quartet_component_sdk::wasi::http_types::{IncomingRequest, ResponseOutparam};
use quartet_component_sdk::{Failure, Request, Response, ResponseTime, Route};
use quartet_embeddings::Embedder;
use quartet_grounding::Writer;
use quartet_inference::import::Imported;
use quartet_llm_client::import::Imported as Model;
use quartet_text_analysis::Embed;

use crate::operations::{self, Asked, Context, ToExtract, ToSummarize, Work};
use crate::scans::Scans;

/// Second after which reading of a document stops, with the usual time to respond.
const READING_SECONDS: u64 = 18;
/// Second after which a page that is being recognised is left as it is, with the usual time to respond: a batch of lines
/// takes up to two seconds, and what is made of the text little.
const RECOGNITION_SECONDS: u64 = 22;
/// Time after which no more embeddings of passages are computed while somebody waits for an answer. The rest follows
/// with the next questions.
const EMBEDDING_TIME: Duration = Duration::from_secs(8);

/// Times of an answer.
struct Times {
    reading: Duration,
    recognition: Duration,
    embedding: Duration,
    /// The time until which a language model may write.
    answering: Duration,
}

impl Times {
    /// The times of an answer that somebody waits for without hearing anything.
    fn whole() -> Self {
        let response = ResponseTime::of(variable);
        Self {
            reading: response.end_of_part(READING_SECONDS),
            recognition: response.end_of_part(RECOGNITION_SECONDS),
            embedding: EMBEDDING_TIME,
            answering: response.end_of_part(limits::CHAT_ANSWER_SECONDS),
        }
    }
}

/// Times of an answer whose progress is told.
const STREAMED: Times = Times {
    reading: Duration::from_secs(limits::DOCUMENT_STREAM_SECONDS),
    recognition: Duration::from_secs(limits::DOCUMENT_STREAM_SECONDS),
    embedding: EMBEDDING_TIME,
    answering: Duration::from_secs(limits::DOCUMENT_STREAM_SECONDS + limits::CHAT_STREAM_SECONDS),
};

struct Component;

impl bindings::Guest for Component {
    fn init() {
        quartet_ocr::init();
    }
}

impl bindings::exports::wasi::http::incoming_handler::Guest for Component {
    fn handle(request: IncomingRequest, response: ResponseOutparam) {
        quartet_component_sdk::wasi::serve(ROUTES, request, response);
    }
}

bindings::export!(Component with_types_in quartet_component_sdk::wasi::bindings);

const ROUTES: &[Route] = &[
    Route {
        operation: &paths::PDF_EXTRACT_TEXT,
        handler: |request| answer::<ToExtract>(&paths::PDF_EXTRACT_TEXT, request),
    },
    Route {
        operation: &paths::PDF_SUMMARIZE,
        handler: |request| answer::<ToSummarize>(&paths::PDF_SUMMARIZE, request),
    },
    Route {
        operation: &paths::PDF_CHAT,
        handler: |request| answer::<Asked>(&paths::PDF_CHAT, request),
    },
    Route {
        operation: &paths::PDF_FORGET,
        handler: |request| with_context(&Times::whole(), |context| operations::forget(request, context)),
    },
    Route {
        operation: &paths::PDF_EMBEDDINGS,
        handler: embeddings,
    },
];

fn embeddings(request: &mut Request) -> Result<Response, Failure> {
    let stopwatch = Stopwatch::start();
    let time = Times::whole().recognition;
    let embedder = Embedder::new(&Imported).ok();
    operations::embeddings(request, embedder.as_ref(), &|| stopwatch.elapsed() < time)
}

/// Answers whole, or with events where the client takes them.
fn answer<W: Work>(operation: &paths::Operation, request: &mut Request) -> Result<Response, Failure> {
    if !operation.answer.streams(request.header("accept")) {
        return with_context(&Times::whole(), |context| operations::answer::<W>(request, context));
    }
    let work = W::read(request, random_bytes)?;
    let session = work.session().clone();
    let id = request.id().map(str::to_owned);
    let mut response = Response::events(move |out| {
        with_context(&STREAMED, |context| {
            operations::stream(work, context, id.as_deref(), out)
        })
    });
    session.announce(&mut response);
    Ok(response)
}

/// A variable of the environment.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Runs something with the host's functions as its context, its times counted from now on.
fn with_context<R>(times: &Times, run: impl FnOnce(&Context<'_>) -> R) -> R {
    let stopwatch = Stopwatch::start();
    let time_left = || stopwatch.elapsed() < times.reading;
    let time_is_up = || stopwatch.elapsed() >= times.recognition;
    let time_to_learn = || stopwatch.elapsed() < times.embedding;
    let milliseconds_left = || stopwatch.milliseconds_left(times.answering);
    let wanted = quartet_grounding::is_enabled(variable);
    let embedder = Embedder::new(&Imported).ok();
    let scans = Scans {
        graphs: &Imported,
        time_is_up: &time_is_up,
    };
    run(&Context {
        store: &KeyValue,
        random: random_bytes,
        time_left: &time_left,
        ocr: Some(&scans),
        embed: embedder.as_ref().map(|embedder| embedder as &dyn Embed),
        time_to_learn: &time_to_learn,
        writer: wanted.then_some(Writer {
            model: &Model,
            milliseconds_left: &milliseconds_left,
        }),
        tell: &|_| {},
    })
}
