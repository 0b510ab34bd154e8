//! Speech of known length: lengths first, then the sound of one utterance after the other.

use quartet_api::{Language, Voice};
use quartet_inference::{Data, GraphError, Graphs, NamedTensor, Tensor};
use quartet_text_normalization::alignment::Group;
use thiserror::Error;

use crate::planned::{Planned, STEP_SAMPLES, samples_of};
use crate::rest::{Fitting, Pace, Rest};
use crate::style::{self, Style, VOICES};
use crate::utterance::Utterance;
use crate::words;

/// Rows of a style, one for each number of symbols.
const ROWS: usize = 510;

/// Steps of one symbol at most: 50 seconds, which no sound lasts.
const MOST_STEPS: f32 = 2_000.0;

/// Symbols up to which a text has all its lengths computed beforehand, about a minute.
const SHORT_SYMBOLS: u64 = 900;

/// Symbols of the beginning of a longer one whose lengths are computed beforehand.
const BEGINNING_SYMBOLS: u64 = 225;

/// Utterances, spread over the rest of it, by whose lengths the rest has a length reserved: a list and the prose behind it differ.
const SAMPLES_OF_REST: usize = 12;

/// The graph that tells lengths, the one that makes sound, and the one that mixes styles.
const DURATIONS: &str = "speech-durations";
const SAMPLES: &str = "speech-samples";
const STYLES: &str = "speech-styles";

/// Error that keeps speech from being planned.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlanError {
    /// The graphs cannot be computed.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The speech is longer than allowed.
    #[error("the speech is longer than {0} samples")]
    TooLong(u64),
}

/// Lengths that are computed before there is any sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ahead {
    /// All, so that the times of all words are known, too.
    All,
    /// All of a text of up to a minute; of a longer one those of its beginning, and some others to reserve a length by.
    Beginning,
}

/// Speech with its exact length.
#[derive(Debug, Clone)]
pub struct Plan {
    style: Style,
    speed: f32,
    /// Those whose lengths are computed.
    utterances: Vec<Planned>,
    /// Those behind them.
    rest: Rest,
}

impl Plan {
    /// Plans the speech of `utterances` by `voice` in `language`. `speed` is a factor, 1 for the model's own.
    ///
    /// # Errors
    /// When the graphs cannot be computed, or the speech has more than `most` samples.
    pub fn new(
        utterances: impl Iterator<Item = Utterance>,
        (voice, language): (Voice, Language),
        (speed, ahead): (f32, Ahead),
        most: u64,
        graphs: &impl Graphs,
    ) -> Result<Self, PlanError> {
        let mut plan = Self {
            style: style::style(voice, language),
            speed,
            utterances: Vec::new(),
            rest: Rest::default(),
        };
        let mut all = Vec::new();
        let mut symbols = 0;
        for utterance in utterances {
            symbols += utterance.symbols();
            // Each has a step at least.
            if symbols * STEP_SAMPLES > most {
                return Err(PlanError::TooLong(most));
            }
            all.push(utterance);
        }
        let is_long = ahead == Ahead::Beginning && symbols > SHORT_SYMBOLS;
        let (mut samples, mut symbols) = (0, 0);
        let mut rest = all.into_iter();
        while !(is_long && symbols >= BEGINNING_SYMBOLS)
            && let Some(utterance) = rest.next()
        {
            let planned = plan.planned(utterance, graphs)?;
            symbols += planned.utterance.symbols();
            samples += planned.samples();
            plan.utterances.push(planned);
            if samples > most {
                return Err(PlanError::TooLong(most));
            }
        }
        plan.rest = Rest::new(rest.as_slice(), plan.pace(rest.as_slice(), graphs)?);
        if plan.samples() > most {
            return Err(PlanError::TooLong(most));
        }
        if let Some(last) = plan.utterances.last_mut().filter(|_| rest.as_slice().is_empty()) {
            last.utterance.pause = 0;
        }
        Ok(plan)
    }

    /// The pace of `utterances`, by some of them.
    fn pace(&self, utterances: &[Utterance], graphs: &impl Graphs) -> Result<Pace, GraphError> {
        let mut pace = Pace::default();
        let count = utterances.len().min(SAMPLES_OF_REST);
        for sample in 0..count {
            // The middle of each part.
            let index = (2 * sample + 1) * utterances.len() / (2 * count);
            pace.add(&self.planned(utterances[index].clone(), graphs)?);
        }
        Ok(pace)
    }

    /// An utterance with the lengths of its symbols.
    fn planned(&self, utterance: Utterance, graphs: &impl Graphs) -> Result<Planned, GraphError> {
        let speed = Tensor::new([1], Data::F32(vec![self.speed])).map_err(unfit)?;
        let mut inputs = self.inputs(&utterance, graphs)?;
        inputs.push(NamedTensor::new("speed", speed));
        let lengths = one(graphs.run(DURATIONS, inputs, &["durations"])?)?;
        let lengths = lengths.as_f32().unwrap_or_default();
        if lengths.len() != utterance.tokens.len() + 2 {
            return Err(GraphError::Failed(format!(
                "`{DURATIONS}` gave {} lengths",
                lengths.len()
            )));
        }
        // Whole numbers of at least one.
        let steps = lengths.iter().map(|length| length.clamp(1.0, MOST_STEPS) as u16);
        Ok(Planned {
            steps: steps.collect(),
            utterance,
        })
    }

    /// The exact number of samples: zero where there is nothing to say.
    pub fn samples(&self) -> u64 {
        self.planned_samples() + self.rest_samples()
    }

    /// The samples whose lengths are computed.
    pub fn planned_samples(&self) -> u64 {
        self.utterances.iter().map(Planned::samples).sum()
    }

    fn rest_samples(&self) -> u64 {
        self.rest.steps() * STEP_SAMPLES + samples_of(self.rest.pauses())
    }

    /// The words that are heard of each clause, by the clause's number in the text, at samples of the speech: of all of it where all
    /// lengths were computed.
    pub fn words(&self) -> Vec<(usize, Vec<Group>)> {
        let mut start = 0;
        let mut heard = Vec::new();
        for planned in &self.utterances {
            words::add(&planned.utterance, &planned.steps, STEP_SAMPLES, start, &mut heard);
            start += planned.samples();
        }
        heard
    }

    /// Makes the sound, an utterance at a time. `all` are the utterances that were planned. After an error nothing comes any more.
    pub fn synthesise<G: Graphs>(
        mut self,
        all: impl Iterator<Item = Utterance>,
        graphs: G,
    ) -> impl Iterator<Item = Result<Vec<i16>, GraphError>> {
        let mut fitting = Fitting::new(&self.rest);
        let mut rest = all.skip(self.utterances.len());
        let mut utterances = std::mem::take(&mut self.utterances).into_iter();
        let mut failed = false;
        let mut next = move || {
            if let Some(planned) = utterances.next() {
                return self.sound(&planned, &graphs).map(Some);
            }
            while fitting.wants_more()
                && let Some(utterance) = rest.next()
            {
                fitting.add(self.planned(utterance, &graphs)?);
            }
            fitting.next().map(|planned| self.sound(&planned, &graphs)).transpose()
        };
        std::iter::from_fn(move || {
            let sound = if failed { None } else { next().transpose() }?;
            failed = sound.is_err();
            Some(sound)
        })
    }

    fn sound(&self, planned: &Planned, graphs: &impl Graphs) -> Result<Vec<i16>, GraphError> {
        let steps: Vec<f32> = planned.steps.iter().copied().map(f32::from).collect();
        let mut inputs = self.inputs(&planned.utterance, graphs)?;
        let durations = Tensor::new([1, steps.len()], Data::F32(steps)).map_err(unfit)?;
        inputs.push(NamedTensor::new("durations", durations));
        let audio = one(graphs.run(SAMPLES, inputs, &["audio"])?)?;
        let audio = audio.as_f32().unwrap_or_default();
        let sound = planned.steps() * STEP_SAMPLES;
        if audio.len() as u64 != sound {
            return Err(GraphError::Failed(format!(
                "`{SAMPLES}` gave {} samples, not {sound}",
                audio.len()
            )));
        }
        let mut samples: Vec<i16> = audio
            .iter()
            .map(|sample| (sample.clamp(-1.0, 1.0) * f32::from(i16::MAX)) as i16)
            .collect();
        samples.resize(planned.samples() as usize, 0);
        Ok(samples)
    }

    /// The tokens, zero at both ends, and the style for so many of them.
    fn inputs(&self, utterance: &Utterance, graphs: &impl Graphs) -> Result<Vec<NamedTensor>, GraphError> {
        let weights = |half: &[f32]| Tensor::new([1, VOICES.len()], Data::F32(half.to_vec())).map_err(unfit);
        let row = utterance.tokens.len().min(ROWS - 1) as i64;
        let inputs = vec![
            NamedTensor::new("timbre", weights(&self.style.timbre)?),
            NamedTensor::new("prosody", weights(&self.style.prosody)?),
            NamedTensor::new("row", Tensor::new([1], Data::I64(vec![row])).map_err(unfit)?),
        ];
        let style = one(graphs.run(STYLES, inputs, &["style"])?)?;
        let ends = || std::iter::once(0);
        let tokens = utterance.tokens.iter().copied().map(i64::from);
        let tokens: Vec<_> = ends().chain(tokens).chain(ends()).collect();
        let tokens = Tensor::new([1, tokens.len()], Data::I64(tokens)).map_err(unfit)?;
        Ok(vec![
            NamedTensor::new("tokens", tokens),
            NamedTensor::new("style", style),
        ])
    }
}

/// The only output.
fn one(outputs: Vec<NamedTensor>) -> Result<Tensor, GraphError> {
    let first = outputs.into_iter().next().map(|output| output.tensor);
    first.ok_or_else(|| GraphError::Failed("a graph gave no output".to_owned()))
}

/// A tensor that does not fit its shape.
fn unfit(error: quartet_inference::InvalidTensor) -> GraphError {
    GraphError::InvalidInput(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Graphs that take `steps` steps for each symbol.
    struct Steps(f32);

    impl Graphs for Steps {
        fn run(&self, graph: &str, inputs: Vec<NamedTensor>, _: &[&str]) -> Result<Vec<NamedTensor>, GraphError> {
            let input = |name: &str| {
                inputs
                    .iter()
                    .find(|input| input.name == name)
                    .map(|input| &input.tensor)
            };
            let floats = |elements: Vec<f32>| {
                let tensor = Tensor::new([1, elements.len()], Data::F32(elements)).expect("it fits");
                Ok(vec![NamedTensor::new("one", tensor)])
            };
            match graph {
                STYLES => floats(vec![0.0; 256]),
                DURATIONS => {
                    let speed = input("speed").and_then(Tensor::as_f32).expect("a speed")[0];
                    floats(vec![self.0 / speed; input("tokens").expect("tokens").shape()[1]])
                }
                SAMPLES => {
                    let steps = input("durations").and_then(Tensor::as_f32).expect("durations");
                    floats(vec![0.5; (steps.iter().sum::<f32>() * STEP_SAMPLES as f32) as usize])
                }
                other => Err(GraphError::Unknown(other.to_owned())),
            }
        }
    }

    fn two() -> impl Iterator<Item = Utterance> {
        let utterance = Utterance {
            tokens: vec![43; 8],
            clauses: vec![(0, 0)],
            pause: 100,
        };
        std::iter::repeat_n(utterance, 2)
    }

    fn plan(speed: f32, most: u64) -> Result<Plan, PlanError> {
        let speaker = (Voice::Kore, Language::English);
        Plan::new(two(), speaker, (speed, Ahead::All), most, &Steps(4.0))
    }

    #[test]
    fn the_length_is_known_and_kept() {
        // Ten symbols with the ends, and a pause between the two, but none at the end.
        assert_eq!(plan(1.0, u64::MAX).unwrap().samples(), 2 * 10 * 4 * 600 + 2_400);
        let plan = plan(2.0, u64::MAX).unwrap();
        assert_eq!(plan.samples(), 2 * 10 * 2 * 600 + 2_400);
        let length = plan.samples();
        let sound: Vec<i16> = plan.synthesise(two(), Steps(4.0)).flat_map(Result::unwrap).collect();
        assert_eq!(sound.len() as u64, length);
    }

    /// Graphs that take three steps for symbols of one kind, and five for others.
    struct Slower;

    impl Graphs for Slower {
        fn run(&self, graph: &str, inputs: Vec<NamedTensor>, outputs: &[&str]) -> Result<Vec<NamedTensor>, GraphError> {
            let is_first = |input: &NamedTensor| matches!(input.tensor.data(), Data::I64(tokens) if input.name == "tokens" && tokens[1] == 43);
            let steps = if inputs.iter().any(is_first) { 3.0 } else { 5.0 };
            Steps(steps).run(graph, inputs, outputs)
        }
    }

    /// A text of utterances of 60 symbols: so many of one kind, and so many of another.
    fn long(first: usize, second: usize) -> impl Iterator<Item = Utterance> {
        let utterance = |token| Utterance {
            tokens: vec![token; 58],
            clauses: vec![(0, 0)],
            pause: 100,
        };
        std::iter::repeat_n(utterance(43), first).chain(std::iter::repeat_n(utterance(44), second))
    }

    #[test]
    fn the_rest_of_a_long_text_is_fitted_into_what_is_reserved() {
        let speaker = (Voice::Kore, Language::English);
        for (first, second) in [(100, 0), (40, 60), (8, 92), (16, 1), (15, 0)] {
            let plan = |ahead| Plan::new(long(first, second), speaker, (1.0, ahead), u64::MAX, &Slower).unwrap();
            let (exact, plan) = (plan(Ahead::All), plan(Ahead::Beginning));
            let length = plan.samples();
            let off = length.abs_diff(exact.samples()) as f64 / exact.samples() as f64;
            assert!(off < 0.03, "{first} and {second}: {off}");
            let count = (first + second) as u64;
            // Four utterances have more than 225 symbols.
            let beginning = if count > 15 { 4 * (60 * 3 * 600 + 2_400) } else { length };
            assert_eq!(plan.planned_samples(), beginning);
            let pieces: Vec<_> = plan
                .synthesise(long(first, second), Slower)
                .map(Result::unwrap)
                .collect();
            assert_eq!(pieces.len() as u64, count);
            assert_eq!(
                pieces.iter().map(Vec::len).sum::<usize>() as u64,
                length,
                "{first} and {second}"
            );
        }
    }

    #[test]
    fn what_ends_sooner_than_was_reserved_ends_in_silence() {
        let speaker = (Voice::Kore, Language::English);
        // Every other one of the rest takes more steps, and these are the ones whose lengths are computed beforehand.
        let all = || long(4, 0).chain((0..12).flat_map(|_| long(1, 1)));
        let plan = Plan::new(all(), speaker, (1.0, Ahead::Beginning), u64::MAX, &Slower).unwrap();
        let length = plan.samples() as usize;
        let sound: Vec<i16> = plan.synthesise(all(), Slower).flat_map(Result::unwrap).collect();
        assert_eq!(sound.len(), length);
        let silence = sound.iter().rev().take_while(|sample| **sample == 0).count();
        assert!(silence > 24_000, "{silence}");
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        assert_eq!(plan(1.0, 40_000).unwrap_err(), PlanError::TooLong(40_000));
        struct None;
        impl Graphs for None {
            fn run(&self, graph: &str, _: Vec<NamedTensor>, _: &[&str]) -> Result<Vec<NamedTensor>, GraphError> {
                Err(GraphError::Unknown(graph.to_owned()))
            }
        }
        let speaker = (Voice::Kore, Language::English);
        let plan = Plan::new(two(), speaker, (1.0, Ahead::All), u64::MAX, &None);
        assert_eq!(plan.unwrap_err(), GraphError::Unknown(STYLES.to_owned()).into());
    }
}
