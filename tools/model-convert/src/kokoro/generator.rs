//! The generator of Kokoro with operators that a processor computes faster: nearly nine tenths of the work of its speech.
//!
//! The published graph convolves bytes without a sign, for which ONNX Runtime does not use a processor's products of bytes (its
//! `MlasGemmU8U8KernelAvx512Core` beside `MlasGemmU8S8KernelAvx512Vnni`), and writes each normalisation and each activation out in
//! five to seven operators, all of which pass over the whole sound. Here
//! - a convolution is a product of matrices, of the columns that it would look at and of its weights with a sign: that product uses
//!   VNNI, and takes scales and bias with it;
//! - a normalisation over time with gain and shift by the style (AdaIN) is one `InstanceNormalization`;
//! - the activation that follows, `x + sin²(αx) / α` (Snake), is `(z + sin² z) / α` of `z = αx`, with α
//!   in that normalisation's gain and shift.
//!
//! Weights and sums of products are the same whole numbers. What differs is the order of a few roundings, and the bias, which the
//! published graph rounds to a whole number, too.

use std::collections::{HashMap, HashSet};

use anyhow::{Context, Result, ensure};

use crate::onnx::{Attribute, Builder, Graph, Node, Tensor};

/// The beginning of the names of the generator's nodes and values.
const VALUES: &str = "/decoder/decoder/generator/";

/// The beginning of the names of its weights.
const WEIGHTS: &str = "decoder.decoder.generator.";

/// A residual block.
#[derive(Clone, Copy)]
pub struct Block {
    /// The last part of its path.
    name: &'static str,
    /// The channels that come in and go out. All blocks of as many channels have as many steps.
    channels: usize,
    /// A value of as many steps, which is there before the block: `[1, channels, steps]`.
    steps: &'static str,
}

/// The residual blocks of the published generator.
pub const BLOCKS: &[Block] = &[
    first("noise_res.0"),
    first("resblocks.0"),
    first("resblocks.1"),
    first("resblocks.2"),
    second("noise_res.1"),
    second("resblocks.3"),
    second("resblocks.4"),
    second("resblocks.5"),
];

/// A block before the second widening.
const fn first(name: &'static str) -> Block {
    Block {
        name,
        channels: 256,
        steps: "noise_convs.0/Conv_output_0",
    }
}

/// A block behind it.
const fn second(name: &'static str) -> Block {
    Block {
        name,
        channels: 128,
        steps: "noise_convs.1/Conv_output_0",
    }
}

/// Pairs of convolutions of a block.
const PAIRS: usize = 3;

/// Puts the faster operators in the place of the published ones, which nothing needs any more then.
pub fn rewrite(graph: &mut Graph, blocks: &[Block]) -> Result<()> {
    let mut written = Written::new(graph);
    let mut ends = HashMap::new();
    for block in blocks {
        ends.insert(format!("{VALUES}{}/Add_8_output_0", block.name), written.block(*block)?);
    }
    let constants = written.new.constants();
    let old = std::mem::take(&mut graph.node);
    for node in old {
        // All that a block needs is there where its last node was.
        match node.output.first().and_then(|output| ends.remove(output)) {
            Some(block) => graph.node.extend(block),
            None => graph.node.push(node),
        }
    }
    ensure!(ends.is_empty(), "the generator lacks the ends of blocks");
    graph.initializer.extend(constants);
    Ok(())
}

/// The new nodes and constants, beside the published graph.
struct Written<'a> {
    tensors: HashMap<&'a str, &'a Tensor>,
    makers: HashMap<&'a str, &'a Node>,
    new: Builder,
    /// The rows that a convolution's columns are taken from, by channels, width and dilation.
    rows: HashSet<String>,
}

impl<'a> Written<'a> {
    fn new(published: &'a Graph) -> Self {
        let makers = published.node.iter();
        let makers = makers.flat_map(|node| node.output.iter().map(move |output| (output.as_str(), node)));
        let tensors = published.initializer.iter();
        Self {
            tensors: tensors.map(|tensor| (tensor.name.as_str(), tensor)).collect(),
            makers: makers.collect(),
            new: Builder::default(),
            rows: HashSet::new(),
        }
    }

    /// The nodes of one block: three times `x + convolve(activate(convolve(activate(x))))`.
    fn block(&mut self, block: Block) -> Result<Vec<Node>> {
        let (path, weights) = (format!("{VALUES}{}/", block.name), format!("{WEIGHTS}{}.", block.name));
        let mut input = self.residual(&format!("{path}Add_2_output_0"), &path)?;
        for pair in 0..PAIRS {
            let mut value = input.clone();
            for half in 1..=2 {
                let name = format!("{path}fast{half}.{pair}/");
                let style = format!("{path}adain{half}.{pair}/fc/Gemm_output_0");
                let alpha = self.floats(&format!("{weights}alpha{half}.{pair}"), block.channels)?;
                self.activate(&name, &value, &style, &alpha)?;
                self.convolve(&name, block, &format!("convs{half}.{pair}"))?;
                value = format!("{name}sound");
            }
            let sum = match pair {
                2 => format!("{path}Add_8_output_0"),
                _ => format!("{path}fast{pair}/sum"),
            };
            self.new.node("Add", &[&value, &input], &sum, Vec::new());
            input = sum;
        }
        Ok(self.new.take_nodes())
    }

    /// The input of a block, which is added to the sound of its first pair.
    fn residual(&self, sum: &str, path: &str) -> Result<String> {
        let inputs = &self.maker(sum)?.input;
        let input = inputs.iter().find(|input| !input.starts_with(&format!("{path}convs")));
        input.cloned().with_context(|| format!("{sum} adds nothing to a sound"))
    }

    /// `y` of `value`, normalised with the style's gain and shift and activated with `alpha`.
    fn activate(&mut self, name: &str, value: &str, style: &str, alpha: &[f32]) -> Result<()> {
        self.maker(style)?;
        ensure!(alpha.iter().all(|alpha| *alpha != 0.0), "{name} has an alpha of zero");
        let channels = alpha.len();
        let own = |part: &str| format!("{name}{part}");
        let inverse: Vec<f32> = alpha.iter().map(|alpha| alpha.recip()).collect();
        let new = &mut self.new;
        new.integers("fast/first", &[1], &[0]);
        new.floats("fast/one", &[], &[1.0]);
        new.integers(&format!("fast/halves{channels}"), &[2], &[channels as i64; 2]);
        new.floats(&own("alpha"), &[channels], alpha);
        new.floats(&own("inverse"), &[1, channels, 1], &inverse);
        new.node("Squeeze", &[style, "fast/first"], &own("style"), Vec::new());
        new.node_of_many(
            "Split",
            &[&own("style"), &format!("fast/halves{channels}")],
            &[&own("gain"), &own("shift")],
            vec![Attribute::int("axis", 0)],
        );
        new.node("Add", &[&own("gain"), "fast/one"], &own("gain_of_one"), Vec::new());
        new.node(
            "Mul",
            &[&own("gain_of_one"), &own("alpha")],
            &own("gain_of_alpha"),
            Vec::new(),
        );
        new.node(
            "Mul",
            &[&own("shift"), &own("alpha")],
            &own("shift_of_alpha"),
            Vec::new(),
        );
        new.node(
            "InstanceNormalization",
            &[value, &own("gain_of_alpha"), &own("shift_of_alpha")],
            &own("z"),
            vec![Attribute::float("epsilon", 1e-5)],
        );
        new.node("Sin", &[&own("z")], &own("sine"), Vec::new());
        new.node("Mul", &[&own("sine"), &own("sine")], &own("square"), Vec::new());
        new.node("Add", &[&own("z"), &own("square")], &own("sum"), Vec::new());
        new.node("Mul", &[&own("sum"), &own("inverse")], &own("y"), Vec::new());
        Ok(())
    }

    /// `sound` of `y`, convolved as the block's `convolution` does.
    fn convolve(&mut self, name: &str, block: Block, convolution: &str) -> Result<()> {
        let channels = block.channels;
        let published = &format!("{VALUES}{}/{convolution}/", block.name);
        let node = self.maker(&format!("{published}Conv_output_0_output_quantized"))?;
        let attribute = |name: &str| node.attribute.iter().find(|attribute| attribute.name == name);
        let ints = |name: &str| {
            attribute(name)
                .map(|attribute| attribute.ints.as_slice())
                .unwrap_or_default()
        };
        let (width, dilation) = (ints("kernel_shape"), ints("dilations"));
        let pads = ints("pads");
        ensure!(
            node.op_type == "ConvInteger" && width.len() == 1 && dilation.len() == 1 && ints("strides") == [1],
            "{published} is no convolution of one dimension without strides"
        );
        let (width, dilation) = (width[0], dilation[0]);
        ensure!(
            pads == [(width - 1) * dilation / 2; 2],
            "{published} does not keep the number of steps"
        );
        let width = width as usize;
        let matrix = self.weights(&node.input[1], channels, width)?;
        let zero = self.tensor(&node.input[3])?;
        ensure!(bytes(zero).len() == 1, "{published} has more than one zero");
        let scale = self.scale(published)?;
        let bias = self.floats(&format!("{WEIGHTS}{}.{convolution}.bias", block.name), channels)?;
        let rows = self.rows(block, width, dilation);
        let own = |part: &str| format!("{name}{part}");
        let new = &mut self.new;
        new.signed_bytes(&own("weights"), &[width * channels, channels], matrix);
        new.signed_bytes(&own("zero"), &[], signed(&bytes(zero)));
        new.floats(&own("bias"), &[channels], &bias);
        new.integers(&own("pads"), &[6], &[0, pads[0], 0, 0, pads[1], 0]);
        new.integers(
            &format!("fast/columns{channels}.{width}"),
            &[2],
            &[-1, (width * channels) as i64],
        );
        new.node_of_many(
            "DynamicQuantizeLinear",
            &[&own("y")],
            &[&own("bytes"), &own("scale"), &own("nothing")],
            Vec::new(),
        );
        new.node(
            "Transpose",
            &[&own("bytes")],
            &own("steps"),
            vec![Attribute::ints("perm", [0, 2, 1])],
        );
        new.node(
            "Pad",
            &[&own("steps"), &own("pads"), &own("nothing")],
            &own("padded"),
            Vec::new(),
        );
        new.node("Squeeze", &[&own("padded"), "fast/first"], &own("all"), Vec::new());
        new.node(
            "Gather",
            &[&own("all"), &rows],
            &own("looked_at"),
            vec![Attribute::int("axis", 0)],
        );
        new.node(
            "Reshape",
            &[&own("looked_at"), &format!("fast/columns{channels}.{width}")],
            &own("columns"),
            Vec::new(),
        );
        new.contributed(
            "MatMulIntegerToFloat",
            &[
                &own("columns"),
                &own("weights"),
                &own("scale"),
                &scale,
                &own("nothing"),
                &own("zero"),
                &own("bias"),
            ],
            &own("product"),
            Vec::new(),
        );
        new.node(
            "Transpose",
            &[&own("product")],
            &own("turned"),
            vec![Attribute::ints("perm", [1, 0])],
        );
        new.node("Unsqueeze", &[&own("turned"), "fast/first"], &own("sound"), Vec::new());
        Ok(())
    }

    /// The rows of padded steps that each step of a convolution looks at, `[steps, width]`: they are the same for all of one width.
    fn rows(&mut self, block: Block, width: usize, dilation: i64) -> String {
        let channels = block.channels;
        let rows = format!("fast/rows{channels}.{width}.{dilation}");
        let all = format!("fast/steps{channels}");
        let new = &mut self.new;
        if self.rows.insert(all.clone()) {
            new.integers("fast/zero", &[], &[0]);
            new.integers("fast/step", &[], &[1]);
            new.integers("fast/last", &[], &[2]);
            new.integers("fast/second", &[1], &[1]);
            let own = |part: &str| format!("{all}/{part}");
            new.node(
                "Shape",
                &[&format!("{VALUES}{}", block.steps)],
                &own("shape"),
                Vec::new(),
            );
            new.node(
                "Gather",
                &[&own("shape"), "fast/last"],
                &own("count"),
                vec![Attribute::int("axis", 0)],
            );
            new.node(
                "Range",
                &["fast/zero", &own("count"), "fast/step"],
                &own("range"),
                Vec::new(),
            );
            new.node("Unsqueeze", &[&own("range"), "fast/second"], &all, Vec::new());
        }
        if self.rows.insert(rows.clone()) {
            let offsets: Vec<i64> = (0..width as i64).map(|tap| tap * dilation).collect();
            new.integers(&format!("{rows}/offsets"), &[1, width], &offsets);
            new.node("Add", &[&all, &format!("{rows}/offsets")], &rows, Vec::new());
        }
        rows
    }

    /// The weights `[outputs, inputs, width]`, bytes without a sign, as `[width × inputs, outputs]` with one.
    fn weights(&self, name: &str, channels: usize, width: usize) -> Result<Vec<u8>> {
        let weights = bytes(self.tensor(name)?);
        ensure!(
            weights.len() == channels * channels * width,
            "{name} has not {channels} × {channels} × {width} weights"
        );
        let at = |tap, input, output| weights[(output * channels + input) * width + tap];
        let taps = (0..width).flat_map(|tap| (0..channels).map(move |input| (tap, input)));
        let turned: Vec<u8> = taps
            .flat_map(|(tap, input)| (0..channels).map(move |output| at(tap, input, output)))
            .collect();
        Ok(signed(&turned))
    }

    /// The name of the scale of a convolution's weights: the constant one of the two whose product scales its sums.
    fn scale(&self, published: &str) -> Result<String> {
        let sound = self.maker(&format!("{published}Conv_output_0"))?;
        let products = sound.input.iter().filter_map(|input| self.makers.get(input.as_str()));
        let mut scales = products
            .filter(|node| node.op_type == "Mul")
            .flat_map(|node| &node.input);
        let constant = scales.find(|scale| self.tensors.contains_key(scale.as_str()));
        constant
            .cloned()
            .with_context(|| format!("{published} has no scale of weights"))
    }

    fn floats(&self, name: &str, count: usize) -> Result<Vec<f32>> {
        let tensor = self.tensor(name)?;
        let (numbers, _) = tensor.raw_data.as_chunks::<4>();
        let read: Vec<f32> = match tensor.float_data.is_empty() {
            true => numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            false => tensor.float_data.clone(),
        };
        ensure!(read.len() == count, "{name} has not {count} numbers");
        Ok(read)
    }

    fn tensor(&self, name: &str) -> Result<&'a Tensor> {
        self.tensors
            .get(name)
            .copied()
            .with_context(|| format!("the graph has no constant {name}"))
    }

    fn maker(&self, output: &str) -> Result<&'a Node> {
        self.makers
            .get(output)
            .copied()
            .with_context(|| format!("the graph makes no {output}"))
    }
}

/// The bytes of a tensor, which stand in either of two lists.
fn bytes(tensor: &Tensor) -> Vec<u8> {
    match tensor.raw_data.is_empty() {
        true => tensor.int32_data.iter().map(|byte| *byte as u8).collect(),
        false => tensor.raw_data.clone(),
    }
}

/// Bytes less 128, which have a sign: the same numbers beside a zero that is 128 less, too.
fn signed(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|byte| byte ^ 0x80).collect()
}

#[cfg(test)]
mod tests {
    use prost::Message;
    use quartet_inference::engine::onnxruntime::{FILE, Library};
    use quartet_inference::engine::{Engine, Source};
    use quartet_inference::{Data, Graphs, NamedTensor, Tensor as Values};

    use super::*;
    use crate::onnx::{FLOAT, Model};

    const CHANNELS: usize = 4;
    const BLOCK: Block = Block {
        name: "resblocks.0",
        channels: CHANNELS,
        steps: "same",
    };

    /// Numbers of either sign that do not come again soon.
    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        let number = |index: usize| ((index * 37 + seed * 101) % 251) as f32 / 125.0 - 1.0;
        (0..count).map(number).collect()
    }

    /// One block as it is published: `sound` of `x`, `[1, 4, steps]`, and `style`, `[1, 8]`.
    fn published() -> Model {
        let mut graph = Builder::default();
        graph.input_of("x", &[Some(1), Some(CHANNELS), None]);
        graph.input("style", &[1, 2 * CHANNELS]);
        graph.node("Identity", &["x"], &format!("{VALUES}same"), Vec::new());
        let path = format!("{VALUES}{}/", BLOCK.name);
        let mut input = "x".to_owned();
        for pair in 0..PAIRS {
            let mut value = input.clone();
            for half in 1..=2 {
                value = half_of_pair(&mut graph, &value, half, pair);
            }
            let sum = format!("{path}Add_{}_output_0", [2, 5, 8][pair]);
            graph.node("Add", &[&value, &input], &sum, Vec::new());
            input = sum;
        }
        graph.node("Identity", &[&input], "sound", Vec::new());
        graph.output_of("sound", &[Some(1), Some(CHANNELS), None]);
        Model::decode(graph.finish("block").as_slice()).unwrap()
    }

    fn half_of_pair(graph: &mut Builder, input: &str, half: usize, pair: usize) -> String {
        let path = format!("{VALUES}{}/", BLOCK.name);
        let seed = 2 * pair + half;
        graph.integers("time", &[1], &[2]);
        graph.integers("first", &[1], &[1]);
        graph.integers("halves", &[2], &[CHANNELS as i64; 2]);
        graph.floats("tiny", &[], &[1e-5]);
        graph.floats("one", &[], &[1.0]);
        graph.floats("two", &[], &[2.0]);
        let own = |part: &str| format!("{path}{half}.{pair}/{part}");
        let style = format!("{path}adain{half}.{pair}/fc/Gemm_output_0");
        graph.floats(&own("turn"), &[1, 2 * CHANNELS], &numbers(2 * CHANNELS, seed));
        graph.node("Mul", &["style", &own("turn")], &style, Vec::new());
        graph.node("Unsqueeze", &[&style, "time"], &own("style"), Vec::new());
        let axis = || vec![Attribute::int("axis", 1)];
        graph.node_of_many(
            "Split",
            &[&own("style"), "halves"],
            &[&own("gain"), &own("shift")],
            axis(),
        );
        graph.node("Add", &[&own("gain"), "one"], &own("gain_of_one"), Vec::new());
        let mean = || vec![Attribute::int("keepdims", 1), Attribute::ints("axes", [2])];
        graph.node("ReduceMean", &[input], &own("mean"), mean());
        graph.node("Sub", &[input, &own("mean")], &own("less"), Vec::new());
        graph.node("Mul", &[&own("less"), &own("less")], &own("squares"), Vec::new());
        graph.node("ReduceMean", &[&own("squares")], &own("variance"), mean());
        graph.node("Add", &[&own("variance"), "tiny"], &own("more"), Vec::new());
        graph.node("Sqrt", &[&own("more")], &own("deviation"), Vec::new());
        graph.node("Div", &[&own("less"), &own("deviation")], &own("normal"), Vec::new());
        graph.node(
            "Mul",
            &[&own("gain_of_one"), &own("normal")],
            &own("gained"),
            Vec::new(),
        );
        graph.node("Add", &[&own("gained"), &own("shift")], &own("a"), Vec::new());
        let alpha: Vec<f32> = numbers(CHANNELS, seed + 9).iter().map(|x| x + 1.5).collect();
        let inverse: Vec<f32> = alpha.iter().map(|alpha| alpha.recip()).collect();
        let name = format!("{WEIGHTS}{}.alpha{half}.{pair}", BLOCK.name);
        graph.floats(&name, &[1, CHANNELS, 1], &alpha);
        graph.floats(&own("inverse"), &[1, CHANNELS, 1], &inverse);
        graph.node("Mul", &[&name, &own("a")], &own("z"), Vec::new());
        graph.node("Sin", &[&own("z")], &own("sine"), Vec::new());
        graph.node("Pow", &[&own("sine"), "two"], &own("power"), Vec::new());
        graph.node("Mul", &[&own("inverse"), &own("power")], &own("bent"), Vec::new());
        graph.node("Add", &[&own("a"), &own("bent")], &own("y"), Vec::new());
        convolution(graph, &own("y"), half, pair)
    }

    fn convolution(graph: &mut Builder, input: &str, half: usize, pair: usize) -> String {
        let (width, dilation) = ([3, 7, 11][pair], [1, 3][half - 1]);
        let name = format!("convs{half}.{pair}");
        let path = format!("{VALUES}{}/{name}/", BLOCK.name);
        let own = |part: &str| format!("{path}{part}");
        let count = CHANNELS * CHANNELS * width;
        let weights = (0..count).map(|index| (index * 29 + half + pair) as u8).collect();
        graph.bytes(&own("weights"), &[CHANNELS, CHANNELS, width], weights);
        graph.bytes(&own("zero"), &[], vec![71]);
        graph.floats(&own("weight_scale"), &[], &[0.003]);
        let bias = format!("{WEIGHTS}{}.{name}.bias", BLOCK.name);
        graph.floats(&bias, &[CHANNELS], &numbers(CHANNELS, pair));
        graph.integers("channel", &[3], &[1, CHANNELS as i64, 1]);
        graph.node_of_many(
            "DynamicQuantizeLinear",
            &[input],
            &[&own("bytes"), &own("scale"), &own("nothing")],
            Vec::new(),
        );
        let pad = (width as i64 - 1) * dilation / 2;
        let attributes = vec![
            Attribute::ints("kernel_shape", [width as i64]),
            Attribute::ints("dilations", [dilation]),
            Attribute::ints("strides", [1]),
            Attribute::ints("pads", [pad, pad]),
        ];
        graph.node(
            "ConvInteger",
            &[&own("bytes"), &own("weights"), &own("nothing"), &own("zero")],
            &own("Conv_output_0_output_quantized"),
            attributes,
        );
        graph.node("Mul", &[&own("scale"), &own("weight_scale")], &own("both"), Vec::new());
        graph.node("Div", &[&bias, &own("both")], &own("divided"), Vec::new());
        graph.node("Floor", &[&own("divided")], &own("whole"), Vec::new());
        graph.node("Reshape", &[&own("whole"), "channel"], &own("bias"), Vec::new());
        let to = vec![Attribute::int("to", i64::from(FLOAT))];
        graph.node("Cast", &[&own("Conv_output_0_output_quantized")], &own("sums"), to);
        graph.node("Add", &[&own("sums"), &own("bias")], &own("with_bias"), Vec::new());
        graph.node(
            "Mul",
            &[&own("with_bias"), &own("both")],
            &own("Conv_output_0"),
            Vec::new(),
        );
        own("Conv_output_0")
    }

    #[test]
    fn a_block_gives_what_it_gave() {
        let mut rewritten = published();
        rewrite(rewritten.graph.as_mut().unwrap(), &[BLOCK]).unwrap();
        let rewritten = crate::kokoro::cut(rewritten).unwrap();
        let graph = Model::decode(rewritten.as_slice()).unwrap().graph.unwrap();
        let count = |op: &str| graph.node.iter().filter(|node| node.op_type == op).count();
        assert_eq!((count("ConvInteger"), count("ReduceMean"), count("Pow")), (0, 0, 0));
        assert_eq!((count("MatMulIntegerToFloat"), count("InstanceNormalization")), (6, 6));

        let models = std::env::var_os("QUARTET_MODELS").map(std::path::PathBuf::from);
        let models =
            models.unwrap_or_else(|| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/models"));
        let library = match Library::load(&models.join(FILE), 1) {
            Ok(library) => library,
            Err(reason) => return println!("not run: a block gives what it gave: {reason}"),
        };
        let graphs = [("published", published().encode_to_vec()), ("rewritten", rewritten)];
        let graphs = graphs.map(|(name, bytes)| (name.to_owned(), Source::Bytes(bytes.leak())));
        let engine = Engine::new(graphs.into_iter().collect()).with_library(library);
        let steps = 57;
        let sound = |graph: &str| {
            let values = |shape: &[usize], seed| {
                let count = shape.iter().product();
                Values::new(shape.to_vec(), Data::F32(numbers(count, seed))).unwrap()
            };
            let inputs = vec![
                NamedTensor::new("x", values(&[1, CHANNELS, steps], 3)),
                NamedTensor::new("style", values(&[1, 2 * CHANNELS], 4)),
            ];
            let outputs = engine.run(graph, inputs, &["sound"]).unwrap();
            outputs[0].tensor.as_f32().unwrap().to_vec()
        };
        let (before, after) = (sound("published"), sound("rewritten"));
        assert_eq!(before.len(), CHANNELS * steps);
        let largest = before.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
        for (before, after) in before.iter().zip(&after) {
            assert!((before - after).abs() < 0.02 * largest, "{before} is {after} now");
        }
    }
}
