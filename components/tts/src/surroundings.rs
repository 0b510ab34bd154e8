//! Requests of the component to its host: graphs, and a clock that only runs. Natively there are no graphs.

#[cfg(target_arch = "wasm32")]
pub use quartet_component_sdk::system::Stopwatch;
#[cfg(target_arch = "wasm32")]
pub use quartet_inference::import::Imported as HostGraphs;

#[cfg(not(target_arch = "wasm32"))]
pub use native::{HostGraphs, Stopwatch};

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::time::{Duration, Instant};

    use quartet_inference::{GraphError, Graphs, NamedTensor};

    /// No graphs.
    #[derive(Debug, Clone, Copy, Default)]
    pub struct HostGraphs;

    impl Graphs for HostGraphs {
        fn run(&self, graph: &str, _: Vec<NamedTensor>, _: &[&str]) -> Result<Vec<NamedTensor>, GraphError> {
            Err(GraphError::Unknown(graph.to_owned()))
        }
    }

    /// Measures time.
    #[derive(Debug, Clone, Copy)]
    pub struct Stopwatch(Instant);

    impl Stopwatch {
        /// Starts measuring.
        #[must_use]
        pub fn start() -> Self {
            Self(Instant::now())
        }

        /// Time since the start.
        #[must_use]
        pub fn elapsed(&self) -> Duration {
            self.0.elapsed()
        }
    }
}
