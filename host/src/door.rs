//! Doors: the paths of OpenAI's API that are answered here, for clients that can be given an address and a key, but
//! speak no other API.

use quartet_api::operations::Method;

/// The beginning of the paths of all doors. Clients are given it, with the address before it, as the base URL.
pub const BASE_PATH: &str = "/v1";

/// A path of OpenAI's API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// The models that can be chatted with.
    Models,
    /// One of them.
    Model,
    /// An answer in a conversation.
    ChatCompletions,
    /// Speech.
    Speech,
    /// The voices, which are not in OpenAI's API itself.
    Voices,
    /// The models that speak, likewise.
    SpeechModels,
}

impl Door {
    /// Every door.
    pub const ALL: [Door; 6] = [
        Door::Models,
        Door::Model,
        Door::ChatCompletions,
        Door::Speech,
        Door::Voices,
        Door::SpeechModels,
    ];

    /// The name in logs and metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Door::Models => "v1/models",
            Door::Model => "v1/models/{id}",
            Door::ChatCompletions => "v1/chat/completions",
            Door::Speech => "v1/audio/speech",
            Door::Voices => "v1/audio/voices",
            Door::SpeechModels => "v1/audio/models",
        }
    }

    /// The only method.
    pub const fn method(self) -> Method {
        match self {
            Door::ChatCompletions | Door::Speech => Method::Post,
            Door::Models | Door::Model | Door::Voices | Door::SpeechModels => Method::Get,
        }
    }

    /// Returns true if it only tells what there is to choose from.
    pub const fn lists(self) -> bool {
        match self {
            Door::Models | Door::Model | Door::Voices | Door::SpeechModels => true,
            Door::ChatCompletions | Door::Speech => false,
        }
    }

    /// The door with a path.
    pub fn at(path: &str) -> Option<Self> {
        let name = path.strip_prefix('/')?;
        if model_of(path).is_some() {
            return Some(Door::Model);
        }
        Self::ALL
            .into_iter()
            .find(|door| *door != Door::Model && door.name() == name)
    }
}

/// The model that the path of [`Door::Model`] names.
pub fn model_of(path: &str) -> Option<&str> {
    path.strip_prefix("/v1/models/").filter(|id| !id.is_empty())
}

/// Returns true if a path is below [`BASE_PATH`].
pub fn is_below(path: &str) -> bool {
    let rest = path.strip_prefix(BASE_PATH);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_doors() {
        for door in Door::ALL {
            let path = format!("/{}", door.name());
            assert_eq!(Door::at(&path), Some(door));
            assert!(is_below(&path));
        }
        assert_eq!(Door::at("/v1/models/a/b"), Some(Door::Model));
        assert_eq!(model_of("/v1/models/a/b"), Some("a/b"));
        for path in ["/v1", "/v1/models/", "/v1/nothing", "v1/models", "/api/v1/models"] {
            assert_eq!(Door::at(path), None, "{path}");
        }
        assert!(is_below("/v1") && is_below("/v1/") && !is_below("/v12") && !is_below("/api/v1/chat"));
    }
}
