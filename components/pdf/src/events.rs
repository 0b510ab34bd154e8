//! Events of operations, for clients that wait for an answer and want to hear of it.

use quartet_api::pdf::{StreamedPage, StreamedStatement};
use quartet_api::progress::{Progress, Stage};

/// Something that happens before the whole answer is there.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The work goes on.
    Progress(Progress),
    /// The text of a page.
    Page(StreamedPage),
    /// A sentence of the answer.
    Statement(StreamedStatement),
}

impl Event {
    /// The beginning of a step.
    pub(crate) fn at(stage: Stage) -> Self {
        Self::Progress(Progress {
            stage,
            done: None,
            total: None,
        })
    }

    /// Pages that are done in a step.
    pub(crate) fn pages(stage: Stage, done: usize, total: usize) -> Self {
        Self::Progress(Progress {
            stage,
            done: Some(done),
            total: Some(total),
        })
    }
}
