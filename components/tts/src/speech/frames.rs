//! A sound's frames: the spectra that it passes through, shaped by its neighbours.
//!
//! The engine's data describe a sound by frames (frequencies, heights and widths of formants), and by a program that
//! chooses among them by the neighbours. A vowel is made of three parts: how it begins, which the consonant before it
//! may bring along; its body, whose length is the vowel's; how it ends, which the consonant after it may bring along.
//! Where a consonant brings no frames, it bends those of the vowel towards its own place instead.
//!
//! The rules are those of eSpeak NG (`synthesize.c`, GPL-3.0-or-later), for which the data are made.

use espeak_ng::PhonemeData;
use espeak_ng::synthesize::bytecode::{Neighbours, PhonemeExtract, interpret_phoneme, scan_phoneme};
use espeak_ng::synthesize::phondata::{FRFLAG_VOWEL_CENTRE, SpectFrame, SpectSeq};

use super::sequence::Sound;

/// What a sound is made of.
#[derive(Debug, Default)]
pub struct Parts {
    /// The frames, in order. Each says how long it takes to become the next, in milliseconds (`length`).
    pub frames: Vec<SpectFrame>,
    /// Which of them are the body, whose length is set by the sound's own; the last one ends it.
    pub body: std::ops::Range<usize>,
    /// A recording that is heard, alone or with the frames: its place in the data, and its loudness in percent.
    pub recording: Option<(u32, i32)>,
    /// The body's length in milliseconds, where the data give it.
    pub length: Option<u16>,
    /// What the sound's program adds to the body's length, in milliseconds.
    pub longer: i16,
    /// The silence that the sound's program puts before it, in milliseconds.
    pub pause: u16,
}

/// The sound at `index`, as its program and its neighbours make it.
pub fn parts(sounds: &[Sound], index: usize, table: &PhonemeData) -> Parts {
    let sound = &sounds[index];
    let own = program(sounds, index, table);
    let mut parts = Parts {
        recording: own.wav_addr.map(|place| (place, i32::from(own.wav_param))),
        length: own
            .set_length
            .or((sound.entry.std_length > 0).then_some(sound.entry.std_length))
            .map(|half| 2 * u16::from(half)),
        longer: 2 * i16::from(own.add_length),
        pause: u16::from(own.pause_before_ms),
        ..Parts::default()
    };
    let Some(frames) = sequence(own.fmt_addr, table) else {
        return parts;
    };
    parts.frames = frames;
    parts.body = 0..parts.frames.len();
    if sound.is_vowel() {
        let before = (index > 0 && sound.pause == 0).then(|| program(sounds, index - 1, table));
        let after = sounds
            .get(index + 1)
            .filter(|next| next.pause == 0)
            .map(|_| program(sounds, index + 1, table));
        begin(&mut parts, &own, before.as_ref(), table);
        end(&mut parts, &own, after.as_ref(), table);
    }
    parts
}

/// What the program of the sound at `index` comes to among its neighbours.
fn program(sounds: &[Sound], index: usize, table: &PhonemeData) -> PhonemeExtract {
    // A neighbour behind a pause is silence, for which zero stands.
    let at = |place: Option<usize>| place.and_then(|place| sounds.get(place));
    let after = |place: usize| at(Some(place)).filter(|sound| sound.pause == 0);
    let sound = &sounds[index];
    let before = if sound.pause == 0 {
        at(index.checked_sub(1))
    } else {
        None
    };
    let next = after(index + 1);
    let second = next.and_then(|_| after(index + 2));
    let code = |sound: Option<&Sound>| sound.map_or(0, |sound| sound.entry.code);
    let starts_word = |sound: Option<&Sound>| sound.is_none_or(|sound| sound.starts_word);
    let neighbours = Neighbours {
        prev: code(before),
        this: sound.entry.code,
        next: code(next),
        next2: code(second),
        stress: sound.stress,
        this_wordstart: sound.starts_word,
        prev_wordstart: starts_word(before),
        next_wordstart: starts_word(next),
        next2_wordstart: starts_word(second),
        ..Neighbours::default()
    };
    let mut found = interpret_phoneme(sound.entry.program, &table.phonindex, &neighbours, |code| {
        table.get(code).cloned()
    });
    // A sound may be nothing but another sound.
    if found.fmt_addr.is_none() && found.wav_addr.is_none() {
        let other = found
            .change_phoneme_code
            .and_then(|code| table.get(code))
            .filter(|other| other.program > 0);
        if let Some(other) = other {
            let other = scan_phoneme(other.program, &table.phonindex);
            (found.fmt_addr, found.fmt_param) = (other.fmt_addr, other.fmt_param);
            (found.wav_addr, found.wav_param) = (other.wav_addr, other.wav_param);
        }
    }
    found
}

/// The frames at a place in the data.
fn sequence(place: Option<u32>, table: &PhonemeData) -> Option<Vec<SpectFrame>> {
    SpectSeq::parse(&table.phondata, place? as usize)
        .map(|sequence| sequence.frames)
        .filter(|frames| !frames.is_empty())
}

/// Gives a vowel its beginning.
fn begin(parts: &mut Parts, own: &PhonemeExtract, before: Option<&PhonemeExtract>, table: &PhonemeData) {
    // The frame that is marked as the centre begins the body; what is before it is the default beginning.
    let centre = parts
        .frames
        .iter()
        .rposition(|frame| frame.frflags & FRFLAG_VOWEL_CENTRE != 0)
        .unwrap_or(0);
    let brought = match own.vwlstart_addr {
        Some(place) if !own.pd_fornextph => Some(place),
        _ => before
            .filter(|before| before.pd_fornextph)
            .and_then(|before| before.vwlstart_addr),
    };
    let beginning = match sequence(brought, table) {
        Some(mut beginning) => {
            // Its last frame is the vowel's own first: only its time is left.
            if beginning.len() > 1 {
                beginning.pop();
            }
            parts.frames.drain(..centre);
            beginning
        }
        None => {
            let mut beginning: Vec<SpectFrame> = parts.frames.drain(..centre).collect();
            if let Some(first) = beginning.first_mut() {
                // Short vowels have short beginnings.
                if let Some(length @ ..130) = parts.length {
                    first.length = (u16::from(first.length) * length / 130) as u8;
                }
                let next = parts.frames[0].rms;
                match before {
                    Some(before) => {
                        Bend::new(before.vowel_transition[0], before.vowel_transition[1]).enter(first, next)
                    }
                    None => set_strength(first, SILENT_START),
                }
            }
            beginning
        }
    };
    let length = beginning.len();
    parts.frames.splice(..0, beginning);
    parts.body = length..parts.frames.len();
}

/// Gives a vowel its end.
fn end(parts: &mut Parts, own: &PhonemeExtract, after: Option<&PhonemeExtract>, table: &PhonemeData) {
    let brought = own
        .vwlending_addr
        .or_else(|| after.and_then(|after| after.vwlending_addr));
    match sequence(brought, table) {
        Some(ending) => {
            // The first frame only says how long the vowel's last one takes.
            if let Some(last) = parts.frames.last_mut() {
                last.length = ending[0].length;
            }
            parts.frames.extend(ending.into_iter().skip(1));
        }
        None => {
            if let Some(after) = after {
                Bend::new(after.vowel_transition[2], after.vowel_transition[3]).leave(&mut parts.frames);
            }
        }
    }
}

/// The strength of a vowel's first frame after silence.
const SILENT_START: i32 = 28;

/// How a consonant bends the vowel next to it.
struct Bend {
    /// How long the bent part takes, in milliseconds.
    length: u8,
    /// The strength at the consonant's end; with bit 5, in thirtieths of the vowel's.
    strength: i32,
    flags: u32,
    /// Where the second formant is drawn to, in Hz, and how far at most to either side.
    second: i32,
    reach: (i32, i32),
    /// What is added to the third formant, in Hz.
    third: i32,
    /// What is left of the higher formants, in percent; zero for all.
    higher: i32,
    /// How the first formant is lowered: not, a little, more, much.
    first: u32,
}

impl Bend {
    /// Takes the two words of the data apart.
    fn new(first: u32, second: u32) -> Self {
        let bits = |word: u32, from: u32, count: u32| (word >> from & ((1 << count) - 1)) as i32;
        let signed = |from: u32| (bits(second, from, 5) - 15) * 50;
        Self {
            length: (bits(first, 0, 6) * 2) as u8,
            strength: bits(first, 6, 6),
            flags: first >> 12,
            second: bits(second, 0, 6) * 50,
            reach: (signed(6), signed(11)),
            third: signed(16),
            higher: bits(second, 21, 5) * 8,
            first: second >> 26 & 7,
        }
    }

    /// Bends the first frame of a vowel; `next` is the strength of the one after it.
    fn enter(&self, frame: &mut SpectFrame, next: u8) {
        if self.length > 0 {
            frame.length = self.length;
        }
        if self.second == 0 {
            return set_strength(frame, SILENT_START);
        }
        let relative = self.strength & 0x20 != 0;
        set_strength(
            frame,
            if relative {
                i32::from(next) * (self.strength & 0x1f) / 30
            } else {
                2 * self.strength
            },
        );
        self.shape(frame);
    }

    /// Adds a bent copy of the last frame at the end of a vowel.
    fn leave(&self, frames: &mut Vec<SpectFrame>) {
        if self.second == 0 && self.flags == 0 {
            return;
        }
        let Some(last) = frames.last_mut() else { return };
        let mut bent = last.clone();
        last.length = self.length;
        bent.length = 0;
        if self.second != 0 {
            self.shape(&mut bent);
        }
        set_strength(&mut bent, 2 * self.strength);
        frames.push(bent);
    }

    fn shape(&self, frame: &mut SpectFrame) {
        let mut shift = |formant: usize, by: i32| {
            frame.ffreq[formant] = (i32::from(frame.ffreq[formant]) + by).clamp(0, i32::from(i16::MAX)) as i16;
            i32::from(frame.ffreq[formant])
        };
        let second = shift(2, 0);
        shift(
            2,
            ((self.second - second) / 2).clamp(self.reach.0, self.reach.1.max(self.reach.0)),
        );
        shift(3, self.third);
        let reversed = self.flags & 0x20 != 0;
        let fourth = if reversed { -self.third } else { self.third };
        shift(4, fourth);
        shift(5, fourth);
        let (target, least, most, base) = match self.first {
            1 => (235, -60, -100, false),
            2 => (235, -150, -300, true),
            3 => (100, -300, -400, true),
            _ => (0, 0, 0, false),
        };
        if most != 0 {
            let by = (target - shift(1, 0)).clamp(most, least);
            shift(1, by);
            if base {
                shift(0, by);
            }
        }
        if self.higher > 0 {
            for height in &mut frame.fheight[2..] {
                *height = (i32::from(*height) * self.higher / 100).min(255) as u8;
            }
        }
    }
}

/// Scales a frame's formants so that its strength becomes `strength`: power goes with the square of the heights.
fn set_strength(frame: &mut SpectFrame, strength: i32) {
    if strength <= 0 || frame.rms == 0 {
        return;
    }
    let factor = (f64::from(strength) / f64::from(frame.rms)).sqrt();
    for height in &mut frame.fheight {
        *height = (f64::from(*height) * factor).round().min(255.0) as u8;
    }
    frame.rms = strength.min(255) as u8;
}
