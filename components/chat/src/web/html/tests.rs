//! Pages, well-formed and not, and what is read of them.

use std::cell::Cell;

use super::*;

fn page(html: &str) -> Page {
    read(html, &|| true)
}

#[test]
fn reads_what_people_read_and_nothing_else() {
    let html =
        "<title> Birds\n of Europe </title><meta property='article:published_time' content='2024-02-29T10:00:00Z'>
        <header>Home</header><nav><a href=/>Start</a></nav><script>var x = 'Not read';</script>
        <main><h1>Birds</h1><p>They <b>fly</b>,\n and sing.<p style='display: none'>Never seen.
        <ul><li>A <a href=/sparrow>sparrow</a> is small.<li><a href=/x>Menu entry</a></ul>
        <pre>let x = 1;\nlet y = 2;</pre><table><tr><th>Bird<th>Length<tr><td>Swift<td>17 cm</table>
        <p hidden>Nor this.</p><div aria-hidden=true>Nor that.</div><p>They are found in all of Europe, in towns as
        well as in the fields, where they eat what they find: seeds mostly, and in spring many an insect.</p></main>
        <footer>Imprint</footer>";
    let page = page(html);
    assert_eq!(
        (page.title.as_str(), page.date.as_deref()),
        ("Birds of Europe", Some("2024-02-29"))
    );
    let found: Vec<_> = page
        .blocks
        .iter()
        .map(|block| (block.kind, block.text.as_str()))
        .collect();
    assert_eq!(
        found[..5],
        [
            (Kind::Heading, "Birds"),
            (Kind::Paragraph, "They fly, and sing."),
            (Kind::ListItem, "A sparrow is small."),
            (Kind::Code, "let x = 1;\nlet y = 2;"),
            (Kind::Table, "Bird\tLength\nSwift\t17 cm"),
        ]
    );
    assert_eq!(found.len(), 6);
}

#[test]
fn a_page_that_is_made_to_be_slow_is_left() {
    let pieces = Cell::new(0);
    let html = "<div>".repeat(200_000);
    let in_time = || {
        pieces.set(pieces.get() + 1);
        pieces.get() < 10
    };
    assert!(read(&html, &in_time).blocks.is_empty());
    assert_eq!(pieces.get(), 10);
    // Deep, but in time: read to its end, in time that is linear, without recursion.
    let deep = format!("{}<p>At the bottom.", "<div>".repeat(100_000));
    assert_eq!(page(&deep).blocks[0].text, "At the bottom.");
}

#[test]
fn damaged_pages_are_read_as_far_as_they_go() {
    assert_eq!(page("<p>One<p>Two</b></div><").blocks.len(), 2);
    assert_eq!(page("").blocks.len(), 0);
    assert_eq!(page("no tags at all").blocks[0].text, "no tags at all");
    assert_eq!(
        page("<head><title>A</title><body>Text &amp; more").blocks[0].text,
        "Text & more"
    );
    assert_eq!(
        page("<body><aside>Never ends<main>x</main><p>Still read.").blocks[0].text,
        "Still read."
    );
    assert!(
        page("<script>if (a < b) document.write('<p>no</p>')</script><textarea><p>no</textarea>")
            .blocks
            .is_empty()
    );
}
