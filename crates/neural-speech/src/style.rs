//! The five voices as mixtures of the model's own.
//!
//! A style has two halves: the timbre and the prosody. Each voice is one of the model's English ones; in another language
//! its timbre is mixed with that of a native voice, whose prosody it takes, because by itself it has an English accent
//! (character errors of French: 36 % by itself, 5 % mixed).

use quartet_api::{Language, Voice};

/// The voices of the graph `speech-styles`, in its order.
pub const VOICES: [&str; 18] = [
    "af_kore",
    "af_aoede",
    "am_fenrir",
    "am_onyx",
    "bf_lily",
    "ef_dora",
    "em_alex",
    "ff_siwis",
    "if_sara",
    "im_nicola",
    "pf_dora",
    "pm_alex",
    "jf_alpha",
    "jm_kumo",
    "zf_xiaobei",
    "zm_yunxi",
    "hf_alpha",
    "hm_omega",
];

/// Weights of [`VOICES`] in the two halves of a style.
#[derive(Debug, Clone, PartialEq)]
pub struct Style {
    /// For the timbre.
    pub timbre: [f32; VOICES.len()],
    /// For the prosody.
    pub prosody: [f32; VOICES.len()],
}

/// The style of a voice in a language.
pub fn style(voice: Voice, language: Language) -> Style {
    let (own, male) = match voice {
        Voice::Kore => ("af_kore", false),
        Voice::Aoede => ("af_aoede", false),
        Voice::Fenrir => ("am_fenrir", true),
        Voice::Charon => ("am_onyx", true),
        Voice::Phoebe => ("bf_lily", false),
    };
    let pair = |female, other| Some(if male { other } else { female });
    let native = match language {
        Language::Spanish => pair("ef_dora", "em_alex"),
        Language::Italian => pair("if_sara", "im_nicola"),
        Language::Portuguese => pair("pf_dora", "pm_alex"),
        Language::Japanese => pair("jf_alpha", "jm_kumo"),
        Language::Chinese => pair("zf_xiaobei", "zm_yunxi"),
        // Arabic, too, is a language that the model was not trained on.
        Language::Hindi | Language::Arabic => pair("hf_alpha", "hm_omega"),
        // The only French voice; Russian, which the model was not trained on, is understood best by it.
        Language::French | Language::Russian => Some("ff_siwis"),
        Language::English | Language::German | Language::Korean => None,
    };
    // A man's prosody is not taken from a woman's voice alone: his pitch would be hers.
    let across = male && native == Some("ff_siwis");
    let mut style = Style {
        timbre: [0.0; VOICES.len()],
        prosody: [0.0; VOICES.len()],
    };
    let place = |name| VOICES.iter().position(|voice| *voice == name).unwrap_or_default();
    let Some(native) = native else {
        style.timbre[place(own)] = 1.0;
        style.prosody[place(own)] = 1.0;
        return style;
    };
    style.timbre[place(own)] = 0.5;
    style.timbre[place(native)] = 0.5;
    if across {
        style.prosody = style.timbre;
    } else {
        style.prosody[place(native)] = 1.0;
    }
    style
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_add_up_and_voices_differ() {
        for language in Language::ALL {
            let styles = Voice::ALL.map(|voice| style(voice, language));
            for (index, style) in styles.iter().enumerate() {
                for half in [&style.timbre, &style.prosody] {
                    assert_eq!(half.iter().sum::<f32>(), 1.0);
                }
                assert!(!styles[..index].contains(style), "{language:?}");
            }
        }
    }

    #[test]
    fn the_model_has_the_voices_in_this_order() {
        let table: toml::Table = include_str!("../../../models.toml").parse().expect("a table");
        let models = table["model"].as_array().expect("a list");
        let styles = models
            .iter()
            .find(|model| model["name"].as_str() == Some("speech-styles"));
        let arguments = styles.expect("it is there")["convert"].as_array().expect("a list");
        let files: Vec<_> = arguments.iter().filter_map(toml::Value::as_str).collect();
        let voices: Vec<_> = VOICES.iter().map(|voice| format!("{{{voice}.bin}}")).collect();
        assert_eq!(files[1..=VOICES.len()], voices);
    }
}
