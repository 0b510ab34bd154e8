//! `quartet:language-model/chat`: a conversation in, the next turn out, while it is written.
//!
//! Two providers stand behind it, chosen by the configuration: the engine on this machine (`local`), in a process of
//! its own, and any server that speaks OpenAI's protocol (`remote`). What was computed on this machine for an answer is
//! charged as fuel. To drop an answer, which the end of a sandbox does too, ends the work for it.

mod answer;
mod ask;
mod local;
pub mod metrics;
mod remote;
mod types;
mod visit;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use wasmtime::StoreContextMut;
use wasmtime::component::{Linker, Resource, ResourceType};
use wasmtime_wasi::WasiView;

use self::answer::Answer;
use self::local::Local;
use self::metrics::LlmMetrics;
use self::remote::Remote;
use self::types::{Error, Model, Options, Outcome, PromptSize, Token, Turn};
pub use self::visit::Visit;
use super::charge;
use super::fair_queue::User;
use crate::auth::Client;
use crate::calibration::Rate;
use crate::config;

/// The interface as components import it.
pub const VERSIONED_INTERFACE: &str = "quartet:language-model/chat@0.7.0";

/// The language model that components may ask.
pub struct LanguageModel {
    provider: Provider,
    metrics: LlmMetrics,
}

enum Provider {
    Off,
    Local(Arc<Local>),
    Remote(Arc<Remote>),
}

impl LanguageModel {
    /// The configured provider. The built-in engine holds what it was told for as long as values are `kept`.
    ///
    /// # Errors
    /// When the remote server's key cannot be read or its address not be used.
    pub fn new(config: &config::Language, kept: Duration, metrics: LlmMetrics) -> anyhow::Result<Self> {
        let provider = match config {
            config::Language::Off => Provider::Off,
            config::Language::Local(local) => Provider::Local(Local::new(local.clone(), kept, metrics.clone())),
            config::Language::Remote(remote) => Provider::Remote(Arc::new(Remote::new(remote.clone())?)),
        };
        Ok(Self { provider, metrics })
    }

    /// The model that the built-in engine lacks, if it is configured.
    pub fn missing(&self) -> Option<String> {
        match &self.provider {
            Provider::Local(local) => local.missing(),
            Provider::Off | Provider::Remote(_) => None,
        }
    }

    /// Holds nothing any more of what a client has asked. A remote server keeps what it keeps.
    pub fn forget(&self, client: Client) {
        if let Provider::Local(local) = &self.provider {
            local.forget(client);
        }
    }

    /// The name of the model that answers, if there is one.
    pub fn model_name(&self) -> Option<String> {
        self.info().ok().map(|model| model.name)
    }

    /// Describes the provider to the operator.
    pub fn describe(&self) -> String {
        match &self.provider {
            Provider::Off => "off".to_owned(),
            Provider::Local(local) => local.describe(),
            Provider::Remote(remote) => remote.describe(),
        }
    }

    /// Loads the model if the settings ask for it at the start, and unloads it when it is idle for long. Ends with
    /// the runtime.
    pub async fn look_after(self: Arc<Self>) {
        if let Provider::Local(local) = &self.provider {
            local.look_after().await;
        }
    }

    /// Changes whenever the built-in engine loaded a model, to a number of that; none where nothing is to be asked of it then.
    pub fn loads(&self) -> Option<watch::Receiver<u64>> {
        match &self.provider {
            Provider::Local(local) => local.loads(),
            Provider::Off | Provider::Remote(_) => None,
        }
    }

    /// Returns true if the built-in engine has its model loaded.
    pub fn is_loaded(&self) -> bool {
        match &self.provider {
            Provider::Local(local) => local.is_loaded(),
            Provider::Off | Provider::Remote(_) => false,
        }
    }

    /// Notes that a model that was loaded was asked all that the host asks it for everybody.
    pub fn warmed_up(&self, load: u64) {
        if let Provider::Local(local) = &self.provider {
            local.warmed_up(load);
        }
    }

    fn info(&self) -> Result<Model, Error> {
        match &self.provider {
            Provider::Off => Err(Error::MissingModel("no language model is configured".to_owned())),
            Provider::Local(local) => local.info(),
            Provider::Remote(remote) => Ok(remote.info()),
        }
    }

    /// Has the model read turns ahead; see `wit/language-model.wit`.
    async fn prepare(&self, turns: Vec<Turn>, user: User) -> Result<Option<PromptSize>, Error> {
        let model = self.info()?;
        ask::check(&turns, &Options::default(), model.sees)?;
        Ok(match &self.provider {
            Provider::Local(local) => local.prepare(turns, user).await,
            // A server is told nothing that nobody asks it.
            Provider::Off | Provider::Remote(_) => None,
        })
    }

    fn generate(&self, turns: Vec<Turn>, options: Options, user: User, visit: &Visit) -> Result<Answer, Error> {
        let begun = self.info().and_then(|model| {
            ask::check(&turns, &options, model.sees)?;
            match &self.provider {
                Provider::Off => Err(Error::MissingModel("no language model is configured".to_owned())),
                Provider::Local(local) => local.generate(turns, options, user, Some(visit.number(local))),
                Provider::Remote(remote) => remote.generate(turns, options, &self.metrics),
            }
        });
        begun.inspect_err(|error| self.metrics.refused(answer::word(error)))
    }
}

/// A sandbox's permission to use the language model.
#[derive(Clone)]
pub struct Grant {
    /// The provider with its metrics.
    pub language: Arc<LanguageModel>,
    /// The price of a second of its computation.
    pub rate: Rate,
    /// The client that it is asked for.
    pub user: User,
    /// The request that asks.
    pub visit: Arc<Visit>,
}

/// A sandbox that may ask the language model.
pub trait LlmView: WasiView {
    /// The permission to use the language model, if it has one.
    fn language(&self) -> Option<&Grant>;
}

/// Makes the interface known to a linker.
///
/// # Errors
/// When it is known to it already.
pub fn add_to_linker<T: LlmView + Send + 'static>(linker: &mut Linker<T>) -> wasmtime::Result<()> {
    let mut instance = linker.instance(VERSIONED_INTERFACE)?;
    instance.resource("generation", ResourceType::host::<Answer>(), |mut store, handle| {
        let handle = Resource::<Answer>::new_own(handle);
        store.data_mut().ctx().table.delete(handle)?;
        Ok(())
    })?;
    instance.func_wrap("info", |store: StoreContextMut<'_, T>, (): ()| {
        Ok((language(&store).and_then(|language| language.info()),))
    })?;
    instance.func_wrap(
        "generate",
        |mut store: StoreContextMut<'_, T>, (turns, options): (Vec<Turn>, Options)| {
            let begun = granted(&store).and_then(|grant| {
                let Grant {
                    language, user, visit, ..
                } = grant;
                language.generate(turns, options, *user, visit)
            });
            Ok((match begun {
                Ok(answer) => Ok(store.data_mut().ctx().table.push(answer)?),
                Err(error) => Err(error),
            },))
        },
    )?;
    instance.func_wrap_async("prepare", |store: StoreContextMut<'_, T>, (turns,): (Vec<Turn>,)| {
        let user = store.data().language().and_then(|grant| grant.user);
        let language = language(&store);
        Box::new(async move {
            Ok((match language {
                Ok(language) => language.prepare(turns, user).await,
                Err(error) => Err(error),
            },))
        })
    })?;
    instance.func_wrap_async(
        "[method]generation.next",
        |mut store: StoreContextMut<'_, T>, (answer,): (Resource<Answer>,)| {
            Box::new(async move {
                let (piece, busy) = store.data_mut().ctx().table.get_mut(&answer)?.next().await;
                if busy > Duration::ZERO
                    && let Some(grant) = store.data().language().cloned()
                {
                    charge(&mut store, grant.rate.budget(busy))?;
                }
                Ok((piece,))
            })
        },
    )?;
    instance.func_wrap(
        "[method]generation.outcome",
        |mut store: StoreContextMut<'_, T>, (answer,): (Resource<Answer>,)| {
            let outcome: Option<Outcome> = store.data_mut().ctx().table.get(&answer)?.outcome();
            Ok((outcome,))
        },
    )?;
    instance.func_wrap(
        "[method]generation.tokens",
        |mut store: StoreContextMut<'_, T>, (answer,): (Resource<Answer>,)| {
            let tokens: Vec<Token> = store.data_mut().ctx().table.get(&answer)?.tokens().to_vec();
            Ok((tokens,))
        },
    )
}

fn language<T: LlmView>(store: &StoreContextMut<'_, T>) -> Result<Arc<LanguageModel>, Error> {
    granted(store).map(|grant| Arc::clone(&grant.language))
}

fn granted<'a, T: LlmView>(store: &'a StoreContextMut<'_, T>) -> Result<&'a Grant, Error> {
    let grant = store.data().language();
    grant.ok_or_else(|| Error::MissingModel("this component has no leave to ask one".to_owned()))
}
