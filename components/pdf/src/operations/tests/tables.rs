//! Questions about tables.

use quartet_component_sdk::uploads::InMemory;
use quartet_grounding::Writer;
use quartet_llm_client::scripted::Scripted;
use serde_json::{Value, json};

use super::*;

const YES: &str = r#"{"answered": "yes"}"#;
const NO: &str = r#"{"answered": "no"}"#;

const ORDERS: &str = "Order,Customer,Total,Status\n1001,Bakery Lindt,74.00,paid\n1002,Cafe Mokka,170.40,paid\n\
    1003,Hotel Sonne,405.00,open\n";

/// The answer of a model with these replies, and how often it was asked.
fn answer(name: &str, file: &str, message: &str, replies: &[&str], probability: Option<f32>) -> (Value, usize) {
    let store = InMemory::default();
    let mut model = Scripted::new(replies.iter().copied());
    model.probability = probability;
    let with = Context {
        writer: Some(Writer {
            model: &model,
            milliseconds_left: &|| 25_000,
        }),
        ..context(&store)
    };
    let head = format!("--b\r\ncontent-disposition: form-data; name=\"pdf\"; filename=\"{name}\"\r\n\r\n");
    let body = format!("{head}{file}\r\n--b--\r\n").into_bytes();
    let upload = &mut request("multipart/form-data; boundary=b", "mine", body);
    data(extract_text(upload, &with).expect("read"));
    let answer = data(chat(&mut question("mine", &json!({ "message": message })), &with).expect("answered"));
    let asked = model.asked.borrow().len();
    (answer, asked)
}

#[test]
fn a_query_of_the_model_is_computed() {
    let sql = "SELECT SUM(`Total`) FROM t1 WHERE `Status` = 'paid'";
    let query = json!(sql).to_string();
    let message = "How much was paid in total?";
    let (said, asked) = answer("orders.csv", ORDERS, message, &[&query, YES], Some(0.9));
    assert_eq!(said["answer"], "Sum of Total: 244.40 (2 rows; Status = paid)", "{said}");
    assert_eq!(
        (&said["origin"], &said["answered"], &said["query"]),
        (&json!("table"), &json!(true), &json!(sql))
    );
    assert_eq!(said["citations"][1]["quote"], "1002 Cafe Mokka 170.40 paid");
    assert_eq!((said["phrasing"]["used"].clone(), asked), (json!(false), 2));
}

#[test]
fn a_query_that_is_not_sure_or_leaves_something_out_is_not_used() {
    let query = json!("SELECT `Total` FROM t1 WHERE `Order` = 1003").to_string();
    let all = json!("SELECT SUM(`Total`) FROM t1").to_string();
    let none = json!("NONE").to_string();
    for (message, replies, probability) in [
        ("What is the discount of order 1003?", [&*query, NO], 0.95),
        ("What is the total of order 1003?", [&*query, YES], 0.2),
        ("What did Cafe Mokka pay?", [&*all, YES], 0.95),
        ("Who is the supplier?", [&*none, NO], 0.95),
    ] {
        let (said, _) = answer("orders.csv", ORDERS, message, &replies, Some(probability));
        assert_ne!(said["origin"], "table", "{message}: {said}");
        assert!(said["query"].is_null(), "{message}: {said}");
    }
}

#[test]
fn a_row_without_its_columns_is_not_taken_for_what_is_asked() {
    let none = json!("NONE").to_string();
    let invented = r#"{"passage": 1, "answer": "The telephone number of Cafe Mokka is 1002."}"#;
    let message = "What is the telephone number of Cafe Mokka?";
    let (said, _) = answer("orders.csv", ORDERS, message, &[&none, invented, YES], Some(0.9));
    assert_eq!(said["answered"], false, "{said}");
    let text = said["answer"].as_str().expect("an answer");
    assert!(!text.contains("is 1002."), "{said}");
}

#[test]
fn a_table_beside_text_is_asked_after_the_text() {
    let prose = "The bakery wrote this letter to all of its customers, who may read in it what they ordered, and when they have to \
                 pay for it. It is sent once in each month of the year, and nobody has to answer it by any means.";
    let file = format!("# Letter\n\n{prose}\n\n| Order | Total |\n|---|---|\n| Flour | 74.00 |\n| Sugar | 58.80 |\n");
    let query = json!("SELECT `Order` FROM t1 ORDER BY `Total` DESC LIMIT 1").to_string();
    let unseen = r#"{"passage": 0, "answer": ""}"#;
    // The model sees no answer in the text, is not sure of a sentence, and writes a query in the end.
    let message = "Which order is the largest?";
    let (said, _) = answer("letter.md", &file, message, &[unseen, NO, &query, YES], None);
    assert_eq!(
        (&said["origin"], &said["answer"]),
        (&json!("table"), &json!("Order: Flour (Total: 74.00)")),
        "{said}"
    );
}
