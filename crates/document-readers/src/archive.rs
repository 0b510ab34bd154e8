//! Parts of files that are ZIP archives, inflated within limits.
//!
//! What an archive states about its sizes is not believed: inflating stops at the limit, whatever the directory says.

use std::io::{Cursor, Read};

use quartet_document_kinds::{Kind, entry_count};
use zip::ZipArchive;
use zip::result::ZipError;

use crate::charset;
use crate::error::Error;
use crate::limits::Limits;

/// An open archive.
pub struct Archive<'b> {
    zip: ZipArchive<Cursor<&'b [u8]>>,
    kind: Kind,
    limits: Limits,
    inflated: u64,
    /// Names of parts that end early or do not have their check sum.
    broken: Vec<String>,
}

impl<'b> Archive<'b> {
    /// Opens an archive.
    pub fn open(bytes: &'b [u8], kind: Kind, limits: &Limits) -> Result<Self, Error> {
        let too_many = Error::Limit {
            what: "parts in its archive",
            limit: limits.max_entries as u64,
        };
        if entry_count(bytes) > limits.max_entries {
            return Err(too_many);
        }
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|_| Error::Damaged {
            kind,
            reason: "its archive cannot be opened".to_owned(),
        })?;
        if zip.len() > limits.max_entries {
            return Err(too_many);
        }
        Ok(Self {
            zip,
            kind,
            limits: limits.clone(),
            inflated: 0,
            broken: Vec::new(),
        })
    }

    /// The bytes of a part, if there is one of this name. Office compares names without regard to case, and some writers
    /// separate folders as Windows does.
    pub fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let name = name.trim_start_matches('/');
        let index = self.zip.index_for_name(name).or_else(|| {
            let same = |known: &[u8]| {
                known.len() == name.len()
                    && known
                        .iter()
                        .zip(name.bytes())
                        .all(|(a, b)| a.eq_ignore_ascii_case(&b) || (*a == b'\\' && b == b'/'))
            };
            self.zip.file_names_raw().position(same)
        });
        let Some(index) = index else { return Ok(None) };
        let kind = self.kind;
        let part = self.zip.by_index(index).map_err(|error| match error {
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => Error::Password { kind },
            _ => Error::Damaged {
                kind,
                reason: format!("its part {} cannot be opened", shown(name)),
            },
        })?;
        let most = self
            .limits
            .max_part_bytes
            .min(self.limits.max_inflated_bytes - self.inflated);
        let too_large = match most == self.limits.max_part_bytes {
            true => Error::Limit {
                what: "bytes in one part of its archive, inflated",
                limit: self.limits.max_part_bytes,
            },
            false => Error::Limit {
                what: "bytes in its archive, inflated",
                limit: self.limits.max_inflated_bytes,
            },
        };
        // There may be more than it states, but what states more is no document.
        let stated = part.size();
        if stated > most {
            return Err(too_large);
        }
        let mut bytes = Vec::with_capacity(usize::try_from(stated).unwrap_or(0) + 1);
        let ended = part.take(most + 1).read_to_end(&mut bytes);
        if bytes.len() as u64 > most {
            return Err(too_large);
        }
        self.inflated += bytes.len() as u64;
        if ended.is_err() {
            self.broken.push(name.to_owned());
        }
        Ok(Some(bytes))
    }

    /// The text of a part.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, Error> {
        Ok(self.read(name)?.map(charset::markup))
    }

    /// The text of a part without which there is no document.
    pub fn needed(&mut self, name: &str) -> Result<String, Error> {
        self.text(name)?.ok_or_else(|| Error::Damaged {
            kind: self.kind,
            reason: format!("its part {} is missing", shown(name)),
        })
    }

    /// Warnings about parts that were broken.
    pub fn warnings(&self) -> Vec<String> {
        let warning = |name: &String| {
            format!(
                "The part {} of the file is damaged and was read as far as it goes.",
                shown(name)
            )
        };
        self.broken.iter().map(warning).collect()
    }
}

/// A name for a sentence: the beginning of it, without control characters.
fn shown(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(80).collect()
}

/// The path that a relative address leads to from a part: `../media/a.png` from `ppt/slides/slide1.xml`.
pub fn resolve(part: &str, address: &str) -> String {
    let address = address.split(['#', '?']).next().unwrap_or_default();
    if let Some(absolute) = address.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut path: Vec<&str> = part.split('/').collect();
    path.pop();
    for step in address.split('/') {
        match step {
            "." | "" => {}
            ".." => {
                path.pop();
            }
            step => path.push(step),
        }
    }
    path.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_resolved() {
        assert_eq!(resolve("ppt/slides/slide1.xml", "../notes/n.xml"), "ppt/notes/n.xml");
        assert_eq!(resolve("word/document.xml", "/word/styles.xml"), "word/styles.xml");
        assert_eq!(resolve("content.opf", "a/b.xhtml#c"), "a/b.xhtml");
        assert_eq!(resolve("a/b", "../../../c"), "c");
    }
}
