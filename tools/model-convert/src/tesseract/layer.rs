//! The layers of a network as the file has them.

use anyhow::{Context, Result, bail, ensure};

use super::bytes::Bytes;

/// This bit of a weight matrix's mode: its elements are of 8 bits, with a scale for each row.
const EIGHT_BITS: u8 = 1;
/// And this one: scales, or elements of more bits, are of 64 bits.
const DOUBLE: u8 = 128;
/// This bit of a layer's flags: learning rates of its parts follow.
const LAYER_RATES: i32 = 64;
/// More layers in one than any network has.
const MOST_PARTS: usize = 64;

/// A layer.
pub enum Layer {
    /// The picture, so many pixels high.
    Input {
        /// Pixels.
        height: usize,
    },
    /// Puts what is around a place side by side: columns from the left, each from above.
    Convolve {
        /// Places to the left and to the right, above and below.
        reach: [usize; 2],
    },
    /// The largest of each so many columns and rows.
    Maxpool {
        /// Columns and rows.
        size: [usize; 2],
    },
    /// Layers one after the other.
    Series(Vec<Layer>),
    /// A layer that goes from right to left.
    Reversed(Box<Layer>),
    /// A layer that goes from above to below.
    Transposed(Box<Layer>),
    /// A recurrent layer.
    Lstm {
        /// Numbers that it takes at each step.
        inputs: usize,
        /// It gives its last step only.
        last: bool,
        /// Weights of what comes in, how much of it, how much is kept, how much goes out: each [outputs, inputs + outputs + 1], the
        /// last column for a constant.
        gates: [Matrix; 4],
    },
    /// All to all, and a function.
    Connected {
        /// [outputs, inputs + 1], the last column for a constant.
        weights: Matrix,
        /// The function.
        function: Function,
    },
}

/// Function after a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// −1 to 1.
    Tanh,
    /// Shares of 1.
    Softmax,
}

/// Numbers in rows.
pub struct Matrix {
    /// Number of rows.
    pub rows: usize,
    /// Numbers in each.
    pub columns: usize,
    /// Row by row.
    pub elements: Vec<f32>,
}

impl Matrix {
    fn read(bytes: &mut Bytes<'_>) -> Result<Self> {
        let mode = bytes.u8()?;
        ensure!(mode & DOUBLE != 0, "the weights are of a format before Tesseract 4.0");
        let (rows, columns) = (bytes.size()?, bytes.size()?);
        let count = rows.checked_mul(columns).context("a matrix is too large")?;
        if mode & EIGHT_BITS == 0 {
            // What elements were before they were set, which all are.
            bytes.f64()?;
            let elements = (0..count).map(|_| Ok(bytes.f64()? as f32)).collect::<Result<_>>()?;
            return Ok(Self {
                rows,
                columns,
                elements,
            });
        }
        bytes.u8()?;
        let small = bytes.take(count)?;
        let scales = bytes.size()?;
        ensure!(scales >= rows, "a matrix has fewer scales than rows");
        let scales = (0..scales).map(|_| bytes.f64()).collect::<Result<Vec<_>>>()?;
        let elements = small
            .chunks_exact(columns.max(1))
            .zip(&scales)
            .flat_map(|(row, scale)| row.iter().map(move |small| (f64::from(*small as i8) * scale) as f32))
            .collect();
        Ok(Self {
            rows,
            columns,
            elements,
        })
    }

    /// A row.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.elements[row * self.columns..(row + 1) * self.columns]
    }
}

impl Layer {
    /// Reads a layer and all that is in it.
    ///
    /// # Errors
    /// When it is of a kind that is not known here, or its parts do not fit.
    pub fn read(bytes: &mut Bytes<'_>) -> Result<Self> {
        ensure!(bytes.u8()? == 0, "a layer has no name of its kind");
        let kind = bytes.text()?;
        // Whether it is being trained, and whether errors go back through it.
        bytes.take(2)?;
        let flags = bytes.i32()?;
        let (inputs, _outputs, _weights) = (bytes.count()?, bytes.count()?, bytes.count()?);
        let name = bytes.text()?;
        Self::of_kind(kind, flags, inputs, bytes).with_context(|| format!("the layer {name}"))
    }

    fn of_kind(kind: &str, flags: i32, inputs: usize, bytes: &mut Bytes<'_>) -> Result<Self> {
        Ok(match kind {
            "Input" => {
                let [_batch, height, _width, depth, _loss] = [(); 5].map(|()| bytes.i32());
                ensure!(depth? == 1, "the network takes colours");
                Self::Input {
                    height: usize::try_from(height?)?,
                }
            }
            "Convolve" => Self::Convolve {
                reach: [bytes.count()?, bytes.count()?],
            },
            "Maxpool" => Self::Maxpool {
                size: [bytes.count()?, bytes.count()?],
            },
            "Series" => Self::Series(parts(flags, bytes)?),
            "RTLReversed" | "XYTranspose" => {
                let [part] = <[Self; 1]>::try_from(parts(flags, bytes)?)
                    .map_err(|parts| anyhow::anyhow!("it has {} parts, not one", parts.len()))?;
                match kind {
                    "XYTranspose" => Self::Transposed(Box::new(part)),
                    _ => Self::Reversed(Box::new(part)),
                }
            }
            "LSTM" | "SummLSTM" => {
                let all = bytes.count()?;
                let mut gate = || Matrix::read(bytes);
                let gates = [gate()?, gate()?, gate()?, gate()?];
                let states = gates[0].rows;
                ensure!(all == inputs + states, "it has two directions, which is not known here");
                ensure!(
                    gates.iter().all(|gate| gate.rows == states && gate.columns == all + 1),
                    "its gates do not fit"
                );
                Self::Lstm {
                    inputs,
                    last: kind == "SummLSTM",
                    gates,
                }
            }
            "Tanh" | "Softmax" => {
                let weights = Matrix::read(bytes)?;
                ensure!(weights.columns == inputs + 1, "its weights do not fit");
                Self::Connected {
                    weights,
                    function: match kind {
                        "Tanh" => Function::Tanh,
                        _ => Function::Softmax,
                    },
                }
            }
            _ => bail!("its kind, {kind}, is not known here"),
        })
    }
}

fn parts(flags: i32, bytes: &mut Bytes<'_>) -> Result<Vec<Layer>> {
    let count = bytes.size()?;
    ensure!(count <= MOST_PARTS, "it has {count} parts");
    let parts = (0..count).map(|_| Layer::read(bytes)).collect::<Result<_>>()?;
    if flags & LAYER_RATES != 0 {
        let rates = bytes.size()?;
        bytes.take(rates.checked_mul(4).context("it has too many learning rates")?)?;
    }
    Ok(parts)
}
