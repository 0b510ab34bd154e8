//! Words of a clause with their times.

use super::written::is_word_alone;
use crate::Clause;

/// A word as an engine says it. Engines join words ("of the") and split others, so these are not the words of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// Its first sample.
    pub start: u64,
    /// The sample after its last.
    pub end: u64,
    /// Number of its sounds.
    pub sounds: u32,
}

/// A word of a clause, as normalisation wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    /// Its first sample.
    pub start: u64,
    /// The sample after its last.
    pub end: u64,
}

impl Word {
    /// Number of its characters, at least one.
    pub fn letters(&self) -> u32 {
        letters(&self.text)
    }
}

fn letters(text: &str) -> u32 {
    text.chars().count().max(1) as u32
}

/// The words of `clause`, with the times of what an engine says of it.
pub fn words(clause: &Clause, groups: &[Group]) -> Vec<Word> {
    let mut texts = Vec::new();
    for span in &clause.spans {
        for word in span.text.split_whitespace() {
            split(word, &mut texts);
        }
    }
    let word = |(text, start, end)| Word { text, start, end };
    if texts.len() == groups.len() {
        let timed = texts.into_iter().zip(groups);
        return timed
            .map(|(text, group)| word((text, group.start, group.end)))
            .collect();
    }
    // The engine counts words otherwise: each begins where so many sounds have been said as letters stand before it.
    let all_letters: u32 = texts.iter().map(|text| letters(text)).sum();
    let all_sounds: u32 = groups.iter().map(|group| group.sounds).sum();
    if all_letters == 0 || all_sounds == 0 {
        return Vec::new();
    }
    let near = f64::from(all_sounds) / texts.len() as f64 / 2.0;
    let mut before = 0;
    let mut timed = Vec::with_capacity(texts.len());
    for text in texts {
        let after = before + letters(&text);
        let place = |letters: u32| f64::from(letters) / f64::from(all_letters) * f64::from(all_sounds);
        let start = time(groups, place(before), near, false);
        let end = time(groups, place(after), near, true).max(start);
        timed.push(word((text, start, end)));
        before = after;
    }
    timed
}

/// Takes characters that are words by themselves out of a word.
fn split(word: &str, texts: &mut Vec<String>) {
    let mut rest = String::new();
    for character in word.chars() {
        if is_word_alone(character) {
            texts.extend((!rest.is_empty()).then(|| std::mem::take(&mut rest)));
            texts.push(character.to_string());
        } else {
            rest.push(character);
        }
    }
    texts.extend(rest.chars().any(char::is_alphanumeric).then_some(rest));
}

/// The time at which `place` sounds have been said; where a group begins or ends within `near` sounds, that time.
fn time(groups: &[Group], place: f64, near: f64, ends: bool) -> u64 {
    let mut before = 0.0;
    let mut nearest = (near, None);
    let mut between = None;
    for group in groups {
        let after = before + f64::from(group.sounds);
        let (edge, edge_time) = if ends {
            (after, group.end)
        } else {
            (before, group.start)
        };
        let distance = (edge - place).abs();
        if distance < nearest.0 {
            nearest = (distance, Some(edge_time));
        }
        if between.is_none() && place <= after {
            let part = (place - before).max(0.0) / f64::from(group.sounds).max(1.0);
            between = Some(group.start + ((group.end - group.start) as f64 * part) as u64);
        }
        before = after;
    }
    let last = groups.last().map_or(0, |group| group.end);
    nearest.1.or(between).unwrap_or(last)
}
