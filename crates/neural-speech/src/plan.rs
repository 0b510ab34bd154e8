//! Speech of known length: lengths of all utterances first, then their sound, one after the other.

use quartet_api::tts::SAMPLE_RATE;
use quartet_api::{Language, Voice};
use quartet_inference::{Data, GraphError, Graphs, NamedTensor, Tensor};
use quartet_text_normalization::alignment::Group;
use thiserror::Error;

use crate::style::{self, Style, VOICES};
use crate::utterance::Utterance;
use crate::words;

/// Samples of one step of the lengths.
const STEP_SAMPLES: u64 = 600;

/// Rows of a style, one for each number of symbols.
const ROWS: usize = 510;

/// Steps of one symbol at most: 50 seconds, which no sound lasts.
const MOST_STEPS: f32 = 2_000.0;

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

/// Speech with its exact length.
#[derive(Debug, Clone)]
pub struct Plan {
    style: Style,
    utterances: Vec<Planned>,
}

/// An utterance with the steps of each symbol, and of the silence before the first and after the last.
#[derive(Debug, Clone)]
struct Planned {
    utterance: Utterance,
    steps: Vec<u16>,
}

impl Planned {
    fn samples(&self) -> u64 {
        let steps: u64 = self.steps.iter().copied().map(u64::from).sum();
        steps * STEP_SAMPLES + u64::from(self.utterance.pause * (SAMPLE_RATE / 1_000))
    }
}

impl Plan {
    /// Plans the speech of `utterances` by `voice` in `language`. `speed` is a factor, 1 for the model's own.
    ///
    /// # Errors
    /// When the graphs cannot be computed, or the speech has more than `most` samples.
    pub fn new(
        utterances: impl Iterator<Item = Utterance>,
        (voice, language): (Voice, Language),
        speed: f32,
        most: u64,
        graphs: &impl Graphs,
    ) -> Result<Self, PlanError> {
        let mut plan = Self {
            style: style::style(voice, language),
            utterances: Vec::new(),
        };
        let mut samples = 0;
        for utterance in utterances {
            let speed = Tensor::new([1], Data::F32(vec![speed])).map_err(unfit)?;
            let mut inputs = plan.inputs(&utterance, graphs)?;
            inputs.push(NamedTensor::new("speed", speed));
            let lengths = one(graphs.run(DURATIONS, inputs, &["durations"])?)?;
            let lengths = lengths.as_f32().unwrap_or_default();
            if lengths.len() != utterance.tokens.len() + 2 {
                return Err(GraphError::Failed(format!("`{DURATIONS}` gave {} lengths", lengths.len())).into());
            }
            let planned = Planned {
                utterance,
                // Whole numbers of at least one.
                steps: lengths
                    .iter()
                    .map(|length| length.clamp(1.0, MOST_STEPS) as u16)
                    .collect(),
            };
            samples += planned.samples();
            if samples > most {
                return Err(PlanError::TooLong(most));
            }
            plan.utterances.push(planned);
        }
        if let Some(last) = plan.utterances.last_mut() {
            last.utterance.pause = 0;
        }
        Ok(plan)
    }

    /// The exact number of samples: zero where there is nothing to say.
    pub fn samples(&self) -> u64 {
        self.utterances.iter().map(Planned::samples).sum()
    }

    /// The words that are heard of each clause, by the clause's number in the text, at samples of the speech.
    pub fn words(&self) -> Vec<(usize, Vec<Group>)> {
        let mut start = 0;
        let mut heard = Vec::new();
        for planned in &self.utterances {
            words::add(&planned.utterance, &planned.steps, STEP_SAMPLES, start, &mut heard);
            start += planned.samples();
        }
        heard
    }

    /// Makes the sound, an utterance at a time. After an error nothing comes any more.
    pub fn synthesise<G: Graphs>(mut self, graphs: G) -> impl Iterator<Item = Result<Vec<i16>, GraphError>> {
        let mut utterances = std::mem::take(&mut self.utterances).into_iter();
        let mut failed = false;
        std::iter::from_fn(move || {
            let planned = if failed { None } else { utterances.next() }?;
            let sound = self.sound(&planned, &graphs);
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
        let sound = planned.samples() - u64::from(planned.utterance.pause * (SAMPLE_RATE / 1_000));
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
        Plan::new(two(), (Voice::Kore, Language::English), speed, most, &Steps(4.0))
    }

    #[test]
    fn the_length_is_known_and_kept() {
        // Ten symbols with the ends, and a pause between the two, but none at the end.
        assert_eq!(plan(1.0, u64::MAX).unwrap().samples(), 2 * 10 * 4 * 600 + 2_400);
        let plan = plan(2.0, u64::MAX).unwrap();
        assert_eq!(plan.samples(), 2 * 10 * 2 * 600 + 2_400);
        let length = plan.samples();
        let sound: Vec<i16> = plan.synthesise(Steps(4.0)).flat_map(Result::unwrap).collect();
        assert_eq!(sound.len() as u64, length);
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
        let plan = Plan::new(two(), (Voice::Kore, Language::English), 1.0, u64::MAX, &None);
        assert_eq!(plan.unwrap_err(), GraphError::Unknown(STYLES.to_owned()).into());
    }
}
