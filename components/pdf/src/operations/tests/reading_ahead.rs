//! Short documents that a model has read before anybody asks.

use quartet_component_sdk::uploads::InMemory;
use quartet_grounding::Writer;
use quartet_llm_client::scripted::Scripted;
use serde_json::json;

use super::*;

const ANSWER: &str = r#"{"passage": 2, "answer": "Thomas Reed built the mill in 1742."}"#;
const SUMMARY: &str = r#"{"passage": 2, "answer": "The mill of Aldebourne grinds the wheat of the whole valley."}"#;
const YES: &str = r#"{"answered": "yes"}"#;
const NO: &str = r#"{"answered": "no"}"#;

/// A model on a slow machine, which has read so much ahead.
fn slow<'a>(replies: impl IntoIterator<Item = &'a str>, speed: f32, read_ahead: Option<u32>) -> Scripted {
    let mut model = Scripted::new(replies);
    model.reading_speed = Some(speed);
    model.read_ahead = read_ahead;
    // The messages are questions.
    model.judged = vec![("talk", 0.1), ("make", 0.1)];
    model
}

/// A text file.
fn text_file(text: &str) -> Request {
    let head = "--b\r\ncontent-disposition: form-data; name=\"pdf\"; filename=\"notes.txt\"\r\n\r\n";
    let body = format!("{head}{text}\r\n--b--\r\n").into_bytes();
    request("multipart/form-data; boundary=b", "mine", body)
}

fn asked_of<'a>(store: &'a InMemory, model: &'a Scripted) -> Context<'a> {
    Context {
        writer: Some(Writer {
            model,
            milliseconds_left: &|| 25_000,
        }),
        ..context(store)
    }
}

#[test]
fn a_short_document_is_read_with_its_upload_and_answered_from_whole() {
    let (store, model) = (InMemory::default(), slow([ANSWER, YES], 20.0, Some(u32::MAX)));
    let with = asked_of(&store, &model);
    data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
    let ahead = model.prepared.borrow()[0].clone();
    assert!(model.asked.borrow().is_empty(), "nobody has asked");
    let question_of = |message: &str| question("mine", &json!({ "message": message }));
    let said = data(chat(&mut question_of("Who built the mill of Aldebourne?"), &with).expect("answered"));
    assert_eq!(
        (&said["answer"], &said["origin"], &said["phrasing"]["used"]),
        (
            &json!("Thomas Reed built the mill in 1742."),
            &json!("model"),
            &json!(true)
        ),
        "{said}"
    );
    // What was read ahead is the beginning of what is asked, and has the whole text.
    let asked = model.asked.borrow()[0].clone();
    assert_eq!(asked[0], ahead[0]);
    let (beginning, prompt) = (&ahead[1].text, &asked[1].text);
    assert!(prompt.starts_with(beginning.as_str()), "{prompt}");
    for sentence in [
        "built in 1742 by Thomas Reed",
        "the whole valley",
        "on Sundays",
        "called the Lenn",
    ] {
        assert_eq!(beginning.matches(sentence).count(), 1, "{beginning}");
    }
}

#[test]
fn a_request_about_the_whole_is_no_question_about_a_detail() {
    let about = r#"{"about": "the whole document"}"#;
    let written = r#"{"passages": [2], "answer in Spanish": "Thomas Reed construyó el molino de Aldebourne en 1742."}"#;
    let (store, model) = (InMemory::default(), slow([about, written], 20.0, Some(u32::MAX)));
    let with = asked_of(&store, &model);
    data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
    let request = json!({"message": "Boil it down for me in Spanish."});
    let said = data(chat(&mut question("mine", &request), &with).expect("answered"));
    assert_eq!(
        (&said["answer"], &said["answered"]),
        (
            &json!("Thomas Reed construyó el molino de Aldebourne en 1742."),
            &json!(true)
        ),
        "{said}"
    );
    let prompt = model.asked.borrow()[1].last().expect("a turn").text.clone();
    assert!(
        prompt.contains("Request about the whole document") && prompt.ends_with(" Responde en español."),
        "{prompt}"
    );
    // A question is one about a detail, and the model is not asked.
    let model = slow([ANSWER, YES], 20.0, Some(u32::MAX));
    let asked = json!({"message": "Who built the mill of Aldebourne?"});
    data(chat(&mut question("mine", &asked), &asked_of(&store, &model)).expect("answered"));
    assert_eq!(model.asked.borrow().len(), 2);
    // So is one without its mark, as an answer to it shows.
    let mistaken = r#"{"passages": [2], "answer": "Yes, the mill of Aldebourne was built in 1742 by Thomas Reed."}"#;
    let model = slow([about, mistaken, ANSWER, YES], 20.0, Some(u32::MAX));
    let asked = json!({"message": "did thomas reed build the mill of aldebourne"});
    let said = data(chat(&mut question("mine", &asked), &asked_of(&store, &model)).expect("answered"));
    assert_eq!(model.asked.borrow().len(), 4, "{said}");
    assert!(
        !said["answer"].as_str().expect("an answer").starts_with("Yes"),
        "{said}"
    );
}

#[test]
fn a_count_of_pages_sums_up_nothing() {
    let about = r#"{"about": "the whole document"}"#;
    let counted = r#"{"passages": [2], "answer": "The document has 1 page, no tables and no figures."}"#;
    let (store, model) = (InMemory::default(), slow([about, counted], 20.0, Some(u32::MAX)));
    let with = asked_of(&store, &model);
    data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
    let request = json!({"message": "Boil it down for me."});
    let said = data(chat(&mut question("mine", &request), &with).expect("answered"));
    assert_eq!(said["origin"], "extract", "{said}");
    assert!(
        said["answer"].as_str().is_some_and(|answer| answer.contains("mill")),
        "{said}"
    );
    let reason = said["phrasing"]["reason"].as_str().expect("a reason");
    assert!(reason.contains("about the file"), "{reason}");
}

/// Of a whole document the model chooses a passage, and is asked about its text, or about that of the one that was found: where it is
/// sure of the text, or of the choice and not against the text, the passage answers though its sentence is not confirmed.
#[test]
fn a_passage_that_the_model_is_sure_of_answers() {
    let found = "The mill of Aldebourne was built in 1742 by Thomas Reed.";
    let unseen = r#"{"passage": 0, "answer": ""}"#;
    for (written, choice, confirmed, probability, answered) in [
        (ANSWER, 2, YES, 0.9, true),
        (ANSWER, 2, NO, 0.9, false),
        (ANSWER, 2, YES, 0.7, false),
        (ANSWER, 2, NO, 0.7, false),
        (ANSWER, 1, YES, 0.9, true),
        (ANSWER, 1, NO, 0.9, false),
        (ANSWER, 0, YES, 0.9, true),
        (ANSWER, 0, NO, 0.9, false),
        (unseen, 0, YES, 0.8, true),
        (unseen, 0, NO, 0.8, false),
    ] {
        let store = InMemory::default();
        let choice = format!(r#"{{"passage": {choice}}}"#);
        let replies = [written, NO, choice.as_str(), confirmed];
        let mut model = slow(replies, 20.0, Some(u32::MAX));
        model.probability = Some(probability);
        let with = asked_of(&store, &model);
        data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
        let asking = json!({ "message": "Who built the mill of Aldebourne?" });
        let said = data(chat(&mut question("mine", &asking), &with).expect("answered"));
        // The sentence with the one beside it, or the sentence that is not certain.
        let quote = said["citations"][0]["quote"].as_str().expect("a quotation");
        let case = format!("{written} {choice} {confirmed} {said}");
        assert_eq!(
            (&said["answered"], quote == found),
            (&json!(answered), !answered),
            "{case}"
        );
        assert!(quote.contains(found), "{quote}");
        assert_eq!(said["origin"], if answered { "extract" } else { "model" }, "{case}");
        // Of a passage that does not answer only the nearest sentences are asked about; the first of them has no reply here.
        if confirmed == NO && probability > 0.7 {
            assert_eq!(model.asked.borrow().len(), 5, "{case}");
        }
        // A passage is asked about as it stands.
        let asked = model.asked.borrow();
        let prompt = &asked[3].last().expect("a turn").text;
        assert!(
            prompt.starts_with("Passage: ") && prompt.contains("called the Lenn"),
            "{prompt}"
        );
    }
}

/// A sentence whose odds are several times those of the others that were judged answers, though none is confirmed by itself; of a passage
/// that does not answer, the three that come nearest are judged.
#[test]
fn a_sentence_that_is_likelier_than_the_others_by_far_answers() {
    for (probability, judgements, answered) in [
        // 0.68 beside 0.32 twice.
        (0.68, [YES, NO], true),
        (0.68, [NO, YES], true),
        (0.68, [YES, YES], false),
        (0.68, [NO, NO], false),
        // 0.62 beside 0.38: odds that are less than three times as good.
        (0.62, [YES, NO], false),
    ] {
        let store = InMemory::default();
        let first = r#"{"passage": 0}"#;
        let replies = [ANSWER, NO, first, NO].into_iter().chain(judgements).chain([YES, YES]);
        let mut model = slow(replies, 20.0, Some(u32::MAX));
        model.probability = Some(probability);
        let with = asked_of(&store, &model);
        data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
        let asking = json!({ "message": "Who built the mill of Aldebourne?" });
        let said = data(chat(&mut question("mine", &asking), &with).expect("answered"));
        let case = format!("{probability} {judgements:?} {said}");
        assert_eq!(said["answered"], answered, "{case}");
        assert_eq!(model.asked.borrow().len(), 6, "{case}");
        if answered {
            let quote = said["citations"][0]["quote"].as_str().expect("a quotation");
            assert!(!quote.contains("Thomas Reed"), "{case}");
            assert_eq!(said["origin"], "extract", "{case}");
        }
    }
}

/// Of a passage that answers the sentences are quoted from which the model copies the words that do; where it copies none, those around
/// the sentence that was found.
#[test]
fn the_sentences_that_answer_are_quoted_of_a_long_passage() {
    let paragraphs = [
        "The mill of Aldebourne was built in 1742 by Thomas Reed. He was a carpenter. He died in 1760.",
        "The river that drives the wheel is called the Lenn. It freezes in January. Nobody fishes in it.",
    ];
    for (words, quoted) in [
        (
            "The river that drives the wheel is called the Lenn.",
            "The river that drives the wheel is called the Lenn. It freezes in January.",
        ),
        (
            "It freezes in January. Nobody fishes",
            "The river that drives the wheel is called the Lenn. It freezes in January. Nobody fishes in it.",
        ),
        (
            "",
            "The mill of Aldebourne was built in 1742 by Thomas Reed. He was a carpenter.",
        ),
    ] {
        let store = InMemory::default();
        let copied = format!(r#"{{"passage": 2, "words of the passage": "{words}"}}"#);
        let replies = [ANSWER, NO, r#"{"passage": 2}"#, YES, copied.as_str()];
        let mut model = slow(replies, 20.0, Some(u32::MAX));
        model.probability = Some(0.9);
        let with = asked_of(&store, &model);
        data(extract_text(&mut text_file(&paragraphs.join("\n\n")), &with).expect("read"));
        let asking = json!({ "message": "Who built the mill of Aldebourne?" });
        let said = data(chat(&mut question("mine", &asking), &with).expect("answered"));
        assert_eq!(
            (&said["answered"], &said["citations"][0]["quote"]),
            (&json!(true), &json!(quoted)),
            "{said}"
        );
        let asked = model.asked.borrow();
        let prompt = &asked[4].last().expect("a turn").text;
        assert!(prompt.contains("Passage 2 answers it"), "{prompt}");
    }
}

/// A line that introduces a list says half, and so does an item of it.
#[test]
fn a_list_is_quoted_whole() {
    let text = "Tents may stay for a week.\n\nTo book a place you need:\n\n- a card of the club\n- twelve euros in cash\n\nNo fires.";
    let list = "To book a place you need:\na card of the club\ntwelve euros in cash";
    let unsure = r#"{"passage": 2, "answer": "Yes, you need to book a place."}"#;
    let sure = r#"{"passage": 2, "answer": "You need twelve euros in cash."}"#;
    for (written, confirmed, probability, answered) in [
        (unsure, YES, 0.9, true),
        (unsure, NO, 0.7, false),
        (sure, YES, 0.9, true),
    ] {
        let store = InMemory::default();
        let mut model = slow([written, confirmed], 20.0, Some(u32::MAX));
        model.probability = Some(probability);
        let with = asked_of(&store, &model);
        data(extract_text(&mut text_file(text), &with).expect("read"));
        let asking = json!({ "message": "What do you need to book a place?" });
        let said = data(chat(&mut question("mine", &asking), &with).expect("answered"));
        assert_eq!(said["answered"], answered, "{said}");
        if written == sure {
            assert_eq!(
                (&said["answer"], &said["citations"][0]["quote"]),
                (&json!("You need twelve euros in cash."), &json!(list)),
                "{said}"
            );
        } else {
            assert!(
                said["answer"].as_str().is_some_and(|answer| answer.contains(list)),
                "{said}"
            );
        }
    }
}

#[test]
fn a_machine_that_has_not_read_the_document_yet_judges_sentences() {
    for read_ahead in [None, Some(0)] {
        let store = InMemory::default();
        let model = slow([YES], 2.0, read_ahead);
        let with = asked_of(&store, &model);
        data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
        let asking = json!({ "message": "Who built the mill of Aldebourne?" });
        let said = data(chat(&mut question("mine", &asking), &with).expect("answered"));
        assert_eq!(
            (&said["origin"], &said["answered"]),
            (&json!("extract"), &json!(true)),
            "{said}"
        );
        let prompt = model.asked.borrow()[0].last().expect("a turn").text.clone();
        assert!(prompt.starts_with("Passage: "), "{prompt}");
    }
}

#[test]
fn a_summary_has_the_whole_of_what_was_read_ahead() {
    let store = InMemory::default();
    let model = slow([SUMMARY], 20.0, Some(u32::MAX));
    let with = asked_of(&store, &model);
    let said = data(summarize(&mut form("pdf", &pdf()), &with).expect("summarised"));
    assert_eq!(said["origin"], "model", "{said}");
    let prompt = model.asked.borrow()[0].last().expect("a turn").text.clone();
    assert!(prompt.contains("called the Lenn"), "{prompt}");
}

#[test]
fn a_long_document_is_not_read_ahead() {
    let store = InMemory::default();
    let model = slow([], 20.0, Some(u32::MAX));
    let with = asked_of(&store, &model);
    let sentence = |day: usize| format!("On day {day} the wheel of the mill turned until the evening. ");
    for (days, read) in [(70, false), (200, false), (20, true)] {
        let text: String = (1..=days).map(sentence).collect();
        data(extract_text(&mut text_file(&text), &with).expect("read"));
        assert_eq!(!model.prepared.take().is_empty(), read, "{days}");
    }
}
