//! One run: check the inputs against what the graph declares, compute, and take the outputs.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rten::{DataType, Dimension, Model, NodeId, RunErrorKind, RunOptions, Value, ValueOrView, ValueType};
use rten_tensor::Layout as _;

use crate::graphs::GraphError;
use crate::tensor::{Data, NamedTensor, Tensor};

/// Computes `outputs` of `model`, or all that it has.
pub fn run(
    graph: &str,
    model: &Model,
    inputs: Vec<NamedTensor>,
    outputs: &[&str],
    options: RunOptions,
) -> Result<Vec<NamedTensor>, GraphError> {
    let wanted = wanted(graph, model, outputs)?;
    let values = bind(graph, model, inputs)?;
    let ids: Vec<_> = wanted.iter().map(|(id, _)| *id).collect();
    // Operators check their inputs, but a panic in one of them must not take the others' requests along.
    let ran = catch_unwind(AssertUnwindSafe(|| model.run(values, &ids, Some(options))))
        .map_err(|_| GraphError::Failed(format!("an operator of `{graph}` panicked")))?;
    let values = ran.map_err(|error| match error.kind() {
        // The shapes of some dimensions are known only to the operators.
        RunErrorKind::OperatorError => GraphError::InvalidInput(format!("`{graph}` cannot compute it: {error}")),
        _ => GraphError::Failed(format!("`{graph}`: {error}")),
    })?;
    wanted
        .into_iter()
        .zip(values)
        .map(|((_, name), value)| Ok(NamedTensor::new(name, tensor(graph, value)?)))
        .collect()
}

/// The ids and names of the outputs that are asked for.
fn wanted(graph: &str, model: &Model, outputs: &[&str]) -> Result<Vec<(NodeId, String)>, GraphError> {
    let declared: Vec<_> = model.output_ids().iter().map(|id| (*id, name(model, *id))).collect();
    if outputs.is_empty() {
        return Ok(declared);
    }
    let find = |output: &&str| {
        declared
            .iter()
            .find(|(_, name)| name == output)
            .cloned()
            .ok_or_else(|| {
                GraphError::InvalidInput(format!(
                    "`{graph}` has no output `{output}`; it has {}",
                    list(declared.iter().map(|(_, name)| name.as_str()))
                ))
            })
    };
    outputs.iter().map(find).collect()
}

/// Checks that the inputs are exactly the declared ones, with their types and fixed dimensions.
fn bind(
    graph: &str,
    model: &Model,
    inputs: Vec<NamedTensor>,
) -> Result<Vec<(NodeId, ValueOrView<'static>)>, GraphError> {
    let declared: Vec<_> = model.input_ids().iter().map(|id| (*id, name(model, *id))).collect();
    let given = inputs.len();
    let mut values: Vec<(NodeId, ValueOrView<'static>)> = Vec::with_capacity(given);
    for NamedTensor { name, tensor } in inputs {
        let Some((id, _)) = declared.iter().find(|(_, declared)| *declared == name) else {
            return Err(GraphError::InvalidInput(format!(
                "`{graph}` has no input `{name}`; it has {}",
                list(declared.iter().map(|(_, name)| name.as_str()))
            )));
        };
        if values.iter().any(|(bound, _)| bound == id) {
            return Err(GraphError::InvalidInput(format!(
                "the input `{name}` of `{graph}` is given twice"
            )));
        }
        let info = model.node_info(*id);
        if let Some(shape) = info.as_ref().and_then(rten::NodeInfo::shape) {
            check_shape(graph, &name, &shape, tensor.shape())?;
        }
        let value = value(graph, &name, tensor)?;
        if let Some(dtype) = info.and_then(|info| info.dtype())
            && dtype != value.dtype()
        {
            return Err(GraphError::InvalidInput(format!(
                "the input `{name}` of `{graph}` takes {}, not {}",
                type_name(dtype),
                type_name(value.dtype())
            )));
        }
        values.push((*id, value.into()));
    }
    if values.len() < declared.len() {
        let missing = declared
            .iter()
            .filter(|(id, _)| !values.iter().any(|(bound, _)| bound == id));
        return Err(GraphError::InvalidInput(format!(
            "`{graph}` also takes {}",
            list(missing.map(|(_, name)| name.as_str()))
        )));
    }
    Ok(values)
}

fn check_shape(graph: &str, name: &str, declared: &[Dimension], given: &[usize]) -> Result<(), GraphError> {
    let fits = declared.len() == given.len()
        && declared.iter().zip(given).all(|(declared, given)| match declared {
            Dimension::Fixed(size) => size == given,
            Dimension::Symbolic(_) => true,
        });
    if fits {
        return Ok(());
    }
    let sizes = declared.iter().map(|dimension| match dimension {
        Dimension::Fixed(size) => size.to_string(),
        Dimension::Symbolic(_) => "any".to_owned(),
    });
    Err(GraphError::InvalidInput(format!(
        "the input `{name}` of `{graph}` takes the shape [{}], not {given:?}",
        sizes.collect::<Vec<_>>().join(", ")
    )))
}

/// The engine's value of a tensor, without a copy but for 64-bit integers, which the engine does not have.
fn value(graph: &str, name: &str, tensor: Tensor) -> Result<Value, GraphError> {
    let (shape, data) = tensor.into_parts();
    let narrow = |elements: Vec<i64>| {
        let elements: Result<Vec<_>, _> = elements.into_iter().map(i32::try_from).collect();
        elements.map_err(|_| {
            GraphError::InvalidInput(format!(
                "the input `{name}` of `{graph}` has integers of more than 32 bits"
            ))
        })
    };
    let value = match data {
        Data::F32(elements) => Value::from_shape(shape, elements).ok(),
        Data::I64(elements) => Value::from_shape(shape, narrow(elements)?).ok(),
        Data::I32(elements) => Value::from_shape(shape, elements).ok(),
        Data::U8(elements) => Value::from_shape(shape, elements).ok(),
        Data::I8(elements) => Value::from_shape(shape, elements).ok(),
    };
    value.ok_or_else(|| {
        GraphError::InvalidInput(format!("the input `{name}` of `{graph}` is not as large as its shape"))
    })
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

fn name(model: &Model, id: NodeId) -> String {
    let info = model.node_info(id);
    info.and_then(|info| info.name().map(str::to_owned)).unwrap_or_default()
}

fn type_name(dtype: ValueType) -> &'static str {
    match dtype {
        ValueType::Tensor(DataType::Float) => "f32",
        ValueType::Tensor(DataType::Int32) => "i32 or i64",
        ValueType::Tensor(DataType::UInt8) => "u8",
        ValueType::Tensor(DataType::Int8) => "i8",
        _ => "no tensor",
    }
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
