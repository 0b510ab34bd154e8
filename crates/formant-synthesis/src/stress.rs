//! The effect of stress on the length and the strength of syllables, by language.
//!
//! The figures are eSpeak NG's own of every language (`tr_languages.c`, and the voice file of Brazilian Portuguese).

use quartet_api::Language;

/// The effect of stress in a language.
#[derive(Debug, Clone, Copy)]
pub struct Stress {
    /// The length of a syllable by its level, from 0, unstressed, and 1, diminished, to 7, the last stressed one of a
    /// clause; in 1/128. Zero stands for what level 6 has.
    pub lengths: [u16; 8],
    /// The strength of a syllable by its level, in 1/20 of what the data are made for.
    pub strengths: [u8; 8],
    /// True if the last syllable of a word is longer than others.
    pub long_last: bool,
    /// The reduction of unstressed syllables in a row.
    pub diminished: Diminished,
    /// The least length of a vowel's beginning next to a liquid or a nasal, in 1/256.
    pub sonorant: u16,
    /// The least length of a long vowel, in half milliseconds.
    pub long_vowel: i16,
    /// True if a boundary without a silence keeps sounds apart. In Chinese it stands behind every syllable, and syllables
    /// that do not blend are harder to understand than those that do.
    pub boundaries: bool,
}

/// The unstressed syllables in a row that are diminished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Diminished {
    /// Every other one.
    Alternate,
    /// The ones in words without stress.
    InWeakWords,
    /// None.
    Never,
}

const USUAL: Stress = Stress {
    lengths: [182, 140, 220, 220, 220, 240, 260, 280],
    strengths: [18, 18, 20, 20, 20, 22, 22, 20],
    long_last: true,
    diminished: Diminished::Alternate,
    sonorant: 95,
    long_vowel: 95,
    boundaries: true,
};

/// The effect of stress in `language`.
pub const fn of(language: Language) -> Stress {
    match language {
        Language::English => Stress {
            lengths: [182, 140, 220, 220, 0, 0, 248, 275],
            diminished: Diminished::InWeakWords,
            ..USUAL
        },
        Language::Hindi => Stress {
            lengths: [190, 190, 210, 210, 0, 0, 230, 250],
            strengths: [17, 14, 20, 19, 20, 22, 22, 21],
            long_last: false,
            ..USUAL
        },
        Language::Spanish => Stress {
            lengths: [160, 145, 155, 150, 0, 0, 200, 245],
            strengths: [16, 14, 15, 16, 20, 20, 22, 22],
            long_last: false,
            sonorant: 120,
            ..USUAL
        },
        Language::French => Stress {
            lengths: [190, 170, 190, 200, 0, 0, 190, 240],
            strengths: [18, 16, 18, 18, 18, 18, 18, 18],
            long_last: false,
            ..USUAL
        },
        Language::German => Stress {
            lengths: [150, 130, 200, 200, 0, 0, 270, 270],
            strengths: [20, 20, 20, 20, 20, 22, 22, 20],
            long_vowel: 87,
            ..USUAL
        },
        Language::Italian => Stress {
            lengths: [160, 140, 150, 165, 0, 0, 218, 305],
            strengths: [17, 15, 18, 16, 20, 22, 22, 22],
            long_last: false,
            sonorant: 130,
            ..USUAL
        },
        Language::Portuguese => Stress {
            lengths: [200, 120, 230, 230, 0, 0, 250, 270],
            strengths: [16, 11, 19, 21, 20, 22, 22, 21],
            long_last: false,
            ..USUAL
        },
        Language::Russian => Stress {
            lengths: [150, 140, 220, 220, 0, 0, 260, 280],
            strengths: [16, 16, 18, 18, 20, 24, 24, 22],
            ..USUAL
        },
        Language::Chinese => Stress {
            lengths: [230, 150, 230, 230, 230, 0, 240, 250],
            strengths: [22, 16, 22, 22, 22, 22, 22, 22],
            long_last: false,
            diminished: Diminished::Never,
            boundaries: false,
            ..USUAL
        },
        Language::Japanese | Language::Korean | Language::Arabic => USUAL,
    }
}
