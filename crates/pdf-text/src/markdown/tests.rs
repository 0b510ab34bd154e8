//! Markdown of blocks, read by a parser of Markdown again.

use pulldown_cmark::{Event, Options, Parser, Tag};
use quartet_text_analysis::{Heading, Link};

use super::*;

fn block(kind: Kind, text: &str) -> Block {
    Block {
        kind,
        text: text.to_owned(),
    }
}

fn document(blocks: Vec<Block>) -> Document {
    let page = Page {
        number: 1,
        blocks,
        ..Page::default()
    };
    Document {
        pages: vec![page],
        ..Document::default()
    }
}

fn markdown(blocks: Vec<Block>) -> String {
    pages(&document(blocks), Tables::Guessed).remove(0)
}

/// The kinds of what a parser finds, with the text of each, as `paragraph: text`.
fn parsed(markdown: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS | Options::ENABLE_FOOTNOTES;
    for event in Parser::new_ext(markdown, options) {
        let last = found.last_mut();
        match (event, last) {
            (Event::Start(Tag::Heading { level, .. }), _) => found.push(format!("{level}: ")),
            (Event::Start(Tag::Paragraph), _) => found.push("p: ".to_owned()),
            (Event::Start(Tag::Item), _) => found.push("li: ".to_owned()),
            (Event::Start(Tag::CodeBlock(_)), _) => found.push("code: ".to_owned()),
            (Event::Start(Tag::TableCell), _) => found.push("td: ".to_owned()),
            (Event::Start(Tag::Link { dest_url, .. }), Some(last)) => last.push_str(&format!("<{dest_url}>")),
            (Event::Text(text), Some(last)) => last.push_str(&text),
            (Event::HardBreak, Some(last)) => last.push('\n'),
            (Event::Start(Tag::List(_) | Tag::Table(_) | Tag::TableHead | Tag::TableRow) | Event::End(_), _) => {}
            (other, _) => found.push(format!("{other:?}")),
        }
    }
    found
}

#[test]
fn text_is_shown_as_the_document_has_it() {
    for text in [
        "1. The year",
        "2024) ended",
        "# no heading",
        "####### seven",
        "- no item",
        "+ 3 %",
        "> 5 and < 3 <b>bold</b> <!-- hidden -->",
        "*emphasis* and **strong** and _this_ and snake_case and __init__",
        "a `sign` and ~~gone~~ and ~5 m",
        "see [12] and [a](b) and [a]: b and [a][b] and ![x](y)",
        "AT&T &amp; &copy; &#65; R&D;",
        "a \\ back\\*slash",
        "---",
        "===",
        "| a | b |",
        "$x_1$ * y * z",
        "C#",
        "x^2^ and H~2~O and [^1] and [^1]: note",
        "[ ] to do",
        "Wo sonst?   ",
    ] {
        let shown = text.trim().to_owned();
        assert_eq!(
            parsed(&markdown(vec![block(Kind::Paragraph, text)])),
            [format!("p: {shown}")]
        );
        assert_eq!(
            parsed(&markdown(vec![block(Kind::Title, text)])),
            [format!("h1: {shown}")]
        );
        let item = markdown(vec![block(Kind::ListItem, &format!("• {text}"))]);
        assert_eq!(parsed(&item), [format!("li: {shown}")]);
        let row = markdown(vec![block(Kind::Table, &format!("a\tb\n{text}\tx"))]);
        assert_eq!(parsed(&row)[2], format!("td: {shown}"), "{row}");
    }
}

#[test]
fn blocks_are_what_they_are() {
    let found = markdown(vec![
        block(Kind::Header, "A journal"),
        block(Kind::Title, "On birds"),
        block(Kind::Title, "and trees"),
        block(Kind::Heading, "1. Birds"),
        block(Kind::Paragraph, "They fly.\nThey sing."),
        block(Kind::ListItem, "• heron"),
        block(Kind::ListItem, "2. stork"),
        block(Kind::ListItem, "(a) a stork"),
        block(Kind::Heading, "1.1 Nests"),
        block(Kind::Table, "Bird\tEggs\nheron\t4 | 5\n\t3"),
        block(Kind::Code, "x = `a`"),
        block(Kind::Code, "```"),
        block(Kind::Paragraph, "1 Birds\t3"),
        block(Kind::Paragraph, "2 Nests\t12"),
        block(Kind::Footer, "7"),
    ]);
    assert_eq!(
        found,
        "# On birds and trees\n\n## 1. Birds\n\nThey fly.\\\nThey sing.\n\n- heron\n2. stork\n- (a) a stork\n\n### 1.1 Nests\n\n\
         | Bird | Eggs |\n| --- | --- |\n| heron | 4 \\| 5 |\n|  | 3 |\n\n````\nx = `a`\n```\n````\n\n- 1 Birds … 3\n- 2 Nests … 12"
    );
    assert!(!parsed(&found).is_empty());
    let formula = "x = y\t\t(10)\n\tz\t";
    assert_eq!(markdown(vec![block(Kind::Table, formula)]), "x = y (10)\\\nz");
    assert_eq!(markdown(vec![block(Kind::Heading, "βθ")]), "βθ");
    assert_eq!(markdown(vec![block(Kind::Footer, "7")]), "7", "nothing else is there");
}

#[test]
fn levels_are_those_of_the_outline() {
    let entry = |title: &str, level| Heading {
        title: title.to_owned(),
        level,
        page: Some(1),
    };
    let mut document = document(vec![
        block(Kind::Title, "On birds"),
        block(Kind::Heading, "2. Nests of birds"),
        block(Kind::Paragraph, "2.1. “Eggs” in nests"),
        block(Kind::Heading, "Not in it"),
        block(Kind::Paragraph, "2.1. Eggs in nests are round."),
        block(Kind::Paragraph, "2.2.1. Chicks"),
    ]);
    document.outline = vec![entry("Nests of birds", 1), entry("\"Eggs\" in nests", 2)];
    assert_eq!(
        pages(&document, Tables::Guessed),
        [
            "# On birds\n\n## 2. Nests of birds\n\n### 2.1. “Eggs” in nests\n\n## Not in it\n\n2.1. Eggs in nests are round.\n\n\
             #### 2.2.1. Chicks"
        ]
    );
    document.outline.insert(0, entry("On Birds", 1));
    document.outline[1].level = 2;
    document.outline[2].level = 3;
    assert!(pages(&document, Tables::Guessed)[0].contains("\n## 2. Nests of birds\n\n### 2.1. "));
}

#[test]
fn links_stand_where_their_text_does() {
    let link = |text: &str, url: &str| Link {
        text: text.to_owned(),
        url: Some(url.to_owned()),
        page: None,
    };
    let mut document = document(vec![
        block(
            Kind::Paragraph,
            "See the [long] report of the society! here or https://a.example/x_y.",
        ),
        block(Kind::Paragraph, "A bad one is here."),
    ]);
    document.pages[0].links = vec![
        link("the [long]", "https://b.example/(1) 2"),
        link("report", "https://b.example/(1) 2"),
        link("here", "mailto:x@a.example"),
        link("https://a.example/x_y", "https://a.example/x_y"),
        link("bad", "javascript:alert(1)"),
        link("or", "https://c.example"),
    ];
    let found = pages(&document, Tables::Guessed).remove(0);
    assert_eq!(
        found,
        "See [the \\[long\\] report](https://b.example/%281%29%202) of the society! [here](mailto:x@a.example) \
         [or](https://c.example) <https://a.example/x_y>.\n\nA bad one is here."
    );
    assert_eq!(parsed(&found).len(), 2);
}

#[test]
fn pages_have_marks() {
    assert_eq!(
        join([(1, "One"), (2, ""), (3, "Three")]),
        "<!-- page 1 -->\n\nOne\n\n<!-- page 3 -->\n\nThree"
    );
}
