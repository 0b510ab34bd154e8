//! The grants of a capability: what it may have beside the HTTP edge, and what it is told of the settings.

use serde::Deserialize;

/// Leave to import something. The graphs that may be computed are named one by one instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grant {
    /// The date.
    Clock,
    /// Random numbers that may be guessed.
    InsecureRandom,
    /// Values kept between requests.
    Keep,
    /// The language model.
    LanguageModel,
    /// Random numbers that nobody can guess.
    Random,
    /// Requests to where the settings of the search let them.
    Search,
}

/// Grants of every capability that an operator adds: what the runtimes of other languages bring in, and which reaches
/// nothing.
pub const OF_ADDED: &[Grant] = &[Grant::Clock, Grant::InsecureRandom, Grant::Random];

/// Settings that a component finds in its environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Environment {
    /// True if the language model is to put answers into words; only for requests of clients, because a probe must not
    /// wait for a model.
    Phrasing,
    /// The time until an answer is complete, in seconds.
    RespondSeconds,
    /// The places to search. Goes with [`Grant::Search`].
    Search,
}
