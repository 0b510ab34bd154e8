//! The words of a sentence: of all ways to cut it into listed and unlisted words, the one that costs least.
//!
//! The costs are those of the dictionary (a conditional random field: Kudo, Yamamoto and Matsumoto, "Applying Conditional
//! Random Fields to Japanese Morphological Analysis", EMNLP 2004); the search is Viterbi's. Unlisted words are proposed
//! as MeCab 0.996 does.

use super::dictionary::{Dictionary, Entry};

/// A word of a sentence.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    /// Its beginning, in bytes.
    pub start: usize,
    /// Its end.
    pub end: usize,
    /// Its entry in the dictionary. An unlisted word has no pronunciation.
    pub entry: Entry,
}

/// A word in the lattice.
struct Node {
    word: Word,
    /// See [`super::dictionary::Class::right`].
    right: u16,
    /// The cost of the cheapest way from the sentence's beginning through here.
    cost: i32,
    /// The word before it on that way.
    before: usize,
    /// Another node with the same end.
    sibling: usize,
}

/// No node.
const NO_NODE: usize = usize::MAX;
/// The neighbour number of a sentence's ends.
const BOUNDARY: u16 = 0;
/// The longest run of characters that is taken for one unlisted word.
const MAX_RUN_CHARS: usize = 24;

/// The words of a sentence, in order; together they are the whole sentence.
pub fn words(dictionary: &Dictionary, sentence: &str) -> Vec<Word> {
    let mut nodes: Vec<Node> = Vec::new();
    // By place, a node that ends there.
    let mut ends = vec![NO_NODE; sentence.len() + 1];
    for (start, _) in sentence.char_indices() {
        if start > 0 && ends[start] == NO_NODE {
            continue;
        }
        for (length, entry) in candidates(dictionary, &sentence[start..]) {
            let class = dictionary.class(entry.class);
            let (before, cost) = cheapest(
                dictionary,
                &nodes,
                if start == 0 { None } else { Some(ends[start]) },
                class.left,
            );
            let end = start + length;
            nodes.push(Node {
                word: Word { start, end, entry },
                right: class.right,
                cost: cost + i32::from(entry.cost),
                before,
                sibling: ends[end],
            });
            ends[end] = nodes.len() - 1;
        }
    }
    if sentence.is_empty() {
        return Vec::new();
    }
    let (mut last, _) = cheapest(dictionary, &nodes, Some(ends[sentence.len()]), BOUNDARY);
    let mut words = Vec::new();
    while last != NO_NODE {
        words.push(nodes[last].word);
        last = nodes[last].before;
    }
    words.reverse();
    words
}

/// The best word before one with that left number, among the node `end` and its siblings, or the sentence's beginning;
/// and the cost up to and including the step.
fn cheapest(dictionary: &Dictionary, nodes: &[Node], end: Option<usize>, left: u16) -> (usize, i32) {
    let Some(mut candidate) = end else {
        return (NO_NODE, i32::from(dictionary.connection(BOUNDARY, left)));
    };
    let mut best = (NO_NODE, i32::MAX);
    while candidate != NO_NODE {
        let node = &nodes[candidate];
        let cost = node.cost + i32::from(dictionary.connection(node.right, left));
        if cost < best.1 {
            best = (candidate, cost);
        }
        candidate = node.sibling;
    }
    best
}

/// All words that `text`, which is not empty, may begin with: never none.
fn candidates(dictionary: &Dictionary, text: &str) -> Vec<(usize, Entry)> {
    let mut found = Vec::new();
    dictionary.prefixes(text, |length, entry| found.push((length, entry)));
    let Some(first) = text.chars().next() else { return found };
    let kind = dictionary.character(first);
    if !found.is_empty() && !kind.always() {
        return found;
    }
    let listed = !found.is_empty();
    // Where words of one, two, ... characters of the first one's kind end.
    let mut ends = Vec::new();
    for (start, character) in text.char_indices() {
        if start > 0 && !dictionary.character(character).is_kind_of(kind) || ends.len() > MAX_RUN_CHARS {
            break;
        }
        ends.push(start + character.len_utf8());
    }
    let mut lengths = Vec::new();
    if kind.groups() && ends.len() <= MAX_RUN_CHARS {
        lengths.extend(ends.last());
    }
    lengths.extend(
        ends.iter()
            .take(kind.length())
            .filter(|length| !kind.groups() || Some(*length) != ends.last()),
    );
    if lengths.is_empty() && !listed {
        lengths.extend(ends.first());
    }
    for length in lengths {
        found.extend(dictionary.unlisted(kind.category()).map(|entry| (length, entry)));
    }
    found
}
