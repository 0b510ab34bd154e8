//! Queries about a street and a receipt, answered from their records in several languages.

use quartet_api::Language;
use quartet_api::image::{Area, Object, Tag, TextLine};

use super::engine::answer;
use super::query::{Ask, Query};
use super::record::{ColouredObject, Record};
use super::tests::record;
use super::understand::Understanding;
use crate::words::Words;
use quartet_llm_client::scripted::Scripted;

fn seen(label: &str, name: Option<&str>, confidence: f32, place: [u32; 4], colour: &str) -> ColouredObject {
    let [x, y, width, height] = place;
    ColouredObject {
        object: Object {
            label: label.to_owned(),
            confidence,
            area: Area { x, y, width, height },
            name: name.map(str::to_owned),
        },
        colour: Some(colour.to_owned()),
    }
}

fn meadow() -> Record {
    Record {
        objects: Some(vec![
            seen("horse", None, 0.8, [200, 300, 200, 250], "white"),
            seen("dog", Some("Border collie"), 0.7, [20, 700, 80, 100], "black"),
            seen("bird", None, 0.42, [500, 20, 40, 40], "grey"),
        ]),
        ..record()
    }
}

fn line(text: &str, row: u32) -> TextLine {
    TextLine {
        text: text.to_owned(),
        confidence: 0.98,
        area: Area {
            x: 20,
            y: 30 * row,
            width: 100,
            height: 20,
        },
        angle: 0.0,
        block: 1,
        row,
    }
}

fn receipt() -> Record {
    let rows = [
        "RECEIPT",
        "PERNIAGAAN ZHENG HUI SDN BHD",
        "NO. 59 JALAN PERMAS 9/5",
        "81750 JOHOR BAHRU",
        "TEL: 07-386 7524",
        "12/02/2018 14:20",
        "Milk 2.40",
        "Brown bread 3.10",
        "SUBTOTAL 5.50",
        "GST 6% 0.33",
        "TOTAL 5.83",
        "CASH 10.00",
    ];
    let lines = rows.iter().zip(0..).map(|(text, row)| line(text, row));
    Record {
        lines: Some(lines.collect()),
        ..record()
    }
}

/// Answer in a language; a model would pick these rows.
fn ask(
    record: &Record,
    language: Language,
    ask: Ask,
    things: &[&str],
    question: &str,
    picked: &[usize],
) -> (String, bool) {
    let query = Query {
        ask,
        things: things.iter().map(|thing| (*thing).to_owned()).collect(),
    };
    let answer = answer(record, &query, question, &Words::of(language), &|_| picked.to_vec());
    assert_eq!(answer.evidence.is_empty(), !answer.answered, "{}", answer.text);
    (answer.text, answer.answered)
}

fn said(record: &Record, language: Language, kind: Ask, things: &[&str]) -> String {
    let (text, answered) = ask(record, language, kind, things, "", &[]);
    assert!(answered, "{text}");
    text
}

#[test]
fn things_are_counted_placed_and_coloured_in_the_language() {
    use Language::{Arabic, Chinese, English, German, Korean, Russian};
    let meadow = meadow();
    assert_eq!(
        said(&meadow, German, Ask::Count, &["dog"]),
        "Das Bild zeigt einen Hund."
    );
    assert_eq!(
        said(&meadow, English, Ask::Count, &["animal"]),
        "There are a horse, a dog and a bird in the picture, 3 in all."
    );
    assert_eq!(
        said(&meadow, Russian, Ask::Count, &["cat"]),
        "На изображении не найдено кошек."
    );
    assert_eq!(
        said(&meadow, German, Ask::Count, &["horse", "dog"]),
        "Das Bild zeigt ein Pferd und einen Hund, zusammen 2."
    );
    assert_eq!(said(&meadow, Chinese, Ask::Where, &["dog"]), "狗在左下。");
    assert_eq!(said(&meadow, Korean, Ask::Colour, &["horse"]), "말은 주로 흰색입니다.");
    assert_eq!(
        said(&meadow, German, Ask::Largest, &[]),
        "Als Größtes sieht man ein Pferd in der Mitte."
    );
    assert_eq!(
        said(&meadow, English, Ask::Exists, &["horse"]),
        "Yes, there is a horse in the middle."
    );
    assert_eq!(
        said(&meadow, Arabic, Ask::Exists, &["cat"]),
        "لا، لم يُعثر في الصورة على قطة."
    );
    assert_eq!(
        said(&meadow, English, Ask::Exists, &["bird"]),
        "Yes, perhaps there is a bird at the upper right, but that is not certain."
    );
    assert_eq!(
        said(&meadow, German, Ask::List, &["animal"]),
        "Das Bild zeigt ein Pferd in der Mitte und einen Hund unten links. Vielleicht sieht man auch einen Vogel oben rechts, \
         sicher ist das nicht."
    );
}

#[test]
fn several_things_of_a_kind_are_told_apart_by_their_places() {
    use Language::{Arabic, English, Russian};
    let mut meadow = meadow();
    let objects = meadow.objects.as_mut().unwrap();
    objects.push(seen("dog", None, 0.9, [300, 700, 80, 100], "brown"));
    assert_eq!(
        said(&meadow, English, Ask::Count, &["dog"]),
        "There are two dogs in the picture."
    );
    assert_eq!(
        said(&meadow, English, Ask::Colour, &["dog"]),
        "The dog (at the lower left) is mostly black. The dog (at the bottom) is mostly brown."
    );
    assert_eq!(
        said(&meadow, Russian, Ask::Exists, &["dog"]),
        "Да, есть две собаки (слева внизу и внизу)."
    );
    assert_eq!(
        said(&meadow, Arabic, Ask::Count, &["animal"]),
        "في الصورة حصان وكلبان وطائر، والمجموع 4."
    );
    assert_eq!(said(&meadow, Arabic, Ask::Colour, &[]), "اللون الرئيسي هو أبيض.");
}

#[test]
fn near_misses_are_not_told_as_hits() {
    let meadow = meadow();
    let refused = |kind, things: &[&str]| {
        let (text, answered) = ask(&meadow, Language::English, kind, things, "", &[]);
        assert!(!answered, "{text}");
        text
    };
    assert!(refused(Ask::Exists, &["roof"]).contains("not recognised"));
    assert!(refused(Ask::Colour, &["roof"]).contains("not recognised"));
    assert!(refused(Ask::Where, &["cat"]).contains("No cats were found"));
    assert!(refused(Ask::Exists, &["penguin"]).contains("cannot be told"));
    assert!(refused(Ask::Other, &["name"]).contains("Nothing that was found"));
    assert!(refused(Ask::Total, &[]).contains("No text"));
    assert_eq!(
        said(&meadow, Language::English, Ask::Exists, &["collie"]),
        "Yes, there is a dog (Border collie) at the lower left."
    );
}

#[test]
fn a_mistaken_name_is_put_right_by_the_question_itself() {
    let (text, _) = ask(
        &meadow(),
        Language::Arabic,
        Ask::Count,
        &["cat"],
        "كم كلبا في الصورة؟",
        &[],
    );
    assert!(text.contains("كلب") && !text.contains("قطة"), "{text}");
}

#[test]
fn a_thing_close_up_is_known_by_the_whole_picture() {
    let apple = Record {
        tags: vec![Tag {
            label: "Granny Smith".to_owned(),
            confidence: 0.8,
        }],
        ..record()
    };
    let text = said(&apple, Language::German, Ask::List, &["fruit"]);
    assert_eq!(text, "Als Ganzes zeigt es vermutlich einen Apfel.");
    assert!(said(&apple, Language::Spanish, Ask::Count, &["apple"]).contains("una manzana"));
    assert!(said(&apple, Language::English, Ask::Exists, &["banana"]).starts_with("No"));
}

#[test]
fn a_receipt_answers_for_its_fields() {
    use Language::{English, French, German, Japanese, Portuguese};
    let receipt = receipt();
    assert_eq!(
        said(&receipt, Japanese, Ask::Total, &[]),
        "合計は5.83です（「TOTAL 5.83」）。"
    );
    assert_eq!(said(&receipt, German, Ask::Price, &["tax"]), "0.33 („GST 6% 0.33“).");
    assert_eq!(
        said(&receipt, English, Ask::Price, &["subtotal"]),
        "5.50 (“SUBTOTAL 5.50”)."
    );
    assert_eq!(
        said(&receipt, English, Ask::Price, &["brown bread"]),
        "3.10 (“Brown bread 3.10”)."
    );
    assert!(said(&receipt, French, Ask::Date, &[]).contains("12/02/2018"));
    assert_eq!(
        said(&receipt, English, Ask::Shop, &[]),
        "The text reads: “PERNIAGAAN ZHENG HUI SDN BHD”."
    );
    assert_eq!(
        said(&receipt, Portuguese, Ask::Address, &[]),
        "O texto diz: “NO. 59 JALAN PERMAS 9/5 / 81750 JOHOR BAHRU”."
    );
    assert!(said(&receipt, English, Ask::Phone, &[]).contains("07-386 7524"));
    // Nothing has the item's name: a model picks the one row, or none.
    let coffee = |picked: &[usize]| {
        ask(
            &receipt,
            German,
            Ask::Price,
            &["coffee"],
            "Was kostet der Kaffee?",
            picked,
        )
    };
    assert!(!coffee(&[]).1 && !coffee(&[0, 1]).1);
    let who = ask(&receipt, English, Ask::Other, &["owner"], "Who owns it?", &[1]);
    assert_eq!(who.0, "The text reads: “PERNIAGAAN ZHENG HUI SDN BHD”.");
}

#[test]
fn the_names_of_things_tell_the_language_of_a_short_question() {
    let query = r#"{"ask": "count", "of": ["horse"]}"#;
    let model = Scripted::new([query, query]);
    let understanding = Understanding {
        model: &model,
        milliseconds_left: &|| 9_000,
    };
    let asked = |message, detected| super::answer_understood(&meadow(), message, detected, Some(&understanding)).text;
    assert_eq!(
        asked("Quanti cavalli?", Language::Spanish),
        "C’è un cavallo nell’immagine."
    );
    // A script of its own is certain.
    assert_eq!(
        asked("Сколько лошадей?", Language::Russian),
        "На изображении — одна лошадь."
    );
}
