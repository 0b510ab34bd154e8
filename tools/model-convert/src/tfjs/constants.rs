//! Tensors that are known beforehand, and the few operations that are done with them at conversion.

use anyhow::{Context, Result, bail, ensure};
use half::f16;

/// A tensor that is known beforehand.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant {
    /// The size of each dimension.
    pub shape: Vec<usize>,
    /// Its elements, in row-major order.
    pub elements: Elements,
}

/// The elements of a constant.
#[derive(Debug, Clone, PartialEq)]
pub enum Elements {
    /// With fractions.
    Floats(Vec<f32>),
    /// Whole.
    Integers(Vec<i64>),
}

impl Constant {
    /// Reads a tensor from the start of `bytes` and says how many it took.
    pub fn read(dtype: &str, shape: Vec<usize>, elements: usize, bytes: &[u8]) -> Result<(Self, usize)> {
        let size = match dtype {
            "float32" | "int32" => 4,
            "float16" => 2,
            other => bail!("elements of the type {other} are not known here"),
        };
        let taken = bytes
            .get(..elements * size)
            .context("the file of the weights ends inside of it")?;
        let words = || taken.as_chunks::<4>().0.iter().copied();
        let elements = match dtype {
            "float32" => Elements::Floats(words().map(f32::from_le_bytes).collect()),
            "int32" => Elements::Integers(words().map(|word| i32::from_le_bytes(word).into()).collect()),
            _ => {
                let halves = taken.as_chunks::<2>().0.iter();
                Elements::Floats(halves.map(|half| f16::from_le_bytes(*half).to_f32()).collect())
            }
        };
        Ok((Self { shape, elements }, taken.len()))
    }

    /// The elements, when they are whole.
    pub fn integers(&self) -> Result<&[i64]> {
        match &self.elements {
            Elements::Integers(elements) => Ok(elements),
            Elements::Floats(_) => bail!("numbers with fractions where whole ones are needed"),
        }
    }

    /// The elements, when they may have fractions.
    pub fn floats(&self) -> Result<&[f32]> {
        match &self.elements {
            Elements::Floats(elements) => Ok(elements),
            Elements::Integers(_) => bail!("whole numbers where those with fractions are needed"),
        }
    }

    /// The one element, when it is whole.
    pub fn integer(&self) -> Result<i64> {
        match self.integers()? {
            [element] => Ok(*element),
            elements => bail!("{} numbers where one is needed", elements.len()),
        }
    }

    /// The sum of two tensors of whole numbers of the same shape.
    pub fn add(&self, other: &Self) -> Result<Self> {
        ensure!(self.shape == other.shape, "a sum of constants of different shapes");
        let elements = self.integers()?.iter().zip(other.integers()?).map(|(a, b)| a + b);
        Ok(Self {
            shape: self.shape.clone(),
            elements: Elements::Integers(elements.collect()),
        })
    }

    /// TensorFlow's `SparseToDense` for a list: `default` everywhere but at `indices`, where `values` are.
    pub fn sparse_to_dense(indices: &Self, length: &Self, values: &Self, default: &Self) -> Result<Self> {
        let length = usize::try_from(length.integer()?)?;
        let mut elements = vec![default.integer()?; length];
        let values = values.integers()?;
        for (number, index) in indices.integers()?.iter().enumerate() {
            let value = if values.len() == 1 {
                values.first()
            } else {
                values.get(number)
            };
            let place = elements
                .get_mut(usize::try_from(*index)?)
                .context("an index past the end")?;
            *place = *value.context("fewer values than indices")?;
        }
        Ok(Self {
            shape: vec![length],
            elements: Elements::Integers(elements),
        })
    }

    /// The filters of a convolution, from TensorFlow's order (height, width, inputs, outputs) to ONNX's (outputs,
    /// inputs, height, width).
    pub fn filters(&self) -> Result<(Vec<usize>, Vec<f32>)> {
        let [height, width, inputs, outputs] = self.shape[..] else {
            bail!("filters have not four dimensions")
        };
        let from = self.floats()?;
        let mut elements = Vec::with_capacity(from.len());
        for output in 0..outputs {
            for input in 0..inputs {
                for place in 0..height * width {
                    elements.push(from[(place * inputs + input) * outputs + output]);
                }
            }
        }
        Ok((vec![outputs, inputs, height, width], elements))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integers(shape: &[usize], elements: &[i64]) -> Constant {
        Constant {
            shape: shape.to_vec(),
            elements: Elements::Integers(elements.to_vec()),
        }
    }

    #[test]
    fn reads_each_type() {
        let (halves, taken) = Constant::read("float16", vec![2], 2, &[0x00, 0x3c, 0x00, 0xc0, 9]).expect("two numbers");
        assert_eq!((halves.floats().expect("floats"), taken), ([1.0, -2.0].as_slice(), 4));
        let (whole, _) = Constant::read("int32", vec![], 1, &[0xff; 4]).expect("a number");
        assert_eq!(whole.integer().expect("one"), -1);
        assert!(Constant::read("float32", vec![2], 2, &[0; 7]).is_err());
        assert!(Constant::read("string", vec![], 1, &[0; 7]).is_err());
    }

    #[test]
    fn filters_in_the_other_order() {
        let filters = Constant {
            shape: vec![1, 2, 3, 2],
            elements: Elements::Floats((0..12).map(|x| x as f32).collect()),
        };
        let (shape, elements) = filters.filters().expect("four dimensions");
        assert_eq!(shape, [2, 3, 1, 2]);
        assert_eq!(elements, [0., 6., 2., 8., 4., 10., 1., 7., 3., 9., 5., 11.]);
    }

    #[test]
    fn sparse_lists() {
        let dense = Constant::sparse_to_dense(
            &integers(&[2, 1], &[0, 2]),
            &integers(&[1], &[4]),
            &integers(&[2], &[7, 8]),
            &integers(&[], &[1]),
        );
        assert_eq!(dense.expect("a list"), integers(&[4], &[7, 1, 8, 1]));
    }
}
