//! The interpreter of phoneme programs, which choose a sound's data by its neighbours.
//!
//! Every sound of the engine's tables has a small program that asks what stands before and after, and names the frames,
//! recordings and changes to use. The crate's own interpreter sees two neighbours and no voicing before a stop, so
//! that programs which ask for more take the wrong branch; this one sees the whole phrase. The instructions are those
//! of eSpeak NG's `phonindex` (`synthesize.h`, `synthdata.c`; GPL-3.0-or-later).

use espeak_ng::phoneme::{PH_LIQUID, PH_PAUSE, PH_VOICED, PH_VOWEL, PHON_VOWELTYPES};
use espeak_ng::{PhonemeData, PhonemeTab};

use super::sequence::Sound;

/// A place in the engine's data of sounds, with the number that the program gives along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Its address.
    pub at: u32,
    /// A strength in percent (zero for all of it), or a length in milliseconds, by the kind of place.
    pub value: u8,
}

/// The result of a program: the data of a sound.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Frames: of a vowel its body, with its default beginning.
    pub frames: Option<Place>,
    /// A recording that is heard alone.
    pub recording: Option<Place>,
    /// A recording that is heard with the frames.
    pub mixed: Option<Place>,
    /// The beginning of a vowel.
    pub beginning: Option<Place>,
    /// The end of a vowel.
    pub ending: Option<Place>,
    /// True if `beginning` is meant for the vowel that follows this sound.
    pub for_next: bool,
    /// The bends of the vowel after this sound (two words) and of the one before (two words).
    pub bends: [u32; 4],
    /// The sound's length in half milliseconds.
    pub length: i16,
    /// The silence before it in milliseconds.
    pub pause: u8,
    /// Another sound, which replaces this one.
    change: Option<u8>,
}

/// Runs the program of the sound at `index`; `voicing` asks for the murmur in which a voiced stop is held.
pub fn outcome(sounds: &[Sound], index: usize, table: &PhonemeData, voicing: bool) -> Outcome {
    let machine = Interpreter {
        sounds,
        index,
        table,
        voicing,
    };
    let mut found = machine.run(&sounds[index].entry);
    // A sound may be nothing but another sound.
    if found.frames.is_none() && found.recording.is_none() {
        let other = found
            .change
            .and_then(|code| table.get(code))
            .filter(|other| other.program > 0);
        if let Some(other) = other {
            let other = machine.run(other);
            (found.frames, found.recording, found.mixed) = (other.frames, other.recording, other.mixed);
        }
    }
    found
}

/// More instructions than any program has; data that never end are given up here.
const MAX_INSTRUCTIONS: usize = 2_000;

/// The greatest depth of calls.
const MAX_CALL_DEPTH: usize = 10;

struct Interpreter<'a> {
    sounds: &'a [Sound],
    index: usize,
    table: &'a PhonemeData,
    voicing: bool,
}

impl Interpreter<'_> {
    /// A word of the programs; zero behind their end.
    fn word(&self, at: usize) -> u16 {
        let bytes = self.table.phonindex.get(2 * at..2 * at + 2);
        bytes.map_or(0, |bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn run(&self, entry: &PhonemeTab) -> Outcome {
        let mut found = Outcome {
            length: i16::from(entry.std_length),
            ..Outcome::default()
        };
        if entry.program == 0 {
            return found;
        }
        let mut at = usize::from(entry.program);
        let mut callers = Vec::new();
        // A recording may follow frames, after which the program ends.
        let mut ends_after_mix = false;
        for _ in 0..MAX_INSTRUCTIONS {
            let word = self.word(at);
            let (kind, low) = (word >> 8 & 0xf, (word & 0xff) as u8);
            let mut ended = false;
            match word >> 12 {
                0 => {
                    match kind {
                        0 => ended = low == 1,
                        0x1 => found.change = Some(low),
                        0x7 => found.pause = low,
                        0xa => found.length = i16::from(low),
                        0xc => found.length += i16::from(low.cast_signed()),
                        _ => {}
                    }
                    at += words_of(word);
                }
                2 | 3 => at = self.decide(at),
                6 => match kind >> 1 {
                    0 => at += usize::from(low),
                    switch @ (5 | 6) => {
                        let neighbour = if switch == 5 {
                            found.for_next = true;
                            self.neighbour(1).map(|next| next.entry.start_type)
                        } else {
                            self.neighbour(-1).map(|before| before.entry.end_type)
                        };
                        let chosen = neighbour.and_then(|vowel| vowel.checked_sub(PHON_VOWELTYPES));
                        if let Some(vowel @ 0..6) = chosen {
                            let row = at + 2 * usize::from(vowel);
                            let first = self.word(row + 1);
                            let place = place(
                                (u32::from(first & 0xf) << 16 | u32::from(self.word(row + 2))) * 4,
                                (first >> 4 & 0xff) as u8,
                            );
                            *(if switch == 5 {
                                &mut found.beginning
                            } else {
                                &mut found.ending
                            }) = place;
                        }
                        at += 13;
                    }
                    _ => at += 1,
                },
                9 => {
                    let target = usize::from(word & 0xf) << 16 | usize::from(self.word(at + 1));
                    at += 2;
                    if kind == 1 && callers.len() < MAX_CALL_DEPTH {
                        callers.push(at);
                        at = target;
                    }
                }
                10 => {
                    let first = if kind == 1 { 0 } else { 2 };
                    let pair = |at: usize| u32::from(self.word(at)) << 16 | u32::from(self.word(at + 1));
                    found.bends[first] = u32::from(low) << 16 | u32::from(self.word(at + 1));
                    found.bends[first + 1] = pair(at + 2);
                    at += 4;
                }
                operation @ 11.. => {
                    let address = u32::from(word & 0xf) << 18 | u32::from(self.word(at + 1)) << 2;
                    let target = match operation {
                        11 => &mut found.frames,
                        12 => &mut found.recording,
                        13 => &mut found.beginning,
                        14 => &mut found.ending,
                        _ => &mut found.mixed,
                    };
                    *target = place(address, (word >> 4 & 0xff) as u8);
                    // A consonant names the beginning of the vowel after it.
                    found.for_next |= operation == 13 && entry.typ != PH_VOWEL;
                    let after = self.word(at + 2);
                    // Frames and recordings end a program unless it says that it goes on.
                    if after != WORD_CONTINUE {
                        match operation {
                            11 | 12 if after >> 12 == 0xf => ends_after_mix = true,
                            11 | 12 => ended = true,
                            15 => ended = ends_after_mix,
                            _ => {}
                        }
                    }
                    at += 2;
                }
                _ => at += words_of(word),
            }
            if ended {
                ends_after_mix = false;
                match callers.pop() {
                    Some(caller) => at = caller,
                    None => break,
                }
            }
        }
        found
    }

    /// Evaluates the conditions at `at` and answers where the program goes on.
    fn decide(&self, mut at: usize) -> usize {
        let (mut truth, mut or) = (true, false);
        let mut word = self.word(at);
        while word & 0xe000 == 0x2000 {
            let mut own = self.holds(at, word);
            at += words_of(word);
            if self.word(at) == WORD_NOT {
                own = !own;
                at += 1;
            }
            truth = if or { truth || own } else { truth && own };
            or = word & 0x1000 != 0;
            word = self.word(at);
        }
        if truth {
            return at;
        }
        if word & 0xf800 == 0x6800 {
            return at + usize::from(word & 0xff);
        }
        at += match (word >> 12, self.word(at + 2)) {
            (11.., after) if after >> 12 == 0xf => 4,
            (11.., WORD_CONTINUE) => 3,
            _ => words_of(word),
        };
        // What is left out may have an alternative behind it, which a jump would pass by.
        if self.word(at) & 0xfe00 == 0x6000 { at + 1 } else { at }
    }

    /// The sound `by` places away, over pauses and words.
    fn neighbour(&self, by: isize) -> Option<&Sound> {
        self.sounds.get(self.index.checked_add_signed(by)?)
    }

    /// Returns true if one of the next `count` sounds begins a word.
    fn word_ends_within(&self, count: isize) -> bool {
        (1..=count).any(|by| self.neighbour(by).is_none_or(|sound| sound.starts_word))
    }

    fn holds(&self, at: usize, word: u16) -> bool {
        let kind = word >> 8 & 0xf;
        if kind == 0xf {
            return word & 0xff == 1 && self.voicing;
        }
        if kind == 0xe {
            return false;
        }
        let which = if kind % 7 == 6 { self.word(at + 1) } else { kind % 7 };
        let place = match which {
            0 => Some(-1),
            1 => Some(0),
            2 => Some(1),
            3 => Some(2),
            4 => (!self.word_ends_within(1)).then_some(1),
            5 => (!self.sounds[self.index].starts_word).then_some(-1),
            6 => (!self.word_ends_within(2)).then_some(2),
            7 => (1..)
                .take_while(|by| self.neighbour(*by).is_some_and(|sound| !sound.starts_word))
                .find(|by| self.neighbour(*by).is_some_and(Sound::is_vowel)),
            8 => (0..)
                .take_while(|back| self.neighbour(-back).is_some_and(|sound| !sound.starts_word))
                .map(|back| -back - 1)
                .find(|by| self.neighbour(*by).is_some_and(Sound::is_vowel)),
            9 => (!self.word_ends_within(3)).then_some(3),
            10 => (0..2)
                .all(|back| self.neighbour(-back).is_some_and(|sound| !sound.starts_word))
                .then_some(-2),
            _ => None,
        };
        let Some(place) = place else { return false };
        let Some(sound) = self.neighbour(place) else {
            return false;
        };
        if kind < 7 {
            // A certain sound, or a kind of vowel.
            let code = (word & 0xff) as u8;
            if self
                .table
                .get(code)
                .is_some_and(|other| other.mnemonic == sound.entry.mnemonic)
            {
                return true;
            }
            return code
                == if place < 0 && sound.is_vowel() {
                    sound.entry.end_type
                } else {
                    sound.entry.start_type
                };
        }
        let value = word & 0x1f;
        match word >> 5 & 7 {
            0 => u16::from(sound.entry.typ) == value,
            1 => sound.entry.phflags >> 16 & 0xf == u32::from(value),
            2 => sound.entry.phflags & 1 << value != 0,
            4 => self.is(place, sound, value),
            _ => false,
        }
    }

    /// Evaluates the conditions that are neither a sound nor its kind. `sound` is the one `place` away.
    fn is(&self, place: isize, sound: &Sound, condition: u16) -> bool {
        let after = |by: isize| self.neighbour(place + by);
        match condition {
            0..=4 => {
                // The stress of a consonant is that of the vowel after it.
                let vowel = if sound.is_vowel() { Some(sound) } else { after(1) };
                vowel
                    .filter(|vowel| vowel.is_vowel())
                    .is_some_and(|vowel| match condition {
                        3 => vowel.stress > 3,
                        4 => vowel.stress >= vowel.word_stress,
                        weak => vowel.stress < [1, 2, 4][usize::from(weak)],
                    })
            }
            9 => (1..)
                .take_while(|back| after(1 - back).is_some_and(|sound| !sound.starts_word))
                .any(|back| after(-back).is_some_and(|sound| sound.stress >= 4)),
            10 => !sound.is_vowel(),
            11 => !(1..)
                .take_while(|by| after(*by).is_some_and(|sound| !sound.starts_word))
                .any(|by| after(by).is_some_and(Sound::is_vowel)),
            12 => sound.is_vowel() || sound.entry.typ == PH_LIQUID || sound.entry.phflags & PH_VOICED != 0,
            13 | 14 => self.vowels_to(place) == usize::from(condition - 12),
            17 => sound.entry.typ == PH_PAUSE || self.sounds[self.index].unreleased,
            18 => sound.starts_word,
            19 => after(1).is_none_or(|next| next.starts_word || next.entry.typ == PH_PAUSE),
            _ => false,
        }
    }

    /// The number of vowels in the word up to the sound `place` away, including it.
    fn vowels_to(&self, place: isize) -> usize {
        let mut count = 0;
        for by in (isize::MIN / 2..=place).rev() {
            let Some(sound) = self.neighbour(by) else { break };
            count += usize::from(sound.is_vowel());
            if sound.starts_word {
                break;
            }
        }
        count
    }
}

/// Negates the condition before it.
const WORD_NOT: u16 = 3;
/// Keeps the program going after frames or a recording.
const WORD_CONTINUE: u16 = 2;

fn place(at: u32, value: u8) -> Option<Place> {
    (at != 0).then_some(Place { at, value })
}

/// The length of an instruction, in words.
fn words_of(word: u16) -> usize {
    match word >> 12 {
        0 if word >> 8 == 0xd => 1 + usize::from(word & 0xff).div_ceil(2),
        2 | 3 if matches!(word >> 8 & 0xf, 0x6 | 0xd) => 2,
        6 if matches!(word >> 9 & 7, 5 | 6) => 12,
        9 => 2,
        10 => 4,
        11.. => 2,
        _ => 1,
    }
}
