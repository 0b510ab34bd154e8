//! Scores answers that a language model writes about documents: `pdf_chat QUESTIONS DOCUMENTS open|frozen|all ENGINE MODEL
//! [first]`.
//!
//! QUESTIONS is `eval/pdf/chat`, DOCUMENTS the folder of its PDFs, ENGINE the program `quartet-llm`, MODEL a GGUF file; the folder
//! that `QUARTET_MODELS` names has the embedding model. The operations of the component are called as the service calls them,
//! but for the time: a model may take as long as it needs, so that the score does not depend on the machine. A question
//! belongs to the open half when the SHA-256 of its id is even; only that half may be looked at while something is changed. With
//! `first`, only so many questions of each document are asked; `2..4` leaves out the first two of these.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use quartet_component_sdk::uploads::InMemory;
use quartet_component_sdk::{Body, Request, Store as _};
use quartet_embeddings::{Embedder, GRAPH};
use quartet_eval_pdf::engine::Process;
use quartet_grounding::Writer;
use quartet_inference::engine::{Catalog, Engine};
use quartet_pdf::events::Event;
use quartet_pdf::operations::{self, Asked as AskedDocument, Context, ToExtract, Work};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use unicode_normalization::UnicodeNormalization as _;

/// Milliseconds that a model has: what is left of the time to respond on a machine that does nothing else.
const MODEL_MILLISECONDS: u32 = 24_000;

/// Time for embeddings of passages, as the component has it.
const LEARNING_TIME: Duration = Duration::from_secs(8);

/// A document with its questions.
#[derive(Deserialize)]
struct Asked {
    name: String,
    questions: Vec<Question>,
}

/// A question.
#[derive(Deserialize)]
struct Question {
    id: String,
    text: String,
    /// Lists of texts, all of which an answer must contain; none for a question that the document does not answer.
    #[serde(default)]
    answers: Vec<Vec<String>>,
}

#[derive(Deserialize)]
struct Papers {
    document: Vec<Asked>,
}

/// Counts of one document or of all.
#[derive(Default, Clone, Copy)]
struct Score {
    asked: usize,
    right: usize,
    wrong: usize,
    unanswerable: usize,
    refused: usize,
    statements: usize,
    reworded: usize,
    /// Statements with a number that does not stand in their citations.
    unfounded: usize,
}

impl Score {
    fn add(&mut self, other: Self) {
        self.asked += other.asked;
        self.right += other.right;
        self.wrong += other.wrong;
        self.unanswerable += other.unanswerable;
        self.refused += other.refused;
        self.statements += other.statements;
        self.reworded += other.reworded;
        self.unfounded += other.unfounded;
    }

    fn print(&self, name: &str) {
        println!(
            "{name:20} right {}/{} wrong {} | refused {}/{} | statements {}, reworded {}, unfounded {}",
            self.right,
            self.asked,
            self.wrong,
            self.refused,
            self.unanswerable,
            self.statements,
            self.reworded,
            self.unfounded
        );
    }
}

/// Times from questions to the first statement, where there was one, and to the whole answer.
#[derive(Default)]
struct Times {
    first: Vec<Duration>,
    whole: Vec<Duration>,
}

impl Times {
    fn add(&mut self, first: Option<Duration>, whole: Duration) {
        self.first.extend(first);
        self.whole.push(whole);
    }

    /// Prints the 50th and the 95th percentile of each.
    fn print(&mut self) {
        for (name, times) in [("first statement", &mut self.first), ("whole answer", &mut self.whole)] {
            times.sort_unstable();
            let percentile = |share: usize| times.get(times.len().saturating_sub(1) * share / 100);
            if let (Some(half), Some(most)) = (percentile(50), percentile(95)) {
                println!(
                    "{name:20} p50 {:.1} s, p95 {:.1} s, of {}",
                    half.as_secs_f32(),
                    most.as_secs_f32(),
                    times.len()
                );
            }
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [questions, documents, half, program, model, ..] = &arguments[..] else {
        return Err("name the folders of questions and documents, the half, the engine and the model".into());
    };
    let (skipped, first) = match arguments
        .get(5)
        .map(|range| range.split_once("..").unwrap_or(("0", range)))
    {
        Some((from, to)) => (from.parse()?, to.parse()?),
        None => (0, usize::MAX),
    };
    let models = PathBuf::from(std::env::var_os("QUARTET_MODELS").unwrap_or_default());
    let graphs = Engine::new(Catalog::of_folder(&models, [GRAPH]));
    graphs.open(GRAPH)?;
    let embedder = Embedder::new(&graphs).map_err(|_| "there was no vocabulary when this was built")?;
    let engine = Process::start(Path::new(program), Path::new(model))?;
    let left = || MODEL_MILLISECONDS;
    let begun = Cell::new(Instant::now());
    let first_statement = Cell::new(None);
    let time_to_learn = || begun.get().elapsed() < LEARNING_TIME;
    let store = InMemory::default();
    let context = Context {
        store: &store,
        random: || [7; 16],
        time_left: &|| true,
        ocr: None,
        embed: Some(&embedder),
        time_to_learn: &time_to_learn,
        writer: Some(Writer {
            model: &engine,
            milliseconds_left: &left,
        }),
        tell: &|event| {
            if matches!(event, Event::Statement(_)) && first_statement.get().is_none() {
                first_statement.set(Some(begun.get().elapsed()));
            }
        },
    };
    let mut times = Times::default();
    let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
    let is_taken = |question: &&Question| {
        let digest = Sha256::digest(question.id.as_bytes());
        let open = digest[digest.len() - 1] % 2 == 0;
        half == "all" || open == (half == "open")
    };
    for document in asked(Path::new(questions))? {
        let file = fs::read(Path::new(documents).join(format!("{}.pdf", document.name)))?;
        data::<ToExtract>(form(&file), &context)?;
        let mut score = Score::default();
        for question in document.questions.iter().filter(is_taken).take(first).skip(skipped) {
            forget_the_question_before(&store)?;
            begun.set(Instant::now());
            first_statement.set(None);
            let body = json!({"message": question.text}).to_string().into_bytes();
            let answer = data::<AskedDocument>(request("application/json", body), &context)?;
            times.add(first_statement.get(), begun.get().elapsed());
            // The frozen half is scored unseen.
            judge(question, &answer, &mut score, half == "open");
        }
        score.print(&document.name);
        let group = if document.name.starts_with("xquad") {
            "articles"
        } else {
            "papers"
        };
        scores.entry(group).or_default().add(score);
        scores.entry("all").or_default().add(score);
    }
    for (name, score) in &scores {
        score.print(name);
    }
    times.print();
    println!("{}", engine.report());
    Ok(())
}

/// All documents with their questions.
fn asked(folder: &Path) -> Result<Vec<Asked>, Box<dyn Error>> {
    let papers: Papers = toml::from_str(&fs::read_to_string(folder.join("papers.toml"))?)?;
    let mut asked = papers.document;
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    for file in files
        .iter()
        .filter(|file| file.extension().is_some_and(|kind| kind == "json"))
    {
        asked.push(serde_json::from_str(&fs::read_to_string(file)?)?);
    }
    Ok(asked)
}

/// Judges an answer.
fn judge(question: &Question, answer: &Value, score: &mut Score, tell: bool) {
    let text = answer["answer"].as_str().unwrap_or_default();
    let answered = answer["answered"] == true;
    let said = squeezed(text);
    let right = answered
        && question
            .answers
            .iter()
            .any(|all| all.iter().all(|part| said.contains(&squeezed(part))));
    let good = if question.answers.is_empty() {
        score.unanswerable += 1;
        score.refused += usize::from(!answered);
        !answered
    } else {
        score.asked += 1;
        score.right += usize::from(right);
        score.wrong += usize::from(answered && !right);
        right
    };
    let citations = answer["citations"].as_array().cloned().unwrap_or_default();
    for statement in answer["statements"].as_array().into_iter().flatten() {
        let quotes: String = statement["citations"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|place| citations.get(usize::try_from(place.as_u64()?).ok()?)?["quote"].as_str())
            .collect();
        let figures = |text: &str| -> Vec<String> {
            text.split(|c: char| !c.is_numeric())
                .filter(|figure| !figure.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let known = [figures(&quotes), figures(&question.text)].concat();
        let founded = figures(statement["text"].as_str().unwrap_or_default())
            .iter()
            .all(|figure| known.contains(figure));
        score.statements += 1;
        score.reworded += usize::from(statement["support"] == "reworded");
        score.unfounded += usize::from(!founded);
    }
    if tell {
        println!(
            "{} {} {} [{}] => ({} {}) {} | {} | {}",
            if good { "+" } else { "-" },
            question.id,
            question.text,
            question
                .answers
                .iter()
                .map(|all| all.join(" & "))
                .collect::<Vec<_>>()
                .join(" / "),
            answer["origin"].as_str().unwrap_or_default(),
            answer["confidence"],
            text,
            citations
                .iter()
                .map(|citation| format!("p{} {}", citation["page"], citation["quote"]))
                .collect::<Vec<_>>()
                .join(" ~ "),
            answer["phrasing"]["reason"].as_str().unwrap_or_default(),
        );
    }
}

/// Lower case without marks, spaces and punctuation.
fn squeezed(text: &str) -> String {
    text.nfkd()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Makes the next question the first one: only what was computed of the document is kept.
fn forget_the_question_before(store: &InMemory) -> Result<(), Box<dyn Error>> {
    let key = format!("document/{}", "07".repeat(16));
    let kept = store.get(&key)?.ok_or("the document was not kept")?;
    let mut record: Value = serde_json::from_slice(&kept)?;
    record["what"]["question"] = Value::Null;
    record["what"]["answer"] = Value::Null;
    store.set(&key, record.to_string().as_bytes())?;
    Ok(())
}

fn request(content_type: &str, body: Vec<u8>) -> Request {
    let headers = [
        ("content-type", content_type),
        ("x-session-id", "questions-of-the-measurement"),
    ];
    Request {
        method: "POST".to_owned(),
        path: "/".to_owned(),
        secure: false,
        headers: headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec()))
            .collect(),
        body: Box::new(Cursor::new(body)),
    }
}

fn form(file: &[u8]) -> Request {
    let mut body = b"--quartet\r\ncontent-disposition: form-data; name=\"pdf\"\r\n\r\n".to_vec();
    body.extend_from_slice(file);
    body.extend_from_slice(b"\r\n--quartet--\r\n");
    request("multipart/form-data; boundary=quartet", body)
}

fn data<W: Work>(mut request: Request, context: &Context<'_>) -> Result<Value, Box<dyn Error>> {
    let response = operations::answer::<W>(&mut request, context).map_err(|failure| failure.message)?;
    let Body::Whole(bytes) = response.body else {
        return Err("the answer is a stream".into());
    };
    Ok(serde_json::from_slice::<Value>(&bytes)?["data"].take())
}
