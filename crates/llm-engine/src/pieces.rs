//! From the bytes of tokens to text that can be said: whole characters only, and nothing that may yet turn out to be the
//! beginning of a text to stop at.

/// An answer while its tokens come.
#[derive(Debug, Default)]
pub struct Pieces {
    /// Texts to stop at; none is empty.
    stop: Vec<String>,
    /// The beginning of a character whose end has not come.
    bytes: Vec<u8>,
    /// Text held back.
    held: String,
    stopped: bool,
}

impl Pieces {
    /// Nothing said yet. Empty texts to stop at are none.
    pub fn new(stop: Vec<String>) -> Self {
        Self {
            stop: stop.into_iter().filter(|text| !text.is_empty()).collect(),
            ..Self::default()
        }
    }

    /// Takes the bytes of the next token and gives what can be said now, which may be nothing.
    pub fn push(&mut self, token: &[u8]) -> String {
        if self.stopped {
            return String::new();
        }
        self.bytes.extend_from_slice(token);
        self.decode();
        let found = self.stop.iter().filter_map(|stop| self.held.find(stop)).min();
        if let Some(position) = found {
            self.stopped = true;
            self.held.truncate(position);
            return std::mem::take(&mut self.held);
        }
        let kept = self.stop.iter().map(|stop| begun(&self.held, stop)).max().unwrap_or(0);
        let rest = self.held.split_off(self.held.len() - kept);
        std::mem::replace(&mut self.held, rest)
    }

    /// True once a stop sequence came.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Returns the text held back, once no more tokens come. An incomplete character is left out.
    pub fn finish(self) -> String {
        if self.stopped { String::new() } else { self.held }
    }

    /// Moves all whole characters from the bytes to the text; what can be no character becomes U+FFFD.
    fn decode(&mut self) {
        loop {
            match std::str::from_utf8(&self.bytes) {
                Ok(text) => {
                    self.held.push_str(text);
                    self.bytes.clear();
                    return;
                }
                Err(error) => {
                    let valid = error.valid_up_to();
                    self.held.push_str(&String::from_utf8_lossy(&self.bytes[..valid]));
                    let Some(wrong) = error.error_len() else {
                        self.bytes.drain(..valid);
                        return;
                    };
                    self.held.push(char::REPLACEMENT_CHARACTER);
                    self.bytes.drain(..valid + wrong);
                }
            }
        }
    }
}

/// Length in bytes of the longest end of `text` that `stop` begins with.
fn begun(text: &str, stop: &str) -> usize {
    stop.char_indices()
        .map(|(position, _)| position)
        .filter(|position| text.ends_with(&stop[..*position]))
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(stop: &[&str], tokens: &[&[u8]]) -> (Vec<String>, bool) {
        let mut pieces = Pieces::new(stop.iter().map(ToString::to_string).collect());
        let mut all: Vec<_> = tokens.iter().map(|token| pieces.push(token)).collect();
        let stopped = pieces.stopped();
        all.push(pieces.finish());
        (all, stopped)
    }

    #[test]
    fn characters_are_whole() {
        let text = "été 東京 🙂".as_bytes();
        let tokens: Vec<_> = text.chunks(1).collect();
        let (pieces, stopped) = said(&[], &tokens);
        assert_eq!(pieces.concat(), "été 東京 🙂");
        assert!(!stopped);
        assert_eq!(pieces[0], "");
        assert_eq!(pieces[1], "é");
    }

    #[test]
    fn what_is_no_character_is_replaced_and_half_a_one_left_out() {
        assert_eq!(said(&[], &[b"a\xff\xfeb"]).0.concat(), "a\u{fffd}\u{fffd}b");
        assert_eq!(said(&[], &[b"a\xe6\x9d"]).0.concat(), "a");
        // A new character begins where the last one should have gone on.
        assert_eq!(said(&[], &[b"\xe6\x9d", b"a"]).0.concat(), "\u{fffd}a");
    }

    #[test]
    fn stops_before_the_text_wherever_it_is_cut() {
        let text = "One. User: two";
        for size in 1..text.len() {
            let tokens: Vec<_> = text.as_bytes().chunks(size).collect();
            let (pieces, stopped) = said(&["User:", "never"], &tokens);
            assert_eq!(pieces.concat(), "One. ");
            assert!(stopped);
        }
    }

    #[test]
    fn what_only_looked_like_a_stop_is_said() {
        let (pieces, stopped) = said(&["\n\nUser:"], &[b"a\n", b"\nUs", b"ually b\n"]);
        assert_eq!(pieces, ["a", "", "\n\nUsually b", "\n"]);
        assert!(!stopped);
        assert_eq!(said(&["éa"], &["é".as_bytes(), b"b"]).0, ["", "éb", ""]);
        assert_eq!(said(&[""], &[b"a"]).0, ["a", ""]);
    }

    #[test]
    fn the_first_stop_counts() {
        assert_eq!(said(&["c", "b"], &[b"abc"]).0.concat(), "a");
    }
}
