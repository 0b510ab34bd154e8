//! One pass over the nodes: constants are computed, transpositions and paddings are put off, the rest becomes ONNX.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail, ensure};

use super::constants::Constant;
use super::layout::{Lazy, Padding};
use super::{File, Node, constants};
use crate::onnx::{Attribute, Builder};

/// Base64 of `VALID` and of `NHWC`, as the file has words.
const VALID: &str = "VkFMSUQ=";
const CHANNELS_LAST: &str = "TkhXQw==";

/// The ONNX graph of a TensorFlow.js graph model. Inputs and outputs are called as in `names`, else as in the model.
///
/// # Errors
/// When the files are broken or have an operation that is not known here.
pub fn convert(graph: &[u8], weights: &[u8], names: &BTreeMap<String, String>) -> Result<Vec<u8>> {
    let file: File = serde_json::from_slice(graph).context("the file with the graph")?;
    let constants = constants(&file, weights)?;
    let mut conversion = Conversion {
        builder: Builder::default(),
        constants,
        values: BTreeMap::new(),
    };
    let nodes: BTreeMap<_, _> = file
        .model_topology
        .node
        .iter()
        .map(|node| (node.name.as_str(), node))
        .collect();
    let renamed = |name: &str| names.get(name).cloned().unwrap_or_else(|| name.to_owned());
    for name in names.keys() {
        ensure!(nodes.contains_key(name.as_str()), "there is no {name} to rename");
    }
    for (name, port) in &file.signature.inputs {
        let name = bare(name);
        conversion.builder.input(&renamed(name), &port.shape()?);
        conversion.values.insert(name.to_owned(), Lazy::plain(renamed(name)));
    }
    let outputs: Vec<_> = file
        .signature
        .outputs
        .iter()
        .map(|(name, port)| (bare(name), port))
        .collect();
    for node in in_order(&nodes, outputs.iter().map(|(name, _)| *name))? {
        conversion
            .node(node)
            .with_context(|| format!("{} ({})", node.name, node.op))?;
    }
    for (name, port) in outputs {
        let value = conversion.value(name)?;
        let value = conversion.materialise(&value);
        conversion
            .builder
            .node("Identity", &[&value], &renamed(name), Vec::new());
        conversion.builder.output(&renamed(name), &port.shape()?);
    }
    Ok(conversion.builder.finish("tfjs"))
}

/// A name without the number of the output, when it is the first, and without the mark of a mere dependency.
fn bare(name: &str) -> &str {
    let name = name.trim_start_matches('^');
    name.strip_suffix(":0").unwrap_or(name)
}

/// The nodes that the outputs need, each after those that it needs itself.
fn in_order<'a>(nodes: &BTreeMap<&str, &'a Node>, outputs: impl Iterator<Item = &'a str>) -> Result<Vec<&'a Node>> {
    let mut ordered = Vec::new();
    let mut seen = BTreeSet::new();
    // Depth first without recursion; a node comes twice: to ask for its inputs, and when they are there.
    let mut waiting: Vec<(&str, bool)> = outputs.map(|name| (name, false)).collect();
    while let Some((name, ready)) = waiting.pop() {
        let node = *nodes.get(name).with_context(|| format!("there is no node {name}"))?;
        if ready {
            ordered.push(node);
        } else if seen.insert(name) {
            waiting.push((name, true));
            let inputs = node
                .input
                .iter()
                .map(|input| bare(input).split(':').next().unwrap_or_default());
            waiting.extend(inputs.map(|input| (input, false)));
        }
    }
    Ok(ordered)
}

struct Conversion {
    builder: Builder,
    constants: BTreeMap<String, Constant>,
    values: BTreeMap<String, Lazy>,
}

impl Conversion {
    fn node(&mut self, node: &Node) -> Result<()> {
        let input = |index: usize| {
            node.input
                .get(index)
                .map(|name| bare(name))
                .context("an input is missing")
        };
        let value = match node.op.as_str() {
            "Const" | "Placeholder" => return Ok(()),
            "SparseToDense" => {
                let made = Constant::sparse_to_dense(
                    self.constant(input(0)?)?,
                    self.constant(input(1)?)?,
                    self.constant(input(2)?)?,
                    self.constant(input(3)?)?,
                )?;
                self.constants.insert(node.name.clone(), made);
                return Ok(());
            }
            "Add" | "AddV2" | "BiasAdd" => match (self.constants.get(input(0)?), self.constants.get(input(1)?)) {
                (Some(one), Some(other)) => {
                    let sum = one.add(other)?;
                    self.constants.insert(node.name.clone(), sum);
                    return Ok(());
                }
                (None, Some(_)) => self.add_constant(node, input(0)?, input(1)?)?,
                (Some(_), None) => self.add_constant(node, input(1)?, input(0)?)?,
                (None, None) => self.add(node, input(0)?, input(1)?)?,
            },
            "Identity" => self.value(input(0)?)?,
            "Transpose" => {
                let order = self.constant(input(1)?)?.integers()?.iter();
                let order = order
                    .map(|dimension| usize::try_from(*dimension))
                    .collect::<Result<Vec<_>, _>>()?;
                self.value(input(0)?)?.transposed(&order)
            }
            "Pad" | "PadV2" => self.pad(node)?,
            "Relu" => self.elementwise("Relu", node, Vec::new())?,
            "Sigmoid" => self.elementwise("Sigmoid", node, Vec::new())?,
            "LeakyRelu" => {
                let slope = node.float("alpha").unwrap_or(0.2);
                self.elementwise("LeakyRelu", node, vec![Attribute::float("alpha", slope)])?
            }
            "Conv2D" => self.convolution(node)?,
            "MaxPool" => self.largest(node)?,
            "ResizeBilinear" => self.resize(node)?,
            "ConcatV2" => self.concatenation(node)?,
            "SplitV" => return self.split(node),
            "Reshape" => {
                let shape = self.constant(input(1)?)?.clone();
                let from = self.value(input(0)?)?;
                let from = self.materialise(&from);
                let shape_name = format!("{}.shape", node.name);
                self.builder.integers(&shape_name, &shape.shape, shape.integers()?);
                self.builder
                    .node("Reshape", &[&from, &shape_name], &node.name, Vec::new());
                Lazy::plain(&node.name)
            }
            _ => bail!("this operation is not known here"),
        };
        self.values.insert(node.name.clone(), value);
        Ok(())
    }

    fn constant(&self, name: &str) -> Result<&Constant> {
        self.constants
            .get(name)
            .with_context(|| format!("{name} is not known beforehand"))
    }

    fn value(&self, name: &str) -> Result<Lazy> {
        self.values
            .get(name)
            .cloned()
            .with_context(|| format!("{name} comes from nowhere"))
    }

    fn first(&self, node: &Node) -> Result<Lazy> {
        self.value(bare(node.input.first().context("there is no input")?))
    }

    /// Does the padding that was put off.
    fn padded(&mut self, value: &Lazy) -> Lazy {
        let Some(padding) = &value.padding else {
            return value.clone();
        };
        let both: Vec<_> = padding.before.iter().chain(&padding.after).copied().collect();
        let amounts = both.iter().map(ToString::to_string).collect::<Vec<_>>().join("_");
        let name = format!("{}.padded_{amounts}", value.name);
        let (amounts, filler) = (format!("{name}.amounts"), format!("{name}.value"));
        self.builder.integers(&amounts, &[both.len()], &both);
        self.builder.floats(&filler, &[], &[padding.value]);
        self.builder
            .node("Pad", &[&value.name, &amounts, &filler], &name, Vec::new());
        Lazy {
            name,
            padding: None,
            order: value.order.clone(),
        }
    }

    /// The name of an ONNX tensor that is the TensorFlow tensor.
    fn materialise(&mut self, value: &Lazy) -> String {
        let value = self.padded(value);
        if value.order.is_empty() {
            return value.name;
        }
        let order = value.order.iter().map(ToString::to_string).collect::<Vec<_>>().join("");
        let name = format!("{}.transposed_{order}", value.name);
        let order = Attribute::ints("perm", value.order.iter().map(|dimension| *dimension as i64));
        self.builder.node("Transpose", &[&value.name], &name, vec![order]);
        name
    }

    /// The name of an ONNX tensor that is a picture with its channels second, and the padding around it.
    fn picture(&mut self, value: &Lazy) -> (String, Option<Padding>) {
        if value.is_channels_last() {
            return (value.name.clone(), value.padding.clone());
        }
        // A picture of another order is brought into this one: the inverse of TensorFlow's channels last.
        let name = self.materialise(&value.transposed(&[0, 3, 1, 2]));
        (name, None)
    }

    fn elementwise(&mut self, op: &str, node: &Node, attributes: Vec<Attribute>) -> Result<Lazy> {
        let value = self.first(node)?;
        let value = self.padded(&value);
        self.builder.node(op, &[&value.name], &node.name, attributes);
        Ok(Lazy {
            name: node.name.clone(),
            ..value
        })
    }

    fn add(&mut self, node: &Node, one: &str, other: &str) -> Result<Lazy> {
        let (one, other) = (self.value(one)?, self.value(other)?);
        let (one, other) = (self.padded(&one), self.padded(&other));
        let (names, order) = if one.order == other.order {
            ([one.name, other.name], one.order)
        } else {
            ([self.materialise(&one), self.materialise(&other)], Vec::new())
        };
        self.builder
            .node("Add", &[&names[0], &names[1]], &node.name, Vec::new());
        Ok(Lazy {
            name: node.name.clone(),
            padding: None,
            order,
        })
    }

    /// Adds one number for each element of TensorFlow's last dimension.
    fn add_constant(&mut self, node: &Node, value: &str, constant: &str) -> Result<Lazy> {
        let constant = self.constant(constant)?.clone();
        let value = self.value(value)?;
        let value = self.padded(&value);
        let elements = constant.floats()?;
        let long = constant.shape.iter().filter(|size| **size != 1).count();
        ensure!(long <= 1, "a constant of more than one dimension is added");
        ensure!(
            long == 0 || constant.shape.last() != Some(&1),
            "a constant is added along another dimension than the last"
        );
        // How many dimensions of the ONNX tensor come after the one that is TensorFlow's last.
        let rank = value.order.len().max(constant.shape.len());
        let after = rank - 1 - value.dimension(rank - 1);
        let mut shape = vec![elements.len()];
        shape.extend(std::iter::repeat_n(1, after));
        let name = format!("{}.addend", node.name);
        self.builder.floats(&name, &shape, elements);
        self.builder.node("Add", &[&value.name, &name], &node.name, Vec::new());
        Ok(Lazy {
            name: node.name.clone(),
            ..value
        })
    }

    fn pad(&mut self, node: &Node) -> Result<Lazy> {
        let constant = |index: usize| node.input.get(index).map(|name| self.constant(bare(name))).transpose();
        let amounts = constant(1)?.context("there are no amounts")?.integers()?.to_vec();
        let filler = match constant(2)? {
            Some(value) => *value.floats()?.first().context("the value is empty")?,
            None => 0.0,
        };
        let value = self.first(node)?;
        let mut value = self.padded(&value);
        let rank = amounts.len() / 2;
        let (mut before, mut after) = (vec![0; rank], vec![0; rank]);
        for (dimension, pair) in amounts.as_chunks::<2>().0.iter().enumerate() {
            let dimension = value.dimension(dimension);
            (before[dimension], after[dimension]) = (pair[0], pair[1]);
        }
        value.padding = Some(Padding {
            before,
            after,
            value: filler,
        });
        Ok(value)
    }

    /// A picture for an operation that pads by itself, with the amounts. What it cannot pad is padded before.
    fn window(&mut self, node: &Node, fits: impl Fn(f32) -> bool) -> Result<(String, Attribute)> {
        ensure!(node.is("padding", VALID), "a padding of another kind than VALID");
        ensure!(node.is("data_format", CHANNELS_LAST), "the channels are not last");
        let value = self.first(node)?;
        let (mut name, mut padding) = self.picture(&value);
        let of_pixels = |padding: &Padding| padding.before[..2] == [0, 0] && padding.after[..2] == [0, 0];
        if padding
            .as_ref()
            .is_some_and(|padding| !of_pixels(padding) || !fits(padding.value))
        {
            name = self.padded(&value).name;
            padding = None;
        }
        let pads = padding.map_or(vec![0; 4], |padding| {
            [&padding.before[2..], &padding.after[2..]].concat()
        });
        Ok((name, Attribute::ints("pads", pads)))
    }

    fn convolution(&mut self, node: &Node) -> Result<Lazy> {
        let filters = self.constant(bare(node.input.get(1).context("there are no filters")?))?;
        let (shape, elements) = filters.filters()?;
        let (picture, pads) = self.window(node, |value| value == 0.0)?;
        let [_, height, width, _] = node.integers("strides")?[..] else {
            bail!("there are not four strides")
        };
        let dilations = node.integers("dilations").unwrap_or_else(|_| vec![1; 4]);
        let filters = format!("{}.filters", node.name);
        self.builder.floats(&filters, &shape, &elements);
        let attributes = vec![
            Attribute::ints("dilations", dilations[1..3].iter().copied()),
            Attribute::ints("kernel_shape", [shape[2] as i64, shape[3] as i64]),
            pads,
            Attribute::ints("strides", [height, width]),
        ];
        self.builder.node("Conv", &[&picture, &filters], &node.name, attributes);
        Ok(Lazy::channels_last(&node.name))
    }

    fn largest(&mut self, node: &Node) -> Result<Lazy> {
        // Around a picture, ONNX takes what is smaller than everything.
        let (picture, pads) = self.window(node, |value| value <= f32::MIN)?;
        let sizes = |key: &str| -> Result<[i64; 2]> {
            let [_, height, width, _] = node.integers(key)?[..] else {
                bail!("{key} has not four numbers")
            };
            Ok([height, width])
        };
        let attributes = vec![
            Attribute::ints("kernel_shape", sizes("ksize")?),
            pads,
            Attribute::ints("strides", sizes("strides")?),
        ];
        self.builder.node("MaxPool", &[&picture], &node.name, attributes);
        Ok(Lazy::channels_last(&node.name))
    }

    fn resize(&mut self, node: &Node) -> Result<Lazy> {
        let sizes = self
            .constant(bare(node.input.get(1).context("there is no size")?))?
            .integers()?
            .to_vec();
        let [height, width] = sizes[..] else {
            bail!("a size has not two numbers")
        };
        let value = self.first(node)?;
        let value = self.padded(&value);
        let (picture, _) = self.picture(&value);
        let (whole, first, two) = (
            format!("{}.whole", node.name),
            format!("{}.first", node.name),
            "two".to_owned(),
        );
        let (size, wanted) = (format!("{}.size", node.name), format!("{}.wanted", node.name));
        // The first two sizes are taken from the picture, which keeps the graph free of its channels.
        self.builder.integers("nought", &[1], &[0]);
        self.builder.integers(&two, &[1], &[2]);
        self.builder.integers(&wanted, &[2], &[height, width]);
        self.builder.node("Shape", &[&picture], &whole, Vec::new());
        self.builder
            .node("Slice", &[&whole, "nought", &two], &first, Vec::new());
        self.builder
            .node("Concat", &[&first, &wanted], &size, vec![Attribute::int("axis", 0)]);
        let coordinates = match (node.flag("half_pixel_centers"), node.flag("align_corners")) {
            (true, _) => "half_pixel",
            (false, true) => "align_corners",
            (false, false) => "asymmetric",
        };
        let attributes = vec![
            Attribute::word("coordinate_transformation_mode", coordinates),
            Attribute::word("mode", "linear"),
        ];
        self.builder
            .node("Resize", &[&picture, "", "", &size], &node.name, attributes);
        Ok(Lazy::channels_last(&node.name))
    }

    fn concatenation(&mut self, node: &Node) -> Result<Lazy> {
        let (axis, parts) = node.input.split_last().context("there are no parts")?;
        let axis = usize::try_from(self.constant(bare(axis))?.integer()?).context("a negative axis")?;
        let mut values = Vec::new();
        for part in parts {
            let value = self.value(bare(part))?;
            values.push(self.padded(&value));
        }
        let order = values.first().context("there are no parts")?.order.clone();
        let (names, order): (Vec<_>, _) = if values.iter().all(|value| value.order == order) {
            (values.into_iter().map(|value| value.name).collect(), order)
        } else {
            (values.iter().map(|value| self.materialise(value)).collect(), Vec::new())
        };
        let value = Lazy {
            name: node.name.clone(),
            padding: None,
            order,
        };
        let axis = Attribute::int("axis", value.dimension(axis) as i64);
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        self.builder.node("Concat", &names, &node.name, vec![axis]);
        Ok(value)
    }

    fn split(&mut self, node: &Node) -> Result<()> {
        let [_, sizes, axis] = &node.input[..] else {
            bail!("there are not three inputs")
        };
        let sizes = self.constant(bare(sizes))?.clone();
        let axis = usize::try_from(self.constant(bare(axis))?.integer()?).context("a negative axis")?;
        let value = self.first(node)?;
        let value = self.padded(&value);
        let elements = sizes.integers()?;
        // TensorFlow calls the first output as the node, and the others with a number.
        let outputs: Vec<_> = (0..elements.len())
            .map(|number| match number {
                0 => node.name.clone(),
                number => format!("{}:{number}", node.name),
            })
            .collect();
        let sizes_name = format!("{}.sizes", node.name);
        self.builder.integers(&sizes_name, &[elements.len()], elements);
        let axis = Attribute::int("axis", value.dimension(axis) as i64);
        let names: Vec<_> = outputs.iter().map(String::as_str).collect();
        self.builder
            .node_of_many("Split", &[&value.name, &sizes_name], &names, vec![axis]);
        for output in outputs {
            self.values.insert(
                output.clone(),
                Lazy {
                    name: output,
                    ..value.clone()
                },
            );
        }
        Ok(())
    }
}
