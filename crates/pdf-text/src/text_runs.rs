//! Text runs: characters that follow one another on a baseline without a wide gap between them.

use compact_str::CompactString;

use super::characters;
use super::page_content::{Area, Glyph};

/// Widest gap inside a run, in sizes of the font: wider ones may be between columns.
const MAX_GAP: f64 = 1.2;
/// Widest gap inside a line of monospaced text, in sizes of the font.
const MAX_MONOSPACED_GAP: f64 = 30.0;
/// Largest overlap of a character with the one before it, in sizes of the font.
const MAX_OVERLAP: f64 = 0.5;

/// Character in a frame in which its line runs rightwards.
#[derive(Debug, Clone)]
pub struct PositionedChar {
    /// Its text.
    pub text: CompactString,
    /// Its left edge.
    pub x0: f64,
    /// Its right edge.
    pub x1: f64,
    /// Its baseline, growing down.
    pub y: f64,
    /// Size of its font.
    pub size: f64,
    /// True if it is bold.
    pub bold: bool,
    /// True if its font is monospaced.
    pub fixed: bool,
}

impl PositionedChar {
    /// Turns a glyph so that its line runs rightwards.
    pub fn new(glyph: Glyph) -> Self {
        let turn = |(x, y): (f64, f64)| match glyph.direction {
            0 => (x, y),
            90 => (y, -x),
            180 => (-x, -y),
            270 => (-y, x),
            other => {
                let (sin, cos) = f64::from(other).to_radians().sin_cos();
                (x.mul_add(cos, y * sin), y.mul_add(cos, -x * sin))
            }
        };
        let (start, end) = (turn(glyph.start), turn(glyph.end));
        Self {
            text: glyph.text,
            x0: start.0.min(end.0),
            x1: start.0.max(end.0),
            y: start.1,
            size: glyph.size,
            bold: glyph.bold,
            fixed: glyph.fixed,
        }
    }

    /// Returns true if it is a space.
    pub fn is_space(&self) -> bool {
        self.text == " "
    }
}

/// Run of characters that follow one another.
#[derive(Debug, Clone)]
pub struct TextRun {
    /// The characters, from left to right.
    pub chars: Vec<PositionedChar>,
    /// Their bounds.
    pub area: Area,
    /// Their baseline.
    pub y: f64,
    /// Font size of most of them.
    pub size: f64,
    /// Text of a whole table, which a run without characters stands for.
    pub table: Option<String>,
}

impl TextRun {
    /// Creates a run that stands for a table.
    pub fn of_table(text: String, area: Area) -> Self {
        Self {
            chars: Vec::new(),
            area,
            y: area.y1,
            size: 10.0,
            table: Some(text),
        }
    }

    /// Returns true if all its characters are monospaced.
    fn is_fixed(&self) -> bool {
        self.chars.iter().all(|ch| ch.fixed)
    }

    fn new(ch: PositionedChar) -> Self {
        let mut run = Self {
            area: Area {
                x0: ch.x0,
                y0: ch.y,
                x1: ch.x1,
                y1: ch.y,
            },
            y: ch.y,
            size: ch.size,
            table: None,
            chars: vec![ch],
        };
        run.measure(1);
        run
    }

    /// Trims the spaces at its ends to `blanks`, and computes its bounds.
    fn measure(&mut self, blanks: usize) {
        let trailing = self.chars.iter().rev().take_while(|ch| ch.is_space()).count();
        self.chars.truncate(self.chars.len() - trailing.saturating_sub(blanks));
        let leading = self.chars.iter().take_while(|ch| ch.is_space()).count();
        self.chars.drain(..leading.saturating_sub(blanks));
        let Some(first) = self.chars.first() else { return };
        // The size and baseline of the run of one size that is longest.
        let (mut size, mut y, mut best) = (first.size, first.y, 0);
        for same_size in self
            .chars
            .chunk_by(|a, b| (a.size - b.size).abs() < 0.1 && (a.y - b.y).abs() < 0.2 * a.size)
        {
            if same_size.len() > best {
                (size, y, best) = (same_size[0].size, same_size[0].y, same_size.len());
            }
        }
        (self.size, self.y) = (size, y);
        // Its letters, or when it is a space only, that.
        let blank = self.is_blank();
        let counted = || self.chars.iter().filter(|ch| blank || !ch.is_space());
        self.area.x0 = counted().map(|ch| ch.x0).fold(f64::INFINITY, f64::min);
        self.area.x1 = counted().map(|ch| ch.x1).fold(f64::NEG_INFINITY, f64::max);
        self.area.y0 = y - 0.8 * size;
        self.area.y1 = y + 0.22 * size;
    }

    fn add(&mut self, ch: PositionedChar) {
        self.area.x1 = self.area.x1.max(ch.x1);
        self.chars.push(ch);
    }

    fn is_blank(&self) -> bool {
        self.chars.iter().all(PositionedChar::is_space)
    }

    /// Returns true if another run has the same characters at the same places.
    fn says_the_same(&self, other: &Self) -> bool {
        let letters = |run: &Self| run.chars.iter().filter(|ch| !ch.is_space()).count();
        letters(self) == letters(other)
            && self
                .chars
                .iter()
                .filter(|ch| !ch.is_space())
                .zip(other.chars.iter().filter(|ch| !ch.is_space()))
                .all(|(a, b)| a.text == b.text && (a.x0 - b.x0).abs() < 0.3 * a.size.max(1.0))
    }

    /// Its width, in sizes of its font.
    pub fn width_in_sizes(&self) -> f64 {
        (self.area.x1 - self.area.x0) / self.size.max(0.1)
    }
}

/// Groups characters into runs in the order in which they are drawn, then joins runs of one line that were drawn apart.
pub fn text_runs(chars: impl Iterator<Item = PositionedChar>) -> Vec<TextRun> {
    let mut found: Vec<TextRun> = Vec::new();
    // Spaces since the last letter, which only count when a letter follows.
    let mut blank = 0.0;
    for ch in chars {
        let Some(run) = found.last_mut() else {
            found.push(TextRun::new(ch));
            continue;
        };
        let Some(last) = run.chars.last() else {
            *run = TextRun::new(ch);
            continue;
        };
        let size = last.size.max(ch.size);
        let gap = ch.x0 - last.x1;
        if last.text == ch.text && (ch.x0 - last.x0).abs() < 0.12 * size && (ch.y - last.y).abs() < 0.12 * size {
            continue;
        }
        let wide_blank = !last.fixed && blank + gap.max(0.0) > 1.8 * size && !ch.is_space();
        let follows =
            (ch.y - last.y).abs() < 0.5 * size && gap < MAX_GAP * size && gap > -MAX_OVERLAP * size && !wide_blank;
        blank = if ch.is_space() {
            if follows {
                blank + (ch.x1 - last.x1).max(0.0)
            } else {
                ch.x1 - ch.x0
            }
        } else {
            0.0
        };
        if !follows {
            found.push(TextRun::new(ch));
        } else if let Some(letter) = accented(last, &ch) {
            let at = run.chars.len() - 1;
            let base = if characters::combining(first(&last.text)).is_some() {
                &ch
            } else {
                last
            };
            run.chars[at] = PositionedChar {
                text: letter,
                x0: last.x0.min(ch.x0),
                x1: base.x1,
                ..base.clone()
            };
        } else {
            run.add(ch);
        }
    }
    // A space that was drawn apart is one between pieces, unless it is as wide as between columns.
    found.iter_mut().for_each(|run| run.measure(1));
    found.retain(|run| !run.is_blank() || run.width_in_sizes() < 0.7);
    let mut found = joined(found);
    found.retain(|run| !run.is_blank());
    found.iter_mut().for_each(|run| run.measure(0));
    found
}

fn first(text: &str) -> char {
    text.chars().next().unwrap_or(' ')
}

/// Composes an accent and a letter that are drawn over one another.
fn accented(last: &PositionedChar, next: &PositionedChar) -> Option<CompactString> {
    let (a, b) = (first(&last.text), first(&next.text));
    let (accent, letter, mark, base) = if characters::combining(a).is_some() {
        (a, b, last, next)
    } else if characters::combining(b).is_some() {
        (b, a, next, last)
    } else {
        return None;
    };
    let middle = f64::midpoint(mark.x0, mark.x1);
    let over = middle > base.x0 - 0.05 * base.size
        && middle < base.x1 + 0.05 * base.size
        && next.x0 < last.x1 - 0.1 * last.size;
    if !over || !letter.is_alphabetic() {
        return None;
    }
    characters::compose(letter, accent).map(|c| CompactString::from_iter([c]))
}

/// Joins runs of one line that were drawn apart, and leaves out those that were drawn twice to look bold.
fn joined(mut runs: Vec<TextRun>) -> Vec<TextRun> {
    runs.sort_by(|a, b| a.y.total_cmp(&b.y));
    let mut done: Vec<TextRun> = Vec::with_capacity(runs.len());
    let mut rest = runs.into_iter().peekable();
    while let Some(first) = rest.next() {
        let mut row = vec![first];
        while let Some(next) = rest.next_if(|next| next.y - row[0].y < 0.2 * next.size.min(row[0].size)) {
            row.push(next);
        }
        row.sort_by(|a, b| a.area.x0.total_cmp(&b.area.x0));
        let mut chains: Vec<TextRun> = Vec::new();
        for run in row {
            let mut place = None;
            let mut again = false;
            for (at, chain) in chains.iter().enumerate().rev().take(4) {
                let size = chain.size.max(run.size);
                let gap = run.area.x0 - chain.area.x1;
                let alike = run.size.min(chain.size) > 0.5 * size;
                let limit = if chain.is_fixed() && run.is_fixed() {
                    MAX_MONOSPACED_GAP
                } else {
                    MAX_GAP * 0.85
                };
                if alike && gap < limit * size && gap > -0.35 * size {
                    place = Some(at);
                    break;
                }
                again |= gap < 0.0 && chain.says_the_same(&run);
            }
            match place {
                _ if again => {}
                Some(at) => {
                    chains[at].chars.extend(run.chars);
                    chains[at].measure(1);
                }
                None => chains.push(run),
            }
        }
        done.append(&mut chains);
    }
    done
}
