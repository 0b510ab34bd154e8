//! The state of one sandbox.

use std::sync::Arc;

use wasmtime::component::ResourceTable;
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};
use wasmtime_wasi_http::{WasiHttpCtx, WasiHttpCtxView, WasiHttpView};

use super::memory::MemoryLimiter;
use super::output::{GuestOutput, GuestOutputStream};
use crate::host_functions::inference::{self, InferenceView};
use crate::host_functions::keyvalue::{self, KeyValueView};
use crate::host_functions::llm::{self, LlmView};
use crate::host_functions::network::Network;
use crate::host_functions::send::Sender;

/// Handles that a sandbox may hold at once: streams, bodies, header lists.
const TABLE_CAPACITY: usize = 1_000;

/// The data of a store. Files, sockets and arguments are empty, and so is the environment but for conversations, which
/// learn there where they may search, and answers about pictures and documents, which learn whether to ask for a
/// model's words.
pub struct Sandbox {
    wasi: WasiCtx,
    http: WasiHttpCtx,
    table: ResourceTable,
    hooks: Network,
    /// Limits and counts the memory.
    pub memory: MemoryLimiter,
    /// The graphs that it may have computed.
    graphs: Option<inference::Grant>,
    /// The language model that it may ask.
    language: Option<llm::Grant>,
    /// The store that it may use.
    keyvalue: Option<keyvalue::Grant>,
}

impl Sandbox {
    /// A fresh sandbox which prints into `output` and sends its requests by `sender`.
    pub fn new(memory_bytes: usize, output: &GuestOutput, sender: Arc<Sender>, environment: &[(&str, &str)]) -> Self {
        let mut table = ResourceTable::new();
        table.set_max_capacity(TABLE_CAPACITY);
        let stream = GuestOutputStream(output.clone());
        Self {
            wasi: WasiCtx::builder()
                .stdout(stream.clone())
                .stderr(stream)
                .envs(environment)
                .build(),
            http: WasiHttpCtx::new(),
            table,
            hooks: Network(sender),
            memory: MemoryLimiter::new(memory_bytes),
            graphs: None,
            language: None,
            keyvalue: None,
        }
    }

    /// Lets the sandbox have graphs computed.
    #[must_use]
    pub fn with_graphs(mut self, grant: inference::Grant) -> Self {
        self.graphs = Some(grant);
        self
    }

    /// Lets the sandbox ask the language model.
    #[must_use]
    pub fn with_language(mut self, grant: llm::Grant) -> Self {
        self.language = Some(grant);
        self
    }

    /// Lets the sandbox keep values between requests.
    #[must_use]
    pub fn with_keyvalue(mut self, grant: keyvalue::Grant) -> Self {
        self.keyvalue = Some(grant);
        self
    }
}

impl KeyValueView for Sandbox {
    fn keyvalue(&mut self) -> keyvalue::View<'_> {
        keyvalue::View {
            table: &mut self.table,
            grant: self.keyvalue.clone(),
        }
    }
}

impl InferenceView for Sandbox {
    fn inference(&self) -> Option<&inference::Grant> {
        self.graphs.as_ref()
    }
}

impl LlmView for Sandbox {
    fn language(&self) -> Option<&llm::Grant> {
        self.language.as_ref()
    }
}

impl WasiView for Sandbox {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

impl WasiHttpView for Sandbox {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        WasiHttpCtxView {
            hooks: &mut self.hooks,
            table: &mut self.table,
            ctx: &mut self.http,
        }
    }
}
