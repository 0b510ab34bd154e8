//! The one table of operations: path, method, what goes in and what comes out.

/// A group of the contract's operations; each is a component of its own. A host may serve others beside these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Capability {
    /// Text to speech.
    Tts,
    /// Pictures.
    Image,
    /// Documents.
    Pdf,
    /// Conversations.
    Chat,
}

impl Capability {
    /// All capabilities of the contract.
    pub const ALL: &'static [Capability] = &[Capability::Tts, Capability::Image, Capability::Pdf, Capability::Chat];

    /// The name in paths, file names and logs.
    pub const fn name(self) -> &'static str {
        match self {
            Capability::Tts => "tts",
            Capability::Image => "image",
            Capability::Pdf => "pdf",
            Capability::Chat => "chat",
        }
    }

    /// The capability of the contract with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|capability| capability.name() == name)
    }

    /// The operation that tells about the capability, where the contract has one.
    pub const fn info(self) -> Option<&'static Operation> {
        match self {
            Capability::Tts => Some(&TTS_INFO),
            Capability::Image | Capability::Pdf => None,
            Capability::Chat => Some(&CHAT_INFO),
        }
    }
}

/// The methods that operations use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Reads.
    Get,
    /// Sends a body and gets a result.
    Post,
    /// The same, as some other services have it; no operation of the contract does.
    Put,
}

impl Method {
    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Put => "PUT",
        }
    }
}

/// The kind of an operation's answers, which decides their budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Complete within the time to respond.
    Whole,
    /// Begins within the time to respond, then goes on for as long as the client reads.
    Stream,
    /// A stream for clients that accept [`EVENT_STREAM`], whole for others.
    Events,
}

/// The media type of server-sent events.
pub const EVENT_STREAM: &str = "text/event-stream";

impl Answer {
    /// Returns true if the answer to a client that sent this header `Accept` is a stream.
    pub fn streams(self, accept: Option<&str>) -> bool {
        match self {
            Answer::Whole => false,
            Answer::Stream => true,
            Answer::Events => accept.is_some_and(|accept| {
                let mut kinds = accept.split(',');
                kinds.any(|kind| {
                    let kind = kind.split(';').next().unwrap_or_default();
                    kind.trim().eq_ignore_ascii_case(EVENT_STREAM)
                })
            }),
        }
    }
}

/// One operation of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// The only method that the path has.
    pub method: Method,
    /// The whole path.
    pub path: &'static str,
    /// The kind of its answers.
    pub answer: Answer,
    /// One line for a person.
    pub summary: &'static str,
}

impl Operation {
    /// The path below the base of all operations, such as `tts/stream`; for operations of the contract and paths like
    /// theirs.
    pub fn name(&self) -> &'static str {
        let below = self.path.strip_prefix(crate::BASE_PATH).unwrap_or(self.path);
        below.strip_prefix('/').unwrap_or(below)
    }

    /// The capability of the contract that answers: the first part of the name.
    pub fn capability(&self) -> Option<Capability> {
        Capability::from_name(self.name().split('/').next()?)
    }
}

/// `POST /tts/generate`.
pub const TTS_GENERATE: Operation = Operation {
    method: Method::Post,
    path: "/api/v1/tts/generate",
    answer: Answer::Events,
    summary: "Speech as Base64 in a JSON envelope",
};

/// `POST /tts/stream`.
pub const TTS_STREAM: Operation = Operation {
    method: Method::Post,
    path: "/api/v1/tts/stream",
    answer: Answer::Stream,
    summary: "Speech as a file, starting at once",
};

/// `GET /tts/voices`.
pub const TTS_VOICES: Operation = Operation {
    method: Method::Get,
    path: "/api/v1/tts/voices",
    answer: Answer::Whole,
    summary: "The five voices",
};

/// `GET /tts/languages`.
pub const TTS_LANGUAGES: Operation = Operation {
    method: Method::Get,
    path: "/api/v1/tts/languages",
    answer: Answer::Whole,
    summary: "The twelve languages",
};

/// `GET /tts/info`.
pub const TTS_INFO: Operation = Operation {
    method: Method::Get,
    path: "/api/v1/tts/info",
    answer: Answer::Whole,
    summary: "Engine, formats, defaults, limits, licences",
};

/// `POST /image/analyze`.
pub const IMAGE_ANALYZE: Operation = Operation {
    method: Method::Post,
    path: "/api/v1/image/analyze",
    answer: Answer::Whole,
    summary: "A description of a picture, and the facts it is made of",
};

/// `POST /image/extract-text`.
pub const IMAGE_EXTRACT_TEXT: Operation = Operation {
    method: Method::Post,
    path: "/api/v1/image/extract-text",
    answer: Answer::Whole,
    summary: "All text in a picture",
};

/// `POST /image/detect-objects`.
pub const IMAGE_DETECT_OBJECTS: Operation = Operation {
    method: Method::Post,
    path: "/api/v1/image/detect-objects",
    answer: Answer::Whole,
    summary: "The things in a picture",
};

/// `POST /image/chat`.
pub const IMAGE_CHAT: Operation = Operation {
    method: Method::Post,
    path: "/api/v1/image/chat",
    answer: Answer::Whole,
    summary: "An answer about an earlier picture",
};

/// `POST /image/forget`, which the contract does not have.
pub const IMAGE_FORGET: Operation = Operation {
    method: Method::Post,
    path: "/api/v1/image/forget",
    answer: Answer::Whole,
    summary: "Forgets an earlier picture",
};

/// `POST /pdf/extract-text`.
pub const PDF_EXTRACT_TEXT: Operation = Operation {
    method: Method::Post,
    path: "/api/v1/pdf/extract-text",
    answer: Answer::Events,
    summary: "All text of a document, page by page",
};

/// `POST /pdf/summarize`.
pub const PDF_SUMMARIZE: Operation = Operation {
    method: Method::Post,
    path: "/api/v1/pdf/summarize",
    answer: Answer::Events,
    summary: "A short summary of a document, in sentences of its own with their pages",
};

/// `POST /pdf/chat`.
pub const PDF_CHAT: Operation = Operation {
    method: Method::Post,
    path: "/api/v1/pdf/chat",
    answer: Answer::Events,
    summary: "An answer about an earlier document, with the pages it stands on",
};

/// `POST /pdf/forget`, which the contract does not have.
pub const PDF_FORGET: Operation = Operation {
    method: Method::Post,
    path: "/api/v1/pdf/forget",
    answer: Answer::Whole,
    summary: "Forgets an earlier document",
};

/// `POST /pdf/embeddings`, which the contract does not have.
pub const PDF_EMBEDDINGS: Operation = Operation {
    method: Method::Post,
    path: "/api/v1/pdf/embeddings",
    answer: Answer::Whole,
    summary: "Vectors of texts, by the model that documents are searched with",
};

/// `POST /chat`.
pub const CHAT: Operation = Operation {
    method: Method::Post,
    path: "/api/v1/chat",
    answer: Answer::Events,
    summary: "An answer in a conversation, from the web where that is asked for",
};

/// `POST /chat/forget`, which the contract does not have.
pub const CHAT_FORGET: Operation = Operation {
    method: Method::Post,
    path: "/api/v1/chat/forget",
    answer: Answer::Whole,
    summary: "Forgets a conversation",
};

/// `GET /chat/info`, which the contract does not have.
pub const CHAT_INFO: Operation = Operation {
    method: Method::Get,
    path: "/api/v1/chat/info",
    answer: Answer::Whole,
    summary: "Model, search, modes, limits",
};

/// Every operation, in the contract's order, each capability's with those of ours behind.
pub const OPERATIONS: &[Operation] = &[
    TTS_GENERATE,
    TTS_STREAM,
    TTS_VOICES,
    TTS_LANGUAGES,
    TTS_INFO,
    IMAGE_ANALYZE,
    IMAGE_EXTRACT_TEXT,
    IMAGE_DETECT_OBJECTS,
    IMAGE_CHAT,
    IMAGE_FORGET,
    PDF_EXTRACT_TEXT,
    PDF_SUMMARIZE,
    PDF_CHAT,
    PDF_FORGET,
    PDF_EMBEDDINGS,
    CHAT,
    CHAT_FORGET,
    CHAT_INFO,
];

/// The result of looking a request up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// An operation.
    Operation(&'static Operation),
    /// The path is there, but only for this method.
    OtherMethod(Method),
    /// Nothing has this path.
    Nothing,
}

/// Looks a request up. Methods are compared exactly, as HTTP asks; a path must match to the letter.
pub fn find(method: &str, path: &str) -> Found {
    match OPERATIONS.iter().find(|operation| operation.path == path) {
        Some(operation) if operation.method.name() == method => Found::Operation(operation),
        Some(operation) => Found::OtherMethod(operation.method),
        None => Found::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_unique_and_those_of_capabilities() {
        for (index, operation) in OPERATIONS.iter().enumerate() {
            assert!(operation.path.starts_with(crate::BASE_PATH), "{}", operation.path);
            assert!(operation.capability().is_some(), "{}", operation.path);
            assert!(
                !OPERATIONS[..index].iter().any(|other| other.path == operation.path),
                "{}",
                operation.path
            );
        }
    }

    #[test]
    fn events_are_for_those_who_accept_them() {
        for (accept, streams) in [
            (None, false),
            (Some("*/*"), false),
            (Some("application/json"), false),
            (Some("text/event-stream"), true),
            (Some("application/json, Text/Event-Stream;q=0.9"), true),
        ] {
            assert_eq!(Answer::Events.streams(accept), streams, "{accept:?}");
            assert!(Answer::Stream.streams(accept) && !Answer::Whole.streams(accept));
        }
    }

    #[test]
    fn finds_operations_other_methods_and_nothing() {
        assert_eq!(find("POST", "/api/v1/tts/generate"), Found::Operation(&TTS_GENERATE));
        assert_eq!(find("GET", "/api/v1/tts/generate"), Found::OtherMethod(Method::Post));
        assert_eq!(find("post", "/api/v1/tts/generate"), Found::OtherMethod(Method::Post));
        assert_eq!(find("POST", "/api/v1/tts/generate/"), Found::Nothing);
        assert_eq!(find("POST", "/tts/generate"), Found::Nothing);
    }
}
