//! A sound's frames: the spectra that it passes through, shaped by its neighbours.
//!
//! The engine's data describe a sound by frames (frequencies, heights and widths of formants), and by a program that
//! chooses among them ([`super::program`]). A vowel is made of two parts: how it begins, which the consonant before it
//! may bring along, and its body with its end, which the consonant after it may bring along. Where a consonant brings
//! no frames, it bends those of the vowel towards its own place instead.
//!
//! The rules are those of eSpeak NG (`synthdata.c` and `synthesize.c`, GPL-3.0-or-later), for which the data are made.

use espeak_ng::PhonemeData;
use espeak_ng::phoneme::PHON_LENGTHEN;
use espeak_ng::synthesize::phondata::{FRFLAG_BREAK, FRFLAG_FORMANT_RATE, FRFLAG_VOWEL_CENTRE, SpectFrame, SpectSeq};

use super::program::{Outcome, Place};
use super::sequence::Sound;

/// A spectrum that sounds pass through. Frames with the same `id` are the same point of the way.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Identifies a frame of the data; a bent frame has another.
    pub id: u32,
    /// The formants.
    pub spectrum: SpectFrame,
}

impl Frame {
    /// Returns true if both are the same point of the way.
    pub fn meets(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// A frame, and the way to the next one.
#[derive(Debug, Clone)]
pub struct Stage {
    /// The frame at the beginning.
    pub frame: Frame,
    /// The time until the next frame, in milliseconds.
    pub length: f32,
    /// The fixed part of this length.
    pub firmness: Firmness,
}

/// The part of a length that is fixed, whatever the length of the syllable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Firmness {
    /// None.
    None,
    /// A part, where the data say so.
    Marked,
    /// A part, in the beginning of a vowel.
    Beginning,
}

/// A frame whose length follows the length of the syllable less than others: a flag of the data.
const FLAG_FIRM: u16 = 0x04;

/// A frame of the data that has been bent.
const FLAG_BENT: u16 = 0x8000;

/// The part of the data's length of a vowel that is its beginning, in milliseconds.
const BEGINNING_MS: f32 = 45.0;

/// The length of a bent beginning unless the consonant says otherwise, in milliseconds.
const BENT_BEGINNING_MS: f32 = 50.0;

/// The longest bent end that does not make the vowel longer, in milliseconds.
const BENT_END_MS: f32 = 36.0;

/// The length below which a vowel has a short beginning, in milliseconds.
const SHORT_VOWEL_MS: f32 = 130.0;

/// The stages at a place in the data; none if there is nothing.
fn stages(place: Option<Place>, table: &PhonemeData) -> Vec<Stage> {
    let Some(place) = place else { return Vec::new() };
    let frames = SpectSeq::parse(&table.phondata, place.at as usize).map_or_else(Vec::new, |found| found.frames);
    let stage = |(index, spectrum): (usize, SpectFrame)| Stage {
        length: f32::from(spectrum.length),
        firmness: if spectrum.frflags & FLAG_FIRM != 0 {
            Firmness::Marked
        } else {
            Firmness::None
        },
        frame: Frame {
            id: place.at << 5 | index as u32,
            spectrum,
        },
    };
    frames.into_iter().enumerate().map(stage).collect()
}

/// The index of the frame that is marked as a vowel's centre.
fn centre(stages: &[Stage]) -> usize {
    let marked = |stage: &Stage| stage.frame.spectrum.frflags & FRFLAG_VOWEL_CENTRE != 0;
    stages.iter().rposition(marked).unwrap_or(0)
}

/// The time that all but the last stage take.
fn total(stages: &[Stage]) -> f32 {
    stages.iter().rev().skip(1).map(|stage| stage.length).sum()
}

fn scale(stages: &mut [Stage], factor: f32) {
    if let Some((_, body)) = stages.split_last_mut() {
        for stage in body {
            stage.length *= factor.max(0.0);
        }
    }
}

/// The sound's own length in milliseconds.
fn own_length(own: &Outcome) -> f32 {
    2.0 * f32::from(own.length)
}

/// A number of the data as a length in milliseconds, which may be less than nothing.
fn adjustment(place: Option<Place>) -> f32 {
    place.map_or(0.0, |place| f32::from(place.value.cast_signed()))
}

/// The stages of a consonant. A voiced stop has the length of its frames (`fixed`), others their own.
pub fn consonant(own: &Outcome, fixed: bool, table: &PhonemeData) -> Vec<Stage> {
    let mut stages = stages(own.frames, table);
    let sum = total(&stages);
    if !fixed && own.length > 0 && sum > 0.0 {
        scale(&mut stages, own_length(own) / sum);
    }
    stages
}

/// The beginning of a vowel, up to its centre. `before` is the consonant that it comes from.
pub fn vowel_beginning(own: &Outcome, before: Option<&Outcome>, table: &PhonemeData) -> Vec<Stage> {
    if let Some(place) = own.beginning.filter(|_| !own.for_next) {
        return brought(place, table);
    }
    if let Some(place) = before
        .filter(|before| before.for_next)
        .and_then(|before| before.beginning)
    {
        return brought(place, table);
    }
    let mut stages = stages(own.frames, table);
    let centre = centre(&stages);
    if centre > 0 {
        stages.truncate(centre + 1);
    }
    let bends = before.map_or([0, 0], |before| [before.bends[0], before.bends[1]]);
    let longer = Bend::new(bends).enter(&mut stages);
    if let Some(first) = stages.first_mut().filter(|_| own_length(own) < SHORT_VOWEL_MS) {
        first.length *= own_length(own) / SHORT_VOWEL_MS;
    }
    lengthen(&mut stages, longer);
    stages
}

/// A beginning that is in the data as such.
fn brought(place: Place, table: &PhonemeData) -> Vec<Stage> {
    let mut stages = stages(Some(place), table);
    lengthen(&mut stages, adjustment(Some(place)));
    stages
}

fn lengthen(stages: &mut [Stage], by: f32) {
    let sum = total(stages);
    if sum > 0.0 && by != 0.0 {
        scale(stages, (sum + by) / sum);
    }
}

/// A vowel from its centre to its end. `after` is the consonant that it goes to.
pub fn vowel_body(sound: &Sound, own: &Outcome, after: Option<&Outcome>, table: &PhonemeData) -> Vec<Stage> {
    let mut body = stages(own.frames, table);
    body.drain(..centre(&body));
    let mut longer = if own.for_next { 0.0 } else { adjustment(own.beginning) };
    let ending = own.ending.or_else(|| after.and_then(|after| after.ending));
    longer += adjustment(ending);
    let bends = after
        .filter(|_| ending.is_none())
        .map_or([0, 0], |after| [after.bends[2], after.bends[3]]);
    longer += Bend::new(bends).leave(&mut body);
    let sum = total(&body);
    if sum > 0.0 {
        let mut length = (own_length(own) + longer - BEGINNING_MS).max(10.0);
        if sound.lengthened {
            length += table
                .get(PHON_LENGTHEN)
                .map_or(0.0, |mark| 2.0 * f32::from(mark.std_length));
        }
        scale(&mut body, length / sum);
    }
    let ending = stages(ending, table);
    if let (Some(first), Some(last)) = (ending.first(), body.last_mut()) {
        // The first frame of the end only says how long the vowel's last one takes.
        last.length = first.length;
        body.extend(ending.into_iter().skip(1));
    }
    body
}

/// The strength of a vowel's first frame after silence, and of its last before a closed glottis.
const START_STRENGTH: i32 = 28;
const GLOTTAL_END_STRENGTH: i32 = 35;

/// The coarticulation of a consonant with the vowel next to it: how the vowel is bent.
struct Bend {
    /// The length of the bent part, in milliseconds.
    length: f32,
    /// The strength at the consonant's end; with bit 5, in thirtieths of the vowel's.
    strength: i32,
    flags: u32,
    /// The frequency that the second formant is drawn to, in Hz, and how far at most to either side.
    second: i32,
    reach: (i32, i32),
    /// A shift of the third formant, in Hz.
    third: i32,
    /// The remaining height of the higher formants, in percent; zero for all of it.
    higher: i32,
    /// The lowering of the first formant: none, a little, more, much.
    first: u32,
    /// The consonant that colours the whole vowel: none, a palatal, a retroflex one.
    colour: u32,
}

/// Flags of a bend: the vowel gets as much longer; the glottis closes; formants may change fast; formants jump.
const BEND_LENGTHENS: u32 = 0x10;
const BEND_GLOTTAL: u32 = 0x08;
const BEND_FAST: u32 = 0x04;
const BEND_BREAKS: u32 = 0x02;

/// Factors of a colour on the frequencies of the first five formants, in 1/256.
const COLOUR_FACTORS: [[i32; 5]; 2] = [[243, 272, 256, 256, 256], [256, 256, 240, 240, 240]];

impl Bend {
    /// Takes the two words of the data apart.
    fn new([first, second]: [u32; 2]) -> Self {
        let bits = |word: u32, from: u32, count: u32| (word >> from & ((1 << count) - 1)) as i32;
        let signed = |from: u32| (bits(second, from, 5) - 15) * 50;
        Self {
            length: (bits(first, 0, 6) * 2) as f32,
            strength: bits(first, 6, 6),
            flags: first >> 12,
            second: bits(second, 0, 6) * 50,
            reach: (signed(6), signed(11)),
            third: signed(16),
            higher: bits(second, 21, 5) * 8,
            first: second >> 26 & 7,
            colour: second >> 29,
        }
    }

    /// Bends the first frame of a vowel's beginning and returns the additional length, in milliseconds.
    fn enter(&self, stages: &mut [Stage]) -> f32 {
        let [first, next, ..] = stages else { return 0.0 };
        first.length = if self.length > 0.0 {
            self.length
        } else {
            BENT_BEGINNING_MS
        };
        first.firmness = Firmness::Beginning;
        let next = i32::from(next.frame.spectrum.rms);
        bent(&mut first.frame);
        let frame = &mut first.frame.spectrum;
        if self.second != 0 {
            if self.strength & 0x20 != 0 {
                set_strength(frame, next * (self.strength & 0x1f) / 30);
                self.shape(frame);
            } else {
                self.shape(frame);
                set_strength(frame, 2 * self.strength);
            }
        } else if self.flags & BEND_GLOTTAL != 0 {
            set_strength(frame, next * 24 / 32);
        } else {
            set_strength(frame, START_STRENGTH);
        }
        self.mark(frame);
        if self.flags & BEND_LENGTHENS != 0 {
            self.length
        } else {
            0.0
        }
    }

    /// Adds a bent copy of the last frame at the end of a vowel and returns the additional length, in milliseconds.
    fn leave(&self, stages: &mut Vec<Stage>) -> f32 {
        if stages.len() < 2 || (self.second == 0 && self.flags == 0) {
            return 0.0;
        }
        let mut longer = 0.0;
        if self.flags & BEND_GLOTTAL == 0
            && let Some(last) = stages.last_mut()
        {
            last.length = self.length;
            longer += (self.length - BENT_END_MS).max(0.0);
            let mut bent = last.clone();
            bent.length = 0.0;
            stages.push(bent);
        }
        if let Some(last) = stages.last_mut() {
            bent(&mut last.frame);
            let frame = &mut last.frame.spectrum;
            if self.flags & BEND_GLOTTAL != 0 {
                set_strength(frame, GLOTTAL_END_STRENGTH);
            } else {
                if self.second != 0 {
                    self.shape(frame);
                }
                set_strength(frame, 2 * self.strength);
            }
        }
        if let Some(colour) = COLOUR_FACTORS.get((self.colour as usize).wrapping_sub(1)) {
            for stage in stages.iter_mut() {
                bent(&mut stage.frame);
                for (frequency, factor) in stage.frame.spectrum.ffreq[1..=5].iter_mut().zip(colour) {
                    *frequency = (i32::from(*frequency) * factor / 256) as i16;
                }
            }
        }
        if let Some(last) = stages.last_mut() {
            self.mark(&mut last.frame.spectrum);
        }
        longer
            + if self.flags & BEND_LENGTHENS != 0 {
                self.length
            } else {
                0.0
            }
    }

    fn mark(&self, frame: &mut SpectFrame) {
        if self.flags & BEND_FAST != 0 {
            frame.frflags |= FRFLAG_FORMANT_RATE;
        }
        if self.flags & BEND_BREAKS != 0 {
            frame.frflags |= FRFLAG_BREAK;
        }
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

/// Makes a frame one of its own, which nothing lasts beyond.
fn bent(frame: &mut Frame) {
    frame.id |= 1 << 30;
    frame.spectrum.length = 0;
    frame.spectrum.frflags |= FLAG_BENT;
}

/// Scales a frame's formants so that its strength becomes `strength`: power goes with the square of the heights.
fn set_strength(frame: &mut SpectFrame, strength: i32) {
    if frame.rms == 0 {
        return;
    }
    // No more than 199/64 of what it was.
    let factor = (f64::from(strength.max(0)) / f64::from(frame.rms)).min(3.1).sqrt();
    for height in &mut frame.fheight {
        *height = (f64::from(*height) * factor).min(255.0) as u8;
    }
}
