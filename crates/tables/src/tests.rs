//! Queries over a table, from a document to the answer in words.

use quartet_api::Language;
use quartet_text_analysis::{Block, Document, Kind as BlockKind, Page};

use crate::{Query, Table, prompt, schema};

const ORDERS: &str = "Order\tDate\tCustomer\tPrice\tStatus\n\
    1001\t2025-03-02\tBakery Lindt\t€74.00\tpaid\n\
    1002\t2025-03-05\tCafe Mokka\t€170.40\tpaid\n\
    1003\t2025-04-05\tHotel Sonne\t€405.00\topen\n\
    1004\t2025-04-11\tBakery Lindt\t€58.80\topen\n\
    1005\t2025-04-27\tCafe Mokka\t\tcancelled";

fn document(blocks: &[(BlockKind, &str)]) -> Document {
    let blocks = blocks.iter().map(|(kind, text)| Block {
        kind: *kind,
        text: (*text).to_owned(),
    });
    Document {
        pages: vec![Page {
            number: 1,
            blocks: blocks.collect(),
            ..Page::default()
        }],
        ..Document::default()
    }
}

fn tables(text: &str) -> Vec<Table> {
    Table::all_of(&document(&[(BlockKind::Table, text)]), Language::English).0
}

/// The answer to a query in words; nothing where it finds none.
fn answer(sql: &str, language: Language) -> Option<String> {
    let tables = tables(ORDERS);
    let query = Query::parse(sql, &tables).unwrap_or_else(|| panic!("{sql}"));
    Some(query.run(&tables[0])?.text(&query, &tables[0], language))
}

#[test]
fn queries_are_answered_with_what_they_were_computed_of() {
    for (sql, text) in [
        (
            "SELECT `Status` FROM t1 WHERE `Order` = 1003",
            "Status: open (Order: 1003)",
        ),
        ("SELECT `Order` FROM t1 WHERE `Status` = 'OPEN'", "Order: 1003, 1004"),
        (
            "SELECT SUM(`Price`) FROM t1 WHERE `Customer` = 'Bakery Lindt'",
            "Sum of Price: €132.80 (2 rows; Customer = Bakery Lindt)",
        ),
        ("SELECT AVG(`Price`) FROM t1", "Average of Price: €177.05 (5 rows)"),
        ("SELECT COUNT(*) FROM t1 WHERE `Price` > 70", "Rows: 3 (Price > 70)"),
        (
            "SELECT COUNT(*) FROM t1 WHERE `Status` = 'sent'",
            "Rows: 0 (Status = sent)",
        ),
        (
            "SELECT COUNT(DISTINCT `Customer`) FROM t1",
            "Different values of Customer: 3 (5 rows)",
        ),
        (
            "SELECT `Customer` FROM t1 ORDER BY `Price` DESC LIMIT 1",
            "Customer: Hotel Sonne (Order: 1003, Price: €405.00)",
        ),
        (
            "SELECT `Customer`, SUM(`Price`) FROM t1 GROUP BY `Customer` ORDER BY SUM(`Price`) DESC LIMIT 2",
            "Customer: Hotel Sonne; Sum of Price: €405.00\nCustomer: Cafe Mokka; Sum of Price: €170.40",
        ),
        (
            "SELECT DISTINCT `Customer` FROM t1 WHERE `Date` = '2025-03'",
            "Customer: Bakery Lindt, Cafe Mokka",
        ),
        (
            "SELECT MAX(`Date`) FROM t1",
            "Largest value of Date: 2025-04-27 (5 rows)",
        ),
        (
            "SELECT `Order` FROM t1 WHERE `Date` > '2025-03' AND `Status` != 'open' OR `Customer` LIKE '%mokka%'",
            "Order: 1002, 1005",
        ),
    ] {
        assert_eq!(answer(sql, Language::English).as_deref(), Some(text), "{sql}");
    }
    let german = answer("SELECT SUM(`Price`) FROM t1 WHERE `Status` = 'paid'", Language::German);
    assert_eq!(
        german.as_deref(),
        Some("Summe von Price: €244,40 (2 Zeilen; Status = paid)")
    );
    assert_eq!(
        answer("SELECT `Order` FROM t1 WHERE `Status` = 'sent'", Language::English),
        None
    );
    for sql in [
        "SELECT SUM(`Customer`) FROM t1",
        "SELECT `Customer`, SUM(`Price`) FROM t1",
        "SELECT `Order`, COUNT(*) FROM t1 GROUP BY `Customer`",
    ] {
        assert_eq!(answer(sql, Language::English), None, "{sql}");
    }
    let largest = answer("SELECT `Customer`, MAX(`Price`) FROM t1", Language::English);
    assert!(largest.is_some_and(|text| text.contains("Hotel Sonne") && text.contains("€405.00")));
}

#[test]
fn what_is_no_query_is_none() {
    let tables = tables(ORDERS);
    for text in [
        "NONE",
        "",
        "SELECT `Colour` FROM t1",
        "SELECT `Order` FROM t2",
        "SELECT `Order` FROM orders",
        "SELECT `Order` FROM t1 WHERE `Order` = ",
        "SELECT `Order` FROM t1 WHERE `Status` = 'open",
        "SELECT `Order` FROM t1; DROP TABLE t1",
        "SELECT `Order` FROM t1 LIMIT 99999999999999999999999",
    ] {
        assert_eq!(Query::parse(text, &tables), None, "{text}");
    }
    // As other models write it.
    assert!(Query::parse("select Order, \"Customer\" from T1 where Status <> 'it''s';", &tables).is_some());
}

#[test]
fn headers_are_told_from_rows() {
    for (text, columns) in [
        ("Name\tBorn\nAda\t1950\nTom\t1960", Some(2)),
        ("Report of May\nName\tBorn\nAda\t1950\nTom\t1960", Some(2)),
        ("Country\t1990\t2000\nChad\t1\t2\nMali\t3\t4", Some(3)),
        ("Ada\t1950\nTom\t1960\nEva\t1970", None),
        ("Name\tBorn\nAda\t1950", None),
        ("One\nTwo\nThree", None),
    ] {
        let found = tables(text).first().map(|table| table.columns.len());
        assert_eq!(found, columns, "{text}");
    }
}

#[test]
fn rows_of_sums_are_not_counted_twice() {
    let with_sums = "Item\tPrice\nBread\t3\nMilk\t1\nTea\t5\nTotal\t9";
    assert_eq!(tables(with_sums)[0].row_count(), 3);
    assert_eq!(
        tables("Item\tPrice\nBread\t3\nMilk\t1\nTea\t5\nRice\t8")[0].row_count(),
        4
    );
}

#[test]
fn a_long_table_in_several_blocks_is_one() {
    let blocks = [
        (BlockKind::Heading, "Guests"),
        (BlockKind::Table, "Name\tAge\nAda\t30\nTom\t40"),
        (BlockKind::Table, "Eva\t50\nMax\t60"),
        (BlockKind::Paragraph, "All of them came."),
        (BlockKind::Table, "Room\tBeds\nBlue\t2\nRed\t3"),
    ];
    let (tables, share) = Table::all_of(&document(&blocks), Language::English);
    let counts: Vec<_> = tables
        .iter()
        .map(|table| (table.name.as_deref(), table.row_count()))
        .collect();
    assert_eq!(counts, [(Some("Guests"), 4), (Some("Guests"), 2)]);
    assert!(share > 0.5 && share < 1.0, "{share}");
    let nearest = Table::nearest(tables, "how many beds has the red room", 1);
    assert_eq!(nearest[0].columns[0].name, "Room");
}

#[test]
fn the_schema_has_what_tables_and_question_have() {
    let tables = tables(ORDERS);
    let schema = schema::schema(&tables, "orders over 1,000 of Hotel Sonne");
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    let pattern = schema["pattern"].as_str().unwrap();
    for part in ["`Customer`", "Hotel Sonne", "1000", "NONE", "SUM|AVG"] {
        assert!(pattern.contains(part), "{part}: {pattern}");
    }
    // Texts are not summed.
    assert!(!pattern.contains("(SUM|AVG)\\((`Order`|`Date`"));
}

#[test]
fn a_query_that_leaves_out_part_of_its_question_is_told() {
    let tables = tables(ORDERS);
    for (question, sql, leaves_out) in [
        ("What did Cafe Mokka pay?", "SELECT SUM(`Price`) FROM t1", true),
        (
            "What did Cafe Mokka pay?",
            "SELECT SUM(`Price`) FROM t1 WHERE `Customer` = 'Cafe Mokka'",
            false,
        ),
        ("orders over 100", "SELECT `Order` FROM t1", true),
        ("what is order 1", "SELECT `Status` FROM t1", true),
        (
            "orders of 2025 over 100",
            "SELECT `Order` FROM t1 WHERE `Price` > 100",
            true,
        ),
        (
            "orders since 5 April 2025",
            "SELECT `Order` FROM t1 WHERE `Date` >= '2025-04-05'",
            false,
        ),
        (
            "what did Cafe Mokka and Hotel Sonne pay",
            "SELECT SUM(`Price`) FROM t1 WHERE `Customer` = 'Hotel Sonne'",
            true,
        ),
        ("orders over 100", "SELECT `Order` FROM t1 WHERE `Price` > 100", false),
        (
            "the 2 largest orders",
            "SELECT `Order` FROM t1 ORDER BY `Price` DESC LIMIT 2",
            false,
        ),
    ] {
        let query = Query::parse(sql, &tables).unwrap();
        assert_eq!(
            query.leaves_out(sql, question, &tables[0]),
            leaves_out,
            "{question}: {sql}"
        );
    }
}

#[test]
fn the_examples_are_queries_over_their_table() {
    let example = tables(
        "Name\tCity\tBorn\tFee (EUR)\tPaid on\nAda Reed\tArden\t1950\t12.5\t2024-01-05\nTom Holt\tHolm\t1999\t80\t2024-03-28",
    );
    for (message, reply) in prompt::examples() {
        let sql: String = serde_json::from_str(&reply).unwrap();
        assert_eq!(
            Query::parse(&sql, &example).is_some(),
            sql != schema::NONE,
            "{message}: {sql}"
        );
    }
    assert!(prompt::examples().count() > 10);
    let checked: Vec<_> = prompt::checked_examples().map(|(_, is_right)| is_right).collect();
    assert!(checked.contains(&true) && checked.contains(&false));
}

#[test]
fn a_model_is_told_kinds_and_the_values_that_a_question_may_mean() {
    let rows: String = (0..20).map(|number| format!("\nGuest {number}x\t{number}")).collect();
    let tables = tables(&format!("Name\tAge{rows}"));
    let message = prompt::message(&tables, "how old is 7x");
    assert!(message.contains("`Name`: text, such as 'Guest 0x'"), "{message}");
    assert!(message.contains("`Age`: number, from 0 to 19"), "{message}");
    assert!(message.contains("t1.`Name` has 'Guest 7x'."), "{message}");
    assert!(message.ends_with("Question: how old is 7x"), "{message}");
}
