//! The words of Japanese, read in place from the bytes that are part of the program.
//!
//! The bytes are made by the command `quartet-dictionary` from the dictionary of Open JTalk (NAIST-jdic and UniDic, as
//! maintained in `pyopenjtalk-plus`). Ready-made readers of such dictionaries build tables of five times the size on the
//! heap; here only the few hundred word classes are parsed, and a request dirties no memory.
//!
//! # Format
//!
//! Little-endian, without padding. A head: `QJD1`, then where each of the seven parts ends, counted from the start of
//! the file (`u32`). The parts:
//!
//! 1. An `fst` map from every written form to the number of its first entry.
//! 2. The entries, seven bytes each: word class (`u16`; the highest bit is set when the next entry has the same written
//!    form), cost (`i16`), where in part 3 the pronunciation starts (`u24`).
//! 3. Pronunciations, each up to a zero byte, a byte a kana (1 is ァ, 2 is ア, and so on to ー); none for symbols. After a
//!    byte 255, the reading follows, where a number before the word depends on it.
//! 4. The word classes, a line each: number as a right neighbour, number as a left neighbour, part of speech (4 fields),
//!    inflection, form, separated by commas.
//! 5. What neighbours cost: how many numbers there are for left neighbours and for right ones (`u16`), then the costs
//!    (`i16`), those of one right neighbour together.
//! 6. Runs of characters: the first (`u32`), and bits (`u32`): 0 to 17 the categories that the characters belong to, 18 to
//!    25 the one that they have by default, 26 to 29 the longest unlisted word in characters, 30 whether a run makes a
//!    word, 31 whether unlisted words are tried beside listed ones.
//! 7. For each category how many entries unlisted words have (`u8`), and these: class (`u16`), cost (`i16`).

use fst::Map;
use fst::raw::Output;
use jpreprocess_core::word_details::WordDetails;

/// The words.
pub struct Dictionary {
    forms: Map<&'static [u8]>,
    entries: &'static [u8],
    pronunciations: &'static [u8],
    classes: Vec<Class>,
    left_neighbours: usize,
    costs: &'static [u8],
    runs: &'static [u8],
    /// By category, class and cost.
    unlisted: Vec<Vec<(u16, i16)>>,
}

/// A class of words with the same grammar.
pub struct Class {
    /// The number of the class as a neighbour of the word before.
    pub left: u16,
    /// The number of the class as a neighbour of the word after.
    pub right: u16,
    /// Its grammar, without a pronunciation.
    pub details: WordDetails,
}

/// One reading of a written form.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The number of its [`Class`].
    pub class: u16,
    /// Its cost.
    pub cost: i16,
    /// Its pronunciation, for [`Dictionary::pronunciation`].
    pub pronunciation: u32,
}

/// The part that a character takes in unlisted words.
#[derive(Debug, Clone, Copy)]
pub struct Character(u32);

impl Character {
    /// The category whose entries unlisted words take that begin with the character.
    pub fn category(self) -> usize {
        (self.0 >> 18 & 0xff) as usize
    }

    /// The longest unlisted word by count, in characters.
    pub fn length(self) -> usize {
        (self.0 >> 26 & 0xf) as usize
    }

    /// Returns true if all characters of a kind in a row may be one word.
    pub fn groups(self) -> bool {
        self.0 & 1 << 30 != 0
    }

    /// Returns true if unlisted words are tried although listed ones begin here.
    pub fn always(self) -> bool {
        self.0 & 1 << 31 != 0
    }

    /// Returns true if two characters have a category in common.
    pub fn is_kind_of(self, other: Self) -> bool {
        self.0 & other.0 & 0x3_ffff != 0
    }
}

const MAGIC: &[u8] = b"QJD1";
/// The number of parts of the file.
const PARTS: usize = 7;
/// The size of an entry.
const ENTRY_BYTES: usize = 7;
/// The bit of a class that says that the next entry has the same written form.
const MORE_BIT: u16 = 0x8000;
/// The byte between a pronunciation and a reading.
const READING_MARK: u8 = 0xff;
const NO_PRONUNCIATION: u32 = 0;

fn u16_at(bytes: &[u8], offset: usize) -> u16 {
    u16::from_le_bytes([bytes[offset], bytes[offset + 1]])
}

fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes([bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3]])
}

impl Dictionary {
    /// Opens a dictionary.
    ///
    /// # Panics
    ///
    /// If the bytes are no dictionary of this format: they are part of the program.
    pub fn open(bytes: &'static [u8]) -> Self {
        assert!(bytes.starts_with(MAGIC), "the Japanese dictionary is of another format");
        let ends = (0..PARTS).map(|part| u32_at(bytes, MAGIC.len() + part * 4) as usize);
        let mut start = MAGIC.len() + PARTS * 4;
        let parts: Vec<&'static [u8]> = ends
            .map(|end| &bytes[std::mem::replace(&mut start, end)..end])
            .collect();
        let [forms, entries, pronunciations, classes, connections, runs, unlisted] = parts[..] else {
            unreachable!("as many parts as ends")
        };
        let classes = std::str::from_utf8(classes).expect("classes are text");
        let mut rest = unlisted;
        let mut categories = Vec::new();
        while let Some((count, entries)) = rest.split_first() {
            let (entries, after) = entries.split_at(usize::from(*count) * 4);
            categories.push(
                entries
                    .chunks(4)
                    .map(|entry| (u16_at(entry, 0), u16_at(entry, 2).cast_signed()))
                    .collect(),
            );
            rest = after;
        }
        Self {
            forms: Map::new(forms).expect("the written forms are an fst"),
            entries,
            pronunciations,
            classes: classes.lines().map(class).collect(),
            left_neighbours: usize::from(u16_at(connections, 0)),
            costs: &connections[4..],
            runs,
            unlisted: categories,
        }
    }

    /// Calls `found` with the length in bytes and the entries of every written form that `text` begins with.
    pub fn prefixes(&self, text: &str, mut found: impl FnMut(usize, Entry)) {
        let trie = self.forms.as_fst();
        let mut node = trie.root();
        let mut value = Output::zero();
        for (index, byte) in text.bytes().enumerate() {
            let Some(next) = node.find_input(byte) else { return };
            let next = node.transition(next);
            value = value.cat(next.out);
            node = trie.node(next.addr);
            if node.is_final() {
                let mut number = value.cat(node.final_output()).value() as usize;
                loop {
                    let (entry, more) = self.entry(number);
                    found(index + 1, entry);
                    if !more {
                        break;
                    }
                    number += 1;
                }
            }
        }
    }

    /// The cheapest pronounced entry of a written form.
    pub fn cheapest(&self, text: &str) -> Option<Entry> {
        let mut best: Option<Entry> = None;
        self.prefixes(text, |length, entry| {
            if length == text.len() && entry.is_pronounced() && best.is_none_or(|best| entry.cost < best.cost) {
                best = Some(entry);
            }
        });
        best
    }

    fn entry(&self, number: usize) -> (Entry, bool) {
        let bytes = &self.entries[number * ENTRY_BYTES..(number + 1) * ENTRY_BYTES];
        let class = u16_at(bytes, 0);
        let entry = Entry {
            class: class & !MORE_BIT,
            cost: u16_at(bytes, 2).cast_signed(),
            pronunciation: u32_at(bytes, 3) >> 8,
        };
        (entry, class & MORE_BIT != 0)
    }

    /// The class of that number.
    pub fn class(&self, number: u16) -> &Class {
        &self.classes[usize::from(number)]
    }

    /// The cost of a word of the second class after one of the first, given as [`Class::right`] and
    /// [`Class::left`].
    pub fn connection(&self, right: u16, left: u16) -> i16 {
        u16_at(
            self.costs,
            (usize::from(right) + self.left_neighbours * usize::from(left)) * 2,
        )
        .cast_signed()
    }

    /// The properties of a character. All above U+FFFE are like U+0000: of no kind.
    pub fn character(&self, character: char) -> Character {
        let number = if u32::from(character) < 0xffff {
            u32::from(character)
        } else {
            0
        };
        let (mut low, mut high) = (0, self.runs.len() / 8);
        while high - low > 1 {
            let middle = usize::midpoint(low, high);
            if u32_at(self.runs, middle * 8) <= number {
                low = middle;
            } else {
                high = middle;
            }
        }
        Character(u32_at(self.runs, low * 8 + 4))
    }

    /// The entries of an unlisted word of a category.
    pub fn unlisted(&self, category: usize) -> impl Iterator<Item = Entry> {
        self.unlisted[category].iter().map(|(class, cost)| Entry {
            class: *class,
            cost: *cost,
            pronunciation: NO_PRONUNCIATION,
        })
    }

    /// The pronunciation of an entry and, if it differs and matters, its reading; both in katakana, empty for none.
    pub fn pronunciation(&self, entry: Entry) -> (String, Option<String>) {
        let bytes = &self.pronunciations[entry.pronunciation as usize..];
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        let mut texts = bytes[..end].split(|byte| *byte == READING_MARK).map(|text| {
            text.iter()
                .filter_map(|kana| char::from_u32(u32::from('ァ') - 1 + u32::from(*kana)))
                .collect()
        });
        (texts.next().unwrap_or_default(), texts.next())
    }
}

impl Entry {
    /// Returns true if it has a pronunciation.
    pub fn is_pronounced(self) -> bool {
        self.pronunciation != NO_PRONUNCIATION
    }
}

fn class(line: &str) -> Class {
    let fields: Vec<&str> = line.split(',').collect();
    let [left, right, ref grammar @ ..] = fields[..] else {
        panic!("a class has too few fields")
    };
    let mut fields = grammar.to_vec();
    fields.resize(12, "*");
    Class {
        left: left.parse().expect("neighbours are numbers"),
        right: right.parse().expect("neighbours are numbers"),
        details: WordDetails::load(&fields).expect("every class of the dictionary is known"),
    }
}
