//! From the letters of one word to its sounds.
//!
//! With all its marks Arabic is written as it is said, but for the rules below (K. C. Ryding, "A Reference Grammar of Modern
//! Standard Arabic", 2005, chapter 2): the article before letters of the front of the tongue, the alif that only carries
//! a vowel at the beginning, long vowels that are a mark and a letter, and some old words with a long *a* that is not
//! written.

use crate::letters::{Letter, Mark, Vowel, letters};
use crate::sounds::{Length, Sound};

/// A word as it is said by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Its sounds, without the vowel of `joins`.
    pub sounds: Vec<Sound>,
    /// The vowel that it begins with where no vowel is before it (hamzat al-wasl).
    pub joins: Option<Vowel>,
}

/// Letters into which the *l* of the article turns, as they are doubled after it.
const SUN_LETTERS: &str = "تثدذرزسشصضطظلن";

/// Particles of one letter that are written together with the next word.
const PARTICLES: &str = "وفبكل";

/// Nouns that begin with a vowel *i* which is left out after another one, whatever their third letter has.
const JOINED_NOUNS: [&str; 4] = ["اسم", "ابن", "اثن", "امر"];

/// Words with a long *a* that is not written, as if it were.
const WITHOUT_ALIF: [(&str, &str); 10] = [
    ("هذا", "هَاذَا"),
    ("هذه", "هَاذِهِ"),
    ("هذان", "هَاذَانِ"),
    ("ذلك", "ذَالِكَ"),
    ("لكن", "لَاكِنْ"),
    ("هؤلاء", "هَاؤُلَاءِ"),
    ("أولئك", "أُلَائِكَ"),
    ("هكذا", "هَاكَذَا"),
    ("إله", "إِلَاه"),
    ("الرحمن", "الرَّحْمَان"),
];

/// Reads a word. The last one before a pause loses the short vowel of its case.
pub fn read(word: &str, before_pause: bool) -> Option<Word> {
    let mut letters = letters(word);
    if letters.is_empty() {
        return None;
    }
    write_out(&mut letters);
    let (joins, first) = opening(&letters);
    let mut reader = Reader {
        letters: &letters,
        sounds: Vec::new(),
        nunated: None,
    };
    for index in first..letters.len() {
        reader.letter(index, before_pause);
    }
    let Reader {
        mut sounds, nunated, ..
    } = reader;
    if before_pause {
        pause(&mut sounds, nunated, joins.is_some());
    } else if nunated.is_some() {
        sounds.push(Sound::Consonant('ن'));
    }
    Some(Word { sounds, joins })
}

/// Writes the long *a* of the words that have none, after particles, too, and of the name of God.
fn write_out(letters: &mut Vec<Letter>) {
    let plain: String = letters.iter().map(|letter| letter.letter).collect();
    let particle = plain.chars().next().filter(|first| PARTICLES.contains(*first));
    for (from, rest) in [
        (0, Some(plain.as_str())),
        (1, particle.and_then(|one| plain.strip_prefix(one))),
    ] {
        let found = WITHOUT_ALIF.iter().find(|(written, _)| Some(*written) == rest);
        // "لكنّ" is another word than "لكن", and has the same vowel.
        let doubled = letters.last().is_some_and(|last| last.doubled);
        if let Some((_, said)) = found.filter(|_| !doubled) {
            letters.truncate(from);
            letters.extend(self::letters(said));
            return;
        }
        if found.is_some() || rest.is_some_and(|rest| rest.starts_with("لكنه") || rest.starts_with("لكنن")) {
            letters[from].mark = Mark::Dagger;
            return;
        }
    }
    if plain.ends_with("لله") {
        let doubled = letters.len() - 2;
        if letters[doubled].mark == Mark::Short(Vowel::A) {
            letters[doubled].mark = Mark::Dagger;
        }
    }
}

/// The vowel that a word begins with where no vowel is before it, and the letter at which the rest begins.
fn opening(letters: &[Letter]) -> (Option<Vowel>, usize) {
    if letters[0].letter != 'ا' || letters.len() == 1 {
        return (None, 0);
    }
    let plain: String = letters.iter().map(|letter| letter.letter).collect();
    let vowel = match letters[0].mark {
        Mark::Short(vowel) | Mark::Nunated(vowel) => vowel,
        _ if letters[1].letter == 'ل' => Vowel::A,
        _ if JOINED_NOUNS.iter().any(|noun| plain.starts_with(noun)) => Vowel::I,
        _ if letters.len() > 3 && letters[2].mark == Mark::Short(Vowel::U) => Vowel::U,
        _ => Vowel::I,
    };
    (Some(vowel), 1)
}

/// Sounds that have been read of some letters.
struct Reader<'a> {
    letters: &'a [Letter],
    sounds: Vec<Sound>,
    /// The vowel before an *n* at the end (tanwin).
    nunated: Option<Vowel>,
}

impl Reader<'_> {
    fn letter(&mut self, index: usize, before_pause: bool) {
        let letter = self.letters[index];
        let last = index + 1 == self.letters.len();
        let before = self.sounds.last().copied();
        match (letter.letter, before) {
            ('ا', _) => self.alif(index),
            ('آ', _) => self.sounds.extend([Sound::Consonant('ء'), Sound::long(Vowel::A)]),
            ('ى', _) if self.nunated.is_some() => {}
            ('ى', Some(Sound::Vowel(vowel, Length::Short))) if letter.is_bare() => self.lengthen(vowel),
            ('ى', _) if matches!(letter.mark, Mark::Nunated(_)) => self.nunate(Vowel::A),
            ('ى', _) if letter.is_bare() && !letter.doubled => self.sounds.push(Sound::long(Vowel::A)),
            // The article before a letter of the front of the tongue, which is doubled.
            ('ل', _) if index > 0 && letter.is_bare() && !letter.doubled && self.next_is_doubled_sun(index) => {}
            ('و', Some(Sound::Vowel(Vowel::U, Length::Short))) | ('ي', Some(Sound::Vowel(Vowel::I, Length::Short)))
                if letter.is_bare() && !letter.doubled =>
            {
                self.lengthen(if letter.letter == 'و' { Vowel::U } else { Vowel::I });
            }
            // Between consonants of which nobody knows the vowel.
            ('و' | 'ي', Some(Sound::Consonant(_))) if letter.mark == Mark::None && !letter.doubled => {
                self.sounds
                    .push(Sound::long(if letter.letter == 'و' { Vowel::U } else { Vowel::I }));
            }
            ('ة', _) if last && (before_pause || letter.is_bare()) => {
                if !matches!(before, Some(Sound::Vowel(Vowel::A, _))) {
                    self.sounds.push(Sound::short(Vowel::A));
                }
                self.sounds.push(Sound::Consonant('ه'));
            }
            _ => self.consonant(index),
        }
    }

    fn consonant(&mut self, index: usize) {
        let letter = self.letters[index];
        let sound = Sound::Consonant(match letter.letter {
            'ة' => 'ت',
            'ى' => 'ي',
            'أ' | 'إ' | 'ؤ' | 'ئ' => 'ء',
            other => other,
        });
        self.sounds.push(sound);
        if letter.doubled {
            self.sounds.push(sound);
        }
        match letter.mark {
            Mark::Short(vowel) => self.sounds.push(Sound::short(vowel)),
            Mark::Dagger => self.sounds.push(Sound::long(Vowel::A)),
            Mark::Nunated(vowel) => self.nunate(vowel),
            // No word begins with a bare hamza: the letter itself says the vowel.
            Mark::None if index == 0 && letter.letter == 'أ' => self.sounds.push(Sound::short(Vowel::A)),
            Mark::None if index == 0 && letter.letter == 'إ' => self.sounds.push(Sound::short(Vowel::I)),
            Mark::None | Mark::Silent => {}
        }
    }

    /// Alif after the first letter: it makes an *a* long, or is not heard.
    fn alif(&mut self, index: usize) {
        let letter = self.letters[index];
        let last = index + 1 == self.letters.len();
        match self.sounds.last() {
            _ if self.nunated.is_some() => {}
            _ if matches!(letter.mark, Mark::Nunated(_)) => self.nunate(Vowel::A),
            // That of the article, or of "استعمل", behind particles.
            Some(Sound::Vowel(Vowel::A, Length::Short)) if self.is_joined(index) => {}
            Some(Sound::Vowel(Vowel::A, Length::Short)) => self.lengthen(Vowel::A),
            // After another vowel only written: "مائة", "بالبيت", and behind verbs.
            Some(Sound::Vowel(..)) => {}
            Some(Sound::Consonant('و')) if last => {}
            _ => self.sounds.push(Sound::long(Vowel::A)),
        }
        // The carrier of a vowel behind the article: "الِاتِّفَاق".
        if let (Mark::Short(vowel), Some(Sound::Consonant(_))) = (letter.mark, self.sounds.last()) {
            self.sounds.push(Sound::short(vowel));
        }
    }

    /// Returns true for an alif that begins a word behind particles, and is left out after their vowels.
    fn is_joined(&self, index: usize) -> bool {
        let particles = &self.letters[..index];
        if index > 2 || !particles.iter().all(|letter| PARTICLES.contains(letter.letter)) {
            return false;
        }
        let (Some(next), Some(after)) = (self.letters.get(index + 1), self.letters.get(index + 2)) else {
            return false;
        };
        let article = match next.mark {
            _ if next.letter != 'ل' => false,
            _ if next.doubled => true,
            Mark::Silent => true,
            Mark::None => after.doubled,
            Mark::Short(Vowel::I) => after.letter == 'ا',
            _ => false,
        };
        article || (next.mark == Mark::Silent && "وف".contains(self.letters[0].letter))
    }

    fn next_is_doubled_sun(&self, index: usize) -> bool {
        let next = self.letters.get(index + 1);
        next.is_some_and(|next| next.doubled && SUN_LETTERS.contains(next.letter))
    }

    fn lengthen(&mut self, vowel: Vowel) {
        if let Some(last) = self.sounds.last_mut() {
            *last = Sound::long(vowel);
        }
    }

    fn nunate(&mut self, vowel: Vowel) {
        // The alif of "بيتًا" may have the mark, and the letter before it, too.
        if self.nunated.is_none() {
            if let Some(Sound::Vowel(Vowel::A, Length::Short)) = self.sounds.last() {
                self.sounds.pop();
            }
            self.sounds.push(Sound::short(vowel));
            self.nunated = Some(vowel);
        }
    }
}

/// Says a word as before a pause: without the vowel of its case, and *aa* for *an*.
fn pause(sounds: &mut Vec<Sound>, nunated: Option<Vowel>, joins: bool) {
    let vowels = sounds.iter().filter(|sound| sound.is_vowel()).count() + usize::from(joins);
    match (nunated, sounds.last()) {
        (Some(Vowel::A), _) => {
            sounds.pop();
            sounds.push(Sound::long(Vowel::A));
        }
        (_, Some(Sound::Vowel(_, Length::Short))) if vowels > 1 => {
            sounds.pop();
        }
        _ => {}
    }
    // What is left of *-iyy*, *-uww*, *huwa* and *hiya* is a long vowel.
    let glide = |vowel: Vowel| match vowel {
        Vowel::I => Some(Sound::Consonant('ي')),
        Vowel::U => Some(Sound::Consonant('و')),
        Vowel::A => None,
    };
    let Some(at) = sounds.iter().rposition(|sound| sound.is_vowel()) else {
        return;
    };
    let Sound::Vowel(vowel, Length::Short) = sounds[at] else {
        return;
    };
    let rest = &sounds[at + 1..];
    if !rest.is_empty() && rest.iter().all(|sound| Some(*sound) == glide(vowel)) {
        sounds.truncate(at);
        sounds.push(Sound::long(vowel));
    }
}
