//! Graphs that the component's host computes, or another component that it is composed with.

use crate::graphs::{GraphError, Graphs};
use crate::tensor::{Data, NamedTensor, Tensor};

/// Bindings to the world `inference-client` in `wit/`.
#[allow(missing_docs, reason = "generated from wit/, where the documentation is")]
mod bindings {
    wit_bindgen::generate!({ path: "../../wit", world: "inference-client", generate_all });
}

use bindings::quartet::inference::graphs as wit;

/// Asks whoever provides `quartet:inference/graphs`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Imported;

impl Graphs for Imported {
    fn run(&self, graph: &str, inputs: Vec<NamedTensor>, outputs: &[&str]) -> Result<Vec<NamedTensor>, GraphError> {
        let inputs = inputs.into_iter().map(lower).collect::<Result<Vec<_>, _>>()?;
        let outputs: Vec<_> = outputs.iter().map(|output| (*output).to_owned()).collect();
        let outputs = wit::run(graph, &inputs, &outputs).map_err(|error| match error {
            wit::Error::UnknownGraph(graph) => GraphError::Unknown(graph),
            wit::Error::MissingModel(graph) => GraphError::Missing {
                graph,
                reason: "the provider does not have it".to_owned(),
            },
            wit::Error::InvalidInput(what) => GraphError::InvalidInput(what),
            wit::Error::TooLarge(what) => GraphError::TooLarge(what),
            wit::Error::Failed(what) => GraphError::Failed(what),
        })?;
        outputs.into_iter().map(lift).collect()
    }
}

fn lower(NamedTensor { name, tensor }: NamedTensor) -> Result<wit::NamedTensor, GraphError> {
    let (shape, data) = tensor.into_parts();
    let shape = shape.into_iter().map(u32::try_from).collect::<Result<_, _>>();
    let data = match data {
        Data::F32(elements) => wit::Data::F32(elements),
        Data::I64(elements) => wit::Data::I64(elements),
        Data::I32(elements) => wit::Data::I32(elements),
        Data::U8(elements) => wit::Data::U8(elements),
        Data::I8(elements) => wit::Data::I8(elements),
    };
    let shape = shape.map_err(|_| GraphError::TooLarge(format!("a dimension of the input `{name}`")))?;
    Ok(wit::NamedTensor {
        name,
        tensor: wit::Tensor { shape, data },
    })
}

fn lift(wit::NamedTensor { name, tensor }: wit::NamedTensor) -> Result<NamedTensor, GraphError> {
    let shape: Vec<_> = tensor.shape.into_iter().map(|size| size as usize).collect();
    let data = match tensor.data {
        wit::Data::F32(elements) => Data::F32(elements),
        wit::Data::I64(elements) => Data::I64(elements),
        wit::Data::I32(elements) => Data::I32(elements),
        wit::Data::U8(elements) => Data::U8(elements),
        wit::Data::I8(elements) => Data::I8(elements),
    };
    let tensor =
        Tensor::new(shape, data).map_err(|error| GraphError::Failed(format!("the output `{name}`: {error}")))?;
    Ok(NamedTensor::new(name, tensor))
}
