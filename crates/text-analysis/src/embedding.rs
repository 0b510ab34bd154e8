//! Embeddings: vectors that lie close together when their texts say the same, in whatever language. The model that
//! makes them is behind the trait [`Embed`].

use serde::{Deserialize, Serialize};

/// An embedding model.
pub trait Embed {
    /// Computes one embedding per text, in the order of the texts; none when it cannot, which is no error: answers are
    /// then found by lexical search alone.
    fn embed(&self, role: Role, texts: &[&str]) -> Option<Vec<Embedding>>;
}

/// The role of a text in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A question.
    Question,
    /// A text that may answer it.
    Passage,
}

/// The embedding of a text, in 8 bits a dimension: only its direction matters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Embedding(Vec<i8>);

impl Embedding {
    /// Quantizes numbers of any size.
    #[must_use]
    pub fn new(values: &[f32]) -> Self {
        let largest = values.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
        let scale = if largest > 0.0 { 127.0 / largest } else { 0.0 };
        Self(values.iter().map(|value| (value * scale).round() as i8).collect())
    }

    /// The cosine of the angle between both, from −1 to 1; 0 when they have not the same dimensions.
    #[must_use]
    pub fn cosine_similarity(&self, other: &Self) -> f32 {
        if self.0.len() != other.0.len() {
            return 0.0;
        }
        let dot = |one: &[i8], two: &[i8]| -> f32 {
            one.iter()
                .zip(two)
                .map(|(one, two)| i32::from(*one) * i32::from(*two))
                .sum::<i32>() as f32
        };
        let sizes = (dot(&self.0, &self.0) * dot(&other.0, &other.0)).sqrt();
        if sizes > 0.0 {
            dot(&self.0, &other.0) / sizes
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_direction_counts() {
        let one = Embedding::new(&[1.0, -2.0, 0.5]);
        assert!((one.cosine_similarity(&Embedding::new(&[10.0, -20.0, 5.0])) - 1.0).abs() < 1e-4);
        assert!((one.cosine_similarity(&Embedding::new(&[-1.0, 2.0, -0.5])) + 1.0).abs() < 1e-4);
        assert!(one.cosine_similarity(&Embedding::new(&[2.0, 1.0, 0.0])).abs() < 0.02);
        assert_eq!(one.cosine_similarity(&Embedding::new(&[0.0; 3])), 0.0);
        assert_eq!(one.cosine_similarity(&Embedding::new(&[1.0])), 0.0);
    }
}
