//! The models that a configuration needs.

use quartet_models::Model;

use super::table;
use crate::capabilities::Capabilities;
use crate::config::{self, Components, InferenceEngine, Language};
use crate::host_functions::inference::{BEYOND_RTEN, LIBRARY};

/// Of the machine's memory, a language model may want this share to be fetched without being asked for: files of a
/// gigabyte are not worth fetching where they would rarely be loaded.
const LANGUAGE_SHARE: u64 = 2;

/// The models of the table that the service uses as it is configured, there or not: graphs of its capabilities, the engine
/// that computes them, then language models, the smallest first, so that one writes soon.
///
/// # Errors
/// When the table is broken, which a test rules out.
pub fn wanted(
    components: &Components,
    language: &Language,
    capabilities: &Capabilities,
) -> anyhow::Result<Vec<&'static Model>> {
    let memory = config::memory_of_machine();
    let table = table()?;
    let built_in = components.inference_engine == InferenceEngine::Rten;
    let library = table
        .models()
        .find(|model| model.name == LIBRARY && model.is_for_here() && !built_in);
    let mut wanted: Vec<&Model> = table
        .models()
        .filter(|model| capabilities.graphs().any(|graph| graph == model.name))
        .filter(|model| library.is_some() || !BEYOND_RTEN.contains(&model.name.as_str()))
        .collect();
    // What computes all others comes first of all.
    wanted.splice(0..0, library);
    if let Language::Local(local) = language {
        let chosen = |model: &&Model| local.models.iter().any(|choice| choice.name == model.name);
        let alone = local.models.len() == 1;
        let fits = |model: &&Model| {
            let wants = model.memory.unwrap_or(0);
            alone || memory.is_none_or(|memory| wants <= memory / LANGUAGE_SHARE)
        };
        let named = |model: &&Model| alone || model.default;
        let mut language: Vec<_> = table
            .models()
            .filter(|model| local.listed && model.is_language())
            .filter(|model| chosen(model) && named(model) && fits(model))
            .collect();
        language.sort_by_key(|model| model.memory);
        wanted.extend(language);
    }
    Ok(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::config;

    fn names(pairs: &[(&str, &str)]) -> Vec<&'static str> {
        let config = config(pairs).unwrap();
        let capabilities = Capabilities::embedded().unwrap();
        let wanted = wanted(&config.components, &config.language, &capabilities).unwrap();
        wanted.into_iter().map(|model| model.name.as_str()).collect()
    }

    #[test]
    fn only_what_the_settings_need_is_wanted() {
        let off = names(&[("language_model", "off")]);
        assert!(off.contains(&"ocr-detection") && off.contains(&"embedding"), "{off:?}");
        assert!(
            !off.contains(&"ocr-alphabet"),
            "components have the alphabets inside: {off:?}"
        );
        assert!(off.iter().all(|name| !name.starts_with("qwen")), "{off:?}");
        let named = names(&[("language_model", "qwen3.5-4b")]);
        assert_eq!(named.last(), Some(&"qwen3.5-4b"), "it was asked for by its name");
        let rten = names(&[("inference_engine", "rten"), ("language_model", "off")]);
        assert!(
            !rten.contains(&"onnxruntime") && !rten.contains(&"speech-samples"),
            "{rten:?}"
        );
        let own = names(&[("language_model", "/data/own.gguf")]);
        assert_eq!(own, off);
    }
}
