//! Speech of a text by one of the two engines, planned: its exact length is known, its samples are still to be made.

use std::borrow::Cow;
use std::time::Duration;

use quartet_api::tts::{Engine, SAMPLE_RATE};
use quartet_api::{Language, Voice};
use quartet_formant_synthesis::transcription::transcribe;
use quartet_inference::{GraphError, Graphs};
use quartet_neural_speech::{Ahead, PlanError, Utterance, utterances};
use quartet_text_normalization::alignment::{self, Group, Timing};
use quartet_text_normalization::{self as text, Span};

use crate::surroundings::Stopwatch;
use crate::vowels::{self, Vowels};

/// Manner of delivery, as a request asks for it.
#[derive(Debug, Clone, Copy)]
pub struct Delivery {
    /// The language that the text is read in.
    pub language: Language,
    /// The voice.
    pub voice: Voice,
    /// In percent of the voice's own speed.
    pub speed: u16,
}

/// Bounds within which natural speech is tried when nobody has asked for it.
#[derive(Debug, Clone, Copy)]
pub struct Automatic {
    /// Symbols of the text: about 15 for each second of speech.
    pub tokens: usize,
    /// Samples of the speech.
    pub samples: u64,
    /// Lengths that are computed before anything is heard.
    pub ahead: Ahead,
    /// Time that planning may take beside its part of the speech.
    pub planning: Duration,
    /// Time that it may take beside that part when it also opens graphs, as the first one does; then it is done again.
    pub opening: Duration,
}

/// The part of its own length for which speech may be planned. Planning is a thirtieth of all the work: where it takes longer
/// than this, the machine is slow or busy, and speech would take more than twice its length.
const PLANNING_PART: f64 = 0.08;

/// Letters of Arabic at most whose vowels somebody waits for who has not asked for a natural voice: for about a second.
const MOST_AUTOMATIC_LETTERS: usize = 3_000;

/// Speech with its exact length.
pub enum Speech {
    /// By formants.
    Fast(quartet_formant_synthesis::Plan),
    /// By a neural voice, whose samples are made when they are asked for.
    Natural(Box<Natural>),
    /// By a neural voice, with its samples.
    Made(Made),
}

/// Natural speech that is planned.
pub struct Natural {
    plan: quartet_neural_speech::Plan,
    /// Those of the text, which is read once more while the sound is made.
    vowels: Vowels,
}

/// Natural speech that has been made.
pub struct Made {
    samples: Vec<i16>,
    /// The words of each clause, by its number.
    words: Vec<(usize, Vec<Group>)>,
}

/// Pieces of samples.
pub type Pieces = Box<dyn Iterator<Item = Vec<i16>>>;

impl Speech {
    /// Plans fast speech.
    pub fn fast(text: &str, delivery: Delivery) -> Self {
        let Delivery { language, voice, speed } = delivery;
        let clauses = text::clauses(text, language);
        Self::Fast(quartet_formant_synthesis::Plan::with_speed(clauses, voice, speed))
    }

    /// Plans natural speech of at most `most` samples.
    ///
    /// # Errors
    /// When the graphs cannot be computed, nobody knows the vowels of an Arabic text, or the speech is longer.
    pub fn natural(
        text: &str,
        delivery: Delivery,
        (ahead, most): (Ahead, u64),
        graphs: &impl Graphs,
    ) -> Result<Self, PlanError> {
        let vowels = Vowels::of(text, delivery.language, vowels::MOST_LETTERS, graphs);
        if let Some(reason) = lacking(delivery.language, &vowels) {
            return Err(reason.clone().into());
        }
        let plan = plan(
            spoken(text, delivery.language, &vowels),
            delivery,
            (ahead, most),
            graphs,
        )?;
        Ok(Self::Natural(Box::new(Natural { plan, vowels })))
    }

    /// Plans natural speech where it is better than fast speech and within bounds.
    pub fn automatic(text: &str, delivery: Delivery, bounds: Automatic, graphs: &impl Graphs) -> Option<Self> {
        if !quartet_neural_speech::utterance::is_spoken(delivery.language) {
            return None;
        }
        // Each letter is a symbol at least.
        let letters = bounds.tokens.min(MOST_AUTOMATIC_LETTERS);
        let vowels = Vowels::of(text, delivery.language, letters, graphs);
        if lacking(delivery.language, &vowels).is_some() {
            return None;
        }
        // A long text is read no further than it takes to see that it is one.
        let mut tokens = 0;
        let mut short = Vec::new();
        for utterance in spoken(text, delivery.language, &vowels) {
            tokens += utterance.tokens.len();
            if tokens > bounds.tokens {
                return None;
            }
            short.push(utterance);
        }
        let plan = || {
            let clock = Stopwatch::start();
            let planned = plan(short.iter().cloned(), delivery, (bounds.ahead, bounds.samples), graphs).ok()?;
            let part = quartet_formant_synthesis::seconds(planned.planned_samples()) * PLANNING_PART;
            let beside = clock.elapsed().saturating_sub(Duration::from_secs_f64(part));
            Some((planned, beside))
        };
        let (mut planned, mut beside) = plan()?;
        if beside > bounds.planning && beside <= bounds.opening {
            (planned, beside) = plan()?;
        }
        let is_taken = beside <= bounds.planning && planned.samples() > 0;
        is_taken.then(|| Self::Natural(Box::new(Natural { plan: planned, vowels })))
    }

    /// The engine that speaks.
    pub const fn engine(&self) -> Engine {
        match self {
            Self::Fast(_) => Engine::Fast,
            Self::Natural(_) | Self::Made(_) => Engine::Natural,
        }
    }

    /// The exact number of samples: zero where there is nothing to say.
    pub fn samples(&self) -> u64 {
        match self {
            Self::Fast(plan) => plan.samples(),
            Self::Natural(natural) => natural.plan.samples(),
            Self::Made(made) => made.samples.len() as u64,
        }
    }

    /// The words of the text with their times, in samples. `text` and `language` are those that the speech was planned of.
    pub fn timings(&self, text: &str, language: Language) -> Vec<Timing> {
        let natural = |words: Vec<(usize, Vec<Group>)>| {
            let mut words = words.into_iter().peekable();
            let heard = text::clauses(text, language).enumerate().map(move |(number, clause)| {
                let words = words.next_if(|(clause, _)| *clause == number);
                (clause, words.map(|(_, words)| words).unwrap_or_default())
            });
            alignment::timings(text, heard)
        };
        match self {
            Self::Fast(plan) => alignment::timings(text, plan.words(text::clauses(text, language))),
            Self::Natural(planned) => natural(planned.plan.words()),
            Self::Made(made) => natural(made.words.clone()),
        }
    }

    /// The same speech with its samples made, unless that takes longer than `time`. `text` and `language` are those that it was
    /// planned of.
    ///
    /// # Errors
    /// When a graph fails.
    pub fn made(
        self,
        (text, language): (&str, Language),
        time: Option<(&Stopwatch, Duration)>,
        graphs: &impl Graphs,
    ) -> Result<Option<Self>, GraphError> {
        let Self::Natural(natural) = self else {
            return Ok(Some(self));
        };
        let mut samples = Vec::new();
        let Natural { plan, vowels } = *natural;
        let words = plan.words();
        let all = spoken(text, language, &vowels);
        for piece in plan.synthesise(all, graphs) {
            samples.extend(piece?);
            if time.is_some_and(|(clock, time)| clock.elapsed() > time) {
                return Ok(None);
            }
        }
        Ok(Some(Self::Made(Made { samples, words })))
    }

    /// The samples, in pieces. A graph that fails when part of them is sent ends the sandbox, so that nobody takes the part
    /// for the whole.
    pub fn pieces(self, text: &'static str, language: Language, graphs: impl Graphs + 'static) -> Pieces {
        match self {
            Self::Fast(plan) => Box::new(plan.synthesise(text::clauses(text, language))),
            Self::Natural(natural) => {
                let Natural { plan, vowels } = *natural;
                // An instance serves one request: they are given back with it, as the text is.
                let all = spoken(text, language, Box::leak(Box::new(vowels)));
                let made = |piece: Result<_, GraphError>| {
                    piece.unwrap_or_else(|error| panic!("a graph failed in the middle of the speech: {error}"))
                };
                Box::new(plan.synthesise(all, graphs).map(made))
            }
            Self::Made(made) => {
                let mut rest = made.samples;
                Box::new(std::iter::from_fn(move || {
                    let left = rest.split_off(rest.len().min(2 * SAMPLE_RATE as usize));
                    let piece = std::mem::replace(&mut rest, left);
                    (!piece.is_empty()).then_some(piece)
                }))
            }
        }
    }
}

fn plan(
    utterances: impl Iterator<Item = Utterance>,
    delivery: Delivery,
    (ahead, most): (Ahead, u64),
    graphs: &impl Graphs,
) -> Result<quartet_neural_speech::Plan, PlanError> {
    let Delivery { language, voice, speed } = delivery;
    let manner = (f32::from(speed) / 100.0, ahead);
    quartet_neural_speech::Plan::new(utterances, (voice, language), manner, most, graphs)
}

/// The reason why a text cannot be spoken naturally in its language: Arabic of which nobody knows the vowels.
fn lacking(language: Language, vowels: &Vowels) -> Option<&GraphError> {
    vowels.missing().filter(|_| language == Language::Arabic)
}

/// The text in utterances of the model.
fn spoken(text: &str, language: Language, vowels: &Vowels) -> impl Iterator<Item = Utterance> {
    let vowelled = vowels.missing().is_none();
    utterances(vowels.clauses(text, language), move |span| {
        written(span, vowelled).into_owned()
    })
}

/// A span as the model's symbols are made of it. `vowelled` is true where Arabic has its vowels.
fn written(span: &Span, vowelled: bool) -> Cow<'_, str> {
    match span.language {
        Language::Japanese => quartet_japanese_g2p::reading(&span.text).into(),
        Language::Chinese => span.text.as_str().into(),
        Language::Arabic if vowelled => {
            let other = |word: &str| {
                transcribe(&Span {
                    language: Language::Arabic,
                    text: word.to_owned(),
                })
            };
            quartet_arabic_g2p::reading(&span.text, other).into()
        }
        _ => transcribe(span).into(),
    }
}

#[cfg(test)]
mod tests {
    use quartet_inference::{Data, NamedTensor, Tensor};

    use super::*;

    /// Graphs that take two steps for each symbol, and fail at the sound where they are told to.
    #[derive(Clone, Copy)]
    struct Steps {
        fails: bool,
    }

    impl Graphs for Steps {
        fn run(&self, graph: &str, inputs: Vec<NamedTensor>, _: &[&str]) -> Result<Vec<NamedTensor>, GraphError> {
            let shape = inputs[0].tensor.shape().to_vec();
            let elements = match graph {
                "speech-styles" => vec![0.0; 256],
                "speech-durations" => vec![2.0; shape[1]],
                _ if self.fails => return Err(GraphError::Failed("it is broken".into())),
                _ => vec![0.25; shape[1] * 2 * 600],
            };
            let tensor = Tensor::new([1, elements.len()], Data::F32(elements)).expect("it fits");
            Ok(vec![NamedTensor::new("one", tensor)])
        }
    }

    const TEXT: &str = "Good morning. The library opens at nine.";
    const WORKING: Steps = Steps { fails: false };
    const BOUNDS: Automatic = Automatic {
        tokens: 100,
        samples: u64::MAX,
        ahead: Ahead::All,
        planning: Duration::from_secs(60),
        opening: Duration::from_secs(60),
    };

    fn delivery(language: Language) -> Delivery {
        Delivery {
            language,
            voice: Voice::Kore,
            speed: 100,
        }
    }

    #[test]
    fn natural_speech_has_the_length_that_was_planned() {
        let english = delivery(Language::English);
        let speech = Speech::natural(TEXT, english, (Ahead::All, u64::MAX), &WORKING).unwrap();
        let length = speech.samples();
        assert!(length > 24_000 && speech.engine() == Engine::Natural);
        let streamed: Vec<i16> = speech.pieces(TEXT, Language::English, WORKING).flatten().collect();
        assert_eq!(streamed.len() as u64, length);
        let whole = Speech::natural(TEXT, english, (Ahead::All, u64::MAX), &WORKING).unwrap();
        let whole = whole.made((TEXT, Language::English), None, &WORKING).unwrap().unwrap();
        let whole: Vec<i16> = whole.pieces(TEXT, Language::English, WORKING).flatten().collect();
        assert!(whole == streamed);
    }

    #[test]
    fn words_have_their_times_in_both_engines() {
        let words = |speech: &Speech| {
            let timings = speech.timings(TEXT, Language::English);
            let written: Vec<_> = timings.iter().map(|timing| &TEXT[timing.written.clone()]).collect();
            assert_eq!(written, ["Good", "morning", "The", "library", "opens", "at", "nine"]);
            assert!(timings.iter().all(|timing| timing.start < timing.end), "{timings:?}");
            assert!(
                timings.windows(2).all(|pair| pair[0].end <= pair[1].start),
                "{timings:?}"
            );
            assert!(timings.last().unwrap().end <= speech.samples());
            timings
        };
        words(&Speech::fast(TEXT, delivery(Language::English)));
        let natural = Speech::natural(TEXT, delivery(Language::English), (Ahead::All, u64::MAX), &WORKING).unwrap();
        let planned = words(&natural);
        assert_eq!(
            words(
                &natural
                    .made((TEXT, Language::English), None, &WORKING)
                    .unwrap()
                    .unwrap()
            ),
            planned
        );
    }

    #[test]
    fn it_is_taken_by_itself_only_where_it_is_spoken_short_and_there() {
        let taken =
            |text: &str, language, bounds| Speech::automatic(text, delivery(language), bounds, &WORKING).is_some();
        assert!(taken(TEXT, Language::English, BOUNDS));
        assert!(taken("Guten Morgen.", Language::German, BOUNDS));
        assert!(!taken("안녕하세요.", Language::Korean, BOUNDS));
        assert!(!taken(&TEXT.repeat(9), Language::English, BOUNDS));
        assert!(!taken("\u{2028}", Language::English, BOUNDS));
        let none = crate::surroundings::HostGraphs;
        assert!(Speech::automatic(TEXT, delivery(Language::English), BOUNDS, &none).is_none());
    }

    /// The same graphs; the first of them take 30 ms.
    struct Opened {
        runs: std::cell::Cell<usize>,
        slow: usize,
    }

    impl Graphs for Opened {
        fn run(&self, graph: &str, inputs: Vec<NamedTensor>, outputs: &[&str]) -> Result<Vec<NamedTensor>, GraphError> {
            self.runs.set(self.runs.get() + 1);
            if self.runs.get() <= self.slow {
                std::thread::sleep(Duration::from_millis(30));
            }
            WORKING.run(graph, inputs, outputs)
        }
    }

    #[test]
    fn a_machine_that_opens_graphs_gets_a_second_look_and_a_busy_one_speaks_fast() {
        let graphs = |slow| Opened {
            runs: std::cell::Cell::default(),
            slow,
        };
        let bounds = |planning, opening| Automatic {
            planning: Duration::from_secs(planning),
            opening: Duration::from_secs(opening),
            ..BOUNDS
        };
        let english = delivery(Language::English);
        let taken = |bounds, graphs: &Opened| Speech::automatic("Yes.", english, bounds, graphs).is_some();
        let quick = graphs(0);
        assert!(taken(bounds(60, 60), &quick));
        // Each look takes 30 ms at least: none of them is in no time.
        let runs = quick.runs.get();
        let busy = graphs(usize::MAX);
        assert!(!taken(bounds(0, 60), &busy));
        assert_eq!(busy.runs.get(), 2 * runs);
        let slow = graphs(usize::MAX);
        assert!(!taken(bounds(0, 0), &slow));
        assert_eq!(
            slow.runs.get(),
            runs,
            "nobody waits for a second look at a slow machine"
        );
    }

    #[test]
    fn what_takes_too_long_or_fails_is_not_made() {
        let english = delivery(Language::English);
        let plan = || Speech::natural(TEXT, english, (Ahead::All, u64::MAX), &WORKING).unwrap();
        let clock = Stopwatch::start();
        while clock.elapsed().is_zero() {}
        assert!(
            plan()
                .made((TEXT, Language::English), Some((&clock, Duration::ZERO)), &WORKING)
                .unwrap()
                .is_none()
        );
        assert!(
            plan()
                .made((TEXT, Language::English), None, &Steps { fails: true })
                .is_err()
        );
        assert_eq!(
            Speech::natural(TEXT, english, (Ahead::All, 600), &WORKING).err(),
            Some(PlanError::TooLong(600))
        );
    }

    const ARABIC: &str = "فتحت المكتبة أبوابها.";

    /// Graphs as above, with a network that gives every letter of Arabic an *a*.
    struct WithVowels;

    impl Graphs for WithVowels {
        fn run(&self, graph: &str, inputs: Vec<NamedTensor>, outputs: &[&str]) -> Result<Vec<NamedTensor>, GraphError> {
            if graph != quartet_arabic_g2p::GRAPH {
                return WORKING.run(graph, inputs, outputs);
            }
            let count = inputs[0].tensor.shape()[1];
            let classes = Tensor::new([1, count], Data::I64(vec![24; count])).expect("it fits");
            Ok(vec![NamedTensor::new("gated_cls", classes)])
        }
    }

    #[test]
    fn arabic_is_spoken_naturally_with_its_vowels_and_not_without() {
        let arabic = delivery(Language::Arabic);
        let natural = |text: &str| Speech::natural(text, arabic, (Ahead::All, u64::MAX), &WithVowels).unwrap();
        let vowelled = "فَتَحَتَ اَلَمَكَتَبَةَ أَبَوَابَهَا.";
        assert_eq!(natural(ARABIC).samples(), natural(vowelled).samples());
        let timings = natural(ARABIC).timings(ARABIC, Language::Arabic);
        let words: Vec<_> = timings.iter().map(|timing| &ARABIC[timing.written.clone()]).collect();
        assert_eq!(words, ["فتحت", "المكتبة", "أبوابها"]);
        // Graphs that know other things about it than its vowels.
        struct Without;
        impl Graphs for Without {
            fn run(&self, graph: &str, i: Vec<NamedTensor>, o: &[&str]) -> Result<Vec<NamedTensor>, GraphError> {
                if graph == quartet_arabic_g2p::GRAPH {
                    return Err(GraphError::Unknown(graph.to_owned()));
                }
                WORKING.run(graph, i, o)
            }
        }
        assert_eq!(
            Speech::natural(ARABIC, arabic, (Ahead::All, u64::MAX), &Without).err(),
            Some(GraphError::Unknown(quartet_arabic_g2p::GRAPH.to_owned()).into())
        );
        assert!(Speech::automatic(ARABIC, arabic, BOUNDS, &Without).is_none());
        assert!(Speech::automatic(ARABIC, arabic, BOUNDS, &WithVowels).is_some());
        // What has its vowels needs no network.
        assert!(Speech::automatic("كُتِبَ.", arabic, BOUNDS, &Without).is_some());
    }
}
