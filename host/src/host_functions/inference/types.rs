//! The interface's types, as `wit/inference.wit` has them, and what they are in the engine. Elements are moved, not
//! copied: they are copied once on their way between a sandbox and the engine.

use quartet_inference as engine;
use quartet_inference::GraphError;
use wasmtime::component::{ComponentType, Lift, Lower};

/// Elements of a tensor.
#[derive(ComponentType, Lift, Lower)]
#[component(variant)]
pub enum Data {
    #[component(name = "f32")]
    F32(Vec<f32>),
    #[component(name = "i64")]
    I64(Vec<i64>),
    #[component(name = "i32")]
    I32(Vec<i32>),
    #[component(name = "u8")]
    U8(Vec<u8>),
    #[component(name = "i8")]
    I8(Vec<i8>),
}

/// A tensor.
#[derive(ComponentType, Lift, Lower)]
#[component(record)]
pub struct Tensor {
    shape: Vec<u32>,
    data: Data,
}

/// A tensor with its name.
#[derive(ComponentType, Lift, Lower)]
#[component(record)]
pub struct NamedTensor {
    name: String,
    tensor: Tensor,
}

/// The reason why there is no answer.
#[derive(ComponentType, Lift, Lower)]
#[component(variant)]
pub enum Error {
    #[component(name = "unknown-graph")]
    UnknownGraph(String),
    #[component(name = "missing-model")]
    MissingModel(String),
    #[component(name = "invalid-input")]
    InvalidInput(String),
    #[component(name = "too-large")]
    TooLarge(String),
    #[component(name = "failed")]
    Failed(String),
}

impl TryFrom<NamedTensor> for engine::NamedTensor {
    type Error = Error;

    fn try_from(NamedTensor { name, tensor }: NamedTensor) -> Result<Self, Error> {
        let shape: Vec<_> = tensor.shape.into_iter().map(|size| size as usize).collect();
        let data = match tensor.data {
            Data::F32(elements) => engine::Data::F32(elements),
            Data::I64(elements) => engine::Data::I64(elements),
            Data::I32(elements) => engine::Data::I32(elements),
            Data::U8(elements) => engine::Data::U8(elements),
            Data::I8(elements) => engine::Data::I8(elements),
        };
        match engine::Tensor::new(shape, data) {
            Ok(tensor) => Ok(Self { name, tensor }),
            Err(error) => Err(Error::InvalidInput(format!("the input `{name}`: {error}"))),
        }
    }
}

impl TryFrom<engine::NamedTensor> for NamedTensor {
    type Error = Error;

    fn try_from(engine::NamedTensor { name, tensor }: engine::NamedTensor) -> Result<Self, Error> {
        let (shape, data) = tensor.into_parts();
        let data = match data {
            engine::Data::F32(elements) => Data::F32(elements),
            engine::Data::I64(elements) => Data::I64(elements),
            engine::Data::I32(elements) => Data::I32(elements),
            engine::Data::U8(elements) => Data::U8(elements),
            engine::Data::I8(elements) => Data::I8(elements),
        };
        let shape = shape.into_iter().map(u32::try_from).collect::<Result<_, _>>();
        let shape = shape.map_err(|_| Error::TooLarge(format!("a dimension of the output `{name}`")))?;
        Ok(Self {
            name,
            tensor: Tensor { shape, data },
        })
    }
}

impl From<GraphError> for Error {
    fn from(error: GraphError) -> Self {
        match error {
            GraphError::Unknown(graph) => Self::UnknownGraph(graph),
            // Where the file should be is for the log: a component has no use for paths of this machine.
            GraphError::Missing { graph, .. } => Self::MissingModel(graph),
            GraphError::InvalidInput(what) => Self::InvalidInput(what),
            GraphError::TooLarge(what) => Self::TooLarge(what),
            GraphError::Failed(what) => Self::Failed(what),
            GraphError::OutOfBudget => Self::Failed(error.to_string()),
        }
    }
}
