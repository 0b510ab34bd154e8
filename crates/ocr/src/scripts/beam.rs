//! From probabilities of codes to characters: a search among the likely ways to read a line (connectionist temporal
//! classification with prefixes), of which only those are kept whose codes make characters.

use std::collections::BTreeMap;

use super::alphabet::{Alphabet, ROOT};

/// So many ways are followed.
const WIDTH: usize = 6;
/// Codes below this probability are not tried.
const LEAST: f32 = 0.005;

/// A character of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Character {
    /// What it is.
    pub text: &'static str,
    /// How sure that is.
    pub probability: f32,
    /// The step at which it was most probable.
    pub step: usize,
}

/// Reads a line: a probability for each of the alphabet's codes at each step. The characters are in the order of the picture.
pub fn read(steps: &[f32], alphabet: &Alphabet) -> Vec<Character> {
    let mut search = Search {
        alphabet,
        trails: vec![Trail::default()],
        children: BTreeMap::new(),
    };
    let mut ways = vec![Way {
        trail: 0,
        after_nothing: 1.0,
        after_code: 0.0,
    }];
    for (number, step) in steps.chunks_exact(alphabet.codes().max(1)).enumerate() {
        ways = search.step(ways, number, step);
    }
    // The best way comes first. One that ends inside of a character is taken only where there is no other.
    let whole = ways.iter().find(|way| search.is_whole(way.trail));
    whole
        .or(ways.first())
        .map_or_else(Vec::new, |way| search.characters(way.trail))
}

/// One way to read a line up to a step.
#[derive(Clone, Copy)]
struct Way {
    /// What it has written.
    trail: usize,
    /// How probable it is with nothing last.
    after_nothing: f32,
    /// How probable it is with its last code last.
    after_code: f32,
}

/// A code that was written, after others.
#[derive(Default)]
struct Trail {
    before: usize,
    code: usize,
    node: u32,
    /// A character begins with it.
    begins: bool,
    probability: f32,
    step: usize,
}

impl Trail {
    fn may_be(&mut self, probability: f32, step: usize) {
        if probability > self.probability {
            (self.probability, self.step) = (probability, step);
        }
    }
}

struct Search<'a> {
    alphabet: &'a Alphabet,
    /// The first one is empty.
    trails: Vec<Trail>,
    children: BTreeMap<(usize, usize), usize>,
}

impl Search<'_> {
    fn step(&mut self, ways: Vec<Way>, number: usize, step: &[f32]) -> Vec<Way> {
        let nothing = self.alphabet.nothing();
        let likely: Vec<(usize, f32)> = step
            .iter()
            .copied()
            .enumerate()
            .filter(|(code, probability)| *code != nothing && *probability >= LEAST)
            .collect();
        let mut next: Vec<Way> = Vec::with_capacity(WIDTH * (likely.len() + 1));
        for way in ways {
            let all = way.after_nothing + way.after_code;
            let same = at(&mut next, way.trail);
            same.after_nothing += all * step[nothing];
            let last = (way.trail != 0).then(|| self.trails[way.trail].code);
            if let Some(code) = last {
                same.after_code += way.after_code * step[code];
                self.trails[way.trail].may_be(step[code], number);
            }
            for (code, probability) in &likely {
                // The same code twice are two only with nothing between.
                let from = if last == Some(*code) { way.after_nothing } else { all };
                if from > 0.0
                    && let Some(trail) = self.child(way.trail, *code)
                {
                    self.trails[trail].may_be(*probability, number);
                    at(&mut next, trail).after_code += from * probability;
                }
            }
        }
        next.sort_by(|a, b| (b.after_nothing + b.after_code).total_cmp(&(a.after_nothing + a.after_code)));
        next.truncate(WIDTH);
        // Products of so many probabilities would vanish.
        let most = next.first().map_or(1.0, |way| way.after_nothing + way.after_code);
        if most > 0.0 {
            for way in &mut next {
                way.after_nothing /= most;
                way.after_code /= most;
            }
        }
        next
    }

    /// What was written with one more code, if that goes on with a character or begins one.
    fn child(&mut self, before: usize, code: usize) -> Option<usize> {
        if let Some(known) = self.children.get(&(before, code)) {
            return Some(*known);
        }
        let node = self.trails[before].node;
        let inside = (node != ROOT).then(|| self.alphabet.next(node, code)).flatten();
        let begins = inside.is_none();
        if begins && node != ROOT && self.alphabet.character(node).is_none() {
            return None;
        }
        let node = inside.or_else(|| self.alphabet.next(ROOT, code))?;
        self.trails.push(Trail {
            before,
            code,
            node,
            begins,
            ..Trail::default()
        });
        self.children.insert((before, code), self.trails.len() - 1);
        Some(self.trails.len() - 1)
    }

    fn is_whole(&self, trail: usize) -> bool {
        trail == 0 || self.alphabet.character(self.trails[trail].node).is_some()
    }

    fn characters(&self, mut trail: usize) -> Vec<Character> {
        let mut characters = Vec::new();
        let (mut ends, mut probability) = (None, 1.0f32);
        while trail != 0 {
            let code = &self.trails[trail];
            ends = ends.or_else(|| self.alphabet.character(code.node));
            probability = probability.min(code.probability);
            if code.begins {
                characters.extend(ends.take().map(|text| Character {
                    text,
                    probability,
                    step: code.step,
                }));
                probability = 1.0;
            }
            trail = code.before;
        }
        characters.reverse();
        characters
    }
}

/// The way with this trail.
fn at(ways: &mut Vec<Way>, trail: usize) -> &mut Way {
    let index = ways.iter().position(|way| way.trail == trail).unwrap_or_else(|| {
        ways.push(Way {
            trail,
            after_nothing: 0.0,
            after_code: 0.0,
        });
        ways.len() - 1
    });
    &mut ways[index]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// a is 1; x is 1 2 3, y is 1 2 4; nothing is 0.
    fn alphabet() -> Alphabet {
        Alphabet::parse("0\n5\ta\n1 2 3\tx\n1 2 4\ty\n")
    }

    fn text(steps: &[[f32; 6]]) -> String {
        read(&steps.concat(), &alphabet())
            .iter()
            .map(|character| character.text)
            .collect()
    }

    fn sure(code: usize) -> [f32; 6] {
        let mut step = [0.0; 6];
        step[code] = 1.0;
        step
    }

    #[test]
    fn several_codes_make_a_character() {
        assert_eq!(text(&[1, 1, 2, 0, 3, 5, 5, 0, 5].map(sure)), "xaa");
        assert_eq!(text(&[]), "");
        assert_eq!(text(&[0, 0].map(sure)), "");
    }

    #[test]
    fn what_makes_no_character_is_not_read_where_something_else_is_likely() {
        // The best code of the second step is 5, but after 1 only 2 goes on.
        let unsure = [0.0, 0.0, 0.4, 0.0, 0.0, 0.6];
        assert_eq!(text(&[sure(1), unsure, sure(4)]), "y");
    }

    #[test]
    fn a_character_is_as_sure_as_its_least_sure_code() {
        let mut weak = sure(2);
        (weak[2], weak[0]) = (0.7, 0.3);
        let read = read(&[sure(1), weak, sure(3)].concat(), &alphabet());
        let x = Character {
            text: "x",
            probability: 0.7,
            step: 0,
        };
        assert_eq!(read, [x]);
    }
}
