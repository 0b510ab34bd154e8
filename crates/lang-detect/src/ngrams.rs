//! Weights of pairs and triples of letters for the languages in Latin letters, as a table in a text file that is searched where
//! it lies: nothing is built at the start.
//!
//! `ngrams.txt` has a line for each n-gram (a space at a word's end is `_`), sorted by bytes, with six weights in the order of
//! `LANGUAGES`: the logarithm of its share in the language, less the mean, in tenths. `ngrams.py` makes it of the language
//! profiles of langdetect.

/// Weights, in tenths of a natural logarithm.
pub(super) type Weights = [i32; 6];

static TABLE: &str = include_str!("ngrams.txt");
/// Longer words are no words.
const MAX_WORD_CHARS: usize = 40;

/// The sum of the weights of all pairs and triples of letters in the words of `lower`, a text in lower case.
pub(super) fn score(lower: &str) -> Weights {
    let mut sum = Weights::default();
    for word in lower
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty())
    {
        let mut letters = vec!['_'];
        letters.extend(word.chars().take(MAX_WORD_CHARS));
        letters.push('_');
        for size in [2, 3] {
            for gram in letters.windows(size) {
                let gram: String = gram.iter().collect();
                for (sum, weight) in sum.iter_mut().zip(weights(&gram).unwrap_or_default()) {
                    *sum += weight;
                }
            }
        }
    }
    sum
}

/// The weights of an n-gram: a binary search for its line.
fn weights(gram: &str) -> Option<Weights> {
    let bytes = TABLE.as_bytes();
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        // The line that the middle lies in.
        let middle = low + (high - low) / 2;
        let start = bytes[low..middle]
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(low, |at| low + at + 1);
        let end = bytes[middle..high]
            .iter()
            .position(|b| *b == b'\n')
            .map_or(high, |at| middle + at);
        let line = std::str::from_utf8(&bytes[start..end]).ok()?;
        let (found, numbers) = line.split_once('\t')?;
        match found.cmp(gram) {
            std::cmp::Ordering::Equal => {
                let mut weights = Weights::default();
                for (weight, number) in weights.iter_mut().zip(numbers.split(' ')) {
                    *weight = number.parse().ok()?;
                }
                return Some(weights);
            }
            std::cmp::Ordering::Less => low = end + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_found() {
        for line in TABLE.lines() {
            let (gram, numbers) = line.split_once('\t').unwrap();
            let found = weights(gram).unwrap_or_else(|| panic!("{gram}"));
            assert_eq!(found.map(|weight| weight.to_string()).join(" "), numbers);
        }
        assert_eq!(weights("qqq"), None);
        assert_eq!(weights(""), None);
    }
}
