//! Transpositions and paddings that are put off, so that most of them need never be done: TensorFlow keeps channels last
//! and pads by operations of their own, ONNX keeps channels second and pads inside of convolutions.

/// A tensor of the TensorFlow graph: a tensor of the ONNX graph, padded, and then with its dimensions in another order.
#[derive(Debug, Clone, PartialEq)]
pub struct Lazy {
    /// The tensor of the ONNX graph.
    pub name: String,
    /// Padding around it.
    pub padding: Option<Padding>,
    /// For each dimension of the TensorFlow tensor, which one of the ONNX tensor it is. Empty: the same ones.
    pub order: Vec<usize>,
}

/// Padding around a tensor.
#[derive(Debug, Clone, PartialEq)]
pub struct Padding {
    /// Elements before each dimension of the ONNX tensor.
    pub before: Vec<i64>,
    /// Elements after each.
    pub after: Vec<i64>,
    /// Value of these elements.
    pub value: f32,
}

impl Lazy {
    /// A tensor as it is in the ONNX graph.
    pub fn plain(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            padding: None,
            order: Vec::new(),
        }
    }

    /// A picture of the ONNX graph as TensorFlow has it: the channels last.
    pub fn channels_last(name: impl Into<String>) -> Self {
        Self {
            order: CHANNELS_LAST.to_vec(),
            ..Self::plain(name)
        }
    }

    /// The tensor with its dimensions in another order: the new first one is the old `by[0]`.
    #[must_use]
    pub fn transposed(&self, by: &[usize]) -> Self {
        let order: Vec<_> = by.iter().map(|dimension| self.dimension(*dimension)).collect();
        let same = order.iter().enumerate().all(|(place, dimension)| place == *dimension);
        Self {
            order: if same { Vec::new() } else { order },
            ..self.clone()
        }
    }

    /// The dimension of the ONNX tensor that is this one of the TensorFlow tensor.
    pub fn dimension(&self, dimension: usize) -> usize {
        self.order.get(dimension).copied().unwrap_or(dimension)
    }

    /// Returns true if the ONNX tensor has the channels second where TensorFlow has them last.
    pub fn is_channels_last(&self) -> bool {
        self.order == CHANNELS_LAST
    }
}

/// Dimensions of a picture in ONNX, in TensorFlow's order.
const CHANNELS_LAST: [usize; 4] = [0, 2, 3, 1];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back_is_nothing() {
        let picture = Lazy::plain("x");
        let last = picture.transposed(&[0, 2, 3, 1]);
        assert!(last.is_channels_last());
        assert_eq!(last, Lazy::channels_last("x"));
        assert_eq!(last.transposed(&[0, 3, 1, 2]), picture);
        assert_eq!(last.dimension(3), 1);
    }
}
