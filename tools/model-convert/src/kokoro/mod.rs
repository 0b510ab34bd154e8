//! Kokoro-82M, cut in two where the lengths of the sounds are known, and the styles of its voices as a graph of their own.
//!
//! The published graph takes `tokens`, `style` and `speed` and gives `audio`. Between them it rounds and clips the length
//! of every token, in steps of 600 samples: so the length of the sound can be had for a fiftieth of the work, and the
//! sound be made for exactly these lengths. The part that makes sound is written anew with faster operators.

mod generator;

use std::collections::{HashMap, HashSet};

use anyhow::{Context, Result, ensure};
use prost::Message;

use crate::onnx::{Attribute, Builder, CONTRIBUTED, FLOAT, Graph, Model, Node, Value, dims_of_any_size};

/// The value with the lengths, in steps, of every token: `[1, tokens]`.
const LENGTHS: &str = "/encoder/Clip_output_0";

/// The name that it gets.
const DURATIONS: &str = "durations";

/// Rows of a voice, one for each number of tokens, and numbers of a row: 128 for the timbre, 128 for the prosody.
const ROWS: usize = 510;
const COLUMNS: usize = 256;

/// The graph from `tokens`, `style` and `speed` to `durations`.
pub fn durations(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut model = read(bytes)?;
    let graph = graph(&mut model)?;
    graph.output = vec![dims_of_any_size(DURATIONS, FLOAT, &["batch", "tokens"])];
    cut(model)
}

/// The graph from `tokens`, `style` and `durations` to `audio`.
pub fn samples(bytes: &[u8]) -> Result<Vec<u8>> {
    sound(bytes, generator::BLOCKS)
}

/// The same graph, with `blocks` of its generator written anew.
fn sound(bytes: &[u8], blocks: &[generator::Block]) -> Result<Vec<u8>> {
    let mut model = read(bytes)?;
    let graph = graph(&mut model)?;
    let cutting = |node: &Node| node.output.iter().any(|output| output == DURATIONS);
    graph.node.retain(|node| !cutting(node));
    graph
        .input
        .push(dims_of_any_size(DURATIONS, FLOAT, &["batch", "tokens"]));
    generator::rewrite(graph, blocks)?;
    cut(model)
}

/// A graph from weights of voices to a style: `timbre` and `prosody`, `[1, voices]` each, and `row`, `[1]`, to `style`,
/// `[1, 256]`. The voices are in the order of the files.
pub fn styles(voices: &[Vec<u8>]) -> Result<Vec<u8>> {
    let mut all = Vec::new();
    for voice in voices {
        let (numbers, rest) = voice.as_chunks::<4>();
        ensure!(
            rest.is_empty() && numbers.len() == ROWS * COLUMNS,
            "a voice has {ROWS} rows of {COLUMNS} numbers of four bytes"
        );
        all.extend(numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)));
    }
    let mut graph = Builder::default();
    graph.input("timbre", &[1, voices.len()]);
    graph.input("prosody", &[1, voices.len()]);
    graph.input_of_integers("row", &["one"]);
    graph.floats("voices", &[voices.len(), ROWS, COLUMNS], &all);
    graph.integers("axis", &[1], &[1]);
    graph.integers("halves", &[2], &[128, 128]);
    graph.node("Gather", &["voices", "row"], "rows", vec![Attribute::int("axis", 1)]);
    graph.node("Squeeze", &["rows", "axis"], "styles", Vec::new());
    graph.node_of_many(
        "Split",
        &["styles", "halves"],
        &["timbres", "prosodies"],
        vec![Attribute::int("axis", 1)],
    );
    graph.node("MatMul", &["timbre", "timbres"], "one_timbre", Vec::new());
    graph.node("MatMul", &["prosody", "prosodies"], "one_prosody", Vec::new());
    graph.node(
        "Concat",
        &["one_timbre", "one_prosody"],
        "style",
        vec![Attribute::int("axis", 1)],
    );
    graph.output("style", &[1, COLUMNS]);
    Ok(graph.finish("styles"))
}

/// The published model, with the value in question under its new name.
fn read(bytes: &[u8]) -> Result<Model> {
    let mut model = Model::decode(bytes).context("the file is no ONNX")?;
    let graph = graph(&mut model)?;
    let mut renamed = false;
    for name in graph
        .node
        .iter_mut()
        .flat_map(|node| node.input.iter_mut().chain(&mut node.output))
        .filter(|name| *name == LENGTHS)
    {
        DURATIONS.clone_into(name);
        renamed = true;
    }
    ensure!(renamed, "the graph has no {LENGTHS}");
    Ok(model)
}

fn graph(model: &mut Model) -> Result<&mut Graph> {
    model.graph.as_mut().context("the file has no graph")
}

/// Leaves out what the outputs do not need: nodes, constants, inputs, and sets of operators.
fn cut(mut model: Model) -> Result<Vec<u8>> {
    let graph = graph(&mut model)?;
    let makers: HashMap<&str, usize> = graph
        .node
        .iter()
        .enumerate()
        .flat_map(|(index, node)| node.output.iter().map(move |output| (output.as_str(), index)))
        .collect();
    let mut needed: HashSet<String> = graph.output.iter().map(|output| output.name.clone()).collect();
    let mut open: Vec<String> = needed.iter().cloned().collect();
    let mut nodes = HashSet::new();
    while let Some(value) = open.pop() {
        if let Some(maker) = makers.get(value.as_str())
            && nodes.insert(*maker)
        {
            let inputs = graph.node[*maker].input.iter().filter(|input| !input.is_empty());
            open.extend(inputs.filter(|input| needed.insert((*input).clone())).cloned());
        }
    }
    let mut index = 0;
    graph.node.retain(|_| {
        index += 1;
        nodes.contains(&(index - 1))
    });
    graph.initializer.retain(|tensor| needed.contains(&tensor.name));
    graph.input.retain(|input: &Value| needed.contains(&input.name));
    model
        .opset_import
        .retain(|set| ["", "ai.onnx", CONTRIBUTED].contains(&set.domain.as_str()));
    Ok(model.encode_to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `speed` → `/encoder/Clip` → lengths → `audio`, beside a `style` that only `audio` needs.
    fn published() -> Vec<u8> {
        let mut graph = Builder::default();
        graph.input("speed", &[1]);
        graph.input("style", &[1]);
        graph.node("Abs", &["speed"], "rounded", Vec::new());
        graph.node("Clip", &["rounded"], LENGTHS, Vec::new());
        graph.floats("half", &[1], &[0.5]);
        graph.node("Mul", &[LENGTHS, "half"], "halved", Vec::new());
        graph.node("Add", &["halved", "style"], "audio", Vec::new());
        graph.output("audio", &[1]);
        graph.finish("whole")
    }

    fn parts(bytes: &[u8]) -> (Vec<String>, Vec<String>, Vec<String>, usize) {
        let graph = Model::decode(bytes).unwrap().graph.unwrap();
        let names = |values: &[Value]| values.iter().map(|value| value.name.clone()).collect();
        let nodes = graph.node.iter().map(|node| node.op_type.clone()).collect();
        (
            nodes,
            names(&graph.input),
            names(&graph.output),
            graph.initializer.len(),
        )
    }

    #[test]
    fn both_halves_have_what_they_need() {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let first = parts(&durations(&published()).unwrap());
        assert_eq!(
            first,
            (owned(&["Abs", "Clip"]), owned(&["speed"]), owned(&["durations"]), 0)
        );
        let second = parts(&sound(&published(), &[]).unwrap());
        let inputs = owned(&["style", "durations"]);
        assert_eq!(second, (owned(&["Mul", "Add"]), inputs, owned(&["audio"]), 1));
    }

    #[test]
    fn another_file_is_refused() {
        assert!(durations(&Builder::default().finish("empty")).is_err());
        assert!(samples(&published()).is_err());
        assert!(styles(&[vec![0; 12]]).is_err());
    }
}
