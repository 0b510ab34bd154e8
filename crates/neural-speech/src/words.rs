//! Words of an utterance in time, by the lengths of its symbols.

use quartet_text_normalization::alignment::Group;

use crate::symbols;
use crate::utterance::Utterance;

/// Adds the words of an utterance that begins at the sample `start` to those of the clauses. `steps` are the lengths of its
/// symbols, with those of the silences at both ends, each of `step` samples.
pub fn add(utterance: &Utterance, steps: &[u16], step: u64, start: u64, heard: &mut Vec<(usize, Vec<Group>)>) {
    // Symbols that make no sound of their own: marks of clauses are silences, as a space is.
    let silent = symbols::tokens(" ,.?!");
    let mut at = start + u64::from(steps.first().copied().unwrap_or_default()) * step;
    let mut clauses = utterance.clauses.iter().peekable();
    let mut within = false;
    for (index, (token, length)) in utterance.tokens.iter().zip(&steps[1..]).enumerate() {
        if let Some((clause, _)) = clauses.next_if(|(_, first)| *first == index) {
            within = false;
            // A long clause goes on in the next utterance.
            if heard.last().is_none_or(|(last, _)| last != clause) {
                heard.push((*clause, Vec::new()));
            }
        }
        let end = at + u64::from(*length) * step;
        if silent.contains(token) {
            within = false;
        } else if let Some((_, words)) = heard.last_mut() {
            match words.last_mut() {
                Some(word) if within => {
                    word.end = end;
                    word.sounds += 1;
                }
                _ => words.push(Group {
                    start: at,
                    end,
                    sounds: 1,
                }),
            }
            within = true;
        }
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_begin_after_the_silence_and_end_before_the_next() {
        let utterance = Utterance {
            tokens: symbols::tokens("la kasa, el"),
            clauses: vec![(3, 0), (5, 9)],
            pause: 0,
        };
        assert_eq!(utterance.tokens.len(), 11);
        let steps: Vec<u16> = (1..=13).collect();
        let mut heard = vec![(3, Vec::new())];
        add(&utterance, &steps, 10, 1_000, &mut heard);
        let group = |start, end, sounds| Group { start, end, sounds };
        // One step of silence, then symbols of 2, 3, 4 ... steps.
        let first = vec![group(1_010, 1_060, 2), group(1_100, 1_360, 4)];
        assert_eq!(heard, [(3, first), (5, vec![group(1_550, 1_780, 2)])]);
    }
}
