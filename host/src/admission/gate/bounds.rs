//! The kinds of places, and how many there are of each.

use std::time::Duration;

/// Work from which a request is heavy: several times what a light one takes, and not noticed where it is missed.
pub const HEAVY_WORK: Duration = Duration::from_millis(250);

/// The kind of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// For requests that are answered soon.
    Light,
    /// For requests that compute for long.
    Heavy,
    /// For answers that go on for as long as their clients listen.
    Stream,
}

/// The bounds of a gate.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Light requests at a time.
    pub light: usize,
    /// Heavy requests at a time.
    pub heavy: usize,
    /// Streams at a time.
    pub streams: usize,
    /// Part of the places that one client may hold.
    pub client_percent: usize,
    /// Requests that wait.
    pub queue: usize,
    /// Time for which a light request or a stream waits.
    pub patience: Duration,
    /// Time in which a heavy request must be answered.
    pub respond: Duration,
}

impl Bounds {
    /// Places of a kind.
    pub fn places(&self, place: Place) -> usize {
        match place {
            Place::Light => self.light,
            Place::Heavy => self.heavy,
            Place::Stream => self.streams,
        }
    }

    /// Part of the places of a kind that one client may hold. Heavy requests end soon, and few run at a time: a client that
    /// is alone may have all of them.
    pub fn client_percent(&self, place: Place) -> usize {
        match place {
            Place::Heavy => 100,
            Place::Light | Place::Stream => self.client_percent,
        }
    }
}
