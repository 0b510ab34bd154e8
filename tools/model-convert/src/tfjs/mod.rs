//! TensorFlow.js graph models: a JSON file with nodes and with the table of weights, and a file with the weights' bytes.

mod constants;
mod convert;
mod layout;

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::Value as Json;

use constants::Constant;
pub use convert::convert;

/// The JSON file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    signature: Signature,
    model_topology: Topology,
    weights_manifest: Vec<Group>,
}

#[derive(Deserialize)]
struct Signature {
    inputs: BTreeMap<String, Port>,
    outputs: BTreeMap<String, Port>,
}

/// An input or output of the whole graph.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Port {
    tensor_shape: PortShape,
}

#[derive(Deserialize)]
struct PortShape {
    dim: Vec<PortSize>,
}

#[derive(Deserialize)]
struct PortSize {
    size: String,
}

impl Port {
    /// The sizes of the dimensions, which must all be known.
    fn shape(&self) -> Result<Vec<usize>> {
        let sizes = self.tensor_shape.dim.iter().map(|dim| dim.size.parse());
        sizes
            .collect::<Result<_, _>>()
            .context("a size of an input or output is not known")
    }
}

#[derive(Deserialize)]
struct Topology {
    node: Vec<Node>,
}

/// One operation.
#[derive(Deserialize)]
struct Node {
    name: String,
    op: String,
    #[serde(default)]
    input: Vec<String>,
    #[serde(default)]
    attr: BTreeMap<String, Json>,
}

impl Node {
    /// A list of whole numbers among the parameters.
    fn integers(&self, key: &str) -> Result<Vec<i64>> {
        let list = self.attr.get(key).and_then(|attr| attr["list"]["i"].as_array());
        let list = list.with_context(|| format!("{} has no list {key}", self.name))?;
        let number = |value: &Json| {
            value
                .as_str()
                .and_then(|text| text.parse().ok())
                .or_else(|| value.as_i64())
        };
        list.iter()
            .map(|value| number(value).with_context(|| format!("{key} is no list of numbers")))
            .collect()
    }

    /// A truth among the parameters; what is not there is false.
    fn flag(&self, key: &str) -> bool {
        self.attr.get(key).and_then(|attr| attr["b"].as_bool()).unwrap_or(false)
    }

    /// A number with a fraction among the parameters.
    fn float(&self, key: &str) -> Option<f32> {
        self.attr
            .get(key)
            .and_then(|attr| attr["f"].as_f64())
            .map(|value| value as f32)
    }

    /// Returns true if a word among the parameters, which the file has in Base64, is this one.
    fn is(&self, key: &str, base64: &str) -> bool {
        self.attr
            .get(key)
            .and_then(|attr| attr["s"].as_str())
            .is_none_or(|found| found == base64)
    }
}

#[derive(Deserialize)]
struct Group {
    weights: Vec<Weight>,
}

/// One tensor of weights.
#[derive(Deserialize)]
struct Weight {
    name: String,
    shape: Vec<usize>,
    dtype: String,
    quantization: Option<Quantization>,
}

/// Quantisation of a tensor.
#[derive(Deserialize)]
struct Quantization {
    dtype: String,
}

/// Reads the weights, in the order in which their bytes lie.
fn constants(file: &File, mut bytes: &[u8]) -> Result<BTreeMap<String, Constant>> {
    let mut constants = BTreeMap::new();
    for weight in file.weights_manifest.iter().flat_map(|group| &group.weights) {
        let dtype = weight
            .quantization
            .as_ref()
            .map_or(&weight.dtype, |smaller| &smaller.dtype);
        let elements: usize = weight.shape.iter().product();
        let (constant, size) = Constant::read(dtype, weight.shape.clone(), elements, bytes)
            .with_context(|| format!("the weights {}", weight.name))?;
        bytes = &bytes[size..];
        constants.insert(weight.name.clone(), constant);
    }
    ensure!(
        bytes.is_empty(),
        "the file of the weights is {} bytes longer than its table",
        bytes.len()
    );
    Ok(constants)
}
