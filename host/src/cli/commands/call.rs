//! `quartet call`: one request to a running service, from a terminal or a script.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use clap::{Arg, ArgAction, ArgMatches, Command};
use http::{Response, header};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use quartet_api::Success;
use quartet_api::tts::SpeechResult;

use super::ask::{self, Question};
use super::body;
use super::job::{self, JobError};
use super::{Subcommand, exit};
use crate::config::Invalid;
use crate::http_client;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

fn command() -> Command {
    ask::flags(Command::new("call").about("Ask a running service: exit code 0, 1 refused or failed, 3 not reached"))
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .help("Where the answer goes; - is standard output, the default. A .wav, .mp3, .opus, .flac or .pcm gets the sound alone"),
        )
        .arg(
            Arg::new("job")
                .long("job")
                .action(ArgAction::SetTrue)
                .help("Ask for a job, which waits longer for its turn, and show its progress on a terminal"),
        )
        .after_help(
            "quartet call tts/generate --text 'Good morning' -o morning.mp3\n\
             quartet call tts/stream --text - < book.txt | aplay\n\
             quartet call chat --message 'What is 12 times 12?'\n\
             quartet call pdf/summarize --file report.pdf\n\
             quartet call readyz",
        )
}

/// The reason why there is no answer.
enum CallError {
    /// A wrong use.
    Wrong(Invalid),
    /// The service answered, with a failure or with what cannot be used; or the answer cannot be written.
    Failed(String),
    /// The service was not reached, or the connection broke.
    Unreached(String),
}

impl From<Invalid> for CallError {
    fn from(invalid: Invalid) -> Self {
        CallError::Wrong(invalid)
    }
}

impl From<JobError> for CallError {
    fn from(error: JobError) -> Self {
        match error {
            JobError::Wrong(invalid) => CallError::Wrong(invalid),
            JobError::Failed(message) => CallError::Failed(message),
            JobError::Unreached(message) => CallError::Unreached(message),
        }
    }
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    let question = Question::new(matches)?;
    let output = matches.get_one::<String>("output").filter(|output| *output != "-");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Invalid(format!("no runtime can be made: {error}")))?;
    let (message, code) = match runtime.block_on(call(&question, matches.get_flag("job"), output.map(Path::new))) {
        Ok(()) => return Ok(exit::DONE),
        Err(CallError::Wrong(invalid)) => return Err(invalid),
        Err(CallError::Failed(message)) => (message, exit::FAILED),
        Err(CallError::Unreached(message)) => (message, exit::UNREACHABLE.into()),
    };
    eprintln!("quartet: {message}");
    Ok(code)
}

async fn call(question: &Question, job: bool, output: Option<&Path>) -> Result<(), CallError> {
    let uri = &question.uri;
    let unreached = |error| CallError::Unreached(format!("{uri} cannot be reached: {error}"));
    let client = http_client::new(uri).map_err(|error| unreached(error.to_string()))?;
    let response = if job {
        job::ask(&client, question).await?
    } else {
        let asked = client.request(question.request()?).await;
        asked.map_err(|error| unreached(http_client::reason(error)))?
    };
    if !response.status().is_success() {
        let status = response.status();
        let body = response.into_body().collect().await.map_err(cut_off)?.to_bytes();
        return Err(CallError::Failed(ask::failure(status, &body)));
    }
    match output {
        None => print(response).await,
        Some(path) if body::sound_of(path).is_some() && is_json(&response) => {
            let body = response.into_body().collect().await.map_err(cut_off)?.to_bytes();
            let sound = sound(&body)?;
            let mut file = AtomicFile::create(path)?;
            file.write(&sound)?;
            file.keep()
        }
        Some(path) => {
            let mut file = AtomicFile::create(path)?;
            let mut body = response.into_body();
            while let Some(piece) = next(&mut body).await? {
                file.write(&piece)?;
            }
            file.keep()
        }
    }
}

async fn print(response: Response<Incoming>) -> Result<(), CallError> {
    let text = response
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|media_type| media_type.starts_with("text/") || media_type.starts_with("application/json"));
    let mut out = io::stdout();
    if !text && out.is_terminal() {
        return Err(Invalid("this answer is nothing for a terminal: name a file with -o".to_owned()).into());
    }
    let mut body = response.into_body();
    let written = |done: io::Result<()>| {
        done.map_err(|error| CallError::Failed(format!("the answer cannot be written: {error}")))
    };
    while let Some(piece) = next(&mut body).await? {
        written(out.write_all(&piece).and_then(|()| out.flush()))?;
    }
    if text && out.is_terminal() {
        written(out.write_all(b"\n"))?;
    }
    Ok(())
}

/// The next piece of a body.
async fn next(body: &mut Incoming) -> Result<Option<Bytes>, CallError> {
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame.map_err(cut_off)?.into_data() {
            return Ok(Some(data));
        }
    }
    Ok(None)
}

fn cut_off(error: hyper::Error) -> CallError {
    CallError::Unreached(format!("the answer was cut off: {}", http_client::reason(error)))
}

fn is_json(response: &Response<Incoming>) -> bool {
    let media_type = response.headers().get(header::CONTENT_TYPE);
    media_type.is_some_and(|value| value.as_bytes().starts_with(b"application/json"))
}

/// The sound in the envelope of `tts/generate`.
fn sound(body: &[u8]) -> Result<Vec<u8>, CallError> {
    let answer: Success<SpeechResult> = serde_json::from_slice(body)
        .map_err(|_| Invalid("there is no sound in this answer: name a file with another ending".to_owned()))?;
    STANDARD
        .decode(answer.data.audio_base64)
        .map_err(|error| CallError::Failed(format!("the sound in the answer is no Base64: {error}")))
}

/// A file that is there only when it is whole: written beside its place, and moved there at the end.
struct AtomicFile {
    file: File,
    part: PathBuf,
    path: PathBuf,
}

impl AtomicFile {
    fn create(path: &Path) -> Result<Self, CallError> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let part = path.with_file_name(name);
        // A device or a pipe cannot be moved to.
        let special = fs::metadata(path).is_ok_and(|facts| !facts.is_file());
        let part = if special { path.to_owned() } else { part };
        let file = File::create(&part).map_err(|error| unwritten(path, &error))?;
        let path = path.to_owned();
        Ok(Self { file, part, path })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), CallError> {
        self.file
            .write_all(bytes)
            .map_err(|error| unwritten(&self.path, &error))
    }

    fn keep(self) -> Result<(), CallError> {
        if self.part != self.path {
            fs::rename(&self.part, &self.path).map_err(|error| unwritten(&self.path, &error))?;
        }
        Ok(())
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if self.part != self.path {
            // Kept files have been moved by now.
            let _ = fs::remove_file(&self.part);
        }
    }
}

fn unwritten(path: &Path, error: &io::Error) -> CallError {
    CallError::Failed(format!("{} cannot be written: {error}", path.display()))
}
