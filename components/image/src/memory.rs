//! What is remembered of pictures between requests, and who may ask for it.
//!
//! A picture is remembered under an id of 128 random bits: who knows the id may ask. Beside that, a session remembers its
//! last picture; a request that names another session than the picture's is told that there is no such picture.

use quartet_api::pictures::{CLIENT_HEADER, SESSION_COOKIE, SESSION_HEADER};
use quartet_api::{BASE_PATH, Code};
use quartet_guest::{Failure, Request, Response};

use crate::chat::record::Record;

/// Length of a session's name in characters.
const LONGEST_NAME: usize = 128;

/// Where things are remembered: values by key, which may be forgotten at any time.
pub trait Store {
    /// The value of a key.
    ///
    /// # Errors
    /// When the store cannot be reached; the words are for the log.
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, String>;

    /// Sets the value of a key.
    ///
    /// # Errors
    /// When the store cannot be reached or is full; the words are for the log.
    fn set(&self, key: &str, value: &[u8]) -> Result<(), String>;
}

/// The session of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The key of its last picture; none where nothing tells this client from others.
    key: Option<String>,
    /// Whether the client named it, rather than being known by its address.
    named: bool,
    /// A new session that the client is to remember.
    cookie: Option<String>,
}

impl Session {
    /// Reads it from the header, else from the cookie, else from what the host says of the client.
    ///
    /// # Errors
    /// When the header has a name that is not allowed.
    pub fn of(request: &Request) -> Result<Self, Failure> {
        if request.headers.iter().any(|(name, _)| name == SESSION_HEADER) {
            let name = request
                .header(SESSION_HEADER)
                .filter(|name| is_name(name))
                .ok_or_else(|| {
                    Failure::new(
                        Code::InvalidField,
                        format!("the header X-Session-Id must be 1 to {LONGEST_NAME} visible ASCII characters"),
                    )
                })?;
            return Ok(Self::new(format!("header/{name}"), true));
        }
        if let Some(name) = request.header("cookie").and_then(cookie).filter(|name| is_name(name)) {
            return Ok(Self::new(format!("cookie/{name}"), true));
        }
        Ok(match request.header(CLIENT_HEADER) {
            Some(client) => Self::new(format!("client/{client}"), false),
            None => Self {
                key: None,
                named: false,
                cookie: None,
            },
        })
    }

    fn new(name: String, named: bool) -> Self {
        Self {
            key: Some(name),
            named,
            cookie: None,
        }
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

    /// What a client must name to be told that a picture is its own.
    fn owner(&self) -> Option<String> {
        match &self.cookie {
            Some(cookie) => Some(format!("cookie/{cookie}")),
            None => self.key.clone(),
        }
    }

    /// All keys under which the session's last picture is remembered.
    fn keys(&self) -> impl Iterator<Item = String> {
        let own = self.key.clone();
        let begun = self.cookie.as_ref().map(|cookie| format!("cookie/{cookie}"));
        own.into_iter().chain(begun).map(|name| format!("session/{name}"))
    }
}

fn cookie(header: &str) -> Option<&str> {
    header
        .split(';')
        .find_map(|pair| pair.trim().strip_prefix(SESSION_COOKIE)?.strip_prefix('='))
}

fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_graphic())
}

fn hexadecimal(random: [u8; 16]) -> String {
    random.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Remembers a picture and returns its id.
///
/// # Errors
/// When the store fails.
pub fn remember(store: &dyn Store, session: &Session, random: [u8; 16], record: &Record) -> Result<String, Failure> {
    let id = hexadecimal(random);
    let record = Record {
        session: session.owner(),
        ..record.clone()
    };
    let bytes = serde_json::to_vec(&record).map_err(|error| broken(&error.to_string()))?;
    store
        .set(&format!("picture/{id}"), &bytes)
        .map_err(|reason| broken(&reason))?;
    for key in session.keys() {
        store.set(&key, id.as_bytes()).map_err(|reason| broken(&reason))?;
    }
    Ok(id)
}

/// The picture that a request asks about, with its id.
///
/// # Errors
/// When there is none, it belongs to somebody else, or nothing says which one.
pub fn recall(store: &dyn Store, session: &Session, id: Option<&str>) -> Result<(String, Record), Failure> {
    let unknown = || {
        Failure::new(
            Code::UnknownPicture,
            "no picture of yours has this imageId, or it was forgotten: pictures are remembered for a while only; send it again",
        )
    };
    let id = match id {
        Some(id) if id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()) => id.to_ascii_lowercase(),
        Some(_) => return Err(unknown()),
        None => last(store, session)?,
    };
    let bytes = store
        .get(&format!("picture/{id}"))
        .map_err(|reason| broken(&reason))?
        .ok_or_else(unknown)?;
    let record: Record = serde_json::from_slice(&bytes).map_err(|error| broken(&error.to_string()))?;
    if session.named && record.session != session.key {
        return Err(unknown());
    }
    Ok((id, record))
}

fn last(store: &dyn Store, session: &Session) -> Result<String, Failure> {
    for key in session.keys() {
        if let Some(bytes) = store.get(&key).map_err(|reason| broken(&reason))? {
            return String::from_utf8(bytes).map_err(|error| broken(&error.to_string()));
        }
    }
    Err(Failure::new(
        Code::NoPicture,
        "no picture was sent in this session: send one to /api/v1/image/analyze first, then ask with its imageId, with the \
         cookie of its answer, or with the same X-Session-Id header on both requests",
    ))
}

fn broken(reason: &str) -> Failure {
    // For the log; the client is told nothing of the inside.
    eprintln!("the memory of pictures failed: {reason}");
    Failure::new(
        Code::Internal,
        "what was found in the picture could not be remembered or recalled",
    )
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::RefCell;
    use std::collections::HashMap;

    use super::*;

    /// A store in memory.
    #[derive(Default)]
    pub(crate) struct InMemory(RefCell<HashMap<String, Vec<u8>>>);

    impl Store for InMemory {
        fn get(&self, key: &str) -> Result<Option<Vec<u8>>, String> {
            Ok(self.0.borrow().get(key).cloned())
        }

        fn set(&self, key: &str, value: &[u8]) -> Result<(), String> {
            self.0.borrow_mut().insert(key.to_owned(), value.to_vec());
            Ok(())
        }
    }

    fn session(headers: &[(&str, &str)]) -> Result<Session, Failure> {
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

    fn record() -> Record {
        crate::chat::tests::record()
    }

    #[test]
    fn a_session_recalls_its_last_picture_and_no_other_does() {
        let store = InMemory::default();
        let mine = session(&[(SESSION_HEADER, "mine")]).unwrap();
        let other = session(&[(SESSION_HEADER, "other")]).unwrap();
        remember(&store, &mine, [1; 16], &record()).unwrap();
        let id = remember(&store, &mine, [2; 16], &record()).unwrap();
        assert_eq!(recall(&store, &mine, None).unwrap().0, id);
        assert_eq!(
            recall(&store, &mine, Some(&"01".repeat(16))).unwrap().0,
            "01".repeat(16)
        );
        assert_eq!(
            recall(&store, &other, Some(&id)).unwrap_err().code,
            Code::UnknownPicture
        );
        assert_eq!(recall(&store, &other, None).unwrap_err().code, Code::NoPicture);
        for wrong in ["", "x", "../session/header/mine", &"02".repeat(17)] {
            assert_eq!(
                recall(&store, &mine, Some(wrong)).unwrap_err().code,
                Code::UnknownPicture
            );
        }
    }

    #[test]
    fn a_cookie_begins_a_session_where_the_client_named_none() {
        let store = InMemory::default();
        let mut first = session(&[(CLIENT_HEADER, "127.0.0.1")]).unwrap();
        first.begin([7; 16]);
        let mut response = Response::success(&());
        first.announce(&mut response);
        let (_, set) = response.headers.iter().find(|(name, _)| *name == "set-cookie").unwrap();
        let pair = set.split(';').next().unwrap();
        let id = remember(&store, &first, [1; 16], &record()).unwrap();
        // By the cookie, by the address, and by the id alone.
        let with_cookie = session(&[("cookie", &format!("a=b; {pair}"))]).unwrap();
        assert_eq!(recall(&store, &with_cookie, None).unwrap().0, id);
        assert_eq!(
            recall(&store, &session(&[(CLIENT_HEADER, "127.0.0.1")]).unwrap(), None)
                .unwrap()
                .0,
            id
        );
        assert_eq!(recall(&store, &session(&[]).unwrap(), Some(&id)).unwrap().0, id);
        assert_eq!(
            recall(&store, &session(&[]).unwrap(), None).unwrap_err().code,
            Code::NoPicture
        );
        // Another address is another client, and another cookie another session.
        let elsewhere = session(&[(CLIENT_HEADER, "127.0.0.2")]).unwrap();
        assert_eq!(recall(&store, &elsewhere, None).unwrap_err().code, Code::NoPicture);
        let foreign = session(&[("cookie", &format!("{SESSION_COOKIE}=other"))]).unwrap();
        assert_eq!(
            recall(&store, &foreign, Some(&id)).unwrap_err().code,
            Code::UnknownPicture
        );
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
}
