//! The five voices.

use quartet_api::{Language, Voice};

use super::articulation::Prosody;
use super::pitch::Register;
use super::spectrum::Timbre;
use super::{engine, stress};

/// The settings of a voice. Sounds, stress and tunes are those of the language.
pub struct VoiceProfile {
    /// Its pitch range.
    pub register: Register,
    /// Its tone colour.
    pub timbre: Timbre,
    /// See [`Prosody::slowness`].
    slowness: f32,
    /// See [`Prosody::emphasis`].
    emphasis: f32,
    /// Gain above [`TREBLE_SHELF_HZ`] on everything, recorded consonants included, in dB.
    pub treble: f32,
    /// Length of the pauses in percent.
    pub pauses: u32,
}

/// Corner frequency of the treble gain, in Hz.
pub const TREBLE_SHELF_HZ: f32 = 3_500.0;

/// The settings of `voice`.
pub const fn profile(voice: Voice) -> VoiceProfile {
    match voice {
        // Neutral in everything: its pitch is between a man's and a woman's.
        Voice::Kore => VoiceProfile {
            register: Register {
                base: 116.0,
                range: 1.15,
                tremble: 0.004,
            },
            timbre: Timbre {
                tract: 1.0,
                width: 1.0,
                tone: &[(600.0, 0.0), (1_200.0, -2.0), (2_000.0, -3.8)],
                breath: 0.001,
            },
            slowness: 1.0,
            emphasis: 100.0,
            treble: 0.0,
            pauses: 100,
        },
        // High and lively, a small vocal tract, soft edges, some breath.
        Voice::Phoebe => VoiceProfile {
            register: Register {
                base: 170.0,
                range: 1.45,
                tremble: 0.012,
            },
            timbre: Timbre {
                tract: 1.10,
                width: 1.12,
                tone: &[(500.0, 0.0), (1_000.0, -3.0), (2_000.0, -6.0), (3_500.0, -8.0)],
                breath: 0.010,
            },
            slowness: 0.98,
            emphasis: 80.0,
            treble: -4.0,
            pauses: 100,
        },
        // Low and even, a large vocal tract, unhurried.
        Voice::Charon => VoiceProfile {
            register: Register {
                base: 71.0,
                range: 0.6,
                tremble: 0.006,
            },
            timbre: Timbre {
                tract: 0.93,
                width: 0.98,
                tone: &[(700.0, 0.0), (1_400.0, -2.5), (2_200.0, -4.5), (3_500.0, -5.5)],
                breath: 0.003,
            },
            slowness: 1.10,
            emphasis: 100.0,
            treble: -1.5,
            pauses: 120,
        },
        // A man's pitch, wide tunes, strong stress, bright.
        Voice::Fenrir => VoiceProfile {
            register: Register {
                base: 84.0,
                range: 1.45,
                tremble: 0.008,
            },
            timbre: Timbre {
                tract: 1.0,
                width: 0.92,
                tone: &[(700.0, -0.5), (1_500.0, -0.5), (2_500.0, -0.3), (4_000.0, -0.5)],
                breath: 0.002,
            },
            slowness: 0.98,
            emphasis: 220.0,
            treble: 3.5,
            pauses: 90,
        },
        // A woman's pitch, small tunes, slow, round.
        Voice::Aoede => VoiceProfile {
            register: Register {
                base: 156.0,
                range: 0.75,
                tremble: 0.010,
            },
            timbre: Timbre {
                tract: 1.05,
                width: 1.08,
                tone: &[(500.0, 0.0), (1_000.0, -3.0), (1_800.0, -6.0), (3_000.0, -8.0)],
                breath: 0.006,
            },
            slowness: 1.14,
            emphasis: 80.0,
            treble: -5.0,
            pauses: 130,
        },
    }
}

impl VoiceProfile {
    /// The prosody in which the voice speaks a language.
    pub fn prosody(&self, language: Language) -> Prosody {
        let settings = engine::settings_of(language);
        Prosody {
            slowness: self.slowness * settings.pace,
            emphasis: self.emphasis,
            stress: stress::of(language),
        }
    }
}
