//! `/chat`: what can be computed is, what is searched for comes with its sources, a conversation is its session's alone, and
//! what is missing or wrong is said.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use quartet_api::Code;
use quartet_tests::skip::not_run;
use quartet_tests::web::{self, Reply as Answer, Server};
use quartet_tests::{Client, Service};
use serde_json::{Value, json};

use crate::{Tested, tested};

const EVENTS: (&str, &str) = ("accept", "text/event-stream");
const JSON: (&str, &str) = ("content-type", "application/json");

fn ask(client: &Client, message: &str) -> Value {
    client
        .post("/chat", &json!({"message": message, "messages": []}))
        .data()
}

fn search(client: &Client, message: &str) -> Value {
    client
        .post("/chat", &json!({"message": message, "messages": [], "useSearch": true}))
        .data()
}

/// The host without a language model: what it says then is the same on every machine.
fn without_a_model(flags: &[&str]) -> Service {
    let mut all = vec!["--requests-per-minute", "100000", "--language-model", "off"];
    all.extend_from_slice(flags);
    Service::start(&all)
}

#[test]
fn every_wrong_request_has_its_own_answer() {
    let tested = tested();
    let client = &tested.client;
    for (body, code, part) in [
        (json!({}), Code::MissingField, "`message`"),
        (json!({"message": ""}), Code::InvalidField, "empty"),
        (
            json!({"message": "x", "mode": "poetic"}),
            Code::InvalidField,
            "general, concise, detailed",
        ),
        (
            json!({"message": "x", "useSearch": 1}),
            Code::InvalidField,
            "`useSearch`",
        ),
        (
            json!({"message": "x", "messages": [{"role": "system", "content": "x"}]}),
            Code::InvalidField,
            "user, assistant or tool",
        ),
        (
            json!({"message": "x", "conversationId": "0"}),
            Code::UnknownConversation,
            "conversationId",
        ),
    ] {
        let said = client.post("/chat", &body).failed(code);
        assert!(said.contains(part), "{body}: {said}");
        let streamed = client.post_with("/chat", &[JSON, EVENTS], body.to_string().as_bytes());
        assert_eq!(streamed.failed(code), said);
    }
    client.get("/chat").failed(Code::MethodNotAllowed);
    client.post("/chat/info", &json!({})).failed(Code::MethodNotAllowed);
    client
        .post_bytes("/chat", Some("text/plain"), b"x")
        .failed(Code::UnsupportedMediaType);
}

#[test]
fn sums_units_and_dates_are_computed_in_twelve_languages() {
    let tested = tested();
    for (question, result) in [
        ("What is 17 times 23?", "391"),
        ("¿Cuánto es 17 por 23?", "391"),
        ("Combien font 17 fois 23 ?", "391"),
        ("Wie viel ist 17 mal 23?", "391"),
        ("Quanto fa 17 per 23?", "391"),
        ("Quanto é 17 vezes 23?", "391"),
        ("Сколько будет 17 умножить на 23?", "391"),
        ("17かける23はいくつですか？", "391"),
        ("17乘以23等于多少？", "391"),
        ("17 곱하기 23은 얼마인가요?", "391"),
        ("كم يساوي 17 ضرب 23؟", "391"),
        ("17 गुणा 23 कितना होता है?", "391"),
        ("How many meters are 3 miles?", "4828.032 meters"),
        ("Welcher Wochentag war der 14. Juli 1789?", "Dienstag, 14. Juli 1789"),
    ] {
        let answer = ask(&tested.client, question);
        assert_eq!(answer["computation"]["result"], result, "{question}: {answer}");
        assert_eq!(
            (&answer["origin"], &answer["model"]),
            (&json!("computation"), &Value::Null)
        );
        assert_eq!(answer["usage"]["totalTokens"], 0);
    }
}

#[test]
fn info_says_what_there_is_and_which_version_answers() {
    let tested = tested();
    let info = tested.client.get("/chat/info").data();
    assert_eq!(info["modes"], json!(["general", "concise", "detailed"]));
    assert_eq!(info["languages"].as_array().unwrap().len(), 12);
    // What this is, only Quartet's own host knows.
    assert!(tested.service.is_none() || info["component"]["digest"].is_string());
    assert!(info["model"].is_object() || info["modelProblem"].is_string(), "{info}");
}

#[test]
fn a_conversation_is_its_sessions_alone_until_it_is_forgotten() {
    let tested = tested();
    let client = &tested.client;
    let sum = |headers: &[(&str, &str)], id: Option<&str>| {
        let mut all = vec![JSON];
        all.extend_from_slice(headers);
        let body = json!({"message": "What is 2 + 2?", "conversationId": id});
        client.post_with("/chat", &all, body.to_string().as_bytes())
    };
    let (mine, other) = (
        [("x-session-id", "chat-mine-of-the-suite")],
        [("x-session-id", "chat-other-of-the-suite")],
    );
    let id = sum(&mine, None).data()["conversationId"].as_str().unwrap().to_owned();
    assert_eq!(sum(&mine, None).data()["conversationId"], id.as_str());
    sum(&other, Some(&id)).failed(Code::UnknownConversation);
    assert_ne!(sum(&other, None).data()["conversationId"], id.as_str());
    // Programs of one machine have an address in common, and nothing to say to each other.
    let unnamed = [(); 2].map(|()| sum(&[], None).data()["conversationId"].clone());
    assert_ne!(unnamed[0], unnamed[1]);
    let forget = |headers: &[(&str, &str)]| {
        let mut all = vec![JSON];
        all.extend_from_slice(headers);
        client.post_with(
            "/chat/forget",
            &all,
            json!({"conversationId": id}).to_string().as_bytes(),
        )
    };
    forget(&other).failed(Code::UnknownConversation);
    assert_eq!(forget(&mine).data()["conversationId"], id.as_str());
    sum(&mine, Some(&id)).failed(Code::UnknownConversation);
    forget(&mine).failed(Code::UnknownConversation);
}

#[test]
fn a_streamed_answer_ends_with_all_of_it() {
    let tested = tested();
    let body = json!({"message": "What is 12 times 12?", "messages": []}).to_string();
    let reply = tested.client.post_with("/chat", &[JSON, EVENTS], body.as_bytes());
    assert_eq!(
        (reply.status, reply.header("content-type")),
        (200, Some("text/event-stream"))
    );
    let events = reply.events();
    let [(token, piece), (done, whole)] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!((token.as_str(), done.as_str()), ("token", "done"));
    assert_eq!(piece["text"], "12 × 12 = 144");
    assert_eq!(
        (&whole["success"], &whole["data"]["answer"]),
        (&json!(true), &piece["text"])
    );
}

#[test]
fn without_a_model_it_says_so_and_how_to_get_one() {
    let service = without_a_model(&["--search-wikipedia", "off"]);
    let client = service.client();
    let said = client
        .post("/chat", &json!({"message": "Tell me a story, please."}))
        .failed(Code::Unavailable);
    assert!(said.contains("language model"), "{said}");
    let body = json!({"message": "Tell me a story, please."}).to_string();
    let streamed = client.post_with("/chat", &[JSON, EVENTS], body.as_bytes());
    let events = streamed.events();
    assert_eq!(
        (events[0].0.as_str(), events[0].1["code"].as_str()),
        ("error", Some("unavailable"))
    );
    let off = search(&client, "Who wrote the Universal Declaration of Human Rights?");
    assert_eq!(off["answer"], "Web search is not set up on this service.");
    assert_eq!(
        (&off["search"]["status"], &off["origin"]),
        (&json!("off"), &json!("none"))
    );
}

#[test]
fn a_search_answers_with_sources_in_twelve_languages() {
    let (pages, encyclopedia) = (web::page_server(), web::wikipedia());
    let searxng = web::searxng(&pages);
    let by_searxng = without_a_model(&["--search-searxng", &searxng.address, "--search-hosts", &pages.address]);
    let template = format!("{}/{{language}}", encyclopedia.address);
    let by_wikipedia = without_a_model(&["--search-wikipedia", &template]);
    for (question, part) in [
        (
            "Who shall be held in slavery or servitude?",
            "No one shall be held in slavery",
        ),
        ("¿Quién estará sometido a esclavitud o servidumbre?", "esclavitud"),
        ("Qui sera tenu en esclavage ou en servitude ?", "esclavage"),
        (
            "Wer darf in Sklaverei oder Leibeigenschaft gehalten werden?",
            "Sklaverei",
        ),
        (
            "Chi potrà essere tenuto in stato di schiavitù o di servitù?",
            "schiavitù",
        ),
        ("Quem será mantido em escravatura ou em servidão?", "escrav"),
        ("Кто должен содержаться в рабстве или подневольном состоянии?", "рабств"),
        ("奴隷にされ、又は苦役に服することはありますか？", "奴隷"),
        ("任何人可以使为奴隶或奴役吗？", "奴"),
        ("누가 노예상태 또는 예속상태에 놓여지나요?", "노예"),
        ("هل يجوز استرقاق أو استعباد أي شخص؟", "إسترقاق"),
        ("क्या किसी को गुलामी या दासता की हालत में रखा जाएगा?", "दासता"),
    ] {
        for (service, provider) in [(&by_searxng, "searxng"), (&by_wikipedia, "wikipedia")] {
            let answer = search(&service.client(), question);
            let text = answer["answer"].as_str().unwrap();
            assert!(
                text.contains(part) && text.contains("[1]"),
                "{provider} {question}: {answer}"
            );
            assert_eq!(answer["search"]["provider"], provider);
            let source = &answer["sources"][0];
            assert_eq!((&source["number"], &source["date"]), (&json!(1), &json!("2024-02-29")));
            assert!(source["url"].as_str().unwrap().starts_with("http"), "{answer}");
            // What a page says to machines is told to nobody.
            assert!(!answer.to_string().contains("COMPROMISED"), "{answer}");
        }
    }
}

#[test]
fn a_search_goes_out_and_its_answer_has_sources() {
    // A host that runs already was told when it started where this encyclopedia would be.
    let place = std::env::var("QUARTET_ENCYCLOPEDIA").ok();
    let encyclopedia = web::wikipedia_at(place.as_deref().unwrap_or("127.0.0.1:0"));
    let tested = match place {
        Some(_) => tested(),
        None => {
            let template = format!("{}/{{language}}", encyclopedia.address);
            let service = without_a_model(&["--search-wikipedia", &template]);
            let client = service.client();
            let service = Some(service);
            Tested { client, service }
        }
    };
    let answer = search(&tested.client, "Who shall be held in slavery or servitude?");
    assert!(!encyclopedia.asked().is_empty());
    assert_eq!(
        (&answer["search"]["provider"], &answer["search"]["status"]),
        (&json!("wikipedia"), &json!("answered")),
        "{answer}"
    );
    assert!(!answer["sources"].as_array().unwrap().is_empty(), "{answer}");
    assert!(answer["answer"].as_str().unwrap().contains("slavery"), "{answer}");
}

#[test]
fn every_way_in_which_a_search_fails_is_told() {
    let html = Server::start(|_| Answer::html("<p>Welcome"));
    let forbidden = Server::start(|_| Answer::new(403, "text/plain", "no"));
    let empty = Server::start(|_| Answer::json(&json!({"results": []})));
    let nowhere = "http://127.0.0.1:1".to_owned();
    for (address, status, part) in [
        (&html.address, "refused", "not with JSON"),
        (&forbidden.address, "refused", "search.formats"),
        (&empty.address, "nothing_found", "found nothing"),
        (&nowhere, "unreachable", "cannot be reached"),
    ] {
        let service = without_a_model(&["--search-searxng", address]);
        let answer = search(&service.client(), "Who wrote it?");
        assert_eq!(answer["search"]["status"], status, "{answer}");
        assert!(answer["search"]["problem"].as_str().unwrap().contains(part), "{answer}");
        assert!(
            answer["answer"].as_str().unwrap().starts_with("The web search"),
            "{answer}"
        );
    }
}

#[test]
fn a_search_server_that_never_answers_does_not_hold_the_answer_up() {
    let slow = Server::start(|_| {
        let mut reply = Answer::json(&json!({"results": []}));
        reply.delay = Duration::from_secs(60);
        reply
    });
    let service = without_a_model(&["--search-searxng", &slow.address]);
    // The client would wait for two minutes, the service for half a one: the search is given up before.
    let answer = search(&service.client(), "Who wrote it?");
    assert_eq!(answer["search"]["status"], "unreachable", "{answer}");
}

#[test]
fn pages_lead_neither_into_the_operators_network_nor_past_robots_txt() {
    let inside = Server::start(|_| Answer::html("<p>A secret of the inside: the password is 4711."));
    let secret = format!("{}/secret", inside.address);
    let leads = secret.clone();
    let pages = Server::start(move |target| match target {
        "/robots.txt" => Answer::new(200, "text/plain", "User-agent: *\nDisallow: /private"),
        "/redirect" => {
            let mut reply = Answer::new(302, "text/plain", "");
            reply.location = Some(leads.clone());
            reply
        }
        "/private" => Answer::html("<p>What nobody may read by machine: the password is 4711."),
        _ => Answer::html("<p>An open page about passwords, which says nothing of the one that is asked for."),
    });
    let base = pages.address.clone();
    let searxng = Server::start(move |_| {
        let urls = [
            secret.clone(),
            format!("{base}/redirect"),
            format!("{base}/private"),
            "file:///etc/passwd".to_owned(),
            "http://169.254.169.254/latest/meta-data/".to_owned(),
            format!("{base}/open"),
        ];
        let results = urls.map(|url| json!({"url": url, "title": "A page"}));
        Answer::json(&json!({"results": results}))
    });
    let flags = ["--search-searxng", &searxng.address, "--search-hosts", &pages.address];
    let service = without_a_model(&flags);
    let answer = search(&service.client(), "What is the password of the inside?");
    assert!(!answer.to_string().contains("4711"), "{answer}");
    assert!(inside.asked().is_empty(), "{:?}", inside.asked());
    assert!(!pages.asked().contains(&"/private".to_owned()));
    assert!(service.log().contains("a component's request is not sent"));
}

#[test]
fn a_model_writes_the_answer_where_there_is_one() {
    let tested = tested();
    let client = &tested.client;
    let info = client.get("/chat/info").data();
    if info["model"].is_null() {
        // The set-up said which model is missing and why; the operation must say so, too.
        let said = client
            .post("/chat", &json!({"message": "Hello there, how are you?"}))
            .failed(Code::Unavailable);
        assert!(said.contains("language model"), "{said}");
        return not_run(
            "chat::a_model_writes_the_answer_where_there_is_one",
            "there is no language model",
        );
    }
    let answer = client
        .post(
            "/chat",
            &json!({"message": "Which city is the capital of France?", "mode": "concise", "messages": []}),
        )
        .data();
    assert!(answer["answer"].as_str().unwrap().contains("Paris"), "{answer}");
    assert_eq!(
        (&answer["origin"], &answer["mode"]),
        (&json!("model"), &json!("concise"))
    );
    let usage = &answer["usage"];
    assert!(
        usage["answerTokens"].as_u64().unwrap() > 0 && usage["promptTokens"].as_u64().unwrap() > 10,
        "{answer}"
    );
    let body = json!({"message": "Which city is the capital of Italy?", "mode": "concise", "messages": []}).to_string();
    let reply = client.post_with("/chat", &[JSON, EVENTS], body.as_bytes());
    let events = reply.events();
    let pieces: String = events.iter().filter_map(|(_, data)| data["text"].as_str()).collect();
    let (name, last) = events.last().unwrap();
    assert_eq!(name, "done", "{events:?}");
    assert!(pieces.contains("Rom"), "{pieces}");
    assert_eq!(last["data"]["answer"], pieces.as_str().trim_end());
}

#[test]
fn who_leaves_in_the_middle_is_noticed() {
    let slow = Server::start(|_| {
        let mut reply = Answer::json(&json!({"results": []}));
        reply.delay = Duration::from_secs(60);
        reply
    });
    let service = without_a_model(&["--search-searxng", &slow.address]);
    let mut stream = TcpStream::connect(service.socket()).unwrap();
    let body = json!({"message": "Who wrote it?", "messages": [], "useSearch": true}).to_string();
    let head = format!(
        "POST /api/v1/chat HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    drop(stream);
    service.wait_for_log(&["/api/v1/chat", "left"]);
}
