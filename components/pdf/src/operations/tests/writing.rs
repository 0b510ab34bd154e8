//! Answers and summaries of a model, and what is told while they come about.

use quartet_api::Code;
use quartet_component_sdk::uploads::InMemory;
use quartet_grounding::Writer;
use quartet_llm_client::scripted::Scripted;
use serde_json::{Value, json};

use super::*;

/// A model's confirmation of what it answered.
const YES: &str = r#"{"answered": "yes"}"#;
/// A model's refusal to confirm it.
const NO: &str = r#"{"answered": "no"}"#;

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
        YES,
        r#"{"passage": 1, "answer": "Thomas Reed built the mill in 1842."}"#,
        YES,
        r#"{"passage": 1, "answer": "John Miller built the mill in 1742."}"#,
        YES,
        r#"{"passage": 1, "answer": "The mill was not built by Thomas Reed."}"#,
        NO,
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
    for _ in 0..2 {
        let said = ask(message, &with);
        assert_eq!((&said["answer"], &said["origin"]), (&json!(found), &json!("extract")));
        let reason = said["phrasing"]["reason"].as_str().expect("a reason");
        assert!(reason.contains("not borne out"), "{reason}");
    }
    // The sentence that was found instead is an answer only if it is confirmed.
    let said = ask(message, &with);
    assert_eq!(
        (&said["answered"], &said["citations"][0]["quote"]),
        (&json!(false), &json!(found))
    );
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
fn a_confirmation_counts_by_how_sure_the_model_is_of_it() {
    let store = InMemory::default();
    let message = "Who built the mill of Aldebourne?";
    let found = "The mill of Aldebourne was built in 1742 by Thomas Reed.";
    let said = r#"{"passage": 1, "answer": "Thomas Reed built the mill in 1742."}"#;
    let unseen = r#"{"passage": 0, "answer": ""}"#;
    let answer = |replies: [&str; 2], probability: f32| {
        let mut model = Scripted::new(replies);
        model.probability = Some(probability);
        let with = writing(&store, &model);
        data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
        ask(message, &with)
    };
    let sure = answer([said, YES], 0.8);
    assert_eq!(sure["answered"], true);
    let confidence = sure["confidence"].as_f64().expect("a confidence");
    assert!((confidence - 0.8).abs() < 1e-6, "{confidence}");
    // An answer that is not sure enough is none, but the document is not told to be silent either.
    let possible = answer([said, NO], 0.7);
    let sentence = format!("It is not certain that the document answers this. Page 1 may: “{found}”");
    assert_eq!(
        (&possible["answered"], &possible["answer"]),
        (&json!(false), &json!(sentence))
    );
    let confidence = possible["confidence"].as_f64().expect("a confidence");
    assert!((confidence - 0.3).abs() < 1e-6, "{confidence}");
    let silent = answer([said, NO], 0.95);
    let sentence =
        format!("No clear answer to this was found in the document. The nearest sentence is on page 1: “{found}”");
    assert_eq!(
        (&silent["answer"], &silent["confidence"]),
        (&json!(sentence), &json!(0.0))
    );
    // The sentence that the search found outweighs a model that saw no answer, if that is sure of it in the end.
    let outweighed = answer([unseen, YES], 0.9);
    assert_eq!(
        (&outweighed["answer"], &outweighed["origin"]),
        (&json!(found), &json!("extract"))
    );
    let refused = answer([unseen, YES], 0.8);
    assert_eq!(
        (&refused["answered"], &refused["citations"][0]["quote"]),
        (&json!(false), &json!(found))
    );
}

#[test]
fn a_sentence_answers_where_the_model_made_something_else_of_it() {
    let store = InMemory::default();
    let about = r#"{"about": "a detail"}"#;
    // The year is another one, and the search has not found the place.
    let wrong = r#"{"passage": 1, "answer": "The mill was finished in 1842."}"#;
    // Nor is what it makes of that sentence in German.
    let none = r#"{"1": "Sie wurde 1842 vollendet."}"#;
    let model = Scripted::new([about, wrong, YES, none, about, wrong, NO]);
    let with = writing(&store, &model);
    data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
    let meant = "The mill of Aldebourne was built in 1742 by Thomas Reed.";
    let question = "Wann wurde sie vollendet?";
    let said = ask(question, &with);
    assert_eq!(
        (&said["answered"], &said["origin"], &said["citations"][0]["quote"]),
        (&json!(true), &json!("extract"), &json!(meant)),
        "{said}"
    );
    assert!(
        said["answer"].as_str().is_some_and(|text| text.contains(meant)),
        "{said}"
    );
    assert_eq!(
        (&said["statements"], &said["phrasing"]["leftOut"]),
        (&Value::Null, &json!(1))
    );
    let refused = ask(question, &with);
    assert_eq!(
        (&refused["answered"], &refused["citations"][0]["quote"]),
        (&json!(false), &json!(meant)),
        "{refused}"
    );
}

#[test]
fn a_sentence_is_quoted_instead_of_a_yes_or_a_no() {
    let store = InMemory::default();
    let said = r#"{"passage": 1, "answer": "Yes, the mill was built in 1742 by Thomas Reed."}"#;
    let model = Scripted::new([said, YES, said, NO]);
    let with = writing(&store, &model);
    data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
    let (_, sentence) = BUILT;
    let question = "Did Thomas Reed build the mill of Aldebourne?";
    let quoted = ask(question, &with);
    assert_eq!(
        (&quoted["answer"], &quoted["answered"], &quoted["origin"]),
        (&json!(sentence), &json!(true), &json!("extract")),
        "{quoted}"
    );
    let reason = quoted["phrasing"]["reason"].as_str().expect("a reason");
    assert!(reason.contains("yes or a no"), "{reason}");
    let refused = ask(question, &with);
    assert_eq!(refused["answered"], false, "{refused}");
}

#[test]
fn the_document_does_not_say_only_after_the_model_had_the_passages() {
    let store = InMemory::default();
    let model = Scripted::new([
        r#"{"about": "a detail"}"#,
        r#"{"passage": 0, "answer": ""}"#,
        r#"{"about": "a detail"}"#,
        r#"{"passage": 1, "answer": "The mill was built in 1742 by Thomas Reed."}"#,
        NO,
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
    let near = "The mill of Aldebourne was built in 1742 by Thomas Reed.";
    assert_eq!(
        (&said["answered"], &said["citations"][0]["quote"]),
        (&json!(false), &json!(near))
    );
    let sentence =
        format!("No clear answer to this was found in the document. The nearest sentence is on page 1: “{near}”");
    assert_eq!((&said["answer"], &said["statements"]), (&json!(sentence), &Value::Null));
    // It is asked about nothing but the sentence that is cited.
    let asked = model.asked.borrow();
    let conversation = asked.last().expect("asked");
    let confirming = &conversation.last().expect("a turn").text;
    assert_eq!(
        *confirming,
        format!("Passage: {near}\nQuestion: Who built the mill of Aldebourne a second time?")
    );
    // It is told how to reply, beside being held to it.
    assert!(conversation[0].text.contains(r#""enum":["yes","no"]"#));
}

#[test]
fn what_comes_after_an_answer_that_is_left_out_answers_nothing() {
    let store = InMemory::default();
    let written = r#"{"passage": 1, "answer": "The mill was built in 1842. It was built by Thomas Reed."}"#;
    let model = Scripted::new([written, YES]);
    let with = writing(&store, &model);
    data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
    let said = ask(BUILT.0, &with);
    assert_eq!(
        (&said["answer"], &said["origin"], &said["phrasing"]["leftOut"]),
        (&json!(BUILT.1), &json!("extract"), &json!(2)),
        "{said}"
    );
}

#[test]
fn an_answer_in_another_language_than_the_question_is_translated() {
    let store = InMemory::default();
    let question = "Wer hat die Mühle von Aldebourne gebaut?";
    let english = r#"{"passage": 1, "answer": "The mill was built in 1742 by Thomas Reed."}"#;
    let answer = |replies: &[&str]| {
        let model = Scripted::new(replies.iter().copied());
        let with = writing(&store, &model);
        data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
        let said = ask(question, &with);
        let asked = model.asked.borrow();
        let last = asked
            .last()
            .and_then(|turns| turns.last())
            .expect("a turn")
            .text
            .clone();
        (said, last)
    };
    let about = r#"{"about": "a detail"}"#;
    let german = "Die Mühle wurde 1742 von Thomas Reed gebaut.";
    let translation = format!(r#"{{"1": "{german}"}}"#);
    let (said, asked) = answer(&[about, english, YES, &translation]);
    assert_eq!(
        (&said["answer"], &said["answered"]),
        (&json!(german), &json!(true)),
        "{said}"
    );
    assert_eq!(said["citations"][0]["quote"], BUILT.1);
    assert!(
        asked.starts_with("Translate each sentence into German.") && asked.contains("Thomas Reed"),
        "{asked}"
    );
    // A translation that says something else is none, and the answer says that it is in another language.
    let wrong = r#"{"1": "Die Mühle wurde 1842 von Thomas Reed gebaut."}"#;
    let (said, _) = answer(&[about, english, YES, wrong]);
    assert_eq!(said["answer"], "The mill was built in 1742 by Thomas Reed.");
    let reason = said["phrasing"]["reason"].as_str().expect("a reason");
    assert!(reason.contains("translation"), "{reason}");
}

#[test]
fn a_sentence_that_is_quoted_in_another_language_is_translated_beside_it() {
    let store = InMemory::default();
    let question = "Wer hat die Mühle von Aldebourne gebaut?";
    // A bare yes is no answer, and the sentence that it cites is one.
    let answer = |translation: &str| {
        let model = Scripted::new([
            r#"{"about": "a detail"}"#,
            r#"{"passage": 1, "answer": "Ja, 1742 von Thomas Reed."}"#,
            YES,
            &format!(r#"{{"1": "{translation}"}}"#),
        ]);
        let with = writing(&store, &model);
        data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
        ask(question, &with)
    };
    let quoted = format!("Auf Seite 1 steht: „{}“", BUILT.1);
    let said = answer("Die Mühle von Aldebourne wurde 1742 von Thomas Reed gebaut.");
    assert_eq!(
        said["answer"],
        format!("{quoted} Maschinell übersetzt: „Die Mühle von Aldebourne wurde 1742 von Thomas Reed gebaut.“"),
        "{said}"
    );
    assert_eq!(said["citations"][0]["quote"], BUILT.1);
    // What says something else is left out.
    let said = answer("Die Mühle von Aldebourne wurde 1743 von Thomas Reed gebaut.");
    assert_eq!(said["answer"], quoted, "{said}");
}

/// The question of which the search finds the answer, and its answer.
const BUILT: (&str, &str) = (
    "Who built the mill of Aldebourne?",
    "The mill of Aldebourne was built in 1742 by Thomas Reed.",
);

#[test]
fn on_a_slow_machine_sentences_are_judged_until_one_is_confirmed() {
    let store = InMemory::default();
    let answer = |replies: &[&str], probability: Option<f32>| {
        let mut model = Scripted::new(replies.iter().copied());
        model.probability = probability;
        model.reading_speed = Some(20.0);
        let with = writing(&store, &model);
        data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
        let said = ask(BUILT.0, &with);
        let asked = model.asked.borrow();
        let last = |turns: &Vec<quartet_llm_client::Turn>| turns.last().expect("a turn").text.clone();
        (said, asked.iter().map(last).collect::<Vec<_>>())
    };
    let judged = |said: &Value| {
        said["phrasing"]["reason"]
            .as_str()
            .is_some_and(|why| why.contains("judged"))
    };
    // The nearest one is confirmed: nothing else is asked, and nothing is written.
    let (said, asked) = answer(&[YES, YES], None);
    assert_eq!((&said["answer"], &said["answered"]), (&json!(BUILT.1), &json!(true)));
    assert!(said["origin"] == "extract" && judged(&said), "{said}");
    assert_eq!(asked, [format!("Passage: {}\nQuestion: {}", BUILT.1, BUILT.0)]);
    // It is not, and the next one is.
    let (said, asked) = answer(&[NO, YES], None);
    let [_, second] = &asked[..] else { panic!("{asked:?}") };
    let quote = said["citations"][0]["quote"].as_str().expect("a quote");
    assert!(said["answered"] == true && quote != BUILT.1, "{said}");
    assert!(second.contains(quote), "{second}");
    // None is, for certain or nearly so; a search that was sure does not answer instead.
    let (said, _) = answer(&[NO; 5], Some(0.95));
    assert_eq!(
        (&said["answered"], &said["answer"]),
        (
            &json!(false),
            &json!("No sentence was found in the document that answers this.")
        )
    );
    let (said, _) = answer(&[NO; 5], Some(0.7));
    assert!(
        said["answered"] == false
            && said["answer"]
                .as_str()
                .is_some_and(|text| text.starts_with("It is not certain")),
        "{said}"
    );
}

#[test]
fn what_there_was_no_time_to_confirm_counts_half_or_is_not_certain() {
    let store = InMemory::default();
    // There is time for so many replies, and none for a confirmation.
    let answer = |question: &str, replies: &[&str]| {
        let model = Scripted::new(replies.iter().copied());
        let left = || match model.asked.borrow().len() < replies.len() {
            true => 20_000,
            false => 3_400,
        };
        let with = Context {
            writer: Some(Writer {
                model: &model,
                milliseconds_left: &left,
            }),
            ..context(&store)
        };
        data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
        let said = ask(question, &with);
        assert_eq!(model.asked.borrow().len(), replies.len());
        said
    };
    let written = r#"{"passage": 1, "answer": "Thomas Reed built the mill in 1742."}"#;
    let said = answer(BUILT.0, &[written]);
    assert_eq!(
        (&said["answered"], &said["confidence"], &said["origin"]),
        (&json!(true), &json!(0.5), &json!("model"))
    );
    // The search has not found the place either.
    let written = r#"{"passage": 1, "answer": "The mill was built in 1742."}"#;
    let said = answer("Wann wurde sie vollendet?", &[r#"{"about": "a detail"}"#, written]);
    assert_eq!(
        (&said["answered"], &said["citations"][0]["quote"]),
        (&json!(false), &json!(BUILT.1))
    );
    let reason = said["phrasing"]["reason"].as_str().expect("a reason");
    assert!(reason.contains("to confirm its answer"), "{reason}");
}

#[test]
fn a_model_that_fails_to_write_is_asked_about_the_sentence_that_was_found() {
    let store = InMemory::default();
    let failing = || Err(quartet_llm_client::ModelError::Busy { seconds: 3 });
    for (reply, answered) in [(YES, true), (NO, false)] {
        let model = Scripted::of([failing(), Ok(reply.to_owned())]);
        let with = writing(&store, &model);
        data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
        let said = ask(BUILT.0, &with);
        assert_eq!(
            (&said["answered"], &said["citations"][0]["quote"]),
            (&json!(answered), &json!(BUILT.1))
        );
        assert_eq!(model.asked.borrow().len(), 2);
    }
}

#[test]
fn a_question_goes_on_from_the_one_before_and_the_document_comes_first_in_the_prompt() {
    let store = InMemory::default();
    let model = Scripted::new([
        r#"{"passage": 1, "answer": "The mill was built by Thomas Reed."}"#,
        YES,
        r#"{"passage": 1, "answer": "The mill was built in 1742."}"#,
        YES,
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
    assert!(prompts[2].contains("The question before it was: Who built the mill of Aldebourne?"));
    assert!(prompts[2].ends_with("Question: When?\nAnswer in English, one short sentence."));
    assert!(prompts[2].starts_with(prompts[0].split("</passage>").next().expect("a passage")));
}

#[test]
fn what_happens_is_told_and_the_whole_answer_comes_at_the_end() {
    let store = InMemory::default();
    let read = events::<ToExtract>(form("pdf", &pdf()), &context(&store));
    let page = json!({"stage": "reading", "done": 1, "total": 1});
    let [(first, ready), (second, progress), (last, done)] = &read[..] else {
        panic!("{read:?}")
    };
    assert_eq!(
        (first.as_str(), &ready["page"], &ready["source"]),
        ("page", &json!(1), &json!("text"))
    );
    assert!(
        ready["text"].as_str().is_some_and(|text| text.contains("Thomas Reed")),
        "{ready}"
    );
    assert_eq!((second.as_str(), progress), ("progress", &page));
    assert_eq!((last.as_str(), &done["success"]), ("done", &json!(true)));
    let whole = data(extract_text(&mut form("pdf", &pdf()), &context(&store)).expect("read"));
    assert_eq!(done["data"]["pages"], whole["pages"]);

    let model = Scripted::new([
        r#"{"passage": 1, "answer": "The mill was built in 1742. It is 900 years old. Thomas Reed built it. It grinds wheat."}"#,
        r#"{"passage": 1, "answer": "The mill was built in 1742. Thomas Reed built it."}"#,
        YES,
        r#"{"about": "a detail"}"#,
        r#"{"passage": 1, "answer": "Thomas Reed built the mill."}"#,
        NO,
    ]);
    let with = writing(&store, &model);
    let summary = events::<ToSummarize>(form("pdf", &pdf()), &with);
    let names = |events: &[(String, Value)]| -> Vec<String> {
        let each = |(name, data): &(String, Value)| match data["stage"].as_str() {
            Some(stage) => stage.to_owned(),
            None => name.clone(),
        };
        events.iter().map(each).collect()
    };
    assert_eq!(
        names(&summary),
        ["reading", "writing", "statement", "statement", "statement", "done"]
    );
    let done = &summary[5].1["data"];
    for (event, statement) in summary[2..5]
        .iter()
        .zip(done["statements"].as_array().expect("statements"))
    {
        assert_eq!(event.1["text"], statement["text"]);
        let first = statement["citations"][0].as_u64().expect("a citation") as usize;
        assert_eq!(event.1["citations"][0]["quote"], done["sentences"][first]["text"]);
    }
    assert_eq!(done["phrasing"]["leftOut"], 1);

    let asked = |message: &str| question("mine", &json!({ "message": message }));
    let answered = events::<Asked>(asked("Who built the mill of Aldebourne?"), &with);
    assert_eq!(
        names(&answered),
        ["searching", "writing", "confirming", "statement", "statement", "done"],
        "{answered:?}"
    );
    // Nothing is told of an answer that is not confirmed.
    let refused = events::<Asked>(asked("Who built the mill of Aldebourne a second time?"), &with);
    assert_eq!(
        names(&refused),
        ["searching", "writing", "confirming", "done"],
        "{refused:?}"
    );
    assert_eq!(refused[3].1["data"]["answered"], false);

    // A failure is an event, too.
    let failed = events::<ToExtract>(form("pdf", b"%PDF-1.7 and nothing else"), &with);
    assert_eq!(
        (
            failed.len(),
            failed[0].0.as_str(),
            &failed[0].1["code"],
            &failed[0].1["requestId"]
        ),
        (1, "error", &json!("invalid_document"), &json!("id"))
    );
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
    let model = Scripted::new([
        r#"{"passages": [1], "answer": "It grinds the wheat of the valley. Thomas Reed built the mill in 1742."}"#,
        r#"{"1": "Muele el trigo desde 1850.", "2": "Thomas Reed construyó el molino en 1742."}"#,
    ]);
    let spanish = data(summarize(&mut in_language("es"), &writing(&store, &model)).expect("summarised"));
    assert_eq!(
        (
            &spanish["language"],
            &spanish["summary"],
            &spanish["phrasing"]["leftOut"]
        ),
        (
            &json!("es"),
            &json!("Thomas Reed construyó el molino en 1742."),
            &json!(1)
        )
    );
    // What is cited is what the rest stands on.
    assert_eq!(spanish["statements"][0]["citations"], json!([0]), "{spanish}");
    assert_eq!(spanish["sentences"].as_array().map(Vec::len), Some(1), "{spanish}");
    assert_eq!(
        spanish["sentences"][0]["text"],
        "The mill of Aldebourne was built in 1742 by Thomas Reed."
    );
    let prompts: Vec<String> = model.asked.borrow().iter().map(|turns| turns[1].text.clone()).collect();
    assert!(prompts[0].contains("in English"), "{prompts:?}");
    assert!(
        prompts[1].contains("these names: Thomas Reed") && prompts[1].ends_with("Responde en español."),
        "{prompts:?}"
    );
    // Where there is no time for two steps, it is one.
    let model = Scripted::new([r#"{"passages": [1], "answer": "Thomas Reed construyó el molino en 1742."}"#]);
    let hurried = Context {
        writer: Some(Writer {
            model: &model,
            milliseconds_left: &|| 12_000,
        }),
        ..context(&store)
    };
    let spanish = data(summarize(&mut in_language("es"), &hurried).expect("summarised"));
    assert_eq!(spanish["summary"], "Thomas Reed construyó el molino en 1742.");
    let prompt = model.asked.borrow()[0].last().expect("a turn").text.clone();
    assert!(
        prompt.contains("in Spanish") && prompt.ends_with(" Responde en español."),
        "{prompt}"
    );
    // A model that falls back to the document's language is not said to have written in the other one.
    let model = Scripted::new([r#"{"passage": 1, "answer": "Thomas Reed built the mill of Aldebourne in 1742."}"#]);
    let english = data(summarize(&mut in_language("es"), &writing(&store, &model)).expect("summarised"));
    assert_eq!(
        (&english["language"], &english["origin"]),
        (&json!("en"), &json!("model"))
    );
    assert_eq!(
        english["warnings"][0],
        "The language model was asked for Spanish and wrote in English."
    );
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
fn a_request_about_the_whole_gets_as_many_sentences_as_it_asks_for_and_always_an_answer() {
    let store = InMemory::default();
    let model = Scripted::new([
        r#"{"passages": [1], "answer": "Thomas Reed built the mill in 1742. It grinds the wheat of the valley. It is old."}"#,
        r#"{"passages": [1], "answer": "Henry Miller built the mill in 1950."}"#,
    ]);
    let with = writing(&store, &model);
    data(extract_text(&mut form("pdf", &pdf()), &with).expect("read"));
    let said = ask("Summarise it in two sentences.", &with);
    assert_eq!(
        said["answer"],
        "Thomas Reed built the mill in 1742. It grinds the wheat of the valley."
    );
    // What the model makes up is no answer, but a document always says something of itself.
    let said = ask("What is it about?", &with);
    assert_eq!(
        (&said["origin"], &said["answered"]),
        (&json!("extract"), &json!(true)),
        "{said}"
    );
    assert!(
        said["answer"]
            .as_str()
            .is_some_and(|answer| answer.contains("The mill of Aldebourne was built in 1742")),
        "{said}"
    );
    assert_eq!(said["phrasing"]["used"], false);
}
