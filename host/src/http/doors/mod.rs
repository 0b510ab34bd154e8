//! Answers requests in the form of other services' APIs, OpenAI's above all, by the operations that there are.
//!
//! Each door reads the request, has one or more operations run as a client's requests would be (places, limits, rates,
//! records and versions are the same), and puts their answers into the other form. Nothing of this reaches a component.
//!
//! Requests of strangers are read here by serde and multer, as the heads of requests are by hyper; pictures, documents and
//! texts are looked into by components only, and speech is encoded where it is made.

mod chat;
mod clock;
mod data_url;
mod documents;
mod embeddings;
pub mod events;
mod lists;
mod mcp;
mod object;
pub mod reply;
mod responses;
mod speech;
mod translate;
mod upload;
mod visit;

use http::Response;
use http_body::Body;

use self::clock::unix_time;
pub use self::documents::tasks::go_on as go_on_with_task;
pub use self::mcp::ToolFailure;
use self::reply::json;
pub use self::visit::{Call, Errand, Means, Visit};
use crate::body::ResponseBody;
use crate::door::{Door, Open};
use crate::failure::Failure;

/// The doors of a service.
#[derive(Debug, Clone, Copy)]
pub struct Doors {
    /// Those that are open.
    pub open: Open,
    /// True if whoever has no key may list models and voices.
    pub open_lists: bool,
    /// Time since which the models are there, in seconds since 1970.
    pub since: u64,
}

impl Doors {
    /// The configured doors, now.
    pub fn new(open: Open, open_lists: bool) -> Self {
        Self {
            open,
            open_lists,
            since: unix_time(),
        }
    }

    /// Answers a request at a door.
    ///
    /// # Errors
    /// When the request is wrong, or an operation cannot be run.
    pub async fn answer<B>(
        &self,
        door: Door,
        method: &http::Method,
        uri: &http::Uri,
        body: B,
        visit: Visit<'_>,
    ) -> Result<Response<ResponseBody>, Failure>
    where
        B: Body<Data = bytes::Bytes> + Send + Unpin + 'static,
    {
        let path = uri.path();
        let language_model = || visit.operator().runtime.language.model_name();
        match door {
            Door::Models => Ok(json(&lists::models(language_model(), self.since))),
            Door::Model => lists::model(path, language_model(), self.since).map(|model| json(&model)),
            Door::Voices => Ok(json(&lists::voices())),
            Door::SpeechModels => Ok(json(&lists::speech_models())),
            Door::ChatCompletions => chat::answer(body, visit).await,
            Door::Responses => responses::answer(body, visit).await,
            Door::Embeddings => embeddings::answer(body, visit).await,
            Door::Speech => speech::answer(body, visit).await,
            Door::Ocr => documents::ocr(body, visit).await,
            Door::Files => documents::files::keep(body, visit).await,
            Door::File if method == http::Method::DELETE => documents::files::forget(path, &visit).await,
            Door::File => documents::files::describe(path, &visit).await,
            Door::FileUrl => documents::files::address(path, uri, &visit).await,
            Door::FileContent => documents::files::content(path, &visit).await,
            Door::Convert | Door::ConvertSource => documents::convert(body, visit).await,
            Door::ConvertLater | Door::ConvertSourceLater => documents::tasks::begin(body, visit).await,
            Door::Health => Ok(json(&serde_json::json!({"status": "ok"}))),
            Door::TaskStatus => documents::tasks::status(path, uri.query(), &visit).await,
            Door::TaskResult => documents::tasks::result(path, &visit).await,
            Door::Process => documents::process(body, visit).await,
            Door::Mcp => mcp::answer(body, visit).await,
            Door::Tika if method == http::Method::GET => Ok(documents::tika_greeting()),
            Door::TikaVersion => Ok(documents::tika_version()),
            Door::Tika
            | Door::TikaText
            | Door::TikaForm
            | Door::TikaFormText
            | Door::TikaMarkdown
            | Door::Rmeta
            | Door::RmetaText
            | Door::RmetaForm
            | Door::RmetaFormText
            | Door::Meta
            | Door::MetaForm
            | Door::Detect => documents::tika(door, body, visit).await,
        }
    }
}
