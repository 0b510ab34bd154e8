//! Requests and responses without models: the operations must say what is wrong before they need one.

use std::io::Cursor;

use quartet_api::image::{ColourShare, Light, PictureFacts};
use quartet_api::session::SESSION_HEADER;
use quartet_component_sdk::uploads::InMemory;
use quartet_component_sdk::{Body, Session};
use quartet_image_analysis::chat::record::Record;
use quartet_inference::NamedTensor;
use quartet_llm_client::scripted::Scripted;

use super::*;

/// Part of a form: its name and its content.
type Part<'a> = (&'a str, &'a [u8]);

/// Provider without any model.
struct NoModels;

impl Graphs for NoModels {
    fn run(&self, graph: &str, _: Vec<NamedTensor>, _: &[&str]) -> Result<Vec<NamedTensor>, GraphError> {
        Err(GraphError::Missing {
            graph: graph.to_owned(),
            reason: "a secret path".to_owned(),
        })
    }
}

fn context(store: &InMemory) -> Context<'_> {
    Context {
        graphs: &NoModels,
        store,
        random: || [3; 16],
        time_is_up: &|| false,
        writer: None,
        understanding: None,
    }
}

/// A white portrait without text or objects.
fn record() -> Record {
    Record {
        picture: PictureFacts {
            width: 600,
            height: 900,
            format: "JPEG".to_owned(),
            orientation: "portrait".to_owned(),
        },
        colours: vec![ColourShare {
            name: "white".to_owned(),
            hex: "#fefefe".to_owned(),
            share: 0.8,
        }],
        light: Light {
            brightness: 0.9,
            contrast: 0.7,
            level: "bright".to_owned(),
            greyscale: false,
        },
        lines: Some(Vec::new()),
        unread: 0,
        objects: Some(Vec::new()),
        kind: None,
        tags: Vec::new(),
        description: None,
    }
}

fn request(content_type: &str, body: Vec<u8>) -> Request {
    let headers = [("content-type", content_type), (SESSION_HEADER, "mine-and-no-others")];
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

fn form(parts: &[Part<'_>]) -> Request {
    let mut body = Vec::new();
    for (name, content) in parts {
        body.extend_from_slice(format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n").as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--b--\r\n");
    request("multipart/form-data; boundary=b", body)
}

fn png() -> Vec<u8> {
    let mut bytes = Vec::new();
    image::RgbImage::new(30, 20)
        .write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png)
        .unwrap();
    bytes
}

fn failure(operation: Operation, mut request: Request) -> Failure {
    operation(&mut request, &context(&InMemory::default()))
        .err()
        .expect("a failure")
}

#[test]
fn every_wrong_upload_has_its_own_answer() {
    let png = png();
    let cut = &png[..png.len() - 20];
    let large = vec![0; 10 * 1024 * 1024 + 1];
    let cases: [(&[Part<'_>], Code, &str); 8] = [
        (&[], Code::MissingField, "`image`"),
        (&[("image", b"")], Code::InvalidField, "empty"),
        (&[("image", &png), ("image", &png)], Code::InvalidField, "twice"),
        (&[("picture", &png)], Code::InvalidField, "\"picture\""),
        (&[("image", b"hello")], Code::UnsupportedMediaType, "plain text"),
        (&[("image", b"%PDF-1.7")], Code::UnsupportedMediaType, "PDF"),
        (&[("image", cut)], Code::InvalidPicture, "damaged PNG"),
        (&[("image", &large)], Code::PayloadTooLarge, "10485760"),
    ];
    for operation in [analyze as Operation, extract_text, detect_objects] {
        for (parts, code, part) in cases {
            let failure = failure(operation, form(parts));
            assert_eq!(failure.code, code, "{}", failure.message);
            assert!(failure.message.contains(part), "{}", failure.message);
        }
        let json = failure(operation, request("application/json", b"{}".to_vec()));
        assert_eq!(json.code, Code::UnsupportedMediaType);
    }
}

#[test]
fn fields_beside_the_picture_are_checked() {
    let png = png();
    for (name, value, part) in [
        ("threshold", "2", "from 0.05 to 1"),
        ("threshold", "high", "\"high\""),
        ("threshold", "NaN", "`threshold`"),
        ("maximum", "0", "from 1 to 100"),
        ("maximum", "1.5", "`maximum`"),
    ] {
        let failure = failure(detect_objects, form(&[("image", &png), (name, value.as_bytes())]));
        assert_eq!(failure.code, Code::InvalidField);
        assert!(failure.message.contains(part), "{}", failure.message);
    }
    let unknown = failure(extract_text, form(&[("image", &png), ("threshold", b"0.5")]));
    assert!(
        unknown.message.contains("\"threshold\" is not known"),
        "{}",
        unknown.message
    );
}

#[test]
fn a_language_that_nobody_describes_in_is_named_with_those_that_are_known() {
    let png = png();
    for value in ["xx", "Klingon", ""] {
        let failure = failure(analyze, form(&[("image", &png), ("language", value.as_bytes())]));
        assert_eq!(failure.code, Code::InvalidField, "{}", failure.message);
        assert!(failure.message.contains("`language`"), "{}", failure.message);
        assert!(failure.message.contains("en, hi, es"), "{}", failure.message);
    }
    // A known one is past that check, and fails for want of models.
    let missing = failure(analyze, form(&[("image", &png), ("language", b"de")]));
    assert_eq!(missing.code, Code::Unavailable);
}

/// Asks about `record` with a model that says `query`.
fn understood(record: &Record, message: &str, query: &[&str]) -> serde_json::Value {
    let store = InMemory::default();
    let model = Scripted::new(query.iter().copied());
    let with = Context {
        understanding: Some(Understanding {
            model: &model,
            milliseconds_left: &|| 20_000,
        }),
        ..context(&store)
    };
    let session = Session::of(&request("", Vec::new())).unwrap();
    with.pictures().remember(&session, [9; 16], record).unwrap();
    let body = serde_json::json!({ "message": message }).to_string().into_bytes();
    let Body::Whole(bytes) = chat(&mut request("application/json", body), &with).unwrap().body else {
        panic!("streamed")
    };
    serde_json::from_slice::<serde_json::Value>(&bytes).unwrap()["data"].take()
}

#[test]
fn a_question_in_any_language_is_answered_in_it() {
    let size = r#"{"ask": "size", "of": []}"#;
    let said = understood(&record(), "Wie groß ist das Bild?", &[size]);
    assert_eq!(said["answer"], "Größe: 600 × 900 Pixel, Hochformat, JPEG.");
    assert_eq!(said["answered"], true);
    let dogs = r#"{"ask": "exists", "of": ["dog"]}"#;
    let said = understood(&record(), "犬はいますか？", &[dogs]);
    assert_eq!(said["answer"], "いいえ、画像の中に犬は見つかりませんでした。");
    let other = r#"{"ask": "other", "of": ["painter"]}"#;
    let said = understood(&record(), "Qui a peint ce tableau ?", &[other]);
    assert_eq!(
        (&said["answered"], &said["evidence"]),
        (&false.into(), &serde_json::json!([]))
    );
    assert!(said["answer"].as_str().unwrap().starts_with("Rien"), "{said}");
}

#[test]
fn without_a_model_what_is_not_sure_is_said_so_in_the_language() {
    // The model fails: rules know English only.
    let said = understood(&record(), "Wie groß ist das Bild in Pixeln?", &["no query"]);
    assert_eq!(said["answered"], false);
    assert!(said["answer"].as_str().unwrap().starts_with("Nichts"), "{said}");
    let said = understood(&record(), "How large is the picture?", &["no query"]);
    assert_eq!(said["answer"], "It is 600 × 900 pixels.");
}

#[test]
fn a_missing_model_is_named_and_nothing_else_of_the_inside() {
    for (operation, model) in [
        (detect_objects as Operation, "object-detection"),
        (extract_text, "ocr-detection"),
    ] {
        let failure = failure(operation, form(&[("image", &png())]));
        assert_eq!(failure.code, Code::Unavailable);
        assert!(
            failure.message.contains(model) && !failure.message.contains("secret"),
            "{}",
            failure.message
        );
    }
}

#[test]
fn a_question_is_answered_about_the_picture_of_the_session() {
    let store = InMemory::default();
    let ask = |body: &str| {
        chat(
            &mut request("application/json", body.as_bytes().to_vec()),
            &context(&store),
        )
    };
    let failed = |body: &str| ask(body).err().expect("a failure");
    let question = r#"{"message": "How large is it?"}"#;
    assert_eq!(failed(question).code, Code::NoUpload);
    assert!(failed(question).message.contains("X-Session-Id"));

    let session = Session::of(&request("", Vec::new())).unwrap();
    let id = context(&store)
        .pictures()
        .remember(&session, [9; 16], &record())
        .unwrap();
    let Body::Whole(bytes) = ask(question).unwrap().body else {
        panic!("streamed")
    };
    let answer: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(answer["data"]["imageId"], id.as_str());
    assert_eq!(answer["data"]["answer"], "It is 600 × 900 pixels.");
    assert_eq!(answer["data"]["answered"], true);
    assert_eq!(answer["data"]["evidence"][0]["kind"], "fact");

    assert!(ask(&format!(r#"{{"message": "How large is it?", "imageId": "{id}"}}"#)).is_ok());
    assert_eq!(
        failed(r#"{"message": "x", "imageId": "00000000000000000000000000000000"}"#).code,
        Code::UnknownUpload
    );
    assert_eq!(failed(r#"{"message": " "}"#).code, Code::InvalidField);
    assert_eq!(failed("{}").code, Code::MissingField);
}

#[test]
fn a_models_words_do_not_change_the_facts() {
    let store = InMemory::default();
    let model = Scripted::new([
        "The picture is 600 × 900 pixels large.",
        "The picture is 600 × 800 pixels large.",
        "The picture is large.",
        "Its main colour is white (80 %).",
        "Its main colour is black (80 %).",
    ]);
    let with = Context {
        writer: Some(Writer {
            model: &model,
            milliseconds_left: &|| 20_000,
        }),
        ..context(&store)
    };
    let session = Session::of(&request("", Vec::new())).unwrap();
    with.pictures().remember(&session, [9; 16], &record()).unwrap();
    let ask = |message: &str| {
        let body = serde_json::json!({ "message": message }).to_string().into_bytes();
        let Body::Whole(bytes) = chat(&mut request("application/json", body), &with).unwrap().body else {
            panic!("streamed")
        };
        serde_json::from_slice::<serde_json::Value>(&bytes).unwrap()["data"].take()
    };
    let size = "How large is the picture in pixels?";
    let said = ask(size);
    assert_eq!(said["answer"], "The picture is 600 × 900 pixels large.", "{said}");
    assert_eq!(said["phrasing"]["original"], "It is 600 × 900 pixels.");
    for _ in 0..2 {
        let said = ask(size);
        assert_eq!(said["answer"], "It is 600 × 900 pixels.");
        assert_eq!(said["phrasing"]["used"], false);
    }
    let colours = "What are the main colours?";
    assert_eq!(ask(colours)["answer"], "Its main colour is white (80 %).");
    assert_eq!(ask(colours)["answer"], "Its main colours are white (80 %).");
    // What was not found is not asked of a model.
    let asked = model.asked.borrow().len();
    assert_eq!(
        ask("Who is the mayor of this town?")["phrasing"],
        serde_json::Value::Null
    );
    assert_eq!(model.asked.borrow().len(), asked);
}
