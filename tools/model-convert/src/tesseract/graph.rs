//! The graph of a network. Between its layers a picture is [lines, channels, height, width], and what has been summed up
//! to a row is [steps, lines, numbers], as ONNX's recurrent layers take it.

use anyhow::{Context, Result, bail, ensure};

use super::layer::{Function, Layer, Matrix};
use crate::onnx::{Attribute, Builder};

/// The order of the gates in the file: what comes in, how much of it, how much is kept, how much goes out. ONNX has how much
/// comes in, how much goes out, how much is kept, what comes in.
const ONNX_GATES: [usize; 4] = [1, 3, 2, 0];

/// The ONNX file of a whole network.
///
/// # Errors
/// When its layers are not in an order that is known here.
pub fn convert(network: &Layer) -> Result<Vec<u8>> {
    let Layer::Series(layers) = network else {
        bail!("the network is no series of layers")
    };
    let [Layer::Input { height }, layers @ ..] = layers.as_slice() else {
        bail!("the network does not begin with its input")
    };
    let mut graph = Graph {
        builder: Builder::default(),
        made: 0,
        value: "clipped".to_owned(),
        kind: Kind::Picture,
        around: None,
        numbers: 1,
    };
    graph.builder.input_of("line", &[None, Some(1), Some(*height), None]);
    // As the 8-bit numbers of the original do.
    graph.builder.floats("least", &[], &[-1.0]);
    graph.builder.floats("most", &[], &[1.0]);
    graph
        .builder
        .node("Clip", &["line", "least", "most"], "clipped", Vec::new());
    layers.iter().try_for_each(|layer| graph.layer(layer))?;
    ensure!(graph.kind == Kind::Shares, "the network does not end in a softmax");
    let last = graph.value;
    graph.builder.node(
        "Transpose",
        &[&last],
        "probabilities",
        vec![Attribute::ints("perm", [1, 0, 2])],
    );
    graph
        .builder
        .output_of("probabilities", &[None, None, Some(graph.numbers)]);
    Ok(graph.builder.finish("tesseract"))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// [lines, numbers, height, width].
    Picture,
    /// [steps, lines, numbers].
    Steps,
    /// The same, and at the end.
    Shares,
}

struct Graph {
    builder: Builder,
    made: usize,
    /// Output of the last layer, and its layout.
    value: String,
    kind: Kind,
    /// A convolution is two layers in the file: how far this one reaches.
    around: Option<[usize; 2]>,
    /// Count of numbers for each place or step.
    numbers: usize,
}

impl Graph {
    fn layer(&mut self, layer: &Layer) -> Result<()> {
        match layer {
            Layer::Series(layers) => layers.iter().try_for_each(|layer| self.layer(layer)),
            Layer::Convolve { reach } => {
                self.expect(Kind::Picture)?;
                self.around = Some(*reach);
                Ok(())
            }
            Layer::Connected {
                weights,
                function: Function::Tanh,
            } => self.convolution(weights),
            Layer::Connected {
                weights,
                function: Function::Softmax,
            } => self.softmax(weights),
            Layer::Maxpool { size: [x, y] } => {
                self.expect(Kind::Picture)?;
                let size = [*y as i64, *x as i64];
                let attributes = vec![Attribute::ints("kernel_shape", size), Attribute::ints("strides", size)];
                self.node("MaxPool", &[], attributes);
                Ok(())
            }
            Layer::Transposed(part) => match &**part {
                Layer::Lstm {
                    last: true,
                    gates,
                    inputs,
                } => self.columns(*inputs, gates),
                _ => bail!("what goes from above to below is no recurrent layer that gives its last step"),
            },
            Layer::Reversed(part) => match &**part {
                Layer::Lstm {
                    last: false,
                    gates,
                    inputs,
                } => self.steps("reverse", *inputs, gates),
                _ => bail!("what goes from right to left is no recurrent layer"),
            },
            Layer::Lstm {
                last: false,
                gates,
                inputs,
            } => self.steps("forward", *inputs, gates),
            Layer::Lstm { .. } | Layer::Input { .. } => bail!("a layer is at a place that is not known here"),
        }
    }

    fn expect(&self, kind: Kind) -> Result<()> {
        ensure!(
            self.kind == kind && self.around.is_none(),
            "a layer is at a place that is not known here"
        );
        Ok(())
    }

    /// A node that takes the last value and others, and gives the next.
    fn node(&mut self, op: &str, others: &[&str], attributes: Vec<Attribute>) {
        let output = self.name(op);
        let inputs: Vec<&str> = std::iter::once(self.value.as_str())
            .chain(others.iter().copied())
            .collect();
        self.builder.node(op, &inputs, &output, attributes);
        self.value = output;
    }

    fn name(&mut self, what: &str) -> String {
        self.made += 1;
        format!("{what}{}", self.made)
    }

    fn convolution(&mut self, weights: &Matrix) -> Result<()> {
        let reach = self
            .around
            .take()
            .context("all are connected to all before the columns are summed up")?;
        let [width, height] = reach.map(|reach| 2 * reach + 1);
        ensure!(
            weights.columns == self.numbers * width * height + 1,
            "a convolution does not fit"
        );
        let (mut filters, mut constants) = (Vec::new(), Vec::new());
        for row in 0..weights.rows {
            let row = weights.row(row);
            for channel in 0..self.numbers {
                for y in 0..height {
                    // The file has them column by column, and the channels of a place together.
                    filters.extend((0..width).map(|x| row[(x * height + y) * self.numbers + channel]));
                }
            }
            constants.push(row[weights.columns - 1]);
        }
        let name = self.name("convolution");
        let [filter, constant] = ["filters", "constants"].map(|part| format!("{name}.{part}"));
        let shape = [weights.rows, self.numbers, height, width];
        self.builder.floats(&filter, &shape, &filters);
        self.builder.floats(&constant, &[weights.rows], &constants);
        // Beyond the edges the original puts noise, because its training did; its average is nothing.
        let [x, y] = reach.map(|reach| reach as i64);
        let attributes = vec![
            Attribute::ints("kernel_shape", [height as i64, width as i64]),
            Attribute::ints("pads", [y, x, y, x]),
        ];
        self.node("Conv", &[&filter, &constant], attributes);
        self.node("Tanh", &[], Vec::new());
        self.numbers = weights.rows;
        Ok(())
    }

    /// Each column on its own, from above: what is known at its foot.
    fn columns(&mut self, inputs: usize, gates: &[Matrix; 4]) -> Result<()> {
        self.expect(Kind::Picture)?;
        self.fits(inputs)?;
        // [height, width, lines, numbers], and all columns of all lines as if they were lines.
        self.node("Transpose", &[], vec![Attribute::ints("perm", [2, 3, 0, 1])]);
        let picture = self.value.clone();
        self.builder.integers("columns", &[3], &[0, -1, inputs as i64]);
        self.node("Reshape", &["columns"], Vec::new());
        let [_, foot] = self.lstm("forward", inputs, gates);
        // How many lines there are is known when it runs.
        self.builder.node("Shape", &[&picture], "sizes", Vec::new());
        self.builder.integers("third", &[1], &[2]);
        self.builder
            .node("Gather", &["sizes", "third"], "lines", vec![Attribute::int("axis", 0)]);
        self.builder.integers("any", &[1], &[-1]);
        self.builder.integers("summed", &[1], &[self.numbers as i64]);
        let parts = ["any", "lines", "summed"];
        self.builder
            .node("Concat", &parts, "steps", vec![Attribute::int("axis", 0)]);
        self.value = foot;
        self.node("Reshape", &["steps"], Vec::new());
        self.kind = Kind::Steps;
        Ok(())
    }

    fn steps(&mut self, direction: &str, inputs: usize, gates: &[Matrix; 4]) -> Result<()> {
        self.expect(Kind::Steps)?;
        self.fits(inputs)?;
        let [all, _] = self.lstm(direction, inputs, gates);
        self.value = all;
        // Without the dimension of the direction.
        let shape = format!("flat{}", self.numbers);
        self.builder.integers(&shape, &[3], &[0, -1, self.numbers as i64]);
        self.node("Reshape", &[&shape], Vec::new());
        Ok(())
    }

    fn fits(&self, inputs: usize) -> Result<()> {
        ensure!(
            inputs == self.numbers,
            "a layer takes {inputs} numbers and gets {}",
            self.numbers
        );
        Ok(())
    }

    /// A recurrent layer: its steps and its last one.
    fn lstm(&mut self, direction: &str, inputs: usize, gates: &[Matrix; 4]) -> [String; 2] {
        let states = gates[0].rows;
        let (mut w, mut r, mut b) = (Vec::new(), Vec::new(), Vec::new());
        for gate in ONNX_GATES.map(|gate| &gates[gate]) {
            for row in 0..states {
                let row = gate.row(row);
                w.extend_from_slice(&row[..inputs]);
                r.extend_from_slice(&row[inputs..inputs + states]);
                b.push(row[inputs + states]);
            }
        }
        // Constants of the recurrent part: there are none.
        b.resize(8 * states, 0.0);
        let name = self.name("lstm");
        let [weights, recurrent, constants, all, last] =
            ["weights", "recurrent", "constants", "all", "last"].map(|part| format!("{name}.{part}"));
        self.builder.floats(&weights, &[1, 4 * states, inputs], &w);
        self.builder.floats(&recurrent, &[1, 4 * states, states], &r);
        self.builder.floats(&constants, &[1, 8 * states], &b);
        let attributes = vec![
            Attribute::word("direction", direction),
            Attribute::int("hidden_size", states as i64),
        ];
        let inputs = [self.value.as_str(), &weights, &recurrent, &constants];
        self.builder.node_of_many("LSTM", &inputs, &[&all, &last], attributes);
        self.numbers = states;
        [all, last]
    }

    fn softmax(&mut self, weights: &Matrix) -> Result<()> {
        self.expect(Kind::Steps)?;
        self.fits(weights.columns - 1)?;
        let mut transposed = Vec::with_capacity(weights.elements.len());
        for column in 0..weights.columns - 1 {
            transposed.extend((0..weights.rows).map(|row| weights.row(row)[column]));
        }
        let constants: Vec<f32> = (0..weights.rows)
            .map(|row| weights.row(row)[weights.columns - 1])
            .collect();
        self.builder
            .floats("output.weights", &[weights.columns - 1, weights.rows], &transposed);
        self.builder.floats("output.constants", &[weights.rows], &constants);
        self.node("MatMul", &["output.weights"], Vec::new());
        self.node("Add", &["output.constants"], Vec::new());
        self.node("Softmax", &[], vec![Attribute::int("axis", -1)]);
        self.numbers = weights.rows;
        self.kind = Kind::Shares;
        Ok(())
    }
}
