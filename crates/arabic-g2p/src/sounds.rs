//! Sounds of words, their stress, and how the International Phonetic Alphabet writes them.

use crate::letters::Vowel;

/// A sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sound {
    /// A consonant, by its letter.
    Consonant(char),
    /// A vowel.
    Vowel(Vowel, Length),
}

/// Length of a vowel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// Short.
    Short,
    /// Long.
    Long,
}

impl Sound {
    /// A short vowel.
    pub const fn short(vowel: Vowel) -> Self {
        Self::Vowel(vowel, Length::Short)
    }

    /// A long vowel.
    pub const fn long(vowel: Vowel) -> Self {
        Self::Vowel(vowel, Length::Long)
    }

    /// Returns true for a vowel.
    pub const fn is_vowel(self) -> bool {
        matches!(self, Self::Vowel(..))
    }

    /// Returns true for a consonant with the root of the tongue drawn back, beside which an *a* is dark.
    const fn is_dark(self) -> bool {
        matches!(self, Self::Consonant('ص' | 'ض' | 'ط' | 'ظ' | 'ق'))
    }
}

/// The sound of a consonant in the International Phonetic Alphabet.
const fn consonant(letter: char) -> &'static str {
    match letter {
        'ب' => "b",
        'ت' => "t",
        'ث' => "θ",
        'ج' => "dʒ",
        'ح' => "ħ",
        'خ' => "x",
        'د' => "d",
        'ذ' => "ð",
        'ر' => "r",
        'ز' => "z",
        'س' => "s",
        'ش' => "ʃ",
        'ص' => "sˤ",
        'ض' => "dˤ",
        'ط' => "tˤ",
        'ظ' => "ðˤ",
        'ع' => "ʕ",
        'غ' => "ɣ",
        'ف' => "f",
        'ق' => "q",
        'ك' => "k",
        'ل' => "l",
        'م' => "m",
        'ن' => "n",
        'ه' => "h",
        'و' => "w",
        'ي' => "j",
        _ => "ʔ",
    }
}

/// A word with `ˈ` before its stressed vowel.
pub fn write(word: &[Sound]) -> String {
    let stressed = stressed(word);
    let mut written = String::new();
    for (index, sound) in word.iter().enumerate() {
        let (vowel, length) = match *sound {
            Sound::Consonant(letter) => {
                written.push_str(consonant(letter));
                continue;
            }
            Sound::Vowel(vowel, length) => (vowel, length),
        };
        if stressed == Some(index) {
            written.push('ˈ');
        }
        let beside = index.checked_sub(1).and_then(|before| word.get(before)).into_iter();
        let dark = beside.chain(word.get(index + 1)).any(|sound| sound.is_dark());
        written.push(match vowel {
            Vowel::A if dark => 'ɑ',
            Vowel::A => 'a',
            Vowel::U => 'u',
            Vowel::I => 'i',
        });
        if length == Length::Long {
            written.push('ː');
        }
    }
    written
}

/// The place of the stressed vowel: in the last syllable where that is very long, else in the last but one where that is
/// long, else in the one before (K. C. Ryding, "A Reference Grammar of Modern Standard Arabic", 2005, chapter 2).
fn stressed(word: &[Sound]) -> Option<usize> {
    let vowels: Vec<usize> = (0..word.len()).filter(|index| word[*index].is_vowel()).collect();
    // The length of a syllable: its vowel, and the consonants that close it. One consonant before a vowel opens the next.
    let weight = |place: usize| {
        let (at, next) = (vowels[place], vowels.get(place + 1));
        let consonants = next.copied().unwrap_or(word.len()) - at - 1;
        let closing = consonants.saturating_sub(usize::from(next.is_some()));
        closing
            + if matches!(word[at], Sound::Vowel(_, Length::Long)) {
                2
            } else {
                1
            }
    };
    let count = vowels.len();
    let place = match count {
        0 => return None,
        1 => 0,
        _ if weight(count - 1) >= 3 => count - 1,
        2 => 0,
        _ if weight(count - 2) >= 2 => count - 2,
        _ => count - 3,
    };
    vowels.get(place).copied()
}
