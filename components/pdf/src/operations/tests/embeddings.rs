//! Vectors of texts.

use quartet_api::Code;
use quartet_embeddings::Embedder;
use quartet_inference::{Data, GraphError, Graphs, NamedTensor, Tensor};
use serde_json::{Value, json};

use super::*;

#[test]
fn texts_become_vectors_and_what_is_wrong_with_them_is_said() {
    let graphs = Lengths;
    let embedder = Embedder::new(&graphs).ok();
    let ask = |body: Value, time_left: &dyn Fn() -> bool| {
        embeddings(&mut question("mine", &body), embedder.as_ref(), time_left)
    };
    if embedder.is_none() {
        let failure = ask(json!({"texts": ["heron"]}), &|| true).err().expect("a failure");
        assert_eq!(failure.code, Code::Unavailable);
        return eprintln!("not run: the vocabulary was not there when this was compiled");
    }
    let found = data(
        ask(
            json!({"texts": ["heron", "query: heron", "passage: heron and stork"]}),
            &|| true,
        )
        .expect("vectors"),
    );
    assert_eq!(
        (&found["dimensions"], &found["model"]),
        (&json!(384), &json!("multilingual-e5-small"))
    );
    let vectors = found["embeddings"].as_array().expect("vectors");
    assert_eq!(vectors.len(), 3);
    assert_eq!(
        vectors[0], vectors[1],
        "words that a client writes itself are not written twice"
    );
    assert_ne!(vectors[0], vectors[2]);
    for vector in vectors {
        let length: f64 = vector
            .as_array()
            .expect("numbers")
            .iter()
            .map(|value| value.as_f64().expect("a number").powi(2))
            .sum();
        assert!((length - 1.0).abs() < 1e-5, "{length}");
    }
    let same = data(ask(json!({"texts": ["heron and stork"], "purpose": "passage"}), &|| true).expect("vectors"));
    assert_eq!(same["embeddings"][0], vectors[2]);
    let long = "heron ".repeat(600);
    for (body, code, part) in [
        (json!({}), Code::MissingField, "texts"),
        (json!({"texts": []}), Code::InvalidField, "1 to 2048"),
        (json!({"texts": vec!["x"; 2049]}), Code::InvalidField, "2049"),
        (json!({"texts": ["x", " "]}), Code::InvalidField, "`texts[1]` is empty"),
        (json!({"texts": [long]}), Code::InvalidField, "up to 512"),
        (json!({"texts": ["x"], "purpose": "fun"}), Code::InvalidField, "purpose"),
    ] {
        let failure = ask(body, &|| true).err().expect("a failure");
        assert_eq!(failure.code, code, "{}", failure.message);
        assert!(failure.message.contains(part), "{}", failure.message);
    }
    let failure = ask(json!({"texts": ["one", "two"]}), &|| false)
        .err()
        .expect("a failure");
    assert_eq!(failure.code, Code::DeadlineExceeded);
    assert!(failure.message.contains("1 of the 2"), "{}", failure.message);
}

/// Vectors that tell the tokens of their texts apart.
struct Lengths;

impl Graphs for Lengths {
    fn run(&self, _: &str, inputs: Vec<NamedTensor>, _: &[&str]) -> Result<Vec<NamedTensor>, GraphError> {
        let (shape, data) = inputs.into_iter().next().expect("an input").tensor.into_parts();
        let ([rows, width], Data::I64(numbers)) = (shape.as_slice(), data) else {
            panic!("rows of tokens")
        };
        let mut values = vec![1.0; rows * 384];
        for (row, tokens) in numbers.chunks(*width).enumerate() {
            for token in tokens {
                values[row * 384 + usize::try_from(token % 384).expect("a token")] += 1.0;
            }
        }
        let tensor = Tensor::new([*rows, 384], Data::F32(values)).expect("a tensor");
        Ok(vec![NamedTensor::new("embedding", tensor)])
    }
}
