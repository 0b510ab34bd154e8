//! Blocks of a page with their kinds: headings, paragraphs, list items, captions and others.

use rustc_hash::FxHashSet;

use super::layout::{PageLayout, Part};
use super::line::Line;
use super::page_content::Area;
use super::paragraphs::{self, Paragraph};
use quartet_text_analysis::{Block, Heading, Kind, Layout, Page, Place, Source};

/// Font sizes and vocabulary of a document.
pub struct Style {
    /// Size of most of its text.
    body: f64,
    /// Size of its title.
    title: Option<f64>,
    /// Words inside lines, in lower case, and the parts of those with hyphens.
    words: FxHashSet<String>,
}

impl Style {
    /// Collects them from all pages.
    pub fn new(layouts: &[PageLayout]) -> Self {
        let mut sizes: Vec<(i64, usize)> = Vec::new();
        let mut words = FxHashSet::default();
        for line in layouts.iter().flat_map(lines) {
            #[expect(clippy::cast_possible_truncation, reason = "half points")]
            let size = (line.size * 2.0).round() as i64;
            let count = line.text.chars().count();
            match sizes.iter_mut().find(|(known, _)| *known == size) {
                Some((_, sum)) => *sum += count,
                None => sizes.push((size, count)),
            }
            // The last word of a line may be a part of one.
            let inside = line.text.trim_end();
            let inside = if inside.ends_with('-') {
                inside.rsplit_once(' ').map_or("", |(inside, _)| inside)
            } else {
                inside
            };
            for word in inside.split(|c: char| !c.is_alphanumeric() && c != '-') {
                let word = word.trim_matches('-').to_lowercase();
                if (3..40).contains(&word.len())
                    && !word.starts_with(|c: char| c.is_numeric())
                    && !words.contains(&word)
                {
                    words.insert(word);
                }
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "half points")]
        let body = sizes
            .iter()
            .max_by_key(|(_, count)| *count)
            .map_or(10.0, |(size, _)| *size as f64 / 2.0);
        let largest = layouts.first().map(|first| {
            lines(first)
                .filter(|line| line.y < 0.7 * first.height)
                .map(|line| line.size)
                .fold(0.0, f64::max)
        });
        let title = largest.filter(|size| *size > 1.25 * body);
        Self { body, title, words }
    }

    fn is_word(&self, word: &str) -> bool {
        self.words.contains(word)
    }
}

fn lines(layout: &PageLayout) -> impl Iterator<Item = &Line> {
    layout.parts.iter().flat_map(|part| match part {
        Part::Lines(lines) => lines.as_slice(),
        _ => &[],
    })
}

/// Builds a page of its layout; returns also its headings with their sizes.
pub fn page(layout: PageLayout, style: &Style) -> (Page, Vec<(Heading, f64)>) {
    let mut blocks = Vec::new();
    let mut areas = Vec::new();
    let mut headings = Vec::new();
    let words = |word: &str| style.is_word(word);
    let mut push = |kind: Kind, text: String, area: Option<Area>| {
        blocks.push(Block { kind, text });
        areas.push(area);
    };
    for line in layout.headers {
        push(Kind::Header, line.text.trim().to_owned(), Some(line.area));
    }
    for part in layout.parts {
        match part {
            Part::Table(text, area) => push(Kind::Table, without_leaders(&text), Some(area)),
            Part::Turned(lines) => push(Kind::Other, paragraphs::joined(&lines, &words), bounds(&lines)),
            Part::Lines(lines) => {
                for paragraph in paragraphs::paragraphs(lines) {
                    let kind = kind(&paragraph, layout.number, layout.height, style);
                    let text = if kind == Kind::Code {
                        paragraphs::verbatim(&paragraph.lines)
                    } else {
                        without_leaders(&paragraphs::joined(&paragraph.lines, &words))
                    };
                    if text.trim().is_empty() {
                        continue;
                    }
                    if matches!(kind, Kind::Heading | Kind::Title) {
                        let heading = Heading {
                            title: text.clone(),
                            level: 1,
                            page: Some(layout.number),
                        };
                        headings.push((heading, paragraph.lines[0].size));
                    }
                    push(kind, text, bounds(&paragraph.lines));
                }
            }
        }
    }
    for text in layout.notes {
        push(Kind::Other, text, None);
    }
    for line in layout.footers {
        push(Kind::Footer, line.text.trim().to_owned(), Some(line.area));
    }
    let source = match (blocks.is_empty(), layout.is_recognised) {
        (true, _) => Source::Empty,
        (false, true) => Source::Ocr,
        (false, false) => Source::Text,
    };
    (
        Page {
            number: layout.number,
            blocks,
            links: layout.links,
            source,
            warnings: layout.warnings,
            layout: Some(placed(layout.width, layout.height, &areas)),
        },
        headings,
    )
}

/// Bounds of lines.
fn bounds(lines: &[Line]) -> Option<Area> {
    lines.iter().map(|line| line.area).reduce(|a, b| a.with(&b))
}

/// The places of blocks on a page of a size, as far as they are on it.
#[expect(clippy::cast_possible_truncation, reason = "points")]
fn placed(width: f64, height: f64, areas: &[Option<Area>]) -> Layout {
    let page = Area {
        x0: 0.0,
        y0: 0.0,
        x1: width,
        y1: height,
    };
    let place = |area: &Area| {
        let area = area.common(&page);
        (area.x0 < area.x1 && area.y0 < area.y1).then_some(Place {
            left: area.x0 as f32,
            top: area.y0 as f32,
            right: area.x1 as f32,
            bottom: area.y1 as f32,
        })
    };
    Layout {
        width: width as f32,
        height: height as f32,
        places: areas.iter().map(|area| area.as_ref().and_then(place)).collect(),
    }
}

fn kind(paragraph: &Paragraph, page: usize, height: f64, style: &Style) -> Kind {
    let lines = &paragraph.lines;
    let first = &lines[0];
    if lines.iter().all(|line| line.fixed) {
        return Kind::Code;
    }
    let text = first.text.trim();
    let letters = lines
        .iter()
        .map(|line| line.text.chars().filter(|c| c.is_alphabetic()).count())
        .sum::<usize>();
    let short = lines.len() <= 3 && (2..=200).contains(&letters);
    let size = first.size;
    if is_caption(text) && lines.len() <= 6 {
        return Kind::Caption;
    }
    if short && page == 1 && style.title.is_some_and(|title| size > 0.97 * title) {
        return Kind::Title;
    }
    let sentence = lines
        .last()
        .is_some_and(|line| line.text.trim_end().ends_with(['.', ',', ';', '。', '،']));
    let bold = lines.iter().all(|line| line.bold);
    if short && (size > 1.14 * style.body || (bold && !sentence && size > 0.94 * style.body && lines.len() <= 2)) {
        return Kind::Heading;
    }
    if first.y > 0.6 * height && size < 0.92 * style.body && starts_as_note(text) {
        return Kind::Footnote;
    }
    if paragraphs::is_item(text) {
        Kind::ListItem
    } else {
        Kind::Paragraph
    }
}

/// Returns true if a text begins with the number or sign of a footnote.
fn starts_as_note(text: &str) -> bool {
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    (1..=3).contains(&digits) || text.starts_with(['*', '†', '‡', '§', '¹', '²', '³'])
}

/// Returns true if a text is the caption of a figure or table: its word, and a number.
fn is_caption(text: &str) -> bool {
    const WORDS: [&str; 24] = [
        "Figure",
        "Fig.",
        "Table",
        "Abbildung",
        "Abb.",
        "Tabelle",
        "Tab.",
        "Tableau",
        "Figura",
        "Tabella",
        "Tabla",
        "Tabela",
        "Рисунок",
        "Рис.",
        "Таблица",
        "Figuur",
        "Tabel",
        "Listing",
        "図",
        "表",
        "图",
        "그림",
        "표",
        "शकल",
    ];
    WORDS.iter().any(|word| {
        text.strip_prefix(word).is_some_and(|rest| {
            let rest = rest.trim_start();
            let number = rest
                .chars()
                .take_while(|c| c.is_ascii_digit() || matches!(c, '.' | '-'))
                .count();
            number > 0
                && rest.starts_with(|c: char| c.is_ascii_digit())
                && (rest[number..].is_empty()
                    || rest[..number].ends_with('.')
                    || rest[number..].starts_with([':', ' ', '—', '–', '：', '　']))
        })
    })
}

/// Replaces dot leaders, as of a table of contents, by a tab.
fn without_leaders(text: &str) -> String {
    if !text.contains(". . .") && !text.contains("....") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut dots = String::new();
    let flush = |out: &mut String, dots: &mut String| {
        if dots.matches('.').count() > 4 {
            out.truncate(out.trim_end().len());
            out.push('\t');
        } else {
            out.push_str(dots);
        }
        dots.clear();
    };
    for c in text.chars() {
        if c == '.' || (c == ' ' && !dots.is_empty()) {
            dots.push(c);
        } else {
            flush(&mut out, &mut dots);
            out.push(c);
        }
    }
    flush(&mut out, &mut dots);
    out
}

/// Assigns levels to headings by their sizes: the largest is 1.
pub fn levels(headings: Vec<(Heading, f64)>) -> Vec<Heading> {
    let mut sizes: Vec<f64> = headings.iter().map(|(_, size)| *size).collect();
    sizes.sort_by(|a, b| b.total_cmp(a));
    sizes.dedup_by(|b, a| *a - *b < 0.6);
    headings
        .into_iter()
        .map(|(heading, size)| {
            let above = sizes.iter().filter(|known| **known > size + 0.6).count();
            Heading {
                level: u8::try_from(above + 1).unwrap_or(u8::MAX).min(6),
                ..heading
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaders_become_tabs() {
        assert_eq!(without_leaders("1.1 Birds . . . . . . . 12"), "1.1 Birds\t12");
        assert_eq!(without_leaders("wait ... what. Yes"), "wait ... what. Yes");
        assert_eq!(without_leaders("a ........ 3"), "a\t3");
    }

    #[test]
    fn captions_have_a_number() {
        assert!(
            is_caption("Figure 3: Birds")
                && is_caption("Abb. 2 Vögel")
                && is_caption("表 1.2：鳥")
                && is_caption("Table 4.")
        );
        assert!(!is_caption("Table of contents") && !is_caption("Figures 3"));
    }
}
