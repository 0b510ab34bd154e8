//! Makes the compact dictionary.
//!
//! Left out, because reading does not need it: base forms, accents, and every entry that another one of the same written
//! form and the same neighbours beats on cost, which no search for the cheapest sentence would ever choose. Added: the
//! kanji that are not listed by themselves, at the price of an unlisted noun.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use fst::MapBuilder;

use crate::characters;
use crate::mecab::{self, Entry};
use crate::pool::Pool;
use crate::wheel::Files;

const MAGIC: &[u8; 4] = b"QJD1";
/// Set in the class of an entry that is not the last of its written form.
const MORE: u16 = 0x8000;
/// Between pronunciation and reading in the pool.
const READING: u8 = 0xff;
/// The category whose unlisted noun sets the price of added kanji, and the fields of that noun.
const KANJI: &str = "KANJI";
const NOUN: &str = "名詞,一般,*,*,*,*";

struct Word {
    surface: String,
    class: u16,
    left: u16,
    right: u16,
    cost: i16,
    said: Vec<u8>,
}

/// Numbers for the combinations of neighbours and part of speech.
#[derive(Default)]
struct Classes {
    numbers: BTreeMap<String, u16>,
    lines: Vec<String>,
}

impl Classes {
    fn number(&mut self, entry: &Entry) -> Result<u16> {
        let fields: Vec<&str> = entry.feature.split(',').take(6).collect();
        ensure!(fields.len() == 6, "an entry has too few fields: {}", entry.feature);
        let line = format!("{},{},{}", entry.left, entry.right, fields.join(","));
        if let Some(number) = self.numbers.get(&line) {
            return Ok(*number);
        }
        let number = u16::try_from(self.lines.len())?;
        ensure!(number < MORE, "too many classes");
        self.lines.push(line.clone());
        self.numbers.insert(line, number);
        Ok(number)
    }
}

/// The bytes of the compact dictionary.
///
/// # Errors
///
/// When a file is not as expected.
pub fn compile(files: &Files) -> Result<Vec<u8>> {
    let mut classes = Classes::default();
    let listed = mecab::entries(&files.words).context("the words")?;
    let unlisted = mecab::entries(&files.unknown).context("the unlisted words")?;
    let (lefts, rights, costs) = mecab::connections(&files.connections)?;
    let categories = mecab::categories(&files.categories)?;

    let mut words = Vec::with_capacity(listed.len());
    for entry in listed {
        words.push(Word {
            class: classes.number(&entry)?,
            left: entry.left,
            right: entry.right,
            cost: entry.cost,
            said: said(&entry),
            surface: entry.surface,
        });
    }
    let noun = unlisted
        .iter()
        .find(|entry| entry.surface == KANJI && entry.feature.starts_with(NOUN))
        .context("there is no unlisted noun of kanji")?;
    let class = classes.number(noun)?;
    let mut added = Vec::new();
    for (character, reading) in characters::readings(&files.characters)? {
        let surface = character.to_string();
        if words.binary_search_by(|word| word.surface.cmp(&surface)).is_err() {
            let said = kana(&reading).context("a reading is not in kana")?;
            added.push(Word {
                surface,
                class,
                left: noun.left,
                right: noun.right,
                cost: noun.cost,
                said,
            });
        }
    }
    words.append(&mut added);
    words.sort_by(|a, b| (&a.surface, a.left, a.right, a.cost).cmp(&(&b.surface, b.left, b.right, b.cost)));
    words.dedup_by(|next, kept| (&next.surface, next.left, next.right) == (&kept.surface, kept.left, kept.right));

    let pool = Pool::new(words.iter().map(|word| word.said.clone()));
    let mut keys = MapBuilder::memory();
    let mut entries = Vec::with_capacity(words.len() * 7);
    for (index, word) in words.iter().enumerate() {
        if index == 0 || words[index - 1].surface != word.surface {
            keys.insert(&word.surface, index as u64)?;
        }
        let more = words.get(index + 1).is_some_and(|next| next.surface == word.surface);
        let offset = u32::try_from(pool.offset(&word.said).context("a pronunciation is not in the pool")?)?;
        ensure!(offset < 1 << 24, "the pool is too large");
        entries.extend((word.class | if more { MORE } else { 0 }).to_le_bytes());
        entries.extend(word.cost.to_le_bytes());
        entries.extend(&offset.to_le_bytes()[..3]);
    }

    let mut unknown = Vec::new();
    for category in &categories.names {
        let entries: Vec<&Entry> = unlisted.iter().filter(|entry| entry.surface == category.name).collect();
        unknown.push(u8::try_from(entries.len())?);
        for entry in entries {
            unknown.extend(classes.number(entry)?.to_le_bytes());
            unknown.extend(entry.cost.to_le_bytes());
        }
    }
    let mut characters = Vec::new();
    let mut before = None;
    for (character, bits) in categories.characters.iter().enumerate() {
        if before != Some(bits) {
            characters.extend(u32::try_from(character)?.to_le_bytes());
            characters.extend(bits.to_le_bytes());
            before = Some(bits);
        }
    }
    let connections = [&lefts.to_le_bytes(), &rights.to_le_bytes(), costs].concat();
    let classes = classes.lines.join("\n").into_bytes();
    Ok(join(&[
        &keys.into_inner()?,
        &entries,
        &pool.bytes,
        &classes,
        &connections,
        &characters,
        &unknown,
    ]))
}

/// Text of an entry in the pool: its pronunciation, one byte a kana, and where the reading of a counter differs, that
/// too, because the choice of its number's form depends on it. Empty for a symbol.
fn said(entry: &Entry) -> Vec<u8> {
    let fields: Vec<&str> = entry.feature.split(',').collect();
    let [.., reading, pronunciation, _, _] = fields.as_slice() else {
        return Vec::new();
    };
    let Some(mut said) = kana(pronunciation) else {
        return Vec::new();
    };
    let counts = matches!(fields[..3], ["名詞", "接尾", "助数詞"] | ["名詞", "副詞可能", _]);
    if let Some(reading) = kana(reading)
        && counts
        && reading != said
    {
        said.push(READING);
        said.extend(reading);
    }
    said
}

/// Katakana as bytes: ァ is 1, and so on to ー. Marks of voiceless vowels and of the parts of a compound are left out.
fn kana(text: &str) -> Option<Vec<u8>> {
    text.chars()
        .filter(|character| !matches!(character, '’' | ':'))
        .map(|kana| match kana {
            'ァ'..='ヴ' | 'ー' => u8::try_from(u32::from(kana) - u32::from('ァ') + 1).ok(),
            _ => None,
        })
        .collect()
}

/// The head (magic, then where each part ends) and the parts.
fn join(parts: &[&[u8]]) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    let mut end = MAGIC.len() + parts.len() * 4;
    for part in parts {
        end += part.len();
        file.extend(
            u32::try_from(end)
                .expect("a dictionary is far smaller than 4 GiB")
                .to_le_bytes(),
        );
    }
    for part in parts {
        file.extend(*part);
    }
    file
}
