//! Questions that people ask, about a receipt and about a street.

use quartet_api::image::{Area, ColourShare, Kind, Light, Object, PictureFacts, TextLine};

use super::record::{ColouredObject, Record};
use super::*;

pub(super) fn record() -> Record {
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
        kind: Some(Kind {
            name: "photo".to_owned(),
            confidence: 0.9,
        }),
        tags: Vec::new(),
        description: Some("This is a photo.".to_owned()),
    }
}

fn receipt() -> Record {
    let rows: [&[&str]; 10] = [
        &["CAFE CENTRAL"],
        &["Tel. 030 1234567"],
        &["2026-03-14 12:30"],
        &["Espresso", "2.40"],
        &["Croissant", "3.10"],
        &["Subtotal", "5.50"],
        &["VAT 10%", "0.55"],
        &["TOTAL", "€6.05"],
        &["Cash", "10.00"],
        &["Change", "3.95"],
    ];
    let mut lines = Vec::new();
    for (row, cells) in rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            lines.push(TextLine {
                text: (*cell).to_owned(),
                confidence: 0.98,
                area: Area {
                    x: 20 + 300 * column as u32,
                    y: 30 * row as u32,
                    width: 100,
                    height: if row == 0 { 40 } else { 20 },
                },
                angle: 0.0,
                block: 1,
                row: row as u32,
            });
        }
    }
    Record {
        lines: Some(lines),
        ..record()
    }
}

fn street() -> Record {
    let seen = |label: &str, x: u32, colour: &str| ColouredObject {
        object: Object {
            label: label.to_owned(),
            confidence: 0.8,
            area: Area {
                x,
                y: 700,
                width: 80,
                height: 100,
            },
            name: None,
        },
        colour: Some(colour.to_owned()),
    };
    Record {
        objects: Some(vec![
            seen("person", 20, "black"),
            seen("person", 300, "blue"),
            seen("car", 500, "red"),
        ]),
        ..record()
    }
}

fn check(record: &Record, question: &str, part: &str, evidence: usize) {
    let answer = answer(record, question);
    assert!(answer.text.contains(part), "{question}: {}", answer.text);
    assert!(answer.answered, "{question}: {}", answer.text);
    assert_eq!(answer.evidence.len(), evidence, "{question}: {:?}", answer.evidence);
}

fn refuse(record: &Record, question: &str, part: &str) {
    let answer = answer(record, question);
    assert!(
        !answer.answered && answer.evidence.is_empty(),
        "{question}: {}",
        answer.text
    );
    assert!(answer.text.contains(part), "{question}: {}", answer.text);
}

#[test]
fn a_receipt_answers_for_its_amounts() {
    let receipt = receipt();
    check(&receipt, "What is the total on the receipt?", "6.05 €", 2);
    check(&receipt, "How much do I have to pay?", "6.05", 2);
    check(&receipt, "How much is the espresso?", "2.40", 2);
    check(&receipt, "what does the croissant cost", "3.10", 2);
    check(
        &receipt,
        "What is the sum of the espresso and the croissant?",
        "2.40 + 3.10 = 5.50",
        4,
    );
    check(
        &receipt,
        "How much more is the croissant than the espresso?",
        "3.10 - 2.40 = 0.70",
        4,
    );
    check(&receipt, "How much VAT?", "0.55", 2);
    check(&receipt, "what is the subtotal?", "5.50", 2);
    check(&receipt, "How much change was there?", "3.95", 2);
}

#[test]
fn a_text_answers_for_its_words() {
    let receipt = receipt();
    check(&receipt, "What does it say?", "CAFE CENTRAL\n", 17);
    check(&receipt, "What is the phone number?", "030 1234567", 1);
    check(&receipt, "What is the date?", "2026-03-14", 1);
    check(&receipt, "What is the title?", "CAFE CENTRAL", 1);
    check(&receipt, "Cash?", "Cash / 10.00", 2);
    refuse(&receipt, "What is the email address?", "No e-mail address");
    refuse(&street(), "What does the sign say?", "No text was found");
    refuse(&street(), "what is the total?", "No total");
}

#[test]
fn things_are_counted_placed_and_coloured() {
    let street = street();
    check(
        &street,
        "How many people are in the picture?",
        "Two people were found",
        2,
    );
    check(
        &street,
        "How many people and cars are there?",
        "Two people and one car were found, 3 together",
        3,
    );
    check(&street, "How many dogs?", "No dogs were found", 0);
    check(&street, "What colour is the car?", "mostly red", 1);
    check(&street, "Where is the car?", "at the lower right", 1);
    check(&street, "Is there a cat?", "No, no cat", 1);
    check(&street, "Can you see a woman?", "Yes, two people", 2);
    refuse(&street, "What colour is the dog?", "No dog was found");
    refuse(&street, "What colour is the roof?", "does not know");
}

#[test]
fn the_whole_answers_for_itself() {
    let record = record();
    check(&record, "Describe the picture", "This is a photo.", 1);
    check(&record, "What is in the image?", "This is a photo.", 1);
    check(&record, "How large is it?", "600 × 900", 1);
    check(&record, "Is it dark?", "bright", 1);
    check(&record, "What are the main colours?", "white (80 %)", 1);
    check(&record, "What kind of picture is it?", "photo", 1);
}

#[test]
fn what_nothing_answers_is_said_so() {
    refuse(&street(), "Who painted this?", "Nothing that was found");
    refuse(&receipt(), "Is the waiter friendly?", "lines of text");
    let unread = Record {
        lines: None,
        ..street()
    };
    refuse(&unread, "What does the sign say?", "extract-text");
    let unseen = Record {
        objects: None,
        ..receipt()
    };
    refuse(&unseen, "How many people are there?", "analyze");
}
