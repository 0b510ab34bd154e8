//! Doors: the paths of other services' APIs that are answered here, for clients that can be given an address and a key, but
//! speak no other API.

use http::Method;

use crate::config::Ingress;
use crate::failure::Form;

/// The beginning of the paths of OpenAI's API, and of those that are made after it. Clients are given it, with the address
/// before it, as the base URL.
pub const BASE_PATH: &str = "/v1";

/// The beginnings of the paths of docling-serve.
const DOCLING_PATHS: [&str; 4] = ["/v1/convert", "/v1/status", "/v1/result", "/health"];

/// The part of a door's name that stands for what a path names.
const ID: &str = "{id}";

/// The beginnings of the paths of Tika's server.
const TIKA_PATHS: [&str; 5] = ["/tika", "/rmeta", "/meta", "/detect", "/version"];

/// A path of another service's API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// The models that can be chatted with.
    Models,
    /// One of them.
    Model,
    /// An answer in a conversation.
    ChatCompletions,
    /// The same in the newer form.
    Responses,
    /// Vectors of texts.
    Embeddings,
    /// Speech.
    Speech,
    /// The voices, which are not in OpenAI's API itself.
    Voices,
    /// The models that speak, likewise.
    SpeechModels,
    /// The Markdown of a document's pages, as Mistral has it.
    Ocr,
    /// A file to be read later, as Mistral has it.
    Files,
    /// Such a file: its description, and its end.
    File,
    /// The address by which it is named.
    FileUrl,
    /// The file itself.
    FileContent,
    /// A document in other forms, as docling-serve has it.
    Convert,
    /// The same, as a task that is asked about.
    ConvertLater,
    /// A document inside of JSON.
    ConvertSource,
    /// The same, as a task.
    ConvertSourceLater,
    /// The state of a task.
    TaskStatus,
    /// The answer of a task.
    TaskResult,
    /// A sign of life, as docling-serve gives it.
    Health,
    /// A document's pages, as Open WebUI asks for them.
    Process,
    /// The text of a document, as Tika has it.
    Tika,
    /// The same, in JSON by default.
    TikaText,
    /// The text of a document that comes in a form.
    TikaForm,
    /// The same, in JSON by default.
    TikaFormText,
    /// Its Markdown, as newer versions of Tika have it.
    TikaMarkdown,
    /// Its metadata and its text.
    Rmeta,
    /// The same.
    RmetaText,
    /// The same of a document that comes in a form.
    RmetaForm,
    /// The same.
    RmetaFormText,
    /// Its metadata.
    Meta,
    /// The same of a document that comes in a form.
    MetaForm,
    /// Its media type.
    Detect,
    /// The version, as Tika tells it.
    TikaVersion,
    /// The tools of the Model Context Protocol.
    Mcp,
}

/// Requests of the Wyoming protocol, by their names in logs and metrics; they are no paths.
pub mod wyoming {
    /// Speech.
    pub const SYNTHESIZE: &str = "wyoming/synthesize";
    /// An answer in a conversation.
    pub const TRANSCRIPT: &str = "wyoming/transcript";
    /// Both.
    pub const ALL: [&str; 2] = [SYNTHESIZE, TRANSCRIPT];
}

/// The doors that are open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Open {
    /// True if those of other services' APIs are.
    pub services: bool,
    /// True if [`Door::Mcp`] is.
    pub mcp: bool,
}

impl From<&Ingress> for Open {
    fn from(config: &Ingress) -> Self {
        Self {
            services: config.openai_api,
            mcp: config.mcp,
        }
    }
}

impl Open {
    /// True if a door is open.
    pub const fn has(self, door: Door) -> bool {
        match door {
            Door::Mcp => self.mcp,
            _ => self.services,
        }
    }

    /// The form of failures at a path, if it is one behind an open door.
    pub fn form(self, path: &str) -> Option<Form> {
        form(path).filter(|form| match form {
            Form::Mcp => self.mcp,
            _ => self.services,
        })
    }
}

/// The form of failures at a path, if it is one of another service.
fn form(path: &str) -> Option<Form> {
    let below = |base: &str| {
        path.strip_prefix(base)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    if below("/v1/ocr") || below("/v1/files") {
        Some(Form::Mistral)
    } else if DOCLING_PATHS.into_iter().any(below) {
        Some(Form::Docling)
    } else if below(BASE_PATH) {
        Some(Form::OpenAi)
    } else if TIKA_PATHS.into_iter().any(below) {
        Some(Form::Tika)
    } else {
        let others = [("/process", Form::Own), ("/mcp", Form::Mcp)];
        let found = others.into_iter().find(|(base, _)| below(base));
        found.map(|(_, form)| form)
    }
}

impl Door {
    /// Every door.
    pub const ALL: [Door; 35] = [
        Door::Models,
        Door::Model,
        Door::ChatCompletions,
        Door::Responses,
        Door::Embeddings,
        Door::Speech,
        Door::Voices,
        Door::SpeechModels,
        Door::Ocr,
        Door::Files,
        Door::File,
        Door::FileUrl,
        Door::FileContent,
        Door::Convert,
        Door::ConvertLater,
        Door::ConvertSource,
        Door::ConvertSourceLater,
        Door::TaskStatus,
        Door::TaskResult,
        Door::Health,
        Door::Process,
        Door::Tika,
        Door::TikaText,
        Door::TikaForm,
        Door::TikaFormText,
        Door::TikaMarkdown,
        Door::Rmeta,
        Door::RmetaText,
        Door::RmetaForm,
        Door::RmetaFormText,
        Door::Meta,
        Door::MetaForm,
        Door::Detect,
        Door::TikaVersion,
        Door::Mcp,
    ];

    /// The name in logs and metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Door::Models => "v1/models",
            Door::Model => "v1/models/{id}",
            Door::ChatCompletions => "v1/chat/completions",
            Door::Responses => "v1/responses",
            Door::Embeddings => "v1/embeddings",
            Door::Speech => "v1/audio/speech",
            Door::Voices => "v1/audio/voices",
            Door::SpeechModels => "v1/audio/models",
            Door::Ocr => "v1/ocr",
            Door::Files => "v1/files",
            Door::File => "v1/files/{id}",
            Door::FileUrl => "v1/files/{id}/url",
            Door::FileContent => "v1/files/{id}/content",
            Door::Convert => "v1/convert/file",
            Door::ConvertLater => "v1/convert/file/async",
            Door::ConvertSource => "v1/convert/source",
            Door::ConvertSourceLater => "v1/convert/source/async",
            Door::TaskStatus => "v1/status/poll/{id}",
            Door::TaskResult => "v1/result/{id}",
            Door::Health => "health",
            Door::Process => "process",
            Door::Tika => "tika",
            Door::TikaText => "tika/text",
            Door::TikaForm => "tika/form",
            Door::TikaFormText => "tika/form/text",
            Door::TikaMarkdown => "tika/json/md",
            Door::Rmeta => "rmeta",
            Door::RmetaText => "rmeta/text",
            Door::RmetaForm => "rmeta/form",
            Door::RmetaFormText => "rmeta/form/text",
            Door::Meta => "meta",
            Door::MetaForm => "meta/form",
            Door::Detect => "detect/stream",
            Door::TikaVersion => "version",
            Door::Mcp => "mcp",
        }
    }

    /// The methods that it takes, as `Allow` lists them.
    pub const fn methods(self) -> &'static str {
        match self {
            Door::ChatCompletions
            | Door::Responses
            | Door::Embeddings
            | Door::Speech
            | Door::Ocr
            | Door::Files
            | Door::Convert
            | Door::ConvertLater
            | Door::ConvertSource
            | Door::ConvertSourceLater
            | Door::TikaForm
            | Door::TikaFormText
            | Door::RmetaForm
            | Door::RmetaFormText
            | Door::MetaForm
            | Door::Mcp => "POST",
            Door::Models
            | Door::Model
            | Door::Voices
            | Door::SpeechModels
            | Door::FileUrl
            | Door::FileContent
            | Door::TaskStatus
            | Door::TaskResult
            | Door::Health
            | Door::TikaVersion => "GET",
            Door::File => "GET, DELETE",
            Door::Tika => "GET, PUT",
            Door::Process
            | Door::TikaText
            | Door::TikaMarkdown
            | Door::Rmeta
            | Door::RmetaText
            | Door::Meta
            | Door::Detect => "PUT",
        }
    }

    /// True if it takes a method.
    pub fn takes(self, method: &Method) -> bool {
        self.methods().split(", ").any(|takes| takes == method.as_str())
    }

    /// Returns true if it only tells what there is to choose from.
    pub const fn lists(self) -> bool {
        matches!(self, Door::Models | Door::Model | Door::Voices | Door::SpeechModels)
    }

    /// The door with a path.
    pub fn at(path: &str) -> Option<Self> {
        let name = path.strip_prefix('/')?;
        let is = |door: &Door| match door.name().contains(ID) {
            true => door.id(path).is_some(),
            false => door.name() == name,
        };
        Self::ALL.into_iter().find(is)
    }

    /// The name in a path of this door: of the model, the file, the task.
    pub fn id(self, path: &str) -> Option<&str> {
        let (before, after) = self.name().split_once(ID)?;
        let id = path.strip_prefix('/')?.strip_prefix(before)?.strip_suffix(after)?;
        // Names of models have several parts.
        let is_one = self == Door::Model || !id.contains('/');
        (is_one && !id.is_empty()).then_some(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_doors() {
        for door in Door::ALL {
            let path = format!("/{}", door.name());
            assert_eq!(Door::at(&path), Some(door));
            assert!(form(&path).is_some(), "{path}");
        }
        assert_eq!(Door::at("/v1/models/a/b"), Some(Door::Model));
        assert_eq!(Door::Model.id("/v1/models/a/b"), Some("a/b"));
        assert_eq!(Door::TaskStatus.id("/v1/status/poll/a1"), Some("a1"));
        assert_eq!(Door::TaskResult.id("/v1/status/poll/a1"), None);
        assert_eq!(Door::at("/v1/files/a/url"), Some(Door::FileUrl));
        assert!(Door::File.takes(&Method::DELETE) && !Door::FileUrl.takes(&Method::DELETE));
        for path in [
            "/v1",
            "/v1/models/",
            "/v1/nothing",
            "v1/models",
            "/api/v1/models",
            "/tika/html",
            "/v1/result/",
            "/v1/result/a/b",
            "/v1/status/ws/a",
            "/healthz",
        ] {
            assert_eq!(Door::at(path), None, "{path}");
        }
    }

    #[test]
    fn each_kind_is_open_by_itself() {
        let (services, mcp) = (
            Open {
                services: true,
                mcp: false,
            },
            Open {
                services: false,
                mcp: true,
            },
        );
        assert!(services.has(Door::Tika) && !services.has(Door::Mcp));
        assert!(mcp.has(Door::Mcp) && !mcp.has(Door::Tika));
        assert_eq!((services.form("/mcp"), mcp.form("/mcp")), (None, Some(Form::Mcp)));
        assert_eq!((services.form("/v1"), mcp.form("/v1")), (Some(Form::OpenAi), None));
    }

    #[test]
    fn failures_have_the_form_of_their_service() {
        for (path, form) in [
            ("/v1", Some(Form::OpenAi)),
            ("/v1/", Some(Form::OpenAi)),
            ("/v1/ocr", Some(Form::Mistral)),
            ("/v1/files/a", Some(Form::Mistral)),
            ("/v1/convert/source", Some(Form::Docling)),
            ("/v1/status/ws/a", Some(Form::Docling)),
            ("/v1/result/a", Some(Form::Docling)),
            ("/tika/html", Some(Form::Tika)),
            ("/health", Some(Form::Docling)),
            ("/healthz", None),
            ("/versions", None),
            ("/process", Some(Form::Own)),
            ("/mcp", Some(Form::Mcp)),
            ("/mcp/sse", Some(Form::Mcp)),
            ("/v12", None),
            ("/tikal", None),
            ("/api/v1/chat", None),
        ] {
            assert_eq!(super::form(path), form, "{path}");
        }
    }
}
