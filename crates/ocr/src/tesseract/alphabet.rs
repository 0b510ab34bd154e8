//! Alphabet of a network: codes, of which one or several make a character.

use std::collections::BTreeMap;

/// Characters of a network, as a trie of their codes.
#[derive(Default)]
pub struct Alphabet {
    /// Code that stands for no character (the blank of CTC).
    blank: usize,
    /// Number of codes: one more than the largest.
    codes: usize,
    /// Transitions from a node by a code to the next.
    next: BTreeMap<(u32, usize), u32>,
    /// Character that ends at each node.
    characters: Vec<Option<&'static str>>,
}

/// Root of the trie.
pub const ROOT: u32 = 0;

impl Alphabet {
    /// Reads a table: in the first line the code of the blank, then codes, a tab, and their character in each. Other
    /// lines are passed over.
    pub fn parse(table: &'static str) -> Self {
        let mut lines = table.lines();
        let mut alphabet = Self {
            blank: lines.next().and_then(|line| line.parse().ok()).unwrap_or_default(),
            characters: vec![None],
            ..Self::default()
        };
        alphabet.codes = alphabet.blank + 1;
        for (codes, character) in lines.filter_map(|line| line.split_once('\t')) {
            let mut node = ROOT;
            for code in codes.split(' ').filter_map(|code| code.parse().ok()) {
                alphabet.codes = alphabet.codes.max(code + 1);
                let new = alphabet.characters.len() as u32;
                node = *alphabet.next.entry((node, code)).or_insert(new);
                if node == new {
                    alphabet.characters.push(None);
                }
            }
            alphabet.characters[node as usize] = Some(character);
        }
        alphabet
    }

    /// Returns true if there is none, because the component was built without it.
    pub fn is_empty(&self) -> bool {
        self.next.is_empty()
    }

    /// Number of codes that the network outputs.
    pub fn codes(&self) -> usize {
        self.codes
    }

    /// Code that stands for no character (the blank of CTC).
    pub fn blank(&self) -> usize {
        self.blank
    }

    /// Node that a code leads to from another.
    pub fn next(&self, node: u32, code: usize) -> Option<u32> {
        self.next.get(&(node, code)).copied()
    }

    /// Character that ends at a node.
    pub fn character(&self, node: u32) -> Option<&'static str> {
        self.characters[node as usize]
    }
}
