//! Tensors: a shape and elements in row-major order.

use thiserror::Error;

/// The type of a tensor's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ElementType {
    /// 32-bit floating point.
    F32,
    /// 64-bit signed integer.
    I64,
    /// 32-bit signed integer.
    I32,
    /// 8-bit unsigned integer.
    U8,
    /// 8-bit signed integer.
    I8,
}

impl ElementType {
    /// The size of one element in bytes.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::I64 => 8,
            Self::F32 | Self::I32 => 4,
            Self::U8 | Self::I8 => 1,
        }
    }

    /// Its usual short name, such as `f32`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::I64 => "i64",
            Self::I32 => "i32",
            Self::U8 => "u8",
            Self::I8 => "i8",
        }
    }
}

/// Elements in row-major order.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    /// 32-bit floating point.
    F32(Vec<f32>),
    /// 64-bit signed integers. The engine computes with 32 bits: what does not fit is refused.
    I64(Vec<i64>),
    /// 32-bit signed integers; what a graph calls boolean, too.
    I32(Vec<i32>),
    /// 8-bit unsigned integers.
    U8(Vec<u8>),
    /// 8-bit signed integers.
    I8(Vec<i8>),
}

impl Data {
    /// The type of the elements.
    #[must_use]
    pub const fn element_type(&self) -> ElementType {
        match self {
            Self::F32(_) => ElementType::F32,
            Self::I64(_) => ElementType::I64,
            Self::I32(_) => ElementType::I32,
            Self::U8(_) => ElementType::U8,
            Self::I8(_) => ElementType::I8,
        }
    }

    /// The number of elements.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::F32(elements) => elements.len(),
            Self::I64(elements) => elements.len(),
            Self::I32(elements) => elements.len(),
            Self::U8(elements) => elements.len(),
            Self::I8(elements) => elements.len(),
        }
    }

    /// Returns true if there are no elements.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A shape that does not fit the elements.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a tensor of shape {shape:?} has not {elements} elements")]
pub struct InvalidTensor {
    /// The shape.
    pub shape: Vec<usize>,
    /// The number of elements that were given.
    pub elements: usize,
}

/// A shape and as many elements as it asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    shape: Vec<usize>,
    data: Data,
}

impl Tensor {
    /// A tensor of this shape. The empty shape is a scalar with one element.
    ///
    /// # Errors
    /// When the number of elements is not the product of the shape.
    pub fn new(shape: impl Into<Vec<usize>>, data: Data) -> Result<Self, InvalidTensor> {
        let shape = shape.into();
        let elements = data.len();
        let wanted = shape
            .iter()
            .try_fold(1_usize, |product, size| product.checked_mul(*size));
        if wanted != Some(elements) {
            return Err(InvalidTensor { shape, elements });
        }
        Ok(Self { shape, data })
    }

    /// The size of each dimension, outermost first.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The elements.
    #[must_use]
    pub const fn data(&self) -> &Data {
        &self.data
    }

    /// The shape and the elements, without a copy.
    #[must_use]
    pub fn into_parts(self) -> (Vec<usize>, Data) {
        (self.shape, self.data)
    }

    /// The elements, when they are `f32`.
    #[must_use]
    pub const fn as_f32(&self) -> Option<&[f32]> {
        match &self.data {
            Data::F32(elements) => Some(elements.as_slice()),
            _ => None,
        }
    }

    /// The size of the elements in bytes.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.data.len() * self.data.element_type().size()
    }
}

/// A tensor with the name that the graph gives it.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedTensor {
    /// The name of the graph's input or output.
    pub name: String,
    /// Its value.
    pub tensor: Tensor,
}

impl NamedTensor {
    /// A tensor of `name`.
    pub fn new(name: impl Into<String>, tensor: Tensor) -> Self {
        Self {
            name: name.into(),
            tensor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_must_fit_the_elements() {
        assert!(Tensor::new([2, 3], Data::F32(vec![0.0; 6])).is_ok());
        assert!(Tensor::new([], Data::I64(vec![7])).is_ok());
        assert!(Tensor::new([0, 5], Data::U8(vec![])).is_ok());
        for (shape, elements) in [(vec![2, 3], 5), (vec![], 0), (vec![usize::MAX, 2], 6)] {
            let wrong = Tensor::new(shape.clone(), Data::I8(vec![0; elements]));
            assert_eq!(wrong, Err(InvalidTensor { shape, elements }));
        }
    }
}
