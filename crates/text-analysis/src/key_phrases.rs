//! Key phrases of a document.
//!
//! Candidates are runs of words between stop words (Rose, Engel, Cramer and Cowley, "Automatic Keyword Extraction from
//! Individual Documents", 2010), or runs of characters in scripts without spaces. They count by how often they come and in
//! how many sections, and less when they come mostly inside a longer one (Frantzi, Ananiadou and Mima, "Automatic
//! Recognition of Multi-Word Terms: the C-value/NC-value method", 2000).

use std::collections::{HashMap, HashSet};

use quartet_api::Language;
use quartet_lang_detect::{Writing, writing};

use crate::analyzer::Analyzer;
use crate::document::Kind;
use crate::prose::Prose;
use crate::sections::Role;

/// Limit in words for a phrase.
const MAX_PHRASE_WORDS: usize = 3;
/// Size in bytes of the sample of sentences that phrases are taken from.
const SAMPLE_BYTES: usize = 500_000;

#[derive(Default)]
struct Candidate {
    count: f32,
    sections: HashSet<usize>,
    /// Its spellings with their counts.
    forms: HashMap<String, u32>,
    words: usize,
}

/// The `most` key phrases of `prose`, the most significant first.
#[must_use]
pub fn key_phrases(prose: &Prose, analyzer: &Analyzer, most: usize) -> Vec<String> {
    let mut candidates: HashMap<String, Candidate> = HashMap::new();
    let bytes: usize = prose.sentences.iter().map(|sentence| sentence.text.len()).sum();
    let step = bytes / SAMPLE_BYTES + 1;
    for sentence in prose.sentences.iter().step_by(step) {
        let role = prose.sections[sentence.section].role;
        if !matches!(sentence.kind, Kind::Paragraph | Kind::ListItem) || matches!(role, Role::List | Role::About) {
            continue;
        }
        for phrase in phrases(&sentence.text, analyzer) {
            let candidate = candidates.entry(phrase.key).or_default();
            candidate.count += 1.0;
            candidate.sections.insert(sentence.section);
            *candidate.forms.entry(phrase.form).or_default() += 1;
            candidate.words = phrase.words;
        }
    }
    // Headings name what their sections are about.
    for section in prose.sections.iter().step_by(step) {
        for phrase in phrases(&section.title, analyzer) {
            if let Some(candidate) = candidates.get_mut(&phrase.key) {
                candidate.count += 1.0;
            }
        }
    }
    rank(candidates, prose.language, most)
}

fn rank(candidates: HashMap<String, Candidate>, language: Language, most: usize) -> Vec<String> {
    let solid = matches!(language, Language::Japanese | Language::Chinese);
    let mut ranked: Vec<(f32, String, Candidate)> = candidates
        .into_iter()
        .filter(|(_, candidate)| candidate.count >= 2.0)
        .map(|(key, candidate)| {
            let spread = (1.0 + candidate.sections.len() as f32).ln();
            let longer = if solid {
                (candidate.words as f32).sqrt()
            } else {
                (1.0 + candidate.words as f32).log2()
            };
            (candidate.count.powf(0.8) * spread * longer, key, candidate)
        })
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut chosen: Vec<(String, String)> = Vec::new();
    for (_, key, candidate) in ranked.into_iter().take(most * 20) {
        if chosen.len() == most {
            break;
        }
        // "testing distribution" and "distribution" are the same phrase here.
        let inside = |one: &str, other: &str| {
            if solid {
                other.contains(one)
            } else {
                format!(" {other} ").contains(&format!(" {one} "))
            }
        };
        if chosen
            .iter()
            .any(|(other, _)| inside(&key, other) || inside(other, &key))
        {
            continue;
        }
        let form = candidate
            .forms
            .into_iter()
            .max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
        chosen.extend(form.map(|(form, _)| (key, form)));
    }
    chosen.into_iter().map(|(_, form)| form).collect()
}

struct Phrase {
    /// Its stems, which are counted.
    key: String,
    /// Its spelling.
    form: String,
    words: usize,
}

fn phrases(text: &str, analyzer: &Analyzer) -> Vec<Phrase> {
    match analyzer.language() {
        Language::Japanese | Language::Chinese => solid(text, analyzer),
        _ => spaced(text, analyzer),
    }
}

fn spaced(text: &str, analyzer: &Analyzer) -> Vec<Phrase> {
    let mut found = Vec::new();
    let mut run: Vec<(&str, String)> = Vec::new();
    let mut flush = |run: &mut Vec<(&str, String)>| {
        for size in 1..=MAX_PHRASE_WORDS {
            for part in run.windows(size) {
                let form = part.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" ");
                if size == 1 && form.chars().count() < 4 && !form.chars().all(char::is_uppercase) {
                    continue;
                }
                found.push(Phrase {
                    key: part.iter().map(|(_, stem)| stem.as_str()).collect::<Vec<_>>().join(" "),
                    form,
                    words: size,
                });
            }
        }
        run.clear();
    };
    for token in text.split_whitespace() {
        let word = token.trim_matches(|c: char| !c.is_alphanumeric());
        let starts = token.starts_with(|c: char| c.is_alphanumeric());
        let ends = token.ends_with(|c: char| c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c));
        if !starts {
            flush(&mut run);
        }
        let plain = word.chars().all(|c| {
            c.is_alphabetic() || matches!(c, '-' | '\'' | '’') || unicode_normalization::char::is_combining_mark(c)
        });
        let stop = analyzer.is_stop(&word.to_lowercase().replace('’', "'"));
        if plain && !stop && word.chars().nth(1).is_some() {
            let stem: String = analyzer.terms(word).into_iter().map(|term| term.text).collect();
            run.push((word, stem));
        } else {
            flush(&mut run);
        }
        if !ends {
            flush(&mut run);
        }
    }
    flush(&mut run);
    found
}

/// Runs of one script: Chinese characters, cut at those that are grammar, or katakana.
fn solid(text: &str, analyzer: &Analyzer) -> Vec<Phrase> {
    let mut found = Vec::new();
    let mut run: Vec<char> = Vec::new();
    let japanese = analyzer.language() == Language::Japanese;
    let mut last = Writing::Neutral;
    let mut flush = |run: &mut Vec<char>, kind: Writing| {
        let whole = japanese || kind != Writing::Han;
        let sizes = if whole { run.len()..=run.len() } else { 2..=6 };
        for size in sizes {
            if size >= 2 && (whole && size <= 16 || size <= 6) && run.len() >= size {
                for part in run.windows(size) {
                    let form: String = part.iter().collect();
                    found.push(Phrase {
                        key: form.to_lowercase(),
                        words: if kind == Writing::Latin { 2 } else { size },
                        form,
                    });
                }
            }
        }
        run.clear();
    };
    for c in text.chars() {
        let kind = writing(c);
        let inside = match kind {
            Writing::Han => japanese || !analyzer.is_stop(&c.to_string()) && !crate::analyzer::is_chinese_grammar(c),
            Writing::Kana => matches!(c, 'ァ'..='ヺ' | 'ー'),
            Writing::Latin => true,
            _ => false,
        };
        if !inside || kind != last {
            flush(&mut run, last);
        }
        if inside {
            run.push(c);
        }
        last = kind;
    }
    flush(&mut run, last);
    found
}
