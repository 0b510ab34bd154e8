//! Utterances of known length.

use quartet_api::tts::SAMPLE_RATE;

use crate::utterance::Utterance;

/// Samples of one step of the lengths.
pub const STEP_SAMPLES: u64 = 600;

/// Milliseconds of one step.
const STEP_MS: u64 = STEP_SAMPLES * 1_000 / SAMPLE_RATE as u64;

/// An utterance with the steps of each symbol, and of the silence before the first and after the last.
#[derive(Debug, Clone)]
pub struct Planned {
    pub utterance: Utterance,
    pub steps: Vec<u16>,
}

impl Planned {
    /// Steps of all symbols together.
    pub fn steps(&self) -> u64 {
        self.steps.iter().copied().map(u64::from).sum()
    }

    /// Samples, with the silence behind it.
    pub fn samples(&self) -> u64 {
        self.steps() * STEP_SAMPLES + samples_of(u64::from(self.utterance.pause))
    }

    /// Changes the lengths of all symbols by one factor, to so many steps together, or one for each symbol where that is more.
    pub fn fit(&mut self, steps: u64) {
        let factor = steps as f64 / self.steps().max(1) as f64;
        let (mut own, mut fitted) = (0_u64, 0_u64);
        let mut left = self.steps.len() as u64;
        for length in &mut self.steps {
            own += u64::from(*length);
            left -= 1;
            let end = (own as f64 * factor).round() as u64;
            // Those behind it have one each.
            let most = steps.saturating_sub(left).saturating_sub(fitted);
            let new = end.saturating_sub(fitted).min(most).max(1);
            fitted += new;
            *length = u16::try_from(new).unwrap_or(u16::MAX);
        }
    }

    /// Ends the speech with so many steps of silence.
    pub fn end_with(&mut self, steps: u64) {
        self.utterance.pause = u32::try_from(steps * STEP_MS).unwrap_or(u32::MAX);
    }
}

/// Samples of milliseconds.
pub const fn samples_of(milliseconds: u64) -> u64 {
    milliseconds * (SAMPLE_RATE / 1_000) as u64
}
