//! Requests and their answers.

use std::io::Cursor;
use std::rc::Rc;

use jiff::civil::date;
use quartet_api::Code;
use quartet_api::session::{CLIENT_HEADER, SESSION_HEADER};
use quartet_component_sdk::Body;
use quartet_component_sdk::ResponseTime;
use quartet_component_sdk::uploads::InMemory;
use quartet_llm_client::scripted::Scripted;
use quartet_llm_client::{Finish, Role};
use serde_json::{Value, json};

use super::*;
use crate::search::Settings;
use crate::web::tests::{FakeClock, FakeWeb};

fn context(answers: &[&'static str]) -> (Context, Rc<Scripted>) {
    let model = Rc::new(Scripted::new(answers.iter().copied()));
    let context = Context {
        model: Rc::clone(&model) as _,
        store: Rc::new(InMemory::default()),
        web: Rc::new(FakeWeb::default()),
        clock: Rc::new(FakeClock::default()),
        now: Some(date(2026, 11, 21).at(13, 45, 0, 0)),
        random: || [7; 16],
        search: Settings::Off,
        response_time: ResponseTime::of(|_| None),
    };
    (context, model)
}

fn request(headers: &[(&str, &str)], body: &Value) -> Request {
    let json = ("content-type", "application/json");
    let headers = std::iter::once(&json)
        .chain(headers)
        .map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec()));
    Request {
        method: "POST".to_owned(),
        path: "/".to_owned(),
        secure: false,
        headers: headers.collect(),
        body: Box::new(Cursor::new(body.to_string().into_bytes())),
    }
}

fn data(response: Response) -> Value {
    let Body::Whole(bytes) = response.body else {
        panic!("streamed")
    };
    serde_json::from_slice::<Value>(&bytes).unwrap()["data"].take()
}

fn ask(context: &Context, headers: &[(&str, &str)], body: &Value) -> Value {
    data(
        chat(&mut request(headers, body), context)
            .map_err(|failure| failure.message)
            .unwrap(),
    )
}

fn failed(operation: Operation, context: &Context, headers: &[(&str, &str)], body: &Value) -> Failure {
    operation(&mut request(headers, body), context)
        .err()
        .expect("a failure")
}

const MINE: (&str, &str) = (SESSION_HEADER, "mine-and-no-others");

#[test]
fn every_wrong_field_has_its_own_answer() {
    let (context, _) = context(&[]);
    let turn = json!({"role": "user", "content": "x"});
    for (body, code, part) in [
        (json!({}), Code::MissingField, "`message`"),
        (json!({"message": " \n"}), Code::InvalidField, "empty"),
        (json!({"message": 5}), Code::InvalidField, "`message`"),
        (
            json!({"message": "x", "mode": "poetic"}),
            Code::InvalidField,
            "general, concise, detailed",
        ),
        (
            json!({"message": "x", "useSearch": "yes"}),
            Code::InvalidField,
            "`useSearch`",
        ),
        (
            json!({"message": "x", "messages": "none"}),
            Code::InvalidField,
            "`messages`",
        ),
        (
            json!({"message": "x", "messages": [{"role": "system", "content": "x"}]}),
            Code::InvalidField,
            "user, assistant or tool",
        ),
        (
            json!({"message": "x", "messages": [{"role": "user"}]}),
            Code::MissingField,
            "content",
        ),
        (
            json!({"message": "x", "messages": vec![turn.clone(); 101]}),
            Code::InvalidField,
            "up to 100",
        ),
        (
            json!({"message": "x", "messages": [turn], "conversationId": "x"}),
            Code::InvalidField,
            "`messages`",
        ),
        (
            json!({"message": "x", "conversationId": "x"}),
            Code::UnknownConversation,
            "conversationId",
        ),
    ] {
        let failure = failed(chat, &context, &[MINE], &body);
        assert_eq!(failure.code, code, "{body}: {}", failure.message);
        assert!(failure.message.contains(part), "{body}: {}", failure.message);
    }
}

#[test]
fn instructions_reach_the_model_and_stay_within_bounds() {
    let (context, model) = context(&["Arr.", "Arr."]);
    let ask_with = |instructions: &str| {
        let body = json!({"message": "Who are you?", "messages": [], "instructions": instructions});
        ask(&context, &[], &body)
    };
    let system = |question: usize| model.asked.borrow()[question][0].text.clone();
    let answer = ask_with(" Speak like a pirate. ");
    assert!(system(0).ends_with("\n\nSpeak like a pirate."), "{}", system(0));
    assert_eq!(answer["notes"], json!([]));
    let answer = ask_with(&"Speak like a pirate. ".repeat(200));
    assert!(system(1).chars().count() < 2_400);
    assert!(
        answer["notes"][0].as_str().unwrap().contains("instructions"),
        "{answer}"
    );
}

#[test]
fn a_conversation_goes_on_until_it_is_forgotten_and_nobody_else_has_it() {
    let (context, model) = context(&["Hello Ada.", "Your name is Ada.", "I do not know."]);
    let first = ask(&context, &[MINE], &json!({"message": "Hello, my name is Ada."}));
    let id = first["conversationId"].as_str().unwrap();
    let second = ask(&context, &[MINE], &json!({"message": "What did I say my name was?"}));
    assert_eq!(second["conversationId"], id);
    let texts: Vec<_> = model.asked.borrow()[1][1..]
        .iter()
        .map(|turn| turn.text.clone())
        .collect();
    assert_eq!(
        texts,
        ["Hello, my name is Ada.", "Hello Ada.", "What did I say my name was?"]
    );

    let other = [(SESSION_HEADER, "other-and-not-mine")];
    let named = json!({"message": "x", "conversationId": id});
    assert_eq!(failed(chat, &context, &other, &named).code, Code::UnknownConversation);
    let forget_it = json!({"conversationId": id});
    assert_eq!(
        failed(forget, &context, &other, &forget_it).code,
        Code::UnknownConversation
    );
    let key = [(CLIENT_HEADER, "key/1f"), MINE];
    assert_eq!(failed(chat, &context, &key, &named).code, Code::UnknownConversation);

    assert_eq!(
        data(forget(&mut request(&[MINE], &json!({})), &context).unwrap())["conversationId"],
        id
    );
    assert_eq!(failed(chat, &context, &[MINE], &named).code, Code::UnknownConversation);
    assert_eq!(
        failed(forget, &context, &[MINE], &forget_it).code,
        Code::UnknownConversation
    );
    // The session begins anew, without what was said.
    ask(&context, &[MINE], &json!({"message": "And what is my name?"}));
    assert_eq!(model.asked.borrow()[2].len(), 2);
}

#[test]
fn an_address_is_no_conversation() {
    let (context, model) = context(&["Hello Ada.", "I do not know."]);
    let address = [(CLIENT_HEADER, "address/127.0.0.1")];
    ask(&context, &address, &json!({"message": "Hello, my name is Ada."}));
    ask(&context, &address, &json!({"message": "What is my name?"}));
    assert_eq!(model.asked.borrow()[1].len(), 2);
}

#[test]
fn a_conversation_has_an_end_to_what_it_remembers() {
    let (context, _) = context(&[]);
    for _ in 0..20 {
        ask(&context, &[MINE], &json!({"message": "What is 2 + 2?"}));
    }
    let (_, kept): (_, conversation::Conversation) = context
        .conversations()
        .recall(
            &quartet_component_sdk::Session::of(&request(&[MINE], &json!({}))).unwrap(),
            None,
        )
        .unwrap();
    assert_eq!(kept.turns.len(), 12);
    assert_eq!(
        (kept.turns[0].role.as_str(), kept.turns[11].role.as_str()),
        ("user", "assistant")
    );
}

#[test]
fn a_client_may_keep_its_own_history() {
    let (context, model) = context(&["Rome."]);
    let turns = json!([
        {"role": "user", "content": "What is the capital of France?"},
        {"role": "assistant", "content": "Paris."},
    ]);
    let answer = ask(
        &context,
        &[],
        &json!({"message": "And what about Italy?", "messages": turns}),
    );
    assert_eq!(answer["conversationId"], Value::Null);
    assert_eq!(model.asked.borrow()[0].len(), 4);
    assert_eq!(failed(forget, &context, &[], &json!({})).code, Code::NoUpload);
}

#[test]
fn a_long_message_is_cut_with_a_note() {
    let (context, model) = context(&["Long."]);
    let message = "This sentence says nothing. ".repeat(400);
    let answer = ask(&context, &[MINE], &json!({"message": message}));
    assert!(
        answer["notes"][0].as_str().unwrap().contains("6000 characters"),
        "{answer}"
    );
    let shown = model.asked.borrow()[0].last().unwrap().text.clone();
    assert!(shown.len() <= 6_000 && shown.ends_with("nothing."), "{}", shown.len());
}

/// The events of a streamed answer: names and data.
fn events(response: Response) -> Vec<(String, Value)> {
    assert!(
        response
            .headers
            .contains(&("content-type", "text/event-stream".to_owned()))
    );
    let Body::Written(write) = response.body else {
        panic!("not streamed")
    };
    let mut bytes = Vec::new();
    write(&mut bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let events = text.split_terminator("\n\n").map(|event| {
        let (name, data) = event.split_once('\n').unwrap();
        let data = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        (name.strip_prefix("event: ").unwrap().to_owned(), data)
    });
    events.collect()
}

const EVENTS: (&str, &str) = ("accept", "text/event-stream");

#[test]
fn tokens_stream_and_the_last_event_has_it_all() {
    let (context, model) = context(&["\"none\"", "One\ntwo three."]);
    let mut sent = request(&[EVENTS], &json!({"message": "Count to three, please."}));
    let response = chat(&mut sent, &context).unwrap();
    let cookie = response
        .headers
        .iter()
        .find(|(name, _)| *name == "set-cookie")
        .unwrap()
        .1
        .clone();
    let events = events(response);
    let (name, last) = events.last().unwrap();
    assert_eq!(name, "done");
    assert_eq!(last["success"], true);
    let pieces: String = events[..events.len() - 1]
        .iter()
        .map(|(name, data)| {
            assert_eq!(name, "token");
            data["text"].as_str().unwrap()
        })
        .collect();
    assert_eq!(last["data"]["answer"], pieces.as_str());
    assert!(events.len() >= 3);
    assert_eq!(model.options.borrow()[1].max_milliseconds, Some(180_000));
    // What was streamed is remembered as well.
    let pair = cookie.split(';').next().unwrap();
    let next = ask(&context, &[("cookie", pair)], &json!({"message": "What is 1 + 1?"}));
    assert_eq!(next["conversationId"], last["data"]["conversationId"]);
}

#[test]
fn a_failure_on_the_way_is_an_event_and_one_before_it_a_status() {
    let (context, _) = context(&[]);
    let mut sent = request(&[EVENTS], &json!({"message": "Tell me a story, please."}));
    let events = events(chat(&mut sent, &context).unwrap());
    let [(name, data)] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!(
        (name.as_str(), data["success"].as_bool(), data["code"].as_str()),
        ("error", Some(false), Some("unavailable"))
    );
    assert_eq!(
        failed(chat, &context, &[EVENTS], &json!({"message": ""})).code,
        Code::InvalidField
    );
}

#[test]
fn info_says_what_there_is() {
    let (with, _) = context(&["x"]);
    let said = data(info(&mut request(&[], &json!({})), &with).unwrap());
    assert_eq!(
        (said["model"]["name"].as_str(), said["search"].as_str()),
        (Some("scripted"), Some("off"))
    );
    assert_eq!(said["modes"], json!(["general", "concise", "detailed"]));
    let (without, _) = context(&[]);
    let said = data(info(&mut request(&[], &json!({})), &without).unwrap());
    assert_eq!(said["model"], Value::Null);
    assert!(said["modelProblem"].as_str().unwrap().contains("scripted"));
}

fn with_tools(more: &Value) -> Value {
    let city = json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
    let mut body = json!({
        "message": "Do I need an umbrella in Paris? Also, what is 2 + 2?",
        "messages": [],
        "tools": [{"name": "weather", "description": "Says how the weather is.", "parameters": city}, {"name": "now"}],
    });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

#[test]
fn tools_are_called_and_their_results_answered_in_words() {
    let choice = r#"{"functions": ["weather"]}"#;
    let (context, model) = context(&[
        choice,
        r#"{"city":"Paris"}"#,
        r#"{"functions": []}"#,
        "It rains, so yes.",
    ]);
    let first = ask(&context, &[], &with_tools(&json!({})));
    assert_eq!((&first["answer"], &first["origin"]), (&json!(""), &json!("model")));
    assert_eq!(first["conversationId"], Value::Null);
    let call = &first["toolCalls"][0];
    assert_eq!(
        (&call["name"], &call["arguments"]),
        (&json!("weather"), &json!({"city": "Paris"}))
    );
    assert!(first["usage"]["answerTokens"].as_u64() > Some(1), "{first}");
    let turns = json!([
        {"role": "user", "content": "Do I need an umbrella in Paris? Also, what is 2 + 2?"},
        {"role": "assistant", "content": "", "toolCalls": first["toolCalls"]},
        {"role": "tool", "toolCallId": call["id"], "content": "{\"rain\": true}"},
    ]);
    let second = ask(&context, &[], &with_tools(&json!({"message": "", "messages": turns})));
    assert_eq!(second["answer"], "It rains, so yes.");
    assert_eq!(
        (&second["toolCalls"], &second["finish"]),
        (&Value::Null, &json!("stop"))
    );
    let asked = model.asked.borrow();
    let texts = |number: usize| asked[number].iter().map(|turn| turn.text.as_str()).collect::<Vec<_>>();
    // What was said in the first request stands in the second as it was.
    assert_eq!(texts(2)[..texts(1).len()], texts(1));
    assert_eq!(
        texts(2)[texts(1).len()..],
        [
            r#"{"city":"Paris"}"#,
            "<tool_response>\n{\"rain\": true}\n</tool_response>"
        ]
    );
    let options = model.options.borrow();
    assert!(
        options[0]
            .json_schema
            .as_ref()
            .unwrap()
            .contains(r#""enum":["weather","now"]"#)
    );
    assert!(options[1].json_schema.as_ref().unwrap().contains("city"));
    assert_eq!(options[3].json_schema, None);
}

#[test]
fn a_function_that_nobody_asks_for_is_not_called() {
    let (mut context, _) = context(&[]);
    let mut model = Scripted::new([
        r#"{"functions": ["weather"]}"#,
        r#"{"call": "no"}"#,
        "A joke about rain.",
        r#"{"functions": ["weather"]}"#,
        r#"{"call": "no"}"#,
    ]);
    model.probability = Some(0.9);
    context.model = Rc::new(model);
    let answer = ask(&context, &[], &with_tools(&json!({"message": "Tell me a joke"})));
    assert_eq!(
        (&answer["answer"], &answer["toolCalls"]),
        (&json!("A joke about rain."), &Value::Null)
    );
    // What is certain is computed.
    let answer = ask(&context, &[], &with_tools(&json!({"message": "What is 17 * 23?"})));
    assert_eq!(
        (&answer["answer"], &answer["origin"]),
        (&json!("17 × 23 = 391"), &json!("computation"))
    );
}

#[test]
fn what_is_computed_is_said_as_the_instructions_ask() {
    let said = |reply: &'static str| {
        let (context, _) = context(&[reply]);
        let body =
            json!({"message": "What is 5 plus 7?", "messages": [], "instructions": "Answer only with the number."});
        let answer = ask(&context, &[], &body);
        (
            answer["answer"].clone(),
            answer["origin"].clone(),
            answer["computation"]["result"].clone(),
        )
    };
    assert_eq!(said("12"), (json!("12"), json!("model"), json!("12")));
    // Another figure is not taken.
    assert_eq!(said("13"), (json!("5 + 7 = 12"), json!("computation"), json!("12")));
}

#[test]
fn a_call_that_has_no_end_in_time_is_a_failure() {
    let (mut context, _) = context(&[]);
    let mut model = Scripted::new([r#"{"functions": ["#]);
    model.finish = Finish::Time;
    context.model = Rc::new(model);
    let failure = failed(chat, &context, &[], &with_tools(&json!({})));
    assert_eq!(failure.code, Code::DeadlineExceeded);
}

#[test]
fn results_without_tools_are_answered_in_words_and_no_tools_are_an_ordinary_question() {
    let (context, model) = context(&["It is noon.", "Four."]);
    let call = json!({"id": "1", "name": "now", "arguments": {}});
    let turns = json!([
        {"role": "user", "content": "What time is it?"},
        {"role": "assistant", "content": "Let me see.", "toolCalls": [call]},
        {"role": "tool", "toolCallId": "1", "content": "12:00"},
    ]);
    let answer = ask(&context, &[], &json!({"message": "", "messages": turns}));
    assert_eq!(answer["answer"], "It is noon.");
    let texts: Vec<_> = model.asked.borrow()[0][1..]
        .iter()
        .map(|turn| turn.text.clone())
        .collect();
    assert_eq!(texts[1], "Let me see.\n{\"functions\": [\"now\"]}");
    assert_eq!(texts.len(), 5);
    // Where none may be called, what can be computed is.
    let none = with_tools(&json!({"message": "What is 2 + 2?", "toolChoice": "none"}));
    assert_eq!(ask(&context, &[], &none)["origin"], "computation");
}

#[test]
fn an_answer_goes_on_from_the_assistants_turn() {
    let (context, model) = context(&[" blue cup of tea.", "\n", "x"]);
    let continued = |begun: &str, more: &Value| {
        let mut body = more.clone();
        body["message"] = json!("");
        body["messages"] = json!([
            {"role": "user", "content": "Write about 2 cups."},
            {"role": "assistant", "content": begun},
        ]);
        body
    };
    let answer = ask(&context, &[], &continued("There was a …", &json!({})));
    assert_eq!(
        (&answer["answer"], &answer["origin"]),
        (&json!(" blue cup of tea."), &json!("model"))
    );
    let asked = model.asked.borrow()[0].last().cloned().expect("turns");
    assert_eq!((asked.role, asked.text.as_str()), (Role::Assistant, "There was a"));
    // An answer may be whole, and the client's functions are left alone.
    let whole = ask(
        &context,
        &[],
        &continued("Two.", &json!({"tools": [{"name": "timetable"}]})),
    );
    assert_eq!((&whole["answer"], &whole["finish"]), (&json!(""), &json!("stop")));
    let notes = whole["notes"].to_string();
    assert!(notes.contains("for whole") && notes.contains("Functions"), "{notes}");
    assert!(!model.asked.borrow()[1][0].text.contains("timetable"));
    // What the service itself said is not gone on with: the model knows no more.
    let refusal = crate::messages::messages(quartet_api::Language::English).get("not_looked_up");
    let refused = ask(&context, &[], &continued(refusal, &json!({})));
    assert_eq!((&refused["answer"], &refused["origin"]), (&json!(""), &json!("none")));
    assert_eq!(model.asked.borrow().len(), 2);
    for (more, field) in [
        (json!({"useSearch": true}), "useSearch"),
        (json!({"responseSchema": {"type": "object"}}), "responseSchema"),
        (json!({"tools": [{"name": "now"}], "toolChoice": "now"}), "toolChoice"),
    ] {
        let failure = failed(chat, &context, &[], &continued("There", &more));
        assert!(failure.message.contains(&format!("`{field}`")), "{}", failure.message);
    }
    let alone = json!({"message": "", "messages": [{"role": "assistant", "content": "There"}]});
    assert!(failed(chat, &context, &[], &alone).message.contains("`message`"));
}

#[test]
fn the_rest_of_an_answer_comes_where_nothing_else_is_asked_for() {
    let days: String = (1..20).map(|day| format!("On day {day} the sea was calm. ")).collect();
    let story = format!("Once upon a time. {days}Then she");
    let after = |message: &str| {
        json!({"message": message, "messages": [
            {"role": "user", "content": "A story, please."},
            {"role": "assistant", "content": story},
        ]})
    };
    let (context, model) = context(&[" Then she left.", "", "Which one?", "It is calm."]);
    let rest = ask(&context, &[], &after("weiter"));
    // The language is that of the question, whatever word asks for the rest.
    assert_eq!(
        (&rest["answer"], &rest["language"]),
        (&json!("Then she left."), &json!("en"))
    );
    let begun = model.asked.borrow()[0].last().cloned().expect("turns");
    assert_eq!(begun.role, Role::Assistant);
    assert!(begun.text.ends_with("On day 19 the sea was calm."), "{}", begun.text);
    // What the model takes for whole has no rest: the message is one as any other.
    assert_eq!(ask(&context, &[], &after("go on"))["answer"], "Which one?");
    let roles: Vec<_> = model.asked.borrow()[1..3]
        .iter()
        .map(|turns| turns[turns.len() - 1].role)
        .collect();
    assert_eq!(roles, [Role::Assistant, Role::User]);
    assert_eq!(ask(&context, &[], &after("How is the sea?"))["answer"], "It is calm.");
    assert_eq!(model.asked.borrow()[3].last().map(|turn| turn.role), Some(Role::User));
}

#[test]
fn what_is_wrong_with_tools_is_named() {
    let (context, _) = context(&["x"]);
    let tools = |tool: Value| json!({"tools": [{"name": "a"}, tool]});
    let call = json!({"id": "1", "name": "now", "arguments": {}});
    let long = "x".repeat(65);
    for (more, field) in [
        (tools(json!({"name": "a b"})), "tools[1].name"),
        (tools(json!({"name": ""})), "tools[1].name"),
        (tools(json!({"name": long})), "tools[1].name"),
        (tools(json!({"name": "a"})), "tools[1].name"),
        (tools(json!({"name": "auto"})), "tools[1].name"),
        (tools(json!({"name": "b", "parameters": [1]})), "tools[1].parameters"),
        (
            tools(json!({"name": "b", "parameters": {"type": "string"}})),
            "tools[1].parameters",
        ),
        (
            tools(json!({"name": "b", "parameters": {"description": "x".repeat(17_000)}})),
            "tools[1].parameters",
        ),
        (tools(json!({"name": "b", "description": "x".repeat(70_000)})), "tools"),
        (
            json!({"tools": (0..129).map(|n| json!({"name": format!("f{n}")})).collect::<Vec<_>>()}),
            "tools",
        ),
        (json!({"useSearch": true}), "tools"),
        (json!({"messages": null}), "tools"),
        (json!({"toolChoice": "other"}), "toolChoice"),
        (json!({"tools": [], "toolChoice": "required"}), "toolChoice"),
        (
            json!({"messages": [{"role": "tool", "content": "x", "toolCallId": "1"}]}),
            "messages[0].toolCallId",
        ),
        (
            json!({"messages": [
                {"role": "assistant", "content": "", "toolCalls": [call]}, {"role": "tool", "content": "x", "toolCallId": "2"}]}),
            "messages[1].toolCallId",
        ),
    ] {
        let failure = failed(chat, &context, &[], &with_tools(&more));
        assert!(
            failure.message.contains(&format!("`{field}`")),
            "{field}: {}",
            failure.message
        );
    }
}

#[test]
fn a_schema_that_cannot_be_kept_to_names_its_tool() {
    let choice = Ok(r#"{"functions": ["weather"]}"#.to_owned());
    let refused = Err(quartet_llm_client::ModelError::InvalidInput(
        "Unimplemented keys: [\"not\"]".to_owned(),
    ));
    let model = Rc::new(Scripted::of([choice, refused]));
    let (mut context, _) = context(&[]);
    context.model = model;
    let failure = failed(chat, &context, &[], &with_tools(&json!({})));
    assert!(
        failure.message.contains("`tools[0].parameters`") && failure.message.contains("not"),
        "{}",
        failure.message
    );
}

#[test]
fn a_long_result_is_cut_with_a_note() {
    let (context, model) = context(&["Long."]);
    let call = json!({"id": "1", "name": "now", "arguments": {}});
    let turns = json!([
        {"role": "user", "content": "What time is it?"},
        {"role": "assistant", "content": "", "toolCalls": [call]},
        {"role": "tool", "toolCallId": "1", "content": "é".repeat(9_000)},
    ]);
    let answer = ask(&context, &[], &json!({"message": "", "messages": turns}));
    assert!(answer["notes"][0].as_str().unwrap().contains("6000"), "{answer}");
    let shown = model.asked.borrow()[0].last().unwrap().text.clone();
    assert!(shown.chars().count() < 6_100);
}
