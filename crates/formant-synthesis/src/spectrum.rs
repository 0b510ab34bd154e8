//! The spectrum of voiced sound: how strong its partials are.
//!
//! The model is that of eSpeak NG (`wavegen.c`, GPL-3.0-or-later): every formant is a hump in the spectrum, the humps are
//! added, and the square of the sum is the strength of the partial at that frequency. Above the fifth formant single
//! partials stand for a formant.

use std::array;
use std::f32::consts::LN_10;

use espeak_ng::synthesize::phondata::SpectFrame;

/// The tone colour of a voice: all of its sound but the pitch.
#[derive(Debug, Clone)]
pub struct Timbre {
    /// A factor on the frequencies of the formants: above 1 for a shorter vocal tract.
    pub tract: f32,
    /// A factor on the widths of the formants: above 1 is softer.
    pub width: f32,
    /// The strength of partials over frequency, as pairs of Hz and decibels; even between, flat outside.
    pub tone: &'static [(f32, f32)],
    /// The strength of breath, as a part of the voice's.
    pub breath: f32,
}

/// The number of partials that are made; 60 Hz has its last one at 9.6 kHz.
pub const MAX_PARTIALS: usize = 160;

/// Formants whose partials are summed, and those that single partials stand for.
const LOW_FORMANTS: usize = 6;
const HIGH_FORMANTS: usize = 2;

/// The fixed frequency of the highest formant, in Hz.
const TOP_FORMANT_HZ: f32 = 7_800.0;

/// The frequency above which nothing is made, in Hz.
pub const MAX_FREQUENCY_HZ: f32 = 10_500.0;

/// The frequency at which the sign of partials changes, in Hz.
const SIGN_CHANGE_HZ: f32 = 890.0;

/// The relative heights that eSpeak NG gives the formants.
const HEIGHT_FACTORS: [f32; LOW_FORMANTS] = [1.016, 1.0, 0.938, 0.906, 0.781, 0.781];

/// Hz for each unit of the data's widths, from the middle of a formant to its end.
const WIDTH_UNITS_HZ: [f32; LOW_FORMANTS] = [4.375, 4.0, 4.0, 5.0, 5.344, 5.344];

/// The shape of a formant from its middle to its end, in 1/255 of its height.
const FORMANT_SHAPE: [u8; 33] = [
    255, 253, 245, 233, 216, 199, 183, 164, 143, 120, 96, 83, 72, 63, 55, 49, 45, 44, 43, 38, 32, 27, 23, 19, 16, 13,
    10, 7, 5, 3, 2, 0, 0,
];

/// A spectrum: the strength of every partial, from the first.
pub type Spectrum = [f32; MAX_PARTIALS];

/// A spectrum as humps.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Each formant's frequency, height, and width to either side, in Hz.
    low: [[f32; 4]; LOW_FORMANTS],
    /// The frequency and height of the highest formants.
    pub high: [(f32, f32); HIGH_FORMANTS],
}

impl Shape {
    /// The shape of a frame in a voice.
    pub fn new(frame: &SpectFrame, timbre: &Timbre) -> Self {
        let low = array::from_fn(|formant| {
            let width = |data: u8| f32::from(data) * WIDTH_UNITS_HZ[formant] * timbre.width;
            let left = width(frame.fwidth[formant]);
            let right = frame.fright.get(formant).map_or(left, |right| width(*right));
            [
                f32::from(frame.ffreq[formant]) * timbre.tract,
                f32::from(frame.fheight[formant]) * HEIGHT_FACTORS[formant],
                left,
                right,
            ]
        });
        let high = [
            (f32::from(frame.ffreq[6]) * timbre.tract, f32::from(frame.fheight[6])),
            (TOP_FORMANT_HZ, f32::from(frame.fheight[7])),
        ];
        Self { low, high }
    }

    /// The shape on the way to another, at `t` from 0 to 1.
    pub fn towards(&self, other: &Self, t: f32) -> Self {
        let between = |from: f32, to: f32| from + (to - from) * t;
        Self {
            low: array::from_fn(|formant| {
                array::from_fn(|part| between(self.low[formant][part], other.low[formant][part]))
            }),
            high: array::from_fn(|formant| {
                (
                    between(self.high[formant].0, other.high[formant].0),
                    between(self.high[formant].1, other.high[formant].1),
                )
            }),
        }
    }

    /// Adds up the strengths of the partials of `frequency` and returns their number.
    pub fn spectrum(&self, spectrum: &mut Spectrum, frequency: f32, timbre: &Timbre) -> usize {
        for [middle, height, left, right] in self.low {
            if height == 0.0 || middle == 0.0 {
                continue;
            }
            let first = ((middle - left) / frequency).max(0.0) as usize;
            let last = ((middle + right).min(MAX_FREQUENCY_HZ) / frequency) as usize;
            for (partial, strength) in spectrum.iter_mut().enumerate().take(last).skip(first) {
                let distance = (partial + 1) as f32 * frequency - middle;
                let width = if distance < 0.0 { left } else { right };
                if width > 0.0 {
                    *strength += height * hump(distance.abs() / width);
                }
            }
        }
        // What the low end has beyond the formants: a slope down to 1 kHz.
        let slope = self.low[1][1] * BASS_SHARE;
        for (partial, strength) in spectrum.iter_mut().enumerate() {
            let rest = 1.0 - (partial + 1) as f32 * frequency / 1_000.0;
            if rest <= 0.0 {
                break;
            }
            *strength += slope * rest;
        }
        let mut count = 0;
        let mut point = 0;
        for (partial, strength) in spectrum.iter_mut().enumerate() {
            let own = (partial + 1) as f32 * frequency;
            if own > MAX_FREQUENCY_HZ {
                *strength = 0.0;
                break;
            }
            if *strength > 0.0 {
                let sign = if own > SIGN_CHANGE_HZ { -1.0 } else { 1.0 };
                *strength *= *strength * sign * tone(timbre.tone, own, &mut point);
                count = partial + 1;
            }
        }
        spectrum[0] *= FIRST_PARTIAL_FACTOR;
        count
    }
}

/// The share of the height of the first formant that the low end gets.
const BASS_SHARE: f32 = 10.0 / 255.0;

/// A factor on the strength of the first partial.
const FIRST_PARTIAL_FACTOR: f32 = 1.25;

/// The height of a formant at `x` from its middle, 0, to its end, 1.
fn hump(x: f32) -> f32 {
    let place = x * (FORMANT_SHAPE.len() - 1) as f32;
    let index = place as usize;
    let Some(&[from, to]) = FORMANT_SHAPE.get(index..index + 2) else {
        return 0.0;
    };
    (f32::from(from) + (f32::from(to) - f32::from(from)) * (place - index as f32)) / 255.0
}

/// The factor of a curve of tone at a frequency. `point` is the last point below it; frequencies must not go down.
pub fn tone(curve: &[(f32, f32)], frequency: f32, point: &mut usize) -> f32 {
    while curve.get(*point + 1).is_some_and(|next| next.0 <= frequency) {
        *point += 1;
    }
    let Some(&(from, low)) = curve.get(*point) else {
        return 1.0;
    };
    let decibels = match curve.get(*point + 1) {
        Some(&(to, high)) if frequency > from => low + (high - low) * (frequency - from) / (to - from),
        _ => low,
    };
    // 10^(x/20)
    (decibels * (LN_10 / 20.0)).exp()
}
