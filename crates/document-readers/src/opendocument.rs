//! OpenDocument (ISO/IEC 26300): texts, presentations and spreadsheets, which have their content in the same elements.
//!
//! A page is a slide, a sheet, or of a text what the program that saved it set as a page.

mod content;

use quartet_text_analysis::Document;

use self::content::Content;
use crate::archive::Archive;
use crate::draft::Draft;
use crate::error::Error;
use crate::options::Options;
use crate::package;
use crate::xml::{Node, Xml};
use quartet_document_kinds::Kind;

/// Reads a document.
pub fn read(bytes: &[u8], kind: Kind, options: &Options<'_>) -> Result<Document, Error> {
    let mut archive = Archive::open(bytes, kind, &options.limits)?;
    if is_encrypted(&archive.text("META-INF/manifest.xml")?.unwrap_or_default())? {
        return Err(Error::Password { kind });
    }
    let text = archive.needed("content.xml")?;
    let mut draft = Draft::new(options);
    if let Some(text) = archive.text("meta.xml")? {
        package::metadata(&text, draft.metadata())?;
    }
    let mut content = Content::new(&text, kind);
    content.read(&mut draft)?;
    content.left_out().iter().for_each(|warning| draft.warn(warning));
    archive.warnings().iter().for_each(|warning| draft.warn(warning));
    Ok(draft.finish(0))
}

/// Returns true if the list of parts says that the content is encrypted.
fn is_encrypted(manifest: &str) -> Result<bool, Error> {
    let mut xml = Xml::new(manifest);
    let mut part = String::new();
    while let Some(node) = xml.next()? {
        let Node::Open(tag) = node else { continue };
        match tag.name() {
            "file-entry" => part = tag.attribute("full-path").unwrap_or_default(),
            // Newer files have one package inside that is encrypted as a whole.
            "encryption-data" if matches!(part.as_str(), "content.xml" | "encrypted-package") => return Ok(true),
            _ => {}
        }
    }
    Ok(false)
}
