//! CTC prefix beam search: from probabilities of codes to characters. Only prefixes whose codes make characters are
//! kept.

use std::collections::BTreeMap;

use super::alphabet::{Alphabet, ROOT};

/// Number of hypotheses that are followed.
const BEAM_WIDTH: usize = 6;
/// Least probability of a code that is tried.
const MIN_CODE_PROBABILITY: f32 = 0.005;

/// Character of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Character {
    /// The character.
    pub text: &'static str,
    /// Probability of its least probable code.
    pub probability: f32,
    /// Step at which it was most probable.
    pub step: usize,
}

/// Decodes a line: a probability for each of the alphabet's codes at each step. Characters are in the order of the
/// picture.
pub fn read(steps: &[f32], alphabet: &Alphabet) -> Vec<Character> {
    let mut search = Search {
        alphabet,
        prefixes: vec![Prefix::default()],
        children: BTreeMap::new(),
    };
    let mut hypotheses = vec![Hypothesis {
        prefix: 0,
        after_blank: 1.0,
        after_code: 0.0,
    }];
    for (number, step) in steps.chunks_exact(alphabet.codes().max(1)).enumerate() {
        hypotheses = search.step(hypotheses, number, step);
    }
    // The best hypothesis comes first. One that ends inside of a character is taken only where there is no other.
    let whole = hypotheses.iter().find(|hypothesis| search.is_whole(hypothesis.prefix));
    whole
        .or(hypotheses.first())
        .map_or_else(Vec::new, |hypothesis| search.characters(hypothesis.prefix))
}

/// Hypothesis: a way to read a line up to a step.
#[derive(Clone, Copy)]
struct Hypothesis {
    /// Its prefix.
    prefix: usize,
    /// Probability with a blank last.
    after_blank: f32,
    /// Probability with its last code last.
    after_code: f32,
}

/// Node of the tree of prefixes: a code after others.
#[derive(Default)]
struct Prefix {
    before: usize,
    code: usize,
    node: u32,
    /// True if a character begins with it.
    begins: bool,
    probability: f32,
    step: usize,
}

impl Prefix {
    fn may_be(&mut self, probability: f32, step: usize) {
        if probability > self.probability {
            (self.probability, self.step) = (probability, step);
        }
    }
}

struct Search<'a> {
    alphabet: &'a Alphabet,
    /// The first one is empty.
    prefixes: Vec<Prefix>,
    children: BTreeMap<(usize, usize), usize>,
}

impl Search<'_> {
    fn step(&mut self, hypotheses: Vec<Hypothesis>, number: usize, step: &[f32]) -> Vec<Hypothesis> {
        let blank = self.alphabet.blank();
        let likely: Vec<(usize, f32)> = step
            .iter()
            .copied()
            .enumerate()
            .filter(|(code, probability)| *code != blank && *probability >= MIN_CODE_PROBABILITY)
            .collect();
        let mut next: Vec<Hypothesis> = Vec::with_capacity(BEAM_WIDTH * (likely.len() + 1));
        for hypothesis in hypotheses {
            let all = hypothesis.after_blank + hypothesis.after_code;
            let same = at(&mut next, hypothesis.prefix);
            same.after_blank += all * step[blank];
            let last = (hypothesis.prefix != 0).then(|| self.prefixes[hypothesis.prefix].code);
            if let Some(code) = last {
                same.after_code += hypothesis.after_code * step[code];
                self.prefixes[hypothesis.prefix].may_be(step[code], number);
            }
            for (code, probability) in &likely {
                // The same code twice counts twice only with a blank between.
                let from = if last == Some(*code) {
                    hypothesis.after_blank
                } else {
                    all
                };
                if from > 0.0
                    && let Some(prefix) = self.child(hypothesis.prefix, *code)
                {
                    self.prefixes[prefix].may_be(*probability, number);
                    at(&mut next, prefix).after_code += from * probability;
                }
            }
        }
        next.sort_by(|a, b| (b.after_blank + b.after_code).total_cmp(&(a.after_blank + a.after_code)));
        next.truncate(BEAM_WIDTH);
        // Products of so many probabilities would vanish.
        let most = next
            .first()
            .map_or(1.0, |hypothesis| hypothesis.after_blank + hypothesis.after_code);
        if most > 0.0 {
            for hypothesis in &mut next {
                hypothesis.after_blank /= most;
                hypothesis.after_code /= most;
            }
        }
        next
    }

    /// The prefix with one more code, if that goes on with a character or begins one.
    fn child(&mut self, before: usize, code: usize) -> Option<usize> {
        if let Some(known) = self.children.get(&(before, code)) {
            return Some(*known);
        }
        let node = self.prefixes[before].node;
        let inside = (node != ROOT).then(|| self.alphabet.next(node, code)).flatten();
        let begins = inside.is_none();
        if begins && node != ROOT && self.alphabet.character(node).is_none() {
            return None;
        }
        let node = inside.or_else(|| self.alphabet.next(ROOT, code))?;
        self.prefixes.push(Prefix {
            before,
            code,
            node,
            begins,
            ..Prefix::default()
        });
        self.children.insert((before, code), self.prefixes.len() - 1);
        Some(self.prefixes.len() - 1)
    }

    fn is_whole(&self, prefix: usize) -> bool {
        prefix == 0 || self.alphabet.character(self.prefixes[prefix].node).is_some()
    }

    fn characters(&self, mut prefix: usize) -> Vec<Character> {
        let mut characters = Vec::new();
        let (mut ends, mut probability) = (None, 1.0f32);
        while prefix != 0 {
            let code = &self.prefixes[prefix];
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
            prefix = code.before;
        }
        characters.reverse();
        characters
    }
}

/// Returns the hypothesis with a prefix, which is added if there is none.
fn at(hypotheses: &mut Vec<Hypothesis>, prefix: usize) -> &mut Hypothesis {
    let index = hypotheses
        .iter()
        .position(|hypothesis| hypothesis.prefix == prefix)
        .unwrap_or_else(|| {
            hypotheses.push(Hypothesis {
                prefix,
                after_blank: 0.0,
                after_code: 0.0,
            });
            hypotheses.len() - 1
        });
    &mut hypotheses[index]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Alphabet in which a is 5, x is 1 2 3, y is 1 2 4 and the blank is 0.
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
