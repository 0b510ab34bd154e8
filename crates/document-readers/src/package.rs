//! Parts of Office Open XML that all its kinds share (ECMA-376, part 2): relationships and properties.

use quartet_text_analysis::Metadata;
use rustc_hash::FxHashMap;

use crate::archive::{Archive, resolve};
use crate::draft::Draft;
use crate::error::Error;
use crate::xml::{Node, Xml};

/// A relationship of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relationship {
    /// The last piece of its type, such as `hyperlink`.
    pub kind: String,
    /// The path of the part that it leads to, or the address outside.
    pub target: String,
    /// True if it leads out of the file.
    pub is_external: bool,
}

/// The relationships of a part, by their ids.
pub type Relationships = FxHashMap<String, Relationship>;

/// Reads the relationships of a part; of the whole package with an empty name.
pub fn relationships(archive: &mut Archive<'_>, part: &str) -> Result<Relationships, Error> {
    let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
    let path = match folder {
        "" => format!("_rels/{name}.rels"),
        folder => format!("{folder}/_rels/{name}.rels"),
    };
    let mut all = Relationships::default();
    let Some(text) = archive.text(&path)? else {
        return Ok(all);
    };
    let mut xml = Xml::new(&text);
    while let Some(node) = xml.next()? {
        let Node::Open(tag) = node else { continue };
        if let ("Relationship", Some(id), Some(target)) = (tag.name(), tag.attribute("Id"), tag.attribute("Target")) {
            let kind = tag.attribute("Type").unwrap_or_default();
            let is_external = tag.attribute("TargetMode").as_deref() == Some("External");
            all.insert(
                id,
                Relationship {
                    kind: kind.rsplit('/').next().unwrap_or_default().to_owned(),
                    target: match is_external {
                        true => target,
                        false => resolve(part, &target),
                    },
                    is_external,
                },
            );
        }
    }
    Ok(all)
}

/// The path of the main part: that which the package names, or the usual one.
pub fn main_part(archive: &mut Archive<'_>, usual: &str) -> Result<String, Error> {
    let all = relationships(archive, "")?;
    let named = all.values().find(|relationship| relationship.kind == "officeDocument");
    Ok(named.map_or(usual, |relationship| &relationship.target).to_owned())
}

/// The target of the first relationship of a kind.
pub fn of_kind<'r>(relationships: &'r Relationships, kind: &str) -> Option<&'r str> {
    let mut of_kind: Vec<_> = relationships
        .iter()
        .filter(|(_, relationship)| relationship.kind == kind)
        .collect();
    of_kind.sort_by_key(|(id, _)| id.as_str());
    of_kind.first().map(|(_, relationship)| relationship.target.as_str())
}

/// Reads the properties of the file into a document's metadata.
pub fn properties(archive: &mut Archive<'_>, draft: &mut Draft<'_>) -> Result<(), Error> {
    let path = of_kind(&relationships(archive, "")?, "core-properties")
        .unwrap_or("docProps/core.xml")
        .to_owned();
    let Some(text) = archive.text(&path)? else {
        return Ok(());
    };
    metadata(&text, draft.metadata())
}

/// Reads metadata in the terms of Dublin Core, as Office, OpenDocument and EPUB have them.
pub fn metadata(text: &str, metadata: &mut Metadata) -> Result<(), Error> {
    let mut xml = Xml::new(text);
    let set = |field: &mut Option<String>, value: &str| {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        if field.is_none() && !value.is_empty() {
            *field = Some(value);
        }
    };
    let mut last_editor = None;
    while let Some(node) = xml.next()? {
        let Node::Open(tag) = node else { continue };
        let name = tag.name().to_owned();
        let property = tag.attribute("property");
        let known = matches!(
            name.as_str(),
            "title"
                | "creator"
                | "initial-creator"
                | "subject"
                | "created"
                | "creation-date"
                | "modified"
                | "date"
                | "language"
                | "meta"
        );
        // OpenDocument has everything in an element of this name.
        if !known || name == "meta" && property.is_none() {
            continue;
        }
        let value = xml.text()?;
        match (name.as_str(), property.as_deref()) {
            ("title", _) => set(&mut metadata.title, &value),
            // OpenDocument's creator is who changed the file last.
            ("initial-creator", _) => set(&mut metadata.author, &value),
            ("creator", _) => set(&mut last_editor, &value),
            ("subject", _) => set(&mut metadata.subject, &value),
            ("created" | "creation-date", _) => set(&mut metadata.created, &value),
            ("modified", _) | ("meta", Some("dcterms:modified")) => set(&mut metadata.modified, &value),
            // OpenDocument's date is that of the last change; that of a book is read where it is known to be one.
            ("date", _) => set(&mut metadata.modified, &value),
            ("language", _) => set(&mut metadata.language, &value),
            _ => {}
        }
    }
    if metadata.author.is_none() {
        metadata.author = last_editor;
    }
    Ok(())
}

/// Returns true for the values that switch something off.
pub fn is_off(value: Option<&str>) -> bool {
    matches!(value, Some("0" | "false" | "off" | "none"))
}
