//! Graphs for components: computed by the host, and by the engine as a component that is composed in. The answers must be the
//! same, and what may not or cannot be computed must be said.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use quartet_host::config::{Limits, Search};
use quartet_host::host_functions::inference::Inference;
use quartet_host::host_functions::llm::LanguageModel;
use quartet_host::host_functions::llm::metrics::LlmMetrics;
use quartet_host::runtime::Runtime;
use quartet_host::runtime::output::GuestOutput;
use quartet_host::runtime::sandbox::Sandbox;
use quartet_inference::engine::{Catalog, Engine};
use wasmtime::component::Component;
use wasmtime::{Store, Trap};

/// The smallest of the models, and what it takes: two lines of text, 48 high and 192 wide.
const GRAPH: &str = "ocr-orientation";
const INPUT: &str = "x";
const SHAPE: [u32; 4] = [2, 3, 48, 192];

/// Outputs with their names and shapes, or an error in words.
type Answer = Result<Vec<(String, Vec<u32>, Vec<f32>)>, String>;

/// A path that `cargo xtask test` names.
fn given(variable: &str) -> PathBuf {
    let path = std::env::var_os(variable).unwrap_or_else(|| panic!("run by `cargo xtask test`, which sets {variable}"));
    PathBuf::from(path)
}

/// A runtime that computes the graph out of a folder.
fn runtime(folder: &Path) -> Runtime {
    let limits = Limits::default();
    let engine = Engine::new(Catalog::of_folder(folder, [GRAPH])).with_threads(1);
    let metrics = LlmMetrics::new().expect("the names are right");
    let language = LanguageModel::new(
        &quartet_host::config::Language::Off,
        std::time::Duration::from_secs(1),
        metrics,
    )
    .expect("there is nothing to read");
    let handle = tokio::runtime::Handle::current();
    let inference = Inference::new(engine);
    Runtime::new(&limits, handle, inference, language, &Search::default()).expect("a runtime")
}

/// Has a component ask for a graph, of those that it is granted.
async fn ask(
    runtime: &Runtime,
    component: &Path,
    granted: &[&str],
    (input, shape): (&str, &[u32]),
    fuel: u64,
) -> wasmtime::Result<Answer> {
    let component = Component::from_file(&runtime.engine, component).expect("a component");
    let sandbox = Sandbox::new(
        runtime.memory_bytes,
        &GuestOutput::default(),
        Arc::clone(&runtime.sender),
        &[],
    )
    .with_graphs(runtime.inference.grant(
        granted.iter().map(|graph| (*graph).to_owned()).collect(),
        runtime.rate,
        None,
        Arc::default(),
    ));
    let mut store = Store::new(&runtime.engine, sandbox);
    store.limiter(|sandbox| &mut sandbox.memory);
    store.set_fuel(fuel).expect("fuel is on");
    let instance = runtime
        .linker
        .instantiate_async(&mut store, &component)
        .await
        .expect("it links");
    let probe = instance
        .get_typed_func::<(String, String, Vec<u32>), (Answer,)>(&mut store, "probe")
        .expect("the probe's function");
    let asked = (GRAPH.to_owned(), input.to_owned(), shape.to_vec());
    Ok(probe.call_async(&mut store, asked).await?.0)
}

/// Enough for everything.
const PLENTY: u64 = u64::MAX / 2;

#[tokio::test]
async fn both_providers_give_the_same() {
    let runtime = runtime(&given("QUARTET_MODELS"));
    let native = ask(&runtime, &given("QUARTET_PROBE"), &[GRAPH], (INPUT, &SHAPE), PLENTY).await;
    let composed = ask(&runtime, &given("QUARTET_PROBE_COMPOSED"), &[], (INPUT, &SHAPE), PLENTY).await;
    let (native, composed) = (native.expect("no trap"), composed.expect("no trap"));
    let (native, composed) = (native.expect("an answer"), composed.expect("an answer"));
    assert_eq!(native.len(), composed.len());
    for ((name, shape, elements), (other_name, other_shape, others)) in native.iter().zip(&composed) {
        assert_eq!((name, shape), (other_name, other_shape));
        assert_eq!(shape[0], SHAPE[0]);
        for (element, other) in elements.iter().zip(others) {
            assert!((element - other).abs() < 1e-4, "{name}: {element} and {other}");
        }
        // Probabilities of lying and standing, of each line.
        for line in elements.as_chunks::<2>().0 {
            assert!((line[0] + line[1] - 1.0).abs() < 1e-3, "{line:?}");
        }
    }
}

#[tokio::test]
async fn only_what_is_granted() {
    let runtime = runtime(&given("QUARTET_MODELS"));
    let answer = ask(&runtime, &given("QUARTET_PROBE"), &[], (INPUT, &SHAPE), PLENTY).await;
    let error = answer.expect("no trap").expect_err("not granted");
    assert!(error.contains("no graph called"), "{error}");
}

#[tokio::test]
async fn a_missing_model_is_named() {
    let runtime = runtime(Path::new("/nowhere"));
    assert_eq!(runtime.inference.missing(), [GRAPH]);
    let answer = ask(&runtime, &given("QUARTET_PROBE"), &[GRAPH], (INPUT, &SHAPE), PLENTY).await;
    let error = answer.expect("no trap").expect_err("there is no file");
    assert!(error.contains(GRAPH) && error.contains("missing"), "{error}");
    // Where files are is nothing for components.
    assert!(!error.contains("/nowhere"), "{error}");
}

#[tokio::test]
async fn wrong_tensors_are_refused_by_both() {
    let runtime = runtime(&given("QUARTET_MODELS"));
    for (component, granted) in [("QUARTET_PROBE", &[GRAPH][..]), ("QUARTET_PROBE_COMPOSED", &[])] {
        for (asked, word) in [
            (("picture", &SHAPE[..]), "no input `picture`"),
            ((INPUT, &[1, 4, 48, 192][..]), "[1, 4, 48, 192]"),
        ] {
            let answer = ask(&runtime, &given(component), granted, asked, PLENTY).await;
            let error = answer.expect("no trap").expect_err("wrong");
            assert!(error.contains(word), "{error}");
        }
    }
}

#[tokio::test]
async fn computing_natively_costs_fuel() {
    let runtime = runtime(&given("QUARTET_MODELS"));
    // Making the input costs the sandbox far less than this, and computing the graph far more.
    let fuel = 20 * SHAPE.iter().map(|size| u64::from(*size)).product::<u64>();
    let probe = given("QUARTET_PROBE");
    let refused = ask(&runtime, &probe, &[], (INPUT, &SHAPE), fuel).await;
    assert!(refused.expect("the input alone is no trap").is_err());
    let error = ask(&runtime, &probe, &[GRAPH], (INPUT, &SHAPE), fuel).await;
    let error = error.expect_err("the graph is too much");
    assert!(matches!(error.downcast_ref(), Some(Trap::OutOfFuel)), "{error:?}");
}
