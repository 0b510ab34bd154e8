//! Arabic writing: letters with the marks that stand above and below them.

/// The three vowels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vowel {
    /// Fatha.
    A,
    /// Damma.
    U,
    /// Kasra.
    I,
}

/// The mark of a letter, beside the one that doubles it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// None: the letter is part of a long vowel, or nobody wrote its vowel.
    None,
    /// No vowel (sukun).
    Silent,
    /// A short vowel.
    Short(Vowel),
    /// A vowel and an *n* after it (tanwin), which a noun without an article ends in.
    Nunated(Vowel),
    /// A long *a* that is written above its letter (dagger alif).
    Dagger,
}

/// A letter with its marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Letter {
    /// The letter by itself.
    pub letter: char,
    /// True where it is doubled (shadda).
    pub doubled: bool,
    /// Its vowel.
    pub mark: Mark,
}

impl Letter {
    /// Returns true where nothing says that a vowel follows.
    pub fn is_bare(self) -> bool {
        matches!(self.mark, Mark::None | Mark::Silent)
    }
}

/// The mark that doubles a letter.
pub const SHADDA: char = '\u{651}';

/// The vowel that a sign stands for.
pub const fn mark(sign: char) -> Option<Mark> {
    Some(match sign {
        '\u{64b}' => Mark::Nunated(Vowel::A),
        '\u{64c}' => Mark::Nunated(Vowel::U),
        '\u{64d}' => Mark::Nunated(Vowel::I),
        '\u{64e}' => Mark::Short(Vowel::A),
        '\u{64f}' => Mark::Short(Vowel::U),
        '\u{650}' => Mark::Short(Vowel::I),
        '\u{652}' => Mark::Silent,
        '\u{670}' => Mark::Dagger,
        _ => return None,
    })
}

/// Returns true for a letter of Arabic.
pub const fn is_letter(character: char) -> bool {
    matches!(character, '\u{621}'..='\u{63a}' | '\u{641}'..='\u{64a}' | '\u{671}')
}

/// Returns true for a sign that stands above or below a letter: those of vowels, and the doubling one.
pub const fn is_mark(character: char) -> bool {
    character == SHADDA || mark(character).is_some()
}

/// The letters of a word. Signs that are none of a vowel are left out, and so is what is no letter.
pub fn letters(word: &str) -> Vec<Letter> {
    let mut letters: Vec<Letter> = Vec::new();
    for character in word.chars() {
        if let Some(last) = letters.last_mut() {
            last.doubled |= character == SHADDA;
            match mark(character) {
                // A dagger stands beside the short vowel that it makes long.
                Some(Mark::Dagger) => last.mark = Mark::Dagger,
                Some(mark) if last.mark == Mark::None => last.mark = mark,
                _ => {}
            }
        }
        if is_letter(character) {
            letters.push(Letter {
                // An alif that says itself that it is silent after a vowel.
                letter: if character == '\u{671}' { 'ا' } else { character },
                doubled: false,
                mark: Mark::None,
            });
        }
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_belong_to_the_letter_before_in_any_order() {
        let both = letters("مُدَرِّس");
        assert_eq!(both, letters("مُدَرّ\u{650}س"));
        let doubled: Vec<_> = both.iter().map(|letter| letter.doubled).collect();
        assert_eq!(doubled, [false, false, true, false]);
        assert_eq!(both[2].mark, Mark::Short(Vowel::I));
        assert!(both[3].is_bare());
        assert_eq!(letters("هَٰذَا")[0].mark, Mark::Dagger);
        assert!(letters("\u{64e}, 12").is_empty());
    }
}
