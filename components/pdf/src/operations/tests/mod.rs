//! Requests and responses.

use std::io::Cursor;

use quartet_api::Code;
use quartet_api::session::SESSION_HEADER;
use quartet_component_sdk::uploads::InMemory;
use quartet_component_sdk::{Body, Failure, Request, Response};
use quartet_text_analysis::{Embedding, Role};
use serde_json::{Value, json};

use super::*;

mod embeddings;
mod making;
mod reading_ahead;
mod tables;
mod writing;

const PASSWORD: &[u8] = include_bytes!("../../../../../crates/pdf-text/tests/reading/user-password.pdf");

/// PDF of one page about a mill.
fn pdf() -> Vec<u8> {
    let lines = [
        "The mill of Aldebourne was built in 1742 by Thomas Reed.",
        "It grinds the wheat of the whole valley every autumn.",
        "Visitors may see the mill on Sundays between ten and four.",
        "The river that drives the wheel is called the Lenn.",
    ];
    let mut content = String::new();
    for (row, line) in lines.iter().enumerate() {
        content += &format!("BT /F 10 Tf 1 0 0 1 50 {} Tm ({line}) Tj ET\n", 700 - 12 * row);
    }
    format!(
        "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
         3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1\
         /BaseFont/Helvetica>>>>>>>>endobj\n4 0 obj<</Length {}>>stream\n{content}\nendstream endobj\n\
         trailer<</Root 1 0 R/Size 5>>\n",
        content.len()
    )
    .into_bytes()
}

fn context(store: &InMemory) -> Context<'_> {
    Context {
        store,
        random: || [3; 16],
        time_left: &|| true,
        ocr: None,
        embed: None,
        time_to_learn: &|| true,
        writer: None,
        tell: &|_| {},
    }
}

fn extract_text(request: &mut Request, context: &Context<'_>) -> Result<Response, Failure> {
    answer::<ToExtract>(request, context)
}

fn summarize(request: &mut Request, context: &Context<'_>) -> Result<Response, Failure> {
    answer::<ToSummarize>(request, context)
}

fn chat(request: &mut Request, context: &Context<'_>) -> Result<Response, Failure> {
    answer::<Asked>(request, context)
}

/// The events of an operation: their names and data.
fn events<W: Work>(mut request: Request, context: &Context<'_>) -> Vec<(String, Value)> {
    let work = W::read(&mut request, context.random).expect("a request");
    let mut out = Vec::new();
    stream(work, context, Some("id"), &mut out).expect("written");
    let text = String::from_utf8(out).expect("text");
    let each = |block: &str| {
        let (event, data) = block.split_once('\n').expect("two lines");
        let data = data.strip_prefix("data: ").expect("data");
        let name = event.strip_prefix("event: ").expect("a name");
        (name.to_owned(), serde_json::from_str(data).expect("JSON"))
    };
    text.split_terminator("\n\n").map(each).collect()
}

/// Embedding model that knows some words, in two languages.
struct Words;

impl Embed for Words {
    fn embed(&self, _role: Role, texts: &[&str]) -> Option<Vec<Embedding>> {
        let meanings = ["mill Mühle", "wheat Weizen", "Sunday Sonntag", "river Fluss"];
        let vector = |text: &&str| {
            let says = |words: &&str| words.split(' ').any(|word| text.contains(word));
            let mut values = meanings.map(|words| f32::from(says(&words))).to_vec();
            // As in a real model, all texts are alike to some degree.
            values.push(2.0);
            Embedding::new(&values)
        };
        Some(texts.iter().map(vector).collect())
    }
}

fn request(content_type: &str, session: &str, body: Vec<u8>) -> Request {
    let session = format!("{session}-of-these-tests");
    let headers = [("content-type", content_type), (SESSION_HEADER, session.as_str())];
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

fn form(part: &str, content: &[u8]) -> Request {
    let mut body = format!("--b\r\ncontent-disposition: form-data; name=\"{part}\"\r\n\r\n").into_bytes();
    body.extend_from_slice(content);
    body.extend_from_slice(b"\r\n--b--\r\n");
    request("multipart/form-data; boundary=b", "mine", body)
}

/// The document with a field beside it.
fn form_with(field: &str, value: &str) -> Request {
    let mut body = b"--b\r\ncontent-disposition: form-data; name=\"pdf\"\r\n\r\n".to_vec();
    body.extend_from_slice(&pdf());
    body.extend_from_slice(
        format!("\r\n--b\r\ncontent-disposition: form-data; name=\"{field}\"\r\n\r\n{value}\r\n--b--\r\n").as_bytes(),
    );
    request("multipart/form-data; boundary=b", "mine", body)
}

fn question(session: &str, body: &Value) -> Request {
    request("application/json", session, body.to_string().into_bytes())
}

fn data(response: Response) -> Value {
    let Body::Whole(bytes) = response.body else {
        panic!("a stream")
    };
    serde_json::from_slice::<Value>(&bytes).expect("JSON")["data"].take()
}

fn code(result: Result<Response, Failure>) -> Code {
    result.err().expect("a failure").code
}

#[test]
fn a_document_is_read_summarised_asked_and_forgotten() {
    let store = InMemory::default();
    let context = context(&store);
    assert_eq!(
        code(chat(&mut question("mine", &json!({"message": "Who?"})), &context)),
        Code::NoUpload
    );

    let read = data(extract_text(&mut form("pdf", &pdf()), &context).expect("read"));
    assert_eq!(read["message"], "Text was found on its one page.");
    assert!(
        read["text"]
            .as_str()
            .expect("text")
            .starts_with("The mill of Aldebourne was built in 1742"),
        "{read}"
    );
    assert_eq!(
        (&read["pages"][0]["source"], &read["truncated"]),
        (&json!("text"), &json!(false))
    );
    assert_eq!(
        (&read["metadata"]["pageCount"], &read["metadata"]["language"]),
        (&json!(1), &json!("en"))
    );

    // Markdown comes where it is asked for, and the rest stays the same.
    let mut marked = data(extract_text(&mut form_with("format", "markdown"), &context).expect("read"));
    let text = marked["text"].as_str().expect("text").to_owned();
    let whole = marked.as_object_mut().expect("an object").remove("markdown");
    assert_eq!(whole, Some(json!(format!("<!-- page 1 -->\n\n{text}"))));
    let page = marked["pages"][0].as_object_mut().expect("a page").remove("markdown");
    assert_eq!(page, Some(json!(text)));
    marked["documentId"] = read["documentId"].clone();
    assert_eq!(marked, read);
    assert_eq!(
        code(extract_text(&mut form_with("format", "html"), &context)),
        Code::InvalidField
    );

    let summary = data(summarize(&mut form("pdf", &pdf()), &context).expect("summarised"));
    assert_eq!(summary["sentences"][0]["page"], 1);
    let id = summary["documentId"].clone();
    let keys = ["text", "index"].map(|name| format!("document-{name}/{}/0", id.as_str().expect("an id")));
    let kept = |store: &InMemory| keys.clone().map(|key| store.get(&key).expect("a store").is_some());
    // Most documents are only read: what questions need is made with the first one.
    assert_eq!(kept(&store), [true, false]);

    let asked = json!({"message": "Who built the mill of Aldebourne?"});
    let answer = data(chat(&mut question("mine", &asked), &context).expect("answered"));
    assert_eq!((&answer["documentId"], &answer["answered"]), (&id, &json!(true)));
    assert!(
        answer["answer"].as_str().expect("text").contains("Thomas Reed"),
        "{answer}"
    );
    assert_eq!(answer["citations"][0]["page"], 1);

    assert_eq!(kept(&store), [true, true]);
    assert_eq!(
        data(chat(&mut question("mine", &asked), &context).expect("answered")),
        answer
    );

    let by_id = json!({"message": "Who built it?", "documentId": id});
    assert_eq!(
        code(chat(&mut question("other", &by_id), &context)),
        Code::UnknownUpload
    );
    assert_eq!(
        code(forget(&mut question("other", &json!({"documentId": id})), &context)),
        Code::UnknownUpload
    );
    assert_eq!(
        data(forget(&mut question("mine", &json!({})), &context).expect("forgotten"))["documentId"],
        id
    );
    assert_eq!(code(chat(&mut question("mine", &by_id), &context)), Code::UnknownUpload);
    assert_eq!(kept(&store), [false, false]);
}

#[test]
fn a_question_in_another_language_is_answered_by_meaning() {
    let store = InMemory::default();
    let with = Context {
        embed: Some(&Words),
        ..context(&store)
    };
    let read = data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
    let key = format!("document-meanings/{}/0", read["documentId"].as_str().expect("an id"));
    let asked = json!({"message": "Wie heißt hier der Fluss?"});
    let answer = |context: &Context<'_>| data(chat(&mut question("mine", &asked), context).expect("answered"));
    assert_eq!(answer(&context(&store))["answered"], false);
    assert_eq!(store.get(&key), Ok(None));
    let found = answer(&with);
    assert!(found["answer"].as_str().expect("text").contains("Lenn"), "{found}");
    assert_eq!(found["citations"][0]["page"], 1);
    // What was found out is kept, and forgotten with the document.
    assert!(store.get(&key).is_ok_and(|kept| kept.is_some()));
    assert_eq!(answer(&with)["answered"], true);
    forget(&mut question("mine", &json!({})), &with).expect("forgotten");
    assert_eq!(store.get(&key), Ok(None));
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let store = InMemory::default();
    let large = vec![b'x'; 10 * 1024 * 1024 + 1];
    let cases: [(&str, &[u8], Code, &str); 6] = [
        ("file", b"%PDF-1.7", Code::InvalidField, "`pdf`"),
        ("pdf", b"", Code::InvalidField, "empty"),
        ("pdf", b"hello", Code::UnsupportedMediaType, "not a PDF"),
        ("pdf", b"%PDF-1.7 and nothing else", Code::InvalidDocument, "damaged"),
        ("pdf", PASSWORD, Code::PasswordNeeded, "password"),
        ("pdf", &large, Code::PayloadTooLarge, "10485760"),
    ];
    for operation in [extract_text, summarize] {
        for (part, content, code, sentence) in cases {
            let failure = operation(&mut form(part, content), &context(&store))
                .err()
                .expect("a failure");
            assert_eq!(failure.code, code, "{}", failure.message);
            assert!(failure.message.contains(sentence), "{}", failure.message);
        }
    }
}
