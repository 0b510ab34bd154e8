//! Messages that are no questions: texts that are to be made, and talk.

use quartet_component_sdk::uploads::InMemory;
use quartet_grounding::Writer;
use quartet_llm_client::scripted::Scripted;
use serde_json::{Value, json};

use super::*;

/// The reply to a message, by a model of this machine that judges messages so.
fn said(message: &str, replies: &[&str], judged: &[(&'static str, f32)]) -> (Value, Scripted) {
    let store = InMemory::default();
    let mut model = Scripted::new(replies.iter().copied());
    model.reading_speed = Some(60.0);
    model.judged = judged.to_vec();
    let with = Context {
        writer: Some(Writer {
            model: &model,
            milliseconds_left: &|| 25_000,
        }),
        ..context(&store)
    };
    data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
    let said = data(chat(&mut question("mine", &json!({ "message": message })), &with).expect("answered"));
    (said, model)
}

const TASK: [(&str, f32); 3] = [("talk", 0.1), ("make", 0.9), ("done", 0.9)];

#[test]
fn a_text_that_is_asked_for_is_made_and_its_figures_are_not_made_up() {
    let letter = r#"{"answer": "Dear Mr Reed,\nwe would like to see the mill. It was built in 1742 by Thomas Reed.\nIt costs 7 pounds.\n- Bring sandwiches\nThe 5 of us thank you.\nYours"}"#;
    let (said, model) = said("Write to the miller that we are 5 and want to come", &[letter], &TASK);
    assert_eq!(
        (&said["origin"], &said["answered"], &said["phrasing"]["used"]),
        (&json!("composed"), &json!(true), &json!(true)),
        "{said}"
    );
    // A price that is neither the document's nor the request's is made up, and so is an item of a list that stands nowhere.
    assert_eq!(
        said["answer"],
        "Dear Mr Reed,\nwe would like to see the mill. It was built in 1742 by Thomas Reed.\nThe 5 of us thank you.\nYours"
    );
    assert_eq!(said["phrasing"]["leftOut"], 2);
    let reason = said["phrasing"]["reason"].as_str().expect("a reason");
    assert!(reason.contains("only its statements"), "{reason}");
    let statements = said["statements"].as_array().expect("statements");
    let built = statements
        .iter()
        .find(|statement| statement["text"] == "It was built in 1742 by Thomas Reed.");
    let cited = &said["citations"][built.expect("the sentence")["citations"][0].as_u64().expect("a place") as usize];
    assert_eq!(
        cited["quote"],
        "The mill of Aldebourne was built in 1742 by Thomas Reed."
    );
    let asked = model.asked.borrow();
    assert!(
        asked[0].last().is_some_and(|turn| turn.text.contains("built in 1742")),
        "it has the text"
    );
    // A model that falls into a loop is stopped.
    let loops = r#"{"answer": "The mill grinds the wheat of the valley. The mill grinds the wheat of the valley. The mill grinds"}"#;
    let (said, model) = self::said("Write a poem about it", &[loops], &TASK);
    assert_eq!(said["answer"], "The mill grinds the wheat of the valley.");
    assert_eq!(model.stopped.get(), 1);
}

#[test]
fn a_text_that_is_not_what_was_asked_for_is_not_given() {
    let text = r#"{"answer": "The river that drives the wheel is called the Lenn."}"#;
    let judged = [("talk", 0.1), ("make", 0.9), ("done", 0.5)];
    let (said, _) = said("make a list of the opening hours", &[text], &judged);
    assert_ne!(said["origin"], "composed", "{said}");
}

#[test]
fn a_table_keeps_its_rows_of_names_and_lines() {
    let table = r#"{"answer": "| Built | By |\n|---|---|\n| 1742 | Thomas Reed |\n| 1842 | Thomas Reed |"}"#;
    let (said, _) = said("make a table of who built it", &[table], &TASK);
    assert_eq!(
        said["answer"], "| Built | By |\n|---|---|\n| 1742 | Thomas Reed |",
        "{said}"
    );
}

#[test]
fn a_message_that_is_probably_a_question_is_answered_as_one() {
    let replies = [
        r#"{"passage": 1, "answer": "Thomas Reed built the mill in 1742."}"#,
        r#"{"answered": "yes"}"#,
    ];
    let judged = [("talk", 0.8), ("make", 0.6)];
    let (said, _) = said("Who built the mill of Aldebourne?", &replies, &judged);
    assert_eq!(
        (&said["origin"], &said["answer"]),
        (&json!("model"), &json!("Thomas Reed built the mill in 1742."))
    );
}

#[test]
fn talk_is_told_what_can_be_done() {
    let (said, model) = said("Danke dir", &["nobody asks for this"], &[("talk", 0.99)]);
    assert_eq!(
        (&said["origin"], &said["answered"]),
        (&json!("none"), &json!(false)),
        "{said}"
    );
    assert!(
        said["answer"].as_str().is_some_and(|text| text.contains("Dokument")),
        "{said}"
    );
    assert!(model.asked.borrow().is_empty());
    // What ends as a question is judged once the document was found not to answer it.
    let unseen = r#"{"passage": 0, "answer": ""}"#;
    let (said, model) = self::said("Who are you?", &[unseen, unseen], &[("talk", 0.9), ("make", 0.1)]);
    assert_eq!(said["origin"], "none", "{said}");
    assert!(!model.asked.borrow().is_empty());
}

#[test]
fn a_translation_is_held_sentence_by_sentence() {
    let judged = [("talk", 0.1), ("make", 0.9), ("translate", 0.9), ("part", 0.1)];
    let german = r#"{"1": "Die Mühle von Aldebourne wurde 1742 von Thomas Reed gebaut.", "2": "Sie mahlt jeden Herbst den Weizen des ganzen Tals.", "3": "Besucher zahlen 7 Euro.", "4": "Der Fluss heißt Lenn."}"#;
    let (said, _) = said("Translate this into German", &[german], &judged);
    assert_eq!(
        (&said["origin"], &said["phrasing"]["leftOut"]),
        (&json!("composed"), &json!(2)),
        "{said}"
    );
    let text = said["answer"].as_str().expect("text");
    assert!(
        text.starts_with("Die Mühle von Aldebourne wurde 1742 von Thomas Reed gebaut."),
        "{text}"
    );
    // What says something else stands as it is, and so does what has no name to hold it by where no model knows meanings.
    assert!(
        text.contains("Visitors may see the mill on Sundays between ten and four.") && !text.contains("zahlen"),
        "{text}"
    );
    let cited = &said["citations"][said["statements"][0]["citations"][0].as_u64().expect("a place") as usize];
    assert_eq!(
        cited["quote"],
        "The mill of Aldebourne was built in 1742 by Thomas Reed."
    );
}
