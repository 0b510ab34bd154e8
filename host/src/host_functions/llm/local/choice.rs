//! Choice of the model: the largest that is there, has the memory that it wants, and was not found too slow.

use std::path::Path;

use crate::config::{Gguf, memory_for_language_model};

/// Tokens of a prompt a second below which a model is too slow where a smaller one is there: a question with its
/// instructions has two hundred, and must be read in half of the time that an answer has.
const MIN_SPEED: f32 = 12.0;

/// The models of the configuration, and what is known of them.
pub struct Choice {
    /// Never empty; the one that wants the most memory first.
    models: Vec<Gguf>,
    /// True for those that were found too slow.
    slow: Vec<bool>,
    chosen: usize,
    /// True for those that were there when the choice was made. While it stays, so does the choice: free memory goes up and
    /// down, and a model is not loaded for that.
    present: Vec<bool>,
}

impl Choice {
    /// Chooses by the memory that is free now.
    pub fn new(models: Vec<Gguf>) -> Self {
        let mut choice = Self {
            slow: vec![false; models.len()],
            present: vec![false; models.len()],
            models,
            chosen: 0,
        };
        choice.choose(0);
        choice
    }

    /// The chosen model.
    pub fn model(&self) -> &Gguf {
        &self.models[self.chosen]
    }

    /// Chooses again when other files are there than before, or `afresh`. `held` is the memory of the model that is loaded
    /// and would give it back. Returns true if the choice is another one.
    pub fn renew(&mut self, afresh: bool, held: u64) -> bool {
        let before = self.chosen;
        if afresh || present(&self.models) != self.present {
            self.choose(held);
        }
        self.chosen != before
    }

    /// The chosen model reads so many tokens a second. Returns the one that is taken from now on where that is too slow.
    pub fn measured(&mut self, speed: f32) -> Option<&Gguf> {
        let smaller = (self.chosen + 1..self.models.len()).any(|index| self.present[index]);
        if speed >= MIN_SPEED || !smaller {
            return None;
        }
        self.slow[self.chosen] = true;
        let held = self.model().memory;
        self.renew(true, held).then(|| self.model())
    }

    fn choose(&mut self, held: u64) {
        self.present = present(&self.models);
        let folder = self.models[0].file.parent();
        let free = match folder.filter(|_| self.models.len() > 1) {
            Some(folder) => memory_for_language_model(folder).saturating_add(held),
            None => u64::MAX,
        };
        self.chosen = choose(&self.models, &self.present, &self.slow, free);
    }
}

fn present(models: &[Gguf]) -> Vec<bool> {
    models.iter().map(|model| Path::is_file(&model.file)).collect()
}

/// Index of the model: the first that is there, fits and is not slow; else the smallest that is there; else the one
/// to get, of those that setting up gets.
fn choose(models: &[Gguf], present: &[bool], slow: &[bool], free: u64) -> usize {
    let fits = |index: &usize| models[*index].memory <= free;
    let all = || 0..models.len();
    all()
        .find(|index| present[*index] && !slow[*index] && fits(index))
        .or_else(|| all().rfind(|index| present[*index]))
        .or_else(|| all().find(|index| models[*index].default && fits(index)))
        .or_else(|| all().rfind(|index| models[*index].default))
        .unwrap_or(models.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GB: u64 = 1_000_000_000;

    fn models() -> Vec<Gguf> {
        let model = |name: &str, memory| Gguf {
            name: name.to_owned(),
            file: format!("/nonexistent/{name}.gguf").into(),
            memory,
            default: name != "large",
            tools: true,
        };
        vec![model("large", 6 * GB), model("middle", 3 * GB), model("small", GB)]
    }

    #[test]
    fn takes_the_largest_that_is_there_and_fits() {
        let (models, fast) = (models(), [false; 3]);
        let all = [true; 3];
        assert_eq!(choose(&models, &all, &fast, 8 * GB), 0);
        assert_eq!(choose(&models, &all, &fast, 4 * GB), 1);
        assert_eq!(choose(&models, &all, &fast, 2 * GB), 2);
        assert_eq!(choose(&models, &[false, true, true], &fast, 8 * GB), 1);
        assert_eq!(choose(&models, &all, &[true, true, false], 8 * GB), 2);
    }

    #[test]
    fn takes_a_small_one_rather_than_none_and_names_the_one_to_get() {
        let (models, fast) = (models(), [false; 3]);
        assert_eq!(choose(&models, &[true; 3], &fast, 0), 2);
        assert_eq!(choose(&models, &[true, false, false], &[true, false, false], 0), 0);
        assert_eq!(choose(&models, &[false; 3], &fast, 4 * GB), 1);
        assert_eq!(
            choose(&models, &[false; 3], &fast, 8 * GB),
            1,
            "nobody asked for the large one"
        );
        assert_eq!(choose(&models, &[false; 3], &fast, 0), 2);
    }

    #[test]
    fn goes_to_a_smaller_one_where_it_is_slow_and_one_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = models();
        for model in &mut files {
            model.memory = 0;
            model.file = folder.path().join(&model.name);
            std::fs::write(&model.file, "").unwrap();
        }
        let mut choice = Choice::new(files.clone());
        assert_eq!(choice.model().name, "large");
        assert!(choice.measured(MIN_SPEED).is_none());
        assert_eq!(choice.measured(MIN_SPEED / 2.0).unwrap().name, "middle");
        std::fs::remove_file(&files[1].file).unwrap();
        assert!(choice.renew(false, 0));
        assert_eq!(choice.model().name, "small");
        assert!(choice.measured(0.0).is_none(), "there is nothing smaller");
    }
}
