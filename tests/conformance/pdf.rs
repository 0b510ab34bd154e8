//! `/pdf/*`: what is sent is found again with its pages, what is wrong is named, and a question is about the document of
//! its session.

use quartet_api::Code;
use quartet_tests::files::pdf;
use quartet_tests::{Client, Reply};
use serde_json::{Value, json};

use crate::tested;

const UPLOADS: [&str; 2] = ["/pdf/extract-text", "/pdf/summarize"];

pub fn mill() -> Vec<u8> {
    pdf(&[
        &[
            "The mill of Aldebourne was built in 1742 by Thomas Reed.",
            "It grinds the wheat of the whole valley every autumn.",
        ],
        &[
            "Visitors may see the mill on Sundays between ten and four.",
            "The river that drives the wheel is called the Lenn.",
        ],
    ])
}

/// Sends a form with one part.
pub fn send(client: &Client, path: &str, part: &str, content: &[u8], headers: &[(&str, &str)]) -> Reply {
    let mut body = format!("--b\r\ncontent-disposition: form-data; name=\"{part}\"\r\n\r\n").into_bytes();
    body.extend_from_slice(content);
    body.extend_from_slice(b"\r\n--b--\r\n");
    let mut all = vec![("content-type", "multipart/form-data; boundary=b")];
    all.extend_from_slice(headers);
    client.post_with(path, &all, &body)
}

pub fn ask(client: &Client, path: &str, body: &Value, headers: &[(&str, &str)]) -> Reply {
    let mut all = vec![("content-type", "application/json")];
    all.extend_from_slice(headers);
    client.post_with(path, &all, body.to_string().as_bytes())
}

#[test]
fn text_comes_whole_and_page_by_page() {
    let data = send(&tested().client, "/pdf/extract-text", "pdf", &mill(), &[]).data();
    let pages = data["pages"].as_array().unwrap();
    assert_eq!(pages.len(), 2);
    assert_eq!((&pages[1]["page"], &pages[1]["source"]), (&json!(2), &json!("text")));
    assert!(pages[1]["text"].as_str().unwrap().contains("called the Lenn"));
    let block = &pages[1]["blocks"][0];
    assert_eq!(block["kind"], "paragraph");
    let (place, size) = (&block["box"], &pages[1]["size"]);
    for (from, length) in [("x", "width"), ("y", "height")] {
        let number = |value: &Value| value.as_f64().expect("a number");
        let (from, to) = (number(&place[from]), number(&place[from]) + number(&place[length]));
        assert!(0.0 < from && from < to && to < number(&size[length]), "{place} {size}");
    }
    let text = data["text"].as_str().unwrap();
    assert!(
        text.starts_with("The mill of Aldebourne") && text.ends_with("called the Lenn."),
        "{text}"
    );
    let metadata = &data["metadata"];
    assert_eq!(
        (&metadata["pageCount"], &metadata["language"]),
        (&json!(2), &json!("en"))
    );
    assert_eq!((&data["truncated"], &data["warnings"]), (&json!(false), &json!([])));
}

#[test]
fn a_summary_is_made_of_sentences_with_their_pages() {
    let data = send(&tested().client, "/pdf/summarize", "pdf", &mill(), &[]).data();
    let sentences = data["sentences"].as_array().unwrap();
    assert!(!sentences.is_empty());
    let whole = String::from_utf8(mill()).unwrap();
    for sentence in sentences {
        assert!(whole.contains(sentence["text"].as_str().unwrap()), "{sentence}");
        assert!([1, 2].contains(&sentence["page"].as_u64().unwrap()));
        assert!(
            data["summary"]
                .as_str()
                .unwrap()
                .contains(sentence["text"].as_str().unwrap())
        );
    }
    assert_eq!(data["language"], "en");
}

#[test]
fn wrong_documents_are_named() {
    let tested = tested();
    let document = mill();
    let large = vec![b'x'; 10 * 1024 * 1024 + 1];
    let cases: [(&str, &[u8], Code, &str); 6] = [
        ("file", &document, Code::InvalidField, "\"file\""),
        ("pdf", b"", Code::InvalidField, "empty"),
        ("pdf", b"hello", Code::UnsupportedMediaType, "not a PDF"),
        ("pdf", &document[..40], Code::InvalidDocument, "damaged"),
        (
            "pdf",
            include_bytes!("../../crates/pdf-text/tests/reading/user-password.pdf"),
            Code::PasswordNeeded,
            "password",
        ),
        ("pdf", &large, Code::PayloadTooLarge, "10485760"),
    ];
    for path in UPLOADS {
        for (part, content, code, word) in cases {
            let sentence = send(&tested.client, path, part, content, &[]).failed(code);
            assert!(sentence.contains(word), "{path}: {sentence}");
        }
        tested.client.post(path, &json!({})).failed(Code::UnsupportedMediaType);
    }
}

#[test]
fn a_question_is_about_the_document_of_its_session() {
    let client = &tested().client;
    let mine: &[(&str, &str)] = &[("x-session-id", "documents-mine-of-the-suite")];
    let other: &[(&str, &str)] = &[("x-session-id", "documents-other-of-the-suite")];
    let question = json!({"message": "Who built the mill of Aldebourne?"});
    ask(client, "/pdf/chat", &question, mine).failed(Code::NoUpload);

    let id = send(client, "/pdf/extract-text", "pdf", &mill(), mine).data()["documentId"].clone();
    let data = ask(client, "/pdf/chat", &question, mine).data();
    assert_eq!((&data["documentId"], &data["answered"]), (&id, &json!(true)));
    assert!(data["answer"].as_str().unwrap().contains("Thomas Reed"), "{data}");
    assert_eq!(data["citations"][0]["page"], 1);
    let unanswered = json!({"message": "How many horses did the king of Spain own?"});
    assert_eq!(ask(client, "/pdf/chat", &unanswered, mine).data()["answered"], false);

    let by_id = json!({"message": "What is the river called?", "documentId": id});
    ask(client, "/pdf/chat", &by_id, other).failed(Code::UnknownUpload);
    ask(client, "/pdf/chat", &json!({"message": " "}), mine).failed(Code::InvalidField);
    ask(client, "/pdf/chat", &json!({}), mine).failed(Code::MissingField);

    ask(client, "/pdf/forget", &json!({"documentId": id}), other).failed(Code::UnknownUpload);
    assert_eq!(
        ask(client, "/pdf/forget", &json!({}), mine).data(),
        json!({"documentId": id})
    );
    ask(client, "/pdf/chat", &by_id, mine).failed(Code::UnknownUpload);
}

#[test]
fn progress_is_told_to_who_takes_events_and_the_whole_answer_comes_last() {
    let client = &tested().client;
    let events = ("accept", "text/event-stream");
    let mine = ("x-session-id", "documents-events-of-the-suite");
    let read = send(client, "/pdf/extract-text", "pdf", &mill(), &[events, mine]).events();
    let pages = |done: u8| {
        (
            "progress".to_owned(),
            json!({"stage": "reading", "done": done, "total": 2}),
        )
    };
    let (ready, rest): (Vec<_>, Vec<_>) = read.into_iter().partition(|(name, _)| name == "page");
    assert_eq!(rest[..2], [pages(1), pages(2)]);
    let [(last, whole)] = &rest[2..] else {
        panic!("{rest:?}")
    };
    // The words of a page are there before the last of them is read.
    for ((_, page), whole) in ready.iter().zip(whole["data"]["pages"].as_array().expect("pages")) {
        assert_eq!(page["page"], whole["page"]);
        let words = |page: &Value| -> Vec<String> {
            let text = page["text"].as_str().expect("a text");
            text.split_whitespace().map(str::to_owned).collect()
        };
        assert_eq!(words(page), words(whole));
    }
    assert_eq!(ready.len(), 2);
    assert_eq!((last.as_str(), &whole["success"]), ("done", &json!(true)));
    let other = send(client, "/pdf/extract-text", "pdf", &mill(), &[]).data();
    assert_eq!(
        (&whole["data"]["pages"], &whole["data"]["text"]),
        (&other["pages"], &other["text"])
    );

    // The session is the one of the request, or begins with the head of the answer.
    let question = json!({"message": "Who built the mill of Aldebourne?"});
    let answered = ask(client, "/pdf/chat", &question, &[events, mine]).events();
    assert_eq!(answered[0].1, json!({"stage": "searching"}));
    let (last, answer) = answered.last().expect("an event");
    assert_eq!(
        (last.as_str(), &answer["data"]["documentId"]),
        ("done", &whole["data"]["documentId"])
    );
    let begun = send(client, "/pdf/summarize", "pdf", &mill(), &[events]);
    let cookie = begun.header("set-cookie").expect("a session").to_owned();
    let (_, summary) = begun.events().pop().expect("an event");
    let cookie = ("cookie", cookie.split(';').next().expect("a cookie"));
    let answer = ask(client, "/pdf/chat", &question, &[cookie]).data();
    assert_eq!(answer["documentId"], summary["data"]["documentId"]);

    // A form that is wrong has its status still; of a document only reading tells.
    send(client, "/pdf/summarize", "file", &mill(), &[events]).failed(Code::InvalidField);
    ask(client, "/pdf/chat", &json!({"message": " "}), &[events, mine]).failed(Code::InvalidField);
    let damaged = send(client, "/pdf/extract-text", "pdf", &mill()[..40], &[events]).events();
    assert_eq!((damaged.len(), damaged[0].0.as_str()), (1, "error"));
    assert_eq!(damaged[0].1["code"], Code::InvalidDocument.word());
}
