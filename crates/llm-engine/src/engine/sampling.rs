//! The drawing of tokens, and how probable an answer is among those that fit its schema.

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;

use crate::protocol::Options;

/// llama.cpp takes a seed of this value for "any".
const ANY_SEED: u32 = u32::MAX;

/// The logit of a token that an answer has already is divided by this (multiplied below zero), as the publisher of the default
/// model has it in its generation settings: the likeliest words of a small model lead back to those before, so that lists
/// name the same thing again and letters go round in circles. What the prompt has is as likely as ever, for quotations.
const REPETITION_PENALTY: f32 = 1.1;
/// Tokens of the answer that are looked back on.
const REPETITION_WINDOW: i32 = 256;

/// Draws the tokens of one answer.
pub struct Sampler {
    /// Leaves tokens with which the answer still fits its schema, where it has one.
    schema: Option<LlamaSampler>,
    /// Draws among those that are left.
    choice: LlamaSampler,
    /// True to tell how likely each token was.
    tells: bool,
    /// Logarithm of the probability of what was drawn so far.
    log_probability: f64,
}

impl Sampler {
    /// A sampler that draws as the options say, among the tokens that `schema` leaves, of a vocabulary of so many. Fields and
    /// signs of a schema are what they have to be, as often as they come.
    pub fn new(options: &Options, schema: Option<LlamaSampler>, vocabulary: i32) -> Self {
        let mut choice = Vec::new();
        if schema.is_none() {
            let penalties = LlamaSampler::penalties(vocabulary, REPETITION_WINDOW, REPETITION_PENALTY, 0.0, 0.0);
            choice.push(penalties);
        }
        if options.temperature <= 0.0 {
            choice.push(LlamaSampler::greedy());
        } else {
            let seed = options.seed.map_or(ANY_SEED, |seed| seed.min(ANY_SEED - 1));
            choice.extend([
                LlamaSampler::top_p(options.top_p, 1),
                LlamaSampler::temp(options.temperature),
                LlamaSampler::dist(seed),
            ]);
        }
        Self {
            schema,
            choice: LlamaSampler::chain_simple(choice),
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
        let Some(schema) = &mut self.schema else {
            let token = self.choice.sample(llama, row);
            let likelihood = || logit(token).map(|logit| logit - log_sum(llama.get_logits_ith(row).iter().copied()));
            return (token, self.tells.then(likelihood).flatten().and_then(told));
        };
        let mut candidates = llama.token_data_array_ith(row);
        schema.apply(&mut candidates);
        let total = log_sum(candidates.data.iter().map(|candidate| candidate.logit()));
        self.choice.apply(&mut candidates);
        // A chain ends by choosing; the first candidate stands for a chain that does not.
        let token = candidates.selected_token().unwrap_or_else(|| candidates.data[0].id());
        let log = logit(token).map_or(0.0, |logit| logit - total);
        self.log_probability += log;
        schema.accept(token);
        self.choice.accept(token);
        (token, told(log))
    }

    /// Probability of what was drawn, from 0 to 1, among all that fits the schema: the product over the tokens, before
    /// temperature and `top_p`. None without a schema.
    pub fn probability(&self) -> Option<f32> {
        self.schema.as_ref().map(|_| self.log_probability.exp().min(1.0) as f32)
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
    use llama_cpp_2::token::data_array::LlamaTokenDataArray;

    use super::*;

    #[test]
    fn what_an_answer_has_already_is_less_likely() {
        let mut sampler = Sampler::new(&Options::default(), None, 3);
        let logits = [5.0, 4.8, -2.0];
        let drawn = [(); 3].map(|()| {
            let all = logits.iter().zip(0..);
            let all = all.map(|(logit, token)| LlamaTokenData::new(LlamaToken(token), *logit, 0.0));
            let mut candidates = LlamaTokenDataArray::from_iter(all, false);
            sampler.choice.apply(&mut candidates);
            let token = candidates.selected_token().unwrap();
            sampler.choice.accept(token);
            token.0
        });
        // By a tenth, and not more the more often it is there.
        assert_eq!(drawn, [0, 1, 0]);
    }

    #[test]
    fn candidates_that_are_ruled_out_do_not_count() {
        let halves = log_sum([1.0_f32, 1.0, f32::NEG_INFINITY].into_iter());
        assert!((halves - (1.0 + 2.0_f64.ln())).abs() < 1e-9);
        // Without taking the highest out, the exponential would be infinite.
        assert!((log_sum([800.0_f32].into_iter()) - 800.0).abs() < 1e-9);
    }
}
