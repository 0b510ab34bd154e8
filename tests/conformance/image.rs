//! `/image/*`: what is sent is found again, what is wrong is named, and a question is about the picture of its session.

use font8x8::UnicodeFonts;
use quartet_api::Code;
use quartet_tests::files::bitmap_file;
use quartet_tests::service::given;
use quartet_tests::{Client, Reply, Service};
use serde_json::{Value, json};

use crate::tested;

const UPLOADS: [&str; 3] = ["/image/analyze", "/image/extract-text", "/image/detect-objects"];

/// A part of a form: its name and its content.
pub(crate) type Part<'a> = (&'a str, &'a [u8]);

/// A bitmap file of one colour, with lines of text in another.
fn bitmap(width: usize, height: usize, paper: [u8; 3], lines: &[(&str, usize, usize)]) -> Vec<u8> {
    const SIZE: usize = 3;
    let mut pixels = vec![paper; width * height];
    for (text, left, top) in lines {
        for (index, character) in text.chars().enumerate() {
            let rows = font8x8::BASIC_FONTS.get(character).expect("a letter of the font");
            for (y, row) in rows.iter().enumerate() {
                for x in (0..8).filter(|x| row >> x & 1 == 1) {
                    for offset in 0..SIZE * SIZE {
                        let column = left + (index * 8 + x) * SIZE + offset % SIZE;
                        let line = top + y * SIZE + offset / SIZE;
                        pixels[line * width + column] = [0; 3];
                    }
                }
            }
        }
    }
    bitmap_file(width, height, &pixels)
}

fn receipt() -> Vec<u8> {
    bitmap(
        600,
        260,
        [255, 255, 255],
        &[
            ("Two apples", 40, 30),
            ("1.25", 460, 30),
            ("Bread", 40, 100),
            ("4.50", 460, 100),
            ("TOTAL", 40, 190),
            ("5.75", 460, 190),
        ],
    )
}

/// Sends a form.
pub(crate) fn send(client: &Client, path: &str, parts: &[Part<'_>], headers: &[(&str, &str)]) -> Reply {
    let mut body = Vec::new();
    for (name, content) in parts {
        body.extend_from_slice(format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n").as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--b--\r\n");
    let mut all = vec![("content-type", "multipart/form-data; boundary=b")];
    all.extend_from_slice(headers);
    client.post_with(path, &all, &body)
}

pub(crate) fn ask(client: &Client, question: &Value, headers: &[(&str, &str)]) -> Reply {
    let mut all = vec![("content-type", "application/json")];
    all.extend_from_slice(headers);
    client.post_with("/image/chat", &all, question.to_string().as_bytes())
}

#[test]
fn text_is_read_in_rows_with_boxes() {
    let tested = tested();
    let data = send(&tested.client, "/image/extract-text", &[("image", &receipt())], &[]).data();
    let text = data["text"].as_str().unwrap();
    let rows: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(rows, ["Two apples 1.25", "Bread 4.50", "TOTAL 5.75"]);
    assert_eq!(data["turn"], 0);
    let total = data["lines"]
        .as_array()
        .unwrap()
        .iter()
        .find(|line| line["text"] == "TOTAL")
        .unwrap();
    let area = &total["box"];
    let (x, y) = (area["x"].as_i64().unwrap(), area["y"].as_i64().unwrap());
    assert!((x - 40).abs() < 20 && (y - 190).abs() < 20, "{area}");
    assert!(total["confidence"].as_f64().unwrap() > 0.8);
    assert_eq!(
        data["picture"],
        json!({"width": 600, "height": 260, "format": "BMP", "orientation": "landscape"})
    );
}

#[test]
fn a_picture_is_described_in_the_language_asked_for() {
    let red = bitmap(320, 200, [200, 20, 20], &[]);
    for (code, red_named) in [
        ("de", "rot"),
        ("fr", "rouge"),
        ("ru", "красный"),
        ("ja", "赤"),
        ("ar", "أحمر"),
    ] {
        let parts: [Part<'_>; 2] = [("image", &red), ("language", code.as_bytes())];
        let data = send(&tested().client, "/image/analyze", &parts, &[]).data();
        let description = data["description"].as_str().unwrap();
        assert!(description.contains(red_named), "{code}: {description}");
        assert_eq!(data["colours"][0]["name"], "red");
    }
    let parts: [Part<'_>; 2] = [("image", &red), ("language", b"klingon")];
    let sentence = send(&tested().client, "/image/analyze", &parts, &[]).failed(Code::InvalidField);
    assert!(
        sentence.contains("`language`") && sentence.contains("en, hi"),
        "{sentence}"
    );
}

#[test]
fn a_description_says_what_its_fields_hold() {
    let data = send(
        &tested().client,
        "/image/analyze",
        &[("image", &bitmap(320, 200, [200, 20, 20], &[]))],
        &[],
    )
    .data();
    let description = data["description"].as_str().unwrap();
    assert!(description.contains("red"), "{description}");
    assert_eq!(
        (&data["picture"]["width"], &data["picture"]["height"]),
        (&json!(320), &json!(200))
    );
    assert_eq!(data["colours"][0]["name"], "red");
    assert_eq!(data["colours"][0]["share"], 1.0);
    assert_eq!((&data["text"], &data["lines"]), (&json!(""), &json!([])));
    let kind = data["kind"]["name"].as_str().unwrap();
    assert!(description.contains("No text") || kind == "photo", "{description}");
    assert!(
        description.contains(kind) || description.contains("not certain"),
        "{description}"
    );
}

#[test]
fn objects_come_with_counts_and_what_was_asked() {
    let plain = bitmap(200, 200, [90, 90, 90], &[]);
    let parts: [Part<'_>; 3] = [("image", &plain), ("threshold", b"0.9"), ("maximum", b"3")];
    let data = send(&tested().client, "/image/detect-objects", &parts, &[]).data();
    assert_eq!(
        (&data["total"], &data["objects"], &data["counts"]),
        (&json!(0), &json!([]), &json!({}))
    );
    assert!((data["threshold"].as_f64().unwrap() - 0.9).abs() < 0.001);
}

#[test]
fn wrong_uploads_are_named() {
    let tested = tested();
    let picture = receipt();
    let large = vec![b'x'; 10 * 1024 * 1024 + 1];
    let cases: [(&[Part<'_>], Code, &str); 7] = [
        (&[], Code::MissingField, "`image`"),
        (&[("image", b"")], Code::InvalidField, "empty"),
        (&[("image", &picture), ("image", &picture)], Code::InvalidField, "twice"),
        (&[("photo", &picture)], Code::InvalidField, "\"photo\""),
        (&[("image", b"hello")], Code::UnsupportedMediaType, "JPEG, PNG"),
        (
            &[("image", &picture[..picture.len() / 2])],
            Code::InvalidPicture,
            "damaged BMP",
        ),
        (&[("image", &large)], Code::PayloadTooLarge, "10485760"),
    ];
    for path in UPLOADS {
        for (parts, code, part) in cases {
            let sentence = send(&tested.client, path, parts, &[]).failed(code);
            assert!(sentence.contains(part), "{path}: {sentence}");
        }
        tested.client.post(path, &json!({})).failed(Code::UnsupportedMediaType);
    }
    let mut huge = picture;
    huge[18..26].copy_from_slice(&[0, 0xFF, 0, 0, 0, 0xFF, 0, 0]);
    let sentence = send(&tested.client, UPLOADS[0], &[("image", &huge)], &[]).failed(Code::PictureTooLarge);
    assert!(sentence.contains("65280 × 65280"), "{sentence}");
}

#[test]
fn a_question_is_about_the_picture_of_its_session() {
    let tested = tested();
    let client = &tested.client;
    let mine: &[(&str, &str)] = &[("x-session-id", "conformance-mine")];
    let other: &[(&str, &str)] = &[("x-session-id", "conformance-other")];
    let question = json!({"message": "What is the total on the receipt?"});
    ask(client, &question, mine).failed(Code::NoUpload);

    let id = send(client, "/image/extract-text", &[("image", &receipt())], mine).data()["imageId"].clone();
    let data = ask(client, &question, mine).data();
    assert_eq!((&data["imageId"], &data["answered"]), (&id, &json!(true)));
    assert!(data["answer"].as_str().unwrap().contains("5.75"), "{data}");
    assert_eq!(data["evidence"][0]["text"], "TOTAL");
    assert!(data["evidence"][0]["box"]["width"].as_u64().unwrap() > 0);

    let by_id = json!({"message": "How large is it?", "imageId": id});
    assert!(
        ask(client, &by_id, &[]).data()["answer"]
            .as_str()
            .unwrap()
            .contains("600 × 260")
    );
    ask(client, &by_id, other).failed(Code::UnknownUpload);
    ask(client, &json!({"message": "x", "imageId": "0".repeat(32)}), mine).failed(Code::UnknownUpload);
    ask(client, &json!({"message": ""}), mine).failed(Code::InvalidField);
    ask(client, &json!({}), mine).failed(Code::MissingField);

    let unanswered = ask(client, &json!({"message": "Who painted it?"}), mine).data();
    assert_eq!(
        (&unanswered["answered"], &unanswered["evidence"]),
        (&json!(false), &json!([]))
    );
}

#[test]
fn a_picture_that_was_forgotten_is_not_known_any_more() {
    let tested = tested();
    let forget = |body: Value, session: &str| {
        let headers = [("content-type", "application/json"), ("x-session-id", session)];
        let body = body.to_string();
        tested.client.post_with("/image/forget", &headers, body.as_bytes())
    };
    let mine: &[(&str, &str)] = &[("x-session-id", "conformance-forgetful")];
    let id = send(&tested.client, "/image/detect-objects", &[("image", &receipt())], mine).data()["imageId"].clone();
    forget(json!({"imageId": id}), "conformance-other").failed(Code::UnknownUpload);
    assert_eq!(
        forget(json!({}), "conformance-forgetful").data(),
        json!({"imageId": id})
    );
    let question = json!({"message": "How large is it?", "imageId": id});
    ask(&tested.client, &question, mine).failed(Code::UnknownUpload);
    forget(json!({}), "conformance-forgetful").failed(Code::UnknownUpload);
}

/// An area's four numbers.
fn numbers(area: &Value) -> [i64; 4] {
    ["x", "y", "width", "height"].map(|name| area[name].as_i64().expect("a whole number"))
}

/// Checks that things were found in the same places, about as surely. What they are is in the field `name`.
fn same_things(one: &Value, other: &Value, name: &str) {
    let (one, other) = (one.as_array().unwrap(), other.as_array().unwrap());
    assert_eq!(one.len(), other.len(), "{one:?}, {other:?}");
    for (one, other) in one.iter().zip(other) {
        assert_eq!(one[name], other[name]);
        let sure = |thing: &Value| thing["confidence"].as_f64().expect("a number");
        assert!((sure(one) - sure(other)).abs() <= 0.02, "{one}, {other}");
        let (here, there) = (numbers(&one["box"]), numbers(&other["box"]));
        assert!(
            here.iter().zip(there).all(|(here, there)| (here - there).abs() <= 2),
            "{one}, {other}"
        );
    }
}

#[test]
fn an_engine_composed_in_answers_as_the_host_does() {
    let tested = tested();
    // Its memory has all models in it, beside those that are opened.
    let flags = ["--memory-bytes", "536870912", "--models", "/nonexistent"];
    let composed = Service::start_with(&given("QUARTET_COMPOSED"), &flags);
    let ask = |path: &str| {
        let parts: [Part<'_>; 1] = [("image", &receipt())];
        let both = [&tested.client, &composed.client()];
        both.map(|client| send(client, path, &parts, &[]).data())
    };
    let [host, inside] = ask("/image/extract-text");
    assert_eq!(host["text"], inside["text"]);
    assert!(host["text"].as_str().unwrap().contains("TOTAL"), "{host}");
    same_things(&host["lines"], &inside["lines"], "text");

    let [host, inside] = ask("/image/analyze");
    assert_eq!(host["kind"]["name"], inside["kind"]["name"]);
    same_things(&host["objects"], &inside["objects"], "label");

    // What it computes by itself is not missed.
    assert_eq!(composed.client().get("/readyz").json(), json!({"status": "ready"}));
}

#[test]
fn a_model_that_is_missing_is_named_by_what_needs_it() {
    let service = Service::start(&[
        "--models",
        "/nonexistent",
        "--language-model",
        "qwen2.5-coder-0.5b-instruct",
    ]);
    let client = service.client();
    let ready = client.get("/readyz");
    assert_eq!(ready.status, 200);
    let missing = [
        "embedding",
        "image-tags",
        "object-detection",
        "ocr-arabic",
        "ocr-cyrillic",
        "ocr-detection",
        "ocr-devanagari",
        "ocr-hangul",
        "ocr-recognition",
        "qwen2.5-coder-0.5b-instruct",
    ];
    assert_eq!(ready.json(), json!({"status": "ready", "missingModels": missing}));
    let parts: [Part<'_>; 1] = [("image", &receipt())];
    let sentence = send(&client, "/image/extract-text", &parts, &[]).failed(Code::Unavailable);
    assert!(
        sentence.contains("ocr-detection") && !sentence.contains("nonexistent"),
        "{sentence}"
    );
    // What needs none goes on.
    assert_eq!(client.get("/tts/languages").data()["total"], 12);
}

#[test]
fn a_cookie_links_a_question_to_its_picture() {
    let tested = tested();
    let reply = send(&tested.client, "/image/detect-objects", &[("image", &receipt())], &[]);
    let cookie = reply.header("set-cookie").expect("a session begins").to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite"), "{cookie}");
    let pair = cookie.split(';').next().unwrap();
    let data = ask(
        &tested.client,
        &json!({"message": "How large is it?"}),
        &[("cookie", pair)],
    )
    .data();
    assert_eq!(data["imageId"], reply.data()["imageId"]);
}
