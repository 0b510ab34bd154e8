//! Documents of other kinds than PDF to send: made here, with the parts that their kinds cannot do without.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A ZIP archive of these parts, deflated.
///
/// # Panics
/// When it cannot be written to memory.
pub fn archive<B: AsRef<[u8]>>(parts: &[(&str, B)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        // OpenDocument and EPUB want this one readable where it lies.
        let method = match *name {
            "mimetype" => zip::CompressionMethod::Stored,
            _ => zip::CompressionMethod::Deflated,
        };
        let options = SimpleFileOptions::default().compression_method(method);
        writer.start_file(*name, options).expect("a part");
        writer.write_all(content.as_ref()).expect("its content");
    }
    writer.finish().expect("an archive").into_inner()
}

/// The part that every Office file has first.
const TYPES: (&str, &str) = ("[Content_Types].xml", "<Types/>");

fn relationships(all: &[(&str, &str, &str)]) -> String {
    let each = |(id, kind, target): &(&str, &str, &str)| {
        format!(
            "<Relationship Id=\"{id}\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}\" Target=\"{target}\"/>"
        )
    };
    format!(
        "<Relationships>{}</Relationships>",
        all.iter().map(each).collect::<String>()
    )
}

/// A document of Word with this content of its body.
pub fn docx(body: &str) -> Vec<u8> {
    let document = format!("<w:document xmlns:w=\"w\" xmlns:r=\"r\"><w:body>{body}</w:body></w:document>");
    let styles = "<w:styles><w:style w:styleId=\"H\"><w:name w:val=\"heading 1\"/></w:style><w:style w:styleId=\"T\">\
                  <w:name w:val=\"Title\"/></w:style></w:styles>";
    let core = "<cp:coreProperties><dc:creator>Mary Reed</dc:creator><dcterms:created>2024-02-29T10:00:00Z</dcterms:created>\
                </cp:coreProperties>";
    archive(&[
        TYPES,
        ("word/document.xml", &document),
        ("word/styles.xml", styles),
        ("docProps/core.xml", core),
        (
            "word/_rels/document.xml.rels",
            &relationships(&[("s", "styles", "styles.xml")]),
        ),
    ])
}

/// A paragraph of Word, with a style if it is not empty.
pub fn paragraph(style: &str, text: &str) -> String {
    format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

/// A presentation: for each slide its title and its lines.
pub fn pptx(slides: &[(&str, &[&str])]) -> Vec<u8> {
    let shape = |kind: &str, lines: &[&str]| {
        let lines: String = lines
            .iter()
            .map(|line| format!("<a:p><a:r><a:t>{line}</a:t></a:r></a:p>"))
            .collect();
        format!("<p:sp><p:nvSpPr><p:nvPr><p:ph{kind}/></p:nvPr></p:nvSpPr><p:txBody>{lines}</p:txBody></p:sp>")
    };
    let ids: String = (0..slides.len())
        .map(|index| format!("<p:sldId id=\"{index}\" r:id=\"r{index}\"/>"))
        .collect();
    let mut parts = vec![
        (TYPES.0.to_owned(), TYPES.1.to_owned()),
        (
            "ppt/presentation.xml".to_owned(),
            format!("<p:presentation xmlns:p=\"p\" xmlns:r=\"r\"><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"),
        ),
    ];
    let mut links = Vec::new();
    for (index, (title, lines)) in slides.iter().enumerate() {
        let (title, body) = (shape(" type=\"title\"", &[title]), shape(" idx=\"1\"", lines));
        parts.push((
            format!("ppt/slides/slide{index}.xml"),
            format!("<p:sld xmlns:p=\"p\" xmlns:a=\"a\">{body}{title}</p:sld>"),
        ));
        links.push((format!("r{index}"), format!("slides/slide{index}.xml")));
    }
    let links: Vec<_> = links
        .iter()
        .map(|(id, target)| (id.as_str(), "slide", target.as_str()))
        .collect();
    parts.push(("ppt/_rels/presentation.xml.rels".to_owned(), relationships(&links)));
    let parts: Vec<_> = parts.iter().map(|(name, text)| (name.as_str(), text)).collect();
    archive(&parts)
}

/// A workbook of one sheet with these rows of XML.
pub fn xlsx(sheet: &str, rows: &str) -> Vec<u8> {
    archive(&[
        TYPES,
        (
            "xl/workbook.xml",
            &format!(
                "<workbook xmlns:r=\"r\"><sheets><sheet name=\"{sheet}\" sheetId=\"1\" r:id=\"a\"/></sheets></workbook>"
            ),
        ),
        (
            "xl/worksheets/sheet1.xml",
            &format!("<worksheet><sheetData>{rows}</sheetData></worksheet>"),
        ),
        (
            "xl/sharedStrings.xml",
            "<sst><si><t>Year</t></si><si><r><t>Wheat</t></r><r><t> in tons</t></r></si></sst>",
        ),
        (
            "xl/styles.xml",
            "<styleSheet><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            &relationships(&[
                ("a", "worksheet", "worksheets/sheet1.xml"),
                ("b", "sharedStrings", "sharedStrings.xml"),
                ("c", "styles", "styles.xml"),
            ]),
        ),
    ])
}

/// An OpenDocument file of a kind (`text`, `presentation`, `spreadsheet`), with this content and these entries of its
/// list of parts.
pub fn open_document(kind: &str, content: &str, manifest: &str) -> Vec<u8> {
    archive(&[
        ("mimetype", format!("application/vnd.oasis.opendocument.{kind}")),
        (
            "content.xml",
            format!(
                "<office:document-content><office:body><office:{kind}>{content}</office:{kind}></office:body></office:document-content>"
            ),
        ),
        (
            "META-INF/manifest.xml",
            format!("<manifest:manifest>{manifest}</manifest:manifest>"),
        ),
    ])
}

/// A book of these chapters of HTML.
pub fn epub(title: &str, chapters: &[&str]) -> Vec<u8> {
    let items: String = (0..chapters.len())
        .map(|index| format!("<item id=\"c{index}\" href=\"c{index}.xhtml\" media-type=\"application/xhtml+xml\"/>"))
        .collect();
    let order: String = (0..chapters.len())
        .map(|index| format!("<itemref idref=\"c{index}\"/>"))
        .collect();
    let mut parts = vec![
        ("mimetype".to_owned(), "application/epub+zip".to_owned()),
        (
            "META-INF/container.xml".to_owned(),
            "<container><rootfiles><rootfile full-path=\"book/a.opf\"/></rootfiles></container>".to_owned(),
        ),
        (
            "book/a.opf".to_owned(),
            format!(
                "<package><metadata><dc:title>{title}</dc:title></metadata><manifest>{items}</manifest><spine>{order}</spine>\
                 </package>"
            ),
        ),
    ];
    for (index, chapter) in chapters.iter().enumerate() {
        parts.push((
            format!("book/c{index}.xhtml"),
            format!("<html><body>{chapter}</body></html>"),
        ));
    }
    let parts: Vec<_> = parts.iter().map(|(name, text)| (name.as_str(), text)).collect();
    archive(&parts)
}
