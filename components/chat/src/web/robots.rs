//! What the owner of a server lets programs read: `robots.txt`, as RFC 9309 has it.

use std::collections::HashMap;

use texting_robots::Robot;
use url::Url;

use super::{Reply, USER_AGENT, WebError};

/// Bytes of a `robots.txt` that are read.
pub(super) const MOST: usize = 512 * 1024;

/// What is known of each server.
#[derive(Default)]
pub(super) struct Robots(HashMap<String, Leave>);

enum Leave {
    All,
    Some(Box<Robot>),
    None,
}

impl Robots {
    /// Where the rules of a page's server are, if they are not known yet.
    pub fn unknown(&self, page: &Url) -> Option<Url> {
        let rules = page.join("/robots.txt").ok()?;
        (!self.0.contains_key(&origin(page))).then_some(rules)
    }

    /// Takes down what a server answered. Who has no rules allows everything; who cannot answer, nothing.
    pub fn learn(&mut self, server: &Url, reply: Result<Reply, WebError>) {
        let leave = match reply {
            Ok(reply) if (200..300).contains(&reply.status) => {
                // What cannot be read as rules has none.
                Robot::new(agent(), &reply.body).map_or(Leave::All, |robot| Leave::Some(Box::new(robot)))
            }
            Ok(reply) if (400..500).contains(&reply.status) => Leave::All,
            _ => Leave::None,
        };
        self.0.insert(origin(server), leave);
    }

    /// Whether a page may be read.
    pub fn allow(&self, page: &Url) -> bool {
        match self.0.get(&origin(page)) {
            Some(Leave::All) => true,
            Some(Leave::Some(robot)) => robot.allowed(page.as_str()),
            Some(Leave::None) | None => false,
        }
    }
}

fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// The word by which rules name this program.
fn agent() -> &'static str {
    USER_AGENT.split('/').next().unwrap_or(USER_AGENT)
}
