//! The life of the engine's process: it is loaded when its model is there or somebody asks, exchanged for a better one, unloaded
//! when nobody asked for a while, and ended when it hangs.

use std::collections::HashMap;
use std::sync::Weak;
use std::time::{Duration, Instant};

use quartet_llm_engine::protocol::Command;

use super::ahead::Ahead;
use super::engine::Engine;
use super::heartbeat::{self, Heartbeat};
use super::process::Process;
use super::prompt_cache::PromptCache;
use super::{Local, State};
use crate::host_functions::keyvalue;
use crate::host_functions::llm::types::Error;

/// Time between two looks at which models are there.
const PRESENCE_CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// Longest time between two looks at whether the engine may go.
const MAX_IDLE_CHECK_INTERVAL: Duration = Duration::from_secs(15);

impl Local {
    /// Loads the model if the settings ask for it at the start, as soon as it is there, and a better one that comes later;
    /// and unloads it whenever it was idle for long.
    pub async fn look_after(&self) {
        let load = async {
            if self.config.at_start {
                self.load_what_comes().await;
            }
        };
        tokio::join!(load, self.unload_idle(), self.end_hung(), self.forget_unused());
    }

    /// Has the engine hold nothing of conversations whose values have ended.
    async fn forget_unused(&self) {
        let mut ticks = tokio::time::interval(keyvalue::SWEEP_INTERVAL);
        loop {
            ticks.tick().await;
            if let Some(engine) = &self.state().engine {
                let seconds = self.kept.as_secs();
                engine.process.send(Command::ForgetUnused { seconds });
            }
        }
    }

    /// Asks the engine now and then for a sign of life, and ends it when it gives none.
    async fn end_hung(&self) {
        let mut ticks = tokio::time::interval(heartbeat::INTERVAL);
        loop {
            ticks.tick().await;
            self.beat(Instant::now());
        }
    }

    pub(super) fn beat(&self, now: Instant) {
        let mut state = self.state();
        let Some(engine) = &mut state.engine else { return };
        if !engine.heartbeat.is_asked() {
            engine.ping();
        } else if let Some(silent) = engine.heartbeat.hangs(now) {
            tracing::error!(
                model = engine.model.name,
                seconds = silent.as_secs(),
                "the language model's engine says nothing any more; it is ended"
            );
            self.metrics.hung();
            engine.process.kill();
        }
    }

    /// Loads the model, and looks now and then whether a better one was got.
    async fn load_what_comes(&self) {
        let mut ticks = tokio::time::interval(PRESENCE_CHECK_INTERVAL);
        let mut last = None;
        loop {
            ticks.tick().await;
            let mut state = self.state();
            self.exchange(&mut state);
            if state.engine.is_none() {
                state.choice.renew(false, 0);
            }
            let choice = state.choice.model().clone();
            // One that was unloaded, or that failed, waits for who asks for it.
            if last.as_ref() == Some(&choice) || !choice.file.is_file() {
                continue;
            }
            last = Some(choice);
            if let Err(error) = self.start(&mut state) {
                tracing::error!(?error, "the language model is not loaded");
            }
        }
    }

    async fn unload_idle(&self) {
        let Some(idle) = self.config.idle else { return };
        let mut ticks = tokio::time::interval(MAX_IDLE_CHECK_INTERVAL.min(idle / 2).max(Duration::from_millis(100)));
        loop {
            ticks.tick().await;
            let mut state = self.state();
            let unused = state.engine.as_ref().is_some_and(|engine| engine.answers.is_empty());
            if unused && state.last_used.elapsed() >= idle {
                tracing::info!(
                    model = state.choice.model().name,
                    "the language model is unloaded: nobody asked it for a while"
                );
                state.engine = None;
            }
        }
    }

    /// Ends the engine where another model is the one to take, and nobody waits for an answer of this one.
    pub(super) fn exchange(&self, state: &mut State) {
        let Some(engine) = state.engine.as_ref().filter(|engine| engine.answers.is_empty()) else {
            return;
        };
        state.choice.renew(false, engine.model.memory);
        if engine.model != *state.choice.model() {
            state.engine = None;
        }
    }

    /// Starts the engine unless it runs.
    pub(super) fn start(&self, state: &mut State) -> Result<(), Error> {
        if state.engine.is_some() {
            return Ok(());
        }
        if state.not_before.is_some_and(|time| Instant::now() < time) {
            return Err(Error::Unavailable(
                "the language model's engine died; it is started again in some seconds".to_owned(),
            ));
        }
        // Whoever starts has nothing loaded, so the memory that is free now decides.
        state.choice.renew(true, 0);
        self.check(state.choice.model())?;
        let model = state.choice.model().clone();
        state.started += 1;
        let number = state.started;
        let this = Weak::clone(&self.this);
        let on_event = move |event| {
            if let Some(local) = this.upgrade() {
                local.on_event(number, event);
            }
        };
        let prompt_cache = PromptCache::new(&self.config.prompt_cache, &model, number)
            .inspect_err(
                |error| tracing::warn!(%error, "the language model's prompts cannot be kept for the next start"),
            )
            .ok();
        let process = Process::start(&self.config, &model.file, prompt_cache.as_ref(), on_event).map_err(|error| {
            tracing::error!(%error, engine = %self.config.engine.display(), "the language model's engine cannot be started");
            Error::Unavailable("the language model's engine cannot be started".to_owned())
        })?;
        tracing::info!(
            model = model.name,
            threads = self.config.threads,
            "loading the language model"
        );
        self.metrics.started();
        state.last_used = Instant::now();
        state.engine = Some(Engine {
            number,
            model,
            process,
            answers: HashMap::new(),
            heartbeat: Heartbeat::default(),
            prompt_cache,
            warming: self.ready.receiver_count() > 0,
            leaving: Vec::new(),
            ahead: Ahead::new(),
        });
        Ok(())
    }
}
