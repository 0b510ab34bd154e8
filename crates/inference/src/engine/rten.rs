//! Graphs computed by `rten`, an engine in Rust, which also runs inside WebAssembly.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rten::{
    DataType, Dimension, Model, ModelOptions, NodeId, RunErrorKind, RunOptions, ThreadPool, Value, ValueOrView,
    ValueType,
};
use rten_tensor::Layout as _;

use super::catalog::Source;
use super::signature::{Element, Input, Signature};
use crate::graphs::GraphError;
use crate::tensor::{Data, ElementType, Tensor};

/// Reads a graph and makes it ready.
pub fn open(name: &str, source: &Source) -> Result<(Signature, Model), GraphError> {
    let options = ModelOptions::with_all_ops();
    let loaded = match source {
        #[cfg(not(target_family = "wasm"))]
        Source::File(_) => options.load(source.read(name)?.into_owned()),
        Source::Bytes(bytes) => options.load_static_slice(bytes),
    };
    let model =
        loaded.map_err(|error| GraphError::Failed(format!("`{name}` is no graph that can be computed: {error}")))?;
    Ok((signature(&model), model))
}

/// Computes the outputs of these indices.
pub fn run(
    graph: &str,
    model: &Model,
    inputs: Vec<(usize, Tensor)>,
    wanted: &[usize],
    threads: Option<Arc<ThreadPool>>,
) -> Result<Vec<Tensor>, GraphError> {
    let options = RunOptions::default().with_thread_pool(threads);
    let mut values: Vec<(NodeId, ValueOrView<'static>)> = Vec::with_capacity(inputs.len());
    for (index, tensor) in inputs {
        let value = value(tensor)
            .ok_or_else(|| GraphError::InvalidInput(format!("an input of `{graph}` is not as large as its shape")))?;
        values.push((model.input_ids()[index], value.into()));
    }
    let ids: Vec<_> = wanted.iter().map(|index| model.output_ids()[*index]).collect();
    // Operators check their inputs, but a panic in one of them must not take the others' requests along.
    let ran = catch_unwind(AssertUnwindSafe(|| model.run(values, &ids, Some(options))))
        .map_err(|_| GraphError::Failed(format!("an operator of `{graph}` panicked")))?;
    let values = ran.map_err(|error| match error.kind() {
        // The shapes of some dimensions are known only to the operators.
        RunErrorKind::OperatorError => GraphError::InvalidInput(format!("`{graph}` cannot compute it: {error}")),
        _ => GraphError::Failed(format!("`{graph}`: {error}")),
    })?;
    values.into_iter().map(|value| tensor(graph, value)).collect()
}

fn signature(model: &Model) -> Signature {
    let name = |id: NodeId| {
        let info = model.node_info(id);
        info.and_then(|info| info.name().map(str::to_owned)).unwrap_or_default()
    };
    let input = |id: &NodeId| {
        let info = model.node_info(*id);
        let shape = info.as_ref().and_then(rten::NodeInfo::shape).map(|shape| {
            let sizes = shape.iter().map(|dimension| match dimension {
                Dimension::Fixed(size) => Some(*size),
                Dimension::Symbolic(_) => None,
            });
            sizes.collect()
        });
        Input {
            name: name(*id),
            element: info.and_then(|info| info.dtype()).map(element),
            shape,
        }
    };
    Signature {
        inputs: model.input_ids().iter().map(input).collect(),
        outputs: model.output_ids().iter().map(|id| name(*id)).collect(),
    }
}

const fn element(dtype: ValueType) -> Element {
    match dtype {
        ValueType::Tensor(DataType::Float) => Element::Known(ElementType::F32),
        ValueType::Tensor(DataType::Int32) => Element::Known(ElementType::I32),
        ValueType::Tensor(DataType::UInt8) => Element::Known(ElementType::U8),
        ValueType::Tensor(DataType::Int8) => Element::Known(ElementType::I8),
        _ => Element::Other,
    }
}

/// The engine's value of a tensor, without a copy but for 64-bit integers, which the engine does not have and which were
/// found to fit into 32 bits.
fn value(tensor: Tensor) -> Option<Value> {
    let (shape, data) = tensor.into_parts();
    match data {
        Data::F32(elements) => Value::from_shape(shape, elements).ok(),
        Data::I64(elements) => {
            let narrow: Vec<i32> = elements.into_iter().map(|element| element as i32).collect();
            Value::from_shape(shape, narrow).ok()
        }
        Data::I32(elements) => Value::from_shape(shape, elements).ok(),
        Data::U8(elements) => Value::from_shape(shape, elements).ok(),
        Data::I8(elements) => Value::from_shape(shape, elements).ok(),
    }
}

/// A tensor of the engine's value.
fn tensor(graph: &str, value: Value) -> Result<Tensor, GraphError> {
    let (shape, data) = match value {
        Value::FloatTensor(tensor) => (tensor.shape().to_vec(), Data::F32(tensor.into_data())),
        Value::Int32Tensor(tensor) => (tensor.shape().to_vec(), Data::I32(tensor.into_data())),
        Value::UInt8Tensor(tensor) => (tensor.shape().to_vec(), Data::U8(tensor.into_data())),
        Value::Int8Tensor(tensor) => (tensor.shape().to_vec(), Data::I8(tensor.into_data())),
        _ => return Err(GraphError::Failed(format!("an output of `{graph}` is no tensor"))),
    };
    Tensor::new(shape, data).map_err(|error| GraphError::Failed(format!("an output of `{graph}`: {error}")))
}
