//! Memory of uploads between requests, and who may ask for them.
//!
//! An upload is remembered under an id of 128 random bits: who knows the id may ask, but for whoever came with another
//! key, or names another session than the upload's; these are told that there is none. Beside that, a session remembers
//! its last upload.

use quartet_api::Code;
use quartet_api::keyvalue::UNAVAILABLE;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::session::{Session, hexadecimal};

/// Key-value store whose values may be evicted at any time.
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

    /// Forgets a key, which need not be there.
    ///
    /// # Errors
    /// When the store cannot be reached; the words are for the log.
    fn delete(&self, key: &str) -> Result<(), String>;

    /// Sets a key to what `change` makes of its value; none leaves it as it is. Where the store can tell that another request
    /// came in between, `change` is asked again, so that neither change is lost.
    ///
    /// # Errors
    /// When the store cannot be reached, is full, or others change the key again and again; the words are for the log.
    fn change(&self, key: &str, change: Change<'_>) -> Result<(), String> {
        match change(self.get(key)?) {
            Some(value) => self.set(key, &value),
            None => Ok(()),
        }
    }
}

/// Makes a key's next value of the one that it has.
pub type Change<'a> = &'a mut dyn FnMut(Option<Vec<u8>>) -> Option<Vec<u8>>;

/// The uploads of one kind.
#[derive(Clone, Copy)]
pub struct Uploads<'a> {
    /// Store that holds them.
    pub store: &'a dyn Store,
    /// Noun for messages: `picture`.
    pub kind: &'static str,
    /// The field in which requests name one.
    pub id_field: &'static str,
    /// An operation that takes one, for a person who has sent none.
    pub example: &'static str,
    /// Code of the failure where nothing has an id.
    pub unknown: Code,
    /// Advice for whoever names an id that nothing has.
    pub again: &'static str,
}

#[derive(Serialize, Deserialize)]
struct StoredUpload<T> {
    scope: Option<String>,
    session: Option<String>,
    what: T,
}

impl Uploads<'_> {
    /// Remembers an upload and returns its id.
    ///
    /// # Errors
    /// When the store fails.
    pub fn remember<T: Serialize>(&self, session: &Session, random: [u8; 16], what: &T) -> Result<String, Failure> {
        let id = hexadecimal(random);
        let kept = StoredUpload {
            scope: session.scope().map(str::to_owned),
            session: session.owner(),
            what,
        };
        self.write(&id, &kept)?;
        self.is_last(session, &id)?;
        Ok(id)
    }

    fn is_last(&self, session: &Session, id: &str) -> Result<(), Failure> {
        for name in session.names() {
            let set = self.store.set(&self.last_key(&name), id.as_bytes());
            set.map_err(|reason| self.broken(&reason))?;
        }
        Ok(())
    }

    /// The upload that a request asks about, with its id.
    ///
    /// # Errors
    /// When there is none, it belongs to somebody else, or nothing says which one.
    pub fn recall<T: DeserializeOwned>(&self, session: &Session, id: Option<&str>) -> Result<(String, T), Failure> {
        let (id, kept) = self.find(session, id)?;
        Ok((id, kept.what))
    }

    /// Changes what is remembered of an upload that [`recall`](Self::recall) gave; who may ask stays the same.
    ///
    /// # Errors
    /// As for `recall`, and when the store fails.
    pub fn update<T: Serialize>(&self, session: &Session, id: &str, what: &T) -> Result<(), Failure> {
        let (id, kept) = self.find::<serde::de::IgnoredAny>(session, Some(id))?;
        self.write(
            &id,
            &StoredUpload {
                scope: kept.scope,
                session: kept.session,
                what,
            },
        )
    }

    /// Changes what is remembered of an upload to what `change` makes of it now, which may be more than [`recall`](Self::recall)
    /// gave: other requests of the session may have changed it since. It becomes the session's last upload again, so that all
    /// of it is remembered as long.
    ///
    /// # Errors
    /// As for `update`.
    pub fn go_on<T: Serialize + DeserializeOwned>(
        &self,
        session: &Session,
        id: &str,
        change: impl Fn(T) -> T,
    ) -> Result<(), Failure> {
        let mut checked = Err(self.unknown());
        let changed = self.store.change(&self.key(id), &mut |bytes| {
            let next = self.open::<T>(session, bytes).and_then(|kept| {
                let what = change(kept.what);
                serde_json::to_vec(&StoredUpload { what, ..kept }).map_err(|error| self.broken(&error.to_string()))
            });
            match next {
                Ok(bytes) => {
                    checked = Ok(());
                    Some(bytes)
                }
                Err(failure) => {
                    checked = Err(failure);
                    None
                }
            }
        });
        changed.map_err(|reason| self.broken(&reason))?;
        checked?;
        self.is_last(session, id)
    }

    /// Forgets an upload, and returns its id.
    ///
    /// # Errors
    /// As for `recall`, and when the store fails.
    pub fn forget(&self, session: &Session, id: Option<&str>) -> Result<String, Failure> {
        let (id, _) = self.find::<serde::de::IgnoredAny>(session, id)?;
        self.store
            .delete(&self.key(&id))
            .map_err(|reason| self.broken(&reason))?;
        Ok(id)
    }

    fn find<T: DeserializeOwned>(
        &self,
        session: &Session,
        id: Option<&str>,
    ) -> Result<(String, StoredUpload<T>), Failure> {
        let id = match id {
            Some(id) if id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()) => id.to_ascii_lowercase(),
            Some(_) => return Err(self.unknown()),
            None => self.last(session)?,
        };
        let bytes = self.store.get(&self.key(&id)).map_err(|reason| self.broken(&reason))?;
        let kept = self.open(session, bytes)?;
        Ok((id, kept))
    }

    /// Reads what is kept under an id, for a session that may ask about it.
    fn open<T: DeserializeOwned>(&self, session: &Session, bytes: Option<Vec<u8>>) -> Result<StoredUpload<T>, Failure> {
        let bytes = bytes.ok_or_else(|| self.unknown())?;
        let kept: StoredUpload<T> = serde_json::from_slice(&bytes).map_err(|error| self.broken(&error.to_string()))?;
        let foreign = session
            .given_name()
            .is_some_and(|name| kept.session.as_deref() != Some(name));
        if kept.scope.as_deref() != session.scope() || foreign {
            return Err(self.unknown());
        }
        Ok(kept)
    }

    fn last(&self, session: &Session) -> Result<String, Failure> {
        for name in session.names() {
            let found = self.store.get(&self.last_key(&name));
            if let Some(bytes) = found.map_err(|reason| self.broken(&reason))? {
                return String::from_utf8(bytes).map_err(|error| self.broken(&error.to_string()));
            }
        }
        let Self {
            kind,
            id_field,
            example,
            ..
        } = self;
        Err(Failure::new(
            Code::NoUpload,
            format!(
                "no {kind} was sent in this session: send one to {example} first, then ask with its {id_field}, with the \
                 cookie of its answer, or with the same X-Session-Id header on both requests"
            ),
        ))
    }

    fn write<T: Serialize>(&self, id: &str, kept: &StoredUpload<T>) -> Result<(), Failure> {
        let bytes = serde_json::to_vec(kept).map_err(|error| self.broken(&error.to_string()))?;
        self.store
            .set(&self.key(id), &bytes)
            .map_err(|reason| self.broken(&reason))
    }

    fn key(&self, id: &str) -> String {
        format!("{}/{id}", self.kind)
    }

    fn last_key(&self, name: &str) -> String {
        format!("last-{}/{name}", self.kind)
    }

    fn unknown(&self) -> Failure {
        let Self {
            kind,
            id_field,
            unknown,
            again,
            ..
        } = self;
        Failure::new(
            *unknown,
            format!(
                "no {kind} of yours has this {id_field}, or it was forgotten: a {kind} is remembered for a while only; \
                 {again}"
            ),
        )
    }

    fn broken(&self, reason: &str) -> Failure {
        // For the log; the client is told nothing of the inside.
        eprintln!("the memory of uploads failed: {reason}");
        if reason.starts_with(UNAVAILABLE) {
            return Failure::new(
                Code::Unavailable,
                format!(
                    "what is remembered of a {} cannot be reached at the moment; try again in some seconds",
                    self.kind
                ),
            );
        }
        Failure::new(
            Code::Internal,
            format!(
                "what was found in the {} could not be remembered or recalled",
                self.kind
            ),
        )
    }
}

/// A store for tests.
#[derive(Default)]
pub struct InMemory(std::cell::RefCell<std::collections::HashMap<String, Vec<u8>>>);

impl Store for InMemory {
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(self.0.borrow().get(key).cloned())
    }

    fn set(&self, key: &str, value: &[u8]) -> Result<(), String> {
        self.0.borrow_mut().insert(key.to_owned(), value.to_vec());
        Ok(())
    }

    fn delete(&self, key: &str) -> Result<(), String> {
        self.0.borrow_mut().remove(key);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use quartet_api::session::{CLIENT_HEADER, SESSION_COOKIE, SESSION_HEADER};

    use super::*;
    use crate::Response;
    use crate::session::tests::session;

    fn uploads(store: &InMemory) -> Uploads<'_> {
        Uploads {
            store,
            kind: "picture",
            id_field: "imageId",
            example: "/api/v1/image/analyze",
            unknown: Code::UnknownUpload,
            again: "send it again",
        }
    }

    fn code<T>(result: Result<T, Failure>) -> Code {
        result.map(|_| ()).unwrap_err().code
    }

    #[test]
    fn a_session_recalls_its_last_upload_and_no_other_does() {
        let store = InMemory::default();
        let uploads = uploads(&store);
        let mine = session(&[(SESSION_HEADER, "mine-and-no-others")]).unwrap();
        let other = session(&[(SESSION_HEADER, "other-and-not-mine")]).unwrap();
        uploads.remember(&mine, [1; 16], &"first").unwrap();
        let id = uploads.remember(&mine, [2; 16], &"second").unwrap();
        let recall = |session: &Session, id: Option<&str>| uploads.recall::<String>(session, id);
        assert_eq!(recall(&mine, None).unwrap(), (id.clone(), "second".to_owned()));
        assert_eq!(recall(&mine, Some(&"01".repeat(16))).unwrap().1, "first");
        assert_eq!(code(recall(&other, Some(&id))), Code::UnknownUpload);
        assert_eq!(code(recall(&other, None)), Code::NoUpload);
        for wrong in ["", "x", "../session/header/mine", &"02".repeat(17)] {
            assert_eq!(code(recall(&mine, Some(wrong))), Code::UnknownUpload);
        }
    }

    #[test]
    fn a_cookie_begins_a_session_where_the_client_named_none() {
        let store = InMemory::default();
        let uploads = uploads(&store);
        let recall = |headers: &[(&str, &str)], id: Option<&str>| uploads.recall::<u8>(&session(headers).unwrap(), id);
        let mut first = session(&[(CLIENT_HEADER, "address/127.0.0.1")]).unwrap();
        first.begin([7; 16]);
        let mut response = Response::success(&());
        first.announce(&mut response);
        let (_, set) = response.headers.iter().find(|(name, _)| *name == "set-cookie").unwrap();
        let pair = set.split(';').next().unwrap();
        let id = uploads.remember(&first, [1; 16], &1_u8).unwrap();
        // By the cookie, by the address, and by the id alone.
        assert_eq!(recall(&[("cookie", &format!("a=b; {pair}"))], None).unwrap().0, id);
        assert_eq!(recall(&[(CLIENT_HEADER, "address/127.0.0.1")], None).unwrap().0, id);
        assert_eq!(recall(&[], Some(&id)).unwrap().0, id);
        assert_eq!(code(recall(&[], None)), Code::NoUpload);
        // Another address is another client, and another cookie another session.
        assert_eq!(
            code(recall(&[(CLIENT_HEADER, "address/127.0.0.2")], None)),
            Code::NoUpload
        );
        let foreign = format!("{SESSION_COOKIE}={}", "0f".repeat(16));
        assert_eq!(code(recall(&[("cookie", &foreign)], Some(&id))), Code::UnknownUpload);
    }

    #[test]
    fn a_key_keeps_its_uploads_from_all_other_clients() {
        let store = InMemory::default();
        let uploads = uploads(&store);
        let headers = |client: &'static str| [(CLIENT_HEADER, client), (SESSION_HEADER, "1")];
        let recall = |headers: &[(&str, &str)], id: Option<&str>| uploads.recall::<u8>(&session(headers).unwrap(), id);
        let id = uploads
            .remember(&session(&headers("key/a")).unwrap(), [1; 16], &1_u8)
            .unwrap();
        assert_eq!(recall(&headers("key/a"), None).unwrap().0, id);
        assert_eq!(recall(&[(CLIENT_HEADER, "key/a")], Some(&id)).unwrap().0, id);
        assert_eq!(code(recall(&headers("key/b"), None)), Code::NoUpload);
        assert_eq!(code(recall(&headers("key/b"), Some(&id))), Code::UnknownUpload);
        assert_eq!(
            code(recall(&[(SESSION_HEADER, "somebody-without-a-key")], Some(&id))),
            Code::UnknownUpload
        );
        assert_eq!(code(recall(&[], Some(&id))), Code::UnknownUpload);
    }

    /// A store in which another request changes a value just before each of the first changes.
    struct Raced<'a>(&'a InMemory, std::cell::Cell<u8>);

    impl Store for Raced<'_> {
        fn get(&self, key: &str) -> Result<Option<Vec<u8>>, String> {
            self.0.get(key)
        }

        fn set(&self, key: &str, value: &[u8]) -> Result<(), String> {
            self.0.set(key, value)
        }

        fn delete(&self, key: &str) -> Result<(), String> {
            self.0.delete(key)
        }

        fn change(&self, key: &str, change: Change<'_>) -> Result<(), String> {
            while self.1.get() > 0 {
                self.1.set(self.1.get() - 1);
                // Too late: what it made is not set.
                change(self.0.get(key)?);
                let theirs = String::from_utf8(self.0.get(key)?.unwrap()).unwrap();
                self.0.set(key, theirs.replace(']', ",9]").as_bytes())?;
            }
            self.0.change(key, change)
        }
    }

    #[test]
    fn two_changes_that_meet_are_both_kept() {
        let store = InMemory::default();
        let raced = Raced(&store, 2.into());
        let uploads = Uploads {
            store: &raced,
            ..uploads(&store)
        };
        let mine = session(&[(SESSION_HEADER, "mine-and-no-others")]).unwrap();
        let other = session(&[(SESSION_HEADER, "other-and-not-mine")]).unwrap();
        let id = uploads.remember(&mine, [1; 16], &vec![1]).unwrap();
        let push = |mut all: Vec<u8>| {
            all.push(2);
            all
        };
        uploads.go_on(&mine, &id, push).unwrap();
        assert_eq!(uploads.recall::<Vec<u8>>(&mine, None).unwrap().1, [1, 9, 9, 2]);
        assert_eq!(code(uploads.go_on(&other, &id, push)), Code::UnknownUpload);
        uploads.forget(&mine, None).unwrap();
        assert_eq!(code(uploads.go_on(&mine, &id, push)), Code::UnknownUpload);
    }

    #[test]
    fn a_store_that_is_away_is_no_defect() {
        struct Away;
        impl Store for Away {
            fn get(&self, _: &str) -> Result<Option<Vec<u8>>, String> {
                Err(format!("{UNAVAILABLE}: nobody answers"))
            }
            fn set(&self, _: &str, _: &[u8]) -> Result<(), String> {
                Ok(())
            }
            fn delete(&self, _: &str) -> Result<(), String> {
                Ok(())
            }
        }
        let store = InMemory::default();
        let uploads = Uploads {
            store: &Away,
            ..uploads(&store)
        };
        let mine = session(&[(SESSION_HEADER, "mine-and-no-others")]).unwrap();
        assert_eq!(code(uploads.recall::<u8>(&mine, None)), Code::Unavailable);
        // What names no session asks for nothing that is kept.
        assert_eq!(code(uploads.recall::<u8>(&session(&[]).unwrap(), None)), Code::NoUpload);
    }

    #[test]
    fn an_upload_that_was_forgotten_or_changed_is_so_for_its_owner_alone() {
        let store = InMemory::default();
        let uploads = uploads(&store);
        let mine = session(&[(SESSION_HEADER, "mine-and-no-others")]).unwrap();
        let other = session(&[(SESSION_HEADER, "other-and-not-mine")]).unwrap();
        let id = uploads.remember(&mine, [1; 16], &1_u8).unwrap();
        assert_eq!(code(uploads.update(&other, &id, &2_u8)), Code::UnknownUpload);
        assert_eq!(code(uploads.forget(&other, Some(&id))), Code::UnknownUpload);
        uploads.update(&mine, &id, &3_u8).unwrap();
        assert_eq!(uploads.recall::<u8>(&mine, None).unwrap().1, 3);
        assert_eq!(uploads.forget(&mine, None).unwrap(), id);
        assert_eq!(code(uploads.recall::<u8>(&mine, Some(&id))), Code::UnknownUpload);
    }
}
