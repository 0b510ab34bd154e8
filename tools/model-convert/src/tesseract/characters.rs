//! The characters of a network and the codes that it writes them in: one code for most, several for those that are made
//! of parts, such as the syllables of Korean.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result, ensure};

use super::bytes::Bytes;

/// The first three entries: the space, and two that stand for no character.
const SPACE: usize = 0;
const SPECIAL: usize = 3;
/// More codes for one character than any has.
const MOST_CODES: usize = 9;

/// The table of text: the code of "nothing" in the first line; then a character a line, after its codes and a tab.
///
/// # Errors
/// When the lists do not fit, or are not as they must be.
pub fn table(unicharset: &[u8], recoder: &[u8], nothing: i32) -> Result<String> {
    let characters = characters(std::str::from_utf8(unicharset).context("the characters are no text")?)?;
    let codes = codes(recoder)?;
    ensure!(codes.len() >= characters.len(), "some characters have no code");
    let mut table: BTreeMap<&[i32], &str> = BTreeMap::new();
    for (index, (character, codes)) in characters.iter().zip(&codes).enumerate() {
        match index {
            SPACE => table.insert(codes, " "),
            _ if index < SPECIAL => None,
            // Several characters may have the same codes, such as kinds of quotation marks: like the original, the last.
            _ => table.insert(codes, character),
        };
    }
    let mut text = format!("{nothing}\n");
    for (codes, character) in table {
        let codes: Vec<_> = codes.iter().map(i32::to_string).collect();
        writeln!(text, "{}\t{character}", codes.join(" "))?;
    }
    Ok(text)
}

/// The characters: their number, then a line each, with the character first.
fn characters(text: &str) -> Result<Vec<&str>> {
    let mut lines = text.lines();
    let count: usize = lines
        .next()
        .unwrap_or_default()
        .trim()
        .parse()
        .context("their number is missing")?;
    let characters: Vec<&str> = lines.take(count).filter_map(|line| line.split(' ').next()).collect();
    ensure!(characters.len() == count, "there are fewer characters than said");
    Ok(characters)
}

/// The codes of each character: their number, then each a flag, its length and its codes.
fn codes(recoder: &[u8]) -> Result<Vec<Vec<i32>>> {
    let mut bytes = Bytes::new(recoder);
    let count = bytes.size()?;
    let code = |_| -> Result<Vec<i32>> {
        bytes.u8()?;
        let length = bytes.size()?;
        ensure!((1..=MOST_CODES).contains(&length), "a character has {length} codes");
        (0..length).map(|_| bytes.i32()).collect()
    };
    (0..count).map(code).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_one_code_or_several() {
        let unicharset = "6\nNULL 0 NULL 0\nJoined 7 0\n|Broken|0|1 f 0\nх 3 0\n한 1 0\n” 1 0\n";
        let mut recoder = 6u32.to_le_bytes().to_vec();
        for codes in [&[0][..], &[9], &[9], &[4], &[1, 2, 3], &[5]] {
            recoder.push(1);
            recoder.extend((codes.len() as u32).to_le_bytes());
            recoder.extend(codes.iter().flat_map(|code: &i32| code.to_le_bytes()));
        }
        let table = table(unicharset.as_bytes(), &recoder, 9).expect("a table");
        assert_eq!(table, "9\n0\t \n1 2 3\t한\n4\tх\n5\t”\n");
        assert!(self::table(unicharset.as_bytes(), &recoder[..20], 9).is_err());
        assert!(self::table(b"7\nNULL", &recoder, 9).is_err());
    }
}
