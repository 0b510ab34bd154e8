//! The protocol of registries over the host's own client of HTTP: permission, redirects, bounds and words for failures.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::{Bytes, BytesMut};
use docker_credential::DockerCredential;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri, header};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use serde::Deserialize;
use tokio::time::timeout;

use super::reference::{Reference, is_loopback};
use super::{credentials, manifest};
use crate::http_client;

/// Time in which a registry has to begin its answer to what has no content.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(15);

/// Time in which it has to take content.
const CONTENT_TIMEOUT: Duration = Duration::from_secs(300);

/// Time for which an answer may stand still.
const STALL_TIMEOUT: Duration = Duration::from_secs(30);

/// Redirects that are followed to a blob.
const MAX_REDIRECTS: usize = 4;

/// Bytes of an answer with a token, or with a failure.
const MAX_SHORT_BYTES: usize = 64 * 1024;

/// Characters of a registry's own words that are shown.
const MAX_WORDS: usize = 200;

/// An intention, which a registry has to permit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// Reading.
    Pull,
    /// Reading and writing.
    Push,
}

/// A conversation with a registry about one repository.
pub struct Client {
    reference: Reference,
    intent: Intent,
    http: http_client::Client,
    credentials: Option<DockerCredential>,
    permission: Option<HeaderValue>,
}

/// A request to the registry.
pub struct Ask<'a> {
    /// The method.
    pub method: Method,
    /// The address.
    pub uri: Uri,
    /// Headers: names and values.
    pub headers: &'a [(header::HeaderName, &'a str)],
    /// The content; empty where there is none.
    pub content: Bytes,
}

/// A token, under either or both of the names that registries give it.
#[derive(Deserialize)]
struct Token {
    token: Option<String>,
    access_token: Option<String>,
}

/// A failure in a registry's words.
#[derive(Deserialize)]
struct Failure {
    errors: Vec<Words>,
}

#[derive(Deserialize)]
struct Words {
    #[serde(default)]
    code: String,
    #[serde(default)]
    message: String,
}

impl Client {
    /// Begins a conversation, with the credentials that are kept for the registry.
    ///
    /// # Errors
    /// With the reason, when the credentials cannot be read, or the system has no certificates.
    pub fn new(reference: &Reference, intent: Intent) -> Result<Self, String> {
        Self::with_credentials(reference, intent, credentials::of(reference.login())?)
    }

    /// Begins a conversation with these credentials.
    ///
    /// # Errors
    /// With the reason, when the system has no certificates.
    pub fn with_credentials(
        reference: &Reference,
        intent: Intent,
        credentials: Option<DockerCredential>,
    ) -> Result<Self, String> {
        let base = address(reference, "/v2/")?;
        Ok(Self {
            reference: reference.clone(),
            intent,
            http: http_client::new(&base).map_err(|error| error.to_string())?,
            credentials,
            permission: None,
        })
    }

    /// The address of something in the repository.
    ///
    /// # Errors
    /// When it is none.
    pub fn address(&self, path: &str) -> Result<Uri, String> {
        address(&self.reference, &format!("/v2/{}/{path}", self.reference.repository()))
    }

    /// Sends a request, once more with permission where the registry asks for it.
    ///
    /// # Errors
    /// With the reason, when there is no answer, or no permission.
    pub async fn send(&mut self, ask: &Ask<'_>) -> Result<Response<Incoming>, String> {
        let response = self.once(ask).await?;
        if response.status() != StatusCode::UNAUTHORIZED {
            return Ok(response);
        }
        self.permission = Some(self.permit(response.headers()).await?);
        let response = self.once(ask).await?;
        match response.status() {
            StatusCode::UNAUTHORIZED => Err(self.unauthorized()),
            _ => Ok(response),
        }
    }

    /// Reads a manifest by its tag or digest, with the headers of the answer; none where the registry has none.
    ///
    /// # Errors
    /// With the reason, when it is not to be had or too large.
    pub async fn manifest(&mut self, name: &str) -> Result<Option<(HeaderMap, Bytes)>, String> {
        let ask = Ask {
            method: Method::GET,
            uri: self.address(&format!("manifests/{name}"))?,
            headers: &[(header::ACCEPT, manifest::ACCEPTED)],
            content: Bytes::new(),
        };
        let response = self.send(&ask).await?;
        match response.status() {
            StatusCode::OK => {
                let headers = response.headers().clone();
                Ok(Some((headers, read(response, manifest::MAX_BYTES).await?)))
            }
            StatusCode::NOT_FOUND => Ok(None),
            status if status.is_redirection() => {
                Err("the registry leads to another place for the manifest: only a blob may lie elsewhere".to_owned())
            }
            _ => Err(failure(response).await),
        }
    }

    /// Reads a blob, from where the registry says that it lies.
    ///
    /// # Errors
    /// With the reason, when it is not to be had or has more than `most` bytes.
    pub async fn blob(&mut self, digest: &str, most: usize) -> Result<Bytes, String> {
        let mut ask = Ask {
            method: Method::GET,
            uri: self.address(&format!("blobs/{digest}"))?,
            headers: &[],
            content: Bytes::new(),
        };
        let mut response = self.send(&ask).await?;
        for _ in 0..MAX_REDIRECTS {
            if !response.status().is_redirection() {
                break;
            }
            ask.uri = self.target(&ask.uri, response.headers())?;
            response = self.once(&ask).await?;
        }
        match response.status() {
            StatusCode::OK => read(response, most).await,
            StatusCode::NOT_FOUND => Err(format!("the registry does not have {digest}, which the manifest names")),
            status if status.is_redirection() => Err("the registry leads from one place to another".to_owned()),
            _ => Err(failure(response).await),
        }
    }

    /// The address that an answer leads to. What is asked for with TLS never comes without, and only a registry on this
    /// machine leads to addresses of this machine.
    ///
    /// # Errors
    /// With the reason, when that is no address, or not allowed.
    pub fn target(&self, from: &Uri, headers: &HeaderMap) -> Result<Uri, String> {
        let location = headers.get(header::LOCATION).and_then(|value| value.to_str().ok());
        let location = location.ok_or("the registry leads nowhere")?;
        let to = match location.starts_with('/') && !location.starts_with("//") {
            true => format!("{}{location}", origin(from)),
            false => location.to_owned(),
        };
        let to: Uri = to.parse().map_err(|_| "the registry leads to what is no address")?;
        self.may_ask(&to)
            .map_err(|reason| format!("the registry leads to {}, {reason}", origin(&to)))?;
        Ok(to)
    }

    fn may_ask(&self, to: &Uri) -> Result<(), &'static str> {
        let is_local = to.host().is_some_and(is_loopback);
        match to.scheme_str() {
            _ if self.reference.scheme() == "http" && is_local => Ok(()),
            _ if is_local => Err("which is this machine"),
            Some("https") if to.host().is_some() => Ok(()),
            _ => Err("which is no HTTPS"),
        }
    }

    /// Sends a request as it is. Only the registry itself gets the permission.
    async fn once(&self, ask: &Ask<'_>) -> Result<Response<Incoming>, String> {
        let mut request = Request::builder()
            .method(&ask.method)
            .uri(&ask.uri)
            .header(header::USER_AGENT, http_client::USER_AGENT);
        for (name, value) in ask.headers {
            request = request.header(name, *value);
        }
        let base = address(&self.reference, "/")?;
        if let Some(permission) = &self.permission
            && origin(&base) == origin(&ask.uri)
        {
            request = request.header(header::AUTHORIZATION, permission);
        }
        let request = request.body(Full::new(ask.content.clone()));
        let limit = match ask.content.is_empty() {
            true => ANSWER_TIMEOUT,
            false => CONTENT_TIMEOUT,
        };
        self.answer(&ask.uri, request.map_err(|error| error.to_string())?, limit)
            .await
    }

    async fn answer(
        &self,
        uri: &Uri,
        request: Request<Full<Bytes>>,
        limit: Duration,
    ) -> Result<Response<Incoming>, String> {
        // A client for the clear knows no certificates.
        let other = match uri.scheme_str() == Some(self.reference.scheme()) {
            true => None,
            false => Some(http_client::new(uri).map_err(|error| error.to_string())?),
        };
        match timeout(limit, other.as_ref().unwrap_or(&self.http).request(request)).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(format!(
                "{} cannot be reached: {}",
                origin(uri),
                http_client::reason(error)
            )),
            Err(_) => Err(format!(
                "{} has not answered within {} seconds",
                origin(uri),
                limit.as_secs()
            )),
        }
    }

    /// Gets the permission that a registry asks for.
    async fn permit(&self, headers: &HeaderMap) -> Result<HeaderValue, String> {
        let asked = headers
            .get_all(header::WWW_AUTHENTICATE)
            .iter()
            .filter_map(|value| value.to_str().ok());
        let asked: Vec<_> = asked
            .flat_map(|value| http_auth::parse_challenges(value).unwrap_or_default())
            .collect();
        let scheme = |name: &str| {
            asked
                .iter()
                .find(|challenge| challenge.scheme.eq_ignore_ascii_case(name))
        };
        let value = match (scheme("bearer"), scheme("basic"), &self.credentials) {
            (Some(challenge), ..) => {
                let parameter = |name: &str| {
                    let mut all = challenge.params.iter();
                    all.find_map(|(known, value)| known.eq_ignore_ascii_case(name).then(|| value.to_unescaped()))
                };
                let realm = parameter("realm").ok_or("the registry does not say who gives permission")?;
                format!("Bearer {}", self.token(&realm, parameter("service")).await?)
            }
            (None, Some(_), Some(DockerCredential::UsernamePassword(name, password))) => basic(name, password),
            _ => return Err(self.unauthorized()),
        };
        let mut value = HeaderValue::try_from(value).map_err(|_| "the registry's permission is no header")?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// Asks for a token where the registry says that they are given.
    async fn token(&self, realm: &str, service: Option<String>) -> Result<String, String> {
        let uri: Uri = realm
            .parse()
            .map_err(|_| format!("the registry sends to {realm:?} for permission, which is no address"))?;
        self.may_ask(&uri)
            .map_err(|reason| format!("the registry sends to {} for permission, {reason}", origin(&uri)))?;
        let actions = match self.intent {
            Intent::Pull => "pull",
            Intent::Push => "pull,push",
        };
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair(
            "scope",
            &format!("repository:{}:{actions}", self.reference.repository()),
        );
        if let Some(service) = service {
            query.append_pair("service", &service);
        }
        let request = match &self.credentials {
            Some(DockerCredential::IdentityToken(token)) => {
                query.append_pair("grant_type", "refresh_token");
                query.append_pair("client_id", "quartet");
                query.append_pair("refresh_token", token);
                Request::post(&uri)
                    .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
                    .body(Full::from(query.finish()))
            }
            credentials => {
                let mark = if uri.query().is_some() { '&' } else { '?' };
                let mut request = Request::get(format!("{uri}{mark}{}", query.finish()));
                if let Some(DockerCredential::UsernamePassword(name, password)) = credentials {
                    request = request.header(header::AUTHORIZATION, basic(name, password));
                }
                request.body(Full::default())
            }
        };
        let response = self
            .answer(&uri, request.map_err(|error| error.to_string())?, ANSWER_TIMEOUT)
            .await?;
        match response.status() {
            StatusCode::OK => {}
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => return Err(self.unauthorized()),
            status => return Err(format!("{} gives no permission: it answers {status}", origin(&uri))),
        }
        let text = read(response, MAX_SHORT_BYTES).await?;
        let token = serde_json::from_slice(&text)
            .ok()
            .and_then(|token: Token| token.token.or(token.access_token));
        token.ok_or_else(|| format!("{} gives no permission: its answer has no token", origin(&uri)))
    }

    fn unauthorized(&self) -> String {
        let registry = self.reference.registry();
        match self.credentials {
            Some(_) => format!("{registry} does not permit it with the credentials that are kept for it"),
            None => format!(
                "{registry} wants credentials: `docker login {registry}`, or another program that keeps them in Docker's config.json, \
                 makes them known"
            ),
        }
    }
}

fn basic(name: &str, password: &str) -> String {
    format!("Basic {}", STANDARD.encode(format!("{name}:{password}")))
}

fn address(reference: &Reference, path: &str) -> Result<Uri, String> {
    let text = format!("{}://{}{path}", reference.scheme(), reference.host());
    text.parse().map_err(|_| format!("{text} is no address"))
}

/// The part of an address that names a server.
pub fn origin(uri: &Uri) -> String {
    let scheme = uri.scheme_str().unwrap_or_default();
    format!(
        "{scheme}://{}",
        uri.authority().map_or("", |authority| authority.as_str())
    )
}

/// Reads an answer, of which no more than so many bytes may come.
async fn read(response: Response<Incoming>, most: usize) -> Result<Bytes, String> {
    let mut body = response.into_body();
    let mut all = BytesMut::new();
    loop {
        let frame = match timeout(STALL_TIMEOUT, body.frame()).await {
            Ok(None) => return Ok(all.freeze()),
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(error))) => {
                return Err(format!(
                    "the registry's answer breaks off: {}",
                    http_client::reason(error)
                ));
            }
            Err(_) => return Err(format!("nothing has come for {} seconds", STALL_TIMEOUT.as_secs())),
        };
        let Ok(piece) = frame.into_data() else { continue };
        if all.len() + piece.len() > most {
            return Err(format!(
                "the registry sends more than the {most} bytes that were to come"
            ));
        }
        all.extend_from_slice(&piece);
    }
}

/// A registry's refusal, with its own words where it has any.
pub async fn failure(response: Response<Incoming>) -> String {
    let status = response.status();
    let text = read(response, MAX_SHORT_BYTES).await.unwrap_or_default();
    let words = serde_json::from_slice(&text).ok().and_then(|failure: Failure| {
        let words = failure.errors.into_iter().next()?;
        Some(format!("{} {}", words.code, words.message))
    });
    let shown: String = words
        .unwrap_or_default()
        .chars()
        .filter(|character| !character.is_control())
        .take(MAX_WORDS)
        .collect();
    match shown.trim() {
        "" => format!("the registry answers {status}"),
        shown => format!("the registry answers {status}: {shown}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::scripted::{Registry, answer};
    use super::*;

    const TOKEN: &str = r#"{"token": "t", "access_token": "t", "expires_in": 300}"#;

    fn password() -> Option<DockerCredential> {
        Some(DockerCredential::UsernamePassword(
            "alice".to_owned(),
            "secret".to_owned(),
        ))
    }

    fn challenge(registry: &Registry, scheme: &str) -> Vec<u8> {
        let realm = format!("http://{}/token", registry.socket);
        let header = format!("www-authenticate: {scheme} realm=\"{realm}\",service=\"r\",scope=\"repository:other:*\"");
        answer("401 Unauthorized", &[&header], b"")
    }

    /// Asks for a manifest, and returns it with what the registry was asked.
    fn manifest(
        registry: Registry,
        credentials: Option<DockerCredential>,
    ) -> (Result<Option<Bytes>, String>, Vec<String>) {
        let reference = registry.reference("tts:1");
        let came = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap()
            .block_on(async {
                let mut client = Client::with_credentials(&reference, Intent::Pull, credentials)?;
                Ok(client.manifest("1").await?.map(|(_, bytes)| bytes))
            });
        (came, registry.asked())
    }

    #[test]
    fn a_token_is_got_where_the_registry_says_and_for_no_more_than_is_needed() {
        let registry = Registry::start(|registry| {
            vec![
                challenge(registry, "Bearer"),
                answer("200 OK", &[], TOKEN.as_bytes()),
                answer("200 OK", &[], b"the manifest"),
            ]
        });
        let (came, asked) = manifest(registry, password());
        assert_eq!(came, Ok(Some(Bytes::from_static(b"the manifest"))));
        assert!(
            asked[0].starts_with("GET /v2/tts/manifests/1 ") && !asked[0].contains("authorization"),
            "{asked:?}"
        );
        assert!(
            asked[1].starts_with("GET /token?scope=repository%3Atts%3Apull&service=r "),
            "{asked:?}"
        );
        assert!(asked[1].contains("authorization: Basic YWxpY2U6c2VjcmV0"), "{asked:?}");
        assert!(asked[2].contains("authorization: Bearer t\r\n"), "{asked:?}");
    }

    #[test]
    fn an_identity_token_is_changed_for_one_by_a_form() {
        let registry = Registry::start(|registry| {
            vec![
                challenge(registry, "Bearer"),
                answer("200 OK", &[], br#"{"access_token": "t"}"#),
                answer("200 OK", &[], b"the manifest"),
            ]
        });
        let (came, asked) = manifest(registry, Some(DockerCredential::IdentityToken("long".to_owned())));
        assert!(came.is_ok(), "{came:?}");
        assert!(asked[1].starts_with("POST /token "), "{asked:?}");
        assert!(
            asked[1].ends_with("grant_type=refresh_token&client_id=quartet&refresh_token=long"),
            "{asked:?}"
        );
    }

    #[test]
    fn what_is_not_permitted_says_what_would_help() {
        let (came, asked) = manifest(Registry::start(|registry| vec![challenge(registry, "Basic")]), None);
        assert!(came.unwrap_err().contains("`docker login 127.0.0.1:"));
        assert_eq!(asked.len(), 1);
        let registry = Registry::start(|registry| vec![challenge(registry, "Basic"), challenge(registry, "Basic")]);
        let (came, asked) = manifest(registry, password());
        assert!(came.unwrap_err().contains("does not permit it with the credentials"));
        assert!(asked[1].contains("authorization: Basic YWxpY2U6c2VjcmV0"), "{asked:?}");
        let elsewhere = "www-authenticate: Bearer realm=\"http://192.0.2.1/token\"";
        let registry = Registry::start(|_| vec![answer("401 Unauthorized", &[elsewhere], b"")]);
        let (came, _) = manifest(registry, password());
        assert!(
            came.unwrap_err()
                .contains("http://192.0.2.1 for permission, which is no HTTPS")
        );
    }

    #[test]
    fn a_manifest_leads_nowhere_and_has_its_bounds() {
        let registry = Registry::start(|_| vec![answer("307 Temporary Redirect", &["location: /elsewhere"], b"")]);
        assert!(manifest(registry, None).0.unwrap_err().contains("only a blob"));
        let large = vec![b' '; manifest::MAX_BYTES + 1];
        let registry = Registry::start(|_| vec![answer("200 OK", &[], &large)]);
        assert!(
            manifest(registry, None)
                .0
                .unwrap_err()
                .contains("more than the 1048576 bytes")
        );
        let words = br#"{"errors": [{"code": "TOOMANYREQUESTS", "message": "later\u001b[31m"}]}"#;
        let registry = Registry::start(|_| vec![answer("429 Too Many Requests", &[], words)]);
        assert_eq!(
            manifest(registry, None).0.unwrap_err(),
            "the registry answers 429 Too Many Requests: TOOMANYREQUESTS later[31m"
        );
        let registry = Registry::start(|_| vec![answer("404 Not Found", &[], b"")]);
        assert_eq!(manifest(registry, None).0, Ok(None));
    }

    #[test]
    fn a_blob_may_lie_elsewhere_and_nobody_there_gets_the_permission() {
        let registry = Registry::start(|registry| {
            // Another name of this machine is another server.
            let elsewhere = format!("location: http://localhost:{}/blob", registry.port());
            vec![
                challenge(registry, "Basic"),
                answer("307 Temporary Redirect", &[&elsewhere], b""),
                answer("200 OK", &[], b"the blob"),
            ]
        });
        let reference = registry.reference("tts:1");
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let came = runtime.block_on(async {
            let mut client = Client::with_credentials(&reference, Intent::Pull, password())?;
            client.blob("sha256:0", 8).await
        });
        assert_eq!(came, Ok(Bytes::from_static(b"the blob")));
        let asked = registry.asked();
        assert!(asked[1].contains("authorization: Basic"), "{asked:?}");
        assert!(
            asked[2].starts_with("GET /blob ") && !asked[2].contains("authorization"),
            "{asked:?}"
        );
    }

    #[test]
    fn a_registry_leads_neither_into_the_clear_nor_to_this_machine() {
        let target = |registry: &str, location: &str| {
            let reference = format!("oci://{registry}/tts:1").parse().unwrap();
            let client = Client::with_credentials(&reference, Intent::Pull, None).unwrap();
            let headers = [(header::LOCATION, location.parse().unwrap())].into_iter().collect();
            let from = address(&reference, "/v2/tts/blobs/x").unwrap();
            client.target(&from, &headers).map(|uri| uri.to_string())
        };
        assert_eq!(
            target("127.0.0.1:5000", "/blob?x=y").unwrap(),
            "http://127.0.0.1:5000/blob?x=y"
        );
        assert_eq!(
            target("127.0.0.1:5000", "https://cdn.example/y").unwrap(),
            "https://cdn.example/y"
        );
        assert!(
            target("127.0.0.1:5000", "http://192.0.2.1/y")
                .unwrap_err()
                .contains("no HTTPS")
        );
        assert!(target("127.0.0.1:5000", "blob").is_err());
    }
}
