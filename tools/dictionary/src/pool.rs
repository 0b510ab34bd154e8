//! A pool of short texts, each ending with a zero byte, in which a text that ends another one is not stored again.

use std::collections::BTreeMap;

/// Beginnings of the texts of a pool.
pub struct Pool {
    /// The texts.
    pub bytes: Vec<u8>,
    offsets: BTreeMap<Vec<u8>, usize>,
}

impl Pool {
    /// Makes a pool of texts without zero bytes; the empty text is always in it, at offset 0.
    pub fn new(texts: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let mut reversed: Vec<Vec<u8>> = texts
            .into_iter()
            .map(|mut text| {
                text.reverse();
                text
            })
            .collect();
        reversed.sort_unstable();
        reversed.dedup();

        let mut bytes = vec![0];
        let mut offsets = BTreeMap::from([(Vec::new(), 0)]);
        let mut longer: &[u8] = &[];
        // Backwards, a text that ends another comes right after one that it ends.
        for text in reversed.iter().rev().filter(|text| !text.is_empty()) {
            if !longer.starts_with(text) {
                bytes.extend(text.iter().rev());
                bytes.push(0);
                longer = text;
            }
            // `longer` is the text stored last.
            offsets.insert(text.iter().rev().copied().collect(), bytes.len() - 1 - text.len());
        }
        Self { bytes, offsets }
    }

    /// The beginning of a text; none if it is not in the pool.
    pub fn offset(&self, text: &[u8]) -> Option<usize> {
        self.offsets.get(text).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_found_and_tails_are_shared() {
        let texts: Vec<Vec<u8>> = ["abc", "bc", "c", "xbc", "d", "", "abc"]
            .map(|text| text.as_bytes().to_vec())
            .into();
        let pool = Pool::new(texts.clone());
        for text in &texts {
            let offset = pool.offset(text).expect("it was put in");
            assert_eq!(
                &pool.bytes[offset..offset + text.len() + 1],
                [text.as_slice(), &[0]].concat()
            );
        }
        assert_eq!(pool.offset(b"zz"), None);
        assert_eq!(pool.bytes.len(), 1 + 4 + 4 + 2);
    }
}
