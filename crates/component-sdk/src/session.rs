//! Whose request this is, for what components remember between requests.

use quartet_api::session::{
    ADDRESS_CLIENT, CLIENT_HEADER, KEY_CLIENT, MAX_SESSION_NAME_BYTES, MIN_SESSION_NAME_BYTES, SECURE_SESSION_COOKIE,
    SESSION_COOKIE, SESSION_HEADER,
};
use quartet_api::{BASE_PATH, Code};

use crate::{Failure, Request, Response};

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
    /// True if the client speaks HTTPS.
    secure: bool,
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
            secure: request.secure,
        };
        if request.headers.iter().any(|(name, _)| name == SESSION_HEADER) {
            let name = request
                .header(SESSION_HEADER)
                .filter(|name| is_name(name, session.scope.is_some()))
                .ok_or_else(|| {
                    Failure::new(
                        Code::InvalidField,
                        format!(
                            "the header X-Session-Id must be {MIN_SESSION_NAME_BYTES} to {MAX_SESSION_NAME_BYTES} visible \
                             ASCII characters that nobody can guess, such as a UUID"
                        ),
                    )
                })?;
            session.name = Some(format!("header/{name}"));
            session.named = true;
        } else if let Some(name) = request
            .headers_named("cookie")
            .find_map(|header| cookie(header, request.secure))
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
            let value = if self.secure {
                format!("{SECURE_SESSION_COOKIE}={cookie}; Path=/; Secure; HttpOnly; SameSite=Lax")
            } else {
                format!("{SESSION_COOKIE}={cookie}; Path={BASE_PATH}/; HttpOnly; SameSite=Lax")
            };
            response.headers.push(("set-cookie", value));
        }
    }

    /// Returns true if the client named the session, with a header or a cookie, rather than being known by its address.
    #[must_use]
    pub fn is_named(&self) -> bool {
        self.named
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

/// The session's cookie in a header, where it is one that was set here: over HTTPS only the one that nobody else can set,
/// and none that does not look as if a service had made it. Another of its name may stand before it, which the domain above
/// set.
fn cookie(header: &str, secure: bool) -> Option<&str> {
    let name = if secure { SECURE_SESSION_COOKIE } else { SESSION_COOKIE };
    header
        .split(';')
        .filter_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
        .find(|value| value.len() == COOKIE_DIGITS && value.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Digits of the 128 bits in a cookie.
const COOKIE_DIGITS: usize = 32;

/// Returns true if a client may call its session so. Where it came with a key, nobody else has a part in it, and a short
/// name does as well.
fn is_name(name: &str, of_key: bool) -> bool {
    let least = if of_key { 1 } else { MIN_SESSION_NAME_BYTES };
    (least..=MAX_SESSION_NAME_BYTES).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_graphic())
}

/// 128 random bits as a name.
pub(crate) fn hexadecimal(random: [u8; 16]) -> String {
    random.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Stands for a request over HTTPS.
    const SECURE: (&str, &str) = ("tests-https", "");

    pub(crate) fn session(headers: &[(&str, &str)]) -> Result<Session, Failure> {
        Session::of(&Request {
            method: "POST".to_owned(),
            path: "/".to_owned(),
            secure: headers.contains(&SECURE),
            headers: headers
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec()))
                .collect(),
            body: Box::new(std::io::empty()),
        })
    }

    #[test]
    fn a_name_that_is_not_allowed_is_refused() {
        for name in [
            "",
            "mine",
            &"x".repeat(15),
            &"a b".repeat(9),
            &"é".repeat(16),
            &"x".repeat(129),
        ] {
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
        let (digits, name) = ("0123456789abcdef".repeat(2), "named-by-its-client");
        let both = format!("a=b; quartet_session={digits}");
        let cookie = ("cookie", both.as_str());
        let names = |headers: &[(&str, &str)]| session(headers).unwrap().names().collect::<Vec<_>>();
        assert_eq!(
            names(&[address, cookie, (SESSION_HEADER, name)]),
            ["/header/named-by-its-client"]
        );
        let by_cookie = format!("/cookie/{digits}");
        assert_eq!(names(&[address, cookie]), [by_cookie.as_str()]);
        // HTTP/2 may send each cookie in a field of its own.
        assert_eq!(names(&[("cookie", "a=b"), cookie]), [by_cookie.as_str()]);
        assert_eq!(names(&[address]), ["/address/127.0.0.1"]);
        assert!(names(&[]).is_empty());
    }

    #[test]
    fn cookies_are_taken_as_they_were_set_and_over_https_only_from_this_host() {
        let digits = "0123456789abcdef".repeat(2);
        let (plain, host) = (
            format!("quartet_session={digits}"),
            format!("__Host-quartet_session={digits}"),
        );
        let named = |headers: &[(&str, &str)]| session(headers).unwrap().named;
        assert!(named(&[("cookie", &plain)]) && named(&[SECURE, ("cookie", &host)]));
        assert!(named(&[("cookie", &format!("quartet_session=other; {plain}"))]));
        // Whoever serves a neighbouring name can set the plain one.
        assert!(!named(&[SECURE, ("cookie", &plain)]));
        // One that a client made up is not taken over: it gets another one.
        for own in ["quartet_session=mine", "quartet_session=", &format!("{plain}0")] {
            assert!(!named(&[("cookie", own)]), "{own}");
        }
        let set = |headers: &[(&str, &str)]| {
            let mut session = session(headers).unwrap();
            session.begin([7; 16]);
            let mut response = Response::success(&());
            session.announce(&mut response);
            let (_, set) = response
                .headers
                .into_iter()
                .find(|(name, _)| *name == "set-cookie")
                .unwrap();
            set
        };
        assert_eq!(
            set(&[SECURE]),
            format!(
                "__Host-quartet_session={}; Path=/; Secure; HttpOnly; SameSite=Lax",
                "07".repeat(16)
            )
        );
        assert!(set(&[("cookie", "quartet_session=mine")]).starts_with("quartet_session=0707"));
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
