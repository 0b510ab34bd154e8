//! Mistral's files: uploaded, named by an address, read at `/v1/ocr`, and forgotten.
//!
//! `POST /v1/files` keeps a file, `GET /v1/files/{id}/url` gives the address by which `/v1/ocr` finds it again: it is looked up
//! here, and nothing is fetched. A file is kept where components keep what they remember of uploads, in pieces, as long, and
//! for all replicas. It belongs to the key, or else to whoever knows its id; where the upload named a session, a request that
//! names another one does not find it.

use std::time::Duration;

use bytes::Bytes;
use http::{Response, Uri};
use http_body::Body;
use quartet_api::Code;
use quartet_api::operations::PDF_EXTRACT_TEXT;
use quartet_api::session::SESSION_HEADER;
use quartet_document_kinds::Hint;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::form::Form;
use super::kind::Kind;
use crate::auth::Client;
use crate::body::ResponseBody;
use crate::capabilities::Capability;
use crate::door::Door;
use crate::failure::Failure;
use crate::host_functions::keyvalue::{Kept, KeptError, Key};
use crate::http::doors::clock::unix_time;
use crate::http::doors::reply;
use crate::http::doors::visit::Visit;

/// The name of the form's file part.
const FILE_PART: &str = "file";

/// The only purpose of files.
const PURPOSE: &str = "ocr";

/// Longest name of a file that is kept, in characters.
const MAX_NAME_CHARACTERS: usize = 255;

/// The description of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    name: String,
    media_type: String,
    bytes: usize,
    /// Bytes of each piece but the last.
    piece: usize,
    /// Time of its upload, in seconds since 1970.
    created: u64,
    session: Option<String>,
}

/// The files of a caller.
struct Files<'v> {
    values: &'v dyn Kept,
    capability: Capability,
    client: Client,
    session: Option<&'v str>,
    piece: usize,
    kept: Duration,
}

impl<'v> Files<'v> {
    fn new(visit: &'v Visit<'_>) -> Result<Self, Failure> {
        let operator = visit.operator();
        Ok(Self {
            values: &*operator.runtime.keyvalue,
            capability: visit.capability(&PDF_EXTRACT_TEXT)?,
            client: visit.caller().client,
            session: visit.header(SESSION_HEADER),
            piece: operator.limits.kept_value_bytes,
            kept: operator.limits.kept_seconds,
        })
    }

    /// The key of a file, or of one of its pieces. Another client's is another one.
    fn key(&self, id: &str, part: &str) -> Key {
        let owner = match self.client {
            Client::Key(identity) => format!("{:032x}", u128::from_be_bytes(identity)),
            Client::Address(_) => String::new(),
        };
        (self.capability.clone(), format!("file/{owner}/{id}/{part}"))
    }

    async fn set(&self, key: &Key, value: Vec<u8>) -> Result<(), Failure> {
        let kept = self.values.set(key, value, Some(self.client), None).await;
        kept.map_err(refused)
    }

    async fn get(&self, key: &Key) -> Result<Option<Vec<u8>>, Failure> {
        let found = self.values.get(key).await.map_err(refused)?;
        Ok(found.map(|(value, _)| value))
    }

    /// Keeps a file.
    async fn keep(&self, id: &str, head: &Head, file: &[u8]) -> Result<(), Failure> {
        for (number, piece) in file.chunks(head.piece).enumerate() {
            self.set(&self.key(id, &number.to_string()), piece.to_vec()).await?;
        }
        let described = serde_json::to_vec(head).unwrap_or_default();
        self.set(&self.key(id, "head"), described).await?;
        // What finds no room beside itself has pushed its own beginning out.
        if self.get(&self.key(id, "0")).await?.is_some() {
            return Ok(());
        }
        self.remove(id, head).await?;
        Err(Failure::new(
            Code::PayloadTooLarge,
            "the file is larger than what is kept for later requests may be; send it to /v1/ocr as a data URL",
        ))
    }

    /// The description of a file.
    async fn head(&self, id: &str) -> Result<Head, Failure> {
        let described = self.get(&self.key(id, "head")).await?;
        let head: Option<Head> = described.and_then(|head| serde_json::from_slice(&head).ok());
        let of_session = |head: &Head| self.session.is_none() || self.session == head.session.as_deref();
        head.filter(of_session).ok_or_else(unknown)
    }

    /// A file.
    async fn file(&self, id: &str) -> Result<(Head, Bytes), Failure> {
        let head = self.head(id).await?;
        let mut file = Vec::with_capacity(head.bytes);
        for number in 0..head.bytes.div_ceil(head.piece) {
            let piece = self.get(&self.key(id, &number.to_string())).await?;
            file.extend_from_slice(&piece.ok_or_else(unknown)?);
        }
        Ok((head, file.into()))
    }

    async fn forget(&self, id: &str) -> Result<(), Failure> {
        let head = self.head(id).await?;
        self.remove(id, &head).await
    }

    async fn remove(&self, id: &str, head: &Head) -> Result<(), Failure> {
        let parts = (0..head.bytes.div_ceil(head.piece)).map(|number| number.to_string());
        for part in parts.chain(["head".to_owned()]) {
            let key = self.key(id, &part);
            self.values.delete(&key, Some(self.client)).await.map_err(refused)?;
        }
        Ok(())
    }

    /// The description of a file as clients are told it.
    fn told(&self, id: &str, head: &Head) -> Value {
        json!({
            "id": id,
            "object": "file",
            "bytes": head.bytes,
            "created_at": head.created,
            "expires_at": head.created + self.kept.as_secs(),
            "filename": head.name,
            "mimetype": head.media_type,
            "purpose": PURPOSE,
            "sample_type": "ocr_input",
            "source": "upload",
            "num_lines": null,
            "signature": null,
            "deleted": false,
        })
    }
}

fn unknown() -> Failure {
    Failure::new(
        Code::NotFound,
        "no file of this client has this id, or it was forgotten",
    )
}

fn refused(error: KeptError) -> Failure {
    let code = match error {
        KeptError::TooLong(_) => Code::PayloadTooLarge,
        KeptError::Changed => Code::Conflict,
        KeptError::Unavailable => Code::Unavailable,
    };
    Failure::new(code, "the file cannot be kept or found now").with_internal(error.to_string())
}

/// Keeps a file.
///
/// # Errors
/// When the form is wrong, or there is no room.
pub async fn keep<B>(body: B, mut visit: Visit<'_>) -> Result<Response<ResponseBody>, Failure>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
{
    let body = visit.read(body).await?;
    let content_type = visit.header("content-type").unwrap_or_default();
    let mut form = Form::read(content_type, body, FILE_PART).await?;
    if let Some(other) = form.all("purpose").find(|purpose| *purpose != PURPOSE) {
        let shown: String = other.chars().take(40).collect();
        return Err(Failure::field("purpose", format!("is {shown:?}; it takes {PURPOSE}")));
    }
    let Some((name, file)) = form.files.pop() else {
        return Err(Failure::missing_field(FILE_PART, "the document or picture as a file"));
    };
    if !form.files.is_empty() {
        return Err(Failure::field(
            FILE_PART,
            "is there several times; send one in a request",
        ));
    }
    if file.is_empty() {
        return Err(Failure::field(FILE_PART, "is empty"));
    }
    let hint = Hint {
        name: Some(&name),
        media_type: None,
    };
    let files = Files::new(&visit)?;
    let head = Head {
        media_type: Kind::of(&file, hint).media_type().to_owned(),
        bytes: file.len(),
        piece: files.piece,
        created: unix_time(),
        session: files.session.map(str::to_owned),
        name: name.chars().take(MAX_NAME_CHARACTERS).collect(),
    };
    let id = uuid::Uuid::new_v4().to_string();
    files.keep(&id, &head, &file).await?;
    Ok(reply::json(&files.told(&id, &head)))
}

/// Tells what is known of a file.
///
/// # Errors
/// When there is no such file of the caller.
pub async fn describe(path: &str, visit: &Visit<'_>) -> Result<Response<ResponseBody>, Failure> {
    let (id, files) = (Door::File.id(path).unwrap_or_default(), Files::new(visit)?);
    let head = files.head(id).await?;
    Ok(reply::json(&files.told(id, &head)))
}

/// Forgets a file.
///
/// # Errors
/// When there is no such file of the caller.
pub async fn forget(path: &str, visit: &Visit<'_>) -> Result<Response<ResponseBody>, Failure> {
    let id = Door::File.id(path).unwrap_or_default();
    Files::new(visit)?.forget(id).await?;
    Ok(reply::json(&json!({"id": id, "object": "file", "deleted": true})))
}

/// Gives the address of a file, with the name by which the service was asked.
///
/// # Errors
/// When there is no such file of the caller.
pub async fn address(path: &str, uri: &Uri, visit: &Visit<'_>) -> Result<Response<ResponseBody>, Failure> {
    let id = Door::FileUrl.id(path).unwrap_or_default();
    Files::new(visit)?.head(id).await?;
    let authority = uri.authority().map(http::uri::Authority::as_str);
    let base = authority.or(visit.header("host")).map_or(String::new(), |authority| {
        format!("{}://{authority}", visit.caller().scheme)
    });
    Ok(reply::json(&json!({"url": format!("{base}/v1/files/{id}/content")})))
}

/// Gives a file back.
///
/// # Errors
/// When there is no such file of the caller.
pub async fn content(path: &str, visit: &Visit<'_>) -> Result<Response<ResponseBody>, Failure> {
    let id = Door::FileContent.id(path).unwrap_or_default();
    let (_, file) = Files::new(visit)?.file(id).await?;
    Ok(reply::whole("application/octet-stream", file.into()))
}

/// The file that an address of [`address`] names, whatever name the service has in it: behind a proxy it may be another.
pub fn named(url: &str) -> Option<&str> {
    let path = match url.split_once("://") {
        Some((_, rest)) => &rest[rest.find('/')?..],
        None => url,
    };
    let path = path.split(['?', '#']).next()?;
    Door::FileContent.id(path)
}

/// A file by its id, with its name.
///
/// # Errors
/// When there is no such file of the caller.
pub async fn find(id: &str, visit: &Visit<'_>) -> Result<(String, Bytes), Failure> {
    let (head, file) = Files::new(visit)?.file(id).await?;
    Ok((head.name, file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Limits;
    use crate::host_functions::keyvalue::KeyValue;

    const ID: &str = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

    fn files<'v>(values: &'v KeyValue, client: Client, session: Option<&'v str>) -> Files<'v> {
        Files {
            values,
            capability: Capability::bare("pdf"),
            client,
            session,
            piece: 1_000,
            kept: Duration::from_secs(1_800),
        }
    }

    fn head(bytes: usize, session: Option<&str>) -> Head {
        Head {
            name: "a.pdf".to_owned(),
            media_type: "application/pdf".to_owned(),
            bytes,
            piece: 1_000,
            created: 7,
            session: session.map(str::to_owned),
        }
    }

    #[tokio::test]
    async fn files_come_back_whole_to_their_owner_until_they_are_forgotten() {
        let values = KeyValue::new(&Limits {
            kept_bytes: 10_000,
            kept_value_bytes: 1_000,
            ..Limits::default()
        });
        let (one, two) = (Client::Key([1; 16]), Client::Key([2; 16]));
        let own = files(&values, one, None);
        let file: Vec<u8> = (0..2_500_u16).flat_map(u16::to_be_bytes).collect();
        own.keep(ID, &head(5_000, Some("s")), &file).await.unwrap();
        assert_eq!(
            own.file(ID).await.unwrap(),
            (head(5_000, Some("s")), file.clone().into())
        );
        assert!(files(&values, one, Some("s")).head(ID).await.is_ok());
        for other in [
            files(&values, two, None),
            files(&values, Client::Address([127, 0, 0, 1].into()), None),
            files(&values, one, Some("t")),
        ] {
            assert_eq!(other.head(ID).await.unwrap_err().code, Code::NotFound);
            assert!(other.forget(ID).await.is_err());
        }
        own.forget(ID).await.unwrap();
        assert_eq!(own.file(ID).await.unwrap_err().code, Code::NotFound);
        assert!(own.get(&own.key(ID, "0")).await.unwrap().is_none());
        let large = own.keep(ID, &head(20_000, None), &vec![0; 20_000]).await;
        assert_eq!(large.unwrap_err().code, Code::PayloadTooLarge);
        assert!(
            own.get(&own.key(ID, "19")).await.unwrap().is_none(),
            "nothing of it stays"
        );
    }

    #[test]
    fn addresses_name_files_by_their_path() {
        for url in [
            format!("http://127.0.0.1:8080/v1/files/{ID}/content"),
            format!("https://a.example/v1/files/{ID}/content?expiry=1#x"),
            format!("/v1/files/{ID}/content"),
        ] {
            assert_eq!(named(&url), Some(ID), "{url}");
        }
        for url in [
            "https://a.example/x.pdf",
            "https://a.example",
            "/v1/files//content",
            "data:application/pdf;base64,YWJj",
        ] {
            assert_eq!(named(url), None, "{url}");
        }
    }
}
