//! The engine behind `quartet:inference/graphs` as a component. It has the graphs inside and opens
//! each at its first use, in every instance anew: no snapshot is taken of it, because the engine makes hash tables when it
//! opens a graph, whose seeds a snapshot would freeze.

#[cfg(target_arch = "wasm32")]
mod component {
    use std::ffi::c_char;
    use std::ptr;
    use std::sync::OnceLock;

    use quartet_inference::engine::{Catalog, Engine, Source};
    use quartet_inference::{Data, GraphError, Graphs, NamedTensor, Tensor};

    /// Bindings to the world `inference-provider` in `wit/`.
    #[allow(missing_docs, reason = "generated from wit/, where the documentation is")]
    mod bindings {
        wit_bindgen::generate!({ path: "../../wit", world: "inference-provider", generate_all });
    }

    use bindings::exports::quartet::inference::graphs as wit;

    /// The graphs by name, as the build was told.
    const GRAPHS: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/graphs.rs"));

    static ENGINE: OnceLock<Engine> = OnceLock::new();

    fn engine() -> &'static Engine {
        ENGINE.get_or_init(|| {
            let graphs = GRAPHS
                .iter()
                .map(|(name, bytes)| ((*name).to_owned(), Source::Bytes(bytes)));
            // There are no threads in a component.
            Engine::new(graphs.collect::<Catalog>()).with_threads(1)
        })
    }

    /// The engine and its threads look for settings in the environment. There is none, and so the component does
    /// not import it.
    #[unsafe(no_mangle)]
    extern "C" fn __wrap_getenv(_: *const c_char) -> *mut c_char {
        ptr::null_mut()
    }

    struct Component;

    impl wit::Guest for Component {
        fn run(
            graph: String,
            inputs: Vec<wit::NamedTensor>,
            outputs: Vec<String>,
        ) -> Result<Vec<wit::NamedTensor>, wit::Error> {
            let inputs = inputs.into_iter().map(lift).collect::<Result<_, _>>()?;
            let outputs: Vec<_> = outputs.iter().map(String::as_str).collect();
            let outputs = engine().run(&graph, inputs, &outputs).map_err(error)?;
            Ok(outputs.into_iter().map(lower).collect())
        }
    }

    fn lift(wit::NamedTensor { name, tensor }: wit::NamedTensor) -> Result<NamedTensor, wit::Error> {
        let shape: Vec<_> = tensor.shape.into_iter().map(|size| size as usize).collect();
        let data = match tensor.data {
            wit::Data::F32(elements) => Data::F32(elements),
            wit::Data::I64(elements) => Data::I64(elements),
            wit::Data::I32(elements) => Data::I32(elements),
            wit::Data::U8(elements) => Data::U8(elements),
            wit::Data::I8(elements) => Data::I8(elements),
        };
        match Tensor::new(shape, data) {
            Ok(tensor) => Ok(NamedTensor::new(name, tensor)),
            Err(error) => Err(wit::Error::InvalidInput(format!("the input `{name}`: {error}"))),
        }
    }

    fn lower(NamedTensor { name, tensor }: NamedTensor) -> wit::NamedTensor {
        let (shape, data) = tensor.into_parts();
        let data = match data {
            Data::F32(elements) => wit::Data::F32(elements),
            Data::I64(elements) => wit::Data::I64(elements),
            Data::I32(elements) => wit::Data::I32(elements),
            Data::U8(elements) => wit::Data::U8(elements),
            Data::I8(elements) => wit::Data::I8(elements),
        };
        // A dimension of a tensor in 32-bit memory fits into 32 bits.
        let shape = shape.into_iter().map(|size| size as u32).collect();
        wit::NamedTensor {
            name,
            tensor: wit::Tensor { shape, data },
        }
    }

    fn error(error: GraphError) -> wit::Error {
        match error {
            GraphError::Unknown(graph) => wit::Error::UnknownGraph(graph),
            GraphError::Missing { graph, .. } => wit::Error::MissingModel(graph),
            GraphError::InvalidInput(what) => wit::Error::InvalidInput(what),
            GraphError::TooLarge(what) => wit::Error::TooLarge(what),
            GraphError::Failed(what) => wit::Error::Failed(what),
            GraphError::OutOfBudget => wit::Error::Failed(error.to_string()),
        }
    }

    bindings::export!(Component with_types_in bindings);
}
