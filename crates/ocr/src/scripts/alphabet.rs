//! What a script's recogniser writes: codes, of which one or several make a character.

use std::collections::BTreeMap;

/// The characters of a recogniser, as a tree of their codes.
#[derive(Default)]
pub struct Alphabet {
    /// The code that stands for no character.
    nothing: usize,
    /// One more than the largest code.
    codes: usize,
    /// From a node by a code to the next. The root is node 0.
    next: BTreeMap<(u32, usize), u32>,
    /// What ends at each node.
    characters: Vec<Option<&'static str>>,
}

/// Where codes begin.
pub const ROOT: u32 = 0;

impl Alphabet {
    /// Reads a table: in the first line the code of "nothing", then codes, a tab, and their character in each. A line that is
    /// not so is passed over.
    pub fn parse(table: &'static str) -> Self {
        let mut lines = table.lines();
        let mut alphabet = Self {
            nothing: lines.next().and_then(|line| line.parse().ok()).unwrap_or_default(),
            characters: vec![None],
            ..Self::default()
        };
        alphabet.codes = alphabet.nothing + 1;
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

    /// Whether there is none, because the component was built without it.
    pub fn is_empty(&self) -> bool {
        self.next.is_empty()
    }

    /// How many codes a recogniser that writes it has.
    pub fn codes(&self) -> usize {
        self.codes
    }

    /// The code that stands for no character.
    pub fn nothing(&self) -> usize {
        self.nothing
    }

    /// Where a code leads to from a node.
    pub fn next(&self, node: u32, code: usize) -> Option<u32> {
        self.next.get(&(node, code)).copied()
    }

    /// The character that ends at a node.
    pub fn character(&self, node: u32) -> Option<&'static str> {
        self.characters[node as usize]
    }
}
