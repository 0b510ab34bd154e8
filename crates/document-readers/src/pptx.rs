//! Presentations of PowerPoint (PresentationML of ECMA-376, part 1): a slide is a page, with the speaker's notes at its end.

use quartet_text_analysis::{Document, Kind as BlockKind};

use crate::archive::Archive;
use crate::draft::{Draft, rows};
use crate::error::Error;
use crate::limits::MAX_COLUMNS;
use crate::options::Options;
use crate::package::{self, Relationships};
use crate::xml::{Node, Xml};
use quartet_document_kinds::Kind;

/// Reads a presentation.
pub fn read(bytes: &[u8], options: &Options<'_>) -> Result<Document, Error> {
    let mut archive = Archive::open(bytes, Kind::Pptx, &options.limits)?;
    let main = package::main_part(&mut archive, "ppt/presentation.xml")?;
    let text = archive.needed(&main)?;
    let relationships = package::relationships(&mut archive, &main)?;
    let mut slides = Vec::new();
    let mut xml = Xml::new(&text);
    while let Some(node) = xml.next()? {
        if let Node::Open(tag) = node
            && tag.name() == "sldId"
            && let Some(slide) = tag.qualified("r:id").and_then(|id| relationships.get(&id))
        {
            slides.push(slide.target.clone());
        }
    }
    let mut draft = Draft::new(options);
    package::properties(&mut archive, &mut draft)?;
    let mut left_out = LeftOut::default();
    for slide in &slides {
        draft.begin_page();
        if draft.is_full() {
            break;
        }
        let Some(text) = archive.text(slide)? else {
            draft.warn_page("The slide is missing in the file.");
            continue;
        };
        let relationships = package::relationships(&mut archive, slide)?;
        left_out.add(&self::slide(&text, &relationships, &mut draft)?);
        for (kind, note) in [("diagramData", ""), ("notesSlide", "Notes: ")] {
            let Some(part) = package::of_kind(&relationships, kind).map(str::to_owned) else {
                continue;
            };
            let text = archive.text(&part)?.unwrap_or_default();
            for shape in shapes(&text, &Relationships::default())?.0 {
                // A notes page repeats the slide and its number.
                if kind == "notesSlide" && shape.role != Role::Body {
                    continue;
                }
                let lines: Vec<&str> = shape
                    .lines
                    .iter()
                    .map(|line| line.text.trim())
                    .filter(|line| !line.is_empty())
                    .collect();
                if !lines.is_empty() {
                    draft.block(BlockKind::Other, &format!("{note}{}", lines.join("\n")));
                }
            }
        }
    }
    if left_out.pictures > 0 {
        draft.warn(&format!("Pictures on the slides are not read: {}.", left_out.pictures));
    }
    if left_out.charts > 0 {
        draft.warn(&format!("Charts on the slides are not read: {}.", left_out.charts));
    }
    archive.warnings().iter().for_each(|warning| draft.warn(warning));
    Ok(draft.finish(slides.len()))
}

/// Things on slides that are not read.
#[derive(Debug, Default)]
struct LeftOut {
    pictures: usize,
    charts: usize,
}

impl LeftOut {
    fn add(&mut self, other: &Self) {
        self.pictures += other.pictures;
        self.charts += other.charts;
    }
}

/// The purpose of a shape, by its placeholder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Role {
    Title,
    Body,
    Footer,
    #[default]
    Other,
}

/// A line of a shape.
#[derive(Debug, Default)]
struct Line {
    text: String,
    /// True with a sign or a number of its own, false without, none where the layout decides.
    bullet: Option<bool>,
    level: usize,
}

/// A shape with text, or a table.
#[derive(Debug, Default)]
struct Shape {
    role: Role,
    lines: Vec<Line>,
    table: Option<Vec<Vec<String>>>,
    links: Vec<(String, String)>,
}

/// Reads a slide into its page: titles first, because shapes stand in the order in which they cover one another.
fn slide(text: &str, relationships: &Relationships, draft: &mut Draft<'_>) -> Result<LeftOut, Error> {
    let (mut shapes, left_out) = shapes(text, relationships)?;
    shapes.sort_by_key(|shape| match shape.role {
        Role::Title => 0,
        Role::Footer => 2,
        Role::Body | Role::Other => 1,
    });
    for shape in shapes {
        if let Some(table) = &shape.table {
            draft.block(BlockKind::Table, &rows(table));
        }
        let filled = shape.lines.iter().filter(|line| !line.text.trim().is_empty());
        let several = filled.clone().count() > 1;
        if shape.role == Role::Title {
            let title: Vec<&str> = filled.map(|line| line.text.trim()).collect();
            draft.heading(1, &title.join(" "));
        } else {
            for line in filled {
                let in_list = line
                    .bullet
                    .unwrap_or(shape.role == Role::Body && (several || line.level > 0));
                let kind = match shape.role {
                    Role::Footer => BlockKind::Footer,
                    _ if in_list => BlockKind::ListItem,
                    _ => BlockKind::Paragraph,
                };
                draft.block(kind, &line.text);
            }
        }
        for (text, url) in &shape.links {
            draft.link(text, url);
        }
    }
    Ok(left_out)
}

/// The shapes of a part.
fn shapes(text: &str, relationships: &Relationships) -> Result<(Vec<Shape>, LeftOut), Error> {
    let mut all: Vec<Shape> = Vec::new();
    let mut left_out = LeftOut::default();
    let mut shape = Shape::default();
    let mut line = Line::default();
    let (mut row, mut cell): (Vec<String>, Option<String>) = (Vec::new(), None);
    let (mut in_text, mut in_run, mut link): (bool, bool, Option<(String, usize)>) = (false, false, None);
    let mut xml = Xml::new(text);
    while let Some(node) = xml.next()? {
        match node {
            Node::Open(tag) => match tag.name() {
                "Fallback" => xml.skip()?,
                // A diagram's points are no shapes, but texts like them.
                "sp" | "graphicFrame" | "pt" => all.push(std::mem::take(&mut shape)),
                "ph" => {
                    shape.role = match tag.attribute("type").as_deref() {
                        Some("title" | "ctrTitle") => Role::Title,
                        Some("dt" | "ftr" | "sldNum" | "hdr") => Role::Footer,
                        Some("body" | "obj") | None => Role::Body,
                        Some(_) => Role::Other,
                    }
                }
                "pPr" => line.level = tag.number("lvl").unwrap_or(0),
                "buNone" => line.bullet = Some(false),
                "buChar" | "buAutoNum" | "buBlip" => line.bullet = Some(true),
                "t" => in_text = true,
                "r" => in_run = true,
                "br" => line.text.push('\n'),
                // A shape may be a link, too.
                "hlinkClick" if in_run => {
                    let target = tag.qualified("r:id").and_then(|id| relationships.get(&id));
                    let target = target.filter(|target| target.is_external);
                    link = target.map(|target| (target.target.clone(), line.text.len()));
                }
                "tbl" => shape.table = Some(Vec::new()),
                "tc" => cell = Some(String::new()),
                "pic" => left_out.pictures += 1,
                "chart" => left_out.charts += 1,
                _ => {}
            },
            Node::Text(text) if in_text => line.text.push_str(&text),
            Node::Text(_) => {}
            Node::Close(end) => match end.name() {
                "t" => in_text = false,
                "r" => {
                    in_run = false;
                    if let Some((url, from)) = link.take() {
                        let text = line.text.get(from..).unwrap_or_default();
                        shape.links.push((text.to_owned(), url));
                    }
                }
                "p" => {
                    let line = std::mem::take(&mut line);
                    match &mut cell {
                        Some(cell) => {
                            if !cell.is_empty() {
                                cell.push(' ');
                            }
                            cell.push_str(&line.text);
                        }
                        None => shape.lines.push(line),
                    }
                }
                "tc" if row.len() < MAX_COLUMNS => row.extend(cell.take()),
                "tr" => {
                    let row = std::mem::take(&mut row);
                    if let Some(table) = &mut shape.table {
                        table.push(row);
                    }
                }
                "sp" | "graphicFrame" | "pt" => all.push(std::mem::take(&mut shape)),
                _ => {}
            },
        }
    }
    all.push(shape);
    all.retain(|shape| shape.table.is_some() || shape.lines.iter().any(|line| !line.text.trim().is_empty()));
    Ok((all, left_out))
}
