//! The drawing of tokens, and how probable an answer is among those that fit its schema.

use std::collections::{BTreeSet, VecDeque};

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token::data_array::LlamaTokenDataArray;
use llama_cpp_2::vocab::LlamaVocab;

use super::schema::Constraint;
use crate::protocol::Options;

/// llama.cpp takes a seed of this value for "any".
const ANY_SEED: u32 = u32::MAX;

/// The logit of a word that an answer has already is divided by this (multiplied below zero), as the publisher of the default
/// model has it in its generation settings: the likeliest words of a small model lead back to those before, so that lists
/// name the same thing again and letters go round in circles. What the prompt has is as likely as ever, for quotations.
const REPETITION_PENALTY: f32 = 1.1;
/// Words of the answer that are looked back on, in tokens.
const REPETITION_WINDOW: usize = 256;

/// Draws the tokens of one answer.
pub struct Sampler {
    /// Leaves tokens with which the answer still fits its schema, where it has one.
    schema: Option<Constraint>,
    /// Draws among those that are left.
    choice: LlamaSampler,
    /// The last words of the answer. A schema's fields are what they have to be, as often as they come.
    words: VecDeque<LlamaToken>,
    /// True to tell how likely each token was.
    tells: bool,
    /// Logarithm of the probability of what was drawn so far.
    log_probability: f64,
}

impl Sampler {
    /// A sampler that draws as the options say, among the tokens that `schema` leaves.
    pub fn new(options: &Options, schema: Option<Constraint>) -> Self {
        let choice = if options.temperature <= 0.0 {
            vec![LlamaSampler::greedy()]
        } else {
            let seed = options.seed.map_or(ANY_SEED, |seed| seed.min(ANY_SEED - 1));
            vec![
                LlamaSampler::top_p(options.top_p, 1),
                LlamaSampler::temp(options.temperature),
                LlamaSampler::dist(seed),
            ]
        };
        Self {
            schema,
            choice: LlamaSampler::chain_simple(choice),
            words: VecDeque::new(),
            tells: options.token_probabilities,
            log_probability: 0.0,
        }
    }

    /// Draws the next token, whose probabilities are in `row` of what was computed. Returns its probability, too, where that was
    /// asked for.
    pub fn draw(&mut self, llama: &LlamaContext<'_>, row: i32) -> (LlamaToken, Option<f32>) {
        let logit = |token: LlamaToken| {
            let place = usize::try_from(token.0).ok()?;
            llama.get_logits_ith(row).get(place).map(|logit| f64::from(*logit))
        };
        let told = |log: f64| self.tells.then(|| log.exp().min(1.0) as f32);
        let mut candidates = llama.token_data_array_ith(row);
        let Some(schema) = &mut self.schema else {
            make_less_likely(&mut candidates, &self.words);
            let token = chosen(&mut self.choice, &mut candidates);
            let likelihood = || logit(token).map(|logit| logit - log_sum(llama.get_logits_ith(row).iter().copied()));
            return (token, self.tells.then(likelihood).flatten().and_then(told));
        };
        schema.rule_out(&mut candidates);
        let total = log_sum(candidates.data.iter().map(|candidate| candidate.logit()));
        let token = chosen(&mut self.choice, &mut candidates);
        let log = logit(token).map_or(0.0, |logit| logit - total);
        self.log_probability += log;
        schema.accept(token);
        (token, told(log))
    }

    /// Takes the tokens that have to come next by the schema: there is nothing to draw. Each is as probable as can be.
    pub fn take_forced(&mut self, vocabulary: &LlamaVocab<'_>) -> Vec<(LlamaToken, Option<f32>)> {
        let forced = self.schema.as_mut().map(|schema| schema.take_forced(vocabulary));
        let probability = self.tells.then_some(1.0);
        forced.into_iter().flatten().map(|token| (token, probability)).collect()
    }

    /// Returns true if the answer is as long as its schema allows.
    pub fn is_complete(&self) -> bool {
        self.schema.as_ref().is_some_and(Constraint::is_complete)
    }

    /// Takes the text of a token that was drawn, which is less likely from now on if it is a word or a part of one. Commas, digits and
    /// lines have to come again: a model that may not count on abbreviates.
    pub fn said(&mut self, token: LlamaToken, text: &[u8]) {
        // A token that is no whole character is a part of one, mostly of a word's.
        let is_word = std::str::from_utf8(text).map_or(true, |text| text.contains(char::is_alphabetic));
        if self.schema.is_some() || !is_word {
            return;
        }
        self.words.push_back(token);
        if self.words.len() > REPETITION_WINDOW {
            self.words.pop_front();
        }
    }

    /// Probability of what was drawn, from 0 to 1, among all that fits the schema: the product over the tokens, before
    /// temperature and `top_p`. None without a schema.
    pub fn probability(&self) -> Option<f32> {
        self.schema.as_ref().map(|_| self.log_probability.exp().min(1.0) as f32)
    }
}

/// Draws among candidates.
fn chosen(choice: &mut LlamaSampler, candidates: &mut LlamaTokenDataArray) -> LlamaToken {
    choice.apply(candidates);
    // A chain ends by choosing; the first candidate stands for a chain that does not.
    let token = candidates.selected_token().unwrap_or_else(|| candidates.data[0].id());
    choice.accept(token);
    token
}

/// Makes words less likely among candidates, which are all of a vocabulary in its order, each once however often it was said. llama.cpp's
/// own sampler looks each of a vocabulary up among the words, for every token.
fn make_less_likely(candidates: &mut LlamaTokenDataArray, words: &VecDeque<LlamaToken>) {
    for word in words.iter().map(|word| word.0).collect::<BTreeSet<_>>() {
        let candidate = usize::try_from(word)
            .ok()
            .and_then(|place| candidates.data.get_mut(place));
        if let Some(candidate) = candidate.filter(|candidate| candidate.id().0 == word) {
            let logit = candidate.logit();
            candidate.set_logit(match logit > 0.0 {
                true => logit / REPETITION_PENALTY,
                false => logit * REPETITION_PENALTY,
            });
        }
    }
}

/// Distance from the highest logit beyond which others are left out of a sum: a vocabulary of them makes less than a thousandth.
const MAX_DISTANCE: f32 = 20.0;

/// Logarithm of the sum of the exponentials. Most of a vocabulary is so unlikely that it is cheaper left out.
fn log_sum(logits: impl Iterator<Item = f32> + Clone) -> f64 {
    let highest = logits.clone().fold(f32::NEG_INFINITY, f32::max);
    let near = logits.filter(|logit| highest - logit < MAX_DISTANCE);
    f64::from(highest) + near.map(|logit| f64::from(logit - highest).exp()).sum::<f64>().ln()
}

#[cfg(test)]
mod tests {
    use llama_cpp_2::token::data::LlamaTokenData;

    use super::*;

    fn drawn(sampler: &mut Sampler, logits: [f32; 3]) -> i32 {
        let all = logits.into_iter().zip(0..);
        let all = all.map(|(logit, token)| LlamaTokenData::new(LlamaToken(token), logit, 0.0));
        let mut candidates = LlamaTokenDataArray::from_iter(all, false);
        make_less_likely(&mut candidates, &sampler.words);
        chosen(&mut sampler.choice, &mut candidates).0
    }

    #[test]
    fn words_that_an_answer_has_are_less_likely() {
        let mut sampler = Sampler::new(&Options::default(), None);
        let logits = [5.0, 4.8, -2.0];
        assert_eq!(drawn(&mut sampler, logits), 0);
        sampler.said(LlamaToken(0), b" cheese");
        assert_eq!(drawn(&mut sampler, logits), 1);
        // Not by more the more often they are there.
        sampler.said(LlamaToken(1), "é".as_bytes());
        sampler.said(LlamaToken(1), "é".as_bytes());
        assert_eq!(drawn(&mut sampler, logits), 0);
        let negative = [-5.0, -5.4, -9.0];
        assert_eq!(drawn(&mut sampler, negative), 0);
        sampler.words.pop_back();
        sampler.words.pop_back();
        assert_eq!(drawn(&mut sampler, negative), 1);
    }

    #[test]
    fn signs_and_digits_come_again() {
        let mut sampler = Sampler::new(&Options::default(), None);
        for text in [",", " 12", "\n", "| --- |", "，", "。", " –", "•"] {
            sampler.said(LlamaToken(0), text.as_bytes());
        }
        assert_eq!(drawn(&mut sampler, [5.0, 4.9, -2.0]), 0);
    }

    #[test]
    fn candidates_that_are_ruled_out_do_not_count() {
        let halves = log_sum([1.0_f32, 1.0, f32::NEG_INFINITY].into_iter());
        assert!((halves - (1.0 + 2.0_f64.ln())).abs() < 1e-9);
        // Without taking the highest out, the exponential would be infinite.
        assert!((log_sum([800.0_f32].into_iter()) - 800.0).abs() < 1e-9);
    }
}
