//! Metrics of the language model.

use std::time::Duration;

use prometheus::core::Collector;
use prometheus::{Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry};
use quartet_llm_engine::protocol::Confinement;

/// Seconds until the first piece of an answer.
const FIRST_PIECE_SECONDS_BUCKETS: &[f64] = &[0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0];

/// Ends of answers: by themselves, at a bound, because nobody wants them any more, or with an error.
pub const OUTCOMES: [&str; 10] = [
    "stop",
    "length",
    "time",
    "cancelled",
    "missing_model",
    "unavailable",
    "invalid_input",
    "too_long",
    "failed",
    "busy",
];

/// The families of the language model; a copy counts into the same ones.
#[derive(Clone)]
pub struct LlmMetrics {
    answers: IntCounterVec,
    tokens: IntCounterVec,
    first: Histogram,
    open: IntGauge,
    read_ahead: IntCounter,
    starts: IntCounter,
    hangs: IntCounter,
    confined: IntGaugeVec,
    accelerator: IntGaugeVec,
}

impl LlmMetrics {
    /// Makes the families.
    ///
    /// # Errors
    /// When a name is none; the names are constants of this file.
    pub fn new() -> prometheus::Result<Self> {
        let counters = |name: &str, help: &str, label: &str| IntCounterVec::new(Opts::new(name, help), &[label]);
        let metrics = Self {
            answers: counters(
                "quartet_language_answers_total",
                "Answers of the language model that are over, by how they ended.",
                "outcome",
            )?,
            tokens: counters(
                "quartet_language_tokens_total",
                "Tokens of the language model: of prompts that were computed, of prompts that were still known, of answers.",
                "of",
            )?,
            first: Histogram::with_opts(
                HistogramOpts::new(
                    "quartet_language_first_piece_seconds",
                    "Time from a question to the language model to the first piece of its answer.",
                )
                .buckets(FIRST_PIECE_SECONDS_BUCKETS.to_vec()),
            )?,
            open: IntGauge::new(
                "quartet_language_open",
                "Answers that are being written or wait to be; above `language_sequences` they wait.",
            )?,
            read_ahead: IntCounter::new(
                "quartet_language_read_ahead_tokens_total",
                "Tokens of prompts that the language model computed before anybody asked, when it had nothing else to do.",
            )?,
            starts: IntCounter::new(
                "quartet_llm_engine_starts_total",
                "Times that the engine of the language model was started.",
            )?,
            hangs: IntCounter::new(
                "quartet_llm_engine_hangs_total",
                "Times that the engine of the language model said nothing for so long that it was ended.",
            )?,
            confined: IntGaugeVec::new(
                Opts::new(
                    "quartet_llm_engine_confined",
                    "1 if the kernel keeps the engine of the language model from files and network, by the part of it that does.",
                ),
                &["by"],
            )?,
            accelerator: IntGaugeVec::new(
                Opts::new(
                    "quartet_llm_accelerator_info",
                    "1 for the graphics processors that compute the language model; `none` where the processor does.",
                ),
                &["device"],
            )?,
        };
        for outcome in OUTCOMES {
            metrics.answers.with_label_values(&[outcome]);
        }
        for of in ["prompt", "cached", "answer"] {
            metrics.tokens.with_label_values(&[of]);
        }
        Ok(metrics)
    }

    /// Registers the families.
    ///
    /// # Errors
    /// When a name is taken.
    pub fn register(&self, registry: &Registry) -> prometheus::Result<()> {
        let all: [Box<dyn Collector>; 9] = [
            Box::new(self.answers.clone()),
            Box::new(self.tokens.clone()),
            Box::new(self.first.clone()),
            Box::new(self.open.clone()),
            Box::new(self.read_ahead.clone()),
            Box::new(self.starts.clone()),
            Box::new(self.hangs.clone()),
            Box::new(self.confined.clone()),
            Box::new(self.accelerator.clone()),
        ];
        all.into_iter().try_for_each(|family| registry.register(family))
    }

    /// Counts an answer that begins.
    pub fn begin(&self) -> Counted {
        self.open.inc();
        Counted {
            metrics: self.clone(),
            ended: false,
        }
    }

    /// Counts a question that is refused before an answer began.
    pub fn refused(&self, outcome: &'static str) {
        self.answers.with_label_values(&[outcome]).inc();
    }

    /// Counts tokens that were read ahead.
    pub fn read_ahead(&self, tokens: u32) {
        self.read_ahead.inc_by(tokens.into());
    }

    /// Counts a start of the engine.
    pub fn started(&self) {
        self.starts.inc();
    }

    /// Counts an engine that hung.
    pub fn hung(&self) {
        self.hangs.inc();
    }

    /// Notes how the engine that runs is confined.
    pub fn confined(&self, confinement: &Confinement) {
        for (by, missing) in [("landlock", &confinement.landlock), ("seccomp", &confinement.seccomp)] {
            let confined = i64::from(missing.is_none());
            self.confined.with_label_values(&[by]).set(confined);
        }
    }

    /// Notes which graphics processors the engine that runs computes with.
    pub fn accelerated(&self, device: &str) {
        self.accelerator.reset();
        self.accelerator.with_label_values(&[device]).set(1);
    }
}

/// An answer that is counted as open until it ends or is given up.
pub struct Counted {
    metrics: LlmMetrics,
    ended: bool,
}

impl Counted {
    /// Records the time until the first piece.
    pub fn first(&self, time: Duration) {
        self.metrics.first.observe(time.as_secs_f64());
    }

    /// Counts the end: one of [`OUTCOMES`].
    pub fn ended(&mut self, outcome: &'static str) {
        self.ended = true;
        self.metrics.answers.with_label_values(&[outcome]).inc();
    }

    /// Counts the tokens.
    pub fn tokens(&self, prompt: u32, cached: u32, answer: u32) {
        for (of, tokens) in [("prompt", prompt), ("cached", cached), ("answer", answer)] {
            self.metrics.tokens.with_label_values(&[of]).inc_by(tokens.into());
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.metrics.open.dec();
        if !self.ended {
            self.metrics.answers.with_label_values(&["cancelled"]).inc();
        }
    }
}
