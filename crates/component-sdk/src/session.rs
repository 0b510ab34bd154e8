//! Whose request this is, for what components remember between requests.

use quartet_api::session::{ADDRESS_CLIENT, CLIENT_HEADER, KEY_CLIENT, SESSION_COOKIE, SESSION_HEADER};
use quartet_api::{BASE_PATH, Code};

use crate::{Failure, Request, Response};

/// Length of a session's name in characters.
const MAX_SESSION_NAME_BYTES: usize = 128;

/// The session of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The key that the client came with: nobody with another one, or without, has a part in its sessions.
    scope: Option<String>,
    /// The session's name; none where nothing tells this client from others.
    name: Option<String>,
    /// True if the client named it, rather than being known by its address.
    named: bool,
    /// The name of a new session that the client is to remember.
    cookie: Option<String>,
}

impl Session {
    /// Reads it from the header, else from the cookie, else from what the host says of the client.
    ///
    /// # Errors
    /// When the header has a name that is not allowed.
    pub fn of(request: &Request) -> Result<Self, Failure> {
        let client = request.header(CLIENT_HEADER).unwrap_or_default();
        let mut session = Self {
            scope: client.starts_with(KEY_CLIENT).then(|| client.to_owned()),
            name: client.starts_with(ADDRESS_CLIENT).then(|| client.to_owned()),
            named: false,
            cookie: None,
        };
        if request.headers.iter().any(|(name, _)| name == SESSION_HEADER) {
            let name = request
                .header(SESSION_HEADER)
                .filter(|name| is_name(name))
                .ok_or_else(|| {
                    Failure::new(
                        Code::InvalidField,
                        format!(
                            "the header X-Session-Id must be 1 to {MAX_SESSION_NAME_BYTES} visible ASCII characters"
                        ),
                    )
                })?;
            session.name = Some(format!("header/{name}"));
            session.named = true;
        } else if let Some(name) = request
            .headers_named("cookie")
            .find_map(cookie)
            .filter(|name| is_name(name))
        {
            session.name = Some(format!("cookie/{name}"));
            session.named = true;
        }
        Ok(session)
    }

    /// Begins a session with a cookie where the client has not named one.
    pub fn begin(&mut self, random: [u8; 16]) {
        if !self.named {
            self.cookie = Some(hexadecimal(random));
        }
    }

    /// Tells the client of a session that began.
    pub fn announce(&self, response: &mut Response) {
        if let Some(cookie) = &self.cookie {
            let value = format!("{SESSION_COOKIE}={cookie}; Path={BASE_PATH}/; HttpOnly; SameSite=Lax");
            response.headers.push(("set-cookie", value));
        }
    }

    /// The key that the client came with.
    pub(crate) fn scope(&self) -> Option<&str> {
        self.scope.as_deref()
    }

    /// The session's name as the client gave it.
    pub(crate) fn given_name(&self) -> Option<&str> {
        self.name.as_deref().filter(|_| self.named)
    }

    /// Owner that a client must prove later to ask about what it sends now.
    pub(crate) fn owner(&self) -> Option<String> {
        match &self.cookie {
            Some(cookie) => Some(format!("cookie/{cookie}")),
            None => self.name.clone(),
        }
    }

    /// All names under which the session can be found, each with its scope.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        let begun = self.cookie.as_ref().map(|cookie| format!("cookie/{cookie}"));
        self.name
            .clone()
            .into_iter()
            .chain(begun)
            .map(|name| format!("{}/{name}", self.scope.as_deref().unwrap_or_default()))
    }
}

fn cookie(header: &str) -> Option<&str> {
    header
        .split(';')
        .find_map(|pair| pair.trim().strip_prefix(SESSION_COOKIE)?.strip_prefix('='))
}

fn is_name(name: &str) -> bool {
    (1..=MAX_SESSION_NAME_BYTES).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_graphic())
}

/// 128 random bits as a name.
pub(crate) fn hexadecimal(random: [u8; 16]) -> String {
    random.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn session(headers: &[(&str, &str)]) -> Result<Session, Failure> {
        Session::of(&Request {
            method: "POST".to_owned(),
            path: "/".to_owned(),
            headers: headers
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec()))
                .collect(),
            body: Box::new(std::io::empty()),
        })
    }

    #[test]
    fn a_name_that_is_not_allowed_is_refused() {
        for name in ["", "a b", "é", &"x".repeat(129)] {
            assert!(
                session(&[(SESSION_HEADER, name)])
                    .unwrap_err()
                    .message
                    .contains("X-Session-Id"),
                "{name}"
            );
        }
    }

    #[test]
    fn the_header_comes_before_the_cookie_and_that_before_the_address() {
        let address = (CLIENT_HEADER, "address/127.0.0.1");
        let cookie = ("cookie", "a=b; quartet_session=c");
        let names = |headers: &[(&str, &str)]| session(headers).unwrap().names().collect::<Vec<_>>();
        assert_eq!(names(&[address, cookie, (SESSION_HEADER, "h")]), ["/header/h"]);
        assert_eq!(names(&[address, cookie]), ["/cookie/c"]);
        // HTTP/2 may send each cookie in a field of its own.
        assert_eq!(
            names(&[("cookie", "a=b"), ("cookie", "quartet_session=c")]),
            ["/cookie/c"]
        );
        assert_eq!(names(&[address]), ["/address/127.0.0.1"]);
        assert!(names(&[]).is_empty());
    }

    #[test]
    fn a_key_is_no_session_but_keeps_sessions_apart() {
        let names = |headers: &[(&str, &str)]| session(headers).unwrap().names().collect::<Vec<_>>();
        assert!(names(&[(CLIENT_HEADER, "key/1f")]).is_empty());
        assert_eq!(
            names(&[(CLIENT_HEADER, "key/1f"), (SESSION_HEADER, "h")]),
            ["key/1f/header/h"]
        );
    }
}
