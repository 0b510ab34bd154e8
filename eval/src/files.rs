//! Files that other people made, as `cargo xtask` fetches them: photographs, pictures of text, PDFs, documents of other
//! kinds.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use quartet_api::Language;
use quartet_tests::{declaration, office};

/// The variable with the folders of the files, as in `PATH`.
const VARIABLE: &str = "QUARTET_TRAFFIC_FILES";

/// Pictures whose subject is text: all others are photographs.
const PICTURES_OF_TEXT: [&str; 5] = ["page.png", "text.png", "linn.png", "typewriter.png", "baiona.png"];

/// A file to send.
#[derive(Debug, Clone)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its contents.
    pub bytes: Bytes,
}

/// All of them, by kind, each kind in the order of names.
#[derive(Debug, Default)]
pub struct Files {
    /// Photographs.
    pub photographs: Vec<File>,
    /// Pictures of text.
    pub pages: Vec<File>,
    /// PDFs.
    pub pdfs: Vec<File>,
    /// Documents of Office, OpenDocument, EPUB, HTML, Markdown, text and tables.
    pub others: Vec<File>,
}

impl Files {
    /// Reads them.
    ///
    /// # Errors
    /// When the variable is not set, a folder cannot be read, or one of the kinds is missing.
    pub fn read() -> Result<Self> {
        let folders = std::env::var_os(VARIABLE)
            .with_context(|| format!("{VARIABLE} is not set: run the program by `cargo xtask`"))?;
        let mut files = Self::default();
        for folder in std::env::split_paths(&folders) {
            for path in inside(&folder)? {
                files.take(&path)?;
            }
        }
        files.others.extend(made_of_the_declaration());
        files.others.push(File {
            name: "README.md".to_owned(),
            bytes: Bytes::from_static(include_bytes!("../../README.md")),
        });
        for (kind, found) in [
            ("photograph", &files.photographs),
            ("picture of text", &files.pages),
            ("PDF", &files.pdfs),
        ] {
            ensure!(!found.is_empty(), "the folders of {VARIABLE} have no {kind}");
        }
        Ok(files)
    }

    fn take(&mut self, path: &Path) -> Result<()> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let kind = match path.extension().and_then(|extension| extension.to_str()) {
            Some("jpg" | "jpeg" | "png") if PICTURES_OF_TEXT.contains(&name.as_str()) => &mut self.pages,
            Some("jpg" | "jpeg" | "png") => &mut self.photographs,
            Some("pdf") => &mut self.pdfs,
            Some("docx" | "pptx" | "xlsx" | "odt" | "ods" | "odp" | "epub" | "html" | "md" | "csv" | "txt" | "eml") => {
                &mut self.others
            }
            // Licences and the like.
            _ => return Ok(()),
        };
        let bytes = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        kind.push(File {
            name,
            bytes: bytes.into(),
        });
        Ok(())
    }

    /// One of the PDFs: by size in the middle.
    pub fn a_pdf(&self) -> &File {
        let mut all: Vec<_> = self.pdfs.iter().collect();
        all.sort_by_key(|file| file.bytes.len());
        all[all.len() / 2]
    }

    /// Number of each kind, for the head of a report.
    pub fn summary(&self) -> String {
        format!(
            "{} photographs, {} pictures of text, {} PDFs, {} documents of other kinds",
            self.photographs.len(),
            self.pages.len(),
            self.pdfs.len(),
            self.others.len()
        )
    }
}

/// The files in a folder, by name: the same draw then takes the same file everywhere.
fn inside(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading the folder {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    paths.retain(|path| path.is_file());
    paths.sort();
    Ok(paths)
}

/// Documents of the kinds that no package brings, made of a real text: the Declaration of Human Rights.
fn made_of_the_declaration() -> Vec<File> {
    let chapters = |language: Language| -> Vec<String> {
        declaration::text(language)
            .split("\n\n")
            .map(|paragraph| format!("<p>{}</p>", paragraph.trim()))
            .collect()
    };
    let spanish = chapters(Language::Spanish);
    let spanish: Vec<_> = spanish.iter().map(String::as_str).collect();
    let rows: String = declaration::text(Language::French)
        .split("\n\n")
        .enumerate()
        .map(|(row, text)| {
            let text = text.trim();
            format!("<row><c><v>{row}</v></c><c t=\"inlineStr\"><is><t>{text}</t></is></c></row>")
        })
        .collect();
    let html = format!(
        "<!doctype html><html lang=\"de\"><title>Menschenrechte</title><body>{}</body></html>",
        chapters(Language::German).concat()
    );
    [
        ("declaration.epub", office::epub("Derechos humanos", &spanish)),
        ("declaration.xlsx", office::xlsx("Droits", &rows)),
        ("declaration.html", html.into_bytes()),
        (
            "declaration.txt",
            declaration::text(Language::Japanese).as_bytes().to_vec(),
        ),
    ]
    .map(|(name, bytes)| File {
        name: name.to_owned(),
        bytes: bytes.into(),
    })
    .into()
}
