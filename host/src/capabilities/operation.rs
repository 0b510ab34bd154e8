//! Operations of capabilities: those of the contract, and for a capability that the contract does not know one for all
//! of its paths.

use std::sync::Arc;

use quartet_api::BASE_PATH;
use quartet_api::operations::{Answer, Method, OPERATIONS};

use super::capability::Capability;

/// An operation, or all that are below a path.
#[derive(Debug, PartialEq, Eq)]
pub struct Operation {
    /// The capability that answers.
    pub capability: Capability,
    /// Its name in logs and metrics: `tts/stream`, or the name of the capability.
    pub name: Arc<str>,
    /// Its path, or what stands before its paths.
    pub path: String,
    /// Its only method; `None` where the component takes what it takes, under all paths below this one.
    pub method: Option<Method>,
    /// The kind of its answers, which decides their budget.
    pub answer: Answer,
    /// True if it tells about its capability, and the host adds what it knows.
    pub is_info: bool,
}

impl Operation {
    /// The operations of a capability.
    pub fn of(capability: &Capability) -> Vec<Self> {
        let operations: Vec<_> = OPERATIONS
            .iter()
            .filter(|operation| operation.name().split('/').next() == Some(capability.name()))
            .map(|operation| Self {
                capability: capability.clone(),
                name: operation.name().into(),
                path: operation.path.to_owned(),
                method: Some(operation.method),
                answer: operation.answer,
                is_info: operation.capability().and_then(|capability| capability.info()) == Some(operation),
            })
            .collect();
        if !operations.is_empty() {
            return operations;
        }
        vec![Self {
            capability: capability.clone(),
            name: capability.name().into(),
            path: format!("{BASE_PATH}/{}", capability.name()),
            method: None,
            answer: if capability.streams {
                Answer::Stream
            } else {
                Answer::Events
            },
            is_info: false,
        }]
    }

    /// Returns true if it has this path.
    pub fn has(&self, path: &str) -> bool {
        match path.strip_prefix(self.path.as_str()) {
            Some(rest) => rest.is_empty() || (self.method.is_none() && rest.starts_with('/')),
            None => false,
        }
    }
}
