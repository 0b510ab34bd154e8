//! Documents of other kinds than PDF: each is read, asked about and given as Markdown, and what is made to do harm is
//! refused with its reason while others are served.

use quartet_api::Code;
use quartet_tests::office::{archive, docx, epub, open_document, paragraph, pptx, xlsx};
use quartet_tests::{Client, Reply};
use serde_json::{Value, json};

use crate::pdf::{ask, send};
use crate::tested;

/// Sends a file with its name, as browsers and curl do.
fn send_named(client: &Client, path: &str, (name, media_type): (&str, &str), content: &[u8], session: &str) -> Reply {
    let mut body = format!(
        "--b\r\ncontent-disposition: form-data; name=\"format\"\r\n\r\nmarkdown\r\n--b\r\ncontent-disposition: form-data; \
         name=\"document\"; filename=\"{name}\"\r\ncontent-type: {media_type}\r\n\r\n"
    )
    .into_bytes();
    body.extend_from_slice(content);
    body.extend_from_slice(b"\r\n--b--\r\n");
    let headers = [
        ("content-type", "multipart/form-data; boundary=b"),
        ("x-session-id", session),
    ];
    client.post_with(path, &headers, &body)
}

const BUILT: &str = "The mill of Aldebourne was built in 1742 by Thomas Reed.";
const RIVER: &str = "The river that drives the wheel is called the Lenn.";

/// One document of each kind with the same two sentences: its name, its bytes, a piece of its Markdown, and its number of
/// pages.
fn documents() -> Vec<(&'static str, Vec<u8>, &'static str, usize)> {
    let word = docx(&format!(
        "{}{}{}<w:p><w:r><w:br w:type=\"page\"/></w:r></w:p><w:tbl><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl>{}",
        paragraph("T", "Mills"),
        paragraph("H", "History"),
        paragraph("", BUILT),
        paragraph("", "Wheel"),
        paragraph("", "Wood"),
        paragraph("", RIVER),
    ));
    let slides = pptx(&[("History", &[BUILT]), ("River", &[RIVER, "It is cold."])]);
    let rows = "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"s\"><v>1</v></c></row><row r=\"2\"><c r=\"A2\" s=\"1\">\
                <v>45351</v></c><c r=\"B2\"><v>0.30000000000000004</v></c></row>";
    let text = format!(
        "<row r=\"4\"><c r=\"A4\" t=\"inlineStr\"><is><t>{BUILT}</t></is></c></row><row r=\"1048576\"><c r=\"XFD1048576\" t=\"str\"><v>{RIVER}</v></c></row>"
    );
    let odt = open_document(
        "text",
        &format!(
            "<text:h text:outline-level=\"1\">History</text:h><text:p>{BUILT}</text:p><text:list><text:list-item><text:p>{RIVER}</text:p></text:list-item></text:list>"
        ),
        "",
    );
    let ods = open_document(
        "spreadsheet",
        &format!(
            "<table:table table:name=\"Mills\"><table:table-row><table:table-cell><text:p>Built</text:p></table:table-cell>\
             <table:table-cell><text:p>{BUILT}</text:p></table:table-cell></table:table-row><table:table-row \
             table:number-rows-repeated=\"1048000\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>\
             <table:table-row><table:table-cell><text:p>{RIVER}</text:p></table:table-cell></table:table-row></table:table>"
        ),
        "",
    );
    let odp = open_document(
        "presentation",
        &format!(
            "<draw:page><draw:frame presentation:class=\"title\"><draw:text-box><text:p>History</text:p></draw:text-box></draw:frame><draw:frame><draw:text-box><text:p>{BUILT}</text:p><text:p>{RIVER}</text:p></draw:text-box></draw:frame></draw:page>"
        ),
        "",
    );
    let book = epub(
        "Mills",
        &[&format!("<h1>History</h1><p>{BUILT}</p>"), &format!("<p>{RIVER}</p>")],
    );
    let page =
        format!("<!DOCTYPE html><title>Mills</title><h2>History</h2><p>{BUILT}</p><p>{RIVER}</p><script>no()</script>");
    let mail = format!(
        "From: Mary Reed <mary@a.example>\r\nTo: b@a.example\r\nSubject: =?utf-8?q?M=C3=BChle?=\r\nDate: Thu, 29 Feb 2024 10:00:00 \
         +0100\r\nContent-Type: text/plain\r\n\r\n{BUILT}\r\n\r\n{RIVER}\r\n"
    );
    vec![
        ("a.docx", word, "# Mills\n\n## History", 2),
        ("a.pptx", slides, "# River\n\n- The river", 2),
        (
            "a.xlsx",
            xlsx("Harvest", &format!("{rows}{text}")),
            "| 2024-02-29 | 0.3 |",
            1,
        ),
        ("a.odt", odt, "# History", 1),
        ("a.ods", ods, "| Built |", 1),
        ("a.odp", odp, "# History", 1),
        ("a.epub", book, "# History", 2),
        ("a.html", page.into_bytes(), "# History", 1),
        ("a.eml", mail.into_bytes(), "# Mühle", 1),
        (
            "a.md",
            format!("# History\n\n{BUILT}\n\n* {RIVER}\n").into_bytes(),
            "# History",
            1,
        ),
        (
            "a.csv",
            format!("Year;What\n1742;{BUILT}\n1743;{RIVER}\n").into_bytes(),
            "| 1742 |",
            1,
        ),
        (
            "a.txt",
            format!("History\n=======\n\n{BUILT}\n\n{RIVER}\n").into_bytes(),
            "# History",
            1,
        ),
    ]
}

#[test]
fn every_kind_is_read_and_asked_about() {
    let client = &tested().client;
    for (name, file, markdown, pages) in documents() {
        let session = format!("documents-of-kind-{}-of-the-suite", &name[2..]);
        let data = send_named(
            client,
            "/pdf/extract-text",
            (name, "application/octet-stream"),
            &file,
            &session,
        )
        .data();
        let text = data["text"].as_str().unwrap_or_default();
        assert!(text.contains(BUILT) && text.contains(RIVER), "{name}: {text}");
        assert!(!text.contains("no()"), "{name}: {text}");
        let found = data["markdown"].as_str().unwrap_or_default();
        assert!(found.contains(markdown), "{name}: {found}");
        let metadata = &data["metadata"];
        assert_eq!(
            (&metadata["pageCount"], &data["truncated"]),
            (&json!(pages), &json!(false)),
            "{name}"
        );
        assert_eq!(data["pages"].as_array().map(Vec::len), Some(pages), "{name}");
        assert!(
            metadata["mediaType"].as_str().is_some_and(|kind| kind.contains('/')),
            "{name}"
        );
        let question = json!({"message": "Who built the mill of Aldebourne?"});
        let answer = ask(client, "/pdf/chat", &question, &[("x-session-id", &session)]).data();
        assert!(
            answer["answer"].as_str().unwrap_or_default().contains("Thomas Reed"),
            "{name}: {answer}"
        );
        assert_eq!(answer["citations"][0]["page"], 1, "{name}");
    }
    let (name, word, ..) = documents().swap_remove(0);
    let summary = send(client, "/pdf/summarize", "pdf", &word, &[]).data();
    assert_eq!(summary["metadata"]["author"], "Mary Reed", "{name}");
    assert!(
        summary["summary"].as_str().unwrap_or_default().contains("Aldebourne"),
        "{summary}"
    );
}

#[test]
fn texts_in_old_encodings_are_read() {
    let client = &tested().client;
    // The same sentence in Windows-1251, Shift_JIS and UTF-16.
    for (bytes, text) in [
        (
            &b"\xcc\xe5\xeb\xfc\xed\xe8\xf6\xe0 \xf1\xf2\xee\xe8\xf2 \xf3 \xf0\xe5\xea\xe8, \xe8 \xea\xee\xeb\xe5\xf1\xee \xe2\xf0\xe0\xf9\xe0\xe5\xf2\xf1\xff."[..],
            "Мельница стоит у реки, и колесо вращается.",
        ),
        (b"\xff\xfeM\0\xfc\0h\0l\0e\0", "Mühle"),
    ] {
        let data = send_named(client, "/pdf/extract-text", ("a.txt", "text/plain"), bytes, "documents-in-old-encodings").data();
        assert_eq!(data["text"], text);
    }
}

#[test]
fn files_that_are_made_to_do_harm_are_refused_while_others_are_served() {
    let client = &tested().client;
    let word = |document: &str| archive(&[("[Content_Types].xml", "<Types/>"), ("word/document.xml", document)]);
    let bomb = word(&format!("<w:document><w:body><w:p><w:r><w:t>{}", "a".repeat(70 << 20)));
    let deep = docx(&"<w:tbl><w:tr><w:tc>".repeat(20_000));
    let names: Vec<String> = (0..20_001).map(|index| index.to_string()).collect();
    let mut many: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    many.extend([
        ("[Content_Types].xml", "<Types/>"),
        ("word/document.xml", "<w:document/>"),
    ]);
    let many = archive(&many);
    let mut cut = docx(&paragraph("", BUILT));
    cut.truncate(cut.len() / 2);
    let locked = open_document(
        "text",
        "",
        "<manifest:file-entry manifest:full-path=\"content.xml\"><manifest:encryption-data/></manifest:file-entry>",
    );
    let encrypted = compound("EncryptedPackage");
    let old = compound("WordDocument");
    let entities = word(
        "<!DOCTYPE a [<!ENTITY b \"bbbbbbbbbb\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;\">]><w:document><w:body><w:p><w:r><w:t>x&c;y</w:t>\
         </w:r></w:p></w:body></w:document>",
    );
    for (file, code, word) in [
        (&bomb, Code::DocumentTooLarge, "67108864 bytes"),
        (&deep, Code::DocumentTooLarge, "512 levels"),
        (&many, Code::DocumentTooLarge, "20000 parts"),
        (&cut, Code::UnsupportedMediaType, "ZIP"),
        (&locked, Code::PasswordNeeded, "password"),
        (&encrypted, Code::PasswordNeeded, "password"),
        (&old, Code::UnsupportedMediaType, ".docx"),
        (
            &archive(&[("a.txt", "text")]),
            Code::UnsupportedMediaType,
            "ZIP archive",
        ),
        (
            &archive(&[("[Content_Types].xml", ""), ("word/other.xml", "")]),
            Code::InvalidDocument,
            "word/document.xml",
        ),
        (&b"{\\rtf1 text}".to_vec(), Code::UnsupportedMediaType, "Rich Text"),
    ] {
        let sentence = send(client, "/pdf/extract-text", "pdf", file, &[]).failed(code);
        assert!(sentence.contains(word), "{sentence}");
        let data = send(client, "/pdf/extract-text", "pdf", &docx(&paragraph("", RIVER)), &[]).data();
        assert_eq!(data["text"], RIVER);
    }
    // No entity is expanded.
    assert_eq!(
        send(client, "/pdf/extract-text", "pdf", &entities, &[]).data()["text"],
        "xy"
    );
    // A text that is sent as a PDF is none.
    let named = send_named(
        client,
        "/pdf/extract-text",
        ("a.pdf", "application/pdf"),
        b"Not found",
        "documents-mislabelled",
    );
    assert!(named.failed(Code::UnsupportedMediaType).contains("not a PDF"));
}

/// A compound file with one stream, as far as its directory.
fn compound(stream: &str) -> Vec<u8> {
    let mut bytes = vec![0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
    bytes.resize(512, 0);
    let name: Vec<u8> = stream.encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.extend(&name);
    bytes.resize(512 + 64, 0);
    bytes.push(u8::try_from(name.len() + 2).expect("a short name"));
    bytes.resize(1024, 0);
    bytes
}

#[test]
fn what_is_left_out_is_said() {
    let client = &tested().client;
    let mail = b"From: a@a.example\r\nSubject: Mills\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\
                 Content-Type: text/plain\r\n\r\nSee the plan.\r\n--x\r\nContent-Type: application/pdf; name=plan.pdf\r\n\
                 Content-Disposition: attachment; filename=plan.pdf\r\n\r\n%PDF-\r\n--x--\r\n";
    let data = send(client, "/pdf/extract-text", "pdf", mail, &[]).data();
    let warnings: &Value = &data["warnings"];
    assert!(
        warnings[0].as_str().is_some_and(|warning| warning.contains("plan.pdf")),
        "{data}"
    );
    let picture = docx(&format!(
        "{}<w:p><w:r><w:drawing><pic:pic/></w:drawing></w:r></w:p>",
        paragraph("", RIVER)
    ));
    let data = send(client, "/pdf/extract-text", "pdf", &picture, &[]).data();
    assert_eq!(data["warnings"][0], "Pictures in the document are not read: 1.");
}
