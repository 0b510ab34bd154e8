//! The runtime of components: the wasmtime engine, the linker, and the threads for guests.
//!
//! Guests have threads of their own, apart from those that accept, read, write and keep time: a guest that computes
//! gives its thread back only every [`YIELD_TIME`], and nothing else may wait for that.

pub mod body;
pub mod cache;
pub mod compile;
pub mod guest;
pub mod memory;
pub mod output;
pub mod run;
pub mod sandbox;
mod swap;
pub mod usage;

use std::sync::Arc;
use std::time::Duration;

use wasmtime::component::Linker;
use wasmtime::{Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig};

use self::sandbox::Sandbox;
use crate::calibration::Rate;
use crate::capabilities::Capability;
use crate::capabilities::grant::Environment;
use crate::config::{Limits, Search, Unavailable};
use crate::host_functions::edge;
use crate::host_functions::inference::{self, Inference};
use crate::host_functions::keyvalue::{self, Kept, KeyValue, SharedValues};
use crate::host_functions::llm::{self, LanguageModel};
use crate::host_functions::send::{Bounds, Sender, system_resolver};
use crate::shared::SharedState;

/// Computation between two points at which a guest lets others run, which is also the most that a request may compute
/// on its connection's thread. Several times what a light request needs. Between 80 us and 10 ms the time that long
/// requests need is the same, so it can be as short as that.
pub const YIELD_TIME: Duration = Duration::from_micros(200);

/// Instances beside those of admitted requests: for requests whose client left and whose sandbox is being torn down.
const SPARE_INSTANCES: u32 = 8;

/// Memory of an instance that is kept for the next one and reset by copying instead of by the kernel. Pays only where
/// the kernel can say which pages were touched.
const RESIDENT_BYTES: usize = 16 * 1024 * 1024;

/// Instances without a request whose memory is kept for another one of the same version, before a new one takes the place of the
/// one that was used longest ago. Each version has its own, and without a bound those of versions that served before would stay:
/// 16 MiB each, in every place that there is.
const IDLE_INSTANCES: u32 = 16;

/// The engine and everything that all components share.
pub struct Runtime {
    /// The wasmtime engine.
    pub engine: Engine,
    /// Interfaces that components may import; those that each one does import are checked when it is loaded.
    pub linker: Linker<Sandbox>,
    /// Threads that guests run on.
    pub guests: tokio::runtime::Handle,
    /// Bytes of memory that a sandbox may have.
    pub memory_bytes: usize,
    /// Sends the requests of guests.
    pub sender: Arc<Sender>,
    /// Environment of components that may search.
    pub search: Arc<[(String, String)]>,
    /// Environment of components that may put answers into words, but for probes.
    pub phrasing: Arc<[(String, String)]>,
    /// The time until an answer is complete, as components find it in their environment.
    respond_seconds: Arc<[(String, String)]>,
    /// Speed at which guests compute here.
    pub rate: Rate,
    /// Fuel between two points at which a guest yields.
    pub yield_fuel: u64,
    /// Computes graphs for components.
    pub inference: Arc<Inference>,
    /// The language model for components.
    pub language: Arc<LanguageModel>,
    /// Values that components keep between requests.
    pub keyvalue: Arc<dyn Kept>,
    /// Those that they keep between the requests of a probe: no other replica has a part in it.
    pub probe_keyvalue: Arc<dyn Kept>,
}

impl Runtime {
    /// Builds the engine for the configured limits.
    pub fn new(
        limits: &Limits,
        guests: tokio::runtime::Handle,
        inference: Inference,
        language: LanguageModel,
        search: &Search,
    ) -> wasmtime::Result<Self> {
        let memory_bytes = limits.memory_bytes;
        let engine = engine(limits)?;
        if PoolingAllocationConfig::is_pagemap_scan_available() && !keeps_pages() {
            tracing::warn!(
                "memory of this process can be swapped, so that no pages of sandboxes are kept for the next ones and \
                 requests take a little longer; MemorySwapMax=0 or the like for the service's control group ends that"
            );
        }
        let mut linker = Linker::new(&engine);
        wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
        wasmtime_wasi_http::p2::add_only_http_to_linker_async(&mut linker)?;
        let roots = webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect();
        let sender = Sender::new(search.policy(), Bounds::default(), system_resolver, roots)?;
        let rate = Rate::measure(&engine)?;
        tracing::info!(fuel_per_second = rate.per_second(), "calibrated");
        edge::add_to_linker(&mut linker)?;
        inference::add_to_linker(&mut linker)?;
        keyvalue::add_to_linker(&mut linker)?;
        llm::add_to_linker(&mut linker)?;
        let language = Arc::new(language);
        let keyvalue = Arc::new(own_values(limits, &language));
        Ok(Self {
            engine,
            linker,
            guests,
            memory_bytes,
            sender: Arc::new(sender),
            search: search.environment().into(),
            phrasing: Arc::default(),
            respond_seconds: limits.environment().into(),
            rate,
            yield_fuel: rate.fuel_in(YIELD_TIME),
            inference: Arc::new(inference),
            language,
            probe_keyvalue: Arc::clone(&keyvalue) as _,
            keyvalue,
        })
    }

    /// The same runtime with an environment for the components of pictures and documents.
    #[must_use]
    pub fn with_phrasing(mut self, environment: Vec<(String, String)>) -> Self {
        self.phrasing = environment.into();
        self
    }

    /// The same runtime, whose components keep their values in a store that replicas share.
    #[must_use]
    pub fn with_shared(mut self, store: Arc<SharedState>, limits: &Limits, unavailable: Unavailable) -> Self {
        let own = own_values(limits, &self.language);
        self.keyvalue = Arc::new(SharedValues::new(store, own, unavailable));
        self
    }

    /// The environment of a component, for a request in which a language model may put answers into words, or one in which it
    /// may not: a probe asks for nobody, and must not wait for it.
    pub fn environment(&self, capability: &Capability, phrased: bool) -> Vec<(&str, &str)> {
        let pairs = capability.environment.iter().flat_map(|settings| match settings {
            Environment::Phrasing if !phrased => &[],
            Environment::Phrasing => &*self.phrasing,
            Environment::RespondSeconds => &*self.respond_seconds,
            Environment::Search => &*self.search,
        });
        pairs.map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }

    /// The fuel of a limit; where it is 0, the fuel that this machine burns in a time.
    pub fn fuel(&self, limit: u64, time: Duration) -> u64 {
        match limit {
            0 => self.rate.budget(time),
            fuel => fuel,
        }
    }

    /// The same runtime with other threads for guests.
    pub fn with_guests(&self, guests: tokio::runtime::Handle) -> Self {
        Self {
            engine: self.engine.clone(),
            linker: self.linker.clone(),
            guests,
            memory_bytes: self.memory_bytes,
            sender: Arc::clone(&self.sender),
            search: Arc::clone(&self.search),
            phrasing: Arc::clone(&self.phrasing),
            respond_seconds: Arc::clone(&self.respond_seconds),
            rate: self.rate,
            yield_fuel: self.yield_fuel,
            inference: Arc::clone(&self.inference),
            language: Arc::clone(&self.language),
            keyvalue: Arc::clone(&self.keyvalue),
            probe_keyvalue: Arc::clone(&self.probe_keyvalue),
        }
    }
}

/// Values in this process. The language model forgets what they were about with them.
fn own_values(limits: &Limits, language: &Arc<LanguageModel>) -> KeyValue {
    let told = Arc::clone(language);
    KeyValue::new(limits).telling(move |client| told.forget(client))
}

/// The engine for the configured limits. Code that one process compiled runs in another with the same limits.
pub fn engine(limits: &Limits) -> wasmtime::Result<Engine> {
    Engine::new(&config(limits, limits.memory_bytes))
}

/// Returns true if pages of a sandbox are kept for the next one, and only those reset that were written.
fn keeps_pages() -> bool {
    PoolingAllocationConfig::is_pagemap_scan_available() && !swap::is_possible()
}

/// An engine whose code runs on every processor of this kind with AVX2, as [`engine`] would run it: an engine takes code of
/// another one that asks for no more than its own processor has. It compiles only.
pub fn portable_engine(limits: &Limits) -> wasmtime::Result<Engine> {
    let mut config = config(limits, limits.memory_bytes);
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    {
        config.target("x86_64-unknown-linux-gnu")?;
        for feature in PORTABLE_FEATURES {
            // SAFETY: nothing that this engine compiles is run by it, and who runs it checks these flags first.
            unsafe { config.cranelift_flag_enable(feature) };
        }
    }
    Engine::new(&config)
}

/// Features of x86-64-v3, as cranelift calls those that it knows.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
const PORTABLE_FEATURES: [&str; 12] = [
    "has_sse3",
    "has_ssse3",
    "has_cmpxchg16b",
    "has_sse41",
    "has_sse42",
    "has_avx",
    "has_avx2",
    "has_fma",
    "has_popcnt",
    "has_bmi1",
    "has_bmi2",
    "has_lzcnt",
];

fn config(limits: &Limits, memory_bytes: usize) -> Config {
    let instances = u32::try_from(limits.concurrent_requests.saturating_add(limits.concurrent_streams))
        .unwrap_or(u32::MAX)
        .saturating_add(SPARE_INSTANCES);
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(instances)
        .total_core_instances(instances.saturating_mul(4))
        .total_memories(instances)
        .total_tables(instances.saturating_mul(4))
        .total_stacks(instances)
        .max_unused_warm_slots(IDLE_INSTANCES)
        .max_memory_size(memory_bytes)
        .table_elements(100_000)
        .max_core_instance_size(4 * 1024 * 1024)
        .max_component_instance_size(4 * 1024 * 1024);
    if keeps_pages() {
        pool.pagemap_scan(Enabled::Yes)
            .linear_memory_keep_resident(RESIDENT_BYTES)
            .table_keep_resident(64 * 1024);
    }
    let mut config = Config::new();
    config
        .allocation_strategy(InstanceAllocationStrategy::Pooling(pool))
        .consume_fuel(true)
        .memory_init_cow(true)
        // A snapshot of any size is mapped, never copied.
        .memory_guaranteed_dense_image_size(memory_bytes as u64)
        .wasm_relaxed_simd(true);
    config
}
