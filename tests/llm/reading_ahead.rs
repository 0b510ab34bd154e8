//! What a component has the model read before anybody asks.

use quartet_tests::wait::until;
use serde_json::{Value, json};

use super::local::start;
use super::{Asking, Told};

const READ_AHEAD: &str = "quartet_language_read_ahead_tokens_total";

/// A conversation about a notice; what is asked goes on in its last turn.
fn about(sentence: &str, question: &str) -> Value {
    let notice = sentence.repeat(24);
    let instructions = ["system", "You answer questions about a notice."];
    json!({
        "turns": [instructions, ["user", format!("{notice}\n{question}")]],
        "temperature": 0.0,
        "maxTokens": 8,
    })
}

fn prepare(asking: &Asking, conversation: &Value, client: &str) -> Value {
    let mut conversation = conversation.clone();
    conversation["prepare"] = json!(true);
    ask_as(asking, &conversation, client).prepared
}

fn ask_as(asking: &Asking, conversation: &Value, client: &str) -> Told {
    let headers = [("content-type", "application/json"), ("x-forwarded-for", client)];
    let reply = asking
        .service
        .client()
        .post_with("/image/chat", &headers, conversation.to_string().as_bytes());
    Told::read(std::str::from_utf8(&reply.body).expect("UTF-8"))
}

#[test]
fn what_was_read_ahead_needs_no_reading_when_its_client_asks() {
    let asking = start(&["--trusted-proxies", "127.0.0.1"]);
    let (one, another) = ("192.0.2.1", "192.0.2.2");
    let notice = "The swimming pool by the river is open on Mondays from nine to five. ";
    let (beginning, question) = (about(notice, ""), about(notice, "When is it open?"));
    // An engine that is still loading its model knows nothing, and is not waited for.
    until("an engine that tells", || prepare(&asking, &beginning, one).is_object());
    until("all of it to be read", || {
        let size = prepare(&asking, &beginning, one);
        size["cachedTokens"] == size["tokens"]
    });
    let size = prepare(&asking, &beginning, one)["tokens"].as_u64().expect("a number");
    assert!(asking.metric(READ_AHEAD) >= 300.0);
    let told = ask_as(&asking, &question, one);
    // All but what ends the turn.
    assert!(told.count("cachedTokens") + 16 >= size, "{told:?} of {size}");
    // Nobody else learns from the time or the count what was read for this client.
    assert!(ask_as(&asking, &question, another).count("cachedTokens") < 64);
    // Others' questions do not take its place.
    for word in ["boats", "trams", "trees", "lamps", "doors"] {
        ask_as(
            &asking,
            &about(&format!("The {word} of the town are old and green. "), "Why?"),
            another,
        );
    }
    assert!(ask_as(&asking, &question, one).count("cachedTokens") + 16 >= size);
}

/// A document that is read ahead holds nobody up: it goes on when the question is answered.
#[test]
fn who_asks_comes_before_what_is_read_ahead() {
    let asking = start(&[]);
    asking.ask(&super::question("Hello"));
    let notice =
        "The library in the old mill lends books, maps and bicycles to whoever lives in the valley. ".repeat(3);
    let beginning = about(&notice, "");
    let mut long = beginning.clone();
    long["prepare"] = json!(true);
    let size = asking.ask(&long).prepared;
    let tokens = size["tokens"].as_f64().expect("a number");
    assert!(tokens > 1000.0, "{size}");
    let told = asking.ask(&super::question("What is the capital of France? Answer with one word."));
    assert!(told.text().contains("Paris"), "{told:?}");
    let read = asking.metric(READ_AHEAD);
    assert_eq!(read, 0.0, "the beginning was read first");
    until("the rest to be read", || asking.metric(READ_AHEAD) > 900.0);
}
