//! Smoothing of formants, so that they do not jump: in each syllable, outward from its centre, what lies further out is
//! drawn to what lies further in. A rule of eSpeak NG (`synthesize.c`, GPL-3.0-or-later).

use espeak_ng::synthesize::phondata::{FRFLAG_BREAK, FRFLAG_BREAK_LF, FRFLAG_FORMANT_RATE, SpectFrame};
use quartet_api::tts::SAMPLE_RATE;

use super::articulation::Glide;

/// Smooths glides, syllable by syllable, while they are made.
#[derive(Debug, Default)]
pub struct Smoother {
    /// The glides of the syllable that is smoothed next, by their indexes.
    start: usize,
    end: usize,
    /// True if the syllable after it has begun.
    begun: bool,
    /// The first glide of its centre.
    centre: Option<usize>,
}

impl Smoother {
    /// Marks the next glide as the first of a syllable, unless one that began with it goes on.
    pub fn begin_syllable(&mut self, glides: &[Glide]) {
        if !self.begun {
            (self.end, self.begun) = (glides.len(), true);
        }
    }

    /// Marks the next glide as the centre of a syllable.
    pub fn reach_centre(&mut self, glides: &mut [Glide]) {
        self.smooth(glides);
        self.centre = Some(glides.len());
    }

    /// Ends the syllable: nothing is smoothed across this point.
    pub fn end_syllable(&mut self, glides: &mut [Glide]) {
        (self.end, self.begun) = (glides.len(), true);
        self.smooth(glides);
        self.centre = None;
    }

    fn smooth(&mut self, glides: &mut [Glide]) {
        if !std::mem::take(&mut self.begun) {
            return;
        }
        let (start, end) = (self.start, self.end);
        self.start = end;
        let Some(centre) = self.centre.filter(|centre| start < *centre && *centre < end) else {
            return;
        };
        for index in (start..centre).rev() {
            let (left, right) = glides.split_at_mut(index + 1);
            let (glide, after) = (&mut left[index], &right[0]);
            if !glide.to.meets(&after.from) {
                break;
            }
            glide.to = after.from.clone();
            let flags = glide.from.spectrum.frflags;
            if flags & FRFLAG_BREAK != 0 {
                break;
            }
            let kept = if flags & FRFLAG_BREAK_LF != 0 { 3 } else { 0 };
            let seconds = seconds(glide.length, flags);
            limit(&glide.to.spectrum, &mut glide.from.spectrum, seconds, kept);
        }
        for index in centre..end {
            let (left, right) = glides.split_at_mut(index);
            let glide = &mut right[0];
            if let Some(before) = left.last().filter(|_| index > centre) {
                if !glide.from.meets(&before.to) {
                    break;
                }
                glide.from = before.to.clone();
            }
            let flags = glide.from.spectrum.frflags;
            if flags & FRFLAG_BREAK != 0 {
                break;
            }
            let seconds = seconds(glide.length, flags);
            limit(&glide.from.spectrum, &mut glide.to.spectrum, seconds, 0);
        }
    }
}

/// The time that a glide counts for, in seconds.
fn seconds(length: u32, flags: u16) -> f32 {
    let rate = if flags & FRFLAG_FORMANT_RATE != 0 { 1.2 } else { 1.0 };
    rate * length as f32 / SAMPLE_RATE as f32
}

/// The fastest change of each formant, as a part of its frequency in a second.
const MAX_FORMANT_RATES: [f32; 6] = [20.7, 14.6, 14.6, 14.6, 14.6, 14.6];

/// Draws the formants of `outer` to those of `inner`, as far as they may change in this time; the first `kept` stay.
fn limit(inner: &SpectFrame, outer: &mut SpectFrame, seconds: f32, kept: usize) {
    for (formant, rate) in MAX_FORMANT_RATES.iter().enumerate().skip(kept) {
        let (fixed, free) = (f32::from(inner.ffreq[formant]), f32::from(outer.ffreq[formant]));
        let (low, high) = (fixed.min(free), fixed.max(free));
        let allowed = (2.0 * low + high) / 3.0 * rate * seconds;
        outer.ffreq[formant] = free.clamp(fixed - allowed, fixed + allowed) as i16;
    }
}
