//! The robots exclusion protocol: `robots.txt`, RFC 9309.

use std::collections::HashMap;

use texting_robots::Robot;
use url::Url;

use super::{Reply, USER_AGENT, WebError};

/// Limit in bytes for a `robots.txt`.
pub(super) const MAX_ROBOTS_BYTES: usize = 512 * 1024;

/// The rules of each server.
#[derive(Default)]
pub(super) struct Robots(HashMap<String, Rules>);

enum Rules {
    All,
    Some(Box<Robot>),
    None,
}

impl Robots {
    /// The address of the rules of a page's server, if they are not known yet.
    pub fn missing(&self, page: &Url) -> Option<Url> {
        let rules = page.join("/robots.txt").ok()?;
        (!self.0.contains_key(&origin(page))).then_some(rules)
    }

    /// Records the reply of a server. One that has no rules allows everything; one that cannot answer, nothing.
    pub fn record(&mut self, server: &Url, reply: Result<Reply, WebError>) {
        let rules = match reply {
            Ok(reply) if (200..300).contains(&reply.status) => {
                // A file that cannot be read as rules has none.
                Robot::new(agent(), &reply.body).map_or(Rules::All, |robot| Rules::Some(Box::new(robot)))
            }
            Ok(reply) if (400..500).contains(&reply.status) => Rules::All,
            _ => Rules::None,
        };
        self.0.insert(origin(server), rules);
    }

    /// Returns true if a page may be read.
    pub fn allow(&self, page: &Url) -> bool {
        match self.0.get(&origin(page)) {
            Some(Rules::All) => true,
            Some(Rules::Some(robot)) => robot.allowed(page.as_str()),
            Some(Rules::None) | None => false,
        }
    }
}

fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// The name of this program in rules.
fn agent() -> &'static str {
    USER_AGENT.split('/').next().unwrap_or(USER_AGENT)
}
