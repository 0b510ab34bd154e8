//! Probes as data: requests of a capability, and what their answers must be.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Component, Path};

use http::{HeaderName, HeaderValue};
use quartet_api::Code;
use serde::de::{self, SeqAccess, Visitor, value::SeqAccessDeserializer};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// The folder with files that requests send, beside the file that names them. Only what is in it: elsewhere may be what
/// no component is to see.
pub const FOLDER: &str = "probe";

/// Boundary of forms.
const BOUNDARY: &str = "quartet-probe";

/// One request of a probe.
#[derive(Debug, Clone)]
pub struct Step {
    /// Its method.
    pub method: http::Method,
    /// Its path below the capability's own, such as `/info`; empty for the capability's own.
    pub path: String,
    /// Its headers, `content-type` among them where there is a body.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// Its body.
    pub body: Vec<u8>,
    /// Graphs without which the step is left out: those that the version does not ask for, or whose files are missing.
    pub graphs: Vec<String>,
    /// The answer that it must have.
    pub expected: Expected,
}

/// The answer that a step expects.
#[derive(Debug, Clone)]
pub struct Expected {
    /// Its status.
    pub status: Status,
    /// Its media type, without parameters.
    pub content_type: Option<String>,
    /// Expectations of its JSON.
    pub answer: Vec<Check>,
    /// The sound in it.
    pub audio: Option<Audio>,
}

/// The status that a step expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// This one.
    Is(http::StatusCode),
    /// A failure of the service's contract: its status, and its code in the body.
    Failure(Code),
    /// Any but those of a failure inside: nobody here knows what it takes.
    NoServerError,
}

/// One expectation of a value in an answer of JSON.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The value's place: a JSON pointer, such as `/data/text`; empty for the whole answer.
    pub at: String,
    /// The value. Of an object, these members; others may stand beside them.
    pub is: Option<Value>,
    /// The string, without the white space around it.
    pub trimmed: Option<String>,
    /// A part of the string.
    pub contains: Option<String>,
    /// The end of the string.
    pub ends_with: Option<String>,
    /// Elements of the array.
    pub length: Option<usize>,
}

/// Expectations of a WAV file with sound in it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Audio {
    /// A JSON pointer to the file in Base64; without it the answer is the file.
    pub base64_at: Option<String>,
    /// A JSON pointer to the file's size in bytes.
    pub size_at: Option<String>,
    /// Samples a second.
    pub sample_rate: u32,
    /// Channels.
    pub channels: u16,
    /// Bits of a sample: 16 at most.
    pub bits: u16,
    /// Its length, at least.
    #[serde(default)]
    pub min_seconds: f64,
    /// Root mean square of the samples as a part of full scale, at least: what is below is silence.
    pub min_level: f64,
}

/// Reads a file beside the `capability.toml`, by its path from there.
pub type ReadFile<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, String>;

/// A probe as it is written: a path that must answer with a success, or steps.
#[derive(Debug, Default)]
pub enum Written {
    /// Nothing is said.
    #[default]
    Nothing,
    /// A path below the capability's own.
    Path(String),
    /// Requests with what must hold.
    Steps(Vec<WrittenStep>),
}

// By hand, because what serde derives for such a choice forgets where in the file an error is.
impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Written;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a path, or tables [[probe]]")
            }

            fn visit_str<E: de::Error>(self, path: &str) -> Result<Written, E> {
                Ok(Written::Path(path.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, steps: A) -> Result<Written, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(steps)).map(Written::Steps)
            }
        }

        deserializer.deserialize_any(Either)
    }
}

/// A step as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenStep {
    method: Option<String>,
    #[serde(default)]
    path: String,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    json: Option<Value>,
    form: Option<WrittenForm>,
    #[serde(default)]
    graphs: Vec<String>,
    status: Option<u16>,
    failure: Option<String>,
    content_type: Option<String>,
    #[serde(default)]
    answer: Vec<Check>,
    audio: Option<Audio>,
}

/// A form with one file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenForm {
    part: String,
    media_type: String,
    file: String,
}

impl Written {
    /// The steps. Where nothing is said the capability's own path must answer, with any status but those of failures
    /// inside.
    ///
    /// # Errors
    /// A sentence that names the key.
    pub fn steps(self, read: ReadFile<'_>) -> Result<Vec<Step>, String> {
        match self {
            Written::Nothing => Ok(vec![Step::get(String::new(), Status::NoServerError)]),
            Written::Path(path) => match path.starts_with('/') {
                true => Ok(vec![Step::get(path, Status::Is(http::StatusCode::OK))]),
                false => Err(format!(
                    "`probe` is {path:?}; it takes a path below the capability's own, such as /info"
                )),
            },
            Written::Steps(steps) if steps.is_empty() => {
                Err("`probe` has no steps; leave it out, or name what must be answered".to_owned())
            }
            Written::Steps(written) => steps("probe", written, read),
        }
    }
}

/// The steps under a key of a file.
///
/// # Errors
/// A sentence that names the key.
pub fn steps(key: &str, written: Vec<WrittenStep>, read: ReadFile<'_>) -> Result<Vec<Step>, String> {
    let numbered = written.into_iter().zip(1..);
    numbered
        .map(|(step, number)| step.read(read).map_err(|reason| format!("`{key}` {number}: {reason}")))
        .collect()
}

impl Step {
    fn get(path: String, status: Status) -> Self {
        Self {
            method: http::Method::GET,
            path,
            headers: Vec::new(),
            body: Vec::new(),
            graphs: Vec::new(),
            expected: Expected {
                status,
                content_type: None,
                answer: Vec::new(),
                audio: None,
            },
        }
    }
}

impl WrittenStep {
    fn read(self, read: ReadFile<'_>) -> Result<Step, String> {
        if !(self.path.is_empty() || self.path.starts_with('/')) {
            return Err(format!(
                "`path` is {:?}; it takes a path below the capability's own, such as /info",
                self.path
            ));
        }
        let status = status(self.status, self.failure)?;
        let content = match (self.json, self.form) {
            (None, None) => None,
            (Some(json), None) => Some(("application/json".to_owned(), json.to_string().into_bytes())),
            (None, Some(form)) => Some(form.read(read)?),
            (Some(_), Some(_)) => return Err("it has both `json` and `form`; a request has one body".to_owned()),
        };
        let default = if content.is_some() { "POST" } else { "GET" };
        let method = self.method.as_deref().unwrap_or(default);
        let method = method
            .parse()
            .map_err(|_| format!("`method` is {method:?}; it takes a method of HTTP, such as POST"))?;
        let mut headers = Vec::new();
        for (name, value) in &self.headers {
            let wrong = || format!("`headers` has {name:?} = {value:?}, which is no header");
            let name: HeaderName = name.parse().map_err(|_| wrong())?;
            headers.push((name, value.parse().map_err(|_| wrong())?));
        }
        let mut body = Vec::new();
        if let Some((media_type, bytes)) = content {
            let media_type = media_type
                .parse()
                .map_err(|_| format!("{media_type:?} is no media type"))?;
            headers.push((http::header::CONTENT_TYPE, media_type));
            body = bytes;
        }
        self.answer.iter().try_for_each(Check::validate)?;
        if let Some(audio) = &self.audio {
            audio.validate()?;
        }
        Ok(Step {
            method,
            path: self.path,
            headers,
            body,
            graphs: self.graphs,
            expected: Expected {
                status,
                content_type: self.content_type,
                answer: self.answer,
                audio: self.audio,
            },
        })
    }
}

/// A success where nothing else is said.
fn status(status: Option<u16>, failure: Option<String>) -> Result<Status, String> {
    match (status, failure) {
        (None, None) => Ok(Status::Is(http::StatusCode::OK)),
        (Some(status), None) => http::StatusCode::from_u16(status)
            .map(Status::Is)
            .map_err(|_| format!("`status` is {status}; it takes a status of HTTP")),
        (None, Some(word)) => Code::from_word(&word)
            .map(Status::Failure)
            .ok_or_else(|| format!("`failure` is {word:?}; it takes a code of the contract, such as missing_field")),
        (Some(_), Some(_)) => Err("it has both `status` and `failure`; a failure has its status".to_owned()),
    }
}

impl WrittenForm {
    /// Its media type and its bytes, as browsers send them.
    fn read(self, read: ReadFile<'_>) -> Result<(String, Vec<u8>), String> {
        let Self { part, media_type, file } = self;
        let mut parts = Path::new(&file).components();
        let inside = parts.next() == Some(Component::Normal(FOLDER.as_ref()))
            && parts.all(|part| matches!(part, Component::Normal(_)));
        if !inside {
            return Err(format!(
                "`file` is {file:?}; it takes a path in the folder `{FOLDER}` beside, such as {FOLDER}/open.png"
            ));
        }
        if [&part, &media_type].iter().any(|text| text.contains(['"', '\r', '\n'])) {
            return Err("`part` and `media_type` take no quotes and no ends of lines".to_owned());
        }
        let content = read(&file).map_err(|error| format!("`file`: {file} cannot be read: {error}"))?;
        let head = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{part}\"; filename=\"probe\"\r\n\
             Content-Type: {media_type}\r\n\r\n"
        );
        let foot = format!("\r\n--{BOUNDARY}--\r\n");
        Ok((
            format!("multipart/form-data; boundary={BOUNDARY}"),
            [head.as_bytes(), &content, foot.as_bytes()].concat(),
        ))
    }
}

fn is_pointer(text: &str) -> bool {
    text.is_empty() || text.starts_with('/')
}

impl Check {
    fn validate(&self) -> Result<(), String> {
        let at = &self.at;
        if !is_pointer(at) {
            return Err(format!("`at` is {at:?}; it takes a JSON pointer, such as /data/text"));
        }
        let strings = [&self.trimmed, &self.contains, &self.ends_with];
        if self.is.is_none() && self.length.is_none() && strings.iter().all(|text| text.is_none()) {
            return Err(format!(
                "nothing is expected at {at:?}; it takes `is`, `trimmed`, `contains`, `ends_with` or `length`"
            ));
        }
        Ok(())
    }
}

impl Audio {
    fn validate(&self) -> Result<(), String> {
        for pointer in [&self.base64_at, &self.size_at].into_iter().flatten() {
            if !is_pointer(pointer) {
                return Err(format!(
                    "`audio` has {pointer:?}; it takes a JSON pointer, such as /data/audioBase64"
                ));
            }
        }
        match (1..=16).contains(&self.bits) {
            true => Ok(()),
            false => Err(format!("`bits` is {}; it takes 1 to 16", self.bits)),
        }
    }
}
