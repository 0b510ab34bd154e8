//! Kinds of documents that are ZIP archives, by the names in the archive's directory.
//!
//! Only names are looked at, so that a client's archive costs little here; what the readers open is theirs to check.

use crate::hint::{Claim, Hint};
use crate::kind::{Kind, NotRead};

/// Length of the record at the end of an archive, without its comment.
const END_BYTES: usize = 22;
/// Largest comment.
const MAX_COMMENT_BYTES: usize = 65_535;
/// Entries whose names are looked at.
const MAX_NAMES: usize = 32_768;

/// The kind of an archive.
pub fn kind(bytes: &[u8], hint: Hint<'_>) -> Result<Kind, NotRead> {
    let names = names(bytes);
    let has = |wanted: &str| names.iter().any(|name| name.eq_ignore_ascii_case(wanted));
    let is_below = |folder: &str| {
        names.iter().any(|name| {
            name.get(..folder.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(folder))
        })
    };
    if has("[Content_Types].xml") {
        if has("xl/workbook.bin") {
            return Err(NotRead::Legacy {
                format: "a workbook in Excel's binary format (.xlsb)",
                instead: ".xlsx",
            });
        }
        // Parts of the others may be embedded in a presentation, and drawings of Excel in a document of Word.
        let office = [("ppt/", Kind::Pptx), ("word/", Kind::Docx), ("xl/", Kind::Xlsx)];
        if let Some((_, kind)) = office.into_iter().find(|(folder, _)| is_below(folder)) {
            return Ok(kind);
        }
    }
    if let Some(media_type) = stored(bytes, "mimetype") {
        let open_document = media_type.strip_prefix("application/vnd.oasis.opendocument.");
        let known = match open_document {
            Some(name) if name.starts_with("text") => Some(Kind::Odt),
            Some(name) if name.starts_with("presentation") || name.starts_with("graphics") => Some(Kind::Odp),
            Some(name) if name.starts_with("spreadsheet") => Some(Kind::Ods),
            _ => (media_type.trim() == Kind::Epub.media_type()).then_some(Kind::Epub),
        };
        if let Some(kind) = known {
            return Ok(kind);
        }
    }
    if has("META-INF/container.xml") {
        return Ok(Kind::Epub);
    }
    // Some writers compress the part that tells the kind.
    if has("content.xml") && has("META-INF/manifest.xml") {
        return Ok(match hint.claim() {
            Some(Claim::Kind(kind @ (Kind::Odt | Kind::Odp | Kind::Ods))) => kind,
            _ => Kind::Odt,
        });
    }
    Err(NotRead::Archive)
}

/// The number of entries that the end of an archive states; 0 when it has no end.
#[must_use]
pub fn entry_count(bytes: &[u8]) -> usize {
    end(bytes).map_or(0, |end| short(end, 10).into())
}

/// The record at the end.
fn end(bytes: &[u8]) -> Option<&[u8]> {
    let from = bytes.len().saturating_sub(END_BYTES + MAX_COMMENT_BYTES);
    let tail = &bytes[from..];
    let at = tail.windows(4).rposition(|window| window == b"PK\x05\x06")?;
    tail.get(at..at + END_BYTES)
}

/// Names in the archive: those of the directory, or of an archive that is cut off, that of its first entry.
fn names(bytes: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    if let Some(end) = end(bytes) {
        let mut at = long(end, 16) as usize;
        while names.len() < MAX_NAMES
            && let Some(entry) = bytes
                .get(at..)
                .filter(|rest| rest.starts_with(b"PK\x01\x02") && rest.len() >= 46)
        {
            let [name, extra, comment] = [28, 30, 32].map(|field| usize::from(short(entry, field)));
            let Some(text) = entry.get(46..46 + name) else { break };
            // Some writers separate folders as Windows does.
            names.push(String::from_utf8_lossy(text).replace('\\', "/"));
            at += 46 + name + extra + comment;
        }
    }
    if names.is_empty() && bytes.len() >= 30 {
        let length = usize::from(short(bytes, 26));
        names.extend(
            bytes
                .get(30..30 + length)
                .map(|name| String::from_utf8_lossy(name).into_owned()),
        );
    }
    names
}

/// The text of the first entry, where it has this name and is not compressed.
fn stored<'b>(bytes: &'b [u8], name: &str) -> Option<&'b str> {
    let head = bytes.get(..30)?;
    let [name_bytes, extra] = [26, 28].map(|field| usize::from(short(head, field)));
    let text = 30 + name_bytes + extra;
    let is_it = bytes.get(30..30 + name_bytes)? == name.as_bytes() && short(head, 8) == 0;
    let content = bytes.get(text..text + long(head, 18) as usize)?;
    is_it.then(|| std::str::from_utf8(content).ok()).flatten()
}

fn short(bytes: &[u8], at: usize) -> u16 {
    bytes
        .get(at..at + 2)
        .map_or(0, |field| u16::from_le_bytes([field[0], field[1]]))
}

fn long(bytes: &[u8], at: usize) -> u32 {
    u32::from(short(bytes, at)) | u32::from(short(bytes, at + 2)) << 16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive of entries that are not compressed; sums are left out, nobody here looks at them.
    fn archive(entries: &[(&str, &str)]) -> Vec<u8> {
        let (mut bytes, mut directory) = (Vec::new(), Vec::new());
        for (name, content) in entries {
            let at = u32::try_from(bytes.len()).unwrap();
            let mut fields = vec![0_u8; 14];
            let size = u32::try_from(content.len()).unwrap().to_le_bytes();
            fields.extend([size, size].concat());
            fields.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
            fields.extend([0; 2]);
            bytes.extend([b"PK\x03\x04".as_slice(), &fields, name.as_bytes(), content.as_bytes()].concat());
            directory.extend(
                [
                    b"PK\x01\x02\0\0".as_slice(),
                    &fields,
                    &[0; 10],
                    &at.to_le_bytes(),
                    name.as_bytes(),
                ]
                .concat(),
            );
        }
        let at = u32::try_from(bytes.len()).unwrap().to_le_bytes();
        let count = u16::try_from(entries.len()).unwrap().to_le_bytes();
        let size = u32::try_from(directory.len()).unwrap().to_le_bytes();
        bytes.extend(
            [
                directory.as_slice(),
                b"PK\x05\x06\0\0\0\0",
                &count,
                &count,
                &size,
                &at,
                &[0; 2],
            ]
            .concat(),
        );
        bytes
    }

    #[test]
    fn names_and_the_first_entry_tell_the_kind() {
        for (entries, expected) in [
            (
                &[("[Content_Types].xml", ""), ("word/document.xml", "")][..],
                Ok(Kind::Docx),
            ),
            (
                &[("ppt\\presentation.xml", ""), ("[Content_Types].xml", "")],
                Ok(Kind::Pptx),
            ),
            (&[("[content_types].xml", ""), ("xl/workbook.xml", "")], Ok(Kind::Xlsx)),
            (
                &[("mimetype", "application/vnd.oasis.opendocument.text")],
                Ok(Kind::Odt),
            ),
            (
                &[("mimetype", "application/vnd.oasis.opendocument.spreadsheet-template")],
                Ok(Kind::Ods),
            ),
            (&[("mimetype", "application/epub+zip\n")], Ok(Kind::Epub)),
            (&[("a.docx", "x")], Err(NotRead::Archive)),
        ] {
            let bytes = archive(entries);
            assert_eq!(kind(&bytes, Hint::default()), expected);
            assert_eq!(entry_count(&bytes), entries.len());
        }
        assert_eq!(kind(b"PK\x03\x04 and more", Hint::default()), Err(NotRead::Archive));
    }
}
