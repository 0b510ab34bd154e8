//! Requests and responses.

use std::io::Cursor;

use quartet_api::Code;
use quartet_api::session::SESSION_HEADER;
use quartet_component_sdk::Body;
use quartet_component_sdk::uploads::InMemory;
use quartet_embeddings::Embedder;
use quartet_inference::{Data, GraphError, Graphs, NamedTensor, Tensor};
use quartet_llm_client::scripted::Scripted;
use quartet_text_analysis::{Embedding, Role};
use serde_json::{Value, json};

use super::*;

const PASSWORD: &[u8] = include_bytes!("../../../../crates/pdf-text/tests/reading/user-password.pdf");

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
    }
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

/// Context with a model that gives scripted answers.
fn writing<'a>(store: &'a InMemory, model: &'a Scripted) -> Context<'a> {
    Context {
        writer: Some(Writer {
            model,
            milliseconds_left: &|| 20_000,
        }),
        ..context(store)
    }
}

fn ask(message: &str, context: &Context<'_>) -> Value {
    data(chat(&mut question("mine", &json!({ "message": message })), context).expect("answered"))
}

#[test]
fn a_model_answers_and_what_contradicts_the_document_is_left_out() {
    let store = InMemory::default();
    let model = Scripted::new([
        r#"{"passage": 1, "answer": "Thomas Reed built the mill in 1742. It cost 900 pounds."}"#,
        r#"{"passage": 1, "answer": "Thomas Reed built the mill in 1842."}"#,
        r#"{"passage": 1, "answer": "John Miller built the mill in 1742."}"#,
        r#"{"passage": 1, "answer": "The mill was not built by Thomas Reed."}"#,
    ]);
    let with = writing(&store, &model);
    data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
    let message = "Who built the mill of Aldebourne?";
    let found = "The mill of Aldebourne was built in 1742 by Thomas Reed.";
    let said = ask(message, &with);
    assert_eq!(said["answer"], "Thomas Reed built the mill in 1742.");
    assert_eq!((&said["origin"], &said["answered"]), (&json!("model"), &json!(true)));
    let statement = json!({"text": "Thomas Reed built the mill in 1742.", "support": "borneOut", "citations": [0]});
    assert_eq!(said["statements"], json!([statement]));
    assert_eq!(
        (&said["phrasing"]["used"], &said["phrasing"]["leftOut"]),
        (&json!(true), &json!(1))
    );
    assert_eq!(
        (&said["citations"][0]["quote"], &said["citations"][0]["page"]),
        (&json!(found), &json!(1))
    );
    for _ in 0..3 {
        let said = ask(message, &with);
        assert_eq!((&said["answer"], &said["origin"]), (&json!(found), &json!("extract")));
        let reason = said["phrasing"]["reason"].as_str().expect("a reason");
        assert!(reason.contains("not borne out"), "{reason}");
    }
    // There is no model any more: the document's sentences answer, and nobody is told of a failure.
    assert_eq!(ask(message, &with)["answer"], found);
    // What can be counted is asked of nobody.
    let asked = model.asked.borrow().len();
    let pages = ask("How many pages does it have?", &with);
    assert_eq!(
        (&pages["origin"], &pages["answered"]),
        (&json!("metadata"), &json!(true))
    );
    assert_eq!(model.asked.borrow().len(), asked);
}

#[test]
fn the_document_does_not_say_only_after_the_model_had_the_passages() {
    let store = InMemory::default();
    let model = Scripted::new([
        r#"{"about": "a detail"}"#,
        r#"{"passage": 0, "answer": ""}"#,
        r#"{"passage": 1, "answer": "The mill was built in 1742 by Thomas Reed."}"#,
        r#"{"answered": "no"}"#,
    ]);
    let with = writing(&store, &model);
    data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
    let said = ask("Who painted the church of Rome?", &with);
    assert_eq!(
        (&said["answered"], &said["origin"], &said["answer"]),
        (&json!(false), &json!("model"), &json!("The document does not say."))
    );
    let prompt = model.asked.borrow()[1].last().expect("a turn").text.clone();
    assert!(prompt.contains("built in 1742 by Thomas Reed"), "{prompt}");
    // An answer that its own writer does not confirm is none.
    let said = ask("Who built the mill of Aldebourne a second time?", &with);
    assert_eq!((&said["answered"], &said["citations"]), (&json!(false), &json!([])));
}

#[test]
fn a_question_goes_on_from_the_one_before_and_the_document_comes_first_in_the_prompt() {
    let store = InMemory::default();
    let yes = r#"{"answered": "yes"}"#;
    let model = Scripted::new([
        r#"{"passage": 1, "answer": "The mill was built by Thomas Reed."}"#,
        r#"{"passage": 1, "answer": "The mill was built in 1742."}"#,
        yes,
    ]);
    let with = writing(&store, &model);
    data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
    ask("Who built the mill of Aldebourne?", &with);
    let second = ask("When?", &with);
    assert_eq!(second["answer"], "The mill was built in 1742.", "{second}");
    let asked = model.asked.borrow();
    let prompts: Vec<&str> = asked
        .iter()
        .map(|turns| turns.last().expect("a turn").text.as_str())
        .collect();
    assert!(prompts[1].contains("The question before it was: Who built the mill of Aldebourne?"));
    assert!(prompts[1].ends_with("Question: When?\nAnswer in English, one short sentence."));
    assert!(prompts[1].starts_with(prompts[0].split("</passage>").next().expect("a passage")));
}

#[test]
fn a_model_summarises_in_the_language_that_is_asked_for() {
    let store = InMemory::default();
    let model = Scripted::new([
        r#"{"passage": 1, "answer": "The mill of Aldebourne was built in 1742 by Thomas Reed. It is 900 years old."}"#,
        r#"{"passage": 0, "answer": ""}"#,
    ]);
    let with = writing(&store, &model);
    let first = data(summarize(&mut form("pdf", &pdf()), &with).expect("summarised"));
    assert_eq!(
        first["summary"], "The mill of Aldebourne was built in 1742 by Thomas Reed.",
        "{first}"
    );
    assert_eq!(
        (&first["origin"], &first["phrasing"]["leftOut"]),
        (&json!("model"), &json!(1))
    );
    assert_eq!(first["statements"][0]["citations"], json!([0]));
    assert_eq!(first["sentences"][0]["page"], 1);
    let second = data(summarize(&mut form("pdf", &pdf()), &with).expect("summarised"));
    assert_eq!(second["origin"], "extract", "{second}");

    let in_language = |code: &str| form_with("language", code);
    assert_eq!(code(summarize(&mut in_language("xx"), &with)), Code::InvalidField);
    let model = Scripted::new([r#"{"passage": 1, "answer": "Thomas Reed construyó el molino en 1742."}"#]);
    let spanish = data(summarize(&mut in_language("es"), &writing(&store, &model)).expect("summarised"));
    assert_eq!(spanish["language"], "es");
    let prompt = model.asked.borrow()[0].last().expect("a turn").text.clone();
    assert!(prompt.contains("in Spanish"), "{prompt}");
    // Without a model it stays in the document's language, and that is said.
    let without = data(summarize(&mut in_language("es"), &context(&store)).expect("summarised"));
    assert_eq!(without["language"], "en");
    assert!(
        without["warnings"][0]
            .as_str()
            .is_some_and(|warning| warning.contains("Spanish"))
    );
}

#[test]
fn texts_become_vectors_and_what_is_wrong_with_them_is_said() {
    let graphs = Lengths;
    let embedder = Embedder::new(&graphs).ok();
    let ask = |body: Value, time_left: &dyn Fn() -> bool| {
        embeddings(&mut question("mine", &body), embedder.as_ref(), time_left)
    };
    if embedder.is_none() {
        let failure = ask(json!({"texts": ["heron"]}), &|| true).err().expect("a failure");
        assert_eq!(failure.code, Code::Unavailable);
        return eprintln!("not run: the vocabulary was not there when this was compiled");
    }
    let found = data(
        ask(
            json!({"texts": ["heron", "query: heron", "passage: heron and stork"]}),
            &|| true,
        )
        .expect("vectors"),
    );
    assert_eq!(
        (&found["dimensions"], &found["model"]),
        (&json!(384), &json!("multilingual-e5-small"))
    );
    let vectors = found["embeddings"].as_array().expect("vectors");
    assert_eq!(vectors.len(), 3);
    assert_eq!(
        vectors[0], vectors[1],
        "words that a client writes itself are not written twice"
    );
    assert_ne!(vectors[0], vectors[2]);
    for vector in vectors {
        let length: f64 = vector
            .as_array()
            .expect("numbers")
            .iter()
            .map(|value| value.as_f64().expect("a number").powi(2))
            .sum();
        assert!((length - 1.0).abs() < 1e-5, "{length}");
    }
    let same = data(ask(json!({"texts": ["heron and stork"], "purpose": "passage"}), &|| true).expect("vectors"));
    assert_eq!(same["embeddings"][0], vectors[2]);
    let long = "heron ".repeat(600);
    for (body, code, part) in [
        (json!({}), Code::MissingField, "texts"),
        (json!({"texts": []}), Code::InvalidField, "1 to 2048"),
        (json!({"texts": vec!["x"; 2049]}), Code::InvalidField, "2049"),
        (json!({"texts": ["x", " "]}), Code::InvalidField, "`texts[1]` is empty"),
        (json!({"texts": [long]}), Code::InvalidField, "up to 512"),
        (json!({"texts": ["x"], "purpose": "fun"}), Code::InvalidField, "purpose"),
    ] {
        let failure = ask(body, &|| true).err().expect("a failure");
        assert_eq!(failure.code, code, "{}", failure.message);
        assert!(failure.message.contains(part), "{}", failure.message);
    }
    let failure = ask(json!({"texts": ["one", "two"]}), &|| false)
        .err()
        .expect("a failure");
    assert_eq!(failure.code, Code::DeadlineExceeded);
    assert!(failure.message.contains("1 of the 2"), "{}", failure.message);
}

/// Vectors that tell the tokens of their texts apart.
struct Lengths;

impl Graphs for Lengths {
    fn run(&self, _: &str, inputs: Vec<NamedTensor>, _: &[&str]) -> Result<Vec<NamedTensor>, GraphError> {
        let (shape, data) = inputs.into_iter().next().expect("an input").tensor.into_parts();
        let ([rows, width], Data::I64(numbers)) = (shape.as_slice(), data) else {
            panic!("rows of tokens")
        };
        let mut values = vec![1.0; rows * 384];
        for (row, tokens) in numbers.chunks(*width).enumerate() {
            for token in tokens {
                values[row * 384 + usize::try_from(token % 384).expect("a token")] += 1.0;
            }
        }
        let tensor = Tensor::new([*rows, 384], Data::F32(values)).expect("a tensor");
        Ok(vec![NamedTensor::new("embedding", tensor)])
    }
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let store = InMemory::default();
    let large = vec![b'x'; 10 * 1024 * 1024 + 1];
    let cases: [(&str, &[u8], Code, &str); 6] = [
        ("file", b"%PDF-1.7", Code::InvalidField, "`pdf`"),
        ("pdf", b"", Code::InvalidField, "empty"),
        ("pdf", b"<html>", Code::UnsupportedMediaType, "not a PDF"),
        ("pdf", b"%PDF-1.7 and nothing else", Code::InvalidDocument, "damaged"),
        ("pdf", PASSWORD, Code::PasswordNeeded, "password"),
        ("pdf", &large, Code::PayloadTooLarge, "10485760"),
    ];
    for operation in [extract_text as Operation, summarize] {
        for (part, content, code, sentence) in cases {
            let failure = operation(&mut form(part, content), &context(&store))
                .err()
                .expect("a failure");
            assert_eq!(failure.code, code, "{}", failure.message);
            assert!(failure.message.contains(sentence), "{}", failure.message);
        }
    }
}
