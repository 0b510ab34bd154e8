//! EfficientNet-Lite: a classifier of 1,000 classes, as weights only. The graph is put together here from the published
//! description: a stem, seven stages of inverted residual blocks, a head. How many blocks a stage has and how wide they
//! are is read from the weights: the blocks of a stage give the same number of channels, and no two stages do.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

use crate::onnx::{Attribute, Builder};
use crate::torch::{self, Tensor};

/// Value that is added to a variance before its root is taken.
const EPSILON: f64 = 1e-3;

/// The strides of the first block of each stage.
const STRIDES: [i64; 7] = [1, 2, 2, 2, 1, 2, 1];

/// The ONNX graph of the weights: input `image` [1, 3, size, size], outputs `probabilities` [1, classes] and
/// `features`.
///
/// # Errors
/// When the file is none of PyTorch's, or not of an EfficientNet-Lite.
pub fn convert(file: &[u8], size: usize) -> Result<Vec<u8>> {
    let weights = torch::read(file)?;
    let mut network = Network {
        weights: &weights,
        builder: Builder::default(),
        made: 0,
    };
    network.builder.input("image", &[1, 3, size, size]);
    network.builder.floats("zero", &[], &[0.0]);
    network.builder.floats("six", &[], &[6.0]);
    let mut x = network.convolution("image", "_conv_stem.weight", "_bn0", 2, Activation::Relu6)?;
    let mut strides = STRIDES.into_iter();
    let mut stage = None;
    for block in 0.. {
        let Some(last) = weights.get(&format!("_blocks.{block}._project_conv.weight")) else {
            break;
        };
        let channels = last.shape.first().copied();
        let stride = if stage == channels {
            None
        } else {
            Some(strides.next().context("there are more than seven stages")?)
        };
        x = network.block(&x, block, stride)?;
        stage = channels;
    }
    ensure!(strides.next().is_none(), "there are fewer than seven stages");
    let x = network.convolution(&x, "_conv_head.weight", "_bn1", 1, Activation::Relu6)?;
    network.head(&x)?;
    Ok(network.builder.finish("efficientnet-lite"))
}

/// Function after a convolution.
#[derive(Clone, Copy)]
enum Activation {
    None,
    Relu6,
}

struct Network<'a> {
    weights: &'a BTreeMap<String, Tensor>,
    builder: Builder,
    made: usize,
}

impl<'a> Network<'a> {
    fn tensor(&self, name: &str) -> Result<&'a Tensor> {
        self.weights
            .get(name)
            .with_context(|| format!("the weights lack {name}"))
    }

    /// An inverted residual block: widen, filter each channel, narrow. The first of a stage has a stride; the others add
    /// their input.
    fn block(&mut self, input: &str, block: usize, stride: Option<i64>) -> Result<String> {
        let name = |part: &str| format!("_blocks.{block}.{part}");
        let mut x = input.to_owned();
        if self.weights.contains_key(&name("_expand_conv.weight")) {
            x = self.convolution(&x, &name("_expand_conv.weight"), &name("_bn0"), 1, Activation::Relu6)?;
        }
        x = self.convolution(
            &x,
            &name("_depthwise_conv.weight"),
            &name("_bn1"),
            stride.unwrap_or(1),
            Activation::Relu6,
        )?;
        x = self.convolution(&x, &name("_project_conv.weight"), &name("_bn2"), 1, Activation::None)?;
        if stride.is_none() {
            let sum = format!("sum{block}");
            self.builder.node("Add", &[input, &x], &sum, Vec::new());
            x = sum;
        }
        Ok(x)
    }

    /// A convolution with the normalisation after it folded into its weights.
    fn convolution(
        &mut self,
        input: &str,
        weight: &str,
        normalisation: &str,
        stride: i64,
        activation: Activation,
    ) -> Result<String> {
        let part = |part: &str| self.tensor(&format!("{normalisation}.{part}"));
        let (gain, shift) = (part("weight")?, part("bias")?);
        let (mean, variance) = (part("running_mean")?, part("running_var")?);
        let weight = self.tensor(weight)?;
        ensure!(weight.shape.len() == 4, "a convolution has not four dimensions");
        let channels = weight.shape[0];
        ensure!(
            [gain, shift, mean, variance]
                .iter()
                .all(|tensor| tensor.elements.len() == channels),
            "a normalisation does not fit its convolution"
        );
        let each = weight.elements.len() / channels.max(1);
        let mut folded = Vec::with_capacity(weight.elements.len());
        let mut bias = Vec::with_capacity(channels);
        for channel in 0..channels {
            let scale = f64::from(gain.elements[channel]) / (f64::from(variance.elements[channel]) + EPSILON).sqrt();
            let filter = &weight.elements[channel * each..(channel + 1) * each];
            folded.extend(filter.iter().map(|x| (f64::from(*x) * scale) as f32));
            bias.push((f64::from(shift.elements[channel]) - f64::from(mean.elements[channel]) * scale) as f32);
        }
        // One filter for each channel: the only grouped convolutions there are.
        let group = if weight.shape[1] == 1 { channels as i64 } else { 1 };
        let (kernel, shape) = ([weight.shape[2] as i64, weight.shape[3] as i64], weight.shape.clone());
        self.made += 1;
        let output = format!("convolution{}", self.made);
        let (weight_name, bias_name) = (format!("{output}.weight"), format!("{output}.bias"));
        self.builder.floats(&weight_name, &shape, &folded);
        self.builder.floats(&bias_name, &[channels], &bias);
        let attributes = vec![
            Attribute::word("auto_pad", "SAME_UPPER"),
            Attribute::int("group", group),
            Attribute::ints("kernel_shape", kernel),
            Attribute::ints("strides", [stride, stride]),
        ];
        self.builder
            .node("Conv", &[input, &weight_name, &bias_name], &output, attributes);
        Ok(match activation {
            Activation::None => output,
            Activation::Relu6 => {
                let clipped = format!("{output}.clipped");
                self.builder
                    .node("Clip", &[&output, "zero", "six"], &clipped, Vec::new());
                clipped
            }
        })
    }

    /// From features to probabilities.
    fn head(&mut self, input: &str) -> Result<()> {
        let (weight, bias) = (self.tensor("_fc.weight")?, self.tensor("_fc.bias")?);
        let [classes, features] = weight.shape[..] else {
            anyhow::bail!("the classifier has not two dimensions")
        };
        ensure!(bias.elements.len() == classes, "the classifier's parts do not fit");
        self.builder
            .floats("classifier.weight", &[classes, features], &weight.elements);
        self.builder.floats("classifier.bias", &[classes], &bias.elements);
        self.builder.node("GlobalAveragePool", &[input], "pooled", Vec::new());
        self.builder.node("Flatten", &["pooled"], "features", Vec::new());
        let inputs = ["features", "classifier.weight", "classifier.bias"];
        self.builder
            .node("Gemm", &inputs, "logits", vec![Attribute::int("transB", 1)]);
        self.builder
            .node("Softmax", &["logits"], "probabilities", vec![Attribute::int("axis", 1)]);
        self.builder.output("probabilities", &[1, classes]);
        self.builder.output("features", &[1, features]);
        Ok(())
    }
}
