//! What is kept of what texts mean: vectors that lie close together when their texts say the same, in whatever language.
//! Who makes them is not known here.

use serde::{Deserialize, Serialize};

/// Turns texts into vectors.
pub trait Embed {
    /// One vector a text, in the order of the texts; nothing when it cannot, which is no error: answers are then found by
    /// their words alone.
    fn embed(&self, role: Role, texts: &[&str]) -> Option<Vec<Vector>>;
}

/// What a text is to the other that it is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It asks.
    Question,
    /// It may answer.
    Passage,
}

/// What a text means, in 8 bits a dimension: only its direction says something.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vector(Vec<i8>);

impl Vector {
    /// Of numbers of any size.
    #[must_use]
    pub fn new(values: &[f32]) -> Self {
        let largest = values.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
        let scale = if largest > 0.0 { 127.0 / largest } else { 0.0 };
        Self(values.iter().map(|value| (value * scale).round() as i8).collect())
    }

    /// The cosine of the angle between both, from −1 to 1; 0 when they have not the same dimensions.
    #[must_use]
    pub fn likeness(&self, other: &Self) -> f32 {
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
        let one = Vector::new(&[1.0, -2.0, 0.5]);
        assert!((one.likeness(&Vector::new(&[10.0, -20.0, 5.0])) - 1.0).abs() < 1e-4);
        assert!((one.likeness(&Vector::new(&[-1.0, 2.0, -0.5])) + 1.0).abs() < 1e-4);
        assert!(one.likeness(&Vector::new(&[2.0, 1.0, 0.0])).abs() < 0.02);
        assert_eq!(one.likeness(&Vector::new(&[0.0; 3])), 0.0);
        assert_eq!(one.likeness(&Vector::new(&[1.0])), 0.0);
    }
}
