//! The two ways of an operation: its answer whole, or with events while it comes about.

use std::cell::{Cell, RefCell};
use std::io::{self, Write};

use quartet_api::{FailureBody, Success};
use quartet_component_sdk::{Failure, Request, Response, Session, write_event};
use serde::Serialize;

use super::Context;
use crate::events::Event;

/// A request that was read and found right, and the work on it.
pub trait Work: Sized + 'static {
    /// The whole answer.
    type Answer: Serialize;

    /// Reads a request.
    ///
    /// # Errors
    /// When something about it is wrong.
    fn read(request: &mut Request, random: fn() -> [u8; 16]) -> Result<Self, Failure>;

    /// The session of the client.
    fn session(&self) -> &Session;

    /// Makes the answer.
    ///
    /// # Errors
    /// When the document is wrong, or there is none.
    fn run(self, context: &Context<'_>) -> Result<Self::Answer, Failure>;
}

/// Answers a request whole.
///
/// # Errors
/// When the request or the document is wrong.
pub fn answer<W: Work>(request: &mut Request, context: &Context<'_>) -> Result<Response, Failure> {
    let work = W::read(request, context.random)?;
    let session = work.session().clone();
    let mut response = Response::success(&work.run(context)?);
    session.announce(&mut response);
    Ok(response)
}

/// Writes what happens as events, and at the end the same body that would be the whole answer, or the failure.
///
/// # Errors
/// When the client has left.
pub fn stream<W: Work>(work: W, context: &Context<'_>, id: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
    let out = RefCell::new(out);
    let left = Cell::new(None);
    let tell = |event: Event| {
        let mut out = out.borrow_mut();
        let written = match event {
            Event::Progress(progress) => write_event(&mut **out, "progress", &progress),
            Event::Page(page) => write_event(&mut **out, "page", &page),
            Event::Statement(statement) => write_event(&mut **out, "statement", &statement),
        };
        left.set(left.take().or(written.err()));
    };
    let result = work.run(&Context {
        tell: &tell,
        ..*context
    });
    if let Some(error) = left.take() {
        return Err(error);
    }
    let mut out = out.borrow_mut();
    match result {
        Ok(answer) => write_event(&mut **out, "done", &Success::new(answer)),
        Err(failure) => write_event(
            &mut **out,
            "error",
            &FailureBody::new(failure.code, failure.message, id),
        ),
    }
}
